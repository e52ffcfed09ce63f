//! What the medians come to, by kinds of questions.

use touchstone_benches::{median, quantile};

use crate::{Row, questions::Group, rivals::Rivals};

/// Prints one line for each question, then ratios of each rival to `Search`, by groups.
pub(crate) fn print(rows: &[Row], rivals: &Rivals) {
    let names = rivals.names();
    println!("\n| question | `Search`, ms | `grep` | {} |", names.join(" | "));
    println!("| --- | --- | --- | {} |", vec!["---"; names.len()].join(" | "));
    for row in rows {
        let others: Vec<String> = row.rivals.iter().map(|took| format!("{:.1}", median(took))).collect();
        let folded = if row.question.folded { ", folded" } else { "" };
        // A bar would end the cell.
        let pattern = row.question.pattern.replace('|', "\\|");
        println!(
            "| `{pattern}`{folded} | {:.1} | {:.1} | {} |",
            median(&row.search),
            median(&row.grep),
            others.join(" | ")
        );
    }
    println!(
        "\nHow many times faster `Search` is, and `grep`: the median, nine tenths are at least, the worst"
    );
    println!("\n| to | {} |", Group::ALL.map(Group::name).join(" | "));
    println!("| --- | {} |", ["---"; Group::ALL.len()].join(" | "));
    for (number, name) in names.iter().enumerate() {
        for (tool, own) in
            [("Search", (|row| &row.search) as fn(&Row) -> &Vec<f64>), ("grep", |row| &row.grep)]
        {
            let cells = Group::ALL.map(|group| {
                let of = rows.iter().filter(|row| row.question.group == group);
                let ratio = |row: &Row| Some(median(row.rivals.get(number)?) / median(own(row)));
                told(of.filter_map(ratio).collect())
            });
            println!("| {name}, `{tool}` | {} |", cells.join(" | "));
        }
    }
}

/// The median, the tenth from below and the least of ratios.
fn told(mut ratios: Vec<f64>) -> String {
    ratios.sort_by(f64::total_cmp);
    let [middle, tenth, worst] = [0.5, 0.1, 0.0].map(|share| quantile(&ratios, share));
    format!("{middle:.1}, {tenth:.1}, {worst:.2}")
}
