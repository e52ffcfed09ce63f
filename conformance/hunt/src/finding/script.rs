//! The files of a question as one line for a shell.
//!
//! Not here: the program's own command line ([`crate::adapter`]).
//! Invariants: every byte is made as it is.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use touchstone_cases::case::{Node, Part};

use crate::adapter::shell;
use crate::question::Question;

/// Shell commands that make the files of a question.
pub fn creation_script(question: &Question) -> String {
    let mut commands = Vec::new();
    let mut made: BTreeSet<&[u8]> = BTreeSet::new();
    for entry in &question.tree.tree {
        if let Some(slash) = entry.path.iter().rposition(|byte| *byte == b'/')
            && let Some(directory) = entry.path.get(..slash)
            && made.insert(directory)
        {
            commands.push(format!("mkdir -p {}", shell::quote(directory)));
        }
        let path = shell::quote(&entry.path);
        commands.push(match &entry.node {
            Node::File { contents, .. } => match contents.parts.as_slice() {
                [] => format!(": > {path}"),
                [part] if part.times == 1 => format!("{} > {path}", printf(part)),
                parts => {
                    format!(
                        "{{ {}; }} > {path}",
                        parts.iter().map(printf).collect::<Vec<_>>().join("; ")
                    )
                }
            },
            Node::Dir { .. } => format!("mkdir -p {path}"),
            Node::Link { target } => format!("ln -s {} {path}", shell::quote(target)),
            Node::Fifo => format!("mkfifo {path}"),
        });
        if matches!(entry.node, Node::File { readable: false, .. }) {
            commands.push(format!("chmod 000 {path}"));
        }
    }
    commands.push(String::new());
    commands.join(" && ")
}

/// Bytes as `printf` writes them.
fn printf(part: &Part) -> String {
    let mut format = String::new();
    for byte in &part.bytes.0 {
        match byte {
            b'\n' => format.push_str("\\n"),
            b'\r' => format.push_str("\\r"),
            b'\t' => format.push_str("\\t"),
            b'\\' => format.push_str("\\\\"),
            b'%' => format.push_str("%%"),
            b'\'' => format.push_str("'\\''"),
            b' '..=b'~' => format.push(char::from(*byte)),
            other => {
                // Writing to a string does not fail.
                let _ = write!(format, "\\{other:03o}");
            }
        }
    }
    if part.times == 1 {
        format!("printf -- '{format}'")
    } else {
        format!("printf -- '{format}%.0s' $(seq {})", part.times)
    }
}
