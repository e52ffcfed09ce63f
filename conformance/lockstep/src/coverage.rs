//! Which traps the drawn cases contain.
//!
//! Responsible for: naming the traps, and finding them in a case and in what the model answers to
//! it. Not here: drawing cases so that they occur. Invariants: a trap is found by looking at the
//! case, never by asking the generator what it meant to do.

use std::collections::BTreeMap;

use touchstone_cases::case::{Case, Contents, Entry, Node};
use touchstone_cases::family::Family;

use crate::compare::{Outcome, Traps};

pub(crate) mod agent;
pub(crate) mod files;
pub(crate) mod keyword;
pub(crate) mod search;

/// How many cases contained each trap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By the trap's name.
    pub counts: BTreeMap<&'static str, u64>,
}

impl Coverage {
    /// Counts the traps of one case.
    pub fn observe(&mut self, case: &Case, outcome: &Outcome) {
        *self.counts.entry("cases").or_default() += 1;
        let of_answer = outcome.as_ref().map_or(Traps::new(), |answer| answer.traps(case));
        let of_case = match case.family() {
            Family::Search => search::traps(case, outcome),
            Family::Files => files::traps(case, outcome),
            Family::Agent => agent::traps(case, outcome),
            Family::Keyword => keyword::traps(case, outcome),
        };
        for (trap, there) in of_answer.into_iter().chain(of_case).chain(tree_traps(&case.tree)) {
            *self.counts.entry(trap).or_default() += u64::from(there);
        }
    }

    /// Adds the counts of another tally.
    pub fn add(&mut self, other: &Coverage) {
        for (trap, count) in &other.counts {
            *self.counts.entry(trap).or_default() += count;
        }
    }

    /// How many cases contained a trap.
    pub fn count(&self, trap: &str) -> u64 {
        self.counts.get(trap).copied().unwrap_or(0)
    }
}

/// Whether bytes stand somewhere in others.
fn holds(bytes: &[u8], needle: &[u8]) -> bool {
    !needle.is_empty() && bytes.windows(needle.len()).any(|window| window == needle)
}

#[expect(clippy::too_many_lines, reason = "a table of traps")]
fn tree_traps(tree: &[Entry]) -> Traps {
    let name = |test: fn(&[u8]) -> bool| {
        tree.iter()
            .any(|entry| test(entry.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()))
    };
    let file = |test: fn(&Contents) -> bool| {
        tree.iter()
            .any(|entry| matches!(&entry.node, Node::File { contents, .. } if test(contents)))
    };
    let part = |test: &dyn Fn(&[u8]) -> bool| {
        tree.iter().any(|entry| match &entry.node {
            Node::File { contents, .. } => contents.parts.iter().any(|part| test(&part.bytes.0)),
            _ => false,
        })
    };
    let holds = |needle: &'static [u8]| {
        part(&|text| text.windows(needle.len()).any(|window| window == needle))
    };
    let path =
        |wanted: &'static str| tree.iter().any(|entry| entry.path.ends_with(wanted.as_bytes()));
    let node = |test: fn(&Node) -> bool| tree.iter().any(|entry| test(&entry.node));
    vec![
        ("name: not UTF-8", name(|name| std::str::from_utf8(name).is_err())),
        ("name: decomposed", name(|name| name.windows(2).any(|pair| pair == b"\xcc\x81"))),
        ("name: line feed", name(|name| name.contains(&b'\n'))),
        ("name: leading dash", name(|name| name.starts_with(b"-"))),
        ("name: leading dot", name(|name| name.starts_with(b"."))),
        ("name: glob characters", name(|name| name.iter().any(|byte| b"*?[{\\".contains(byte)))),
        (
            "name: sorts between `a` and `a/b`",
            name(|name| matches!(name, b"a-b" | b"a.b" | b"a.txt" | b"a!")),
        ),
        ("text: CRLF", holds(b"\r\n")),
        (
            "text: lone CR",
            part(&|text| {
                text.windows(2).any(|pair| matches!(pair, [b'\r', next] if *next != b'\n'))
                    || text.ends_with(b"\r")
            }),
        ),
        ("text: UTF-8 mark", part(&|text| text.starts_with(b"\xef\xbb\xbf"))),
        ("text: UTF-16 LE", part(&|text| text.starts_with(b"\xff\xfe"))),
        ("text: UTF-16 BE", part(&|text| text.starts_with(b"\xfe\xff"))),
        (
            "text: invalid UTF-8",
            part(&|text| std::str::from_utf8(text).is_err() && !text.starts_with(b"\xff\xfe")),
        ),
        ("text: NUL", holds(b"\0")),
        ("text: empty file", file(Contents::is_empty)),
        (
            "text: no final line feed",
            file(|file| file.parts.last().is_some_and(|part| !part.bytes.0.ends_with(b"\n"))),
        ),
        ("text: long line", file(|file| file.parts.iter().any(|part| part.times >= 4_000))),
        ("rules: .gitignore", path(".gitignore")),
        ("rules: .ignore", path(".ignore")),
        ("rules: exclude", path(".git/info/exclude")),
        (
            "rules: re-include",
            tree.iter().any(|entry| match &entry.node {
                Node::File { contents, .. } if entry.path.ends_with(b"ignore") => {
                    contents.parts.iter().any(|part| {
                        part.bytes.0.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"!"))
                    })
                }
                _ => false,
            }),
        ),
        (
            "rules: nested repository",
            tree.iter().any(|entry| {
                entry.path.windows(6).any(|window| window == b"/.git/")
                    || entry.path.ends_with(b"/.git")
            }),
        ),
        ("link", node(|node| matches!(node, Node::Link { .. }))),
        (
            "link out of the root",
            node(
                |node| matches!(node, Node::Link { target } if target.windows(7).any(|window| window == b"outside")),
            ),
        ),
        ("pipe", node(|node| matches!(node, Node::Fifo))),
        ("unreadable file", node(|node| matches!(node, Node::File { readable: false, .. }))),
        ("unreadable directory", node(|node| matches!(node, Node::Dir { readable: false }))),
    ]
}
