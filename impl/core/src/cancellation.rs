//! Cancellation of long computations. The caller supplies the stop condition, since this crate has
//! no clock.

use std::{cell::Cell, fmt};

/// Steps between two checks: some tens of microseconds of work.
const PORTION: usize = 1 << 14;

/// Counts steps of work and checks the stop condition once per 16,384 steps. Cancellation is final;
/// results computed since are void, so the caller checks [`Cancellation::is_cancelled`] before it
/// uses them.
pub struct Cancellation<'p> {
    left: Cell<usize>,
    over: Cell<bool>,
    stop: Option<Box<dyn Fn() -> bool + Send + 'p>>,
}

impl<'p> Cancellation<'p> {
    /// Work that is never cancelled.
    pub fn never() -> Self {
        Self { left: Cell::new(usize::MAX), over: Cell::new(false), stop: None }
    }

    /// Work that is cancelled once `stop` returns true.
    pub fn when(stop: impl Fn() -> bool + Send + 'p) -> Self {
        Self { left: Cell::new(PORTION), over: Cell::new(false), stop: Some(Box::new(stop)) }
    }

    /// Counts `steps`. `false` once the work is cancelled.
    pub fn go_on(&self, steps: usize) -> bool {
        match self.left.get().checked_sub(steps) {
            Some(left) => self.left.set(left),
            None => self.ask(),
        }
        !self.over.get()
    }

    /// Whether the last check cancelled the work.
    pub fn is_cancelled(&self) -> bool {
        self.over.get()
    }

    #[cold]
    fn ask(&self) {
        self.left.set(PORTION);
        if self.stop.as_ref().is_some_and(|stop| stop()) {
            self.over.set(true);
        }
    }
}

impl fmt::Debug for Cancellation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancellation").field("over", &self.over).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancellation_is_polled_once_per_portion_and_is_final() {
        let asked = Cell::new(0);
        let counted = std::sync::Mutex::new(0);
        let cancellation = Cancellation::when(|| {
            let mut counted = counted.lock().unwrap();
            *counted += 1;
            *counted == 2
        });
        while cancellation.go_on(PORTION / 4) {
            asked.set(asked.get() + 1);
        }
        assert!(cancellation.is_cancelled() && !cancellation.go_on(0));
        assert!((8..=10).contains(&asked.get()), "{}", asked.get());
        assert!(Cancellation::never().go_on(usize::MAX));
    }
}
