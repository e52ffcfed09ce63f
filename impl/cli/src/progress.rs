//! Progress of what takes longer than a second: on a terminal, on standard error, and nowhere else.

use std::{
    io::IsTerminal as _,
    sync::{Arc, Condvar, Mutex, OnceLock, PoisonError},
    thread::{self, JoinHandle},
    time::Duration,
};

use forge_search_engine::Call;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long nothing is shown.
const QUIET: Duration = Duration::from_secs(1);
/// How long it is from one change of what is shown to the next.
const BETWEEN: Duration = Duration::from_millis(100);
const TEMPLATE: &str = "{spinner} {msg}, {elapsed}";

/// Shows how far something is until it is dropped.
pub(crate) struct Progress {
    shown: Option<Shown>,
}

struct Shown {
    bar: ProgressBar,
    over: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// How many files a call has looked at.
    pub(crate) fn of_files(call: &Arc<Call>) -> Self {
        Self::of_search(call, |_| None)
    }

    /// The same, and of how many. These are counted once something is shown, since that takes a
    /// walk of its own; nobody waits for it.
    pub(crate) fn of_search(
        call: &Arc<Call>,
        count: impl FnOnce(&Call) -> Option<u64> + Send + 'static,
    ) -> Self {
        let call = Arc::clone(call);
        let (mut count, mut counted) = (Some(count), None);
        Self::new(move || {
            if let Some(count) = count.take() {
                counted = Some(Count::begin(count));
            }
            let seen = HumanCount(call.files_seen());
            match counted.as_ref().and_then(|count| count.files.get()).copied().flatten() {
                Some(files) => format!("{seen} of {} files", HumanCount(files)),
                None => format!("{seen} files"),
            }
        })
    }

    /// That something goes on.
    pub(crate) fn of(what: &'static str) -> Self {
        Self::new(move || what.to_owned())
    }

    fn new(mut how_far: impl FnMut() -> String + Send + 'static) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { shown: None };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        let over = Arc::new((Mutex::new(false), Condvar::new()));
        let (drawn, ended) = (bar.clone(), Arc::clone(&over));
        let thread = thread::spawn(move || {
            let mut wait = QUIET;
            while !is_over(&ended, wait) {
                if wait == QUIET {
                    drawn.set_draw_target(ProgressDrawTarget::stderr());
                    wait = BETWEEN;
                }
                drawn.set_message(how_far());
                drawn.tick();
            }
        });
        Self { shown: Some(Shown { bar, over, thread: Some(thread) }) }
    }

    /// Does something with the terminal while nothing is shown there.
    pub(crate) fn aside<T>(&self, act: impl FnOnce() -> T) -> T {
        match &self.shown {
            Some(shown) => shown.bar.suspend(act),
            None => act(),
        }
    }
}

/// Files that are being counted, until it is dropped.
struct Count {
    files: Arc<OnceLock<Option<u64>>>,
    call: Arc<Call>,
    thread: Option<JoinHandle<()>>,
}

impl Count {
    fn begin(count: impl FnOnce(&Call) -> Option<u64> + Send + 'static) -> Self {
        let (files, call) = (Arc::<OnceLock<_>>::default(), Arc::<Call>::default());
        let (told, until) = (Arc::clone(&files), Arc::clone(&call));
        let thread = thread::spawn(move || {
            // Nobody else sets it.
            let _ = told.set(count(&until));
        });
        Self { files, call, thread: Some(thread) }
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        self.call.cancel();
        if let Some(thread) = self.thread.take() {
            // A panic in it is no reason to lose an answer.
            let _ = thread.join();
        }
    }
}

/// Whether it is over, after so long at the latest.
fn is_over((over, changed): &(Mutex<bool>, Condvar), wait: Duration) -> bool {
    let over = over.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = changed.wait_timeout_while(over, wait, |over| !*over);
    let (over, _) = waited.unwrap_or_else(PoisonError::into_inner);
    *over
}

impl Drop for Shown {
    fn drop(&mut self) {
        let (over, changed) = &*self.over;
        *over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // It ends by itself, and a panic in it is no reason to lose an answer.
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}
