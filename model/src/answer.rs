//! The answer of `Search`: the caps `max_files`, `max_results`, `max_output_bytes`, the fields
//! `files_scanned`, `truncated`, `errors`, and the partial answers that a deadline allows (section
//! 6).
//!
//! Caps count in the order of files, and every cap that cut something is reported.

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

/// A correct answer of one pass over the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pass {
    pub(crate) answer: Answer,
    /// Whether an event was found, emitted or not (E-G03).
    pub(crate) found: bool,
}

/// The correct answers of one pass; the first is that without a deadline.
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

/// The events of these files, each with the index of its file.
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

/// The results of a search, before the caps of the answer.
struct Search<'a> {
    config: &'a Config,
    call: &'a Call<'a>,
    /// The files within the caps, in order.
    files: &'a [(&'a Candidate<'a>, FileEvents)],
    /// Their events in order, each with the index of its file.
    events: Vec<(usize, &'a Event)>,
    /// The cap that leaves out further eligible files.
    stopped: Option<Cap<Note>>,
    /// All errors in order.
    problems: &'a [WalkError],
    /// The level of a pass of fuzzy fallback.
    approximate: Option<u64>,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct End {
    /// Files scanned.
    scanned: usize,
    /// Files processed to their end.
    complete: usize,
    /// The cap that ended it.
    stopped: Option<Cap<Note>>,
    /// Whether the deadline ended it.
    timed_out: bool,
    /// Whether no further file exists, as far as the search knows.
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

    /// The events within the caps of the answer.
    fn emitted(&self, mut meter: Meter<Note>) -> Passed<(usize, &Event), Note> {
        meter.pass(self.events.iter().copied(), |(_, event), counted| match counted {
            Counted::Events => Some(1),
            Counted::Matches => Some(u64::from(event.is_match())),
            Counted::LineBytes => u64::try_from(event.text().len()).ok(),
            _ => None,
        })
    }

    /// The answers of a deadline after `scanned` complete files (E-D05, E-D06). After the last
    /// file, the search may or may not know that it was the last.
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

    /// The answer with these events and this end.
    fn answer(&self, events: Vec<Event>, end: End) -> Answer {
        let errors = self.errors(end);
        let notes = self.notes(&events, end, errors.len());
        let total = u64::try_from(end.scanned).unwrap_or(u64::MAX);
        let lost = |note| u64::try_from(self.lost(end, note)).unwrap_or(u64::MAX);
        let stats = self.config.emit_stats.then(|| Stats {
            version: self.config.tables.stats_version,
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

    /// The errors up to the last scanned file; all of them if everything was scanned.
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

    /// Number of processed files that lost something to the cap of this note.
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
    /// The end after `scanned` files.
    fn after(scanned: usize) -> End {
        End { scanned, complete: scanned, stopped: None, timed_out: false, everything: false }
    }
}

/// A limit for a note; there is a note only if there is a limit.
fn limit(limit: Option<u64>) -> u64 {
    limit.unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
