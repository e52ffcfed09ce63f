//! The matrix: groups by releases, the first thing seen on the page.
//!
//! Responsible for: its rows, columns and cells, and what a cell tells the script that opens it.
//! Not here: sorting, filtering and opening (the page's script), the cases
//! ([`super::finding`]).
//! Invariants: a cell tells its class by a sign and a count as well as by colour; without a script,
//! a cell with findings is
//! a link to the smallest, and its counts are its tooltip.

use maud::{Markup, html};

use super::class::Class;
use super::finding::{anchor, style_class};
use super::written::{grouped, joined, plain, short, shown};
use super::{Column, Limits, Place, Report, Tally};

/// The table, with at most so many columns; a cell opens the findings that are listed.
pub(super) fn render(report: &Report<'_>, limits: &Limits, with_article: usize) -> Markup {
    let columns = report.columns.get(..limits.columns).unwrap_or(&report.columns);
    let programs = report.programs();
    // Each column with the number of its program, and whether it is the first of it.
    let columns: Vec<(usize, bool, &Column<'_>)> = (columns.iter().enumerate())
        .map(|(at, column)| {
            let before = at.checked_sub(1).and_then(|at| columns.get(at));
            let program = programs.iter().position(|program| *program == column.program);
            let first = before.is_none_or(|before| before.program != column.program);
            (program.unwrap_or_default(), first, column)
        })
        .collect();
    let width = |at| columns.iter().filter(|(program, ..)| *program == at).count();
    let roomy = columns.len() <= 6;
    // With many rows the sentences are tooltips only, so that more of the matrix is seen at once.
    let dense = !roomy && report.rows.len() > 16;
    let nothing = Place::default();
    let name = "groups by releases";
    html! { div.scroll #field { table.matrix.roomy[roomy].dense[dense] #matrix aria-label=(name) {
        thead {
            tr {
                th.corner rowspan="2" scope="col" { button type="button" data-sort="0" { "group" } }
                @for (at, program) in programs.iter().enumerate().filter(|(at, _)| width(*at) > 0) {
                    th.program colspan=(width(at)) scope="colgroup" data-p=(at) {
                        span { (shown(program)) }
                    }
                }
            }
            tr { @for (at, (program, first, column)) in columns.iter().enumerate() {
                th.first[*first] scope="col" data-p=(program) {
                    button type="button" data-sort=(at + 1) title=(plain(column.subject)) {
                        (shown(column.version))
                    }
                }
            } }
        }
        tbody.all { tr {
            th scope="row" { "all groups" }
            @for (at, (program, first, column)) in columns.iter().enumerate() {
                @let tally = report.total(at);
                (td(&Square {
                    class: tally.class(), tally: &tally, program: *program, first: *first,
                    label: &format!("{}: all groups", column.subject),
                    reason: None, opens: &[], href: None,
                }))
            }
        } }
        "\n" tbody #groups { @for (at, row) in report.rows.iter().enumerate() {
            tr {
                th scope="row" data-s=(at) title=(plain(row.says)) {
                    (row.group.name()) small { (shown(row.says)) }
                    small.vh { (joined(row.clauses.iter().take(12).map(|one| shown(one)), " ")) }
                }
                @for (number, (program, first, column)) in columns.iter().enumerate() {
                    @let place = report.places.get(&(at, number)).unwrap_or(&nothing);
                    @let listed: Vec<usize> =
                        place.findings.iter().copied().filter(|at| *at < limits.findings).collect();
                    @let opened = listed.iter().find(|at| **at < with_article);
                    (td(&Square {
                        class: place.class(&report.findings),
                        tally: &Tally::of_cells(place.cell),
                        program: *program, first: *first,
                        label: &format!("{}: {}", column.subject, row.group.name()),
                        reason: place.cell.and_then(|cell| cell.reason.as_deref()),
                        opens: &listed,
                        href: opened.and_then(|at| Some(anchor(*at, report.findings.get(*at)?))),
                    }))
                }
            }
            "\n"
        } }
    } } }
}

/// What a cell is drawn from.
struct Square<'a> {
    class: Class,
    tally: &'a Tally,
    program: usize,
    first: bool,
    label: &'a str,
    reason: Option<&'a str>,
    opens: &'a [usize],
    href: Option<String>,
}

fn td(square: &Square<'_>) -> Markup {
    let Square { class, tally, program, first, label, reason, opens, href } = square;
    let told = |class| {
        (tally.of(class) > 0).then(|| format!("{} {}", grouped(tally.of(class)), class.name()))
    };
    let told: Vec<String> = Class::WORST_FIRST.into_iter().filter_map(told).collect();
    let told = if told.is_empty() { class.name().to_owned() } else { told.join(", ") };
    let joined =
        |numbers: &mut dyn Iterator<Item = String>, by| numbers.collect::<Vec<_>>().join(by);
    let counts =
        joined(&mut Class::WORST_FIRST.iter().map(|class| tally.of(*class).to_string()), ",");
    let counts = if tally.all() == 0 { String::new() } else { counts };
    let opened = joined(&mut opens.iter().map(ToString::to_string), " ");
    let number = html! { b { (class.sign()) } (number(*class, tally, opens.len())) };
    let others = |other: &Class| other != class && tally.of(*other) > 0;
    let rest = html! { @for other in Class::WORST_FIRST.into_iter().filter(others) {
        span { (other.sign()) (short(tally.of(other))) }
    } };
    html! {
        td.(style_class(*class)).first[*first] data-p=(program)
            data-s=(weight(*class, tally)) data-n=(counts) title=(plain(&format!("{label}: {told}")))
            data-r=[reason.map(plain)] data-f=[(!opens.is_empty()).then_some(opened)] {
            @if *class != Class::Nothing {
                @if let Some(href) = href { a href={ "#" (href) } { (number) } } @else { (number) }
                @if !rest.0.is_empty() { small { (rest) } }
            }
        }
    }
}

/// Cases of the class; where only a finding says so, findings.
fn number(class: Class, tally: &Tally, findings: usize) -> String {
    match tally.of(class) {
        0 => short(findings as u64),
        cases => short(cases),
    }
}

/// What cells are sorted by: the class first, then how many cases are in it.
fn weight(class: Class, tally: &Tally) -> u64 {
    class as u64 * 1_000_000_000_000 + tally.of(class).min(999_999_999_999)
}
