//! The rate limit.
//!
//! Responsible for: what becomes of calls of one session that come at given times (section 8).
//! Left to neighbours: which calls get this far (`request`), the answer to a call that does not get
//! further.
//! Invariants: a function of the times alone; refused calls change nothing.

use crate::tables::agent::AgentLimits;

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It is answered.
    Accepted {
        /// Whether the answer says that the limit is near.
        near: bool,
    },
    /// It is refused.
    Refused {
        /// When another would be accepted.
        retry_after_seconds: u64,
    },
}

/// What becomes of calls at these times, in milliseconds and not falling, if so many are allowed in
/// any window.
pub fn decisions(limits: &AgentLimits, most: u64, times: &[u64]) -> Vec<Decision> {
    let window = limits.window_seconds.saturating_mul(1_000);
    let mut accepted: Vec<u64> = Vec::new();
    let mut decisions = Vec::new();
    for now in times {
        let recent: Vec<u64> =
            accepted.iter().copied().filter(|then| then.saturating_add(window) > *now).collect();
        let used = u64::try_from(recent.len()).unwrap_or(u64::MAX);
        decisions.push(if used < most {
            accepted.push(*now);
            // From so many percent on, rounded up, this call included.
            Decision::Accepted {
                near: (used + 1).saturating_mul(100) >= most.saturating_mul(limits.near_percent),
            }
        } else {
            // A place is free once so many have left the window that one fewer than the limit
            // remain.
            let leaving = usize::try_from(used - most).ok().and_then(|place| recent.get(place));
            let wait = leaving.map_or(window, |then| then.saturating_add(window) - now);
            Decision::Refused { retry_after_seconds: wait.div_ceil(1_000).max(1) }
        });
    }
    decisions
}

#[cfg(test)]
mod tests;
