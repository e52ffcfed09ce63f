//! Several documents in order, a row each.
//!
//! Invariants: what came and went is relative to the document before; the first has none.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use maud::{Markup, html};

use super::markdown::code;
use super::page::table;
use super::written::{beginning, grouped, shown, titled};
use super::{Report, cases};
use crate::results::Results;

/// Most documents that are listed: the last ones.
const MAX_LISTED: usize = 50;

const COLUMNS: [&str; 8] =
    ["document", "seed", "cases", "new", "known", "unexplained", "came", "went"];

const NOTE: &str = "Findings that came and went are relative to the document before. What went \
may only not have been met. `touchstone diff` names both.";

/// A document's name, and what stands in the other columns.
pub(super) type Row = (String, [String; 7]);

impl Report<'_> {
    /// Adds a trend over documents, each with its name, in their order. Of a single one there is
    /// none.
    #[must_use]
    pub fn with_trend(mut self, documents: &[(String, Results)]) -> Self {
        let rows = documents.iter().enumerate().map(|(at, (name, results))| {
            let before = at.checked_sub(1).and_then(|at| documents.get(at));
            (name.clone(), numbers(results, before.map(|(_, results)| results)))
        });
        self.trend = rows.filter(|_| documents.len() > 1).collect();
        self
    }

    /// How many documents are not listed, and the others.
    fn listed(&self) -> (usize, &[Row]) {
        let skipped = self.trend.len().saturating_sub(MAX_LISTED);
        (skipped, self.trend.get(skipped..).unwrap_or_default())
    }
}

fn numbers(results: &Results, before: Option<&Results>) -> [String; 7] {
    let ids = |results: &'_ Results| -> BTreeSet<String> {
        results.findings.iter().map(|finding| finding.id.clone()).collect()
    };
    let outcome = results.outcome();
    let (now, before) = (ids(results), before.map(ids));
    let told = |count: Option<usize>| count.map_or("–".to_owned(), |count| grouped(count as u64));
    [
        results.seed.to_string(),
        grouped(cases(results)),
        told(Some(outcome.new)),
        told(Some(outcome.known)),
        grouped(outcome.unexplained),
        told(before.as_ref().map(|before| now.difference(before).count())),
        told(before.as_ref().map(|before| before.difference(&now).count())),
    ]
}

/// For the page.
pub(super) fn html(report: &Report<'_>) -> Markup {
    let (skipped, rows) = report.listed();
    let rows = html! { @for (at, (name, numbers)) in rows.iter().enumerate() {
        tr {
            td data-l="document" data-s=(at) { (shown(name)) }
            @for (column, number) in COLUMNS.iter().skip(1).zip(numbers) {
                @let key = number.replace(',', "").replace('–', "-1");
                td.num data-l=(column) data-s=(key) { (number) }
            }
        }
        "\n"
    } };
    html! { @if !report.trend.is_empty() { section #trend {
        h2 { "Trend " small { (report.trend.len()) } }
        (table(None, &COLUMNS, &rows))
        p { @if skipped > 0 { (skipped) " earlier documents are not listed. " } (titled(NOTE)) }
    } } }
}

/// For a comment.
pub(super) fn markdown(report: &Report<'_>) -> String {
    let (skipped, rows) = report.listed();
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!("| {} |\n| --- |{}\n", COLUMNS.join(" | "), " ---: |".repeat(7));
    for (name, numbers) in rows {
        let name = code(&beginning(name, 80)).replace('|', "\\|");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| {name} | {} |", numbers.join(" | "));
    }
    if skipped > 0 {
        let _ = writeln!(text, "\n{skipped} earlier documents are not in this table.");
    }
    format!("{text}\n{NOTE}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{groups, sample};

    fn forms(documents: &[(String, Results)]) -> [String; 2] {
        let (groups, last) = (groups().unwrap(), &documents.last().unwrap().1);
        let report = Report::new(last, &groups).with_trend(documents);
        [report.html(), report.markdown()]
    }

    #[test]
    fn a_document_is_held_against_the_one_before() {
        let first = sample::small();
        let mut second = Results { seed: 8, ..sample::small() };
        second.findings.remove(0);
        second.findings.extend([sample::finding(3), sample::finding(4)]);
        second.cells[0].diverge = 1;
        second.cost.cases = 1234;
        let name = |name: &str, results| (name.to_owned(), results);
        let documents = [name("a.json", first), name(sample::HOSTILE, second)];
        let [page, comment] = forms(&documents);
        let (_, rows) = page.split_once("<section id=\"trend\">").unwrap();
        let numbers: Vec<&str> = rows
            .split("<td class=\"num\" data-l=\"")
            .skip(1)
            .map(|cell| cell.split(['>', '<']).nth(1).unwrap())
            .take(14)
            .collect();
        let told = ["7", "95", "1", "1", "0", "–", "–", "8", "1,234", "2", "1", "1", "2", "1"];
        assert_eq!(numbers, told);
        assert!(comment.contains("| `a.json` | 7 | 95 | 1 | 1 | 0 | – | – |\n"), "{comment}");
        assert!(comment.contains(" | 8 | 1,234 | 2 | 1 | 1 | 2 | 1 |\n"), "{comment}");
        assert!(!page.contains("<img") && page.contains("&lt;/script&gt;&lt;img"));
    }

    #[test]
    fn one_document_has_no_trend_and_the_first_of_many_are_counted() {
        let document = ("a.json".to_owned(), sample::small());
        let [page, comment] = forms(std::slice::from_ref(&document));
        assert!(!page.contains("id=\"trend\"") && !comment.contains("a.json"), "{comment}");
        let many = vec![document; MAX_LISTED + 3];
        let [page, comment] = forms(&many);
        assert_eq!(page.matches("data-l=\"document\"").count(), MAX_LISTED);
        assert!(page.contains("3 earlier documents are not listed."));
        assert!(comment.contains("\n3 earlier documents are not in this table.\n"), "{comment}");
    }
}
