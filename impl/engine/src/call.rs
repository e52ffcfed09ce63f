//! Progress and cancellation of one call.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::account::MemoryAccount;

/// A call in progress. Share it by reference with the threads that cancel it or read its progress.
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

    /// Ends the call as its deadline would: the answer is what has been found.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Files looked at so far.
    pub fn files_seen(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }
}
