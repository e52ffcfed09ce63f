//! Decisions with time as a parameter (`index/decisions.yaml`).

use serde::Deserialize;

use super::figure::Figure;
use super::files;
use crate::closed::ids;
use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decisions {
    /// Criteria of the next eviction, most important first.
    pub eviction: Vec<OrderedBy<EvictionOrder>>,
    /// Criteria of the order of dirty entries, most important first.
    pub queue: Vec<OrderedBy<QueueOrder>>,
    /// Maximum number of dirty entries.
    pub queue_limit: Figure<u64>,
    /// Limits, and how they are compared.
    pub limits: Vec<LimitRule>,
    /// The maintenance budget of a call.
    pub maintenance: Maintenance,
    pub cooldown: Cooldown,
}

/// One criterion of an order.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderedBy<T> {
    pub by: At<T>,
    pub clauses: Vec<At<String>>,
}

ids! {
    /// A criterion of eviction.
    EvictionOrder {
        /// Least recently used first.
        OldestAccess = "oldest_access",
        LargestSize = "largest_size",
        SmallestKeyHash = "smallest_key_hash",
    }
}

ids! {
    /// A criterion of the dirty queue.
    QueueOrder {
        /// Smaller sequence number first.
        OldestSequence = "oldest_sequence",
        PathBytes = "path_bytes",
    }
}

/// How a configured limit is compared.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitRule {
    pub key: At<String>,
    /// Whether the limit itself is allowed.
    pub inclusive: bool,
    /// Whether 0 means no limit.
    pub zero_is_none: bool,
    pub of: String,
    pub clauses: Vec<At<String>>,
}

/// The maintenance budget of a call.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Maintenance {
    pub key: At<String>,
    /// Worked examples.
    pub vectors: Vec<MaintenanceVector>,
    pub clauses: Vec<At<String>>,
}

/// A worked example of a budget.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaintenanceVector {
    pub fraction: f64,
    pub timeout_ms: At<u64>,
    pub budget_ms: u64,
}

/// Whether a cooldown is active.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cooldown {
    pub key: At<String>,
    /// Worked examples.
    pub vectors: Vec<CooldownVector>,
    pub clauses: Vec<At<String>>,
}

/// A worked example of a cooldown.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CooldownVector {
    /// Its end, in milliseconds of a monotonic clock.
    pub disabled_until: At<u64>,
    pub now: u64,
    pub active: bool,
}

impl Decisions {
    /// The configuration keys that are named.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &At<String>> {
        self.limits
            .iter()
            .map(|limit| &limit.key)
            .chain([&self.maintenance.key, &self.cooldown.key])
    }

    pub(super) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        let eviction =
            self.eviction.iter().map(|row| (format!("`{}`", row.by.value.name()), &row.clauses));
        let queue =
            self.queue.iter().map(|row| (format!("`{}`", row.by.value.name()), &row.clauses));
        let limits =
            self.limits.iter().map(|row| (format!("the limit `{}`", row.key.value), &row.clauses));
        let single = [
            ("`queue_limit`".to_owned(), &self.queue_limit.clauses),
            ("`maintenance`".to_owned(), &self.maintenance.clauses),
            ("`cooldown`".to_owned(), &self.cooldown.clauses),
        ];
        let all = eviction.chain(queue).chain(limits).chain(single);
        all.map(|(what, clauses)| (files::DECISIONS, what, &**clauses)).collect()
    }
}
