//! The answer as a whole, before the budget: what the caps let through, and what it says about what they did not.
//!
//! Responsible for: `max_files`, `max_results`, the figures of `stats`, `errors`, what an answer falls short of, and the
//! partial answers that a deadline allows (section 5).
//! Left to neighbours: matches of one file (`reading`), the length of the answer (`budget`), its text (`json`).
//! Invariants: caps count in the order of files; whatever cut something is told.

use std::collections::BTreeSet;

use super::Config;
use super::checks::Call;
use super::reading::{self, Match, Reading, count};
use super::request::name_of;
use crate::order::{self, Rank, Value};
use crate::place;
use crate::tables::Problem;
use crate::tables::files::Shortfall;
use crate::tables::order::By;
use crate::walk::{self, Candidate, Trouble};
use crate::world::World;

/// An answer that is not yet held against the budget.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    /// The search root, as shown.
    pub(super) path: String,
    pub(super) query: String,
    pub(super) mode: &'static str,
    pub(super) case: &'static str,
    pub(super) matches: Vec<Match>,
    pub(super) max_results: u64,
    /// What it falls short of.
    pub(super) short_of: BTreeSet<Shortfall>,
    pub(super) stats: Stats,
    /// Path and message of each.
    pub(super) errors: Vec<(String, String)>,
}

/// The figures of the whole search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stats {
    pub(super) files_scanned: u64,
    pub(super) files_matched: u64,
    pub(super) matches_total: u64,
    pub(super) files_cut: u64,
    pub(super) files_oversized: u64,
    pub(super) files_binary: u64,
    pub(super) directories_not_entered: u64,
    pub(super) errors_total: u64,
}

/// A problem.
struct Told {
    trouble: Trouble,
    /// Whether the file is only binary or oversized, which `stats` tells otherwise.
    is_told: bool,
}

/// The right answers; the first is that of a call that no deadline disturbs.
pub(super) fn answers(world: &World, config: &Config, call: &Call<'_>) -> Vec<Answer> {
    let found = walk::walk(world, &config.search, &call.scope());
    let most = usize::try_from(call.request.max_files).unwrap_or(usize::MAX);
    let eligible = found.eligible.iter().take(most);
    let files: Vec<(&Candidate<'_>, Reading)> =
        eligible.map(|file| (file, reading::read(config, call, file))).collect();
    let of_walk = found.troubles.into_iter().map(|trouble| Told { trouble, is_told: false });
    let of_files = files.iter().filter_map(|(file, reading)| trouble_with(config, file, reading));
    let mut troubles: Vec<Told> = of_walk.chain(of_files).collect();
    let orders = config.search.tables.orders;
    order::sort(&mut troubles, orders.problems, |told, by| told.trouble.value(by));
    let mut matches: Vec<(usize, Match)> = Vec::new();
    for (number, (file, reading)) in files.iter().enumerate() {
        let of_file = reading.all(&file.path, call.request.context_lines);
        matches.extend(of_file.into_iter().map(|one| (number, one)));
    }
    order::sort(&mut matches, orders.matches, |(file, of), by| match by {
        By::Place => files.get(*file).map_or(Value::Nothing, |(file, _)| Value::Rank(file.place.clone())),
        By::Line => Value::Number(of.line),
        By::Column => Value::Number(of.column),
        _ => Value::Nothing,
    });
    let more_files = found.eligible.len() > files.len();
    let too_deep = &found.too_deep;
    let (matches, troubles) = (&matches, &troubles);
    Search { config, call, files: &files, matches, more_files, troubles, too_deep }.answers()
}

fn trouble_with(config: &Config, file: &Candidate<'_>, reading: &Reading) -> Option<Told> {
    let problem: Problem = reading.problem?;
    let message = config.search.tables.message(problem);
    let trouble = Trouble { place: file.place.clone(), path: file.path.clone(), message };
    Some(Told { trouble, is_told: reading.oversized || reading.binary })
}

/// Everything that was found, before any cap on the answer.
struct Search<'a> {
    config: &'a Config,
    call: &'a Call<'a>,
    /// The files in order, `max_files` of them at most.
    files: &'a [(&'a Candidate<'a>, Reading)],
    /// Their matches in order, each with the number of its file from 0.
    matches: &'a [(usize, Match)],
    /// Whether there are eligible files beyond these.
    more_files: bool,
    /// All problems in order.
    troubles: &'a [Told],
    /// The directories not entered for their depth.
    too_deep: &'a [Rank],
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// With the last file.
    Complete,
    /// With the last file that `max_files` allows.
    MaxFiles,
    /// In the last file scanned, at the first match beyond `max_results`.
    MaxResults,
    /// After the last file scanned, by the deadline.
    Deadline {
        /// Whether it is known already that `max_files` leaves files out.
        files_left_out: bool,
        /// Whether it is known already that no file follows.
        all_scanned: bool,
    },
}

impl Search<'_> {
    fn answers(&self) -> Vec<Answer> {
        let beyond = self.file_beyond_max_results();
        let (scanned, end) = match beyond {
            Some(file) => (file + 1, End::MaxResults),
            None if self.more_files => (self.files.len(), End::MaxFiles),
            None => (self.files.len(), End::Complete),
        };
        let mut answers = vec![self.answer(scanned, end)];
        if self.config.search.deadline_may_strike {
            let complete = beyond.unwrap_or(self.files.len());
            answers.extend((0..=complete).flat_map(|scanned| self.timed_out(scanned)));
        }
        answers
    }

    /// The number, from 0, of the file that holds the first match beyond `max_results` (E-I04).
    fn file_beyond_max_results(&self) -> Option<usize> {
        let most = usize::try_from(self.call.request.max_results).unwrap_or(usize::MAX);
        self.matches.get(most).map(|(file, _)| *file)
    }

    /// The answers with so many files, all of them complete, when the deadline struck (E-I09). After the last file it may
    /// or may not have been noticed that it was the last.
    fn timed_out(&self, scanned: usize) -> Vec<Answer> {
        let last = scanned == self.files.len();
        let mut ends = vec![End::Deadline { files_left_out: false, all_scanned: false }];
        if last && self.more_files {
            ends.push(End::Deadline { files_left_out: true, all_scanned: false });
        }
        if last && !self.more_files {
            ends.push(End::Deadline { files_left_out: false, all_scanned: true });
        }
        ends.into_iter().map(|end| self.answer(scanned, end)).collect()
    }

    /// The answer that has scanned so many files and ended so.
    fn answer(&self, scanned: usize, end: End) -> Answer {
        let request = &self.call.request;
        let most = usize::try_from(request.max_results).unwrap_or(usize::MAX);
        let readings = || self.files.iter().take(scanned).map(|(_, reading)| reading);
        let covered = self.matches.iter().filter(|(file, _)| *file < scanned);
        let matches: Vec<Match> = covered.take(most).map(|(_, of)| of.clone()).collect();
        let errors: Vec<&Told> =
            self.troubles.iter().filter(|told| self.is_covered(&told.trouble.place, scanned, end)).collect();
        let too_deep = self.too_deep.iter().filter(|place| self.is_covered(place, scanned, end));
        // The file that holds the first match beyond `max_results` is not asked whether it is cut.
        let asked = if end == End::MaxResults { scanned.saturating_sub(1) } else { scanned };
        let stats = Stats {
            files_scanned: count(scanned),
            files_matched: count(readings().filter(|reading| reading.matches() > 0).count()),
            matches_total: count(matches.len()) + u64::from(end == End::MaxResults),
            files_cut: count(readings().take(asked).filter(|reading| reading.cut).count()),
            files_oversized: count(readings().filter(|reading| reading.oversized).count()),
            files_binary: count(readings().filter(|reading| reading.binary).count()),
            directories_not_entered: count(too_deep.count()),
            errors_total: count(errors.len()),
        };
        Answer {
            path: self.shown_root(),
            query: request.query.clone(),
            mode: request.mode.name(),
            case: name_of(request.case),
            matches,
            max_results: request.max_results,
            short_of: short_of(&stats, &errors, end),
            stats,
            errors: errors
                .iter()
                .map(|told| (told.trouble.path.clone(), told.trouble.message.to_owned()))
                .collect(),
        }
    }

    /// Whether an answer speaks of what stands at `place`: if that is not after the last scanned file, or everything was
    /// scanned.
    fn is_covered(&self, place: &Rank, scanned: usize, end: End) -> bool {
        let everything = matches!(end, End::Complete | End::Deadline { all_scanned: true, .. });
        let last = scanned.checked_sub(1).and_then(|last| self.files.get(last));
        everything || last.is_some_and(|(file, _)| *place <= file.place)
    }

    /// The search root as `Search` shows it, the sandbox root written out.
    fn shown_root(&self) -> String {
        let shown = place::shown(&self.call.root.names, &self.config.search.working_dir);
        match shown.strip_prefix("{root}") {
            Some(below) => format!("{}{below}", self.config.root_shown),
            None => shown,
        }
    }
}

fn short_of(stats: &Stats, errors: &[&Told], end: End) -> BTreeSet<Shortfall> {
    let left_out = matches!(end, End::MaxFiles | End::Deadline { files_left_out: true, .. });
    let shortfalls = [
        (end == End::MaxResults, Shortfall::MaxResults),
        (left_out, Shortfall::MaxFiles),
        (stats.files_cut > 0, Shortfall::MaxMatchesPerFile),
        (stats.files_oversized > 0, Shortfall::MaxFileSizeBytes),
        (stats.directories_not_entered > 0, Shortfall::MaxDepth),
        (matches!(end, End::Deadline { .. }), Shortfall::Timeout),
        (errors.iter().any(|error| !error.is_told), Shortfall::Errors),
    ];
    shortfalls.into_iter().filter(|(applies, _)| *applies).map(|(_, shortfall)| shortfall).collect()
}

#[cfg(test)]
mod tests;
