//! One worker process and its pipes.
//!
//! Responsible for: starting a worker with a closed environment and, if need be, as another user;
//! one job and one reply at a time within a deadline; killing it with everything it started. Not
//! here: what jobs mean ([`crate::worker`]), and whether the worker is used again ([`super`]).
//! Invariants: no call blocks beyond the deadline, whatever the worker does with its pipes; of what
//! it prints to standard error only the end is kept; a dropped process is dead and waited for.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::mount_namespace::MountNamespace;
use super::work_dir::WorkDir;
use crate::subject::Broken;
use crate::worker::{Job, MAX_LINE_BYTES, Reply};

/// How much of standard error is kept, in bytes.
const KEPT_STDERR_BYTES: usize = 4096;

/// How long a worker that closed its output may take to end by itself.
const GRACE: Duration = Duration::from_secs(1);

/// One worker process.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    jobs: SyncSender<Vec<u8>>,
    replies: Receiver<Vec<u8>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    /// Disconnected once standard error has been read to its end.
    stderr_ended: Receiver<()>,
    /// Additions to its environment.
    pub(super) environment: BTreeMap<String, String>,
    /// The way it got a mount namespace, if any.
    pub(super) unshared: Option<MountNamespace>,
}

impl Process {
    /// Starts a worker.
    pub(super) fn start(
        place: &WorkDir,
        environment: &BTreeMap<String, String>,
        unshared: Option<MountNamespace>,
    ) -> io::Result<Self> {
        let mut command = match unshared {
            Some(unshared) => unshared.command(place, &place.worker),
            None => place.command(&place.worker),
        };
        command
            .arg("worker")
            .envs(environment)
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (jobs, to_write) = sync_channel(1);
        let (to_us, replies) = sync_channel(1);
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let (ended, stderr_ended) = sync_channel(0);
        // The threads end with the pipes, and the pipes with the process.
        if let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        {
            thread::spawn(move || write_jobs(input, &to_write));
            thread::spawn(move || read_replies(output, &to_us));
            let kept = Arc::clone(&stderr);
            thread::spawn(move || {
                keep_end(errors, &kept);
                drop(ended);
            });
        }
        Ok(Self {
            child,
            jobs,
            replies,
            stderr,
            stderr_ended,
            environment: environment.clone(),
            unshared,
        })
    }

    /// Sends one job and waits for its reply.
    pub(super) fn ask(&mut self, job: &Job, deadline: Duration) -> Result<Reply, Broken> {
        let garbled = |error: &dyn std::fmt::Display| Broken::Garbled { reason: error.to_string() };
        let started = Instant::now();
        let mut line = serde_json::to_vec(job).map_err(|error| garbled(&error))?;
        line.push(b'\n');
        if line.len() as u64 > MAX_LINE_BYTES {
            return Err(garbled(&format!(
                "the job has {} bytes, at most {MAX_LINE_BYTES} are sent",
                line.len()
            )));
        }
        // Never full: the reply to the job before has arrived. Closed if the process is dead, which
        // shows below.
        let _ = self.jobs.try_send(line);
        let left = deadline.saturating_sub(started.elapsed());
        match self.replies.recv_timeout(left) {
            Ok(reply) => serde_json::from_slice(&reply).map_err(|error| {
                let start =
                    String::from_utf8_lossy(reply.get(..reply.len().min(200)).unwrap_or_default())
                        .into_owned();
                garbled(&format!("{error} in `{}`", start.trim_end()))
            }),
            Err(RecvTimeoutError::Timeout) => {
                self.kill();
                Err(Broken::Hung { seconds: deadline.as_secs(), stderr: self.end_of_stderr() })
            }
            Err(RecvTimeoutError::Disconnected) => {
                let status = self
                    .ended()
                    .map_or_else(|| "closed its output".to_owned(), |status| status.to_string());
                Err(Broken::Died { status, stderr: self.end_of_stderr() })
            }
        }
    }

    /// How the process ended, if it does within a moment of closing its output.
    fn ended(&mut self) -> Option<std::process::ExitStatus> {
        let until = Instant::now() + GRACE;
        while Instant::now() < until {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            thread::park_timeout(Duration::from_millis(1));
        }
        None
    }

    /// The end of what a dead process printed.
    fn end_of_stderr(&self) -> String {
        // Something that it started may keep the pipe open; then what came so far will do.
        let _ = self.stderr_ended.recv_timeout(GRACE);
        let kept = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&kept).trim_end().to_owned()
    }

    /// Kills the process, its group, and whatever it started in groups of its own.
    fn kill(&mut self) {
        if let Ok(Some(_)) = self.child.try_wait() {
            return;
        }
        let id = self.child.id();
        // The standard library kills one process; `kill` of the shell knows groups.
        let mut targets = vec![format!("-{id}")];
        targets.extend(descendants(id).into_iter().map(|process| process.to_string()));
        let script = "kill -s KILL -- \"$@\"";
        let _ = Command::new("/bin/sh")
            .args(["-c", script, "kill"])
            .args(targets)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn write_jobs(mut input: ChildStdin, jobs: &Receiver<Vec<u8>>) {
    while let Ok(job) = jobs.recv() {
        if input.write_all(&job).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn read_replies(output: ChildStdout, replies: &SyncSender<Vec<u8>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
        // A line without its end was torn by the death of the process.
        if read.is_err() || line.last() != Some(&b'\n') || replies.send(line).is_err() {
            return;
        }
    }
}

fn keep_end(mut errors: ChildStderr, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(read @ 1..) = errors.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(buffer.get(..read).unwrap_or_default());
        let surplus = kept.len().saturating_sub(KEPT_STDERR_BYTES);
        kept.drain(..surplus);
    }
}

/// Processes that `ancestor` started, and those started by them, by the process table. Those whose
/// parent has ended are not found, and are only killed if they stayed in the group.
fn descendants(ancestor: u32) -> Vec<u32> {
    let table: Vec<(u32, u32)> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let process: u32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            // The name in parentheses may hold anything; state and parent follow the last one.
            let parent = stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()?;
            Some((process, parent))
        })
        .collect();
    let mut found = vec![ancestor];
    let mut at = 0;
    while let Some(&parent) = found.get(at) {
        found.extend(
            table
                .iter()
                .filter(|(process, of)| *of == parent && *process != parent)
                .map(|(id, _)| *id),
        );
        at += 1;
    }
    found.remove(0);
    found
}
