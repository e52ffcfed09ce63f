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

/// Permitted duration of the calls of a bench group, in milliseconds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latency {
    /// The group's name in the bench.
    pub group: String,
    /// A group with the same questions to a plain program, for a ratio.
    #[serde(default)]
    pub beside: Option<String>,
    /// The target of the median.
    #[serde(default)]
    pub median_target_ms: Option<f64>,
    /// The limit of the 99th percentile.
    pub p99_at_most_ms: f64,
}
