//! The answer as a whole: what the caps let through, and what it says about what they did not.
//!
//! Responsible for: `max_files`, `max_results`, `max_output_bytes`, `files_scanned`, `truncated`,
//! `errors`, and the
//! partial answers that a deadline allows (section 6).
//! Left to neighbours: events of one file (`events`), the wording of `content` (`content`).
//! Invariants: caps count in the order of files; every cap that cut something is told.

use crate::checks::Call;
use crate::config::Config;
use crate::content::{self, Notes};
use crate::events::{self, FileEvents};
use crate::meter::{Meter, Passed};
use crate::order::{self, Value};
use crate::outcome::{Answer, Event, Fallback, Stats};
use crate::place;
use crate::tables::Note;
use crate::tables::caps::{Cap, Counted, Deadline};
use crate::tables::order::By;
use crate::walk::{self, Candidate, WalkError};
use crate::world::World;

/// A right answer of one pass over the files, and what only those who started the pass need to
/// know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pass {
    pub(crate) answer: Answer,
    /// Whether an event was found, emitted or not (E-G03).
    pub(crate) found: bool,
}

/// The right answers of one pass; the first is that of a pass that no deadline disturbs.
pub(crate) fn passes(
    world: &World,
    config: &Config,
    call: &Call<'_>,
    approximate: Option<u64>,
) -> Vec<Pass> {
    let found = walk::walk(world, config, &call.scope());
    let is_root = call.root.file.is_some();
    let limit = |limit| call.request.limit(limit, config);
    let mut meter = Meter::new(config.tables.caps.search, false, limit);
    let passed = meter.pass(&found.eligible, |file, counted| match counted {
        Counted::Files => Some(1),
        Counted::FileBytes => u64::try_from(file.bytes.len()).ok(),
        _ => None,
    });
    let read = |(file, cap)| match cap {
        None => (file, events::read(config, &call.request, &call.matcher, file, is_root)),
        Some(cap) => (file, events::left_out(cap, is_root)),
    };
    let files: Vec<(&Candidate<'_>, FileEvents)> =
        passed.gone_through.into_iter().map(read).collect();
    let mut problems = found.problems;
    for (file, reading) in &files {
        problems.extend(reading.problem.map(|problem| WalkError {
            place: file.place.clone(),
            path: file.path.clone(),
            message: config.tables.message(problem),
        }));
    }
    order::sort(&mut problems, config.tables.orders.problems, WalkError::value);
    let events = in_order(config, &files);
    let stopped = passed.stopped.map(|(_, cap)| cap);
    Search { config, call, files: &files, events, stopped, problems: &problems, approximate }
        .passes(meter)
}

/// The events of these files, each with the number of its file.
fn in_order<'a>(
    config: &Config,
    files: &'a [(&Candidate<'_>, FileEvents)],
) -> Vec<(usize, &'a Event)> {
    let of_file = |(file, (_, reading)): (usize, &'a (_, FileEvents))| {
        reading.events.iter().map(move |event| (file, event))
    };
    let mut events: Vec<(usize, &Event)> = files.iter().enumerate().flat_map(of_file).collect();
    order::sort(&mut events, config.tables.orders.lines, |(file, event), by| match by {
        By::Place => {
            files.get(*file).map_or(Value::Nothing, |(file, _)| Value::Rank(file.place.clone()))
        }
        By::Line => Value::Number(event.line()),
        _ => Value::Nothing,
    });
    events
}

/// Everything that was found, before any cap on the answer.
struct Search<'a> {
    config: &'a Config,
    call: &'a Call<'a>,
    /// The files in order, as many as the caps let through.
    files: &'a [(&'a Candidate<'a>, FileEvents)],
    /// Their events in order, each with the number of its file from 0.
    events: Vec<(usize, &'a Event)>,
    /// The cap that leaves out eligible files beyond these.
    stopped: Option<Cap<Note>>,
    /// All problems in order.
    problems: &'a [WalkError],
    /// The level, if this is a pass of fuzzy fallback.
    approximate: Option<u64>,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct End {
    /// How many files were scanned.
    scanned: usize,
    /// How many of them were gone through to their end.
    complete: usize,
    /// The cap that ended it.
    stopped: Option<Cap<Note>>,
    /// Whether the deadline did.
    timed_out: bool,
    /// Whether it is known that no file follows.
    everything: bool,
}

impl Search<'_> {
    fn passes(&self, meter: Meter<Note>) -> Vec<Pass> {
        let emitted = self.emitted(meter);
        let all = self.files.len();
        let end = match emitted.stopped {
            Some(((file, _), cap)) => End {
                scanned: file + 1,
                complete: file,
                stopped: Some(cap),
                timed_out: false,
                everything: false,
            },
            None => {
                End { stopped: self.stopped, everything: self.stopped.is_none(), ..End::after(all) }
            }
        };
        let found = !self.events.is_empty();
        let events = emitted.kept().map(|(_, event)| (*event).clone()).collect();
        let mut passes = vec![Pass { answer: self.answer(events, end), found }];
        if self.config.deadline_may_strike {
            let cuts = self.deadline().cuts(end.scanned, end.complete);
            passes.extend(cuts.flat_map(|scanned| self.timed_out(scanned)));
        }
        passes
    }

    /// The events that the caps let through, which have counted the files.
    fn emitted(&self, mut meter: Meter<Note>) -> Passed<(usize, &Event), Note> {
        meter.pass(self.events.iter().copied(), |(_, event), counted| match counted {
            Counted::Events => Some(1),
            Counted::Matches => Some(u64::from(event.is_match())),
            Counted::LineBytes => u64::try_from(event.text().len()).ok(),
            _ => None,
        })
    }

    /// The answers with so many files, all of them complete, when the deadline struck (E-D05,
    /// E-D06). After the last
    /// file it may or may not have been noticed that it was the last.
    fn timed_out(&self, scanned: usize) -> Vec<Pass> {
        let events: Vec<Event> = self
            .events
            .iter()
            .filter(|(file, _)| *file < scanned)
            .map(|(_, event)| (*event).clone())
            .collect();
        let end = End { timed_out: true, ..End::after(scanned) };
        let mut ends = vec![end];
        if scanned == self.files.len() {
            ends.push(End { stopped: self.stopped, everything: self.stopped.is_none(), ..end });
        }
        let found = !events.is_empty();
        let answers = ends.into_iter().map(|end| self.answer(events.clone(), end));
        answers.map(|answer| Pass { answer, found }).collect()
    }

    /// The answer that emits these events and ended so.
    fn answer(&self, events: Vec<Event>, end: End) -> Answer {
        let errors = self.errors(end);
        let notes = self.notes(&events, end, errors.len());
        let total = u64::try_from(end.scanned).unwrap_or(u64::MAX);
        let lost = |note| u64::try_from(self.lost(end, note)).unwrap_or(u64::MAX);
        let stats = self.config.emit_stats.then(|| Stats {
            incomplete_because: notes.reasons(self.config.tables),
            files_oversized: lost(Note::MaxFileSizeBytes),
            files_cut: lost(Note::MaxMatchesPerFile),
            candidates_total: total,
            fallback: Fallback::default(),
        });
        Answer {
            path: place::shown(&self.call.root.names, &self.config.working_dir),
            truncated: notes.cut_something(self.config.tables),
            timed_out: end.timed_out,
            files_scanned: total,
            content: content::render(self.config.tables, &events, &notes),
            errors,
            events,
            stats,
        }
    }

    /// The problems whose place is not after the last scanned file; all of them when everything was
    /// scanned.
    fn errors(&self, end: End) -> Vec<(String, String)> {
        let last = end
            .scanned
            .checked_sub(1)
            .and_then(|last| self.files.get(last))
            .map(|(file, _)| &file.place);
        self.problems
            .iter()
            .filter(|problem| end.everything || last.is_some_and(|last| problem.place <= *last))
            .map(|problem| (problem.path.clone(), problem.message.to_owned()))
            .collect()
    }

    /// How many of the files that were gone through lost something to a cap that tells this.
    fn lost(&self, end: End, note: Note) -> usize {
        let complete = self.files.iter().take(end.complete);
        complete.filter(|(_, reading)| reading.lost.is_some_and(|cap| cap.reason == note)).count()
    }

    fn deadline(&self) -> &'static Deadline<Note> {
        &self.config.tables.caps.deadline_search
    }

    fn notes(&self, events: &[Event], end: End, errors: usize) -> Notes {
        let limit = |cap: &Cap<Note>| limit(self.call.request.limit(cap.limit, self.config));
        let mut notes = Notes::default();
        for cap in self.config.tables.caps.search {
            let files = self.lost(end, cap.reason);
            notes.add_if(files > 0 || end.stopped == Some(*cap), cap.reason, limit(cap), files);
        }
        notes.add_if(
            self.approximate.is_some(),
            Note::Approximate,
            self::limit(self.approximate),
            0,
        );
        notes.add_if(!events.iter().any(Event::is_match), Note::NoMatches, 0, 0);
        notes.add_if(end.timed_out, self.deadline().reason, 0, end.scanned);
        notes.add_if(errors > 0, Note::Errors, 0, errors);
        notes
    }
}

impl End {
    /// The end after so many files.
    fn after(scanned: usize) -> End {
        End { scanned, complete: scanned, stopped: None, timed_out: false, everything: false }
    }
}

/// A limit for a note; there is a note only where there is a limit.
fn limit(limit: Option<u64>) -> u64 {
    limit.unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
