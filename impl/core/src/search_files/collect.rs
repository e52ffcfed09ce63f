//! Collects matches, files and errors in path order and applies the caps (FR-SF-SRC-07,
//! FR-SF-SRC-08, D6; docs/search-files.md, section 5).

use super::{
    answer::{Answer, Stats, push_error},
    request::Request,
    scan::FileMatches,
};
use crate::collect::{Item, Outcome, problem};

/// Collects one answer.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is something that was seen or not, or one key of the configuration"
)]
pub struct Collector<'r> {
    request: &'r Request,
    /// Whether binary files are listed as errors.
    record_binary: bool,
    /// The budget in bytes. What lies certainly beyond it is counted and not kept.
    budget: u64,
    matches: Vec<String>,
    match_bytes: u64,
    errors: Vec<String>,
    error_bytes: u64,
    /// Whether a match or an error was not kept.
    more: bool,
    stats: Stats,
    /// Errors other than binary and oversized files.
    failures: bool,
    /// Whether a match beyond `max_results` was seen.
    ended: bool,
}

/// How a search ended, beyond its items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchEnd {
    /// Eligible files lie beyond `max_files`.
    pub more_files: bool,
    /// The deadline expired.
    pub timed_out: bool,
    /// A backend process failed after the files collected.
    pub backend_failed: bool,
}

impl<'r> Collector<'r> {
    /// An empty collector for answers of at most `budget` bytes.
    pub fn new(request: &'r Request, record_binary: bool, budget: u64) -> Self {
        Self {
            request,
            record_binary,
            budget,
            matches: Vec::new(),
            match_bytes: 0,
            errors: Vec::new(),
            error_bytes: 0,
            more: false,
            stats: Stats::default(),
            failures: false,
            ended: false,
        }
    }

    /// Adds the next item in order. `false` once the answer has ended.
    pub fn add(&mut self, item: Item<FileMatches>) -> bool {
        match item {
            Item::Problem(problem) => {
                self.failures = true;
                self.error(&problem.path, &problem.error);
            }
            Item::NotEntered => self.stats.directories_not_entered += 1,
            Item::Unread { files, .. } => self.stats.files_scanned += files,
            Item::File { path, outcome } => {
                self.stats.files_scanned += 1;
                match outcome {
                    Outcome::Searched(found) => self.add_matches(found),
                    Outcome::Oversized => {
                        self.stats.files_oversized += 1;
                        self.error(&path, problem::OVERSIZED);
                    }
                    Outcome::Binary => {
                        self.stats.files_binary += 1;
                        if self.record_binary {
                            self.error(&path, problem::BINARY);
                        }
                    }
                    Outcome::Failed(why) => {
                        self.failures = true;
                        self.error(&path, why);
                    }
                }
            }
        }
        !self.ended
    }

    /// Whether nothing was collected.
    pub fn is_empty(&self) -> bool {
        self.stats.files_scanned == 0
    }

    /// Memory use in bytes.
    pub fn held(&self) -> u64 {
        self.match_bytes + self.error_bytes
    }

    fn error(&mut self, path: &str, why: &str) {
        self.stats.errors_total += 1;
        if self.error_bytes > self.budget {
            self.more = true;
            return;
        }
        let mut rendered = String::new();
        push_error(&mut rendered, path, why);
        self.error_bytes += rendered.len() as u64;
        self.errors.push(rendered);
    }

    fn add_matches(&mut self, found: FileMatches) {
        self.stats.files_matched += u64::from(found.count > 0);
        let most = self.request.max_results as u64;
        let room = most - self.stats.matches_total;
        // What the scan of the file dropped is missing only if the answer would contain it.
        let wanted = found.count.min(room);
        for rendered in found.kept.into_iter().take(usize::try_from(wanted).unwrap_or(usize::MAX)) {
            if self.is_full() {
                break;
            }
            self.match_bytes += rendered.len() as u64;
            self.matches.push(rendered);
        }
        self.stats.matches_total += found.count.min(room.saturating_add(1));
        self.more |= (self.matches.len() as u64) < self.stats.matches_total.min(most);
        self.ended = found.count > room;
        if !self.ended {
            self.stats.files_cut += u64::from(found.cut);
        }
    }

    /// Whether the kept matches exceed the budget, so that later ones need not be kept.
    pub fn is_full(&self) -> bool {
        self.match_bytes > self.budget || (self.matches.len() as u64) < self.stats.matches_total
    }

    /// The answer. `path` is the search root as shown.
    pub fn finish(self, path: String, ending: SearchEnd, elapsed_ms: u64) -> Answer<'r> {
        let Self { request, stats, .. } = self;
        // An answer that ended at a match did not look for files beyond `max_files`.
        let more_files = ending.more_files && !self.ended;
        let because = [
            (self.ended, "max_results"),
            (more_files, "max_files"),
            (stats.files_cut > 0, "max_matches_per_file"),
            (stats.files_oversized > 0, "max_file_size_bytes"),
            (stats.directories_not_entered > 0, "max_depth"),
            (ending.timed_out, "timeout"),
            (ending.backend_failed, "backend_error"),
            (self.failures, "errors"),
        ];
        Answer {
            path,
            query: &request.query,
            mode: request.mode.name(),
            case: request.case.name(),
            max_results: request.max_results as u64,
            matches: self.matches,
            errors: self.errors,
            more: self.more,
            because: because
                .into_iter()
                .filter(|(holds, _)| *holds)
                .map(|(_, name)| name)
                .collect(),
            stats,
            elapsed_ms,
        }
    }
}

#[cfg(test)]
mod tests;
