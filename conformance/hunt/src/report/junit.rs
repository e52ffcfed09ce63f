//! Results as JUnit's XML, which continuous integration knows how to show.
//!
//! Invariants: a suite per subject, with a test case for each group that was asked, each new
//! finding and each place with unexplained cases; failures are the new findings, and errors the
//! places, as everywhere else.

use std::fmt::Write as _;

use touchstone_cases::xml::attribute as xml;

use super::Report;
use super::class::Class;
use super::contrast::{Row, contrast};
use super::finding::cut;
use crate::results::{Cell, Finding};

/// The document.
pub(super) fn render(report: &Report<'_>) -> String {
    let mut suites = String::new();
    let unexplained = report.results.unexplained();
    let outcome = report.results.outcome();
    let (mut all_tests, mut all_skipped) = (0_u64, 0_u64);
    for (at, column) in report.columns.iter().enumerate() {
        let (mut tests, mut failures, mut errors, mut skipped) = (0_u64, 0_u64, 0_u64, 0_u64);
        let mut cases = String::new();
        let mut case = |name: &str, body: &str| {
            tests += 1;
            // Writing to a string cannot fail.
            let _ = writeln!(
                cases,
                "    <testcase classname=\"touchstone.hunt.{}\" name=\"{}\">{body}</testcase>",
                xml(&cut(column.subject)),
                xml(&cut(name)),
            );
        };
        for (number, row) in report.rows.iter().enumerate() {
            let Some(cell) = report.places.get(&(number, at)).and_then(|place| place.cell) else {
                continue;
            };
            match Class::of(cell) {
                Class::Nothing => {}
                Class::Unsupported => {
                    skipped += 1;
                    let reason = cell.reason.as_deref().unwrap_or_default();
                    let body = format!("<skipped message=\"{}\"/>", xml(&cut(reason)));
                    case(row.group.name(), &body);
                }
                _ => case(row.group.name(), ""),
            }
        }
        let fresh = report.findings.iter().filter(|finding| finding.is_new());
        for finding in fresh.filter(|finding| finding.subject == column.subject) {
            failures += 1;
            case(&finding.id, &failure(finding));
        }
        for one in unexplained.iter().filter(|one| one.subject == column.subject) {
            errors += 1;
            let cell = report.results.cells.iter();
            let mut cell = cell.filter(|cell| {
                cell.subject == one.subject && cell.group == one.group && cell.wrong() > 0
            });
            let silent = |cell: &&Cell| cell.broken + cell.unreadable > 0;
            let reason = cell.find(silent).and_then(|cell| cell.reason.as_deref());
            let name = format!("{} unexplained by {}", one.group.name(), one.oracle);
            let body = format!(
                "<error message=\"{} unexplained\" type=\"unexplained\">{}</error>",
                one.cases,
                xml(&cut(reason.unwrap_or_default()))
            );
            case(&name, &body);
        }
        let _ = writeln!(
            suites,
            "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\">\n{cases}  </testsuite>",
            xml(&cut(column.subject))
        );
        all_tests += tests;
        all_skipped += skipped;
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"touchstone hunt\" tests=\"{all_tests}\" failures=\"{}\" \
         errors=\"{}\" skipped=\"{all_skipped}\" time=\"{:.3}\">\n{suites}</testsuites>\n",
        outcome.new, outcome.places, report.results.cost.seconds
    )
}

fn failure(finding: &Finding) -> String {
    let rows =
        contrast(finding.expected.as_ref(), finding.actual.as_ref(), finding.broken.as_deref());
    let rows: String = rows.iter().take(40).map(Row::plain).collect();
    let told = format!("{}\n- expected, + came:\n{rows}", cut(&finding.command));
    format!(
        "<failure message=\"{}\" type=\"{}\">{}</failure>",
        xml(&cut(&finding.title)),
        finding.aspect.name(),
        xml(&told)
    )
}
