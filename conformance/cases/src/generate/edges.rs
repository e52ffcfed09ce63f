//! Cases at the edges of the specification's tables: beside each limit, of each shape of
//! definitions, each place that counts less, each form of secrets and each everyday word.
//!
//! Responsible for: that a value of these tables that changes changes an answer. Not here: texts
//! that a pattern matches (`examples`); what production says of the cases (a test of the gate).
//! Invariants: the cases follow from the tables, the same on every machine; a row that is added has
//! its cases.

mod limits;
mod refusals;
mod trees;

use serde_json::json;
use touchstone_model::generated::agent::AGENT;
use touchstone_model::generated::keyword::KEYWORD;
use touchstone_model::tables::agent::{Family, Shape};
use touchstone_model::tables::keyword::SecretRow;

use super::examples::example;
use crate::case::{Case, Entry, KEYWORD_TOOL};
use crate::dice::Dice;
use crate::script::Script;

/// What is looked for where definitions are.
const NAME: &str = "wantedName";

/// How many texts are drawn of a pattern.
const DRAWN: u64 = 3;

pub fn edges() -> Vec<Case> {
    let families = AGENT.definitions.families.iter().enumerate();
    let families = families.flat_map(|(number, family)| of_family(number, family));
    let secrets = KEYWORD.secrets.iter().enumerate().map(|(number, row)| of_secret(number, row));
    let cases = families
        .chain(secrets)
        .chain([places(), figures(), everyday(), best_line()])
        .chain(limits::limits())
        .chain(refusals::refusals())
        .chain(trees::defaults())
        .chain([trees::escapes(), trees::links(), trees::ignore_files()]);
    // Whether a deadline of milliseconds strikes is the machine's affair.
    let mut cases: Vec<Case> = cases.collect();
    for case in &mut cases {
        let limit = case.request.get("timeout_ms").and_then(serde_json::Value::as_u64);
        case.config.deadline_may_strike = limit.is_some_and(|limit| limit < 10_000);
    }
    cases
}

fn wanted(id: String, title: &str) -> Case {
    Case::of(id, title, "search_text", json!({"query": NAME, "max_results": 200}))
}

/// The name of a file of a family.
fn file_of(family: &Family, number: u64) -> String {
    match family.endings.first() {
        Some(ending) => format!("f{number}.{ending}"),
        None => format!("d{number}/{}", family.names.first().copied().unwrap_or("f")),
    }
}

/// A line of a shape, with the line that encloses it.
fn defined(shape: &Shape, dice: &mut Dice) -> String {
    let above =
        shape.inside.map_or_else(String::new, |inside| format!("{}\n", example(inside, dice)));
    let body = if shape.body { " {" } else { "" };
    let (before, after) = (example(shape.before, dice), example(shape.after, dice));
    format!("{above}{before}{NAME}{after}{body}\n")
}

fn of_family(place: usize, family: &Family) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut dice = Dice::new(1, place as u64);
    for (number, shape) in family.shapes.iter().enumerate() {
        let title = "lines of one shape of definitions, and lines that are nearly of it";
        let mut case = wanted(format!("shape-{place}-{number}"), title);
        for drawn in 0..DRAWN {
            case = case.with(Entry::file(file_of(family, drawn), defined(shape, &mut dice)));
            let unless = example(shape.unless.unwrap_or_default(), &mut dice);
            let (before, after) =
                (example(shape.before, &mut dice), example(shape.after, &mut dice));
            // What the line may not begin with, without what encloses it, and without a block.
            for (kind, text) in [
                (10, format!("{unless} {before}{NAME}{after} {{\n")),
                (20, format!("{before}{NAME}{after};\n")),
                (30, format!("{before}{NAME}{after} {{\n")),
            ] {
                case = case.with(Entry::file(file_of(family, kind + drawn), text));
            }
        }
        cases.push(case);
    }
    let title = "one line in files of each ending and name of a family, and behind its comments";
    let mut case = wanted(format!("family-{place}"), title);
    let lines: Vec<String> = family.shapes.iter().map(|shape| defined(shape, &mut dice)).collect();
    let text = lines.concat();
    for (number, ending) in family.endings.iter().enumerate() {
        case = case.with(Entry::file(format!("e{number}.{ending}"), text.as_str()));
    }
    for name in family.names {
        case = case.with(Entry::file(*name, text.as_str()));
    }
    for (number, comment) in family.comments.iter().enumerate() {
        let commented: Vec<String> =
            lines.iter().map(|line| format!("{comment} {}\n", line.trim_end())).collect();
        let name = file_of(family, 100 + number as u64);
        case = case.with(Entry::file(name, commented.concat()));
    }
    cases.push(case);
    cases
}

fn places() -> Case {
    let mut case = wanted("places".to_owned(), "files that count less for where they stand");
    let text = format!("pub fn {NAME}() {{\n");
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
    }
    for (number, bytes) in around(definitions.line_bytes) {
        let line = format!("pub fn {NAME}() {{");
        let text = format!("{line}{}\n", times(" ", bytes - line.len() as u64));
        case = case.with(Entry::file(format!("long{number}.rs"), text));
    }
    case
}

/// One line with more terms, and one with more of one term.
fn best_line() -> Case {
    let request = json!({"query": "alpha beta", "context_lines": 0});
    let title = "the line with most terms is shown, before one that holds a term more often";
    Case::of("best-line", title, "search_text", request)
        .with(Entry::file("f", "alpha alpha alpha alpha\nxalphax xbetax\n"))
}

/// A pattern with the words that it names.
fn with_words(pattern: &str) -> String {
    let mut written = pattern.to_owned();
    for _ in 0..8 {
        for word in KEYWORD.words {
            written = written.replace(&format!("%{}%", word.name), word.pattern);
        }
    }
    written
}

/// What a model is sent of lines with a secret, and of lines that a secret of that form is none of.
fn of_secret(place: usize, row: &SecretRow) -> Case {
    let request = json!({"query": "needle", "search_terms": ["needle"]});
    let mut case =
        Case::of(format!("secret-{place}"), "lines of one form of secrets", KEYWORD_TOOL, request);
    case.model = Some(Script { says: "{\"files\": []}".to_owned(), fails: None });
    let mut dice = Dice::new(2, place as u64);
    let pattern = with_words(row.pattern);
    let matcher = regex_automata::meta::Regex::new(&pattern).ok();
    let mut lines = Vec::new();
    for _ in 0..DRAWN {
        let line = example(&pattern, &mut dice);
        // The value in other words, those that secrets are not.
        let value = matcher.as_ref().and_then(|matcher| {
            let mut captures = matcher.create_captures();
            matcher.captures(line.as_bytes(), &mut captures);
            let groups: Vec<_> = captures.iter().skip(1 + usize::from(row.named)).collect();
            groups
                .into_iter()
                .flatten()
                .next()
                .or_else(|| captures.get_match().map(|one| one.span()))
        });
        for harmless in row.unless {
            let pattern = KEYWORD.harmless.iter().find(|other| other.name == *harmless);
            let other = example(pattern.map_or("", |one| one.pattern), &mut dice);
            if let Some((before, after)) =
                value.and_then(|value| Some((line.get(..value.start)?, line.get(value.end..)?)))
            {
                lines.push(format!("{before}{other}{after}"));
            }
        }
        lines.push(line);
    }
    for (number, line) in lines.into_iter().enumerate() {
        let one = line.replace('\n', " ");
        case = case.with(Entry::file(format!("f{number}"), format!("needle\n{one}\n")));
    }
    case
}

/// A query of all words that are no terms.
fn everyday() -> Case {
    let query = KEYWORD.everyday.join(" ") + " needle";
    let request = json!({"query": query, "use_model": false});
    let case = Case::of("everyday", "everyday words are no terms", KEYWORD_TOOL, request);
    let text = KEYWORD.everyday.iter().map(|word| format!("{word}~\n"));
    case.with(Entry::file("f", text.collect::<String>() + "needle\n"))
}
