//! When a call has to end.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Instant,
};

use crate::account::{MemoryAccount, Reservation};

/// When a call has to end: at its deadline, as soon as nobody waits for it any more, or when there
/// is no room for what it holds beside other calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline<'c> {
    pub(crate) at: Instant,
    /// Set when no call of the service is waited for any more.
    pub(crate) service: &'c AtomicBool,
    /// Set when this call is not.
    pub(crate) call: &'c AtomicBool,
    /// Counts the files that have been looked at, if somebody wants to know.
    pub(crate) seen: Option<&'c AtomicU64>,
    /// What the call holds.
    pub(crate) account: &'c MemoryAccount,
}

impl<'c> Deadline<'c> {
    /// A file has been looked at.
    pub(crate) fn saw(&self, files: u64) {
        if let Some(seen) = self.seen {
            seen.fetch_add(files, Ordering::Relaxed);
        }
    }

    /// Whether nobody waits for the answer.
    pub(crate) fn cancelled(&self) -> bool {
        self.call.load(Ordering::Relaxed) || self.service.load(Ordering::Relaxed)
    }

    /// Whether the answer has to be given with what is known.
    pub(crate) fn expired(&self) -> bool {
        self.cancelled() || self.account.is_over() || Instant::now() >= self.at
    }

    /// Something that the call is going to hold.
    pub(crate) fn reservation(&self) -> Reservation<'c> {
        self.account.reservation()
    }
}
