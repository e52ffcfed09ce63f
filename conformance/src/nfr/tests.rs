use std::fs;
use std::path::Path;

use tempfile::TempDir;
use touchstone_spec::{Budget, Spec};

use super::criterion::{NfrError, Run};
use super::record::{Document, sources};
use super::{Allowed, Row, Verdict, judge, percentile, table};
use crate::golden;
use crate::records::Status;

/// Puts down what criterion would: single calls of one function, in milliseconds.
fn put(directory: &Path, group: &str, function: &str, iterations: u32, millis: &[f64]) {
    let place = directory.join(group).join(function).join("new");
    fs::create_dir_all(&place).unwrap();
    let benchmark =
        serde_json::json!({ "group_id": group, "function_id": function, "value_str": null });
    fs::write(place.join("benchmark.json"), benchmark.to_string()).unwrap();
    let iters = vec![f64::from(iterations); millis.len()];
    let times: Vec<f64> = millis.iter().map(|millis| millis * 1e6).collect();
    let sample = serde_json::json!({ "sampling_mode": "Flat", "iters": iters, "times": times });
    fs::write(place.join("sample.json"), sample.to_string()).unwrap();
}

fn note(directory: &Path, started: u64) {
    let note =
        serde_json::json!({ "tree": "/tree", "files": 100_001, "started_unix_seconds": started });
    fs::write(directory.join("agent-run.json"), note.to_string()).unwrap();
}

/// A run in which every group has one question, answered a hundred times within a millisecond, ten
/// times as fast as by the plain program.
fn fast() -> TempDir {
    let directory = TempDir::new().unwrap();
    let spec = Spec::load(&golden::workspace().join("spec")).unwrap();
    for Budget { latency, .. } in &spec.budgets.budgets {
        put(directory.path(), &latency.group, "a question", 1, &[1.0; 100]);
        if let Some(beside) = &latency.beside {
            put(directory.path(), beside, "a question", 1, &[10.0; 10]);
        }
    }
    note(directory.path(), 0);
    directory
}

fn rows(directory: &Path) -> Vec<Row> {
    let spec = Spec::load(&golden::workspace().join("spec")).unwrap();
    judge(&spec.budgets.budgets, &Run::read(directory).unwrap().functions)
}

fn verdicts(directory: &Path) -> Vec<(String, Verdict)> {
    rows(directory).iter().map(|row| (row.id.clone(), row.verdict())).collect()
}

fn verdict(directory: &Path, id: &str) -> Verdict {
    verdicts(directory).into_iter().find(|(found, _)| found == id).unwrap().1
}

#[test]
fn the_budgets_equal_those_of_the_document() {
    let run = fast();
    let allowed: Vec<_> = rows(run.path())
        .iter()
        .map(|row| {
            let Allowed { target, maximum, ratio } = row.allowed;
            (row.id.clone(), target, maximum, ratio)
        })
        .collect();
    let expected = [
        ("search_text_latency", Some(50.0), Some(100.0), None),
        ("path_search_latency", Some(25.0), Some(50.0), None),
        ("grep_latency", Some(75.0), Some(150.0), None),
        ("formatting_latency", None, Some(50.0), None),
        ("end_to_end_latency", None, Some(200.0), None),
        ("grep_latency_not_narrowed", None, None, None),
        ("first_event", None, None, Some(0.25)),
        ("parse_linear", None, None, Some(6.0)),
        ("matches_per_file", None, None, Some(0.5)),
        ("order_n_log_n", None, None, Some(14.5)),
        ("index_pays", None, None, Some(0.5)),
    ];
    let expected = expected.map(|(id, target, most, ratio)| (id.to_owned(), target, most, ratio));
    assert_eq!(allowed, expected);
}

#[test]
fn a_run_within_its_budgets_keeps_all_and_reports_the_ratio() {
    let run = fast();
    let rows = rows(run.path());
    for row in &rows {
        let told = row.allowed == Allowed::default();
        assert_eq!(row.verdict(), if told { Verdict::Unbounded } else { Verdict::Kept }, "{row:?}");
    }
    let text = table(&rows, true);
    assert!(text.contains("0.1000, 0.1000         -  kept"), "{text}");
    assert!(text.contains("a question"), "{text}");
}

#[test]
fn a_latency_budget_is_exceeded_by_two_slow_calls_of_a_hundred_and_not_by_one() {
    let run = fast();
    let mut calls = [1.0; 100];
    calls[7] = 5_000.0;
    put(run.path(), "agent grep", "a question", 1, &calls);
    assert_eq!(verdict(run.path(), "grep_latency"), Verdict::Kept);
    calls[8] = 150.5;
    put(run.path(), "agent grep", "a question", 1, &calls);
    assert_eq!(verdict(run.path(), "grep_latency"), Verdict::Beyond);
    calls[8] = 150.0;
    put(run.path(), "agent grep", "a question", 1, &calls);
    assert_eq!(verdict(run.path(), "grep_latency"), Verdict::Kept);
}

#[test]
fn a_ratio_is_judged_by_the_worst_question_and_needs_its_counterpart() {
    let run = fast();
    put(run.path(), "agent parsing 400000 records", "a question", 1, &[60.0; 10]);
    assert_eq!(verdict(run.path(), "parse_linear"), Verdict::Kept);
    put(run.path(), "agent parsing 400000 records", "another", 1, &[60.1; 10]);
    put(run.path(), "agent parsing 100000 records", "another", 1, &[10.0; 10]);
    assert_eq!(verdict(run.path(), "parse_linear"), Verdict::Beyond);
    let run = fast();
    put(run.path(), "agent first line", "another", 1, &[1.0; 10]);
    assert_eq!(verdict(run.path(), "first_event"), Verdict::Kept);
    fs::remove_dir_all(run.path().join("agent all lines")).unwrap();
    assert_eq!(verdict(run.path(), "first_event"), Verdict::Missing);
}

#[test]
fn a_median_above_the_target_is_only_reported() {
    let run = fast();
    put(run.path(), "agent search_text", "a question", 1, &[50.1; 100]);
    assert_eq!(verdict(run.path(), "search_text_latency"), Verdict::Missed);
    assert!(table(&rows(run.path()), false).contains("target missed"));
}

#[test]
fn percentiles_cover_all_calls_of_a_group() {
    let run = fast();
    // One slow question of fifty is two calls of a hundred.
    for question in 0..49 {
        put(run.path(), "agent find_files", &question.to_string(), 1, &[2.0; 10]);
        put(run.path(), "agent find_files, plain rg", &question.to_string(), 1, &[4.0; 10]);
    }
    assert_eq!(verdict(run.path(), "path_search_latency"), Verdict::Kept);
    put(run.path(), "agent find_files", "7", 1, &[60.0; 10]);
    assert_eq!(verdict(run.path(), "path_search_latency"), Verdict::Beyond);
}

#[test]
fn an_unmeasured_figure_is_missing_with_the_command_that_measures_it() {
    let nowhere = TempDir::new().unwrap();
    let why = Run::read(nowhere.path()).unwrap_err();
    assert!(
        matches!(why, NfrError::NoRun { .. }) && why.to_string().contains("make-100k.sh"),
        "{why}"
    );
    let run = fast();
    fs::remove_dir_all(run.path().join("agent grep")).unwrap();
    assert_eq!(verdict(run.path(), "grep_latency"), Verdict::Missing);
    assert!(
        table(&rows(run.path()), false).contains("`agent grep` was not measured; run `benches/")
    );
}

#[test]
fn a_figure_of_another_run_or_without_single_calls_or_counterpart_is_missing() {
    let run = fast();
    put(run.path(), "agent grep", "a question", 20, &[1.0; 100]);
    assert_eq!(verdict(run.path(), "grep_latency"), Verdict::Missing);
    put(run.path(), "agent find_files", "another question", 1, &[1.0; 100]);
    assert_eq!(
        verdict(run.path(), "path_search_latency"),
        Verdict::Kept,
        "it need not be asked everything"
    );
    fs::remove_dir_all(run.path().join("agent find_files/a question")).unwrap();
    assert_eq!(verdict(run.path(), "path_search_latency"), Verdict::Missing);
    assert_eq!(verdict(run.path(), "search_text_latency"), Verdict::Kept);
    note(run.path(), u64::from(u32::MAX));
    assert!(verdicts(run.path()).iter().all(|(_, verdict)| *verdict == Verdict::Missing));
}

#[test]
fn garbled_files_are_named() {
    let run = fast();
    fs::write(run.path().join("agent grep/a question/new/sample.json"), "{").unwrap();
    let why = Run::read(run.path()).unwrap_err().to_string();
    assert!(why.contains("sample.json") && why.contains("not as expected"), "{why}");
}

#[test]
fn percentiles_are_measured_values() {
    let values: Vec<f64> = (1..=200).map(f64::from).collect();
    assert_eq!(
        [percentile(&values, 50), percentile(&values, 99), percentile(&values, 100)],
        [Some(100.0), Some(198.0), Some(200.0)]
    );
    assert_eq!([percentile(&[3.0], 99), percentile(&[], 50)], [Some(3.0), None]);
}

/// A document of the fast run.
fn document() -> Document {
    let spec = Spec::load(&golden::workspace().join("spec")).unwrap();
    let run = fast();
    let run = Run::read(run.path()).unwrap();
    Document::of(&spec.budgets.budgets, &run, "abc", "a machine", "0123")
}

#[test]
fn a_document_is_valid_for_ninety_days_and_for_unchanged_sources() {
    let document = document();
    assert_eq!(document.stale(89, "0123"), None);
    assert!(document.stale(90, "0123").unwrap().contains("90 days old"));
    assert!(document.stale(0, "0124").unwrap().contains("commit abc"));
}

#[test]
fn a_document_verifies_only_budgets_that_were_kept() {
    let spec = Spec::load(&golden::workspace().join("spec")).unwrap();
    let budgets = &spec.budgets.budgets;
    let mut document = document();
    // One figure has no bound.
    let judged = budgets.len() - 1;
    assert_eq!(document.records(budgets).len(), judged);
    document.figures.get_mut("grep_latency").unwrap().p99 = 1e6;
    document.figures.remove("formatting_latency");
    let records = document.records(budgets);
    assert_eq!(records.len(), judged - 1);
    for record in records {
        let fails = record.check == "nfr::grep_latency";
        assert_eq!(record.status == Status::Fail, fails, "{}", record.check);
        assert!(record.clauses.iter().all(|clause| !clause.starts_with("E-")));
    }
}

#[test]
fn a_document_is_read_back_as_written() {
    let place = TempDir::new().unwrap();
    assert!(Document::read(place.path()).unwrap().is_none());
    fs::create_dir(place.path().join("docs")).unwrap();
    document().write(place.path()).unwrap();
    assert_eq!(Document::read(place.path()).unwrap(), Some(document()));
    fs::write(place.path().join("docs/benches.json"), "{}").unwrap();
    assert!(Document::read(place.path()).is_err());
}

#[test]
fn the_digest_of_sources_changes_with_any_source_byte() {
    let place = TempDir::new().unwrap();
    let file = place.path().join("impl/core/src/a.rs");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "a").unwrap();
    let before = sources(place.path()).unwrap();
    fs::write(file.with_file_name("note.md"), "a").unwrap();
    assert_eq!(sources(place.path()).unwrap(), before);
    for unmeasured in ["impl/a/tests", "impl/a/examples"] {
        fs::create_dir_all(place.path().join(unmeasured)).unwrap();
        fs::write(place.path().join(unmeasured).join("b.rs"), "b").unwrap();
    }
    fs::write(place.path().join("impl/a/tests.rs"), "c").unwrap();
    assert_eq!(sources(place.path()).unwrap(), before);
    fs::write(&file, "b").unwrap();
    assert_ne!(sources(place.path()).unwrap(), before);
}
