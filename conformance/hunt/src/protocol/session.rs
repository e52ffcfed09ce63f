//! One process that reads and writes messages as lines.
//!
//! Responsible for: starting it with a closed environment, one line there and one line back within
//! a deadline, its end. Not here: what the lines say ([`super`]). Invariants: no call
//! blocks beyond the deadline, whatever the process does with its pipes; when a session is dropped,
//! the process is gone and the rest of its group is killed, which takes a moment.

use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};

use crate::command::Limits;
use crate::verdict::NoAnswer;

/// Where programs that the program itself starts are looked for.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// Bytes of standard error that are kept: its end.
const STDERR_BYTES: usize = 2048;
/// Bytes per read or write.
const PIECE_BYTES: usize = 64 << 10;
/// How long a process may take to end by itself once its input or its output is closed.
const GRACE: Duration = Duration::from_millis(500);
/// How often it is looked at meanwhile.
const TICK: Duration = Duration::from_micros(200);

/// A running process.
#[derive(Debug)]
pub(super) struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
    /// Closed once it has been read to its end.
    errors: Option<ChildStderr>,
    /// What was printed beyond the last line that was taken.
    ahead: Vec<u8>,
    said: Vec<u8>,
    limits: Limits,
}

impl Session {
    /// Starts a process.
    pub(super) fn start<'e>(
        program: &[OsString],
        environment: impl Iterator<Item = (&'e String, &'e String)>,
        limits: Limits,
    ) -> Result<Self, NoAnswer> {
        let Some((first, rest)) = program.split_first() else {
            return Err(NoAnswer::Unstartable("no program is given".to_owned()));
        };
        let mut child = Command::new(first)
            .args(rest)
            .env_clear()
            .env("PATH", PATH)
            .envs(environment)
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(unstartable)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(NoAnswer::Unstartable("a pipe is missing".to_owned()));
        };
        let session = Self {
            child,
            input: Some(input),
            output,
            errors: Some(errors),
            ahead: Vec::new(),
            said: Vec::new(),
            limits,
        };
        // A pipe that would make us wait is a matter for `poll`, which knows the deadline.
        let waits = session.input.iter().map(|input| fcntl_setfl(input, OFlags::NONBLOCK));
        let waits = waits.chain([fcntl_setfl(&session.output, OFlags::NONBLOCK)]);
        let waits =
            waits.chain(session.errors.iter().map(|errors| fcntl_setfl(errors, OFlags::NONBLOCK)));
        waits.collect::<Result<Vec<()>, _>>().map_err(|error| unstartable(error.into()))?;
        Ok(session)
    }

    /// Sends one line and takes one.
    pub(super) fn exchange(&mut self, line: &[u8]) -> Result<Vec<u8>, NoAnswer> {
        let until = Instant::now() + self.limits.deadline;
        let mut left = line;
        loop {
            if left.is_empty()
                && let Some(reply) = self.taken()
            {
                return Ok(reply);
            }
            if self.ahead.len() as u64 > self.limits.output_bytes {
                return Err(NoAnswer::Flood { bytes: self.limits.output_bytes });
            }
            let remaining = until.saturating_duration_since(Instant::now());
            if remaining.is_zero() {
                return Err(self.hung());
            }
            if !self
                .step(&mut left, remaining)
                .map_err(|error| NoAnswer::Unstartable(error.to_string()))?
            {
                return Err(self.ended(until));
            }
        }
    }

    /// The next whole line, if it has come.
    fn taken(&mut self) -> Option<Vec<u8>> {
        let end = self.ahead.iter().position(|byte| *byte == b'\n')?;
        let mut line: Vec<u8> = self.ahead.drain(..=end).collect();
        line.pop();
        Some(line)
    }

    /// What was said and not asked for.
    pub(super) fn surplus(&self) -> &[u8] {
        &self.ahead
    }

    /// Waits until a pipe is ready, and writes or reads a piece; whether there may be more output.
    fn step(&mut self, left: &mut &[u8], remaining: Duration) -> io::Result<bool> {
        let timeout = Timespec::try_from(remaining).map_err(io::Error::other)?;
        let (mut writable, mut printed, mut said) = (false, false, false);
        {
            let mut waiting = vec![PollFd::from_borrowed_fd(self.output.as_fd(), PollFlags::IN)];
            let errors = self
                .errors
                .as_ref()
                .map(|errors| PollFd::from_borrowed_fd(errors.as_fd(), PollFlags::IN));
            let input = self.input.as_ref().filter(|_| !left.is_empty());
            let input = input.map(|input| PollFd::from_borrowed_fd(input.as_fd(), PollFlags::OUT));
            let (has_errors, has_input) = (errors.is_some(), input.is_some());
            waiting.extend(errors.into_iter().chain(input));
            match poll(&mut waiting, Some(&timeout)) {
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => return Ok(true),
                Err(error) => return Err(error.into()),
            }
            let mut ready = waiting.iter().map(|one| !one.revents().is_empty());
            printed |= ready.next().unwrap_or(false);
            said |= has_errors && ready.next().unwrap_or(false);
            writable |= has_input && ready.next().unwrap_or(false);
        }
        let mut buffer = vec![0; PIECE_BYTES];
        if said && let Some(errors) = &mut self.errors {
            match errors.read(&mut buffer) {
                Ok(0) => self.errors = None,
                Ok(count) => self.keep(buffer.get(..count).unwrap_or_default()),
                Err(error) if is_passing(&error) => {}
                Err(error) => return Err(error),
            }
        }
        if writable && let Some(input) = &mut self.input {
            match input.write(left.get(..left.len().min(PIECE_BYTES)).unwrap_or_default()) {
                Ok(count) => *left = left.get(count..).unwrap_or_default(),
                Err(error) if is_passing(&error) => {}
                // It reads no more; what it printed, or its end, says why.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => *left = &[],
                Err(error) => return Err(error),
            }
        }
        if printed {
            match self.output.read(&mut buffer) {
                Ok(0) => return Ok(false),
                Ok(count) => self.ahead.extend_from_slice(buffer.get(..count).unwrap_or_default()),
                Err(error) if is_passing(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    fn keep(&mut self, said: &[u8]) {
        self.said.extend_from_slice(said);
        let surplus = self.said.len().saturating_sub(STDERR_BYTES);
        self.said.drain(..surplus);
    }

    fn hung(&self) -> NoAnswer {
        NoAnswer::Hung {
            milliseconds: u64::try_from(self.limits.deadline.as_millis()).unwrap_or(u64::MAX),
        }
    }

    /// Why a process that closed its output did so.
    fn ended(&mut self, until: Instant) -> NoAnswer {
        let status = self.wait(until.min(Instant::now() + GRACE));
        if let Some(errors) = &mut self.errors {
            let mut rest = vec![0; PIECE_BYTES];
            let mut said = Vec::new();
            while let Ok(count @ 1..) = errors.read(&mut rest) {
                said.extend_from_slice(rest.get(..count).unwrap_or_default());
                if said.len() > PIECE_BYTES {
                    break;
                }
            }
            self.keep(&said);
        }
        let stderr = String::from_utf8_lossy(&self.said).trim_end().to_owned();
        match status {
            Some(status) => match status.signal() {
                Some(signal) => NoAnswer::Killed { signal, stderr },
                None => NoAnswer::Failed { status: status.code().unwrap_or(-1), stderr },
            },
            None => NoAnswer::Garbled {
                reason: "it closed its output and did not end".to_owned(),
                record: stderr,
            },
        }
    }

    fn wait(&mut self, until: Instant) -> Option<std::process::ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= until {
                return None;
            }
            thread::park_timeout(TICK);
        }
    }

    /// Says a last line, and sees the process end by itself; how it ended, if it did in time.
    pub(super) fn stop(mut self, line: &[u8]) -> Option<i32> {
        let mut left = line;
        while !left.is_empty() {
            match self.step(&mut left, GRACE) {
                Ok(true) if left.len() < line.len() => {}
                _ => return None,
            }
        }
        self.input = None;
        self.wait(Instant::now() + GRACE)?.code()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The group is the child's own; an error means that nothing is left of it.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}

#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
fn unstartable(error: io::Error) -> NoAnswer {
    NoAnswer::Unstartable(error.to_string())
}
