//! Hand-picked questions with their whole answers, as text that a person can read against docs/search.md.
//!
//! Every case of golden/search is asked of the service over each backend. The embedded matcher's answer has to be one
//! that the model allows and is kept as a snapshot beside the case; the other backends have to give the same one.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test that fails says so by panicking")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use insta::Settings;
use serde_json::Value;
use touchstone::case::{Case, escape};
use touchstone::compare::{Comparison, between, compare, render};
use touchstone::golden;
use touchstone::provision::required_backends;
use touchstone::runner::{Runner, RunnerOptions};
use touchstone::subject::{Backend, Observation, SubjectSpec};
use touchstone_model::search;
use touchstone_spec::Spec;

const WORKER: &str = env!("CARGO_BIN_EXE_touchstone");

/// The fields of a response, in the order they are shown; `content` follows as a block.
const FIELDS: [&str; 7] = ["pattern", "path", "count", "truncated", "timed_out", "files_scanned", "errors"];

fn cases() -> Vec<Case> {
    let cases = golden::cases(&golden::directory("search")).unwrap_or_else(|error| panic!("{error}"));
    cases.into_iter().map(|(_, case)| case).collect()
}

fn expect_none(offences: &[String]) {
    assert!(offences.is_empty(), "{} offences:\n{}", offences.len(), offences.join("\n"));
}

/// The case and its answer.
fn shown(case: &Case, observation: &Observation) -> String {
    let mut text = case.to_yaml();
    // Writing to a string cannot fail.
    let _ = match observation {
        Ok(response) => write_response(&mut text, response),
        Err(error) => writeln!(text, "\nrefused: {}", json(error)),
    };
    text
}

fn write_response(text: &mut String, response: &Value) -> std::fmt::Result {
    let field = |name: &str| response.get(name).unwrap_or_else(|| panic!("no `{name}` in {response}"));
    writeln!(text, "\nanswer:")?;
    for name in FIELDS {
        writeln!(text, "  {name}: {}", json(field(name)))?;
    }
    let known: BTreeSet<&str> = FIELDS.into_iter().chain(["matches", "content", "stats"]).collect();
    for (name, value) in response.as_object().unwrap() {
        assert!(known.contains(name.as_str()), "`{name}`: {value} is in no document");
    }
    if let Some(stats) = response.get("stats").and_then(Value::as_object) {
        writeln!(text, "  stats:")?;
        for (name, value) in stats {
            writeln!(text, "    {name}: {}", json(value))?;
        }
    }
    writeln!(text, "  matches:")?;
    for event in field("matches").as_array().unwrap() {
        writeln!(text, "    {}", json(event))?;
    }
    writeln!(text, "  content:")?;
    let content = field("content").as_str().unwrap();
    let Some(lines) = content.strip_suffix('\n').map(|lines| lines.split('\n')) else {
        assert!(content.is_empty(), "content does not end a line: {content:?}");
        return Ok(());
    };
    lines.into_iter().try_for_each(|line| writeln!(text, "    |{}", visible(line)))
}

/// A value on one line, in which nothing is hidden and nothing fuses.
fn json(value: &Value) -> String {
    visible(&value.to_string())
}

/// Characters that could not be told from others, or not be seen, as JSON writes them. Tabs stay.
fn visible(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        let one = character.to_string();
        if character == '\t' || character == '\\' || escape(one.as_bytes()) == one {
            shown.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        }
    }
    shown
}

fn settings() -> Settings {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(golden::directory("search"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

/// What is wrong with the answers to one case.
fn offences(runner: &Runner, settings: &Settings, case: &Case) -> Vec<String> {
    let ask = |backend: Backend| {
        let subject = SubjectSpec::forge(backend);
        runner.run(case, &subject).map_err(|broken| format!("{} on {subject}: {broken}", case.id))
    };
    let native = match ask(Backend::Native) {
        Ok(native) => native,
        Err(broken) => return vec![broken],
    };
    let mut offences = Vec::new();
    let allowed = search(&case.world(), &case.model_config(), &case.tool, &case.request);
    if let Comparison::Differs(differences) = compare(&allowed, &case.request, native.as_ref()) {
        offences.push(format!("{} is not what the model says:\n{}", case.id, render(&differences)));
    }
    for backend in [Backend::Ripgrep, Backend::Ugrep] {
        match ask(backend) {
            Err(broken) => offences.push(broken),
            Ok(other) => {
                let differences = between(native.as_ref(), other.as_ref());
                if !differences.is_empty() {
                    offences.push(format!("{} over {backend:?}:\n{}", case.id, render(&differences)));
                }
            }
        }
    }
    let text = shown(case, &native);
    let kept = catch_unwind(AssertUnwindSafe(|| {
        settings.bind(|| insta::assert_snapshot!(case.id.as_str(), text));
    }));
    if kept.is_err() {
        offences.push(format!("{} is not what its snapshot says", case.id));
    }
    offences
}

#[test]
fn every_answer_is_the_one_that_was_read_and_kept() {
    touchstone::verifies!(
        "FR-LS-02b",
        "FR-LS-VAL-06",
        "FR-LS-VAL-09",
        "FR-LS-VAL-10",
        "FR-LS-VAL-11",
        "FR-LS-SRC-02",
        "FR-LS-SRC-03",
        "FR-LS-SRC-05",
        "FR-LS-SRC-06",
        "FR-LS-SRC-06.hidden",
        "FR-LS-SRC-06.no_ignore",
        "FR-LS-SRC-07",
        "FR-LS-SRC-08",
        "FR-LS-SRC-10",
        "FR-LS-ORD-02",
        "FR-LS-06b",
        "FR-LS-04c",
        "FR-LS-05c.view",
        "FR-LS-ERR-05",
        "FR-LS-ERR-06",
        "T-LS-TRUNC-01",
        "T-LS-TRUNC-02",
        "T-LS-EXCL-01",
        "T-LS-INCL-01",
        "T-LS-REC-01",
        "IT-LS-E2E-01",
        "IT-LS-FZ-01",
        "IT-LS-CTX-01",
        "FR-LS-05d",
        "FR-LSI-FUZ-01",
        "FR-LSI-FUZ-02",
        "FR-LSI-FUZ-03",
        "FR-LSI-FUZ-TH-01",
        "FR-LSI-FUZ-TH-02",
        "FR-LSI-FUZ-G-01",
        "FR-LSI-FUZ-G-01.report",
        "FR-LSI-FUZ-G-04",
        "T-LSI-FUZ-01",
        "T-LSI-FUZ-02",
        "T-LSI-FUZ-04"
    );
    let backends = required_backends().unwrap_or_else(|error| panic!("{error}"));
    let options = RunnerOptions { worker: Some(WORKER.into()), backends, ..RunnerOptions::default() };
    let (runner, settings) = (Runner::new(options).unwrap(), settings());
    let cases = cases();
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    let found: Vec<String> = cases.iter().flat_map(|case| offences(&runner, &settings, case)).collect();
    expect_none(&found);
}

#[test]
fn every_snapshot_has_its_case_and_every_case_its_snapshot() {
    let mut names: BTreeSet<(String, String)> = BTreeSet::new();
    for entry in std::fs::read_dir(golden::directory("search")).unwrap() {
        let path = entry.unwrap().path();
        let part = |part: Option<&std::ffi::OsStr>| {
            part.and_then(|part| part.to_str()).unwrap_or_default().to_owned()
        };
        names.insert((part(path.file_stem()), part(path.extension())));
    }
    let mut offences = Vec::new();
    for (stem, extension) in &names {
        let (partner, is_known) = match extension.as_str() {
            "snap" => ("yaml", true),
            "yaml" => ("snap", true),
            _ => ("", false),
        };
        if !is_known {
            offences.push(format!("{stem}.{extension} is neither a case nor its snapshot"));
        } else if !names.contains(&(stem.clone(), partner.to_owned())) {
            offences.push(format!("{stem}.{extension} has no {stem}.{partner}"));
        }
    }
    expect_none(&offences);
}

#[test]
fn every_case_cites_what_exists() {
    let spec = Spec::load(&golden::workspace().join("spec")).unwrap_or_else(|error| panic!("{error}"));
    let requirements = spec.documents.iter().flat_map(|document| &document.requirements);
    let errata = spec.errata.errata.iter().map(|erratum| erratum.id.value.as_str());
    let known: BTreeSet<&str> = requirements.map(|one| one.id.value.as_str()).chain(errata).collect();
    let mut offences = Vec::new();
    for case in cases() {
        if case.clauses.is_empty() {
            offences.push(format!("{} cites nothing", case.id));
        }
        let unknown = case.clauses.iter().filter(|clause| !known.contains(clause.as_str()));
        offences.extend(unknown.map(|clause| format!("{} cites `{clause}`", case.id)));
    }
    expect_none(&offences);
}
