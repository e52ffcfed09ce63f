//! The fake by the protocol.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;

use serde_json::Value;
use touchstone_spec::adapter::Show;

use super::engine::{Engine, Event, Options};
use super::kind::Kind;
use crate::protocol::messages::{Bytes, Command, Reply, Said, SaidLine, VERSION, Wanted, line};
use crate::question::Case;

/// Answers messages until the message to stop.
pub(super) fn main(kind: Kind) -> ExitCode {
    let mut before: Option<Vec<Said>> = None;
    for told in io::stdin().lock().lines() {
        let Some(command) = told.ok().and_then(|told| serde_json::from_str::<Command>(&told).ok())
        else {
            return ExitCode::from(2);
        };
        let reply = match command {
            Command::Stop {} => return ExitCode::SUCCESS,
            Command::Start { .. } => Reply::Ready {
                version: VERSION,
                name: "fake-protocol".to_owned(),
                release: "1.0.0".to_owned(),
                unsupported: BTreeMap::new(),
            },
            Command::Run { id, ask, haystacks } => run(kind, id, &ask, &haystacks, &mut before),
        };
        if send(kind, &reply).is_err() {
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn run(
    kind: Kind,
    id: u64,
    ask: &Wanted,
    haystacks: &[Bytes],
    before: &mut Option<Vec<Said>>,
) -> Reply {
    let options = options(ask);
    let engine = match Engine::new(&options, kind) {
        Ok(engine) => engine,
        Err(reason) => return Reply::Skipped { id, reason },
    };
    if kind == Kind::SaysItFailed && id.is_multiple_of(4) {
        return Reply::Errored { id, context: "out of luck".to_owned() };
    }
    let texts = haystacks.iter().map(|haystack| haystack.decode().unwrap_or_default());
    let mut said: Vec<Said> = texts.map(|text| reply(ask.show, &engine.search(&text))).collect();
    if kind == Kind::OneAnswerShort {
        said.pop();
    }
    let stale = before.replace(said.clone());
    if let (Kind::Stale, Some(stale)) = (kind, stale)
        && stale.len() == said.len()
        && stale
            .iter()
            .zip(&said)
            .all(|(old, new)| std::mem::discriminant(old) == std::mem::discriminant(new))
    {
        said = stale;
    }
    Reply::Answer { id: if kind == Kind::WrongId { id + 1 } else { id }, haystacks: said }
}

fn options(ask: &Wanted) -> Options {
    Options {
        patterns: ask.patterns.clone(),
        fixed: ask.fixed,
        insensitive: ask.case == Case::Insensitive,
        smart: ask.case == Case::Smart,
        word: ask.word,
        line: ask.line,
        invert: ask.invert,
        crlf: ask.crlf,
        max_count: ask.max_count,
        before: ask.before,
        after: ask.after,
        show: (ask.show != Show::Lines).then_some(ask.show),
    }
}

fn reply(show: Show, events: &[Event]) -> Said {
    let count = events.iter().filter(|event| event.selected).count() as u64;
    match show {
        Show::Lines | Show::Spans => Said::Lines(events.iter().map(shown).collect()),
        Show::Count => Said::Count(count),
        Show::Files => Said::Listed(count > 0),
        Show::FilesWithout => Said::Listed(count == 0),
    }
}

fn shown(event: &Event) -> SaidLine {
    let spans = event.spans.iter().map(|(start, end)| (*start as u64, *end as u64)).collect();
    let text = event.text.strip_suffix(b"\n").unwrap_or(&event.text);
    let told = event.selected && !event.spans.is_empty();
    SaidLine {
        number: event.number,
        selected: event.selected,
        spans: told.then_some(spans),
        line: Some(Bytes::from(text)),
    }
}

fn send(kind: Kind, reply: &Reply) -> io::Result<()> {
    let mut said = serde_json::to_value(reply)?;
    if let (Kind::UnknownField, Reply::Answer { .. }, Value::Object(fields)) =
        (kind, reply, &mut said)
    {
        fields.insert("elapsed".to_owned(), Value::from(1));
    }
    let said = line(&said)?;
    let mut output = io::stdout().lock();
    output.write_all(&said)?;
    if kind == Kind::RepliesTwice && matches!(reply, Reply::Answer { .. }) {
        output.write_all(&said)?;
    }
    output.flush()
}
