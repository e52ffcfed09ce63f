//! Which traps the drawn cases contain.
//!
//! Responsible for: naming the traps, and finding them in a case and in what the model answers to
//! it. Left to neighbours: drawing cases so that they occur. Invariants: a trap is found by looking
//! at the case, never by asking the generator what it meant to do.

use std::collections::BTreeMap;

use serde_json::Value;
use touchstone_model::generated::search::SEARCH;
use touchstone_model::{Event, Outcome, Skipped};

use crate::case::{Case, Contents, Entry, Node};
use crate::expected::Canonical;

mod agent;
mod files;
mod keyword;

/// How many cases contained each trap.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By the trap's name.
    pub counts: BTreeMap<&'static str, u64>,
}

impl Coverage {
    /// Counts the traps of one case.
    pub fn observe(&mut self, case: &Case, outcome: Canonical<'_>) {
        let found = match outcome {
            Canonical::Search(outcome) => vec![
                outcome_traps(outcome),
                tree_traps(&case.tree),
                request_traps(case),
                refusal_traps(case, outcome),
                config_traps(case),
            ],
            Canonical::Files(outcome) => vec![files::traps(case, outcome), tree_traps(&case.tree)],
            Canonical::Agent(outcome) => vec![agent::traps(case, outcome), tree_traps(&case.tree)],
            Canonical::Keyword(outcome) => {
                vec![keyword::traps(case, outcome), tree_traps(&case.tree)]
            }
        };
        *self.counts.entry("cases").or_default() += 1;
        for (trap, there) in found.into_iter().flatten() {
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

type Traps = Vec<(&'static str, bool)>;

/// Whether bytes stand somewhere in others.
fn holds(bytes: &[u8], needle: &[u8]) -> bool {
    !needle.is_empty() && bytes.windows(needle.len()).any(|window| window == needle)
}

fn outcome_traps(outcome: &Outcome) -> Traps {
    let answer = outcome.as_ref().ok();
    let refused = |class: &str| outcome.as_ref().is_err_and(|refusal| refusal.class == class);
    let events = answer.map_or(&[][..], |answer| &answer.events);
    let any_event = |test: fn(&Event) -> bool| events.iter().any(test);
    let says = |message: &str| {
        answer.is_some_and(|answer| answer.errors.iter().any(|(_, error)| error == message))
    };
    let notes = |note: &str| answer.is_some_and(|answer| answer.content.contains(note));
    let stats = answer.and_then(|answer| answer.stats.as_ref());
    let tried = |test: &dyn Fn(&[u64], bool) -> bool| {
        stats.is_some_and(|stats| test(&stats.fallback.levels_tried, notes("[no exact match")))
    };
    vec![
        ("answered", answer.is_some()),
        ("with a match", any_event(Event::is_match)),
        ("with context", any_event(|event| !event.is_match())),
        (
            "events in several files",
            events.windows(2).any(|pair| matches!(pair, [a, b] if path(a) != path(b))),
        ),
        ("truncated", answer.is_some_and(|answer| answer.truncated)),
        ("with errors", answer.is_some_and(|answer| !answer.errors.is_empty())),
        ("refused: BadArgs", refused("BadArgs")),
        ("refused: SandboxViolation", refused("SandboxViolation")),
        ("refused: ExecutionFailed", refused("ExecutionFailed")),
        (
            "empty match",
            any_event(|event| matches!(event, Event::Match { matched, .. } if matched.is_empty())),
        ),
        ("cut by max_results", notes("[truncated: max_results")),
        ("cut by max_output_bytes", notes("[truncated: max_output_bytes")),
        ("cut by max_files", notes("[truncated: max_files")),
        ("cut by max_matches_per_file", notes("[truncated: max_matches_per_file")),
        ("cut by max_file_size_bytes", notes("[truncated: max_file_size_bytes")),
        ("stats", stats.is_some()),
        ("fallback: a pass is the answer", notes("[no exact match")),
        ("fallback: passes found nothing", tried(&|levels, found| !levels.is_empty() && !found)),
        ("fallback: a looser level", tried(&|levels, found| levels.len() > 1 && found)),
        (
            "fallback: pattern too short",
            stats.is_some_and(|stats| stats.fallback.skipped == Some(Skipped::PatternTooShort)),
        ),
        (
            "fallback: cut",
            notes("[no exact match") && answer.is_some_and(|answer| answer.truncated),
        ),
        ("error: permission denied", says("permission denied")),
        ("error: symlink leaves the sandbox", says("symlink leaves the sandbox")),
        ("error: dangling symlink", says("dangling symlink")),
        ("error: symlink loop", says("symlink loop")),
        ("error: ignore file cannot be read", says("ignore file cannot be read")),
        ("error: binary file", says("binary file")),
        ("error: larger than max_file_size_bytes", says("larger than max_file_size_bytes")),
    ]
}

fn path(event: &Event) -> &str {
    match event {
        Event::Match { path, .. } | Event::Context { path, .. } => path,
    }
}

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

fn request_traps(case: &Case) -> Traps {
    let request = &case.request;
    let asks = |field: &str| request.get(field).is_some();
    let pattern = request.get("pattern").and_then(|pattern| pattern.as_str()).unwrap_or_default();
    let literal = request.get("fixed_strings").and_then(serde_json::Value::as_bool) == Some(true);
    let globs = |test: fn(&str) -> bool| {
        ["include_glob", "exclude_glob", "glob"].into_iter().any(|field| {
            request
                .get(field)
                .and_then(|globs| globs.as_array())
                .is_some_and(|globs| globs.iter().filter_map(|glob| glob.as_str()).any(test))
        })
    };
    vec![
        ("pattern: literal", literal),
        ("pattern: leading dash", pattern.starts_with('-')),
        ("pattern: alternation", !literal && pattern.contains('|')),
        ("pattern: anchor", !literal && pattern.contains(['^', '$'])),
        ("pattern: class", !literal && pattern.contains('[')),
        ("pattern: boundary", !literal && pattern.contains("\\b")),
        ("pattern: inline flag", !literal && pattern.contains("(?")),
        ("pattern: beyond ASCII", !pattern.is_ascii()),
        (
            "pattern: folds beyond ASCII",
            pattern.contains(['\u{212a}', '\u{17f}', '\u{130}', '\u{131}', '\u{df}', '\u{1e9e}']),
        ),
        ("fuzzy", asks("fuzzy")),
        ("word_regexp", asks("word_regexp")),
        ("case: insensitive", request.get("case").is_some_and(|case| case == "insensitive")),
        ("case: sensitive", request.get("case").is_some_and(|case| case == "sensitive")),
        ("case: smart", request.get("case").is_none_or(|case| case == "smart")),
        ("follow", asks("follow")),
        ("hidden", asks("hidden")),
        ("no_ignore", asks("no_ignore")),
        ("not recursive", request.get("recursive").is_some_and(|recursive| recursive == false)),
        ("glob: stars across directories", globs(|glob| glob.contains("**"))),
        ("glob: braces", globs(|glob| glob.contains('{'))),
        ("glob: class", globs(|glob| glob.contains('['))),
        ("glob: anchored", globs(|glob| glob.trim_end_matches('/').contains('/'))),
        ("glob: directories only", globs(|glob| glob.ends_with('/'))),
        (
            "path: absolute",
            request
                .get("path")
                .and_then(|path| path.as_str())
                .is_some_and(|path| path.starts_with("{root}")),
        ),
        (
            "path: upwards",
            request
                .get("path")
                .and_then(|path| path.as_str())
                .is_some_and(|path| path.contains("..")),
        ),
    ]
}

/// What depends on how the request was received.
fn refusal_traps(case: &Case, outcome: &Outcome) -> Traps {
    let request = &case.request;
    let blames = |class: &str, test: &dyn Fn(&str) -> bool| {
        outcome.as_ref().is_err_and(|refusal| refusal.class == class && test(&refusal.field))
    };
    let strings = |field: &str| request.get(field).and_then(Value::as_array).map_or(0, Vec::len);
    let given = |field: &str| request.get(field).and_then(Value::as_str);
    let answered = outcome.is_ok();
    let is_glob = |field: &str| matches!(field, "include_glob" | "exclude_glob" | "glob");
    let is_number = |field: &str| request.get(field).is_some_and(Value::is_number);
    let is_file = |shown: &str| {
        case.tree.iter().any(|entry| {
            matches!(entry.node, Node::File { .. })
                && String::from_utf8_lossy(&entry.path).ends_with(shown)
        })
    };
    let blank = given("pattern").is_some_and(|pattern| pattern.trim().is_empty());
    let bad_pattern = blames("BadArgs", &|field| field == "pattern");
    vec![
        ("tool: alias", answered && case.tool != "Search"),
        ("tool: unknown", blames("BadArgs", &|field| field == "tool")),
        (
            "unknown field",
            blames("BadArgs", &|field| {
                SEARCH.field(field).is_none() && field != "tool" && field != "request"
            }),
        ),
        ("blank pattern", bad_pattern && blank),
        (
            "invalid expression",
            bad_pattern
                && !blank
                && given("pattern").is_some_and(|pattern| !pattern.contains(['\n', '\0'])),
        ),
        ("invalid glob", blames("BadArgs", &is_glob)),
        ("number out of bounds", blames("BadArgs", &is_number)),
        ("fuzzy beyond the pattern", blames("BadArgs", &|field| field == "fuzzy")),
        ("path: a file", outcome.as_ref().is_ok_and(|answer| is_file(&answer.path))),
        (
            "include and exclude",
            answered && strings("include_glob") > 0 && strings("exclude_glob") > 0,
        ),
        (
            "glob instead of include_glob",
            answered && strings("glob") > 0 && strings("include_glob") == 0,
        ),
    ]
}

fn config_traps(case: &Case) -> Traps {
    vec![
        ("config: deny", !case.config.deny.is_empty()),
        ("config: global ignore", !case.config.global_ignore.is_empty()),
        ("config: working directory", !case.config.working_dir.is_empty()),
        ("config: max_output_bytes", case.config.max_output_bytes.is_some()),
        ("config: disabled", case.config.enabled == Some(false)),
        ("config: no backend", case.config.backend_available == Some(false)),
    ]
}
