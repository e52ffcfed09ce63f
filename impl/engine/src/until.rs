//! When a call has to end.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// When a call has to end: at its deadline, or as soon as nobody waits for it any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until<'c> {
    pub(crate) deadline: Instant,
    /// Set when no call of the service is waited for any more.
    pub(crate) service: &'c AtomicBool,
    /// Set when this call is not.
    pub(crate) call: &'c AtomicBool,
}

impl Until<'_> {
    /// Whether nobody waits for the answer.
    pub(crate) fn cancelled(&self) -> bool {
        self.call.load(Ordering::Relaxed) || self.service.load(Ordering::Relaxed)
    }

    /// Whether the answer has to be given with what is known.
    pub(crate) fn over(&self) -> bool {
        self.cancelled() || Instant::now() >= self.deadline
    }
}
