//! A report as JUnit's XML, which continuous integration knows how to show.

use std::fmt::Write as _;

use touchstone_cases::xml::attribute;

use super::{Report, Tally, discrepancy_text, finding_text};

/// One test suite per suite; one test case per subject and group of clauses; a failure where
/// something is wrong.
pub(super) fn render(report: &Report) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"touchstone\">\n",
    );
    for suite in &report.suites {
        let mut cases = String::new();
        let (mut tests, mut failures, mut skipped) = (0_u64, 0_u64, 0_u64);
        for (subject, table) in &suite.tables {
            let rows = std::iter::once(("all", &table.total))
                .chain(table.groups.iter().map(|(group, tally)| (group.name(), tally)));
            for (group, tally) in rows {
                tests += 1;
                let body = body(tally);
                failures += u64::from(!tally.conforms());
                skipped += u64::from(body.starts_with("<skipped"));
                let name = attribute(&format!("{subject} {group}"));
                // Writing to a string cannot fail.
                let _ = writeln!(
                    cases,
                    "    <testcase classname=\"touchstone.{}\" name=\"{name}\">{body}</testcase>",
                    attribute(&suite.name)
                );
            }
        }
        for finding in report.findings.iter().filter(|finding| finding.suite == suite.name) {
            tests += 1;
            failures += 1;
            let _ = writeln!(
                cases,
                "    <testcase classname=\"touchstone.{}\" name=\"{}\"><failure message=\"divergence\">{}</failure></testcase>",
                attribute(&suite.name),
                attribute(&format!("{} {}", finding.subject, finding.case.id)),
                attribute(&finding_text(finding))
            );
        }
        for discrepancy in report.discrepancies.iter().filter(|one| one.suite == suite.name) {
            tests += 1;
            failures += 1;
            let _ = writeln!(
                cases,
                "    <testcase classname=\"touchstone.{}\" name=\"{}\"><failure message=\"discrepancy\">{}</failure></testcase>",
                attribute(&suite.name),
                attribute(&format!("{} {}", discrepancy.area, discrepancy.what)),
                attribute(&discrepancy_text(discrepancy))
            );
        }
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\" skipped=\"{skipped}\" time=\"{:.3}\">\n{cases}  </testsuite>",
            attribute(&suite.name),
            suite.took.as_secs_f64()
        );
    }
    text.push_str("</testsuites>\n");
    text
}

fn body(tally: &Tally) -> String {
    if !tally.conforms() {
        return format!(
            "<failure message=\"{} divergence(s), {} broken\"/>",
            tally.diverge, tally.broken
        );
    }
    if tally.total() > 0 && tally.unsupported == tally.total() {
        return "<skipped message=\"the subject does not support this\"/>".to_owned();
    }
    String::new()
}
