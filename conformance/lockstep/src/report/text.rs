//! A report for people.

use std::fmt::Write as _;

use super::{Discrepancy, Finding, Problem, Report, SuiteReport};

/// The summary: subjects, a table per suite, and the verdict.
pub(super) fn summary(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "subjects");
    for subject in &report.subjects {
        let _ = match &subject.found {
            Ok(what) => writeln!(text, "  {:<16} {what}", subject.name),
            Err(why) => writeln!(text, "  {:<16} not run: {why}", subject.name),
        };
    }
    for suite in &report.suites {
        text.push_str(&suite_text(suite));
    }
    let verdict = if report.conforms() { "conforming" } else { "NOT conforming" };
    let _ = writeln!(
        text,
        "\n{verdict}: {} finding(s), seed {}, {:.1} s",
        report.findings.len() + report.discrepancies.len(),
        report.seed,
        report.took.as_secs_f64()
    );
    text
}

/// One finding for people: the case, what is wrong, and how to see it again.
pub fn finding_text(finding: &Finding) -> String {
    let mut text = String::new();
    let who: Vec<&str> =
        std::iter::once(&finding.subject).chain(&finding.also).map(String::as_str).collect();
    let _ = writeln!(text, "--- {} ({}) ---", who.join(", "), finding.suite);
    text.push_str(&finding.case.to_yaml());
    match &finding.what {
        Problem::Differs(differences) => text.push_str(&crate::compare::render(differences)),
        Problem::Broken(how) => {
            let _ = writeln!(text, "broken: {how}");
        }
    }
    if let Some(stored) = &finding.stored {
        let _ = writeln!(text, "stored as {stored}");
    }
    if let Some(replay) = &finding.replay {
        let _ = writeln!(text, "replay with: {replay}");
    }
    text
}

/// One discrepancy for people.
pub fn discrepancy_text(discrepancy: &Discrepancy) -> String {
    let Discrepancy { suite, area, what, told } = discrepancy;
    format!("--- {suite}, {area}: {what} ---\n{}\n", told.trim_end())
}

fn suite_text(suite: &SuiteReport) -> String {
    let mut text = String::new();
    let runs: u64 = suite.tables.values().map(|table| table.total.total()).sum();
    let seconds = suite.took.as_secs_f64();
    let speed = u32::try_from(suite.cases).map_or(0.0, f64::from) / seconds.max(0.001);
    let _ = writeln!(
        text,
        "\n{}: {} case(s), {runs} run(s) in {seconds:.1} s, {speed:.0} cases per second",
        suite.name, suite.cases
    );
    for note in &suite.notes {
        let _ = writeln!(text, "  note: {note}");
    }
    for fact in &suite.facts {
        let _ = writeln!(text, "  {fact}");
    }
    if suite.tables.is_empty() {
        return text;
    }
    let width = suite.tables.keys().map(String::len).max().unwrap_or(0);
    let _ = writeln!(
        text,
        "  {:<width$} {:<12} {:>7} {:>7} {:>7} {:>11} {:>6}",
        "subject", "clauses", "agree", "allowed", "diverge", "unsupported", "broken"
    );
    for (subject, table) in &suite.tables {
        let groups = table.groups.iter().map(|(group, tally)| (group.name(), tally));
        for (group, tally) in std::iter::once(("all", &table.total)).chain(groups) {
            // Groups that say no more than the total are left out of suites that look at relations
            // between runs.
            if suite.totals_only && group != "all" && tally.conforms() {
                continue;
            }
            let _ = writeln!(
                text,
                "  {subject:<width$} {group:<12} {:>7} {:>7} {:>7} {:>11} {:>6}",
                tally.agree, tally.allowed, tally.diverge, tally.unsupported, tally.broken
            );
        }
        for (reason, times) in &table.reasons {
            let _ = writeln!(text, "  {subject:<width$} unsupported {times} time(s): {reason}");
        }
    }
    text
}
