//! Tables of figures, each with the interval that holds 95 % of 2,000 drawings of the tasks.

use touchstone_benches::means::{interval, mean};

use crate::{
    Outcome, Ranking,
    quality::{FIRST, Quality},
};

/// What one table shows of a ranking.
type Figure = (&'static str, fn(&Quality) -> Option<f64>);

const RECALL: [Figure; 3] = [
    ("recall@1", |quality| Some(quality.recall[0])),
    ("recall@5", |quality| Some(quality.recall[1])),
    ("recall@10", |quality| Some(quality.recall[2])),
];
const STRICT: [Figure; 3] = [
    ("all@1", |quality| Some(quality.strict[0])),
    ("all@5", |quality| Some(quality.strict[1])),
    ("all@10", |quality| Some(quality.strict[2])),
];
#[expect(clippy::cast_precision_loss, reason = "an answer has no 2^53 tokens")]
const PLACES: [Figure; 3] = [
    ("MRR", |quality| Some(quality.reciprocal)),
    ("NDCG@10", |quality| Some(quality.ndcg)),
    ("tokens", |quality| quality.tokens.map(|tokens| tokens as f64)),
];
/// By what the tool is better than a rival.
const GAINS: [Figure; 3] = [RECALL[1], RECALL[2], PLACES[0]];

/// Prints the tables of a group of tasks.
pub(crate) fn print(title: &str, results: &[&Outcome]) {
    const { assert!(FIRST[0] == 1 && FIRST[1] == 5 && FIRST[2] == 10) };
    if results.is_empty() {
        return;
    }
    let asked: Vec<(Ranking, Vec<Quality>)> = Ranking::ALL
        .into_iter()
        .filter_map(|ranking| {
            let qualities =
                results.iter().map(|result| result.of(ranking)).collect::<Option<_>>()?;
            Some((ranking, qualities))
        })
        .collect();
    println!("\n### {title} ({} tasks)", results.len());
    for figures in [RECALL, STRICT, PLACES] {
        println!("\n{}", head("", figures));
        for (ranking, qualities) in &asked {
            let cells = figures.map(|(_, figure)| {
                let values: Vec<f64> = qualities.iter().filter_map(figure).collect();
                if values.is_empty() { String::new() } else { cell(&values, false) }
            });
            println!("| {} | {} |", ranking.name(), cells.join(" | "));
        }
    }
    let tool = asked.iter().find(|(ranking, _)| *ranking == Ranking::Keywords);
    let refused = tool.map_or(0, |(_, tool)| tool.iter().filter(|quality| quality.refused).count());
    if refused > 0 {
        println!(
            "\nOf these, `keyword_search` found all terms too broad, and nothing, for {refused}."
        );
    }
    let rivals: Vec<_> =
        asked.iter().filter(|(ranking, _)| *ranking != Ranking::Keywords).collect();
    if let (Some((_, tool)), false) = (tool, rivals.is_empty()) {
        println!("\n{}", head("keyword_search is better by", GAINS));
        for (rival, qualities) in rivals {
            let cells = GAINS.map(|(_, figure)| {
                let pairs = tool.iter().filter_map(figure).zip(qualities.iter().filter_map(figure));
                cell(&pairs.map(|(tool, rival)| tool - rival).collect::<Vec<_>>(), true)
            });
            println!("| {} | {} |", rival.name(), cells.join(" | "));
        }
    }
}

fn head(name: &str, figures: [Figure; 3]) -> String {
    let names = figures.map(|(name, _)| name);
    format!("| {name} | {} |\n| --- | --- | --- | --- |", names.join(" | "))
}

/// A mean with its interval; counts of tokens without fractions.
fn cell(values: &[f64], signed: bool) -> String {
    let (low, high) = interval(values);
    let middle = mean(values.iter().copied());
    if signed {
        // As narrow as the other tables.
        format!("{middle:+.3} [{low:+.3}, {high:+.3}]").replace("0.", ".")
    } else if middle > 2.0 {
        format!("{middle:.0} [{low:.0}, {high:.0}]")
    } else {
        format!("{middle:.3} [{low:.3}, {high:.3}]")
    }
}

/// Prints what `--each` says of a task: the place of the first right file in each ranking, then
/// what the task is.
pub(crate) fn print_each(result: &Outcome) {
    let place = |ranking| {
        let place = result.of(ranking)?.place;
        Some(place.map_or("-".to_owned(), |place| place.to_string()))
    };
    let places: Vec<String> =
        Ranking::ALL.into_iter().map(|ranking| place(ranking).unwrap_or_default()).collect();
    let task = &result.task;
    println!("{}\t{}\t{}\t{}", places.join("\t"), task.set.name(), task.id, task.truth.join(" "));
}
