//! Decisions with time passed in: `index/decisions.yaml`.

use serde::Deserialize;

use super::figure::Figure;
use super::files;
use crate::closed::ids;
use crate::place::At;

/// Who is evicted, in which order the queue is worked off, and what limits mean.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decisions {
    /// By what the next victim of eviction is chosen, the most important first.
    pub eviction: Vec<OrderedBy<EvictionOrder>>,
    /// By what dirty entries are ordered, the most important first.
    pub queue: Vec<OrderedBy<QueueOrder>>,
    /// At most so many dirty entries.
    pub queue_limit: Figure<u64>,
    /// Limits, and how they are compared.
    pub limits: Vec<LimitRule>,
    /// What one call may spend on upkeep.
    pub maintenance: Maintenance,
    /// Whether a cooldown is active.
    pub cooldown: Cooldown,
}

/// One criterion of an order.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderedBy<T> {
    /// Which.
    pub by: At<T>,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

ids! {
    /// A criterion of eviction.
    EvictionOrder {
        /// Least recently used first.
        OldestAccess = "oldest_access",
        /// Larger first.
        LargestSize = "largest_size",
        /// Smaller key hash first.
        SmallestKeyHash = "smallest_key_hash",
    }
}

ids! {
    /// A criterion of the dirty queue.
    QueueOrder {
        /// Smaller sequence number first.
        OldestSequence = "oldest_sequence",
        /// Path bytes.
        PathBytes = "path_bytes",
    }
}

/// How a configured limit is compared.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitRule {
    /// The configuration key.
    pub key: At<String>,
    /// Whether the amount itself is within the limit.
    pub inclusive: bool,
    /// Whether 0 means that there is none.
    pub zero_is_none: bool,
    /// What it limits.
    pub of: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// What one call may spend on upkeep.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Maintenance {
    /// The configuration key.
    pub key: At<String>,
    /// Worked examples.
    pub vectors: Vec<MaintenanceVector>,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// What one call may spend, for example.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaintenanceVector {
    /// The configured fraction.
    pub fraction: f64,
    /// The call's timeout.
    pub timeout_ms: At<u64>,
    /// What it may spend.
    pub budget_ms: u64,
}

/// Whether a cooldown is active.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cooldown {
    /// The configuration key.
    pub key: At<String>,
    /// Worked examples.
    pub vectors: Vec<CooldownVector>,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// Whether a cooldown is active, for example.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CooldownVector {
    /// When it ends, in milliseconds of a clock that never goes back.
    pub disabled_until: At<u64>,
    /// The time on it.
    pub now: u64,
    /// Whether it is active.
    pub active: bool,
}

impl Decisions {
    /// The configuration keys it names.
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
