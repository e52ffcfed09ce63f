//! A call in progress, as those see it who wait for it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::account::MemoryAccount;

/// One call in progress: it can be cancelled, and asked how far it is. Share it by reference.
#[derive(Debug, Default)]
pub struct Call {
    pub(crate) cancelled: AtomicBool,
    pub(crate) files: AtomicU64,
    pub(crate) account: MemoryAccount,
}

impl Call {
    /// A call that has not begun.
    pub fn new() -> Self {
        Self::default()
    }

    /// Nobody waits for the answer any more: what is known is the answer, as at the deadline.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// How many files have been looked at.
    pub fn files_seen(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }
}
