//! Time budgets (`nfr.yaml`).

use serde::Deserialize;

use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budgets {
    pub budgets: Vec<Budget>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    pub id: At<String>,
    pub clauses: Vec<At<String>>,
    /// What is measured.
    pub measure: String,
    /// The limit.
    pub latency: Latency,
}

/// How long the calls of one group of a bench may take, in milliseconds, or beside another group. A
/// group without a bound is printed and not judged.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latency {
    /// The group's name in the bench.
    pub group: String,
    /// The group of the same questions asked otherwise, of a plain program mostly, to tell a ratio.
    #[serde(default)]
    pub beside: Option<String>,
    /// How many times as long as beside it the median of a question may take, whichever question.
    #[serde(default)]
    pub ratio_at_most: Option<f64>,
    /// What half of the calls are to stay within.
    #[serde(default)]
    pub median_target_ms: Option<f64>,
    /// What ninety-nine of a hundred calls have to stay within.
    #[serde(default)]
    pub p99_at_most_ms: Option<f64>,
}
