//! A server's process and its pipes.
//!
//! Responsible for: starting it in a group of its own; lines out of it and into it;
//! its end, and the end of whatever it started. Not here: what is said ([`super::client`]).
//! Invariants: nothing waits for the process without a deadline, writing to it included; of its
//! lines no more than one that is not read yet is kept, of what it prints to standard error only
//! the end; when this is dropped, nothing of its group is left.

use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use serde_json::Value;

use crate::subject::Broken;

/// Longest line that is read.
const LINE_BYTES: u64 = 16 << 20;
/// Longest wait for the end of a server whose input has ended.
const END: Duration = Duration::from_secs(5);
/// Longest wait for the end of one that has closed its output, and for the end of its standard
/// error.
const GRACE: Duration = Duration::from_secs(1);
/// How often it is looked at meanwhile.
const TICK: Duration = Duration::from_millis(1);
/// Most bytes of standard error in an error.
const TOLD: usize = 2_000;

/// Why no line was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadError {
    /// The deadline expired.
    Hung,
    /// The output is closed.
    Ended,
    /// A line is longer than this many bytes.
    Endless(u64),
}

/// A running server.
pub(super) struct Process {
    child: Child,
    /// Dropped when there is nothing more to say to it.
    input: Option<Sender<Vec<u8>>>,
    lines: Receiver<Vec<u8>>,
    errors: Receiver<String>,
    /// Whether its end has been seen, so that its number may be another's.
    reaped: bool,
}

impl Process {
    /// Starts a server.
    pub(super) fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (input, to_write) = channel();
        let (to_us, lines) = sync_channel(1);
        let (told, errors) = sync_channel(1);
        // The threads end with the pipes, and the pipes with the group.
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write(stdin, &to_write));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || read(stdout, |line| to_us.send(line).is_ok()));
        }
        if let Some(stderr) = child.stderr.take() {
            thread::spawn(move || told.send(end_of(stderr)));
        }
        Ok(Self { child, input: Some(input), lines, errors, reaped: false })
    }

    /// Sends a message; only the answer shows whether it arrived.
    pub(super) fn send(&mut self, message: &Value) {
        if let Some(input) = &self.input {
            // The thread is gone if the server is.
            let _ = input.send(format!("{message}\n").into_bytes());
        }
    }

    /// The next line.
    pub(super) fn line(&mut self, until: Instant) -> Result<Vec<u8>, ReadError> {
        match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) if line.last() == Some(&b'\n') => Ok(line),
            Ok(line) if line.len() as u64 >= LINE_BYTES => Err(ReadError::Endless(LINE_BYTES)),
            // The end of the output tore this one.
            Ok(_) | Err(RecvTimeoutError::Disconnected) => Err(ReadError::Ended),
            Err(RecvTimeoutError::Timeout) => Err(ReadError::Hung),
        }
    }

    /// Ends its input and sees it to its end.
    pub(super) fn finish(mut self) -> Result<(), Broken> {
        self.input = None;
        if !self.ends_within(END) {
            return Err(self.hung(END));
        }
        match self.reap() {
            Ok(status) if status.success() => Ok(()),
            ended => Err(self.broken(ended)),
        }
    }

    /// It did not do in time what it should.
    pub(super) fn hung(&mut self, deadline: Duration) -> Broken {
        // How it ends now says nothing.
        let _ = self.reap();
        Broken::Hung { seconds: deadline.as_secs(), stderr: self.standard_error() }
    }

    /// It closed its output though something was still to come.
    pub(super) fn died(&mut self) -> Broken {
        if self.ends_within(GRACE) {
            let ended = self.reap();
            return self.broken(ended);
        }
        let _ = self.reap();
        Broken::Died { status: "closed its output".to_owned(), stderr: self.standard_error() }
    }

    fn broken(&self, ended: io::Result<ExitStatus>) -> Broken {
        let status = ended.map_or_else(|error| error.to_string(), |status| status.to_string());
        Broken::Died { status, stderr: self.standard_error() }
    }

    /// What it said on standard error at last. If something outside of the group keeps that open,
    /// there is nothing to tell.
    fn standard_error(&self) -> String {
        self.errors.recv_timeout(GRACE).unwrap_or_default()
    }

    /// Whether it ends, its output being read and thrown away meanwhile. Its number stays taken.
    fn ends_within(&self, wait: Duration) -> bool {
        let until = Instant::now() + wait;
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            let ended = waitid(WaitId::Pid(Pid::from_child(&self.child)), options);
            if !matches!(ended, Ok(None)) {
                return ended.is_ok();
            }
            if Instant::now() >= until {
                return false;
            }
            if self.lines.recv_timeout(TICK) == Err(RecvTimeoutError::Disconnected) {
                thread::park_timeout(TICK);
            }
        }
    }

    /// Kills what is left of its group and takes its status. Until then no other group can have its
    /// number.
    fn reap(&mut self) -> io::Result<ExitStatus> {
        if !self.reaped {
            // The group may be empty by now.
            let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            self.reaped = true;
        }
        self.child.wait()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // What could not be waited for was never there.
        let _ = self.reap();
    }
}

fn write(mut input: ChildStdin, lines: &Receiver<Vec<u8>>) {
    while let Ok(line) = lines.recv() {
        if input.write_all(&line).is_err() {
            return;
        }
    }
}

/// Passes lines on, with their ends, until the output ends, a line is too long, or the receiver is
/// gone.
fn read(output: ChildStdout, mut hand_on: impl FnMut(Vec<u8>) -> bool) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line);
        let is_last = read.is_err() || line.last() != Some(&b'\n');
        if line.is_empty() || !hand_on(line) || is_last {
            return;
        }
    }
}

/// The end of what comes, once it has come to its end.
fn end_of(mut errors: impl Read) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = errors.read(&mut buffer) {
        kept.extend_from_slice(buffer.get(..read).unwrap_or_default());
        let surplus = kept.len().saturating_sub(TOLD);
        kept.drain(..surplus);
    }
    String::from_utf8_lossy(&kept).trim_end().to_owned()
}

#[cfg(test)]
mod tests;
