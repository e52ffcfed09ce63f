//! Budgets of time, memory and differences: `nfr.yaml`.

use serde::Deserialize;

use crate::place::At;
use crate::requirement::Verify;

/// All budgets.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budgets {
    /// The budgets.
    pub budgets: Vec<Budget>,
}

/// One budget; exactly one of the amounts is given.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Its id.
    pub id: At<String>,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
    /// What is measured.
    pub measure: String,
    /// Most allowed, as a ratio of two measurements of the same run.
    #[serde(default)]
    pub ratio_at_most: Option<f64>,
    /// Most allowed, in bytes.
    #[serde(default)]
    pub bytes_at_most: Option<u64>,
    /// Most allowed, in milliseconds.
    #[serde(default)]
    pub milliseconds_at_most: Option<u64>,
    /// Most allowed, as a number of things.
    #[serde(default)]
    pub count_at_most: Option<u64>,
    /// Most allowed for single calls of a bench.
    #[serde(default)]
    pub latency: Option<Latency>,
    /// By what kind of check.
    pub checked: Verify,
}

/// How long the calls of one group of a bench may take, in milliseconds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latency {
    /// The group's name, as the bench gives it.
    pub group: String,
    /// The group of the same questions asked of a plain program, to tell a ratio.
    #[serde(default)]
    pub beside: Option<String>,
    /// What half of the calls are to stay within.
    #[serde(default)]
    pub median_target_ms: Option<f64>,
    /// What ninety-nine of a hundred calls have to stay within.
    pub p99_at_most_ms: f64,
}

impl Budget {
    /// How many amounts are given; a sound budget has one.
    pub(crate) fn amounts(&self) -> usize {
        [
            self.ratio_at_most.is_some(),
            self.bytes_at_most.is_some(),
            self.milliseconds_at_most.is_some(),
            self.count_at_most.is_some(),
            self.latency.is_some(),
        ]
        .into_iter()
        .filter(|given| *given)
        .count()
    }
}
