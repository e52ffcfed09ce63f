//! What a bench has measured, held against the budgets of `spec/nfr.yaml`.
//!
//! Responsible for: percentiles over the calls of a group, the verdict on each budget, the table.
//! Not here: measuring (`benches`), the budgets (the specification), reading what criterion has
//! stored ([`criterion`]). Invariants: what was not measured, or not in the last run, or not call
//! by call, is said to be missing and never taken for kept.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use touchstone_spec::{Budget, Latency};

pub mod criterion;
pub mod record;

use criterion::Functions;

/// The result of one budget.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The budget.
    pub id: String,
    /// The clauses that it implements.
    pub clauses: Vec<String>,
    pub allowed: Allowed,
    /// The measured values, or why there are none.
    pub found: Result<Measured, String>,
}

/// What a budget allows; times in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Allowed {
    /// Target of the median.
    pub target: Option<f64>,
    /// For the 99th percentile.
    pub maximum: Option<f64>,
    /// How many times as long as beside it a question may take.
    pub ratio: Option<f64>,
}

/// Measurements of one group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    pub calls: usize,
    /// Median, in milliseconds.
    pub p50: f64,
    /// 99th percentile, in milliseconds.
    pub p99: f64,
    /// Each query by itself.
    pub questions: Vec<Question>,
}

/// Measurements of one query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The query.
    pub name: String,
    /// Median, in milliseconds.
    pub p50: f64,
    /// 99th percentile, in milliseconds.
    pub p99: f64,
    /// Median of the reference program, in milliseconds, if it was measured.
    pub beside: Option<f64>,
}

/// The verdict on a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Within target and maximum.
    Kept,
    /// Within the maximum, above the target.
    Missed,
    /// Above the maximum.
    Beyond,
    /// Not measured.
    Missing,
    /// A figure without a bound.
    Unbounded,
}

impl Verdict {
    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Missed => "target missed",
            Self::Beyond => "BEYOND",
            Self::Missing => "missing",
            Self::Unbounded => "no bound",
        }
    }
}

impl Row {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        let Allowed { target, maximum, ratio } = self.allowed;
        let Ok(found) = &self.found else { return Verdict::Missing };
        let worst = found.ratios().map(|(_, worst)| worst);
        let over = |value: f64, most: Option<f64>| most.is_some_and(|most| value > most);
        if over(found.p99, maximum) || worst.is_some_and(|worst| over(worst, ratio)) {
            Verdict::Beyond
        } else if ratio.is_some() && worst.is_none() {
            Verdict::Missing
        } else if over(found.p50, target) {
            Verdict::Missed
        } else if self.allowed == Allowed::default() {
            Verdict::Unbounded
        } else {
            Verdict::Kept
        }
    }
}

impl Measured {
    /// Ratios of medians, ours to the reference program's: the median ratio and the largest.
    pub fn ratios(&self) -> Option<(f64, f64)> {
        let mut ratios: Vec<f64> = self
            .questions
            .iter()
            .filter_map(|question| Some(question.p50 / question.beside?))
            .collect();
        ratios.sort_by(f64::total_cmp);
        Some((percentile(&ratios, 50)?, *ratios.last()?))
    }
}

/// The verdict on every budget, in their order.
pub fn judge<'b>(budgets: impl IntoIterator<Item = &'b Budget>, measured: &Functions) -> Vec<Row> {
    budgets.into_iter().map(|budget| judged(budget, found(&budget.latency, measured))).collect()
}

fn judged(budget: &Budget, found: Result<Measured, String>) -> Row {
    Row {
        id: budget.id.value.clone(),
        clauses: budget.clauses.iter().map(|clause| clause.value.clone()).collect(),
        allowed: Allowed {
            target: budget.latency.median_target_ms,
            maximum: budget.latency.p99_at_most_ms,
            ratio: budget.latency.ratio_at_most,
        },
        found,
    }
}

fn found(latency: &Latency, run: &Functions) -> Result<Measured, String> {
    let group = run.group(&latency.group)?;
    let beside = match &latency.beside {
        Some(name) => run.group(name)?,
        None => BTreeMap::new(),
    };
    let mut all: Vec<f64> = group.values().flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    let nothing = || format!("`{}` has no calls", latency.group);
    if latency.beside.is_some() && !group.keys().any(|name| beside.contains_key(name)) {
        return Err(format!("the plain program was asked no question of `{}`", latency.group));
    }
    let questions = group.iter().map(|(name, calls)| {
        let mut calls = calls.clone();
        calls.sort_by(f64::total_cmp);
        let mut rivals = beside.get(name).cloned().unwrap_or_default();
        rivals.sort_by(f64::total_cmp);
        Ok(Question {
            name: name.clone(),
            p50: percentile(&calls, 50).ok_or_else(nothing)?,
            p99: percentile(&calls, 99).ok_or_else(nothing)?,
            beside: percentile(&rivals, 50),
        })
    });
    Ok(Measured {
        questions: questions.collect::<Result<_, String>>()?,
        calls: all.len(),
        p50: percentile(&all, 50).ok_or_else(nothing)?,
        p99: percentile(&all, 99).ok_or_else(nothing)?,
    })
}

/// The least of the sorted values that at least so many hundredths of them do not exceed.
pub fn percentile(sorted: &[f64], hundredths: usize) -> Option<f64> {
    let rank = (sorted.len() * hundredths).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

/// The table of budgets; with every question if `questions`.
pub fn table(rows: &[Row], questions: bool) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "{:<25} {:>6} {:>9} {:>9} {:>9} {:>9} {:>17} {:>9}  verdict",
        "budget", "calls", "p50 ms", "target", "p99 ms", "maximum", "beside: mid, most", "maximum"
    );
    for row in rows {
        let shown = |bound: Option<f64>| bound.map_or_else(|| "-".to_owned(), |it| it.to_string());
        let Allowed { target, maximum, ratio } = row.allowed;
        let (target, maximum, ratio) = (shown(target), shown(maximum), shown(ratio));
        let none = || "-".to_owned();
        let (calls, p50, p99, ratios) = match &row.found {
            Err(_) => (none(), none(), none(), none()),
            Ok(found) => {
                let ratios = found.ratios();
                let ratios =
                    ratios.map_or_else(none, |(mid, worst)| format!("{mid:.4}, {worst:.4}"));
                let [p50, p99] = [found.p50, found.p99].map(|millis| format!("{millis:.2}"));
                (found.calls.to_string(), p50, p99, ratios)
            }
        };
        let _ = writeln!(
            text,
            "{:<25} {calls:>6} {p50:>9} {target:>9} {p99:>9} {maximum:>9} {ratios:>17} {ratio:>9}  {}",
            row.id,
            row.verdict().name()
        );
    }
    for (id, why) in rows.iter().filter_map(|row| Some((&row.id, row.found.as_ref().err()?))) {
        let _ = writeln!(text, "{id}: {why}");
    }
    if questions {
        for row in rows {
            let _ = writeln!(text, "\n{}", row.id);
            for question in row.found.iter().flat_map(|found| &found.questions) {
                let beside = question.beside.map_or_else(String::new, |beside| {
                    format!("beside {beside:>9.1} {:>8.4}", question.p50 / beside)
                });
                let _ = writeln!(
                    text,
                    "{:>9.2} {:>9.2} {beside}  {}",
                    question.p50, question.p99, question.name
                );
            }
        }
    }
    text
}

#[cfg(test)]
mod tests;
