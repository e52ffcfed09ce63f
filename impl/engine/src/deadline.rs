//! Deadline and cancellation of a call.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Instant,
};

use crate::account::{MemoryAccount, Reservation};

/// Ends a call at its deadline, when it is cancelled, or when its memory does not fit beside other
/// calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline<'c> {
    pub(crate) at: Instant,
    /// Set when all calls of the service are cancelled.
    pub(crate) service: &'c AtomicBool,
    /// Set when this call is cancelled.
    pub(crate) call: &'c AtomicBool,
    /// Counts the files looked at, for callers that show progress.
    pub(crate) seen: Option<&'c AtomicU64>,
    pub(crate) account: &'c MemoryAccount,
}

impl<'c> Deadline<'c> {
    /// Counts files that have been looked at.
    pub(crate) fn count_files(&self, files: u64) {
        if let Some(seen) = self.seen {
            seen.fetch_add(files, Ordering::Relaxed);
        }
    }

    pub(crate) fn cancelled(&self) -> bool {
        self.call.load(Ordering::Relaxed) || self.service.load(Ordering::Relaxed)
    }

    /// Whether the call has to answer with what is known.
    pub(crate) fn expired(&self) -> bool {
        self.cancelled() || self.account.is_over() || Instant::now() >= self.at
    }

    /// An empty reservation in the call's account.
    pub(crate) fn reservation(&self) -> Reservation<'c> {
        self.account.reservation()
    }
}
