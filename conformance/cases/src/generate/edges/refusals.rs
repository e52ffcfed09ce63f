//! Requests with something wrong, one thing alone and two at a time: what is refused depends on the
//! order of fields and checks.

use serde_json::{Value, json};
use touchstone_model::generated::search::SEARCH;
use touchstone_model::generated::search_files::SEARCH_FILES;

use super::limits::{ASKED, RequestField, fields, long, valid};
use crate::case::{Case, Entry, FILES_TOOL};

/// A value of each JSON type, and lists of the wrong ones.
const VALUES: [&str; 7] = ["null", "true", "7", "1.5", r#""foo""#, r#"["foo"]"#, "[7]"];

pub(super) fn refusals() -> Vec<Case> {
    let of_tools = ASKED.iter().flat_map(|(tool, of_agent)| {
        let fields = fields(tool, *of_agent);
        let types = of_types(tool, &fields);
        types.into_iter().chain(of_neighbours(tool, &fields)).map(|request| (*tool, request))
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
fn of_types(tool: &str, fields: &[RequestField]) -> Vec<Value> {
    let values = VALUES.iter().filter_map(|text| serde_json::from_str::<Value>(text).ok());
    let values: Vec<Value> = values.collect();
    let asked = fields.iter().flat_map(|field| values.iter().map(move |value| (field.name, value)));
    asked.map(|(name, value)| valid(tool, &[(name, value.clone())])).collect()
}

/// Each two fields that follow each other, both wrong; each required field absent, and the next one
/// wrong.
fn of_neighbours(tool: &str, fields: &[RequestField]) -> Vec<Value> {
    let mut all = Vec::new();
    for pair in fields.windows(2) {
        let [first, second] = pair else { continue };
        all.push(valid(tool, &[(first.name, Value::Null), (second.name, Value::Null)]));
        if first.required {
            let mut request = valid(tool, &[(second.name, Value::Null)]);
            request.as_object_mut().map(|request| request.remove(first.name));
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
            set("query", json!(long(SEARCH_FILES.limits.fuzzy_query_scalars + 1)));
        }
        Violation::NoBackend => case.config.backend_available = Some(false),
        Violation::NoRoom => case.context.max_output_bytes = Some(1),
    }
    case
}
