//! A program that is started once for every ask.
//!
//! Responsible for: starting it in the pack's directory with a closed environment, reading its
//! output within limits, killing it with its group when it hangs or floods, and the answer made of
//! what it printed. Not here: the command line and the reading ([`super::adapter`]);
//! which program ([`super::searcher`] says what one is). Invariants: no call blocks beyond the
//! deadline; when it returns, the program is gone and the rest of its group is killed; a failure is
//! never "nothing found".

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::AsFd as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use touchstone_spec::Adapter;
use touchstone_spec::adapter::{Aspect, Dialect, JsonLines, Show, Statuses};

use super::adapter::arguments::arguments;
use super::adapter::records::{Reader, Reading};
use super::adapter::{json_lines, records, shell};
use super::answer::{Answer, Status};
use super::question::Ask;
use super::searcher::{PlacedPack, Searcher};
use super::verdict::NoAnswer;

/// Where programs that the program itself starts are looked for.
pub(super) const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// Bytes of standard error that are kept: its end.
const STDERR_BYTES: usize = 2048;
/// Bytes per read.
const READ_BYTES: usize = 64 << 10;
/// How often a process that has closed its output is looked at.
const TICK: Duration = Duration::from_micros(100);

/// How far a program may go.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long one ask may take.
    pub deadline: Duration,
    /// How much it may print.
    pub output_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { deadline: Duration::from_secs(10), output_bytes: 64 << 20 }
    }
}

/// A program in one release.
#[derive(Debug)]
pub struct CommandSearcher {
    adapter: Arc<Adapter>,
    name: String,
    program: Vec<OsString>,
    limits: Limits,
}

/// What a process printed, and how it ended.
#[derive(Debug)]
pub struct Output {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// The end of standard error.
    pub stderr: String,
    /// How it ended.
    pub status: ExitStatus,
}

impl CommandSearcher {
    /// A program: the executable by its absolute path, or a loader and what it loads. It stands for
    /// the first word of the adapter's
    /// command; the others follow it.
    pub fn new(
        adapter: Arc<Adapter>,
        name: String,
        program: Vec<OsString>,
        limits: Limits,
    ) -> Self {
        Self { adapter, name, program, limits }
    }

    /// The same program, as if it meant other things.
    pub(super) fn meaning(&self, dialect: Dialect) -> Self {
        let adapter = Arc::new(Adapter { dialect, ..Adapter::clone(&self.adapter) });
        Self { adapter, name: self.name.clone(), program: self.program.clone(), ..*self }
    }

    /// What the program prints when asked, unread.
    ///
    /// # Errors
    /// Why it printed nothing that could be read.
    pub fn run(&self, placed: PlacedPack<'_>, ask: &Ask) -> Result<Output, NoAnswer> {
        let arguments = arguments(&self.adapter, self.version(), placed.pack, ask)
            .map_err(NoAnswer::Unsupported)?;
        let Adapter { wrapper, command, .. } = &*self.adapter;
        let words = wrapper.iter().map(OsString::from).chain(self.program.iter().cloned());
        let fixed = command.iter().skip(1).map(OsString::from);
        self.start(&words.chain(fixed).chain(arguments).collect::<Vec<_>>(), placed.root)
    }

    /// The program's release, as it says itself.
    ///
    /// # Errors
    /// Why it did not say.
    pub fn release(&self) -> Result<String, NoAnswer> {
        let arguments = self.adapter.identify.args.iter().map(OsString::from);
        let words: Vec<OsString> = self.program.iter().cloned().chain(arguments).collect();
        let output = self.start(&words, Path::new("/"))?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &output.stderr;
        release_in(&self.adapter.identify.pattern, &said).ok_or_else(|| NoAnswer::Garbled {
            reason: "no release".to_owned(),
            record: said.chars().take(200).collect(),
        })
    }

    /// The release in its name.
    fn version(&self) -> Option<&str> {
        let (_, release) = self.name.rsplit_once('@')?;
        release.starts_with(|first: char| first.is_ascii_digit()).then_some(release)
    }

    fn start(&self, words: &[OsString], directory: &Path) -> Result<Output, NoAnswer> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(NoAnswer::Unstartable("no program is given".to_owned()));
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .env("PATH", PATH)
            .envs(&self.adapter.ask.env)
            .current_dir(directory)
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        run(&mut command, self.limits)
    }

    fn read(&self, placed: PlacedPack<'_>, ask: &Ask, output: &[u8]) -> Result<Answer, NoAnswer> {
        let Some(shown) = self.adapter.show.get(&ask.show) else {
            return Err(NoAnswer::Unsupported(format!(
                "`{}` cannot be asked for",
                ask.show.name()
            )));
        };
        let mut reading = Reading::of(placed.pack, self.adapter.dialect.bom);
        if let Some(rules) = &shown.json {
            read_json(ask.show, rules, output, &mut reading)?;
        } else {
            let reader = Reader::new(ask.show, shown).map_err(NoAnswer::Unsupported)?;
            records::read(&reader, output, &mut reading)?;
        }
        let ordered = ask.walk.as_ref().is_some_and(|walk| walk.sort)
            && self.adapter.precise.contains(&Aspect::Order);
        Ok(reading.answer(ordered))
    }
}

fn read_json(
    show: Show,
    rules: &JsonLines,
    output: &[u8],
    reading: &mut Reading<'_>,
) -> Result<(), NoAnswer> {
    if !matches!(show, Show::Lines | Show::Spans) {
        return Err(NoAnswer::Unsupported(format!("`{}` is not read from JSON", show.name())));
    }
    Ok(json_lines::read(rules, output, reading)?)
}

impl Searcher for CommandSearcher {
    fn name(&self) -> &str {
        &self.name
    }

    fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    fn ask(&mut self, placed: PlacedPack<'_>, ask: &Ask) -> Result<Answer, NoAnswer> {
        let output = self.run(placed, ask)?;
        let statuses = &self.adapter.statuses;
        let code = output.status.code().unwrap_or(i32::MAX);
        let said = if code == statuses.matched {
            Some(Status::Matched)
        } else if code == statuses.none {
            Some(Status::None)
        } else if code == statuses.failed && is_harmless(statuses, &output.stderr) {
            None
        } else if let Some(line) = refusal(statuses.refused.as_deref(), &output.stderr) {
            return Err(NoAnswer::Unsupported(line.to_owned()));
        } else {
            return Err(NoAnswer::Failed { status: code, stderr: output.stderr });
        };
        let answer = self.read(placed, ask, &output.stdout)?;
        // A program that always ends with the same status says nothing by it.
        let said = said.filter(|_| statuses.matched != statuses.none);
        let by_files = if answer.files.is_empty() { Status::None } else { Status::Matched };
        Ok(Answer { status: said.unwrap_or(by_files), ..answer })
    }

    fn wait_at_most(&mut self, deadline: Duration) {
        self.limits.deadline = deadline;
    }

    fn shell(&self, placed: PlacedPack<'_>, ask: &Ask) -> Option<String> {
        let arguments = arguments(&self.adapter, self.version(), placed.pack, ask).ok()?;
        let environment =
            self.adapter.ask.env.iter().map(|(name, value)| format!("{name}={value}").into());
        let words: Vec<OsString> = environment
            .chain(self.adapter.wrapper.iter().map(OsString::from))
            .chain(self.adapter.command.iter().map(OsString::from))
            .chain(arguments)
            .collect();
        Some(shell::join(words.iter().map(OsString::as_os_str)))
    }
}

/// Whether a failure is none, since its complaints are harmless, beside remarks.
fn is_harmless(statuses: &Statuses, stderr: &str) -> bool {
    let compiled = |pattern: &Option<String>| {
        pattern.as_deref().and_then(|pattern| regex_automata::meta::Regex::new(pattern).ok())
    };
    let Some(harmless) = compiled(&statuses.harmless) else { return false };
    let remarks = compiled(&statuses.remarks);
    let is_remark = |line: &&str| remarks.as_ref().is_some_and(|remarks| remarks.is_match(*line));
    let mut complaints = stderr.lines().filter(|line| !is_remark(line)).peekable();
    complaints.peek().is_some() && complaints.all(|line| harmless.is_match(line))
}

/// The line of a failure by which a program says that it does not have what it was asked.
fn refusal<'s>(pattern: Option<&str>, stderr: &'s str) -> Option<&'s str> {
    let pattern = regex_automata::meta::Regex::new(pattern?).ok()?;
    stderr.lines().map(str::trim).find(|line| pattern.is_match(line))
}

/// The release in what a program says of itself.
pub fn release_in(pattern: &str, said: &str) -> Option<String> {
    let pattern = regex_automata::meta::Regex::new(pattern).ok()?;
    let mut groups = pattern.create_captures();
    pattern.captures(said, &mut groups);
    said.get(groups.get_group(1)?.range()).map(str::to_owned)
}

/// A child that does not outlive its owner.
struct Running(Child);

impl Running {
    fn kill(&mut self) {
        // The group is the child's own; an error means that nothing is left of it.
        let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
        let _ = self.0.wait();
    }
}

/// Runs a command that leads a group of its own, within limits.
pub(super) fn run(command: &mut Command, limits: Limits) -> Result<Output, NoAnswer> {
    let unstartable = |error: io::Error| NoAnswer::Unstartable(error.to_string());
    let until = Instant::now() + limits.deadline;
    let hung = || NoAnswer::Hung {
        milliseconds: u64::try_from(limits.deadline.as_millis()).unwrap_or(u64::MAX),
    };
    let mut child = Running(command.spawn().map_err(unstartable)?);
    let mut streams = Streams {
        stdout: child.0.stdout.take(),
        stderr: child.0.stderr.take(),
        printed: Vec::new(),
        said: Vec::new(),
        buffer: vec![0; READ_BYTES],
    };
    while streams.are_open() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(hung());
        }
        streams.read(left).map_err(unstartable)?;
        if streams.printed.len() as u64 > limits.output_bytes {
            return Err(NoAnswer::Flood { bytes: limits.output_bytes });
        }
    }
    let status = loop {
        if let Some(status) = child.0.try_wait().map_err(unstartable)? {
            break status;
        }
        if Instant::now() >= until {
            return Err(hung());
        }
        thread::park_timeout(TICK);
    };
    let stderr = String::from_utf8_lossy(&streams.said).trim_end().to_owned();
    match status.signal() {
        Some(signal) => Err(NoAnswer::Killed { signal, stderr }),
        None => Ok(Output { stdout: streams.printed, stderr, status }),
    }
}

/// Both streams of a child.
struct Streams {
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    printed: Vec<u8>,
    said: Vec<u8>,
    buffer: Vec<u8>,
}

impl Streams {
    fn are_open(&self) -> bool {
        self.stdout.is_some() || self.stderr.is_some()
    }

    /// Waits for one of them to have something, and takes it.
    fn read(&mut self, left: Duration) -> io::Result<()> {
        let stdout = self
            .stdout
            .as_ref()
            .map(|stream| PollFd::from_borrowed_fd(stream.as_fd(), PollFlags::IN));
        let stderr = self
            .stderr
            .as_ref()
            .map(|stream| PollFd::from_borrowed_fd(stream.as_fd(), PollFlags::IN));
        let has_stdout = stdout.is_some();
        let mut waiting: Vec<PollFd<'_>> = stdout.into_iter().chain(stderr).collect();
        let timeout = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut waiting, Some(&timeout)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        let mut ready = waiting.iter().map(|one| !one.revents().is_empty());
        let from_stdout = has_stdout && ready.next().unwrap_or(false);
        let from_stderr = ready.next().unwrap_or(false);
        drop(waiting);
        if from_stdout && !take(&mut self.stdout, &mut self.buffer, &mut self.printed)? {
            self.stdout = None;
        }
        if from_stderr {
            if !take(&mut self.stderr, &mut self.buffer, &mut self.said)? {
                self.stderr = None;
            }
            let surplus = self.said.len().saturating_sub(STDERR_BYTES);
            self.said.drain(..surplus);
        }
        Ok(())
    }
}

/// One read; whether there may be more.
fn take(stream: &mut Option<impl Read>, buffer: &mut [u8], into: &mut Vec<u8>) -> io::Result<bool> {
    let Some(stream) = stream else { return Ok(false) };
    match stream.read(buffer) {
        Ok(0) => Ok(false),
        Ok(count) => {
            into.extend_from_slice(buffer.get(..count).unwrap_or_default());
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(true),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
