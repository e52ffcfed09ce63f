//! Joining requirements and records.

use std::path::PathBuf;

use touchstone_spec::{Decided, Spec};

use super::{Citable, Clause, Status, Traced, failing, html, join, one, text};
use crate::records::{CheckKind, Record, Status as Result};

fn clause(id: &str, keyword: &'static str, gap: Option<Decided>) -> Clause {
    Clause {
        id: id.to_owned(),
        document: "000".to_owned(),
        keyword,
        text: format!("what {id} says, <b>"),
        measured: false,
        gap: gap.map(|decided| (decided, "a test".to_owned())),
    }
}

fn citable() -> Citable {
    Citable {
        clauses: vec![
            clause("A-1", "MUST", None),
            clause("PART", "SHALL", Some(Decided::InPart)),
            clause("NOT", "CFG", Some(Decided::Not)),
            clause("ELSEWHERE", "MUST", Some(Decided::Elsewhere)),
            clause("HEADING", "MUST", Some(Decided::NothingToTest)),
            clause("PERMITTED", "MAY", None),
            Clause { measured: true, ..clause("FIGURE", "SHOULD", None) },
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
        stamp: String::new(),
        kind: CheckKind::Test,
    }
}

fn joined(records: &[Record]) -> Vec<Traced> {
    join(&citable(), records, |_| true).unwrap()
}

fn status(traced: &[Traced], id: &str) -> Status {
    traced.iter().find(|one| one.id == id).unwrap().status
}

fn ids(traced: &[Traced], strict: bool) -> Vec<&str> {
    failing(traced, strict).into_iter().map(|one| one.id.as_str()).collect()
}

#[test]
fn the_status_of_a_row_follows_from_its_records_and_classification() {
    let all = ["A-1", "PART", "NOT", "ELSEWHERE", "HEADING", "PERMITTED", "FIGURE"];
    for (records, expected) in [
        (
            vec![],
            ["open", "open", "not decided", "elsewhere", "nothing to test", "open", "not run"],
        ),
        (
            vec![record("t", &all, Result::Pass)],
            [
                "verified",
                "in part",
                "not decided",
                "elsewhere",
                "nothing to test",
                "verified",
                "not run",
            ],
        ),
        (vec![record("t", &all, Result::Pass), record("u", &all, Result::Fail)], ["open"; 7]),
    ] {
        let traced = joined(&records);
        assert_eq!(traced.iter().map(|one| one.status.name()).collect::<Vec<_>>(), expected);
    }
    let measured = joined(&[record("nfr::figure", &["FIGURE"], Result::Pass)]);
    assert_eq!(status(&measured, "FIGURE"), Status::Verified);
}

#[test]
fn a_failing_check_is_named() {
    let traced =
        joined(&[record("t", &["A-1"], Result::Pass), record("u", &["A-1"], Result::Fail)]);
    assert_eq!(traced[0].checks, ["t", "u (failed)"]);
}

#[test]
fn open_rows_fail_unless_may_and_strict_mode_fails_every_undecided_row() {
    let traced = joined(&[]);
    assert_eq!(ids(&traced, false), ["A-1", "PART"]);
    assert_eq!(ids(&traced, true), ["A-1", "PART", "NOT", "FIGURE"]);
    let traced = joined(&[record("t", &["A-1", "PART"], Result::Pass)]);
    assert!(ids(&traced, false).is_empty());
    assert_eq!(ids(&traced, true), ["PART", "NOT", "FIGURE"]);
}

#[test]
fn a_stale_record_is_ignored() {
    let traced =
        join(&citable(), &[record("t", &["A-1", "NONSENSE"], Result::Pass)], |_| false).unwrap();
    assert_eq!(status(&traced, "A-1"), Status::Open);
}

#[test]
fn a_claim_of_an_unknown_clause_is_an_error_that_names_the_check() {
    let error =
        join(&citable(), &[record("some::test", &["A-9"], Result::Pass)], |_| true).unwrap_err();
    assert_eq!(error.citations, ["some::test: `A-9`"]);
}

#[test]
fn errata_may_be_cited() {
    assert!(join(&citable(), &[record("t", &["E-A01"], Result::Pass)], |_| true).is_ok());
    assert!(citable().knows("E-A01") && citable().knows("A-1") && !citable().knows("A-9"));
}

#[test]
fn the_trace_text_counts_every_status_and_lists_the_failing_rows() {
    let shown = text(&joined(&[]), true);
    let count = shown.lines().find(|line| line.starts_with("000")).unwrap();
    let numbers: Vec<&str> = count.split_whitespace().skip(1).collect();
    assert_eq!(numbers, ["0", "0", "1", "1", "1", "1", "3", "7"], "{shown}");
    assert!(shown.contains("not decided  CFG    NOT                      a test\n"), "{shown}");
    assert!(!shown.contains("PERMITTED"), "{shown}");
}

#[test]
fn a_row_is_shown_with_its_errata_its_checks_and_the_next_step() {
    let spec = Spec::load(&crate::golden::workspace().join("spec")).unwrap();
    let record = record("some::test", &["FR-LS-02a"], Result::Pass);
    let traced = join(&Citable::of(&spec), &[record], |_| true).unwrap();
    let shown = one(&spec, &traced, "FR-LS-02a").unwrap();
    for part in ["MUST of document 000", "read as E-A07: ", "claimed by some::test\n"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let open = one(&spec, &traced, "FR-LS-01").unwrap();
    assert!(
        open.ends_with(
            "open\nto change that: cargo nextest run and touchstone check, then see which check failed\n"
        ),
        "{open}"
    );
    assert_eq!(one(&spec, &traced, "FR-LS-0"), None);
}

#[test]
fn the_trace_page_is_complete_and_escaped() {
    let page = html(&joined(&[record("a<b", &["A-1"], Result::Pass)]));
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("a&lt;b") && page.contains("says, &lt;b&gt;") && !page.contains("<b>"));
    assert!(!page.contains("http") && !page.contains("src="));
}
