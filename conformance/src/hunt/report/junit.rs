//! Results as JUnit's XML, which continuous integration knows how to show.
//!
//! Invariants: a suite per subject and a test case per group; it fails if something diverged or
//! broke there that is not known,
//! and then says how to see it.

use std::fmt::Write as _;

use super::class::Class;
use super::contrast::{Row, contrast};
use super::finding::cut;
use super::{Place, Report, Tally};
use crate::report::xml;

/// Most findings told in one failure; the others are counted.
const MAX_TOLD: usize = 5;

/// The document.
pub(super) fn render(report: &Report<'_>) -> String {
    let mut suites = String::new();
    let (mut all_tests, mut all_failures, mut all_skipped) = (0_u64, 0_u64, 0_u64);
    for (at, column) in report.columns.iter().enumerate() {
        let (mut tests, mut failures, mut skipped) = (0_u64, 0_u64, 0_u64);
        let mut cases = String::new();
        for (number, row) in report.rows.iter().enumerate() {
            let Some(place) = report.places.get(&(number, at)) else { continue };
            let class = place.class(&report.findings);
            if class == Class::Nothing {
                continue;
            }
            tests += 1;
            failures += u64::from(class.is_wrong());
            skipped += u64::from(class == Class::Unsupported);
            // Writing to a string cannot fail.
            let _ = writeln!(
                cases,
                "    <testcase classname=\"touchstone.hunt.{}\" name=\"{}\">{}</testcase>",
                xml(&cut(column.subject)),
                row.group.name(),
                body(report, place, class)
            );
        }
        let _ = writeln!(
            suites,
            "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\">\n{cases}  </testsuite>",
            xml(&cut(column.subject))
        );
        all_tests += tests;
        all_failures += failures;
        all_skipped += skipped;
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"touchstone hunt\" tests=\"{all_tests}\" failures=\"{all_failures}\" \
         errors=\"0\" skipped=\"{all_skipped}\" time=\"{:.3}\">\n{suites}</testsuites>\n",
        report.results.cost.seconds
    )
}

fn body(report: &Report<'_>, place: &Place<'_>, class: Class) -> String {
    let mut tally = Tally::default();
    if let Some(cell) = place.cell {
        tally.add(cell);
    }
    let reason = place.cell.and_then(|cell| cell.reason.as_deref()).unwrap_or_default();
    if class == Class::Unsupported {
        return format!("<skipped message=\"{}\"/>", xml(&cut(reason)));
    }
    if !class.is_wrong() {
        return String::new();
    }
    let mut told = String::new();
    if !reason.is_empty() {
        let _ = writeln!(told, "{}", cut(reason));
    }
    let fresh: Vec<_> = (place.findings.iter())
        .filter_map(|at| report.findings.get(*at))
        .filter(|finding| finding.known.is_none())
        .collect();
    for finding in fresh.iter().take(MAX_TOLD) {
        let rows =
            contrast(finding.expected.as_ref(), finding.actual.as_ref(), finding.broken.as_deref());
        let rows: String = rows.iter().take(40).map(Row::plain).collect();
        let _ = write!(
            told,
            "{}\n  {}\n- expected, + came:\n{rows}\n",
            cut(&finding.title),
            cut(&finding.command)
        );
    }
    if fresh.len() > MAX_TOLD {
        let _ = writeln!(told, "and {} more findings", fresh.len() - MAX_TOLD);
    }
    format!(
        "<failure message=\"{} diverge, {} broken\" type=\"{}\">{}</failure>",
        tally.of(Class::Diverge),
        tally.of(Class::Broken),
        class.name(),
        xml(&told)
    )
}
