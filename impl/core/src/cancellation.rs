//! Work of unknown length in portions, between which it is asked whether the result is still
//! wanted. Whoever has a clock gives the question; there is none here.

use std::{cell::Cell, fmt};

/// Steps of work between two questions: some tens of microseconds.
const PORTION: usize = 1 << 14;

/// Counts steps of work. Once it is over it stays over, and what the work said since is void:
/// whoever made the cancellation looks at [`Cancellation::is_cancelled`] before using a result.
pub struct Cancellation<'p> {
    left: Cell<usize>,
    over: Cell<bool>,
    stop: Option<Box<dyn Fn() -> bool + Send + 'p>>,
}

impl<'p> Cancellation<'p> {
    /// Work that is never stopped.
    pub fn never() -> Self {
        Self { left: Cell::new(usize::MAX), over: Cell::new(false), stop: None }
    }

    /// Work that ends when `stop` says so.
    pub fn when(stop: impl Fn() -> bool + Send + 'p) -> Self {
        Self { left: Cell::new(PORTION), over: Cell::new(false), stop: Some(Box::new(stop)) }
    }

    /// So many steps are done. `false` if no more are wanted.
    pub fn go_on(&self, steps: usize) -> bool {
        match self.left.get().checked_sub(steps) {
            Some(left) => self.left.set(left),
            None => self.ask(),
        }
        !self.over.get()
    }

    /// Whether nothing more is wanted, as of the last question.
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
    fn it_is_asked_once_for_every_portion_and_the_answer_stays() {
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
