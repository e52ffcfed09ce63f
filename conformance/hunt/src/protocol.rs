//! A program that is asked by JSON lines on its standard input (docs/protocol.md).
//!
//! Responsible for: a conversation with a long-lived process: `start` before the first ask, `run`
//! for each, `stop` at the end; what
//! it answers, made into an answer or a reason why there is none; a new process after one that
//! broke.
//! Not here: the process (`session`) and the messages ([`messages`]).
//! Invariants: what does not fit the protocol is [`NoAnswer::Garbled`], never passed over; after
//! anything but an answer, a skip or an
//! error the process is gone, so that no reply is taken for that of another ask.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;

use touchstone_cases::case::Text;
use touchstone_spec::Adapter;
use touchstone_spec::adapter::{Dialect, Feature};

use super::adapter::arguments::named;
use super::adapter::shell;
use super::adapter::syntax::translate;
use super::answer::{Answer, FileAnswer, Line, Status};
use super::command::Limits;
use super::question::{Ask, Show};
use super::searcher::{PlacedPack, Searcher};
use super::verdict::NoAnswer;

pub mod messages;
mod session;

use messages::{Bytes, Command, Reply, Said, SaidLine, VERSION, Wanted, line};
use session::Session;

/// How much of a message is shown where it cannot be read, in bytes.
const SHOWN_BYTES: usize = 200;

/// A program in one release, which speaks the protocol.
#[derive(Debug)]
pub struct ProtocolSearcher {
    adapter: Arc<Adapter>,
    name: String,
    program: Vec<OsString>,
    limits: Limits,
    running: Option<Session>,
    /// What it said it cannot be asked, when it started last.
    unsupported: BTreeMap<Feature, String>,
    /// Number of the last `run`.
    last: u64,
}

/// A message that cannot be read.
struct Unreadable(String);

impl ProtocolSearcher {
    /// A program: the executable and what always comes first; the rest of the adapter's command
    /// follows. It is started with the first
    /// ask.
    pub fn new(
        adapter: Arc<Adapter>,
        name: String,
        program: Vec<OsString>,
        limits: Limits,
    ) -> Self {
        Self {
            adapter,
            name,
            program,
            limits,
            running: None,
            unsupported: BTreeMap::new(),
            last: 0,
        }
    }

    /// The same program, as if it meant other things.
    pub(super) fn meaning(&self, dialect: Dialect) -> Self {
        let adapter = Arc::new(Adapter { dialect, ..Adapter::clone(&self.adapter) });
        Self::new(adapter, self.name.clone(), self.program.clone(), self.limits)
    }

    /// Its release, as it says itself.
    ///
    /// # Errors
    /// Why it did not say.
    pub fn release(&mut self) -> Result<String, NoAnswer> {
        self.running = None;
        self.start()
    }

    /// Tells the process to end, and waits a moment; its exit status, if it ended by itself.
    pub fn stop(&mut self) -> Option<i32> {
        let session = self.running.take()?;
        session.stop(&line(&Command::Stop {}).ok()?)
    }

    /// Starts a process and reads its identity.
    fn start(&mut self) -> Result<String, NoAnswer> {
        let rest = self.adapter.command.iter().skip(1).map(OsString::from);
        let program: Vec<OsString> = self.program.iter().cloned().chain(rest).collect();
        let mut session = Session::start(&program, self.adapter.ask.env.iter(), self.limits)?;
        let (reply, raw) = exchange(&mut session, &Command::Start { version: VERSION })?;
        let Reply::Ready { version, name, release, unsupported } = reply else {
            return Err(garbled("`ready` was to come", &raw));
        };
        if version != VERSION {
            return Err(garbled(
                &format!("it speaks version {version} of the protocol, not {VERSION}"),
                &raw,
            ));
        }
        if name != self.adapter.name {
            return Err(garbled(&format!("it is `{name}`, and not `{}`", self.adapter.name), &raw));
        }
        if let Some(feature) = unsupported.keys().find(|feature| feature.is_content()) {
            let reason = format!(
                "`{}` is no option: what haystacks may hold stands in the adapter",
                feature.name()
            );
            return Err(garbled(&reason, &raw));
        }
        self.unsupported = unsupported;
        self.running = Some(session);
        Ok(release)
    }

    /// What it cannot be asked, by its adapter or by its own word.
    fn refuse(&self, ask: &Ask) -> Result<(), NoAnswer> {
        for feature in ask.features() {
            if matches!(feature, Feature::Walk | Feature::Mmap | Feature::NoMmap) {
                return Err(NoAnswer::Unsupported(format!(
                    "{}: there are no files in the protocol",
                    feature.name()
                )));
            }
            if let Some(reason) =
                self.adapter.unsupported.get(&feature).or_else(|| self.unsupported.get(&feature))
            {
                return Err(NoAnswer::Unsupported(format!("{}: {reason}", feature.name())));
            }
        }
        Ok(())
    }

    fn run(&mut self, ask: &Ask, haystacks: &[(&[u8], Vec<u8>)]) -> Result<Answer, NoAnswer> {
        let Some(session) = &mut self.running else {
            return Err(NoAnswer::Unstartable("it did not start".to_owned()));
        };
        self.last += 1;
        let run =
            question(&self.adapter, ask, self.last, haystacks).map_err(NoAnswer::Unsupported)?;
        let (reply, raw) = exchange(session, &run)?;
        let id = match &reply {
            Reply::Answer { id, .. } | Reply::Skipped { id, .. } | Reply::Errored { id, .. } => *id,
            Reply::Ready { .. } => return Err(garbled("`ready` is said once", &raw)),
        };
        if id != self.last {
            return Err(garbled(
                &format!("the reply is to {id}, and {} was asked", self.last),
                &raw,
            ));
        }
        match reply {
            Reply::Answer { haystacks: said, .. } => answer(ask.show, haystacks, said)
                .map_err(|Unreadable(reason)| garbled(&reason, &raw)),
            Reply::Skipped { reason, .. } => Err(NoAnswer::Unsupported(reason)),
            Reply::Errored { context, .. } => Err(NoAnswer::Errored(context)),
            Reply::Ready { .. } => Err(garbled("`ready` is said once", &raw)),
        }
    }
}

impl Searcher for ProtocolSearcher {
    fn name(&self) -> &str {
        &self.name
    }

    fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    fn ask(&mut self, placed: PlacedPack<'_>, ask: &Ask) -> Result<Answer, NoAnswer> {
        if self.running.is_none() {
            self.start()?;
        }
        self.refuse(ask)?;
        let haystacks = haystacks(&self.adapter, placed);
        let answered = self.run(ask, &haystacks);
        // What it said beyond its reply would be taken for the reply to the next ask.
        let surplus =
            self.running.as_ref().map(|session| session.surplus().to_vec()).unwrap_or_default();
        let answered = if surplus.is_empty() || answered.is_err() {
            answered
        } else {
            Err(garbled("more than one reply", &surplus))
        };
        if !matches!(answered, Ok(_) | Err(NoAnswer::Unsupported(_) | NoAnswer::Errored(_))) {
            self.running = None;
        }
        answered
    }

    fn shell(&self, placed: PlacedPack<'_>, ask: &Ask) -> Option<String> {
        // Haystacks are in the messages, so that it shows the same from any directory.
        let run = question(&self.adapter, ask, 1, &haystacks(&self.adapter, placed)).ok()?;
        let told = [Command::Start { version: VERSION }, run, Command::Stop {}];
        let told: Vec<String> =
            told.iter().filter_map(|command| serde_json::to_string(command).ok()).collect();
        let told =
            told.iter().map(|one| shell::quote(one.as_bytes())).collect::<Vec<_>>().join(" ");
        let environment =
            self.adapter.ask.env.iter().map(|(name, value)| format!("{name}={value}").into());
        let words: Vec<OsString> =
            environment.chain(self.adapter.command.iter().map(OsString::from)).collect();
        let program = shell::join(words.iter().map(OsString::as_os_str));
        Some(format!("printf '%s\\n' {told} | {program}"))
    }
}

impl Drop for ProtocolSearcher {
    fn drop(&mut self) {
        self.stop();
    }
}

/// The files that are sent.
fn haystacks<'a>(adapter: &Adapter, placed: PlacedPack<'a>) -> Vec<(&'a [u8], Vec<u8>)> {
    let named: Vec<&[u8]> = named(adapter, placed.pack).collect();
    placed.pack.files().filter(|(path, _)| named.contains(path)).collect()
}

/// The message that asks; a pattern that the program's syntax has not is the reason why there is
/// none.
fn question(
    adapter: &Adapter,
    ask: &Ask,
    id: u64,
    haystacks: &[(&[u8], Vec<u8>)],
) -> Result<Command, String> {
    let translated = ask.patterns.iter().map(|pattern| translate(pattern, ask.fixed, adapter));
    let patterns = translated.collect::<Result<Vec<String>, String>>()?;
    Ok(Command::Run {
        id,
        ask: Wanted { patterns, ..Wanted::from(ask) },
        haystacks: haystacks.iter().map(|(_, bytes)| Bytes::from(bytes.as_slice())).collect(),
    })
}

fn exchange(session: &mut Session, command: &Command) -> Result<(Reply, Vec<u8>), NoAnswer> {
    let sent = line(command).map_err(|error| NoAnswer::Unstartable(error.to_string()))?;
    let raw = session.exchange(&sent)?;
    match serde_json::from_slice(&raw) {
        Ok(reply) => Ok((reply, raw)),
        Err(error) => Err(garbled(&error.to_string(), &raw)),
    }
}

fn garbled(reason: &str, raw: &[u8]) -> NoAnswer {
    let shown = raw.get(..raw.len().min(SHOWN_BYTES)).unwrap_or_default();
    NoAnswer::Garbled { reason: reason.to_owned(), record: touchstone_cases::case::escape(shown) }
}

/// What was said of the haystacks as an answer about files.
fn answer(
    show: Show,
    haystacks: &[(&[u8], Vec<u8>)],
    said: Vec<Said>,
) -> Result<Answer, Unreadable> {
    if said.len() != haystacks.len() {
        return Err(Unreadable(format!(
            "{} haystacks were given, {} are answered",
            haystacks.len(),
            said.len()
        )));
    }
    let mut answer = Answer::default();
    for ((path, bytes), said) in haystacks.iter().zip(said) {
        let file = match (show, said) {
            (Show::Lines | Show::Spans, Said::Lines(lines)) => {
                let lines = read(bytes, lines)?;
                (!lines.is_empty()).then_some(FileAnswer { lines, count: None })
            }
            (Show::Count, Said::Count(count)) => {
                (count > 0).then_some(FileAnswer { lines: Vec::new(), count: Some(count) })
            }
            (Show::Files | Show::FilesWithout, Said::Listed(listed)) => {
                listed.then(FileAnswer::default)
            }
            _ => {
                return Err(Unreadable(format!(
                    "`{}` was asked for, and something else came",
                    show.name()
                )));
            }
        };
        if let Some(file) = file {
            answer.files.insert(Text(path.to_vec()), file);
        }
    }
    // There is no exit status: what was selected says the same.
    answer.status = if answer.files.is_empty() { Status::None } else { Status::Matched };
    Ok(answer)
}

/// Lines, checked as far as that is possible without knowing what is right.
fn read(bytes: &[u8], said: Vec<SaidLine>) -> Result<Vec<Line>, Unreadable> {
    let count = bytes.split_inclusive(|byte| *byte == b'\n').count() as u64;
    let mut lines: Vec<Line> = Vec::with_capacity(said.len());
    for SaidLine { number, selected, spans, line } in said {
        if number == 0 || number > count || lines.last().is_some_and(|last| last.number >= number) {
            return Err(Unreadable(format!(
                "line {number} of {count} is out of order, or not there"
            )));
        }
        let backwards = |(start, end): &&(u64, u64)| start > end;
        if let Some((start, end)) = spans.iter().flatten().find(backwards) {
            return Err(Unreadable(format!("a match from {start} to {end}")));
        }
        let text = match line.as_ref().map(Bytes::decode) {
            None => None,
            Some(Some(text)) => Some(Text(text)),
            Some(None) => return Err(Unreadable(format!("line {number} is no base64"))),
        };
        lines.push(Line { number, selected, text, spans });
    }
    Ok(lines)
}

#[cfg(test)]
mod tests;
