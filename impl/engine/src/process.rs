//! Child processes: started without a shell, with bounded input and output, killed with their whole
//! group at the deadline (FR-LS-03, FR-LS-EXE-04, E-F04, E-F05). No other module starts one.
//!
//! Processes that a child leaves behind in another group are never awaited. A program that adopts
//! orphans ends them too (`orphans`); a library must not, since they may belong to its host.

use std::{
    ffi::OsString,
    io::{Read, Write},
    ops::ControlFlow,
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{self, RecvTimeoutError, sync_channel},
    thread,
    time::{Duration, Instant},
};

/// Bytes of standard error that are kept.
const STDERR_BYTES: u64 = 16 << 10;
/// Bytes per read of standard output.
const READ_BYTES: usize = 64 << 10;
/// Reads that may wait for the consumer.
const READS_IN_FLIGHT: usize = 8;
/// How often `stop` is checked while a child prints nothing.
const TICK: Duration = Duration::from_millis(10);
/// How long the streams of a child may stay open after it has exited, if they have nothing to
/// read: another process holds them then.
const LINGER: Duration = Duration::from_millis(50);
/// The error text for such a child, whose output may be incomplete.
const LEFT_BEHIND: &str = "its output is held open by a process that it left behind";

#[cfg(target_os = "linux")]
mod orphans;

#[cfg(target_os = "linux")]
pub use orphans::adopt_orphans;

/// Other systems cannot adopt orphans.
#[cfg(not(target_os = "linux"))]
pub fn adopt_orphans() {}

/// A program to run.
pub(crate) struct Invocation<'r> {
    /// Absolute: nothing is looked up.
    pub(crate) program: &'r Path,
    pub(crate) args: Vec<OsString>,
    pub(crate) cwd: Option<&'r Path>,
    /// Bytes for standard input, which is otherwise closed.
    pub(crate) stdin: Option<Vec<u8>>,
    pub(crate) deadline: Instant,
}

/// How a process ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ProcessEnd {
    /// It exited. `code` is `None` if a signal killed it.
    Exited { code: Option<i32>, stderr: String },
    /// Killed at the deadline.
    Deadline,
    /// Killed because the caller wanted no more output.
    Stopped,
}

/// Kills and reaps its child on drop.
struct ChildGuard {
    child: Child,
    #[cfg(target_os = "linux")]
    mark: Option<orphans::OrphanMark>,
}

impl Drop for ChildGuard {
    fn drop(&mut self) {
        kill_group(&self.child);
        // Fails for a child that was reaped already.
        let _ = self.child.kill();
        let _ = self.child.wait();
        #[cfg(target_os = "linux")]
        if let Some(mark) = self.mark.take() {
            mark.end();
        }
    }
}

#[cfg(unix)]
fn own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn own_group(_command: &mut Command) {}

#[cfg(unix)]
fn kill_group(child: &Child) {
    // The group is the child's own: an error means that it is empty.
    let _ = rustix::process::kill_process_group(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::KILL,
    );
}

#[cfg(not(unix))]
fn kill_group(_child: &Child) {}

/// The command of an invocation: without the caller's environment, in a group of its own.
#[expect(clippy::disallowed_methods, reason = "the one place that starts processes")]
fn command(run: &Invocation<'_>) -> Command {
    let mut command = Command::new(run.program);
    command.args(&run.args).env_clear().stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(if run.stdin.is_some() { Stdio::piped() } else { Stdio::null() });
    if let Some(cwd) = run.cwd {
        command.current_dir(cwd);
    }
    // Windows programs do not start without it.
    if let Some(root) = std::env::var_os("SystemRoot").filter(|_| cfg!(windows)) {
        command.env("SystemRoot", root);
    }
    own_group(&mut command);
    command
}

/// Runs a program and passes its standard output to `consume` piece by piece, until it ends,
/// `consume` breaks, `stop` returns `true`, or the deadline expires.
pub(crate) fn run(
    run: Invocation<'_>,
    stop: &dyn Fn() -> bool,
    consume: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
) -> std::io::Result<ProcessEnd> {
    let mut command = command(&run);
    #[cfg(target_os = "linux")]
    let mut child = {
        let (child, mark) = orphans::OrphanMark::spawn(&mut command)?;
        ChildGuard { child, mark }
    };
    #[cfg(not(target_os = "linux"))]
    let mut child = ChildGuard { child: command.spawn()? };
    // On threads of their own, which end with their streams: a child that writes before it has read
    // all of its input would otherwise deadlock.
    if let (Some(bytes), Some(mut stdin)) = (run.stdin, child.child.stdin.take()) {
        // A child may close its input early; its other streams say why.
        thread::spawn(move || drop(stdin.write_all(&bytes)));
    }
    let (Some(mut stdout), Some(stderr)) = (child.child.stdout.take(), child.child.stderr.take())
    else {
        return Err(std::io::Error::other("child streams are not piped"));
    };
    let (output, messages) = (Held::of(&stdout)?, Held::of(&stderr)?);
    let (said, errors) = mpsc::channel();
    thread::spawn(move || said.send(drain(stderr)));
    let (send, receive) = sync_channel::<Vec<u8>>(READS_IN_FLIGHT);
    thread::spawn(move || {
        let mut buffer = vec![0; READ_BYTES];
        while let Ok(count) = stdout.read(&mut buffer) {
            let piece = buffer.get(..count).unwrap_or_default();
            // The receiver is dropped once the child is to be stopped.
            if piece.is_empty() || send.send(piece.to_vec()).is_err() {
                return;
            }
        }
    });
    let mut exited = None;
    let ended = loop {
        let now = Instant::now();
        if now >= run.deadline {
            break Some(ProcessEnd::Deadline);
        }
        if stop() {
            break Some(ProcessEnd::Stopped);
        }
        match receive.recv_timeout(TICK.min(run.deadline - now)) {
            Ok(piece) => {
                if consume(&piece).is_break() {
                    break Some(ProcessEnd::Stopped);
                }
            }
            Err(RecvTimeoutError::Timeout)
                if exited.is_some_and(|at| now >= at + LINGER) && output.is_held() =>
            {
                break None;
            }
            Err(RecvTimeoutError::Timeout) if exited.is_none() => {
                exited = child.child.try_wait()?.map(|_| now);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                exited = None;
                break None;
            }
        }
    };
    drop(receive);
    if let Some(ended) = ended {
        return Ok(ended);
    }
    let Some(status) = wait(&mut child, run.deadline)? else { return Ok(ProcessEnd::Deadline) };
    drop(child);
    let stderr = if exited.is_some() {
        LEFT_BEHIND.to_owned()
    } else {
        standard_error(&errors, &messages, run.deadline)
    };
    Ok(ProcessEnd::Exited { code: status.code(), stderr })
}

/// What a child that has exited wrote to its standard error.
fn standard_error(said: &mpsc::Receiver<String>, stream: &Held, deadline: Instant) -> String {
    loop {
        match said.recv_timeout(LINGER) {
            Ok(text) => return text,
            Err(RecvTimeoutError::Timeout) if !stream.is_held() && Instant::now() < deadline => {}
            Err(_) => return LEFT_BEHIND.to_owned(),
        }
    }
}

/// A stream of a child, to tell one that another process holds open from one whose reader has not
/// run yet.
#[cfg(unix)]
struct Held(std::os::fd::OwnedFd);

#[cfg(unix)]
impl Held {
    fn of(stream: &impl std::os::fd::AsFd) -> std::io::Result<Self> {
        stream.as_fd().try_clone_to_owned().map(Self)
    }

    /// Whether it is open and has nothing to read.
    fn is_held(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut asked = [PollFd::new(&self.0, PollFlags::IN)];
        let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut asked, Some(&at_once)) == Ok(0)
    }
}

/// Other systems cannot ask.
#[cfg(not(unix))]
struct Held;

#[cfg(not(unix))]
impl Held {
    #[expect(clippy::unnecessary_wraps, reason = "as where it can fail")]
    fn of<T>(_stream: &T) -> std::io::Result<Self> {
        Ok(Self)
    }

    fn is_held(&self) -> bool {
        true
    }
}

/// The exit status of a child whose output has ended; `None` if it does not exit by the deadline.
fn wait(child: &mut ChildGuard, deadline: Instant) -> std::io::Result<Option<ExitStatus>> {
    loop {
        if let Some(status) = child.child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            return Ok(None);
        }
        // The child has closed its output and is about to exit.
        thread::sleep(Duration::from_micros(200));
    }
}

fn drain(mut stderr: impl Read) -> String {
    let mut kept = Vec::new();
    // A read error ends the text.
    let _ = stderr.by_ref().take(STDERR_BYTES).read_to_end(&mut kept);
    let _ = std::io::copy(&mut stderr, &mut std::io::sink());
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
