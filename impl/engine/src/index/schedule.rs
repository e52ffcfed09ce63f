//! The indexer's tasks, and the times of retries.

use std::collections::VecDeque;

use forge_search_core::index::{
    budget,
    settings::{self, Settings},
};

/// Most waiting tasks. Each kind waits once.
const MOST_TASKS: usize = 64;

/// A task of the indexer's thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Send the trigger of the process start.
    Begin,
    /// Remove the stored index.
    Remove,
    /// Open the store.
    Open,
    /// Verify the stored index.
    Check,
    /// Rewrite the index without denied files.
    Purge,
    /// Delete inactive rows of the store.
    Tidy,
    /// The same, even if other processes read them.
    TidyAll,
    /// `index_mode` changed.
    Mode(settings::Mode),
    /// Rebuild.
    Rebuild,
    /// A call timed out on the store's lock.
    LockTimedOut,
    /// A call found the store corrupt.
    Broken,
    /// Another process replaced the segments that this one had read.
    Reload,
    /// Evict the index.
    Evict,
}

impl Task {
    /// Whether it is handled between two turns. The others are handled by the part that they
    /// concern.
    fn is_message(self) -> bool {
        use Task::{Broken, Evict, LockTimedOut, Mode, Rebuild, Reload};
        matches!(self, Mode(_) | Rebuild | LockTimedOut | Broken | Reload | Evict)
    }
}

/// Work that is retried after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    Watch,
    Store,
    Scan,
    Tidy,
    /// Files that had a writer.
    Read,
}

/// The tasks and retries.
#[derive(Debug)]
pub(crate) struct Schedule {
    tasks: VecDeque<Task>,
    /// The time of each retry, in the order of [`Retry`].
    retries: [u64; 5],
    cooldown_until: Option<u64>,
    /// The number of builds begun, and whether the last one failed.
    builds: u64,
    failed: bool,
    /// How often a built index was corrupt, and the limit (E-C25).
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

    /// Removes a task. Whether it was there.
    pub(crate) fn drop(&mut self, task: Task) -> bool {
        let before = self.tasks.len();
        self.tasks.retain(|known| *known != task);
        self.tasks.len() < before
    }

    /// Adds or removes a task.
    pub(crate) fn set(&mut self, task: Task, wanted: bool) {
        if wanted {
            self.add(task);
        } else {
            self.drop(task);
        }
    }

    /// Removes the oldest message; not a rebuild if `without_rebuild`.
    pub(crate) fn next_message(&mut self, without_rebuild: bool) -> Option<Task> {
        let due = |task: &Task| task.is_message() && !(without_rebuild && *task == Task::Rebuild);
        let at = self.tasks.iter().position(due)?;
        self.tasks.remove(at)
    }

    pub(crate) fn has_messages(&self) -> bool {
        self.tasks.iter().any(|task| task.is_message())
    }

    /// Whether a removal or opening must precede a build, since it would replace what was built.
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

    /// Counts a build. Returns its number.
    pub(crate) fn begin_build(&mut self) -> u64 {
        self.builds += 1;
        self.builds
    }

    /// The number of the last build.
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

    /// Whether built indexes were corrupt more often than the limit permits.
    pub(crate) fn has_given_up(&self) -> bool {
        self.corruptions > self.most_corruptions
    }
}
