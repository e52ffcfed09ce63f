//! How many calls are accepted within any window of time: the accepted ones are kept for as long as
//! they count.
//!
//! Responsible for: whether one more call is accepted; if not, when one would be; how many there
//! were of each key. Left to neighbours: the clock, what a key is, what the limit is, and that one
//! thread at a time asks. Invariants: no window ends with more accepted calls than the limit its
//! last one was asked with; a refused call leaves no trace; no more is kept than the accepted calls
//! of one window. Nothing here knows what is limited.
//!
//! Not the crate `governor`: its algorithm (GCRA) keeps one moment for each limit. That is no count
//! within a window (a whole limit at once and then the steady rate are nearly two limits within one
//! window), and cannot say how many calls there were of which key.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

/// The accepted calls of one window, in the order of their times.
#[derive(Clone, Debug)]
pub struct RateLimiter {
    window_ms: u64,
    /// When, and of which key.
    accepted: VecDeque<(u64, Arc<str>)>,
    /// How many of `accepted` each key has, keys without any left out.
    counts: BTreeMap<Arc<str>, u64>,
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It may go on.
    Accepted {
        /// Accepted calls of the window that ends with this one, itself included.
        used: u64,
        /// The limit it was asked with.
        limit: u64,
    },
    /// It may not, and is not counted.
    Refused {
        /// The time until a call would be accepted, if none is before.
        retry_after_ms: u64,
    },
}

impl Decision {
    /// Whether callers should be told that they come near the limit: four fifths of it, rounded up,
    /// are used.
    pub fn is_near(self) -> bool {
        match self {
            Self::Accepted { used, limit } => u128::from(used) * 5 >= u128::from(limit) * 4,
            Self::Refused { .. } => true,
        }
    }
}

/// Milliseconds as callers are told them: in seconds rounded up, at least one.
pub fn retry_after_seconds(retry_after_ms: u64) -> u64 {
    retry_after_ms.div_ceil(1_000).max(1)
}

impl RateLimiter {
    /// Nothing accepted yet, of windows of this length.
    pub fn new(window_ms: u64) -> Self {
        Self { window_ms, accepted: VecDeque::new(), counts: BTreeMap::new() }
    }

    /// Whether a call of `key` at `now_ms` is accepted, which it is if fewer than `limit` were, of
    /// all keys together, at times in (`now_ms` - window, `now_ms`]. The limit may be another one
    /// at each call. A time before that of the last accepted call is taken for that.
    pub fn try_acquire(&mut self, key: &str, limit: u64, now_ms: u64) -> Decision {
        let now_ms = self.accepted.back().map_or(now_ms, |(last, _)| now_ms.max(*last));
        self.evict(now_ms);
        let used = self.accepted.len() as u64;
        let Some(over) = used.checked_sub(limit) else {
            self.accept(key, now_ms);
            return Decision::Accepted { used: used + 1, limit };
        };
        // One call has room as soon as all but `limit - 1` of the accepted ones have left the
        // window. With a limit of nothing there is never room; a window from now is then as good a
        // time to try_acquire again as any.
        let last_in_the_way = usize::try_from(over).ok().and_then(|at| self.accepted.get(at));
        let free_ms = last_in_the_way.map_or(now_ms, |(at, _)| *at).saturating_add(self.window_ms);
        Decision::Refused { retry_after_ms: free_ms.saturating_sub(now_ms) }
    }

    /// The accepted calls of each key at times in (`now_ms` - window, `now_ms`]; keys without any
    /// are left out.
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

    /// Lets go of what no window that ends now or later holds.
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
        // A burst under a limit that has been lowered since does not keep its room.
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
