//! Tables of medians, by kind of query.

use std::fmt::Write;

use touchstone_benches::{median, quantile};

use crate::{Row, plot::Line, questions::Group, rivals::Rivals};

/// One line for each question.
pub(crate) fn questions(rows: &[Row], rivals: &Rivals) -> String {
    let names = rivals.names();
    let mut out =
        format!("| question | `Search`, ms | `grep` | in process | {} |\n", names.join(" | "));
    let _ = writeln!(out, "| --- | --- | --- | --- | {} |", vec!["---"; names.len()].join(" | "));
    for row in rows {
        let others: Vec<String> =
            row.rivals.iter().map(|took| format!("{:.1}", median(took))).collect();
        let folded = if row.question.folded { ", folded" } else { "" };
        // A bar would end the cell.
        let pattern = row.question.pattern.replace('|', "\\|");
        let _ = writeln!(
            out,
            "| `{pattern}`{folded} | {:.1} | {:.1} | {:.1} | {} |",
            median(&row.search),
            median(&row.grep),
            median(&row.in_process),
            others.join(" | ")
        );
    }
    out
}

/// Ratios of each rival to `Search` and to `grep`, by groups: the median, nine tenths are at least,
/// the worst.
pub(crate) fn ratios(rows: &[Row], rivals: &Rivals) -> String {
    let mut out = format!("| to | {} |\n", Group::ALL.map(Group::name).join(" | "));
    let _ = writeln!(out, "| --- | {} |", ["---"; Group::ALL.len()].join(" | "));
    for (number, name) in rivals.names().iter().enumerate() {
        for (tool, own) in
            [("Search", (|row| &row.search) as fn(&Row) -> &Vec<f64>), ("grep", |row| &row.grep)]
        {
            let cells = Group::ALL.map(|group| {
                let of = rows.iter().filter(|row| row.question.group == group);
                told(
                    of.filter_map(|row| Some(median(row.rivals.get(number)?) / median(own(row))))
                        .collect(),
                )
            });
            let _ = writeln!(out, "| {name}, `{tool}` | {} |", cells.join(" | "));
        }
    }
    out
}

/// How a call through the server compares with one in process: the largest excess over 1.5 times,
/// in ms.
pub(crate) fn excess(rows: &[Row]) -> f64 {
    let over = |row: &Row| median(&row.search) - 1.5 * median(&row.in_process);
    rows.iter().map(over).fold(f64::NEG_INFINITY, f64::max)
}

/// For each rival by how much every question is answered faster by `Search`, ascending.
pub(crate) fn lines(rows: &[Row], rivals: &Rivals) -> Vec<Line> {
    let line = |(number, name): (usize, &&str)| {
        let ratio = |row: &Row| Some(median(row.rivals.get(number)?) / median(&row.search));
        let mut ratios: Vec<f64> = rows.iter().filter_map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        (name.replace('`', ""), ratios)
    };
    rivals.names().iter().enumerate().map(line).collect()
}

/// The median, the tenth from below and the least of ratios.
fn told(mut ratios: Vec<f64>) -> String {
    ratios.sort_by(f64::total_cmp);
    let [middle, tenth, worst] = [0.5, 0.1, 0.0].map(|share| quantile(&ratios, share));
    format!("{middle:.1}, {tenth:.1}, {worst:.2}")
}
