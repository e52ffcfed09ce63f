//! `grep`: matching lines, or files with one, and where counting ends (section 4).
//!
//! Results are in path order, then in line order.

use std::collections::BTreeSet;

use regex_automata::Input;
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::util::captures::Captures;
use serde_json::{Map, Value, json};

use super::answer::Counts;
use super::files::FileText;
use super::request::{Call, Output, SearchTarget};
use super::{Answer, Config, files, lines};
use crate::meter::Meter;
use crate::order;
use crate::place;
use crate::tables::agent::Reason;
use crate::tables::caps::{CapLimit, Counted};
use crate::tables::order::By;
use crate::world::World;

/// A matching line.
struct Line {
    /// Index of its file among the eligible ones.
    file: usize,
    /// Line number, 0-based.
    number: usize,
    /// Start of the leftmost match.
    start: usize,
}

/// The answer to a valid call.
pub(super) fn answer(world: &World, config: &Config, call: &Call<'_>) -> Answer {
    let files = files::files(world, config, call);
    let readings = files.read(config);
    if call.output != Output::Lines {
        let numbers = files.eligible.iter().zip(&readings);
        let numbers = numbers
            .map(|(file, reading)| (file.path.as_str(), in_text(call, &reading.lines()).len()));
        let holding: Vec<(&str, usize)> = numbers.filter(|(_, lines)| *lines > 0).collect();
        let reasons = files.shortfalls(readings.iter());
        return of_files(config, call, &holding, reasons);
    }
    let counted =
        config.tables.limits.counted_lines.max(call.offset.saturating_add(call.max_results));
    let mut meter = Meter::new(config.search.tables.caps.agent, false, |limit| {
        (limit == CapLimit::CountedLines).then_some(counted)
    });
    let lines: Vec<Vec<&[u8]>> = readings.iter().map(FileText::lines).collect();
    let mut found: Vec<Line> = Vec::new();
    for (file, lines) in lines.iter().enumerate() {
        found.extend(in_text(call, lines).into_iter().map(|(number, start)| Line {
            file,
            number,
            start,
        }));
    }
    order::sort(&mut found, config.search.tables.orders.lines, |line, by| match by {
        By::Place => files.place(line.file),
        By::Line => order::Value::count(line.number),
        _ => order::Value::Nothing,
    });
    let passed = meter.pass(&found, |_, counted| (counted == Counted::Lines).then_some(1));
    let mut reasons = match passed.stopped {
        None => files.shortfalls(readings.iter()),
        Some((beyond, _)) => files.shortfalls_up_to(beyond.file, readings.iter()),
    };
    reasons.extend(passed.stopped.map(|(_, cap)| cap.reason));
    let counted = passed.kept().filter_map(|line| {
        Some(result(
            config,
            call,
            &files.eligible.get(line.file)?.path,
            lines.get(line.file)?,
            line,
        ))
    });
    Answer::new(config, call, counted.collect(), reasons)
}

/// The answer that lists files, given the number of matching lines in each. All of them are
/// counted.
fn of_files(
    config: &Config,
    call: &Call<'_>,
    holding: &[(&str, usize)],
    reasons: BTreeSet<Reason>,
) -> Answer {
    let counts =
        Counts { lines: holding.iter().map(|(_, lines)| lines).sum(), files: holding.len() };
    if call.output == Output::Count {
        return Answer::of_counts(config, call, counts, reasons);
    }
    let results = holding.iter().map(|(path, lines)| json!({ "path": path, "match_count": lines }));
    Answer::new(config, call, results.collect(), reasons).with(counts)
}

/// Matching lines, 0-based, each with the start of its leftmost match.
fn in_text(call: &Call<'_>, lines: &[&[u8]]) -> Vec<(usize, usize)> {
    let SearchTarget::Lines(machine) = &call.sought else { return Vec::new() };
    let matching =
        (0..).zip(lines).filter_map(|(number, line)| Some((number, leftmost(machine, line)?)));
    matching.collect()
}

/// The start of a line's leftmost match, as an offset in the decoded line.
fn leftmost(machine: &PikeVM, line: &[u8]) -> Option<usize> {
    let mut captures = Captures::matches(machine.get_nfa().group_info().clone());
    machine.search(&mut machine.create_cache(), &Input::new(line), &mut captures);
    let start = captures.get_match()?.start();
    Some(place::lossy(line.get(..start)?).len())
}

fn result(config: &Config, call: &Call<'_>, path: &str, lines: &[&[u8]], line: &Line) -> Value {
    let Line { number, start, .. } = *line;
    let limits = &config.tables.limits;
    let line = lines.get(number).map(|line| place::lossy(line)).unwrap_or_default();
    let shown = lines::shown(&line, start, limits);
    let around = lines::around(lines, number, call.context_lines, limits);
    let cut = shown.cut || around.as_ref().is_some_and(|(_, cut)| *cut);
    let mut result = Map::new();
    result.insert("path".to_owned(), json!(path));
    result.insert("line".to_owned(), json!(number + 1));
    result.insert("match".to_owned(), json!(shown.text));
    result.extend(around.map(|(context, _)| ("context".to_owned(), context)));
    result.extend(cut.then(|| ("cut".to_owned(), json!(true))));
    Value::Object(result)
}

#[cfg(test)]
mod tests;
