//! The counterexamples of the errata: what was chosen holds, and what was not chosen is really
//! another answer.
//!
//! A case with an `as_written` block shows a program that takes the documents at their word. It has
//! to show what the block says, and that has to be another answer than the model's; otherwise the
//! erratum rests on nothing.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use touchstone::as_written::{AsWritten, ExpectedOutput, matched_lines};
use touchstone::case::{Case, escape};
use touchstone::compare::{Comparison, render};
use touchstone::expected::Expected;
use touchstone::golden;
use touchstone::provision::required_backends;
use touchstone::runner::{Runner, RunnerOptions};
use touchstone::subject::{Backend, Observation, SubjectSpec};
use touchstone_spec::{Severity, Spec, lint_cases};

const WORKER: &str = env!("CARGO_BIN_EXE_touchstone");

fn runner() -> Runner {
    let backends = required_backends().unwrap_or_else(|error| panic!("{error}"));
    Runner::new(RunnerOptions { worker: Some(WORKER.into()), backends, ..RunnerOptions::default() })
        .unwrap()
}

fn spec() -> Spec {
    Spec::load(&golden::workspace().join("spec")).unwrap_or_else(|error| panic!("{error}"))
}

/// Every case, by the name of its file.
fn cases() -> BTreeMap<String, Case> {
    let cases =
        golden::cases(&golden::directory("errata")).unwrap_or_else(|error| panic!("{error}"));
    assert!(!cases.is_empty());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    cases.into_iter().map(|(path, case)| (name(&path), case)).collect()
}

fn expected(case: &Case) -> Expected {
    Expected::of(case).unwrap_or_else(|error| panic!("{}: {error}", case.id))
}

/// What the model answers, as JSON.
fn chosen(case: &Case) -> Value {
    expected(case).shown().swap_remove(0)
}

fn expect_none(offences: &[String]) {
    assert!(offences.is_empty(), "{} offences:\n{}", offences.len(), offences.join("\n"));
}

/// The cases whose answer from `backend` is none that the model allows.
fn divergences(backend: Backend) -> Vec<String> {
    let (runner, subject) = (runner(), SubjectSpec::forge(backend));
    let diverges = |(name, case): (String, Case)| {
        let observation: Observation =
            runner.run(&case, &subject).unwrap_or_else(|broken| panic!("{name}: {broken}"));
        match expected(&case).compare(&case, backend, observation.as_ref()) {
            Comparison::Canonical | Comparison::Permitted => None,
            Comparison::Differs(differences) => {
                Some(format!("{name} on {subject}:\n{}", render(&differences)))
            }
        }
    };
    cases().into_iter().filter_map(diverges).collect()
}

/// Whether what it shows is another answer than the model's. A status means what the
/// documents' table of exit codes says: 0 that something was found, 1 that nothing was, and
/// anything else that the call failed.
fn differs(as_written: &AsWritten, chosen: &Value) -> bool {
    let lines = matched_lines(chosen);
    let is_refused = chosen.get("error").is_some();
    match &as_written.shows {
        ExpectedOutput::Lines(shown) => {
            let mut shown = shown.clone();
            shown.sort_unstable();
            shown != lines
        }
        ExpectedOutput::Exit { exit: 0 } => is_refused || lines.is_empty(),
        ExpectedOutput::Exit { exit: 1 } => is_refused || !lines.is_empty(),
        ExpectedOutput::Exit { .. } => !is_refused,
        ExpectedOutput::Output { stdout_has } => {
            let content = chosen.get("content").and_then(Value::as_str).unwrap_or_default();
            let told = chosen.get("data").and_then(Value::as_str).unwrap_or_default();
            let mut shown = vec![escape(content.as_bytes()), escape(told.as_bytes())];
            shown.extend(matched_texts(chosen));
            !shown.iter().any(|text| text.contains(stdout_has))
        }
    }
}

/// `path:line:` and the text that matched, as backends print it when asked for matches only.
fn matched_texts(chosen: &Value) -> Vec<String> {
    let events = chosen.get("matches").and_then(Value::as_array).into_iter().flatten();
    let texts = events.filter_map(|event| {
        let path = event.pointer("/data/path/text")?.as_str()?;
        let line = event.pointer("/data/line_number")?;
        let matched = event.pointer("/data/match_text")?.as_str()?;
        Some(escape(format!("{path}:{line}:{matched}").as_bytes()))
    });
    texts.collect()
}

#[test]
fn the_chosen_answers_equal_those_of_the_embedded_matcher() {
    touchstone::verifies!(
        "FR-LS-SRC-04",
        "FR-LS-SRC-04.insensitive",
        "FR-LS-SRC-04.smart",
        "FR-LS-VAL-05",
        "FR-LS-VAL-10",
        "FR-LS-VAL-11",
        "FR-LS-SRC-05",
        "FR-LS-SRC-06",
        "FR-LS-SRC-07",
        "FR-LS-SRC-09",
        "FR-LS-SRC-10",
        "FR-LS-05e",
        "FR-LS-ERR-06",
        "T-LS-CASE-01",
        "T-LS-COL-01",
        "T-LS-MF-01",
        "T-LS-MPF-01",
        "T-LS-MTXT-01",
        "T-LS-SIZE-01",
        "CFGKEY-LS-enabled",
        "T-LSI-PATH-01",
        "FR-LSI-BE-UG-03"
    );
    expect_none(&divergences(Backend::Native));
}

#[test]
fn the_chosen_answers_equal_those_of_the_service_over_ripgrep() {
    touchstone::verifies!(
        "FR-LS-EXE-03",
        "FR-LS-ERR-03",
        "FR-LS-ERR-05",
        "T-LS-ERR-01",
        "T-LSI-PATH-01",
        "FR-LSI-BE-UG-03"
    );
    expect_none(&divergences(Backend::Ripgrep));
}

#[test]
fn the_chosen_answers_equal_those_of_the_service_over_ugrep() {
    touchstone::verifies!(
        "FR-LS-EXE-03",
        "FR-LS-ERR-03",
        "FR-LS-ERR-05",
        "T-LS-ERR-01",
        "T-LSI-PATH-01",
        "FR-LSI-BE-UG-03"
    );
    expect_none(&divergences(Backend::Ugrep));
}

#[test]
fn every_reference_output_is_reproduced_and_differs_from_the_model() {
    let runner = runner();
    let mut offences = Vec::new();
    for (name, case) in cases() {
        let Some(as_written) = &case.as_written else { continue };
        let reading =
            runner.run_as_written(&case).unwrap_or_else(|broken| panic!("{name}: {broken}"));
        if let Err(other) = as_written.holds(&reading) {
            offences.push(format!("{name}: {other}"));
        }
        let chosen = chosen(&case);
        if !differs(as_written, &chosen) {
            offences.push(format!("{name}: the answer as written is the model's, {chosen}"));
        }
    }
    expect_none(&offences);
}

#[test]
fn the_reference_output_of_a_lost_match_fails_for_a_match_and_not_for_a_file() {
    let runner = runner();
    for (name, case) in cases() {
        let Some(AsWritten { shows: ExpectedOutput::Exit { exit: 1 }, .. }) = &case.as_written
        else {
            continue;
        };
        let reading = runner.run_as_written(&case).unwrap();
        let unreadable = case
            .world()
            .entries
            .values()
            .any(|node| matches!(node, touchstone_model::Node::File { readable: false, .. }));
        assert!(unreadable || reading.stderr.is_empty(), "{name}: {}", reading.stderr);
    }
}

#[test]
fn every_severe_erratum_with_a_case_has_a_reference_output() {
    let (spec, cases) = (spec(), cases());
    let mut offences = Vec::new();
    let mut seen = 0;
    for erratum in spec.errata.errata.iter().filter(|erratum| erratum.severity == Severity::S1) {
        let Some(name) = &erratum.case else { continue };
        seen += 1;
        match cases.get(&name.value) {
            None => offences.push(format!("{}: no case `{}`", erratum.id.value, name.value)),
            Some(case) if case.as_written.is_none() => {
                offences.push(format!(
                    "{}: `{}` has no `as_written` block",
                    erratum.id.value, name.value
                ));
            }
            Some(_) => {}
        }
    }
    assert!(seen > 10, "only {seen} errata of severity S1 have a case");
    expect_none(&offences);
}

#[test]
fn every_case_belongs_to_its_erratum_and_cites_existing_ids() {
    let (spec, cases) = (spec(), cases());
    let mut offences: Vec<String> =
        lint_cases(&spec, &golden::directory("errata")).iter().map(ToString::to_string).collect();
    let errata: BTreeMap<&str, Option<&str>> = spec
        .errata
        .errata
        .iter()
        .map(|one| (one.id.value.as_str(), one.case.as_ref().map(|case| case.value.as_str())))
        .collect();
    let known: Vec<&str> = spec
        .documents
        .iter()
        .flat_map(|document| &document.requirements)
        .map(|requirement| requirement.id.value.as_str())
        .collect();
    for (name, case) in &cases {
        let own = name.trim_end_matches(".yaml");
        if errata.get(own) != Some(&Some(name.as_str()))
            || !case.clauses.iter().any(|clause| clause == own)
        {
            offences.push(format!("{name} is not the case of an erratum that it cites"));
        }
        let unknown = |clause: &&String| {
            !known.contains(&clause.as_str()) && !errata.contains_key(clause.as_str())
        };
        offences.extend(
            case.clauses.iter().filter(unknown).map(|clause| format!("{name} cites `{clause}`")),
        );
    }
    expect_none(&offences);
}

/// The names of tests in a sentence: `clauses_x, name_of_a_test`, and further names after it.
fn named(sentence: &str) -> Vec<String> {
    if !sentence.contains("clauses_") {
        return Vec::new();
    }
    let words =
        sentence.split(|character: char| !(character.is_ascii_alphanumeric() || character == '_'));
    let tests = words.filter(|word| word.matches('_').count() > 3 && !word.starts_with("clauses_"));
    tests.map(str::to_owned).collect()
}

#[test]
fn every_test_named_by_an_erratum_exists() {
    let mut sources = String::new();
    let mut open = vec![golden::workspace().join("conformance/tests")];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                sources.push_str(&std::fs::read_to_string(path).unwrap_or_default());
            }
        }
    }
    let (mut offences, mut seen) = (Vec::new(), 0);
    for erratum in &spec().errata.errata {
        for test in named(erratum.no_case.as_deref().unwrap_or_default()) {
            seen += 1;
            if !sources.contains(&format!("fn {test}(")) {
                offences.push(format!("{} names `{test}`, which is no test", erratum.id.value));
            }
        }
    }
    assert!(seen > 30, "only {seen} tests are named");
    expect_none(&offences);
}
