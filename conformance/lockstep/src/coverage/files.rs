//! Which traps the drawn cases of `search_files` contain.
//!
//! Responsible for: finding them in the case and in the text that the model answers with. Not here:
//! traps of trees, which both tools share ([`super::tree_traps`]).

use serde_json::Value;
use touchstone_cases::case::{Case, Node};

use super::holds;
use crate::compare::{Outcome, Traps};

/// Messages of problems, with the trap that each is.
const PROBLEMS: [(&str, &str); 7] = [
    ("binary file", "files error: binary file"),
    ("larger than max_file_size_bytes", "files error: larger than max_file_size_bytes"),
    ("permission denied", "files error: permission denied"),
    ("symlink leaves the sandbox", "files error: symlink leaves the sandbox"),
    ("dangling symlink", "files error: dangling symlink"),
    ("symlink loop", "files error: symlink loop"),
    ("ignore file cannot be read", "files error: ignore file cannot be read"),
];

/// What makes an answer incomplete, with the trap that each is.
const SHORTFALLS: [(&str, &str); 7] = [
    ("max_results", "files cut by max_results"),
    ("max_output_bytes", "files cut by max_output_bytes"),
    ("max_files", "files cut by max_files"),
    ("max_matches_per_file", "files cut by max_matches_per_file"),
    ("max_file_size_bytes", "files cut by max_file_size_bytes"),
    ("max_depth", "files cut by max_depth"),
    ("errors", "files incomplete by errors"),
];

/// Fields that a refusal can name, with the trap that each is.
const REFUSALS: [(&str, &str); 9] = [
    ("request", "files refused: request"),
    ("path", "files refused: path"),
    ("query", "files refused: query"),
    ("mode", "files refused: mode"),
    ("max_depth", "files refused: max_depth"),
    ("max_results", "files refused: max_results"),
    ("include_globs", "files refused: include_globs"),
    ("exclude_globs", "files refused: exclude_globs"),
    ("max_output_bytes", "files refused: max_output_bytes"),
];

/// The fields of a request.
const FIELDS: [&str; 16] = [
    "path",
    "query",
    "mode",
    "case",
    "recursive",
    "max_depth",
    "max_results",
    "max_matches_per_file",
    "max_file_size_bytes",
    "max_files",
    "context_lines",
    "include_hidden",
    "follow_symlinks",
    "respect_gitignore",
    "include_globs",
    "exclude_globs",
];

/// The traps of one case, but for those of its answer.
pub(super) fn traps(case: &Case, outcome: &Outcome) -> Traps {
    let mut traps = request_traps(case);
    let Err(refusal) = outcome else { return traps };
    let (class, at) = (refusal.text("class"), refusal.text("field"));
    traps.push(("files refused: BadArgs", class == "BadArgs"));
    traps.push(("files refused: SandboxViolation", class == "SandboxViolation"));
    traps.push(("files refused: ExecutionFailed", class == "ExecutionFailed"));
    traps.extend(REFUSALS.iter().map(|(field, trap)| (*trap, at == *field)));
    let is_given = case.request.get(at).is_some();
    traps.push(("files refused: unknown field", !FIELDS.contains(&at) && is_given));
    let is_query = class == "BadArgs" && at == "query";
    traps.push(("files refused: expression", is_query && case.mode() == Some("regex")));
    traps
}

pub(crate) fn answer_traps(case: &Case, text: &str) -> Traps {
    let mut traps = parsed_traps(case, &serde_json::from_str(text).unwrap_or_default());
    let limits = [case.context.max_output_bytes, case.context.available_capacity_bytes];
    let is_exact = limits.into_iter().flatten().min() == Some(text.len() as u64);
    let is_cut = text.contains("\"truncated_reason\":\"max_output_bytes\"");
    traps.push(("files budget: just enough", is_exact && !is_cut));
    traps.push(("files budget: used up", is_exact && is_cut));
    traps
}

#[expect(clippy::too_many_lines, reason = "a table of traps")]
fn parsed_traps(case: &Case, answer: &Value) -> Traps {
    let items =
        |list: &str| answer.get(list).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let (matches, errors) = (items("matches"), items("errors"));
    let stats = answer.get("stats").unwrap_or(&Value::Null);
    let number = |name: &str| stats.get(name).and_then(Value::as_u64).unwrap_or(0);
    let because =
        stats.get("incomplete_because").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let place = |one: &Value| (one.get("path").cloned(), one.get("line").cloned());
    let any = |test: &dyn Fn(&Value) -> bool| matches.iter().any(test);
    let next_to_each_other = |test: &dyn Fn(&Value, &Value) -> bool| {
        matches.iter().zip(matches.iter().skip(1)).any(|(one, other)| test(one, other))
    };
    let text = |one: &Value, field: &str| {
        one.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let score = |one: &Value| one.get("score").and_then(Value::as_f64);
    let query = case.request.get("query").and_then(Value::as_str).unwrap_or_default();
    let is_link = |path: &str| {
        let base = path.rsplit('/').next().unwrap_or(path);
        case.tree.iter().any(|entry| {
            matches!(entry.node, Node::Link { .. }) && holds(&entry.path, base.as_bytes())
        })
    };
    let cut = |reason: &str| because.iter().any(|one| one == reason);
    let follows = case.request.get("follow_symlinks") == Some(&Value::Bool(true));
    let listed = |list: &str| {
        matches.iter().any(|one| {
            one.get(list).and_then(Value::as_array).is_some_and(|lines| !lines.is_empty())
        })
    };
    let limit = answer.get("max_results").and_then(Value::as_u64);
    let mut traps = vec![
        ("files answered", true),
        ("files with a match", !matches.is_empty()),
        (
            "files several matches on a line",
            next_to_each_other(&|one, other| place(one) == place(other)),
        ),
        (
            "files matches in several files",
            next_to_each_other(&|one, other| one.get("path") != other.get("path")),
        ),
        ("files empty match", any(&|one| text(one, "match_text").is_empty())),
        ("files match beyond ASCII", any(&|one| !text(one, "match_text").is_ascii())),
        ("files wide character before a match", any(&|one| wide_before(one))),
        ("files with context", listed("before") || listed("after")),
        ("files exact score", any(&|one| score(one) == Some(1.0))),
        ("files partial score", any(&|one| score(one).is_some_and(|score| score < 1.0))),
        ("files low score", any(&|one| score(one).is_some_and(|score| score < 0.5))),
        ("files score at the threshold", at_the_threshold(case, matches)),
        (
            "files long fuzzy query",
            !matches.is_empty() && case.mode() == Some("fuzzy") && query.chars().count() > 64,
        ),
        (
            "files window of another length",
            any(&|one| {
                score(one).is_some()
                    && text(one, "match_text").chars().count() != query.chars().count()
            }),
        ),
        ("files link to a file matched", follows && any(&|one| is_link(&text(one, "path")))),
        (
            "files path: absolute",
            answer.get("path").and_then(Value::as_str).is_some_and(|path| path.starts_with('{')),
        ),
        (
            "files path: error above the root",
            errors.iter().any(|one| text(one, "path").starts_with("..")),
        ),
        (
            "files binary not recorded",
            number("files_binary") > 0
                && !errors.iter().any(|one| text(one, "error") == "binary file"),
        ),
        (
            "files exactly max_results",
            limit == Some(matches.len() as u64) && !cut("max_results") && !cut("max_output_bytes"),
        ),
        ("files complete", stats.get("complete") == Some(&Value::Bool(true))),
        (
            "files budget: no match left",
            cut("max_output_bytes") && matches.is_empty() && number("matches_total") > 0,
        ),
        (
            "files budget: errors cut",
            cut("max_output_bytes") && (errors.len() as u64) < number("errors_total"),
        ),
        ("files budget: some matches left", cut("max_output_bytes") && !matches.is_empty()),
    ];
    traps.extend(PROBLEMS.iter().map(|(message, trap)| {
        (*trap, errors.iter().any(|one| one.get("error").is_some_and(|error| error == message)))
    }));
    traps.extend(SHORTFALLS.iter().map(|(reason, trap)| (*trap, cut(reason))));
    traps
}

/// Whether something wider than a byte stands before a match on its line.
fn wide_before(one: &Value) -> bool {
    let column =
        one.get("column").and_then(Value::as_u64).and_then(|column| usize::try_from(column).ok());
    let line = one.get("line_text").and_then(Value::as_str).unwrap_or_default();
    column
        .and_then(|column| line.get(..column.checked_sub(1)?))
        .is_some_and(|before| !before.is_ascii())
}

fn at_the_threshold(case: &Case, matches: &[Value]) -> bool {
    let threshold = case.config.search_files.number("fuzzy_threshold").unwrap_or(0.8);
    matches.iter().any(|one| {
        let score = one.get("score").and_then(Value::as_f64);
        score.is_some_and(|score| (score - threshold).abs() < 1e-12 && score < 1.0)
    })
}

fn request_traps(case: &Case) -> Traps {
    let request = &case.request;
    let is = |field: &str, value: Value| request.get(field) == Some(&value);
    let asks = |field: &str| request.get(field).is_some();
    let keys = &case.config.search_files;
    let late = case.tree.iter().any(|entry| match &entry.node {
        Node::File { contents, .. } => {
            let bytes = contents.bytes();
            let is_broken = bytes.contains(&0) || std::str::from_utf8(&bytes).is_err();
            let start = bytes.get(..8_192).unwrap_or_default();
            is_broken
                && !start.is_empty()
                && !start.contains(&0)
                && std::str::from_utf8(start).is_ok()
        }
        _ => false,
    });
    let mode = case.mode();
    vec![
        ("files mode: exact", mode.is_none_or(|mode| mode == "exact")),
        ("files mode: regex", mode == Some("regex")),
        ("files mode: fuzzy", mode == Some("fuzzy")),
        ("files mode: by configuration", !asks("mode") && mode.is_some()),
        ("files case: sensitive", is("case", "sensitive".into())),
        ("files case: insensitive", is("case", "insensitive".into())),
        ("files not recursive", is("recursive", false.into())),
        ("files max_depth", asks("max_depth")),
        ("files include_hidden", is("include_hidden", true.into())),
        ("files no gitignore", is("respect_gitignore", false.into())),
        ("files follow_symlinks", is("follow_symlinks", true.into())),
        ("files include_globs", asks("include_globs")),
        ("files exclude_globs", asks("exclude_globs")),
        ("files broken far behind the start", late),
        ("files config: threshold", keys.number("fuzzy_threshold").is_some()),
        ("files config: record_binary", keys.flag("record_binary") == Some(false)),
        ("files config: caps", keys.0.keys().any(|key| key.starts_with("max_"))),
        ("files config: deny", !case.config.deny.is_empty()),
        ("files config: global ignore", !case.config.global_ignore.is_empty()),
        ("files config: working directory", !case.config.working_dir.is_empty()),
        (
            "files config: preset documents",
            case.config.preset == touchstone_cases::case::CasePreset::Documents,
        ),
        ("files config: no backend", case.config.backend_available == Some(false)),
        ("files budget", case.context != touchstone_cases::case::CallContext::default()),
    ]
}
