//! The child process that runs cases.
//!
//! Responsible for: what `touchstone worker` does: one job per line of standard input, one reply
//! per line of standard output, until the input ends. For a job it builds the tree, runs one
//! subject or one `as_written` block on it, and removes the tree. Not here: starting, watching and
//! replacing workers, and removing what a killed one left ([`crate::runner`]). Invariants: exactly
//! one reply per job; a panic in the subject is a reply, never a silence; one job at a time;
//! nothing is remembered from one job to the next.

use std::any::Any;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::as_written::ProgramOutput;
use crate::budget::BudgetSweep;
use crate::case::Case;
use crate::index_live::{Life, Played, play};
use crate::materialise::{self, Tree};
use crate::place::own_uid;
use crate::subject::{Backend, Broken, Observation};
use crate::subjects::forge;

/// Changes with the shape of [`Job`] or [`Reply`]; a worker of another build is refused by it.
pub const PROTOCOL: u32 = 6;

/// Longest line that is read on either side, in bytes. Cases stay far below: what is long in them
/// is repeated.
pub const MAX_LINE_BYTES: u64 = 256 << 20;

/// A job of a worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Job {
    /// Say who you are.
    Hello,
    /// Run one case on the service.
    Search {
        case: Box<Case>,
        /// The service's backend.
        backend: Backend,
        /// The backend's executable.
        executable: Option<PathBuf>,
        /// The service's threads.
        threads: usize,
        /// Whether the tree gets an index first.
        indexed: bool,
        /// Seed of the order in which entries are created.
        creation_order: Option<u64>,
        /// Directory to build the tree in; does not exist yet.
        scratch: PathBuf,
    },
    /// Call `search_files` under every budget.
    Sweep {
        case: Box<Case>,
        /// The service's backend.
        backend: Backend,
        /// The backend's executable.
        executable: Option<PathBuf>,
        /// Directory to build the tree in; does not exist yet.
        scratch: PathBuf,
    },
    /// Play the life of an index.
    Live {
        life: Box<Life>,
        /// Directory to play it in.
        scratch: PathBuf,
        /// Whether the tree is to be built first; or else it is what another life left.
        fresh: bool,
    },
    /// Run the `as_written` block of one case.
    AsWritten {
        case: Box<Case>,
        /// The program.
        executable: PathBuf,
        /// Directory to build the tree in; does not exist yet.
        scratch: PathBuf,
    },
}

/// A worker's reply.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// To [`Job::Hello`].
    Hello {
        /// [`PROTOCOL`] of its build.
        protocol: u32,
        /// Its effective user.
        uid: u32,
    },
    /// To [`Job::Search`].
    Observed(Observation),
    /// To [`Job::Sweep`].
    BudgetSweep(BudgetSweep),
    /// To [`Job::Live`].
    Played(Played),
    /// To [`Job::AsWritten`].
    Read(ProgramOutput),
    /// To any job.
    Broken(Broken),
}

/// How long a job may go on after the input has ended, when no reply is awaited.
const GRACE: Duration = Duration::from_secs(60);

/// Serves jobs from standard input until it ends.
pub fn main() -> ExitCode {
    let (to_serve, jobs) = sync_channel(1);
    let (ended, end) = channel();
    thread::spawn(move || {
        let result = serve(&jobs, &mut io::stdout());
        // The receiver is gone if the reader has given up.
        let _ = ended.send(result);
    });
    read_jobs(&mut BufReader::new(io::stdin()), &to_serve);
    drop(to_serve);
    // The input has ended: so does this process, even if a job does not.
    let result = end
        .recv_timeout(GRACE)
        .unwrap_or_else(|_| Err(io::Error::other("a job went on without end")));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "worker: {error}");
            ExitCode::from(2)
        }
    }
}

/// Passes on the lines of `input` until it ends or the receiver is gone. A last line without its
/// end was cut by the death of the parent.
fn read_jobs(input: &mut impl BufRead, jobs: &SyncSender<Vec<u8>>) {
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
        if read.is_err() || line.last() != Some(&b'\n') || jobs.send(line).is_err() {
            return;
        }
    }
}

/// Carries out jobs until there are no more, and replies to `output`.
fn serve(jobs: &Receiver<Vec<u8>>, output: &mut impl Write) -> io::Result<()> {
    while let Ok(line) = jobs.recv() {
        let reply = match serde_json::from_slice(&line) {
            Ok(job) => guarded(|| carry_out(job)),
            Err(error) => Reply::Broken(Broken::Garbled { reason: format!("job: {error}") }),
        };
        let mut text = serde_json::to_vec(&reply)?;
        text.push(b'\n');
        output.write_all(&text)?;
        output.flush()?;
    }
    Ok(())
}

fn carry_out(job: Job) -> Reply {
    match job {
        Job::Hello => match own_uid() {
            Ok(uid) => Reply::Hello { protocol: PROTOCOL, uid },
            Err(error) => Reply::Broken(Broken::Unstartable { reason: error.to_string() }),
        },
        Job::Search { case, backend, executable, threads, indexed, creation_order, scratch } => {
            in_tree(&case, &scratch, creation_order, |tree| {
                let over = forge::ServiceBackend {
                    backend,
                    executable: executable.as_deref(),
                    threads,
                    indexed,
                };
                forge::observe(&case, tree, over).map_or_else(Reply::Broken, Reply::Observed)
            })
        }
        Job::Sweep { case, backend, executable, scratch } => {
            in_tree(&case, &scratch, None, |tree| {
                // One thread: thousands of calls for a handful of files each.
                let over = forge::ServiceBackend {
                    backend,
                    executable: executable.as_deref(),
                    threads: 1,
                    indexed: false,
                };
                forge::observe_budgets(&case, tree, over)
                    .map_or_else(Reply::Broken, Reply::BudgetSweep)
            })
        }
        // Its directory goes with the runner's: others may play on in it.
        Job::Live { life, scratch, fresh } => Reply::Played(play(&life, &scratch, fresh)),
        Job::AsWritten { case, executable, scratch } => in_tree(&case, &scratch, None, |tree| {
            let Some(as_written) = &case.as_written else {
                return Reply::Broken(Broken::Garbled {
                    reason: "the case has no `as_written` block".to_owned(),
                });
            };
            match as_written.read(&executable, &tree.root) {
                Ok(reading) => Reply::Read(reading),
                Err(error) => Reply::Broken(Broken::Unstartable { reason: error.to_string() }),
            }
        }),
    }
}

/// Runs `act` on the tree of `case`; the tree is gone afterwards, also if `act` panics.
fn in_tree(
    case: &Case,
    scratch: &Path,
    order: Option<u64>,
    act: impl FnOnce(&Tree) -> Reply,
) -> Reply {
    let reply = match Tree::build(case, scratch, order) {
        Ok(tree) => guarded(|| act(&tree)),
        Err(error) => Reply::Broken(Broken::Tree { reason: error.to_string() }),
    };
    match materialise::remove(scratch) {
        Ok(()) => reply,
        Err(error) => Reply::Broken(Broken::Tree { reason: format!("cannot be removed: {error}") }),
    }
}

fn guarded(act: impl FnOnce() -> Reply) -> Reply {
    // What a panic leaves half-done is thrown away with the job: nothing is kept between jobs.
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        Reply::Broken(Broken::Panicked { message: message(panic.as_ref()) })
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_reported_and_leaves_no_tree() {
        let parent = tempfile::tempdir().unwrap();
        let scratch = parent.path().join("scratch");
        let case =
            Case::new("a", "a", serde_json::json!({})).with(crate::case::Entry::file("f", "x"));
        let reply = in_tree(&case, &scratch, None, |tree| {
            assert!(tree.root.join("f").is_file());
            panic!("on purpose");
        });
        let Reply::Broken(Broken::Panicked { message }) = reply else { panic!("{reply:?}") };
        assert_eq!(message, "on purpose");
        assert!(!scratch.exists());
    }

    #[test]
    fn every_complete_line_gets_one_reply() {
        let mut output = Vec::new();
        let (to_serve, jobs) = sync_channel(4);
        read_jobs(&mut &b"\"hello\"\nnonsense\n\"hello\"\n\"hel"[..], &to_serve);
        drop(to_serve);
        serve(&jobs, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(
            lines[0].contains("protocol")
                && lines[1].contains("garbled")
                && lines[2].contains("protocol")
        );
    }
}
