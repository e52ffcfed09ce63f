//! Requests with something wrong, one thing alone and two at a time: what is refused depends on the
//! order of fields and checks.

use serde_json::{Value, json};
use touchstone_model::generated::search::SEARCH;

use super::limits::{ASKED, fields, long, valid};
use crate::case::{Case, Entry, FILES_TOOL, Keys};

/// A value of each JSON type, and lists of the wrong ones.
const VALUES: [&str; 7] = ["null", "true", "7", "1.5", r#""foo""#, r#"["foo"]"#, "[7]"];

pub(super) fn refusals() -> Vec<Case> {
    let of_tools = ASKED.iter().flat_map(|(tool, of_agent)| {
        let names = fields(tool, *of_agent);
        let types = of_types(tool, &names);
        types.into_iter().chain(of_neighbours(tool, &names)).map(|request| (*tool, request))
    });
    let requests = of_tools.map(|(tool, request)| Case::of("", "a wrong request", tool, request));
    let of_aliases = SEARCH
        .aliases
        .iter()
        .map(|alias| Case::of("", "another name of the tool", alias, json!({"pattern": "foo"})));
    let checks = of_checks("Search", &CHECKS).into_iter().chain(of_checks(FILES_TOOL, &OF_FILES));
    let all = requests.chain(of_aliases).chain(checks).enumerate();
    let numbered = all.map(|(number, case)| Case { id: format!("refusal-{number}"), ..case });
    numbered.map(|case| case.with(Entry::file("f.rs", "needle\nfoo\nFoo\n"))).collect()
}

/// Each field with each value.
fn of_types(tool: &str, names: &[(&'static str, bool)]) -> Vec<Value> {
    let values = VALUES.iter().filter_map(|text| serde_json::from_str::<Value>(text).ok());
    let values: Vec<Value> = values.collect();
    let asked = names.iter().flat_map(|(name, _)| values.iter().map(move |value| (*name, value)));
    asked.map(|(name, value)| valid(tool, &[(name, value.clone())])).collect()
}

/// Each two fields that follow each other, both wrong; each required field absent, and the next one
/// wrong.
fn of_neighbours(tool: &str, names: &[(&'static str, bool)]) -> Vec<Value> {
    let mut all = Vec::new();
    for pair in names.windows(2) {
        let &[(first, required), (second, _)] = pair else { continue };
        all.push(valid(tool, &[(first, Value::Null), (second, Value::Null)]));
        if required {
            let mut request = valid(tool, &[(second, Value::Null)]);
            request.as_object_mut().map(|request| request.remove(first));
            all.push(request);
        }
    }
    all
}

/// What violates one check.
#[derive(Clone, Copy)]
enum Violation {
    /// The name of no tool.
    Tool,
    Disabled,
    /// A request that is no object.
    NoObject,
    /// A field with this JSON.
    Field(&'static str, &'static str),
    /// Two of them.
    Fields([(&'static str, &'static str); 2]),
    /// A field that is one byte too long.
    Long(&'static str),
    /// A fuzzy query with one character too many.
    LongFuzzy,
    NoBackend,
    /// No room for the shortest answer.
    NoRoom,
}

/// What violates the checks of `Search`, in their order.
const CHECKS: [Violation; 13] = [
    Violation::Tool,
    Violation::Disabled,
    Violation::NoObject,
    Violation::Field("bogus", "1"),
    Violation::Field("context", "1001"),
    Violation::Field("pattern", r#""""#),
    Violation::Field("path", r#""""#),
    Violation::Long("exclude_glob"),
    Violation::Field("fuzzy", "1"),
    Violation::Field("pattern", r#""(""#),
    Violation::Field("path", r#""../..""#),
    Violation::Field("path", r#""missing""#),
    Violation::NoBackend,
];

/// What violates those of `search_files`, in their order; its name is the caller's.
const OF_FILES: [Violation; 13] = [
    Violation::NoObject,
    Violation::Field("bogus", "1"),
    Violation::Field("context_lines", "1001"),
    Violation::Field("path", r#""""#),
    Violation::Field("query", r#""""#),
    Violation::Fields([("recursive", "false"), ("max_depth", "2")]),
    Violation::Long("exclude_globs"),
    Violation::LongFuzzy,
    Violation::Fields([("mode", r#""regex""#), ("query", r#""(""#)]),
    Violation::Field("path", r#""../..""#),
    Violation::Field("path", r#""missing""#),
    Violation::NoBackend,
    Violation::NoRoom,
];

/// Each check violated alone, and with each later one. Of two that need other values of one field
/// the earlier one is violated.
fn of_checks(tool: &str, violations: &[Violation]) -> Vec<Case> {
    let mut all = Vec::new();
    for (number, first) in violations.iter().enumerate() {
        let base = Case::of("", "a call that violates a check, or two", tool, valid(tool, &[]));
        all.push(violated(base.clone(), *first));
        for second in violations.iter().skip(number + 1) {
            all.push(violated(violated(base.clone(), *second), *first));
        }
    }
    all
}

fn violated(mut case: Case, violation: Violation) -> Case {
    let mut set = |name: &str, value: Value| {
        if let Some(request) = case.request.as_object_mut() {
            request.insert(name.to_owned(), value);
        }
    };
    let parsed = |json: &str| serde_json::from_str(json).unwrap_or(Value::Null);
    match violation {
        Violation::Tool => "Finder".clone_into(&mut case.tool),
        Violation::Disabled => case.config.enabled = Some(false),
        Violation::NoObject => case.request = json!([]),
        Violation::Field(name, json) => set(name, parsed(json)),
        Violation::Fields(all) => all.iter().for_each(|(name, json)| set(name, parsed(json))),
        Violation::Long(name) => set(name, json!([long(SEARCH.limits.glob_bytes + 1)])),
        Violation::LongFuzzy => {
            set("mode", json!("fuzzy"));
            let limits = &touchstone_model::generated::search_files::SEARCH_FILES.limits;
            set("query", json!(long(limits.fuzzy_query_scalars + 1)));
        }
        Violation::NoBackend => case.config.backend_available = Some(false),
        Violation::NoRoom => case.context.max_output_bytes = Some(1),
    }
    case
}

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
