//! Driving, finding_options and verifying, with judges that need no process.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;

use super::clauses::Decides;
use super::findings::{FindingOptions, collect};
use super::{Judge, Limit, Run, Source, clauses, drive};
use crate::case::{Case, Entry};
use crate::compare::FieldDiff;
use crate::expected::Expected;
use crate::family::Family;
use crate::generate::Mix;
use crate::report::Problem;
use crate::subject::{Backend, SubjectSpec, Verdict};

/// Calls every answer wrong whose pattern holds this character.
struct Dislikes(char, SubjectSpec);

impl Judge for Dislikes {
    fn label(&self) -> String {
        format!("dislikes {}", self.0)
    }

    fn judge(&self, case: &Case, expected: &Expected) -> Verdict {
        // The model's part is not wasted: it shows that the answer belongs to the case.
        let shown = expected.shown().swap_remove(0);
        let pattern =
            case.request.get("pattern").and_then(|pattern| pattern.as_str()).unwrap_or_default();
        let disliked = expected.canonical.is_ok() && pattern.contains(self.0);
        if disliked {
            Verdict::Diverge(vec![FieldDiff {
                field: "count".to_owned(),
                expected: Some(shown),
                got: None,
            }])
        } else {
            Verdict::Agree
        }
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        vec![&self.1]
    }
}

fn dislikes(character: char) -> Dislikes {
    Dislikes(character, SubjectSpec::forge(Backend::Native))
}

fn random(cases: u64) -> Source {
    Source::Random { mix: Mix::Of(Family::Search), seed: 9, limit: Limit::Cases(cases) }
}

#[test]
fn the_number_of_threads_changes_no_result() {
    let judge = dislikes('x');
    let run = |threads| {
        let run = drive(&random(200), &[&judge], threads, &|_| {});
        let failures: Vec<(u64, Case)> =
            run.failures.into_iter().map(|one| (one.number, one.case)).collect();
        (run.tables, run.coverage, failures, run.cases)
    };
    let one = run(1);
    assert_eq!(one.3, 200);
    assert!(!one.2.is_empty());
    assert_eq!(one, run(4));
}

#[test]
fn every_case_is_judged_by_every_judge_once() {
    let (first, second) = (dislikes('x'), dislikes('\u{1}'));
    let ticks = AtomicU64::new(0);
    let run = drive(&random(50), &[&first, &second], 3, &|_| {
        ticks.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(ticks.into_inner(), 50);
    assert_eq!(run.tables.values().map(|table| table.total.total()).collect::<Vec<_>>(), [50, 50]);
    assert_eq!(run.coverage.count("cases"), 50);
}

#[test]
fn failures_are_shrunk_to_one_stored_finding_that_can_be_read_again() {
    let judge = dislikes('x');
    let directory = tempfile::tempdir().unwrap();
    let run = drive(&random(200), &[&judge], 2, &|_| {});
    let finding_options =
        FindingOptions { store: Some(directory.path().to_owned()), findings: 5, budget: 2_000 };
    let findings =
        collect("lockstep", &run.failures, &[&judge], &finding_options, &|_| None).unwrap();
    let cases: String = findings.iter().map(|finding| finding.case.to_yaml()).collect();
    assert_eq!(findings.len(), 1, "{cases}");
    let finding = &findings[0];
    assert_eq!(finding.case.request, json!({ "pattern": "x" }));
    assert!(finding.case.tree.is_empty());
    assert!(matches!(&finding.what, Problem::Differs(differences) if differences.len() == 1));
    let stored = finding.stored.as_ref().unwrap();
    assert_eq!(Case::load(stored.as_ref()).unwrap().request, finding.case.request);
    assert_eq!(
        finding.replay.as_deref(),
        Some(format!("touchstone replay {stored} --subject forge:native").as_str())
    );
}

#[test]
fn a_case_that_fails_on_several_subjects_is_one_finding() {
    let (first, second) = (dislikes('x'), dislikes('x'));
    let second = Dislikes(second.0, SubjectSpec::forge(Backend::Ugrep));
    let judges: [&dyn Judge; 2] = [&first, &second];
    let run = drive(&random(60), &judges, 1, &|_| {});
    let finding_options = FindingOptions { store: None, findings: 5, budget: 2_000 };
    let findings =
        collect("lockstep", &run.failures, &judges, &finding_options, &|_| None).unwrap();
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].also, ["dislikes x"]);
}

#[test]
fn the_same_failures_are_stored_under_the_same_name() {
    let judge = dislikes('x');
    let run = drive(&random(120), &[&judge], 1, &|_| {});
    let finding_options = FindingOptions { store: None, findings: 1, budget: 2_000 };
    let names: Vec<String> = (0..2)
        .flat_map(|_| {
            collect("lockstep", &run.failures, &[&judge], &finding_options, &|_| None).unwrap()
        })
        .map(|finding| finding.case.id)
        .collect();
    assert_eq!(names.len(), 2);
    assert_eq!(names[0], names[1]);
}

#[test]
fn a_failing_stored_case_is_reported_unchanged() {
    let judge = dislikes('x');
    let case =
        Case::new("known-case", "known", json!({ "pattern": "xx" })).with(Entry::file("a", "xx\n"));
    let run = drive(&Source::Stored(vec![case]), &[&judge], 2, &|_| {});
    let directory = tempfile::tempdir().unwrap();
    let finding_options =
        FindingOptions { store: Some(directory.path().to_owned()), findings: 5, budget: 500 };
    let home = |_| Some("golden/known-case.yaml".into());
    let findings =
        collect("regressions", &run.failures, &[&judge], &finding_options, &home).unwrap();
    assert_eq!(findings[0].case.request, json!({ "pattern": "xx" }));
    assert_eq!(findings[0].stored.as_deref(), Some("golden/known-case.yaml"));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn a_run_with_many_failures_stops_early() {
    let judge = dislikes('o');
    let run = drive(&random(20_000), &[&judge], 2, &|_| {});
    assert!(run.cases < 2_000, "{} cases", run.cases);
    assert!(run.failures.len() >= 200);
}

#[test]
fn a_clause_is_verified_only_when_its_trap_occurred() {
    let by_trap = Decides::ByTrap(clauses::by_trap(Family::Search));
    let mut run = Run { cases: 3, ..Run::default() };
    assert_eq!(by_trap.clauses(&run), Vec::<String>::new());
    run.coverage.counts.insert("cut by max_files", 3);
    assert_eq!(by_trap.clauses(&run), ["FR-LS-SRC-09"]);
    let after = Decides::After(20, clauses::METAMORPHIC);
    assert_eq!(after.clauses(&run), Vec::<String>::new());
    run.cases = 20;
    assert!(after.clauses(&run).contains(&"CON-LS-03".to_owned()));
}
