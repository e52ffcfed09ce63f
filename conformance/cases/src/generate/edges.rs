//! Cases at the edges of the specification's tables: beside each limit, of each shape of
//! definitions, each place that counts less, each form of secrets and each everyday word.
//!
//! Responsible for: that a value of these tables that changes changes an answer. Not here: texts
//! that a pattern matches (`examples`); what production says of the cases (a test of the gate).
//! Invariants: the cases follow from the tables, the same on every machine; a row that is added has
//! its cases.

mod limits;
mod refusals;
mod replies;
mod secrets;
mod shapes;
mod trees;

use serde_json::json;
use touchstone_model::generated::agent::AGENT;
use touchstone_model::generated::keyword::KEYWORD;

use crate::case::{Case, Entry, KEYWORD_TOOL};

/// What is looked for where definitions are.
const NAME: &str = "wantedName";

pub fn edges() -> Vec<Case> {
    let families = AGENT.definitions.families.iter().enumerate();
    let families = families.flat_map(|(number, family)| shapes::of_family(number + 1, family));
    let cases = families
        .chain(secrets::secrets())
        .chain(replies::replies())
        .chain([
            places(NAME),
            places(&format!("{NAME} min")),
            figures(),
            headers(),
            everyday(),
            best_line(),
        ])
        .chain(limits::limits())
        .chain(refusals::refusals())
        .chain(trees::defaults())
        .chain(trees::caps())
        .chain([trees::escapes(), trees::links(), trees::ignore_files()])
        .chain([trees::long_lines(), trees::unreadable(), trees::timed(), replies::long_secret()]);
    // Whether a deadline of milliseconds strikes is the machine's affair.
    let mut cases: Vec<Case> = cases.collect();
    for case in &mut cases {
        let limit = case.request.get("timeout_ms").and_then(serde_json::Value::as_u64);
        case.config.deadline_may_strike |= limit.is_some_and(|limit| limit < 10_000);
    }
    cases
}

fn wanted(id: String, title: &str) -> Case {
    Case::of(id, title, "search_text", json!({"query": NAME, "max_results": 200}))
}

/// A term of the query that is a word of a place takes back what that word says, and no ending.
fn places(query: &str) -> Case {
    let title = "files that count less for where they stand";
    let mut case = wanted(format!("places-of-{}", query.replace(' ', "-").to_lowercase()), title);
    if let Some(request) = case.request.as_object_mut() {
        request.insert("query".to_owned(), json!(query));
    }
    let text = format!("pub fn {NAME}() {{ min\n");
    for place in AGENT.definitions.places {
        for word in place.words {
            case = case.with(Entry::file(format!("{word}/f.rs"), text.as_str()));
        }
        for (number, ending) in place.endings.iter().enumerate() {
            case = case.with(Entry::file(format!("p{number}.{ending}"), text.as_str()));
        }
    }
    case
}

/// Blocks, enclosing lines and long lines at their limits and one beside them.
fn figures() -> Case {
    let definitions = &AGENT.definitions;
    let mut case = wanted("figures".to_owned(), "definitions at the limits of what is looked at");
    let around = |limit: u64| (limit.saturating_sub(1)..=limit + 1).enumerate();
    let times = |what: &str, count: u64| what.repeat(usize::try_from(count).unwrap_or_default());
    for (number, lines) in around(definitions.body_lines) {
        let text = format!("int {NAME}(void)\n{}{{\n", times("x\n", lines - 1));
        case = case.with(Entry::file(format!("body{number}.c"), text));
    }
    for (number, lines) in around(definitions.enclosing_lines) {
        let text = format!("enum Foo {{\n{}    {NAME},\n", times("    x,\n", lines - 1));
        case = case.with(Entry::file(format!("inside{number}.rs"), text));
        let (far, near) =
            (times("\tx;\n", lines / 2 - 1), times("\t\tx;\n", lines - lines / 2 - 1));
        let text = format!("int f(void) {{\n{far}\tif (x) {{\n{near}\t\t{NAME} + 1;\n");
        case = case.with(Entry::file(format!("around{number}.c"), text));
    }
    for (number, bytes) in around(definitions.line_bytes) {
        let line = format!("pub fn {NAME}() {{");
        let text = format!("{line}{}\n", times(" ", bytes - line.len() as u64));
        case = case.with(Entry::file(format!("long{number}.rs"), text));
    }
    case
}

/// Lines in blocks of which some are of definitions, of each level.
fn headers() -> Case {
    let request = json!({"query": NAME, "context_lines": 1});
    let mut case =
        Case::of("headers", "the header of the definition is shown", "search_text", request);
    for (at, above) in [
        "static int f(void)\n{\n\tx;\n\tfor (;;) {\n\t\tx;\n",
        "struct f {\n\tx;\n\tx;\n",
        "if (x) {\n\tx;\n\tx;\n",
        "struct f {\n",
        "struct f {\n\tx;\n",
    ]
    .into_iter()
    .enumerate()
    {
        case = case.with(Entry::file(format!("f{at}.c"), format!("{above}\t\t{NAME} + 1;\n")));
    }
    let python = "class F:\n    x\n    def f(self):\n        x\n        if x:\n            x\n";
    let rust = "impl F {\n    fn f() {\n        let x = {\n            x\n            x\n";
    let script = "export function f() {\n  const g = () => {\n    x;\n    x;\n";
    for (path, above) in [("f.py", python), ("f.rs", rust), ("f.js", script)] {
        case = case.with(Entry::file(path, format!("{above}                {NAME}\n")));
    }
    case
}

/// One line with more terms, and one before it with more units.
fn best_line() -> Case {
    let request = json!({"query": "alpha beta gamma", "context_lines": 0});
    let title = "the line with most terms is shown, before one whose terms count more";
    Case::of("best-line", title, "search_text", request)
        .with(Entry::file("f", "alpha beta\nalpha_x beta_x gamma_x\n"))
}

/// A query of all words that are no terms.
fn everyday() -> Case {
    let query = KEYWORD.everyday.join(" ") + " needle";
    let request = json!({"query": query, "use_model": false});
    let case = Case::of("everyday", "everyday words are no terms", KEYWORD_TOOL, request);
    let text = KEYWORD.everyday.iter().map(|word| format!("{word}~\n"));
    case.with(Entry::file("f", text.collect::<String>() + "needle\n"))
}
