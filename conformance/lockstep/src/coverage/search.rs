//! Which traps the drawn cases of `Search` contain.
//!
//! Responsible for: finding them in the case and in what the model answers. Not here: traps of
//! trees, which all tools share ([`super::tree_traps`]).

use serde_json::Value;
use touchstone_cases::case::{Case, Node};
use touchstone_model::generated::search::SEARCH;
use touchstone_model::{Answer, Event, Skipped};

use crate::compare::{Outcome, Traps};

/// The traps of one case, but for those of its answer.
pub(super) fn traps(case: &Case, outcome: &Outcome) -> Traps {
    [request_traps(case), refusal_traps(case, outcome), config_traps(case)].concat()
}

pub(crate) fn answer_traps(case: &Case, answer: &Answer) -> Traps {
    let events = &answer.events;
    let any_event = |test: fn(&Event) -> bool| events.iter().any(test);
    let says = |message: &str| answer.errors.iter().any(|(_, error)| error == message);
    let notes = |note: &str| answer.content.contains(note);
    let stats = answer.stats.as_ref();
    let tried = |test: &dyn Fn(&[u64], bool) -> bool| {
        stats.is_some_and(|stats| test(&stats.fallback.levels_tried, notes("[no exact match")))
    };
    vec![
        ("answered", true),
        ("with a match", any_event(Event::is_match)),
        ("with context", any_event(|event| !event.is_match())),
        (
            "events in several files",
            events.windows(2).any(|pair| matches!(pair, [a, b] if path(a) != path(b))),
        ),
        ("truncated", answer.truncated),
        ("with errors", !answer.errors.is_empty()),
        (
            "path: a file",
            case.tree.iter().any(|entry| {
                matches!(entry.node, Node::File { .. })
                    && String::from_utf8_lossy(&entry.path).ends_with(&answer.path)
            }),
        ),
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
        ("fallback: cut", notes("[no exact match") && answer.truncated),
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
        outcome
            .as_ref()
            .is_err_and(|refusal| refusal.text("class") == class && test(refusal.text("field")))
    };
    let strings = |field: &str| request.get(field).and_then(Value::as_array).map_or(0, Vec::len);
    let given = |field: &str| request.get(field).and_then(Value::as_str);
    let answered = outcome.is_ok();
    let is_glob = |field: &str| matches!(field, "include_glob" | "exclude_glob" | "glob");
    let is_number = |field: &str| request.get(field).is_some_and(Value::is_number);
    let blank = given("pattern").is_some_and(|pattern| pattern.trim().is_empty());
    let bad_pattern = blames("BadArgs", &|field| field == "pattern");
    vec![
        ("refused: BadArgs", blames("BadArgs", &|_| true)),
        ("refused: SandboxViolation", blames("SandboxViolation", &|_| true)),
        ("refused: ExecutionFailed", blames("ExecutionFailed", &|_| true)),
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
