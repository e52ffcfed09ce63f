//! Joining requirements and records.

use std::path::PathBuf;

use super::{Citable, Clause, Status, Traced, WORKED_THROUGH, html, join, open_musts, text};
use crate::claims::{CheckKind, Record, Status as Result};

fn clause(id: &str, document: &str, keyword: &'static str, reason: Option<&str>) -> Clause {
    Clause {
        id: id.to_owned(),
        document: document.to_owned(),
        keyword,
        text: format!("what {id} says, <b>"),
        reason: reason.map(str::to_owned),
    }
}

fn citable() -> Citable {
    Citable {
        clauses: vec![
            clause("A-1", "000", "MUST", None),
            clause("A-2", "000", "MUST", Some("nobody can check this")),
            clause("A-3", "000", "MAY", None),
            clause("B-1", "900", "MUST", None),
        ],
        others: ["E-A01".to_owned()].into(),
    }
}

fn record(check: &str, clauses: &[&str], status: Result) -> Record {
    Record {
        check: check.to_owned(),
        clauses: clauses.iter().map(ToString::to_string).collect(),
        status,
        executable: PathBuf::from("x"),
        hash: String::new(),
        kind: CheckKind::Test,
    }
}

fn joined(records: &[Record]) -> Vec<Traced> {
    join(&citable(), records, |_| true).unwrap()
}

fn status(traced: &[Traced], id: &str) -> Status {
    traced.iter().find(|one| one.id == id).unwrap().status
}

#[test]
fn a_passing_check_verifies() {
    let traced = joined(&[record("t", &["A-1"], Result::Pass)]);
    assert_eq!(status(&traced, "A-1"), Status::Verified);
    assert!(open_musts(&traced).is_empty());
}

#[test]
fn a_failing_check_opens_what_another_verifies() {
    let traced = joined(&[record("t", &["A-1"], Result::Pass), record("u", &["A-1"], Result::Fail)]);
    assert_eq!(status(&traced, "A-1"), Status::Open);
    assert_eq!(traced[0].checks, ["t", "u (failed)"]);
    assert_eq!(open_musts(&traced).len(), 1);
}

#[test]
fn a_failing_check_opens_what_a_reason_closes() {
    let traced = joined(&[record("u", &["A-2"], Result::Fail)]);
    assert_eq!(status(&traced, "A-2"), Status::Open);
}

#[test]
fn a_reason_stands_in_for_a_check() {
    assert_eq!(status(&joined(&[]), "A-2"), Status::Reasoned);
    assert_eq!(status(&joined(&[record("t", &["A-2"], Result::Pass)]), "A-2"), Status::Verified);
}

#[test]
fn a_stale_record_counts_for_nothing() {
    let traced = join(&citable(), &[record("t", &["A-1", "NONSENSE"], Result::Pass)], |_| false).unwrap();
    assert_eq!(status(&traced, "A-1"), Status::Open);
}

#[test]
fn a_claim_of_an_unknown_clause_is_an_error_that_names_the_check() {
    let error = join(&citable(), &[record("some::test", &["A-9"], Result::Pass)], |_| true).unwrap_err();
    assert_eq!(error.citations, ["some::test: `A-9`"]);
}

#[test]
fn errata_may_be_cited() {
    assert!(join(&citable(), &[record("t", &["E-A01"], Result::Pass)], |_| true).is_ok());
    assert!(citable().knows("E-A01") && citable().knows("A-1") && !citable().knows("A-9"));
}

#[test]
fn only_musts_of_documents_worked_through_have_to_be_closed() {
    let traced = joined(&[]);
    let open: Vec<&str> = open_musts(&traced).into_iter().map(|one| one.id.as_str()).collect();
    assert_eq!(open, ["A-1"]);
}

#[test]
fn the_text_lists_what_is_open_where_nothing_may_be() {
    let text = text(&joined(&[]));
    assert!(text.contains("MUST   A-1") && text.contains("MAY    A-3") && !text.contains("B-1"), "{text}");
    assert!(text.lines().any(|line| line.split_whitespace().eq(["900", "0", "0", "1", "1"])), "{text}");
}

#[test]
fn the_page_is_whole_and_safe() {
    let page = html(&joined(&[record("a<b", &["A-1"], Result::Pass)]));
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(page.contains("a&lt;b") && page.contains("says, &lt;b&gt;") && !page.contains("<b>"));
    assert!(!page.contains("http") && !page.contains("src="));
}

#[test]
fn the_documents_worked_through_are_those_the_specification_calls_so() {
    let spec = touchstone_spec::Spec::load(&crate::golden::workspace().join("spec")).unwrap();
    let worked = spec.documents.iter().filter(|document| document.status == touchstone_spec::Status::Worked);
    assert_eq!(worked.map(|document| document.document.value.as_str()).collect::<Vec<_>>(), WORKED_THROUGH);
}
