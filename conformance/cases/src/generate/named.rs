//! What of a tree a request can name: its directories, its paths, and lines that patterns are cut
//! out of.

use super::tree::above;
use crate::case::{Entry, Node};

/// Directories of the sandbox that can be named in JSON and entered.
pub(super) fn directories(tree: &[Entry]) -> Vec<String> {
    let closed: Vec<&[u8]> = tree
        .iter()
        .filter(|entry| matches!(entry.node, Node::Dir { readable: false }))
        .map(|entry| entry.path.as_slice())
        .collect();
    let mut found: Vec<String> = Vec::new();
    for entry in tree.iter().filter(|entry| !entry.path.starts_with(b"../")) {
        let itself = matches!(entry.node, Node::Dir { .. }).then_some(entry.path.as_slice());
        for path in above(&entry.path).chain(itself) {
            let shut = closed
                .iter()
                .any(|closed| *closed == path || above(path).any(|parent| parent == *closed));
            if let (false, Ok(path)) = (shut, std::str::from_utf8(path)) {
                found.push(path.to_owned());
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// What a request can name: the entries and the directories.
pub(super) fn paths(tree: &[Entry], directories: &[String]) -> Vec<String> {
    let entries = tree.iter().filter_map(|entry| String::from_utf8(entry.path.clone()).ok());
    let mut paths: Vec<String> = entries.chain(directories.iter().cloned()).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// Lines that patterns can be cut out of, with the paths of their files: the beginning of every
/// piece of every file that is not hidden, or of every file if all are.
pub(super) fn lines(tree: &[Entry]) -> Vec<(String, String)> {
    let hidden = |path: &[u8]| path.split(|byte| *byte == b'/').any(|name| name.starts_with(b"."));
    let mut lines = Vec::new();
    for shown in [true, false] {
        for entry in tree.iter().filter(|entry| hidden(&entry.path) != shown) {
            let Node::File { contents, .. } = &entry.node else { continue };
            let path = String::from_utf8_lossy(&entry.path);
            let pieces = contents.parts.iter().filter(|part| part.times > 0);
            lines.extend(
                pieces
                    .flat_map(|part| clean_lines(&part.bytes.0))
                    .map(|line| (path.to_string(), line)),
            );
        }
        if !lines.is_empty() {
            break;
        }
    }
    lines
}

/// Lines without what no pattern holds, and without what stands for bytes that are not text.
fn clean_lines(bytes: &[u8]) -> Vec<String> {
    decoded(bytes)
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .filter(|line| !line.contains(['\0', '\u{fffd}']) && !line.trim().is_empty())
        .map(str::to_owned)
        .collect()
}

fn decoded(bytes: &[u8]) -> String {
    let units = |combine: fn([u8; 2]) -> u16, rest: &[u8]| -> String {
        let units: Vec<u16> =
            rest.chunks_exact(2).filter_map(|pair| pair.try_into().ok()).map(combine).collect();
        String::from_utf16_lossy(&units)
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => units(u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => units(u16::from_be_bytes, rest),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}
