//! The answer before the budget: the caps `max_files` and `max_results`, the figures of `stats`,
//! `errors`, shortfalls, and the partial answers that a deadline allows (section 5).
//!
//! Caps count in the order of files, and everything that cut something is reported.

use std::collections::BTreeSet;

use super::Config;
use super::checks::Call;
use super::file_matches::{self, FileMatches, Match, count};
use super::request::name_of;
use crate::meter::{Meter, Passed};
use crate::order::{self, Rank, Value};
use crate::place;
use crate::tables::Problem;
use crate::tables::caps::{Caps, Counted};
use crate::tables::files::Shortfall;
use crate::tables::order::By;
use crate::walk::{self, Candidate, Depth, WalkError};
use crate::world::World;

/// An answer before the budget is applied.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    pub(super) path: String,
    pub(super) query: String,
    pub(super) mode: &'static str,
    pub(super) case: &'static str,
    pub(super) matches: Vec<Match>,
    pub(super) max_results: u64,
    pub(super) short_of: BTreeSet<Shortfall>,
    pub(super) stats: Stats,
    /// Path and message.
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

/// An error.
struct RecordedProblem {
    problem: WalkError,
    /// Whether the file is only binary or oversized, which `stats` counts elsewhere.
    is_counted_only: bool,
}

/// The correct answers; the first is that without a deadline.
pub(super) fn answers(world: &World, config: &Config, call: &Call<'_>) -> Vec<Answer> {
    let found = walk::walk(world, &config.search, &call.scope(config));
    let caps = config.search.tables.caps.search_files;
    let mut meter = Meter::new(caps, false, |limit| call.request.limit(limit));
    let passed = meter.pass(&found.eligible, |file, counted| match counted {
        Counted::Files => Some(1),
        Counted::FileBytes => u64::try_from(file.bytes.len()).ok(),
        _ => None,
    });
    let stopped = passed.stopped.map(|(_, cap)| cap.reason);
    let read = |(file, cap): (_, Option<_>)| {
        (file, cap.map_or_else(|| file_matches::read(config, call, file), file_matches::left_out))
    };
    let files: Vec<(&Candidate<'_>, FileMatches)> =
        passed.gone_through.into_iter().map(read).collect();
    let of_walk = found
        .problems
        .into_iter()
        .map(|problem| RecordedProblem { problem, is_counted_only: false });
    let of_files = files.iter().filter_map(|(file, reading)| trouble_with(config, file, reading));
    let mut problems: Vec<RecordedProblem> = of_walk.chain(of_files).collect();
    let orders = config.search.tables.orders;
    order::sort(&mut problems, orders.problems, |told, by| told.problem.value(by));
    let mut matches: Vec<(usize, Match)> = Vec::new();
    for (number, (file, reading)) in files.iter().enumerate() {
        let of_file = reading.all(&file.path, call.request.context_lines);
        matches.extend(of_file.into_iter().map(|one| (number, one)));
    }
    order::sort(&mut matches, orders.matches, |(file, of), by| match by {
        By::Place => {
            files.get(*file).map_or(Value::Nothing, |(file, _)| Value::Rank(file.place.clone()))
        }
        By::Line => Value::Number(of.line),
        By::Column => Value::Number(of.column),
        _ => Value::Nothing,
    });
    let passed = meter.pass(matches, |_, counted| (counted == Counted::Matches).then_some(1));
    let too_deep = &found.too_deep;
    let problems = &problems;
    Search { config, call, files: &files, passed, stopped, problems, too_deep }.answers()
}

fn trouble_with(
    config: &Config,
    file: &Candidate<'_>,
    reading: &FileMatches,
) -> Option<RecordedProblem> {
    let problem: Problem = reading.problem?;
    let message = config.search.tables.message(problem);
    let problem = WalkError { place: file.place.clone(), path: file.path.clone(), message };
    Some(RecordedProblem { problem, is_counted_only: reading.lost.is_some() || reading.binary })
}

/// The results of a search, before the caps of the answer.
struct Search<'a> {
    config: &'a Config,
    call: &'a Call<'a>,
    /// The files within the caps, in order.
    files: &'a [(&'a Candidate<'a>, FileMatches)],
    /// Their matches in order, each with the index of its file, within the caps.
    passed: Passed<(usize, Match), Shortfall>,
    /// The shortfall if eligible files lie beyond the cap.
    stopped: Option<Shortfall>,
    /// All errors in order.
    problems: &'a [RecordedProblem],
    /// Directories below the depth limit.
    too_deep: &'a [Rank],
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct End {
    /// Files scanned.
    scanned: usize,
    /// Files processed to their end.
    complete: usize,
    /// The shortfall of the cap that ended it.
    stopped: Option<Shortfall>,
    /// Whether the deadline ended it.
    timed_out: bool,
    /// Whether no further file exists, as far as the search knows.
    everything: bool,
}

impl Search<'_> {
    fn answers(&self) -> Vec<Answer> {
        let all = self.files.len();
        let end = match &self.passed.stopped {
            Some(((file, _), cap)) => {
                End { complete: *file, stopped: Some(cap.reason), ..End::after(file + 1) }
            }
            None => {
                End { stopped: self.stopped, everything: self.stopped.is_none(), ..End::after(all) }
            }
        };
        let mut answers = vec![self.answer(end)];
        if self.config.search.deadline_may_strike {
            let deadline = self.caps().deadline_files;
            let cuts = deadline.cuts(end.scanned, end.complete);
            answers.extend(cuts.flat_map(|scanned| self.timed_out(scanned)));
        }
        answers
    }

    /// The answers of a deadline after `scanned` complete files (E-I09). After the last file, the
    /// search may or may not know that it was the last.
    fn timed_out(&self, scanned: usize) -> Vec<Answer> {
        let end = End { timed_out: true, ..End::after(scanned) };
        let mut ends = vec![end];
        if scanned == self.files.len() {
            ends.push(End { stopped: self.stopped, everything: self.stopped.is_none(), ..end });
        }
        ends.into_iter().map(|end| self.answer(end)).collect()
    }

    /// The answer with this end.
    fn answer(&self, end: End) -> Answer {
        let request = &self.call.request;
        let readings = || self.files.iter().take(end.scanned).map(|(_, reading)| reading);
        let covered = self.passed.kept().filter(|(file, _)| *file < end.scanned);
        let matches: Vec<Match> = covered.map(|(_, of)| of.clone()).collect();
        let errors: Vec<&RecordedProblem> =
            self.problems.iter().filter(|told| self.is_covered(&told.problem.place, end)).collect();
        let too_deep = self.too_deep.iter().filter(|place| self.is_covered(place, end));
        let stats = Stats {
            files_scanned: count(end.scanned),
            files_matched: count(readings().filter(|reading| reading.matches() > 0).count()),
            matches_total: count(matches.len()) + u64::from(end.complete < end.scanned),
            files_cut: self.lost(end, Shortfall::MaxMatchesPerFile),
            files_oversized: self.lost(end, Shortfall::MaxFileSizeBytes),
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
            short_of: self.short_of(&stats, &errors, end),
            stats,
            errors: errors
                .iter()
                .map(|told| (told.problem.path.clone(), told.problem.message.to_owned()))
                .collect(),
        }
    }

    fn caps(&self) -> &'static Caps {
        self.config.search.tables.caps
    }

    /// Number of processed files that lost something to the cap of this shortfall.
    fn lost(&self, end: End, shortfall: Shortfall) -> u64 {
        let complete = self.files.iter().take(end.complete);
        count(complete.filter(|(_, reading)| reading.lost == Some(shortfall)).count())
    }

    fn short_of(
        &self,
        stats: &Stats,
        errors: &[&RecordedProblem],
        end: End,
    ) -> BTreeSet<Shortfall> {
        let lost = self.files.iter().take(end.complete).filter_map(|(_, reading)| reading.lost);
        let mut short_of: BTreeSet<Shortfall> = lost.chain(end.stopped).collect();
        let others = [
            (end.timed_out, self.caps().deadline_files.reason),
            (errors.iter().any(|error| !error.is_counted_only), Shortfall::Errors),
        ];
        if stats.directories_not_entered > 0
            && let Depth::Capped(cap, _) = self.call.scope(self.config).depth
        {
            short_of.insert(cap.reason);
        }
        short_of.extend(
            others.into_iter().filter(|(applies, _)| *applies).map(|(_, shortfall)| shortfall),
        );
        short_of
    }

    /// Whether an answer covers `place`: it is not after the last scanned file, or everything was
    /// scanned.
    fn is_covered(&self, place: &Rank, end: End) -> bool {
        let last = end.scanned.checked_sub(1).and_then(|last| self.files.get(last));
        end.everything || last.is_some_and(|(file, _)| *place <= file.place)
    }

    /// The search root as `Search` shows it, with the sandbox root written out.
    fn shown_root(&self) -> String {
        let shown = place::shown(&self.call.root.names, &self.config.search.working_dir);
        match shown.strip_prefix("{root}") {
            Some(below) => format!("{}{below}", self.config.root_shown),
            None => shown,
        }
    }
}

impl End {
    /// The end after `scanned` files.
    fn after(scanned: usize) -> End {
        End { scanned, complete: scanned, stopped: None, timed_out: false, everything: false }
    }
}

#[cfg(test)]
mod tests;
