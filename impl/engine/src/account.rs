//! Memory accounting of calls in flight.
//!
//! Responsible for: the sum of the bytes that calls hold, on any number of threads, and refusing a
//! call that does not fit beside the others. Not here: how much a single call may take, which is
//! bounded where it arises. Invariants: a call that runs alone always fits, so no answer depends on
//! this account unless calls run side by side; every charge is returned, however a call ends.

use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use forge_search_core::ToolError;
use parking_lot::Mutex;

/// Bytes that all calls in flight may hold. One call at its limits takes most of it: 64 MiB of
/// answer and 64 MiB of text for each of two threads. An ordinary call takes less than 1 MiB. With
/// an index and what is not charged (compiled expressions, stacks) a process stays below 512 MiB.
pub(crate) const MOST_BYTES: u64 = 256 << 20;

/// Bytes charged for each byte of a call's arguments: parsed globs take about ten times their text.
/// The arguments of all calls together therefore have at most 16 MiB, eight times the longest
/// request.
const READ_FACTOR: u64 = 16;

/// The bytes charged by all calls of a service.
#[derive(Debug)]
pub(crate) struct MemoryPool {
    most: u64,
    held: Mutex<u64>,
}

impl Default for MemoryPool {
    fn default() -> Self {
        Self { most: MOST_BYTES, held: Mutex::new(0) }
    }
}

/// The bytes charged by one call. It counts towards the pool of a service after [`Self::join`].
#[derive(Debug, Default)]
pub(crate) struct MemoryAccount {
    shared: OnceLock<Arc<MemoryPool>>,
    /// Changed only under the lock of the pool.
    held: AtomicU64,
    over: AtomicBool,
}

impl MemoryAccount {
    /// Joins `shared` with `bytes`, unless the account has joined a pool already. `false` if they
    /// do not fit.
    pub(crate) fn join(&self, shared: &Arc<MemoryPool>, bytes: u64) -> bool {
        self.shared.set(Arc::clone(shared)).is_err() || self.charge(bytes, 0)
    }

    /// Joins `shared` with arguments of `bytes` bytes.
    pub(crate) fn join_with_arguments(
        &self,
        shared: &Arc<MemoryPool>,
        bytes: u64,
    ) -> Result<(), ToolError> {
        let fits = self.join(shared, bytes.saturating_mul(READ_FACTOR));
        if fits { Ok(()) } else { Err(self.refusal()) }
    }

    /// Adds `more` bytes and returns `less`. If the sum does not fit beside what other calls hold,
    /// nothing changes, the result is `false`, and the call is over.
    pub(crate) fn charge(&self, more: u64, less: u64) -> bool {
        let Some(shared) = self.shared.get() else { return true };
        let mut all = shared.held.lock();
        let own = self.held.load(Ordering::Relaxed);
        let others = all.saturating_sub(own);
        let then = own.saturating_add(more).saturating_sub(less);
        let fits = more <= less || others == 0 || others.saturating_add(then) <= shared.most;
        if fits {
            self.held.store(then, Ordering::Relaxed);
            *all = others.saturating_add(then);
        } else {
            self.over.store(true, Ordering::Relaxed);
        }
        fits
    }

    /// Whether a charge did not fit.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// The error of a call that did not fit.
    pub(crate) fn refusal(&self) -> ToolError {
        let most = self.shared.get().map_or(MOST_BYTES, |shared| shared.most);
        ToolError::busy(format!(
            "calls that run or wait hold as much as they may together, {most} bytes; wait for the \
             answer of one of them, then call again"
        ))
    }

    /// `result`, or the refusal if a charge did not fit.
    pub(crate) fn unless_over<T, E: From<ToolError>>(&self, came_to: Result<T, E>) -> Result<T, E> {
        if self.is_over() { Err(self.refusal().into()) } else { came_to }
    }

    /// An empty reservation.
    pub(crate) fn reservation(&self) -> Reservation<'_> {
        Reservation { account: self, bytes: 0 }
    }
}

impl Drop for MemoryAccount {
    fn drop(&mut self) {
        let held = self.held.load(Ordering::Relaxed);
        self.charge(0, held);
    }
}

/// A part of an account that grows and shrinks during a call, and is returned on drop.
#[derive(Debug)]
pub(crate) struct Reservation<'a> {
    account: &'a MemoryAccount,
    bytes: u64,
}

impl Reservation<'_> {
    /// Sets the size to `bytes`. `false`, and no change, if they do not fit.
    pub(crate) fn takes(&mut self, bytes: u64) -> bool {
        let fits = bytes == self.bytes || self.account.charge(bytes, self.bytes);
        if fits {
            self.bytes = bytes;
        }
        fits
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.takes(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(most: u64) -> Arc<MemoryPool> {
        Arc::new(MemoryPool { most, held: Mutex::new(0) })
    }

    fn joined(shared: &Arc<MemoryPool>) -> MemoryAccount {
        let account = MemoryAccount::default();
        account.join(shared, 0);
        account
    }

    #[test]
    fn concurrent_calls_fit_up_to_the_sum_and_a_single_call_always() {
        let shared = of(10);
        let (first, second) = (joined(&shared), joined(&shared));
        let (mut one, mut other) = (first.reservation(), second.reservation());
        assert!(one.takes(100), "it is alone");
        assert!(!other.takes(1) && second.is_over() && !first.is_over());
        assert!(one.takes(6) && other.takes(4) && !other.takes(5) && !one.takes(7));
        assert_eq!(*shared.held.lock(), 10);
    }

    #[test]
    fn every_reservation_is_released_when_it_or_its_call_ends() {
        let shared = of(10);
        let call = joined(&shared);
        assert!(call.charge(5, 0));
        {
            let (mut one, mut other) = (call.reservation(), call.reservation());
            assert!(one.takes(3) && other.takes(7), "a call does not stand in its own way");
            assert!(one.takes(1));
            assert_eq!(*shared.held.lock(), 13);
        }
        assert_eq!(*shared.held.lock(), 5);
        drop(call);
        assert_eq!(*shared.held.lock(), 0);
    }

    #[test]
    fn concurrent_reservations_leave_nothing_held() {
        let shared = of(1_000);
        std::thread::scope(|scope| {
            for number in 0..8_u64 {
                let shared = &shared;
                scope.spawn(move || {
                    for round in 0..500 {
                        let call = joined(shared);
                        let mut held = call.reservation();
                        held.takes((number * 31 + round * 17) % 300);
                        held.takes(round % 7);
                    }
                });
            }
        });
        assert_eq!(*shared.held.lock(), 0);
    }
}
