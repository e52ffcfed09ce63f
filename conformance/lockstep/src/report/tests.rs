//! Counting and rendering.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;
use touchstone_cases::case::{Case, Entry};
use touchstone_model::{Answer, Event, Refusal};

use super::{Finding, Problem, Report, SubjectLine, SuiteReport, Table, finding_text};
use crate::compare::{FieldDiff, Group, Outcome};
use crate::subject::Verdict;
use crate::tool::{files, search};

fn case() -> Case {
    Case::new("case", "a <case>", json!({ "pattern": "foo" })).with(Entry::file("a", "foo\n"))
}

fn answer(events: Vec<Event>, truncated: bool) -> Answer {
    Answer {
        path: ".".to_owned(),
        events,
        truncated,
        timed_out: false,
        files_scanned: 1,
        errors: Vec::new(),
        content: String::new(),
        stats: None,
    }
}

fn outcome(outcome: &touchstone_model::Outcome) -> Outcome {
    search::outcome(outcome, &case().request)
}

fn event(path: &str) -> Event {
    Event::Context { path: path.to_owned(), line: 1, text: String::new() }
}

fn diff(field: &str) -> FieldDiff {
    FieldDiff { field: field.to_owned(), expected: Some(json!(1)), got: None }
}

fn report(verdicts: &[Verdict]) -> Report {
    let mut table = Table::default();
    for verdict in verdicts {
        table.count(&case(), Some(&outcome(&Ok(answer(Vec::new(), false)))), verdict);
    }
    Report {
        seed: 5,
        subjects: vec![SubjectLine {
            name: "forge:ugrep".to_owned(),
            found: Err("not there".to_owned()),
        }],
        suites: vec![SuiteReport {
            name: "lockstep".to_owned(),
            tables: BTreeMap::from([("forge:native".to_owned(), table)]),
            took: Duration::from_secs(2),
            cases: 3,
            notes: vec!["a note".to_owned()],
            facts: vec!["a fact".to_owned()],
            totals_only: false,
        }],
        coverage: BTreeMap::from([("with a match", 2)]),
        findings: Vec::new(),
        discrepancies: Vec::new(),
        took: Duration::from_secs(3),
    }
}

#[test]
fn a_case_is_counted_once_in_the_total_and_in_each_group_it_exercises() {
    let mut table = Table::default();
    let answered = outcome(&Ok(answer(vec![event("a"), event("b")], true)));
    table.count(&case(), Some(&answered), &Verdict::Agree);
    let refused = outcome(&Err(Refusal { class: String::new(), field: String::new() }));
    table.count(&case(), Some(&refused), &Verdict::Agree);
    assert_eq!(table.total.agree, 2);
    let groups: Vec<(&str, u64)> =
        table.groups.iter().map(|(group, tally)| (group.name(), tally.agree)).collect();
    assert_eq!(
        groups,
        [
            ("request", 1),
            ("order", 1),
            ("matching", 1),
            ("events", 1),
            ("limits", 1),
            ("response", 1)
        ]
    );
}

#[test]
fn differences_belong_to_the_group_of_their_field() {
    let groups = |fields: &[&str]| {
        let differences: Vec<FieldDiff> = fields.iter().map(|field| diff(field)).collect();
        Group::of_differences(&case(), false, &differences)
    };
    assert_eq!(groups(&["matches[0].data.column"]), [Group::Events]);
    assert_eq!(groups(&["matches[0].data.path.text"]), [Group::Order]);
    assert_eq!(groups(&["matches[0]"]), [Group::Matching]);
    assert_eq!(groups(&["files_scanned", "content"]), [Group::Limits]);
    assert_eq!(groups(&["content"]), [Group::Response]);
    assert_eq!(groups(&["errors[1].error"]), [Group::Fault]);
    assert_eq!(groups(&["error.class"]), [Group::Request]);
    assert_eq!(groups(&[""]), [Group::Request]);
    assert_eq!(groups(&["one thread: matches[0].data.column"]), [Group::Events]);
}

#[test]
fn answers_of_search_files_are_counted_in_the_same_groups() {
    let request = json!({"path": ".", "query": "x", "mode": "fuzzy"});
    let case = Case::of("case", "a case", "search_files", request);
    let text =
        r#"{"mode":"fuzzy","matches":[{"path":"a"},{"path":"a"}],"truncated":true,"errors":[]}"#;
    let names = |groups: Vec<Group>| groups.into_iter().map(Group::name).collect::<Vec<_>>();
    let groups = Group::exercised(&case, &files::outcome(&Ok(text.to_owned())));
    assert_eq!(names(groups), ["matching", "events", "limits", "response", "fuzzy"]);
    let of = |field: &str| names(Group::of_differences(&case, false, &[diff(field)]));
    assert_eq!(of("matches[0].line_text"), ["events"]);
    assert_eq!(of("matches[0].before[1]"), ["events"]);
    assert_eq!(of("matches[0]"), ["fuzzy"]);
    assert_eq!(of("stats.files_cut"), ["limits"]);
    assert_eq!(of("text"), ["response"]);
    assert_eq!(of("returned"), ["response"]);
}

#[test]
fn a_divergent_or_broken_subject_does_not_conform() {
    assert!(
        report(&[Verdict::Agree, Verdict::Allowed, Verdict::Unsupported("x".to_owned())])
            .conforms()
    );
    assert!(!report(&[Verdict::Agree, Verdict::Diverge(vec![diff("count")])]).conforms());
    assert!(!report(&[Verdict::Broken("crashed".to_owned())]).conforms());
}

#[test]
fn the_summary_names_subjects_that_did_not_run_and_the_reason() {
    let text = report(&[Verdict::Agree, Verdict::Unsupported("no such field".to_owned())]).text();
    for part in [
        "forge:ugrep",
        "not run: not there",
        "a note",
        "unsupported 1 time(s): no such field",
        "seed 5",
    ] {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
}

#[test]
fn the_json_form_holds_the_counts_and_the_coverage() {
    let json = report(&[Verdict::Agree, Verdict::Broken("x".to_owned())]).json();
    assert_eq!(json["conforms"], json!(false));
    assert_eq!(json["coverage"]["with a match"], json!(2));
    assert_eq!(json["suites"][0]["subjects"]["forge:native"]["all"]["broken"], json!(1));
    assert_eq!(json["subjects"][0]["found"], json!(false));
}

#[test]
fn a_finding_is_reported_with_its_case_and_its_replay() {
    let finding = Finding {
        suite: "lockstep".to_owned(),
        number: 3,
        subject: "forge:native".to_owned(),
        also: vec!["forge:ugrep".to_owned()],
        case: case(),
        what: Problem::Differs(vec![diff("count")]),
        stored: Some("golden/regressions/case.yaml".to_owned()),
        replay: Some("touchstone replay golden/regressions/case.yaml".to_owned()),
    };
    let text = finding_text(&finding);
    for part in [
        "forge:native, forge:ugrep",
        "pattern: foo",
        "count\n",
        "stored as golden",
        "replay with: touchstone",
    ] {
        assert!(text.contains(part), "`{part}` is not in\n{text}");
    }
    let mut report = report(&[Verdict::Diverge(vec![diff("count")])]);
    report.findings.push(finding);
    assert!(!report.conforms());
    let xml = report.junit();
    assert!(xml.contains("failures=\"4\"") || xml.contains("<failure"), "{xml}");
    assert!(xml.contains("a &lt;case&gt;"), "{xml}");
    assert_eq!(xml.matches("<testcase").count(), xml.matches("</testcase>").count());
}
