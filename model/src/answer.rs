//! The answer as a whole: what the caps let through, and what it says about what they did not.
//!
//! Responsible for: `max_files`, `max_results`, `max_output_bytes`, `files_scanned`, `truncated`, `errors`, and the
//! partial answers that a deadline allows (section 6).
//! Left to neighbours: events of one file (`events`), the wording of `content` (`content`).
//! Invariants: caps count in the order of files; every cap that cut something is told.

use crate::checks::Call;
use crate::config::Config;
use crate::content::{self, Notes};
use crate::events::{self, Reading};
use crate::order::{self, Value};
use crate::outcome::{Answer, Event, Fallback, Stats};
use crate::place;
use crate::tables::Note;
use crate::tables::order::By;
use crate::walk::{self, Candidate, Trouble};
use crate::world::World;

/// A right answer of one pass over the files, and what only those who started the pass need to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pass {
    pub(crate) answer: Answer,
    /// Whether an event was found, emitted or not (E-G03).
    pub(crate) found: bool,
}

/// The right answers of one pass; the first is that of a pass that no deadline disturbs.
pub(crate) fn passes(world: &World, config: &Config, call: &Call<'_>, approximate: Option<u64>) -> Vec<Pass> {
    let found = walk::walk(world, config, &call.scope());
    let most = call.request.max_files.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    let is_root = call.root.file.is_some();
    let files: Vec<(&Candidate<'_>, Reading)> = found
        .eligible
        .iter()
        .take(most)
        .map(|file| (file, events::read(config, &call.request, &call.matcher, file, is_root)))
        .collect();
    let mut troubles = found.troubles;
    for (file, reading) in &files {
        troubles.extend(reading.problem.map(|problem| Trouble {
            place: file.place.clone(),
            path: file.path.clone(),
            message: config.tables.message(problem),
        }));
    }
    order::sort(&mut troubles, config.tables.orders.problems, Trouble::value);
    let more_files = found.eligible.len() > files.len();
    let events = in_order(config, &files);
    Search { config, call, files: &files, events, more_files, troubles: &troubles, approximate }.passes()
}

/// The events of these files, each with the number of its file.
fn in_order<'a>(config: &Config, files: &'a [(&Candidate<'_>, Reading)]) -> Vec<(usize, &'a Event)> {
    let of_file = |(file, (_, reading)): (usize, &'a (_, Reading))| {
        reading.events.iter().map(move |event| (file, event))
    };
    let mut events: Vec<(usize, &Event)> = files.iter().enumerate().flat_map(of_file).collect();
    order::sort(&mut events, config.tables.orders.lines, |(file, event), by| match by {
        By::Place => files.get(*file).map_or(Value::Nothing, |(file, _)| Value::Rank(file.place.clone())),
        By::Line => Value::Number(event.line()),
        _ => Value::Nothing,
    });
    events
}

/// Everything that was found, before any cap on the answer.
struct Search<'a> {
    config: &'a Config,
    call: &'a Call<'a>,
    /// The files in order, `max_files` of them at most.
    files: &'a [(&'a Candidate<'a>, Reading)],
    /// Their events in order, each with the number of its file from 0.
    events: Vec<(usize, &'a Event)>,
    /// Whether there are eligible files beyond these.
    more_files: bool,
    /// All problems in order.
    troubles: &'a [Trouble],
    /// The level, if this is a pass of fuzzy fallback.
    approximate: Option<u64>,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// With the last file.
    Complete,
    /// With the last file that `max_files` allows.
    MaxFiles,
    /// In the last file scanned, at an event that this cap did not let through.
    Event(Note),
    /// After the last file scanned, by the deadline.
    Deadline {
        /// Whether it is known already that `max_files` leaves files out.
        files_left_out: bool,
        /// Whether it is known already that no file follows.
        all_scanned: bool,
    },
}

impl Search<'_> {
    fn passes(&self) -> Vec<Pass> {
        let (events, ending) = self.emitted();
        let (scanned, end) = match ending {
            Some((file, note)) => (file + 1, End::Event(note)),
            None if self.more_files => (self.files.len(), End::MaxFiles),
            None => (self.files.len(), End::Complete),
        };
        let found = !self.events.is_empty();
        let mut passes = vec![Pass { answer: self.answer(events, scanned, end), found }];
        if self.config.deadline_may_strike {
            let complete = ending.map_or(self.files.len(), |(file, _)| file);
            passes.extend((0..=complete).flat_map(|scanned| self.timed_out(scanned)));
        }
        passes
    }

    /// The events that the caps let through, and if one was held back, its file's number from 0 and the cap.
    /// `max_results` is tested first.
    fn emitted(&self) -> (Vec<Event>, Option<(usize, Note)>) {
        let most = self.call.request.max_results.unwrap_or(u64::MAX);
        let most_bytes = self.config.max_output_bytes;
        let (mut count, mut bytes) = (0_u64, 0_u64);
        let mut emitted = Vec::new();
        for (file, event) in &self.events {
            let bytes_with = bytes.saturating_add(u64::try_from(event.text().len()).unwrap_or(u64::MAX));
            if count >= most {
                return (emitted, Some((*file, Note::MaxResults)));
            }
            if bytes_with > most_bytes {
                return (emitted, Some((*file, Note::MaxOutputBytes)));
            }
            (count, bytes) = (count + 1, bytes_with);
            emitted.push((*event).clone());
        }
        (emitted, None)
    }

    /// The answers with so many files, all of them complete, when the deadline struck (E-D05, E-D06). After the last
    /// file it may or may not have been noticed that it was the last.
    fn timed_out(&self, scanned: usize) -> Vec<Pass> {
        let events: Vec<Event> = self
            .events
            .iter()
            .filter(|(file, _)| *file < scanned)
            .map(|(_, event)| (*event).clone())
            .collect();
        let last = scanned == self.files.len();
        let mut ends = vec![End::Deadline { files_left_out: false, all_scanned: false }];
        if last && self.more_files {
            ends.push(End::Deadline { files_left_out: true, all_scanned: false });
        }
        if last && !self.more_files {
            ends.push(End::Deadline { files_left_out: false, all_scanned: true });
        }
        let found = !events.is_empty();
        let answers = ends.into_iter().map(|end| self.answer(events.clone(), scanned, end));
        answers.map(|answer| Pass { answer, found }).collect()
    }

    /// The answer that emits these events, has scanned so many files and ended so.
    fn answer(&self, events: Vec<Event>, scanned: usize, end: End) -> Answer {
        let errors = self.errors(scanned, end);
        let notes = self.notes(&events, scanned, end, errors.len());
        let timed_out = matches!(end, End::Deadline { .. });
        let (cut, oversized) = self.left_out(scanned, end);
        let total = u64::try_from(scanned).unwrap_or(u64::MAX);
        let stats = self.config.emit_stats.then(|| Stats {
            incomplete_because: notes.reasons(self.config.tables),
            files_oversized: u64::try_from(oversized).unwrap_or(u64::MAX),
            files_cut: u64::try_from(cut).unwrap_or(u64::MAX),
            candidates_total: total,
            fallback: Fallback::default(),
        });
        Answer {
            path: place::shown(&self.call.root.names, &self.config.working_dir),
            truncated: timed_out || notes.cut_something(),
            timed_out,
            files_scanned: total,
            content: content::render(self.config.tables, &events, &notes),
            errors,
            events,
            stats,
        }
    }

    /// The problems whose place is not after the last scanned file; all of them when everything was scanned.
    fn errors(&self, scanned: usize, end: End) -> Vec<(String, String)> {
        let everything = matches!(end, End::Complete | End::Deadline { all_scanned: true, .. });
        let last = scanned.checked_sub(1).and_then(|last| self.files.get(last)).map(|(file, _)| &file.place);
        self.troubles
            .iter()
            .filter(|trouble| everything || last.is_some_and(|last| trouble.place <= *last))
            .map(|trouble| (trouble.path.clone(), trouble.message.to_owned()))
            .collect()
    }

    /// How many of the scanned files have matching lines beyond the cap of one file, and how many are oversized.
    fn left_out(&self, scanned: usize, end: End) -> (usize, usize) {
        // The file that holds the first event not emitted is not asked about its later matching lines.
        let asked = if matches!(end, End::Event(_)) { scanned.saturating_sub(1) } else { scanned };
        let readings = || self.files.iter().map(|(_, reading)| reading);
        let cut = readings().take(asked).filter(|reading| reading.cut).count();
        (cut, readings().take(scanned).filter(|reading| reading.oversized).count())
    }

    fn notes(&self, events: &[Event], scanned: usize, end: End, errors: usize) -> Notes {
        let request = &self.call.request;
        let (cut, oversized) = self.left_out(scanned, end);
        let left_out = matches!(end, End::MaxFiles | End::Deadline { files_left_out: true, .. });
        let mut notes = Notes::default();
        notes.add_if(self.approximate.is_some(), Note::Approximate, limit(self.approximate), 0);
        notes.add_if(!events.iter().any(Event::is_match), Note::NoMatches, 0, 0);
        notes.add_if(end == End::Event(Note::MaxResults), Note::MaxResults, limit(request.max_results), 0);
        notes.add_if(
            end == End::Event(Note::MaxOutputBytes),
            Note::MaxOutputBytes,
            self.config.max_output_bytes,
            0,
        );
        notes.add_if(left_out, Note::MaxFiles, limit(request.max_files), 0);
        notes.add_if(cut > 0, Note::MaxMatchesPerFile, limit(request.max_matches_per_file), cut);
        notes.add_if(oversized > 0, Note::MaxFileSizeBytes, limit(request.max_file_size_bytes), oversized);
        notes.add_if(matches!(end, End::Deadline { .. }), Note::TimedOut, 0, scanned);
        notes.add_if(errors > 0, Note::Errors, 0, errors);
        notes
    }
}

/// A limit for a note; there is a note only where there is a limit.
fn limit(limit: Option<u64>) -> u64 {
    limit.unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
