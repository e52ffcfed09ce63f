//! What the indexer has been asked to do, and when what failed may be tried again.

use std::collections::VecDeque;

use forge_search_core::index::{
    budget,
    settings::{self, Settings},
};

/// Tasks waiting at most; they are few kinds, and each is worth having once.
const MOST_TASKS: usize = 64;

/// Something to be done by the indexer's thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Say that the process has begun.
    Begin,
    /// Remove what is stored.
    Remove,
    /// Open the store.
    Open,
    /// Check all that is stored.
    Check,
    /// Write the index anew without what is denied now.
    Purge,
    /// Remove from the store what is inactive.
    Tidy,
    /// The same, although others read it.
    TidyAll,
    /// `index_mode` is another now.
    Mode(settings::Mode),
    /// Build anew.
    Rebuild,
    /// A call could not get at the store in time.
    LockTimedOut,
    /// A call found what was stored broken.
    Broken,
    /// Another process replaced what this one had read.
    Reload,
    /// This index goes, as if its room were needed.
    Evict,
}

impl Task {
    /// Whether it is a message, taken up between two turns; the others are looked for where they
    /// belong.
    fn is_message(self) -> bool {
        use Task::{Broken, Evict, LockTimedOut, Mode, Rebuild, Reload};
        matches!(self, Mode(_) | Rebuild | LockTimedOut | Broken | Reload | Evict)
    }
}

/// What is tried again after a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    Watch,
    Store,
    Scan,
    Tidy,
    /// Files that were being written when they were to be read.
    Read,
}

/// What the indexer has to do.
#[derive(Debug)]
pub(crate) struct Schedule {
    tasks: VecDeque<Task>,
    /// When each may be tried again, in the order of [`Retry`].
    retries: [u64; 5],
    cooldown_until: Option<u64>,
    /// Builds begun in this process, and whether the last one failed.
    builds: u64,
    failed: bool,
    /// How often what had been built was found corrupt, and may be (E-C25).
    corruptions: u64,
    most_corruptions: u64,
}

impl Schedule {
    pub(crate) fn new(settings: &Settings) -> Self {
        Self {
            tasks: [Task::Begin, Task::Open, Task::Tidy].into(),
            retries: [0; 5],
            cooldown_until: None,
            builds: 0,
            failed: false,
            corruptions: 0,
            most_corruptions: if settings.index_retry_on_failure { u64::MAX } else { 1 },
        }
    }

    pub(crate) fn has(&self, task: Task) -> bool {
        self.tasks.contains(&task)
    }

    pub(crate) fn add(&mut self, task: Task) {
        if !self.has(task) && self.tasks.len() < MOST_TASKS {
            self.tasks.push_back(task);
        }
    }

    /// Adds a task before all others.
    pub(crate) fn add_first(&mut self, task: Task) {
        if !self.has(task) {
            self.tasks.push_front(task);
        }
    }

    /// Takes a task off. Whether it was there.
    pub(crate) fn drop(&mut self, task: Task) -> bool {
        let before = self.tasks.len();
        self.tasks.retain(|known| *known != task);
        self.tasks.len() < before
    }

    /// A task stands there or not.
    pub(crate) fn set(&mut self, task: Task, wanted: bool) {
        if wanted {
            self.add(task);
        } else {
            self.drop(task);
        }
    }

    /// What was told first; without a rebuild if that has to wait.
    pub(crate) fn next_message(&mut self, without_rebuild: bool) -> Option<Task> {
        let due = |task: &Task| task.is_message() && !(without_rebuild && *task == Task::Rebuild);
        let at = self.tasks.iter().position(due)?;
        self.tasks.remove(at)
    }

    pub(crate) fn has_messages(&self) -> bool {
        self.tasks.iter().any(|task| task.is_message())
    }

    /// What is stored is to be removed or opened before anything is built: it would take the place
    /// of what was built.
    pub(crate) fn opens_first(&self) -> bool {
        self.has(Task::Remove) || self.has(Task::Open)
    }

    pub(crate) fn is_due(&self, what: Retry, now_ms: u64) -> bool {
        self.retries.get(what as usize).is_none_or(|at| now_ms >= *at)
    }

    pub(crate) fn retry_at(&mut self, what: Retry, at_ms: u64) {
        if let Some(retry) = self.retries.get_mut(what as usize) {
            *retry = at_ms;
        }
    }

    pub(crate) fn set_cooldown(&mut self, until: Option<u64>) {
        self.cooldown_until = until;
    }

    /// Whether a cooldown runs, and whether it has an end.
    pub(crate) fn cooling_down(&self, now_ms: u64) -> (bool, bool) {
        (budget::cooling_down(self.cooldown_until, now_ms), self.cooldown_until.is_some())
    }

    /// A build begins. Its number.
    pub(crate) fn begin_build(&mut self) -> u64 {
        self.builds += 1;
        self.builds
    }

    /// The last build.
    pub(crate) fn build(&self) -> u64 {
        self.builds
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    pub(crate) fn set_failed(&mut self, failed: bool) {
        self.failed = failed;
    }

    pub(crate) fn count_corruption(&mut self) {
        self.corruptions += 1;
    }

    /// Whether what was built was found corrupt more often than it is built anew for.
    pub(crate) fn has_given_up(&self) -> bool {
        self.corruptions > self.most_corruptions
    }
}
