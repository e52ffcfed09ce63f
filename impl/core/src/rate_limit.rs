//! A sliding-window rate limiter: at most `limit` calls within any window.
//!
//! The caller supplies the clock, keys and limit, and serialises access. Invariants: no window has
//! more accepted calls than the limit of its last call; a refused call leaves no trace; memory is
//! bounded by the accepted calls of one window.
//!
//! The crate `governor` is not used: GCRA stores one moment per limit. That is no count within a
//! window (a burst and then the steady rate make nearly twice the limit), and it has no counts per
//! key.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

/// The accepted calls of one window, in order of time.
#[derive(Clone, Debug)]
pub struct RateLimiter {
    window_ms: u64,
    /// Time and key of each.
    accepted: VecDeque<(u64, Arc<str>)>,
    /// Number of `accepted` by key; keys without any are absent.
    counts: BTreeMap<Arc<str>, u64>,
}

/// The decision about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The call may proceed.
    Accepted {
        /// Accepted calls of the window that ends with this one, itself included.
        used: u64,
        /// The limit of this call.
        limit: u64,
    },
    /// The call is refused and not counted.
    Refused {
        /// Milliseconds until a call would be accepted, if none is accepted before.
        retry_after_ms: u64,
    },
}

impl Decision {
    /// Whether four fifths of the limit, rounded up, are used.
    pub fn is_near(self) -> bool {
        match self {
            Self::Accepted { used, limit } => u128::from(used) * 5 >= u128::from(limit) * 4,
            Self::Refused { .. } => true,
        }
    }
}

/// Converts milliseconds to seconds, rounded up, at least one.
pub fn retry_after_seconds(retry_after_ms: u64) -> u64 {
    retry_after_ms.div_ceil(1_000).max(1)
}

impl RateLimiter {
    /// An empty limiter with windows of this length.
    pub fn new(window_ms: u64) -> Self {
        Self { window_ms, accepted: VecDeque::new(), counts: BTreeMap::new() }
    }

    /// Decides about a call of `key` at `now_ms`: it is accepted if fewer than `limit` calls of all
    /// keys were accepted in (`now_ms` - window, `now_ms`]. The limit may change from call to call.
    /// A time before the last accepted call counts as that time.
    pub fn try_acquire(&mut self, key: &str, limit: u64, now_ms: u64) -> Decision {
        let now_ms = self.accepted.back().map_or(now_ms, |(last, _)| now_ms.max(*last));
        self.evict(now_ms);
        let used = self.accepted.len() as u64;
        let Some(over) = used.checked_sub(limit) else {
            self.accept(key, now_ms);
            return Decision::Accepted { used: used + 1, limit };
        };
        // There is room once all but `limit - 1` accepted calls have left the window. With a limit
        // of 0 there is never room; the end of the window is then as good as any time.
        let last_in_the_way = usize::try_from(over).ok().and_then(|at| self.accepted.get(at));
        let free_ms = last_in_the_way.map_or(now_ms, |(at, _)| *at).saturating_add(self.window_ms);
        Decision::Refused { retry_after_ms: free_ms.saturating_sub(now_ms) }
    }

    /// Accepted calls by key in (`now_ms` - window, `now_ms`]; keys without any are absent.
    pub fn counts(&self, now_ms: u64) -> BTreeMap<String, u64> {
        let mut counts = self.counts.clone();
        for (_, key) in self.accepted.iter().take_while(|(at, _)| self.is_expired(*at, now_ms)) {
            if let Some(count) = counts.get_mut(key) {
                *count -= 1;
            }
        }
        counts
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(key, count)| (key.to_string(), count))
            .collect()
    }

    fn accept(&mut self, key: &str, now_ms: u64) {
        let known = self.counts.get_key_value(key).map(|(key, _)| Arc::clone(key));
        let key = known.unwrap_or_else(|| Arc::from(key));
        *self.counts.entry(Arc::clone(&key)).or_default() += 1;
        self.accepted.push_back((now_ms, key));
    }

    /// Removes calls that no window ending now or later contains.
    fn evict(&mut self, now_ms: u64) {
        while self.accepted.front().is_some_and(|(at, _)| self.is_expired(*at, now_ms)) {
            let Some((_, key)) = self.accepted.pop_front() else { return };
            if let Some(count) = self.counts.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    self.counts.remove(&key);
                }
            }
        }
        // Releases the memory of a burst under a higher limit.
        if self.accepted.capacity() > 64 && self.accepted.len() < self.accepted.capacity() / 4 {
            self.accepted.shrink_to(self.accepted.len() * 2);
        }
    }

    /// Whether a call accepted at this time no longer counts.
    fn is_expired(&self, at_ms: u64, now_ms: u64) -> bool {
        now_ms.saturating_sub(at_ms) >= self.window_ms
    }
}

#[cfg(test)]
mod tests;
