//! Sessions and their rate limit (FR-015b-28 to FR-015b-31, E-I15; docs/agent-tools.md, section 8).

use std::collections::BTreeMap;

use forge_search_core::{
    agent::{Notice, NoticeKind, Refusal},
    rate_limit::{Decision, RateLimiter},
};
use parking_lot::Mutex;

/// A client's session, with its own rate limit.
#[derive(Debug)]
pub struct Session {
    limiter: Mutex<RateLimiter>,
}

impl Default for Session {
    fn default() -> Self {
        Self { limiter: Mutex::new(RateLimiter::new(Self::WINDOW_MS)) }
    }
}

impl Session {
    /// Window of the rate limit, in milliseconds.
    pub const WINDOW_MS: u64 = 60_000;

    /// Counts a call if the limit permits it; returns the notice about the limit, if one is due.
    pub(super) fn admit(
        &self,
        tool: &str,
        limit: u64,
        now_ms: u64,
    ) -> Result<Option<Notice>, Refusal> {
        let (decision, counts) = {
            let mut limiter = self.limiter.lock();
            (limiter.try_acquire(tool, limit, now_ms), limiter.counts(now_ms))
        };
        match decision {
            Decision::Refused { retry_after_ms } => Err(Refusal::rate_limited(limit, retry_after_ms)),
            Decision::Accepted { used, limit } => Ok(decision.is_near().then(|| {
                let each: Vec<String> = counts.iter().map(|(tool, count)| format!("{tool} {count}")).collect();
                let each = each.join(", ");
                let why = format!("{used} of {limit} searches of the last minute are used ({each}); one more than that is refused until some are a minute old");
                Notice::new(NoticeKind::RateLimitNear, why)
            })),
        }
    }

    /// The accepted calls of the last minute, by tool.
    pub fn counts(&self, now_ms: u64) -> BTreeMap<String, u64> {
        self.limiter.lock().counts(now_ms)
    }
}
