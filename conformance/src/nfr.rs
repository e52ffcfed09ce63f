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

use criterion::Run;

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

/// The limits of a budget, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allowed {
    /// Target of the median.
    pub target: Option<f64>,
    /// Limit of the 99th percentile.
    pub maximum: f64,
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
}

impl Verdict {
    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Missed => "target missed",
            Self::Beyond => "BEYOND",
            Self::Missing => "missing",
        }
    }
}

impl Row {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match &self.found {
            Err(_) => Verdict::Missing,
            Ok(found) if found.p99 > self.allowed.maximum => Verdict::Beyond,
            Ok(found) if self.allowed.target.is_some_and(|target| found.p50 > target) => {
                Verdict::Missed
            }
            Ok(_) => Verdict::Kept,
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
pub fn judge(budgets: &[Budget], run: &Run) -> Vec<Row> {
    budgets.iter().map(|budget| judged(budget, found(&budget.latency, run))).collect()
}

fn judged(budget: &Budget, found: Result<Measured, String>) -> Row {
    Row {
        id: budget.id.value.clone(),
        clauses: budget.clauses.iter().map(|clause| clause.value.clone()).collect(),
        allowed: Allowed {
            target: budget.latency.median_target_ms,
            maximum: budget.latency.p99_at_most_ms,
        },
        found,
    }
}

fn found(latency: &Latency, run: &Run) -> Result<Measured, String> {
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
        "{:<22} {:>6} {:>9} {:>9} {:>9} {:>9} {:>17}  verdict",
        "budget", "calls", "p50 ms", "target", "p99 ms", "maximum", "to rg: mid, worst"
    );
    for row in rows {
        let target = row.allowed.target.map_or_else(|| "-".to_owned(), |target| target.to_string());
        let verdict = row.verdict().name();
        let maximum = row.allowed.maximum;
        match &row.found {
            Err(_) => {
                let _ = writeln!(
                    text,
                    "{:<22} {:>6} {:>9} {target:>9} {:>9} {maximum:>9} {:>17}  {verdict}",
                    row.id, "-", "-", "-", "-"
                );
            }
            Ok(found) => {
                let ratios = found.ratios();
                let ratios = ratios
                    .map_or_else(|| "-".to_owned(), |(mid, worst)| format!("{mid:.4}, {worst:.4}"));
                let _ = writeln!(
                    text,
                    "{:<22} {:>6} {:>9.2} {target:>9} {:>9.2} {maximum:>9} {ratios:>17}  {verdict}",
                    row.id, found.calls, found.p50, found.p99
                );
            }
        }
    }
    for (id, why) in rows.iter().filter_map(|row| Some((&row.id, row.found.as_ref().err()?))) {
        let _ = writeln!(text, "{id}: {why}");
    }
    if questions {
        for row in rows {
            let _ = writeln!(text, "\n{}", row.id);
            for question in row.found.iter().flat_map(|found| &found.questions) {
                let beside = question.beside.map_or_else(String::new, |rival| {
                    format!("{rival:>9.1} rg {:>8.4}", question.p50 / rival)
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
