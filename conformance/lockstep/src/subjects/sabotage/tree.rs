//! Changes of a case's tree by which a sound subject answers like one with a bug.
//!
//! Responsible for: trees without what the bug overlooks and with what it lets in. Not here: the
//! requests ([`super`]). Invariants: `None` where the bug would see the same tree, or where its
//! view is unknown.

use serde_json::Value;
use touchstone_cases::case::{Case, Contents, Entry, Node, ROOT_MARK};

/// The names of ignore files.
const RULE_FILES: [&[u8]; 2] = [b".ignore", b".gitignore"];

/// The ignore files above the search root emptied. They stay where they are: a `.git` that vanished
/// would be another bug.
pub(super) fn without_rules_above(case: &Case) -> Option<Case> {
    let search_root = search_root(case)?;
    let mut changed = case.clone();
    let mut found = false;
    for entry in &mut changed.tree {
        let is_rules =
            rules_directory(&entry.path).is_some_and(|directory| is_above(directory, &search_root));
        if let (true, Node::File { contents, readable }) = (is_rules, &mut entry.node) {
            found |= !contents.is_empty() || !*readable;
            *contents = Contents::default();
            *readable = true;
        }
    }
    found.then_some(changed)
}

/// The directory whose rules a file states.
fn rules_directory(path: &[u8]) -> Option<&[u8]> {
    if let Some(directory) = path.strip_suffix(b".git/info/exclude") {
        return Some(directory.strip_suffix(b"/").unwrap_or(directory));
    }
    let (directory, name) = split_name(path);
    RULE_FILES.contains(&name).then_some(directory)
}

fn is_above(directory: &[u8], search_root: &[u8]) -> bool {
    if directory.is_empty() {
        return !search_root.is_empty();
    }
    search_root.strip_prefix(directory).is_some_and(|below| below.starts_with(b"/"))
}

fn split_name(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(at) => (path.get(..at).unwrap_or_default(), path.get(at + 1..).unwrap_or_default()),
        None => (&[], path),
    }
}

/// The search root below the sandbox root; `None` if it leads outside or through a link.
fn search_root(case: &Case) -> Option<Vec<u8>> {
    let path = case.request.get("path").and_then(Value::as_str).unwrap_or(".");
    let start = case.config.working_dir.as_bytes();
    let root = match path.strip_prefix(ROOT_MARK) {
        Some(below) => clean(&[], below.as_bytes())?,
        None if path.starts_with('/') => return None,
        None => clean(start, path.as_bytes())?,
    };
    let crosses_link = case.tree.iter().any(|entry| {
        matches!(entry.node, Node::Link { .. })
            && (entry.path == root || is_above(&entry.path, &root))
    });
    (!crosses_link && !root.starts_with(b"..")).then_some(root)
}

/// `path` from the directory `start`, without `.` and inner `..`; at most one `..` remains, at the
/// front.
fn clean(start: &[u8], path: &[u8]) -> Option<Vec<u8>> {
    let mut names: Vec<&[u8]> = Vec::new();
    for name in start.split(|byte| *byte == b'/').chain(path.split(|byte| *byte == b'/')) {
        match name {
            b"" | b"." => {}
            b".." if names.last().is_some_and(|last| last != b"..") => {
                names.pop();
            }
            b".." if names.is_empty() => names.push(name),
            b".." => return None,
            // Back into the sandbox by the name of its directory.
            b"root" if names == [b".."] => names.clear(),
            name => names.push(name),
        }
    }
    Some(names.join(&b'/'))
}

/// Links that lead outside replaced by what is there, for a request that follows links.
pub(super) fn with_outside_links_inlined(case: &Case) -> Option<Case> {
    if case.request.get("follow") != Some(&Value::Bool(true)) {
        return None;
    }
    let mut changed = case.clone();
    changed.tree.clear();
    let mut found = false;
    for entry in &case.tree {
        let inlined = outside_target(entry)
            .map(|target| copied(case, &target, &entry.path))
            .unwrap_or_default();
        found |= !inlined.is_empty();
        if inlined.is_empty() {
            changed.tree.push(entry.clone());
        } else {
            changed.tree.extend(inlined);
        }
    }
    found.then_some(changed)
}

/// Where a link inside the sandbox leads outside of it.
fn outside_target(entry: &Entry) -> Option<Vec<u8>> {
    let Node::Link { target } = &entry.node else { return None };
    if entry.path.starts_with(b"../") {
        return None;
    }
    let place = match target.strip_prefix(ROOT_MARK.as_bytes()) {
        Some(below) => clean(&[], below)?,
        None if target.starts_with(b"/") => return None,
        None => clean(split_name(&entry.path).0, target)?,
    };
    place.starts_with(b"../").then_some(place)
}

/// What is at or below `from`, moved to `to`.
fn copied(case: &Case, from: &[u8], to: &[u8]) -> Vec<Entry> {
    let moved = |entry: &Entry| {
        let below = entry.path.strip_prefix(from)?;
        let fits = below.is_empty() || below.starts_with(b"/");
        fits.then(|| Entry { path: [to, below].concat(), node: entry.node.clone() })
    };
    case.tree.iter().filter_map(moved).collect()
}

/// Files without what follows their last line feed.
pub(super) fn without_unfinished_lines(case: &Case) -> Option<Case> {
    with_contents(case, |bytes| {
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        bytes.truncate(end);
    })
}

/// Files in which one more carriage return stands before every line end that has one: what is taken
/// off leaves the one that the bug would leave.
pub(super) fn with_carriage_returns_doubled(case: &Case) -> Option<Case> {
    with_contents(case, |bytes| {
        let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let doubled = lines.into_iter().map(|line| match line.strip_suffix(b"\r\n") {
            Some(text) => [text, b"\r\r\n"].concat(),
            None => line.to_vec(),
        });
        *bytes = doubled.collect::<Vec<_>>().concat();
    })
}

/// Changes the contents of files that are plain text below every size limit; the others and ignore
/// files stay, since the changed size or the place of a NUL would show another bug.
fn with_contents(case: &Case, change: impl Fn(&mut Vec<u8>)) -> Option<Case> {
    let limit = case.request.get("max_file_size_bytes").and_then(Value::as_u64);
    let limit = limit.unwrap_or_else(|| case.model_config().max_file_size_bytes);
    let mut changed = case.clone();
    let mut found = false;
    for entry in &mut changed.tree {
        let is_rules = rules_directory(&entry.path).is_some();
        let Node::File { contents, .. } = &mut entry.node else { continue };
        let before = contents.bytes();
        let is_plain = !before.contains(&0)
            && !before.starts_with(b"\xff\xfe")
            && !before.starts_with(b"\xfe\xff");
        let mut after = before.clone();
        change(&mut after);
        let longest = before.len().max(after.len()) as u64;
        if after != before && is_plain && !is_rules && longest <= limit {
            *contents = Contents::plain(after);
            found = true;
        }
    }
    found.then_some(changed)
}
