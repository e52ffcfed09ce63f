//! Decisions with time as a parameter (`docs/claims.md`, section 8): exceeded limits, eviction, the
//! maintenance budget of a call, re-evaluation of thresholds, cooldowns. `queue` and `debounce`
//! have state; the functions here have none.
//!
//! All times are milliseconds of one monotonic clock.

mod debounce;
mod queue;

pub use debounce::{Change, Debouncer, Event};
pub use queue::{DirtyQueue, Entry, Kind};

use std::cmp::Ordering;

use super::tables::{DecisionTables, EvictionOrder, Limit};

/// Whether a value exceeds the configured limit.
pub fn exceeds(tables: &DecisionTables<'_>, limit: Limit, value: u64, bound: u64) -> bool {
    tables.limits.iter().find(|row| row.limit == limit).is_some_and(|row| {
        let unlimited = row.zero_is_none && bound == 0;
        !unlimited && if row.inclusive { value > bound } else { value >= bound }
    })
}

/// The limits of a build, or what it has used (FR-LSI-BUD-INIT-01).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuildBudget {
    pub milliseconds: u64,
    pub files: u64,
    /// Bytes tokenized.
    pub bytes: u64,
}

/// The limits that a build exceeds. `slept` is the part of the used milliseconds that throttling
/// took (E-C40).
pub fn build_exceeds(
    tables: &DecisionTables<'_>,
    budget: &BuildBudget,
    used: &BuildBudget,
    slept: u64,
) -> Vec<Limit> {
    let worked = used.milliseconds.saturating_sub(slept);
    let rows = [
        (Limit::IndexBuildTimeoutMs, worked, budget.milliseconds),
        (Limit::IndexBuildMaxFiles, used.files, budget.files),
        (Limit::IndexBuildMaxBytes, used.bytes, budget.bytes),
    ];
    exceeded(tables, &rows)
}

/// The limits that one slice of a reconcile scan exceeds (E-C28).
pub fn reconcile_exceeds(
    tables: &DecisionTables<'_>,
    (max_files, max_milliseconds): (u64, u64),
    (files, milliseconds): (u64, u64),
) -> Vec<Limit> {
    let rows = [
        (Limit::ReconcileMaxFiles, files, max_files),
        (Limit::ReconcileMaxMs, milliseconds, max_milliseconds),
    ];
    exceeded(tables, &rows)
}

/// Whether a tree is large enough for an index in mode `auto` (E-C35).
pub fn is_worth_building(
    tables: &DecisionTables<'_>,
    (threshold_files, threshold_bytes): (u64, u64),
    (files, bytes): (u64, u64),
) -> bool {
    let rows = [
        (Limit::IndexAutoThresholdFiles, files, threshold_files),
        (Limit::IndexAutoThresholdBytes, bytes, threshold_bytes),
    ];
    !exceeded(tables, &rows).is_empty()
}

fn exceeded(tables: &DecisionTables<'_>, rows: &[(Limit, u64, u64)]) -> Vec<Limit> {
    let over = rows.iter().filter(|(limit, value, bound)| exceeds(tables, *limit, *value, *bound));
    over.map(|(limit, ..)| *limit).collect()
}

/// An index on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// The hash of its key, in the form that is compared.
    pub key_hash: String,
    /// Bytes on disk.
    pub size: u64,
    /// Time of the last use.
    pub last_access: u64,
    /// Whether it is in use or under construction (E-C37).
    pub held: bool,
}

/// The indexes to evict, in order (FR-LSI-IDX-RM-01/02).
pub fn victims<'a>(
    tables: &DecisionTables<'_>,
    (max_bytes, max_indexes): (u64, u64),
    stored: &'a [Stored],
) -> Vec<&'a Stored> {
    let mut left: Vec<&Stored> = stored.iter().collect();
    let mut victims = Vec::new();
    loop {
        let size = left.iter().map(|index| index.size).fold(0, u64::saturating_add);
        let too_much = exceeds(tables, Limit::IndexMaxDbBytes, size, max_bytes)
            || exceeds(tables, Limit::IndexMaxIndexes, left.len() as u64, max_indexes);
        let next = left
            .iter()
            .enumerate()
            .filter(|(_, index)| too_much && !index.held)
            .min_by(|(_, one), (_, other)| goes_first(tables.eviction, one, other));
        let Some((place, victim)) = next.map(|(place, victim)| (place, *victim)) else {
            return victims;
        };
        victims.push(victim);
        left.remove(place);
    }
}

/// Whether `one` is evicted before `other`.
fn goes_first(criteria: &[EvictionOrder], one: &Stored, other: &Stored) -> Ordering {
    let compared = criteria.iter().map(|criterion| match criterion {
        EvictionOrder::OldestAccess => one.last_access.cmp(&other.last_access),
        EvictionOrder::LargestSize => other.size.cmp(&one.size),
        EvictionOrder::SmallestKeyHash => one.key_hash.cmp(&other.key_hash),
    });
    compared.fold(Ordering::Equal, Ordering::then)
}

/// The maintenance budget of a call: `floor(index_maint_budget_fraction · timeout_ms)` milliseconds
/// (FR-LSI-BUD-MAINT-01).
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the formula is one in binary64; a fraction is not negative and not above 1"
)]
pub fn maintenance_milliseconds(fraction: f64, timeout_ms: u64) -> u64 {
    (fraction * timeout_ms as f64).floor() as u64
}

/// Whether thresholds are evaluated again after this many calls (FR-LSI-BG-06).
pub const fn is_reevaluated(calls: u64, every: u64) -> bool {
    calls > 0 && every > 0 && calls.is_multiple_of(every)
}

/// The end of the cooldown of an index disabled now; `None` if only a new process enables it
/// (FR-LSI-BUD-04).
pub const fn disabled_until(now: u64, cooldown_ms: u64) -> Option<u64> {
    if cooldown_ms == 0 { None } else { Some(now.saturating_add(cooldown_ms)) }
}

/// Whether a cooldown is active.
pub const fn is_cooling_down(now: u64, disabled_until: u64) -> bool {
    now < disabled_until
}

#[cfg(test)]
mod tests;
