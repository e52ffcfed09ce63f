//! Results as JUnit's XML, which continuous integration knows how to show.
//!
//! Invariants: a suite per subject, with a test case for each group that was asked, each new
//! finding and each place with unexplained cases; failures are the new findings, and errors the
//! places, as everywhere else.

use maud::{Markup, PreEscaped, html};
use touchstone_cases::xml::attribute;

use super::Report;
use super::class::Class;
use super::contrast::{Row, contrast};
use super::written::cut;
use crate::results::{Cell, Finding};

/// The document.
pub(super) fn render(report: &Report<'_>) -> String {
    let outcome = report.results.outcome();
    let columns = report.columns.iter().enumerate();
    let suites: Vec<(usize, usize, Markup)> =
        columns.map(|(at, column)| suite(report, at, column.subject)).collect();
    let document = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        testsuites name="touchstone hunt" tests=(suites.iter().map(|one| one.0).sum::<usize>())
            failures=(outcome.new) errors=(outcome.places)
            skipped=(suites.iter().map(|one| one.1).sum::<usize>())
            time=(format!("{:.3}", report.results.cost.seconds)) {
            "\n" @for (_, _, suite) in &suites { (suite) }
        } "\n"
    };
    document.into_string()
}

/// How many tests one subject has, how many of them were skipped, and its suite.
fn suite(report: &Report<'_>, at: usize, subject: &str) -> (usize, usize, Markup) {
    let cells = (0..report.rows.len()).filter_map(|row| report.places.get(&(row, at))?.cell);
    let cells: Vec<&Cell> = cells.filter(|cell| Class::of(cell) != Class::Nothing).collect();
    let is_skipped = |cell: &&&Cell| Class::of(cell) == Class::Unsupported;
    let skipped = cells.iter().filter(is_skipped).count();
    let mut fresh: Vec<&Finding> = report.findings.clone();
    fresh.retain(|finding| finding.is_new() && finding.subject == subject);
    let mut unexplained = report.results.unexplained();
    unexplained.retain(|one| one.subject == subject);
    let tests = cells.len() + fresh.len() + unexplained.len();
    let reason = |group| {
        let mut silent = cells.iter().filter(|cell| cell.broken + cell.unreadable > 0);
        silent.find(|cell| cell.group == group)?.reason.as_deref()
    };
    let case = |name: &str, body| {
        let class = html! { "touchstone.hunt." (xml(subject)) };
        html! { testcase classname=(class) name=(xml(name)) { (body) } "\n" }
    };
    let suite = html! {
        testsuite name=(xml(subject)) tests=(tests) failures=(fresh.len())
            errors=(unexplained.len()) skipped=(skipped) {
            "\n" @for cell in &cells { (case(cell.group.name(), html! {
                @if is_skipped(&cell) {
                    skipped message=(xml(cell.reason.as_deref().unwrap_or_default())) {}
                }
            })) }
            @for finding in &fresh { (case(&finding.id, failure(finding))) }
            @for one in &unexplained {
                (case(&format!("{} unexplained by {}", one.group.name(), one.oracle), html! {
                    error message={ (one.cases) " unexplained" } type="unexplained" {
                        (xml(reason(one.group).unwrap_or_default()))
                    }
                }))
            }
        } "\n"
    };
    (tests, skipped, suite)
}

fn failure(finding: &Finding) -> Markup {
    let rows =
        contrast(finding.expected.as_ref(), finding.actual.as_ref(), finding.broken.as_deref());
    let rows: String = rows.iter().take(40).map(Row::plain).collect();
    let told = format!("{}\n- expected, + came:\n{rows}", cut(&finding.command));
    html! {
        failure message=(xml(&finding.title)) type=(finding.aspect.name()) {
            (PreEscaped(attribute(&told)))
        }
    }
}

/// Text, cut, without what XML cannot hold.
fn xml(text: &str) -> Markup {
    PreEscaped(attribute(&cut(text)))
}
