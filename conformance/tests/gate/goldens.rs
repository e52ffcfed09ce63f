//! Hand-picked questions with their whole answers, as text that a person can read against
//! docs/search.md, docs/search-files.md, docs/agent-tools.md and docs/keyword-search.md.
//!
//! Every case of golden/search, golden/search_files, golden/agent_tools and golden/keyword is asked
//! of the service over each backend, and has to get an answer that the model allows. The embedded
//! matcher's is kept as a snapshot beside the case; the other backends have to give the same one,
//! approximate matching of `search_files` apart, which they refuse.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use insta::Settings;
use serde_json::Value;
use touchstone::case::{Case, ROOT_MARK, escape};
use touchstone::compare::{Comparison, between, render, without_prose};
use touchstone::expected::Expected;
use touchstone::family::Family;
use touchstone::golden;
use touchstone::observation::{ALLOW_TRUNCATION, ASKED, DATA, ROOT, STRUCTURED, TEXT};
use touchstone::provision::required_backends;
use touchstone::raw::RawObject;
use touchstone::runner::{Runner, RunnerOptions};
use touchstone::subject::{Backend, Observation, SubjectSpec};
use touchstone_model::agent::FREE_TEXT;
use touchstone_spec::Spec;

const WORKER: &str = env!("CARGO_BIN_EXE_touchstone");

/// The fields of a response, in the order they are shown; `content` follows as a block.
const FIELDS: [&str; 7] =
    ["pattern", "path", "count", "truncated", "timed_out", "files_scanned", "errors"];

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

/// The case and its answer.
fn shown(case: &Case, observation: &Observation) -> String {
    let mut text = case.to_yaml();
    // Writing to a string cannot fail.
    let _ = match (case.family(), observation) {
        (Family::Files, Ok(answer)) => write_answer(&mut text, answer),
        (Family::Keyword, Ok(answer)) => write_keyword(&mut text, case, answer),
        (Family::Keyword, Err(error)) => {
            writeln!(text, "\nrefused: {}", json(&without_prose(&unplaced(error))))
        }
        (Family::Agent, Ok(answer)) => write_page(&mut text, answer),
        (Family::Agent, Err(error)) => writeln!(text, "\nrefused: {}", json(&without_prose(error))),
        (Family::Search, Ok(response)) => write_response(&mut text, response),
        (_, Err(error)) => writeln!(text, "\nrefused: {}", json(&without(error, ALLOW_TRUNCATION))),
    };
    text
}

/// A refusal without the parts that every call has, which the comparison with the model checks.
fn without(error: &Value, field: &str) -> Value {
    let mut error = error.clone();
    if let Some(fields) = error.as_object_mut() {
        fields.remove(field);
    }
    error
}

/// A refusal without the tree's path and the count of model calls (the comparison with the model
/// has seen it).
fn unplaced(error: &Value) -> Value {
    without(&without(error, ROOT), ASKED)
}

/// An answer of `keyword_search`, and the prompt of a language model; what is free is not kept, nor
/// where the tree was.
fn write_keyword(text: &mut String, case: &Case, answer: &Value) -> std::fmt::Result {
    let mut shown = answer.clone();
    let page = shown.get_mut(STRUCTURED).and_then(Value::as_object_mut).unwrap();
    for free in ["prompt", "bytes"] {
        if let Some(free) = page.get_mut(free).filter(|one| !one.is_null()) {
            *free = FREE_TEXT.into();
        }
    }
    if let Some(bytes) = page.get_mut("model").and_then(|model| model.get_mut("bytes_sent")) {
        *bytes = FREE_TEXT.into();
    }
    if !case.config.working_dir.is_empty() {
        // Paths that begin with the tree's own are as long as that.
        let terms = page.get_mut("terms").and_then(Value::as_array_mut).into_iter().flatten();
        terms.filter_map(|term| term.get_mut("bytes")).for_each(|bytes| *bytes = FREE_TEXT.into());
    }
    let mut written = String::new();
    write_page(&mut written, &shown)?;
    if let Some(data) = answer[DATA].as_str() {
        writeln!(written, "\ntold:")?;
        data.lines().try_for_each(|line| writeln!(written, "  |{}", visible(line)))?;
    }
    text.push_str(&written.replace(answer[ROOT].as_str().unwrap(), ROOT_MARK));
    Ok(())
}

/// An answer of one of the agent's tools; the wording of messages is not kept.
fn write_page(text: &mut String, answer: &Value) -> std::fmt::Result {
    let page = without_prose(&answer[STRUCTURED]);
    writeln!(text, "\nanswer:")?;
    for (name, value) in page.as_object().unwrap() {
        match (name.as_str(), value) {
            ("results" | "notices", Value::Array(items)) => {
                writeln!(text, "  {name}:")?;
                items.iter().try_for_each(|item| writeln!(text, "    {}", json(item)))?;
            }
            _ => writeln!(text, "  {name}: {}", json(value))?,
        }
    }
    Ok(())
}

/// An answer of `search_files`, taken apart and otherwise letter by letter.
fn write_answer(text: &mut String, answer: &Value) -> std::fmt::Result {
    let written = answer.get(TEXT).and_then(Value::as_str).unwrap();
    writeln!(text, "\nanswer, {} bytes:", written.len())?;
    let answer = RawObject::read(written).unwrap_or_else(|| panic!("no object: {written}"));
    for (name, value) in answer.fields() {
        match name {
            "matches" | "errors" => {
                writeln!(text, "  {name}:")?;
                let items = answer.items(name).unwrap();
                items.iter().try_for_each(|item| writeln!(text, "    {}", visible(item)))?;
            }
            "stats" => {
                writeln!(text, "  {name}:")?;
                let stats = RawObject::read(value).unwrap();
                stats.fields().try_for_each(|(name, value)| {
                    writeln!(text, "    {name}: {}", visible(value))
                })?;
            }
            _ => writeln!(text, "  {name}: {}", visible(value))?,
        }
    }
    Ok(())
}

fn write_response(text: &mut String, response: &Value) -> std::fmt::Result {
    let field =
        |name: &str| response.get(name).unwrap_or_else(|| panic!("no `{name}` in {response}"));
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

/// Escapes characters that are invisible or look like others, as JSON does. Tabs stay.
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
