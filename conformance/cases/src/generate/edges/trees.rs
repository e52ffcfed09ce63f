//! Trees at the limits of the tables: characters that are escaped, chains of links, ignore files, and
//! what stands for the fields that a request leaves out.

use serde_json::{Value, json};
use touchstone_model::generated::agent::AGENT;
use touchstone_model::generated::search::SEARCH;

use super::limits::long;
use crate::case::{Case, Entry, FILES_TOOL, Keys, Node};

/// `search_files` without optional fields, each key of its configuration changed in turn.
pub(super) fn defaults() -> Vec<Case> {
    let keys: [(&str, Value); 10] = [
        ("max_results", json!(1)),
        ("max_matches_per_file", json!(1)),
        ("max_file_size_bytes", json!(20)),
        ("max_files", json!(1)),
        ("max_depth", json!(1)),
        ("respect_gitignore_default", json!(false)),
        ("include_hidden_default", json!(true)),
        ("follow_symlinks_default", json!(true)),
        ("mode_default", json!("regex")),
        ("case_default", json!("insensitive")),
    ];
    // Of two caps the one that counts first names the reason.
    let singles = keys.iter().map(|key| vec![key.clone()]);
    let caps = keys.iter().take(5).enumerate();
    let pairs = caps.flat_map(|(number, first)| {
        keys.iter().take(5).skip(number + 1).map(|second| vec![first.clone(), second.clone()])
    });
    let set = std::iter::once(Vec::new()).chain(singles).chain(pairs).enumerate();
    let cases = set.map(|(number, keys)| {
        let request = json!({"path": ".", "query": "f.o"});
        let title = "what stands for the fields that a request leaves out";
        let mut case = Case::of(format!("default-{number}"), title, FILES_TOOL, request);
        case.config.search_files =
            keys.into_iter().fold(Keys::default(), |keys, (name, value)| keys.with(name, value));
        case.with(Entry::file(".gitignore", "ignored\n"))
            .with(Entry::file(".hidden", "f.o\n"))
            .with(Entry::file("a/b/deep", "f.o\n"))
            .with(Entry::file("ignored", "f.o\n"))
            .with(Entry::file("large", "f.o f.o f.o f.o f.o f.o\n"))
            .with(Entry::link("link", "a/b/deep"))
            .with(Entry::file("many", "f.o\nfoo\nF.O\nf.o\n"))
    });
    cases.collect()
}

/// `search_files` with a different value of each cap, requests at each of these values, and answers
/// that lack something for several reasons.
pub(super) fn caps() -> Vec<Case> {
    let caps: [(&str, u64); 5] = [
        ("max_depth", 2),
        ("max_results", 4),
        ("max_matches_per_file", 6),
        ("max_files", 8),
        ("max_file_size_bytes", 400),
    ];
    let of = |fields: &[(&str, u64)], request: Value| {
        let mut case = Case::of("", "caps that differ", FILES_TOOL, request);
        case.config.search_files = fields
            .iter()
            .fold(Keys::default(), |keys, (name, value)| keys.with(name, json!(value)));
        let case =
            case.with(Entry::file("a/b/c", "foo\n")).with(Entry::file("b", "foo\n".repeat(9)));
        case.with(Entry::file("c", "foo\n")).with(Entry::file("d", "foo\n"))
    };
    let mut cases = Vec::new();
    for (field, _) in caps {
        for value in caps.iter().flat_map(|(_, value)| [*value, value + 1]) {
            cases.push(of(&caps, json!({"path": ".", "query": "foo", field: value})));
        }
    }
    for fields in [[("max_results", 3), ("max_files", 2)], [("max_results", 30), ("max_files", 2)]]
    {
        for bytes in [Some(600), Some(700), Some(800), Some(1_000), None] {
            let mut case = of(&fields, json!({"path": ".", "query": "foo"}));
            case.context.max_output_bytes = bytes;
            cases.push(case);
        }
    }
    let numbered = cases.into_iter().enumerate();
    numbered.map(|(number, case)| Case { id: format!("caps-{number}"), ..case }).collect()
}

/// A directory that is not entered, and a deadline that may strike.
pub(super) fn timed() -> Case {
    let request = json!({"path": ".", "query": "foo", "max_depth": 1});
    let mut case = Case::of("timed", "a depth and a deadline", FILES_TOOL, request);
    case.config.deadline_may_strike = true;
    case.with(Entry::file("a/b", "foo\n")).with(Entry::file("c", "foo\n"))
}

/// Names that hold the pattern, beside a directory that cannot be read.
pub(super) fn unreadable() -> Case {
    let title = "a directory that cannot be read, and names that only hold the pattern";
    let closed = Entry { path: b"closed".to_vec(), node: Node::Dir { readable: false } };
    Case::of("unreadable", title, "find_files", json!({"pattern": "oo"}))
        .with(closed)
        .with(Entry::file("foot", "\n"))
}

/// Matches in long lines beside the place from which on the beginning is left out.
pub(super) fn long_lines() -> Case {
    let limits = &AGENT.limits;
    let (title, request) = ("matches in lines that are cut", json!({"pattern": "foo"}));
    let case = Case::of("long-lines", title, "grep", request);
    let starts = (limits.line_start_bytes - 1..=limits.line_start_bytes + 1).enumerate();
    starts.fold(case, |case, (number, start)| {
        let text = format!("{}foo{}\n", long(start), long(limits.line_bytes));
        case.with(Entry::file(format!("f{number}"), text))
    })
}

/// Characters at the ends of the ranges that are escaped, and one beside them, each in a file of
/// its own.
pub(super) fn escapes() -> Case {
    let request = json!({"pattern": "foo"});
    let case = Case::new("escapes", "characters that are escaped, and their neighbours", request);
    let ends = SEARCH.escaped.iter().flat_map(|(from, to)| {
        [from.checked_sub(1), Some(*from), Some(*to), Some(to + 1)].into_iter().flatten()
    });
    let characters = ends.filter_map(char::from_u32).filter(|one| !matches!(one, '\0' | '\n'));
    characters.enumerate().fold(case, |case, (number, one)| {
        case.with(Entry::file(format!("f{number:02}"), format!("foo {one}\n")))
    })
}

/// Links that lead over one another as often as is allowed, and once more.
pub(super) fn links() -> Case {
    let request = json!({"pattern": "foo", "follow": true});
    let case = Case::new("links", "chains of links at the limit", request);
    let steps = SEARCH.limits.symlink_steps;
    let case = case.with(Entry::file("f", "foo\n")).with(Entry::link("l001", "f"));
    (2..=steps + 1).fold(case, |case, number| {
        case.with(Entry::link(format!("l{number:03}"), format!("l{:03}", number - 1)))
    })
}

/// Ignore files as long as may be, and one byte longer.
pub(super) fn ignore_files() -> Case {
    let case = Case::new("ignored", "ignore files at the limit", json!({"pattern": "foo"}));
    let most = SEARCH.limits.ignore_file_bytes;
    let lengths = [most - 1, most, most + 1].into_iter().enumerate();
    lengths.fold(case, |case, (number, bytes)| {
        let text = format!("f\n#{}\n", long(bytes - 4));
        case.with(Entry::file(format!("d{number}/.ignore"), text))
            .with(Entry::file(format!("d{number}/f"), "foo\n"))
    })
}
