//! Ends processes that a child has started and left behind in another process group.
//!
//! Orphans are reparented to the nearest ancestor that adopts them. A variable in their
//! environment, which they inherit, says which call they belong to.

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

/// The environment variable that holds the mark.
const VARIABLE: &str = "FORGE_SEARCH_CALL";
/// How long a call waits for killed processes to exit.
const PATIENCE: Duration = Duration::from_millis(100);
/// How long a thread waits for those that took longer.
const LONG_PATIENCE: Duration = Duration::from_secs(10);

/// Whether this process adopts orphans.
static ADOPTS: OnceLock<bool> = OnceLock::new();
/// Children that this process started itself and reaps elsewhere.
static STARTED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

fn started() -> MutexGuard<'static, BTreeSet<i32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes processes that a search program leaves behind children of this process; they end with the
/// call that started the program. Only for programs all of whose children are started by this
/// library.
pub fn adopt_orphans() {
    ADOPTS.get_or_init(|| set_child_subreaper(Some(getpid())).is_ok());
}

/// Marks the descendants of one child.
pub(super) struct OrphanMark {
    variable: String,
    child: i32,
}

impl OrphanMark {
    /// Starts `command`, marked if orphans are adopted.
    pub(super) fn spawn(command: &mut Command) -> io::Result<(Child, Option<Self>)> {
        static CALLS: AtomicU64 = AtomicU64::new(0);
        if !ADOPTS.get().is_some_and(|adopts| *adopts) {
            return Ok((command.spawn()?, None));
        }
        let value = format!("{}.{}", getpid().as_raw_pid(), CALLS.fetch_add(1, Ordering::Relaxed));
        command.env(VARIABLE, &value);
        // Held while the child is started, so that no other call takes it for an orphan before it
        // is listed.
        let mut started = started();
        let process = command.spawn()?;
        let child = Pid::from_child(&process).as_raw_pid();
        started.insert(child);
        Ok((process, Some(Self { variable: format!("{VARIABLE}={value}"), child })))
    }

    /// Kills everything that has the mark, and reaps what has exited. The child itself has been
    /// reaped. What the system has not scheduled for [`PATIENCE`], amid `execve` for instance, is
    /// ended by a thread.
    pub(super) fn end(self) {
        started().remove(&self.child);
        if !self.all_exit_within(PATIENCE) {
            thread::spawn(move || self.all_exit_within(LONG_PATIENCE));
        }
    }

    /// The children of a killed orphan are reparented here in turn, so this asks again.
    fn all_exit_within(&self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        while self.reap() {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(Duration::from_millis(1));
        }
        true
    }

    /// Kills and reaps once. `true` if a process is still exiting.
    fn reap(&self) -> bool {
        let started = started();
        let orphans = children().into_iter().filter(|child| !started.contains(&child.as_raw_pid()));
        let mut ending = false;
        for orphan in orphans {
            if !matches!(waitpid(Some(orphan), WaitOptions::NOHANG), Ok(None)) {
                continue;
            }
            match self.mark_owner(orphan) {
                MarkOwner::This => {
                    // It may have exited since.
                    let _ = kill_process(orphan, Signal::KILL);
                    ending = true;
                }
                MarkOwner::Gone => ending = true,
                MarkOwner::Other => {}
            }
        }
        ending
    }

    fn mark_owner(&self, process: Pid) -> MarkOwner {
        let read = |what: &str| {
            fs::read(format!("/proc/{}/{what}", process.as_raw_pid())).unwrap_or_default()
        };
        let environment = read("environ");
        if environment.is_empty() {
            // A process that was started without an environment has arguments.
            let has_memory = !read("cmdline").is_empty();
            return if has_memory { MarkOwner::Other } else { MarkOwner::Gone };
        }
        let bears = environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == self.variable.as_bytes());
        if bears { MarkOwner::This } else { MarkOwner::Other }
    }
}

/// Whose mark a process has.
enum MarkOwner {
    /// This call's.
    This,
    /// Another call's, or none.
    Other,
    /// The process has no memory that can be read: it is exiting, or amid `execve`.
    Gone,
}

/// The children of all threads of this process.
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

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::process::Stdio;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "it is started without an environment")]
    fn a_process_without_an_environment_is_not_awaited() {
        let mut cat = Command::new("/bin/cat");
        let mut child =
            cat.env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // Amid `execve` it has no arguments yet; once it answers it has.
        child.stdin.as_mut().unwrap().write_all(b"x").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let mark = OrphanMark { variable: format!("{VARIABLE}=1"), child: 0 };
        let owner = mark.mark_owner(Pid::from_child(&child));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(matches!(owner, MarkOwner::Other));
    }
}
