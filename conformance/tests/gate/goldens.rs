//! Hand-picked questions with their whole answers, as text that a person can read against
//! docs/search.md, docs/search-files.md, docs/agent-tools.md and docs/keyword-search.md.
//!
//! Every case of golden/search, golden/search_files, golden/agent_tools and golden/keyword is asked
//! of the service over each backend, and has to get an answer that the model allows. The embedded
//! matcher's is kept as a snapshot beside the case; the other backends have to give the same one,
//! approximate matching of `search_files` apart, which they refuse.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use insta::Settings;
use touchstone::case::Case;
use touchstone::compare::{Comparison, between, render};
use touchstone::expected::Expected;
use touchstone::family::Family;
use touchstone::golden;
use touchstone::golden_form::shown;
use touchstone::provision::required_backends;
use touchstone::runner::{Runner, RunnerOptions};
use touchstone::subject::{Backend, Observation, SubjectSpec};
use touchstone_spec::Spec;

const WORKER: &str = env!("CARGO_BIN_EXE_touchstone");

/// Where the cases lie, by tool.
const DIRECTORIES: [&str; 4] = ["search", "search_files", "agent_tools", "keyword"];

fn cases(directory: &str) -> Vec<Case> {
    let cases =
        golden::cases(&golden::directory(directory)).unwrap_or_else(|error| panic!("{error}"));
    cases.into_iter().map(|(_, case)| case).collect()
}

fn expect_none(offences: &[String]) {
    assert!(offences.is_empty(), "{} offences:\n{}", offences.len(), offences.join("\n"));
}

fn settings(directory: &str) -> Settings {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(golden::directory(directory));
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
    let expected = Expected::of(case).unwrap_or_else(|error| panic!("{}: {error}", case.id));
    let unlike = |backend: Backend, observation: &Observation| {
        let Comparison::Differs(differences) =
            expected.compare(case, backend, observation.as_ref())
        else {
            return None;
        };
        Some(format!(
            "{} over {backend:?} is not what the model says:\n{}",
            case.id,
            render(&differences)
        ))
    };
    offences.extend(unlike(Backend::Native, &native));
    // No program is run for this tool, and each run has its tree elsewhere.
    let others = if case.family() == Family::Keyword {
        &[][..]
    } else {
        &[Backend::Ripgrep, Backend::Ugrep]
    };
    for backend in others.iter().copied() {
        match ask(backend) {
            Err(broken) => offences.push(broken),
            // What a process cannot do is refused, as the model says.
            Ok(other) if case.mode() == Some("fuzzy") => offences.extend(unlike(backend, &other)),
            Ok(other) => {
                let differences = between(native.as_ref(), other.as_ref());
                if !differences.is_empty() {
                    offences.push(format!(
                        "{} over {backend:?}:\n{}",
                        case.id,
                        render(&differences)
                    ));
                }
            }
        }
    }
    let text = match shown(case, &native) {
        Ok(text) => text,
        Err(error) => return vec![format!("{}: {error:#}", case.id)],
    };
    let kept = catch_unwind(AssertUnwindSafe(|| {
        settings.bind(|| insta::assert_snapshot!(case.id.as_str(), text));
    }));
    if kept.is_err() {
        offences.push(format!("{} is not what its snapshot says", case.id));
    }
    offences
}

#[test]
fn every_answer_of_search_equals_its_snapshot() {
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
    expect_kept("search", 60);
}

#[test]
fn every_answer_of_search_files_equals_its_snapshot() {
    touchstone::verifies!(
        "FR-SF-VAL-01",
        "FR-SF-VAL-02",
        "FR-SF-VAL-03",
        "FR-SF-VAL-04",
        "FR-SF-VAL-05",
        "FR-SF-VAL-06",
        "FR-SF-VAL-07",
        "FR-SF-VAL-08",
        "FR-SF-SRC-01",
        "FR-SF-SRC-02",
        "FR-SF-SRC-03",
        "FR-SF-SRC-04",
        "FR-SF-SRC-05",
        "FR-SF-SRC-06",
        "FR-SF-SRC-07",
        "FR-SF-SRC-08",
        "FR-SF-OUT-01",
        "FR-SF-OUT-03",
        "FR-SF-OUT-05",
        "FR-SF-ERR-01",
        "FR-SF-ERR-02",
        "FR-SF-ERR-03",
        "NFR-SF-REL-02",
        "NFR-SF-SEC-03",
        "NFR-SF-PORT-01",
        "OUTF-SF-path",
        "OUTF-SF-query",
        "OUTF-SF-mode",
        "OUTF-SF-case",
        "OUTF-SF-matches",
        "OUTF-SF-returned",
        "OUTF-SF-max_results",
        "OUTF-SF-truncated",
        "OUTF-SF-truncated_reason",
        "OUTF-SF-stats",
        "OUTF-SF-errors",
        "MATF-SF-path",
        "MATF-SF-line",
        "MATF-SF-column",
        "MATF-SF-match_text",
        "MATF-SF-line_text",
        "MATF-SF-before",
        "MATF-SF-after",
        "MATF-SF-score",
        "STATF-SF-files_scanned",
        "STATF-SF-files_matched",
        "STATF-SF-matches_total",
        "ERRF-SF-path",
        "ERRF-SF-error",
        "T-SF-01",
        "T-SF-02",
        "T-SF-03",
        "T-SF-04",
        "T-SF-05",
        "T-SF-06",
        "T-SF-07",
        "T-SF-08",
        "T-SF-09",
        "T-SF-10"
    );
    expect_kept("search_files", 45);
}

#[test]
fn every_answer_of_the_agent_tools_equals_its_snapshot() {
    touchstone::verifies!(
        "FR-015b-02",
        "FR-015b-03",
        "FR-015b-04",
        "FR-015b-05",
        "FR-015b-06",
        "FR-015b-10",
        "FR-015b-11",
        "FR-015b-14",
        "FR-015b-15",
        "FR-015b-16",
        "FR-015b-17",
        "FR-015b-18",
        "FR-015b-19",
        "FR-015b-20",
        "FR-015b-21",
        "FR-015b-23",
        "FR-015b-24",
        "FR-015b-25",
        "FR-015b-33",
        "FR-015b-34",
        "FR-015b-39",
        "SHAPE-015b-01",
        "SHAPE-015b-02",
        "SHAPE-015b-03",
        "SC-015b-01",
        "SC-015b-02",
        "SC-015b-03"
    );
    expect_kept("agent_tools", 50);
}

#[test]
fn every_answer_of_keyword_search_equals_its_snapshot() {
    touchstone::verifies!(
        "REQ-KWS-001",
        "REQ-KWS-001.1",
        "REQ-KWS-001.2",
        "REQ-KWS-001.3",
        "REQ-KWS-001.4",
        "REQ-KWS-001.5",
        "REQ-KWS-002",
        "REQ-KWS-002.1",
        "REQ-KWS-002.2",
        "REQ-KWS-002.3",
        "REQ-KWS-002.4",
        "REQ-KWS-002.5",
        "REQ-KWS-003",
        "REQ-KWS-003.3",
        "REQ-KWS-003.4",
        "REQ-KWS-004.1",
        "REQ-KWS-004.2",
        "REQ-KWS-005.5"
    );
    expect_kept("keyword", 25);
}

/// Asks every case of a directory.
fn expect_kept(directory: &str, least: usize) {
    let backends = required_backends().unwrap_or_else(|error| panic!("{error}"));
    let options =
        RunnerOptions { worker: Some(WORKER.into()), backends, ..RunnerOptions::default() };
    let (runner, settings) = (Runner::new(options).unwrap(), settings(directory));
    let cases = cases(directory);
    assert!(cases.len() >= least, "only {} cases", cases.len());
    let found: Vec<String> =
        cases.iter().flat_map(|case| offences(&runner, &settings, case)).collect();
    expect_none(&found);
}

#[test]
fn every_snapshot_has_its_case_and_every_case_its_snapshot() {
    let offences: Vec<String> = DIRECTORIES.into_iter().flat_map(without_partner).collect();
    expect_none(&offences);
}

/// The files of a directory that are neither a case nor a snapshot, or lack the other one.
fn without_partner(directory: &str) -> Vec<String> {
    let mut names: BTreeSet<(String, String)> = BTreeSet::new();
    for entry in std::fs::read_dir(golden::directory(directory)).unwrap() {
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
    offences
}

#[test]
fn every_case_cites_existing_ids() {
    let spec =
        Spec::load(&golden::workspace().join("spec")).unwrap_or_else(|error| panic!("{error}"));
    let requirements = spec.documents.iter().flat_map(|document| &document.requirements);
    let errata = spec.errata.errata.iter().map(|erratum| erratum.id.value.as_str());
    let known: BTreeSet<&str> =
        requirements.map(|one| one.id.value.as_str()).chain(errata).collect();
    let mut offences = Vec::new();
    for case in DIRECTORIES.into_iter().flat_map(cases) {
        if case.clauses.is_empty() {
            offences.push(format!("{} cites nothing", case.id));
        }
        let unknown = case.clauses.iter().filter(|clause| !known.contains(clause.as_str()));
        offences.extend(unknown.map(|clause| format!("{} cites `{clause}`", case.id)));
    }
    expect_none(&offences);
}
