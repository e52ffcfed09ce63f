//! The matrix: groups by releases, the first thing seen on the page.
//!
//! Responsible for: its rows, columns and cells, and what a cell tells the script that opens it.
//! Not here: sorting, filtering and opening (the page's script), the cases
//! ([`super::finding`]).
//! Invariants: a cell tells its class by a sign and a count as well as by colour; without a script,
//! a cell with findings is
//! a link to the smallest, and its counts are its tooltip.

use std::fmt::Write as _;

use super::class::Class;
use super::finding::{anchor, cut, style_class};
use super::written::{attribute, grouped, html, short};
use super::{Column, Limits, Place, Report, Tally};

/// The table, with at most so many columns; a cell opens the findings that are listed.
#[expect(clippy::too_many_lines, reason = "one page, written from top to bottom")]
pub(super) fn render(report: &Report<'_>, limits: &Limits, with_article: usize) -> String {
    let columns: Vec<Column<'_>> = report.columns.iter().copied().take(limits.columns).collect();
    // With many rows the sentences are tooltips only, so that more of the matrix is seen at once.
    let dense = match (columns.len(), report.rows.len()) {
        (..=6, _) => " roomy",
        (_, 17..) => " dense",
        _ => "",
    };
    let mut text = format!(
        "<div class=\"scroll\" id=\"field\"><table class=\"matrix{dense}\" id=\"matrix\" aria-label=\"groups by releases\">\n<thead><tr>\
         <th rowspan=\"2\" scope=\"col\" class=\"corner\"><button type=\"button\" data-sort=\"0\">group</button></th>",
    );
    let programs = report.programs();
    for (at, program) in programs.iter().enumerate() {
        let width = columns.iter().filter(|column| column.program == *program).count();
        if width > 0 {
            let _ = write!(
                text,
                "<th colspan=\"{width}\" scope=\"colgroup\" class=\"program\" data-p=\"{at}\"><span>{}</span></th>",
                html(&cut(program))
            );
        }
    }
    text.push_str("</tr>\n<tr>");
    let mut before = None;
    for (at, column) in columns.iter().enumerate() {
        let program =
            programs.iter().position(|program| *program == column.program).unwrap_or_default();
        let first = if before.replace(program) == Some(program) { "" } else { " class=\"first\"" };
        let _ = write!(
            text,
            "<th scope=\"col\" data-p=\"{program}\"{first}><button type=\"button\" data-sort=\"{}\" title=\"{}\">{}</button></th>",
            at + 1,
            attribute(&cut(column.subject)),
            html(&cut(column.version))
        );
    }
    text.push_str("</tr></thead>\n<tbody class=\"all\"><tr><th scope=\"row\">all groups</th>");
    let mut before = None;
    for (at, column) in columns.iter().enumerate() {
        let program =
            programs.iter().position(|program| *program == column.program).unwrap_or_default();
        let first = before.replace(program) != Some(program);
        let tally = report.total(Some(at));
        text.push_str(&td(&Square {
            class: tally.class(),
            tally: &tally,
            program,
            first,
            label: &format!("{}: all groups", column.subject),
            reason: None,
            opens: &[],
            href: None,
        }));
    }
    text.push_str("</tr></tbody>\n<tbody id=\"groups\">\n");
    for (at, row) in report.rows.iter().enumerate() {
        let clauses = row
            .clauses
            .iter()
            .take(12)
            .map(|clause| html(&cut(clause)))
            .collect::<Vec<_>>()
            .join(" ");
        let _ = write!(
            text,
            "<tr><th scope=\"row\" data-s=\"{at}\" title=\"{}\">{}<small>{}</small><small class=\"vh\">{clauses}</small></th>",
            attribute(&cut(row.says)),
            row.group.name(),
            html(&cut(row.says))
        );
        let nothing = Place::default();
        let mut before = None;
        for (number, column) in columns.iter().enumerate() {
            let program =
                programs.iter().position(|program| *program == column.program).unwrap_or_default();
            let first = before.replace(program) != Some(program);
            let place = report.places.get(&(at, number)).unwrap_or(&nothing);
            let mut tally = Tally::default();
            if let Some(cell) = place.cell {
                tally.add(cell);
            }
            let listed: Vec<usize> =
                place.findings.iter().copied().filter(|at| *at < limits.findings).collect();
            let opened = listed.iter().find(|at| **at < with_article);
            let href =
                opened.and_then(|at| report.findings.get(*at).map(|finding| anchor(*at, finding)));
            text.push_str(&td(&Square {
                class: place.class(&report.findings),
                tally: &tally,
                program,
                first,
                label: &format!("{}: {}", column.subject, row.group.name()),
                reason: place.cell.and_then(|cell| cell.reason.as_deref()),
                opens: &listed,
                href,
            }));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div>\n");
    text
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

fn td(square: &Square<'_>) -> String {
    let Square { class, tally, program, first, label, reason, opens, href } = square;
    let counts: Vec<String> =
        Class::WORST_FIRST.iter().map(|class| tally.of(*class).to_string()).collect();
    let told: Vec<String> = (Class::WORST_FIRST.iter())
        .filter(|class| tally.of(**class) > 0)
        .map(|class| format!("{} {}", grouped(tally.of(*class)), class.name()))
        .collect();
    let told = if told.is_empty() { class.name().to_owned() } else { told.join(", ") };
    let title = attribute(&cut(&format!("{label}: {told}")));
    let mut text = format!(
        "<td class=\"{}{}\" data-p=\"{program}\" data-s=\"{}\" data-n=\"{}\" title=\"{title}\"",
        style_class(*class),
        if *first { " first" } else { "" },
        weight(*class, tally),
        if tally.all() == 0 { String::new() } else { counts.join(",") },
    );
    if let Some(reason) = reason {
        let _ = write!(text, " data-r=\"{}\"", attribute(&cut(reason)));
    }
    if !opens.is_empty() {
        let places: Vec<String> = opens.iter().map(ToString::to_string).collect();
        let _ = write!(text, " data-f=\"{}\"", places.join(" "));
    }
    text.push('>');
    if *class != Class::Nothing {
        let shown = format!("<b>{}</b>{}", class.sign(), number(*class, tally, opens.len()));
        match href {
            Some(href) => {
                let _ = write!(text, "<a href=\"#{href}\">{shown}</a>");
            }
            None => text.push_str(&shown),
        }
        let rest =
            Class::WORST_FIRST.iter().filter(|other| *other != class && tally.of(**other) > 0);
        let rest: Vec<String> = rest
            .map(|other| format!("<span>{}{}</span>", other.sign(), short(tally.of(*other))))
            .collect();
        if !rest.is_empty() {
            let _ = write!(text, "<small>{}</small>", rest.join(""));
        }
    }
    text.push_str("</td>");
    text
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
    let rank = match class {
        Class::Nothing => 0,
        Class::Unsupported => 1,
        Class::Agree => 2,
        Class::Declared => 3,
        Class::Known => 4,
        Class::Diverge => 5,
        Class::Broken => 6,
        Class::Unreadable => 7,
    };
    rank * 1_000_000_000_000 + tally.of(class).min(999_999_999_999)
}
