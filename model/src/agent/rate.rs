//! The rate limit of a session, as a function of the times of calls (section 8).

use crate::tables::agent::AgentLimits;

/// The decision about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Accepted {
        /// Whether the answer has the notice of a near limit.
        near: bool,
    },
    Refused {
        /// Seconds until another call would be accepted.
        retry_after_seconds: u64,
    },
}

/// The decisions about calls at these times, in milliseconds and not decreasing, with at most
/// `most` calls in any window.
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
            // Near means at least this percentage, rounded up, this call included.
            Decision::Accepted {
                near: (used + 1).saturating_mul(100) >= most.saturating_mul(limits.near_percent),
            }
        } else {
            // A call has room once all but `most - 1` accepted calls have left the window.
            let leaving = usize::try_from(used - most).ok().and_then(|place| recent.get(place));
            let wait = leaving.map_or(window, |then| then.saturating_add(window) - now);
            Decision::Refused { retry_after_seconds: wait.div_ceil(1_000).max(1) }
        });
    }
    decisions
}

#[cfg(test)]
mod tests;
