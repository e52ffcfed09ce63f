//! JobEnd what a child has started and left behind in another process group.
//!
//! Orphans come to the nearest ancestor that adopts them. A program that does is told apart which
//! call they are of by a mark in their environment, which they inherit.

use std::{
    collections::BTreeSet,
    fs, io,
    process::{Child, Command},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid,
};

/// The variable that holds the mark.
const VARIABLE: &str = "FORGE_SEARCH_CALL";
/// How long a killed process may take to end.
const PATIENCE: Duration = Duration::from_millis(100);

/// Whether this process adopts orphans.
static ADOPTS: OnceLock<bool> = OnceLock::new();
/// Children that this process started itself and waits for elsewhere.
static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn started() -> MutexGuard<'static, BTreeSet<i32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on, processes that a search program leaves behind become children of this process and
/// end with the call that started the program. For programs all of whose children are started by
/// this library.
pub fn adopt_orphans() {
    ADOPTS.get_or_init(|| set_child_subreaper(Some(getpid())).is_ok());
}

/// What a child has started bears its mark.
pub(super) struct OrphanMark {
    variable: String,
    child: i32,
}

impl OrphanMark {
    /// Starts `command`, with a mark if orphans are adopted.
    pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, Option<Self>)> {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        if !ADOPTS.get().is_some_and(|adopts| *adopts) {
            return Ok((command.spawn()?, None));
        }
        let value = format!("{}.{}", getpid().as_raw_pid(), CALLS.fetch_add(1, Ordering::Relaxed));
        command.env(VARIABLE, &value);
        // Held while the child is started, so that nobody takes it for an orphan before it is
        // listed.
        let mut started = started();
        let process = command.spawn()?;
        let child = Pid::from_child(&process).as_raw_pid();
        started.insert(child);
        Ok((process, Some(Self { variable: format!("{VARIABLE}={value}"), child })))
    }

    /// Kills everything that bears the mark, and reaps what has ended. The child itself has been
    /// waited for.
    pub(super) fn end(&self) {
        let deadline = Instant::now() + PATIENCE;
        started().remove(&self.child);
        // The children of a killed orphan come here in turn. What cannot be killed now ends when
        // the system lets it.
        while Instant::now() < deadline && self.reap() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Kills and reaps once. Whether something is about to end.
    fn reap(&self) -> bool {
        let started = started();
        let orphans = children().into_iter().filter(|child| !started.contains(&child.as_raw_pid()));
        let mut ending = false;
        for orphan in orphans {
            if !matches!(waitpid(Some(orphan), WaitOptions::NOHANG), Ok(None)) {
                continue;
            }
            match self.bearer(orphan) {
                MarkOwner::This => {
                    // It may have ended since.
                    let _ = kill_process(orphan, Signal::KILL);
                    ending = true;
                }
                MarkOwner::Gone => ending = true,
                MarkOwner::Other => {}
            }
        }
        ending
    }

    fn bearer(&self, process: Pid) -> MarkOwner {
        let environment =
            fs::read(format!("/proc/{}/environ", process.as_raw_pid())).unwrap_or_default();
        if environment.is_empty() {
            return MarkOwner::Gone;
        }
        let bears = environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == self.variable.as_bytes());
        if bears { MarkOwner::This } else { MarkOwner::Other }
    }
}

/// Whose mark a process bears.
enum MarkOwner {
    /// That of this call.
    This,
    /// That of another call, or none.
    Other,
    /// It has given up its memory and is about to end, as what was killed with its group does.
    Gone,
}

/// The children of this process, whichever thread they count for.
fn children() -> Vec<Pid> {
    let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let pids: Vec<i32> = lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>()
        })
        .collect();
    pids.into_iter().filter_map(Pid::from_raw).collect()
}
