//! Where the answer ends: events, files and problems arrive in order and are counted against the caps
//! (FR-LS-06, FR-LS-06a, FR-LS-05e, D6; docs/search.md section 6).

use crate::{
    content::{self, Notes},
    request::Request,
    response::{Event, EventData, EventType, FallbackStats, IndexStats, PathError, Response, Stats, Text},
    scan::FileEvents,
};

/// Per-file problems: a closed list (E-F12).
pub mod problem {
    /// A file or directory that may not be read.
    pub const PERMISSION: &str = "permission denied";
    /// Gone since it was listed.
    pub const NOT_FOUND: &str = "not found";
    /// Any other failure to read.
    pub const READ: &str = "read error";
    /// A followed link leads outside the roots or to a denied place.
    pub const ESCAPES: &str = "symlink leaves the sandbox";
    /// A followed link leads nowhere.
    pub const DANGLING: &str = "dangling symlink";
    /// A followed link leads to a directory it lies in.
    pub const LOOP: &str = "symlink loop";
    /// Its rules could not be applied.
    pub const IGNORE_FILE: &str = "ignore file cannot be read";
    /// The file named by `path` exceeds the size cap.
    pub const OVERSIZED: &str = "larger than max_file_size_bytes";
    /// The file named by `path` holds a NUL early on.
    pub const BINARY: &str = "binary file";
}

/// The next thing in path order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item<Found = FileEvents> {
    /// A place that could not be searched and is not an eligible file.
    Problem(PathError),
    /// An eligible file.
    File {
        /// As shown: relative to the working directory.
        path: String,
        /// What became of it.
        outcome: Outcome<Found>,
    },
    /// So many eligible files that a filter of the index excluded, unread: they count, and nothing else can be said of them.
    Excluded(u64),
    /// A directory that was too deep to be entered.
    NotEntered,
}

/// What became of an eligible file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<Found = FileEvents> {
    /// It was searched.
    Searched(Found),
    /// It exceeds the size cap; silent below a directory (FR-LS-SRC-08), an error if it is the search root (E-B17).
    Oversized,
    /// It is binary; silent below a directory, an error if it is the search root.
    Binary,
    /// It could not be read.
    Failed(&'static str),
}

/// Collects one answer.
#[derive(Debug)]
pub struct Collector<'r> {
    request: &'r Request,
    /// The search root is a file: what would be silent is an error.
    root_is_file: bool,
    events: Vec<Event>,
    bytes: u64,
    files_scanned: u64,
    files_excluded: u64,
    files_cut: u64,
    files_oversized: u64,
    errors: Vec<PathError>,
    event_cap: Option<(&'static str, u64)>,
}

/// How the search ended, beyond what the items say.
#[derive(Clone, Debug, Default)]
pub struct Ending {
    /// Eligible files lie beyond `max_files`.
    pub more_files: bool,
    /// The deadline struck.
    pub timed_out: bool,
    /// A backend process failed after the files collected: its status and what it said.
    pub backend_failure: Option<(Option<i32>, String)>,
    /// How the search found the index.
    pub index: IndexStats,
}

impl<'r> Collector<'r> {
    /// An empty answer.
    pub fn new(request: &'r Request, root_is_file: bool) -> Self {
        Self {
            request,
            root_is_file,
            events: Vec::new(),
            bytes: 0,
            files_scanned: 0,
            files_excluded: 0,
            files_cut: 0,
            files_oversized: 0,
            errors: Vec::new(),
            event_cap: None,
        }
    }

    /// Takes the next item in order. `false` once the answer has ended and nothing more is wanted.
    pub fn add(&mut self, item: Item) -> bool {
        match item {
            Item::Problem(problem) => self.errors.push(problem),
            Item::Excluded(files) => {
                self.files_scanned += files;
                self.files_excluded += files;
            }
            // Only where a request limits the depth, which `Search` does not.
            Item::NotEntered => {}
            Item::File { path, outcome } => {
                self.files_scanned += 1;
                match outcome {
                    Outcome::Searched(file) => self.add_events(&path, file),
                    Outcome::Oversized => {
                        self.files_oversized += 1;
                        self.root_error(path, problem::OVERSIZED);
                    }
                    Outcome::Binary => self.root_error(path, problem::BINARY),
                    Outcome::Failed(error) => self.errors.push(PathError { path, error: error.to_owned() }),
                }
            }
        }
        !self.ended()
    }

    /// Whether an event has been seen that the answer does not hold: the peek at one more (FR-LS-06a).
    pub fn ended(&self) -> bool {
        self.event_cap.is_some()
    }

    /// Whether nothing has been collected yet.
    pub fn is_empty(&self) -> bool {
        self.files_scanned == 0
    }

    fn root_error(&mut self, path: String, error: &str) {
        if self.root_is_file {
            self.errors.push(PathError { path, error: error.to_owned() });
        }
    }

    fn add_events(&mut self, path: &str, file: FileEvents) {
        let max_results = self.request.max_results;
        for event in file.events {
            if self.events.len() >= max_results {
                self.event_cap = Some(("max_results", max_results as u64));
                return;
            }
            self.bytes = self.bytes.saturating_add(event.bytes);
            if self.bytes > self.request.max_output_bytes {
                self.event_cap = Some(("max_output_bytes", self.request.max_output_bytes));
                return;
            }
            let (column, match_text) = event.matched.unzip();
            self.events.push(Event {
                r#type: if column.is_some() { EventType::Match } else { EventType::Context },
                data: EventData {
                    path: Text { text: path.to_owned() },
                    line_number: event.line,
                    column,
                    lines: Text { text: event.text },
                    match_text,
                },
            });
        }
        self.files_cut += u64::from(file.cut);
    }

    /// The answer. `path` is the search root as shown; `backend` is for `stats`, which are left out if it is `None`. How long the call
    /// took and what became of fallback is not known here.
    pub fn finish(self, path: String, ending: &Ending, backend: Option<&str>) -> Response {
        // An answer that ended at an event cap never got to ask whether files lie beyond `max_files`.
        let more_files = ending.more_files && self.event_cap.is_none();
        let failed = ending.backend_failure.is_some();
        let notes = Notes {
            events: self.event_cap,
            files: more_files.then_some(self.request.max_files),
            matches_per_file: (self.files_cut > 0)
                .then(|| (self.request.max_matches_per_file.unwrap_or(usize::MAX) as u64, self.files_cut)),
            file_size: (self.files_oversized > 0)
                .then_some((self.request.max_file_size_bytes, self.files_oversized)),
            timed_out: ending.timed_out.then_some(self.files_scanned),
            errors: self.errors.len() as u64,
        };
        let because: Vec<&'static str> = [
            self.event_cap.map(|(name, _)| name),
            notes.files.map(|_| "max_files"),
            notes.matches_per_file.map(|_| "max_matches_per_file"),
            notes.file_size.map(|_| "max_file_size_bytes"),
            notes.timed_out.map(|_| "timeout"),
            failed.then_some("backend_error"),
            (notes.errors > 0).then_some("errors"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let mut content = content::render(&self.events, &notes);
        let (exit_code, stderr) = ending.backend_failure.clone().map_or((None, None), |(code, stderr)| {
            content.push_str("[backend failed: the answer covers the files before the failure]\n");
            (code, Some(stderr))
        });
        let response = Response {
            pattern: self.request.pattern.clone(),
            path,
            count: self.events.len() as u64,
            truncated: ending.timed_out || failed || because.iter().any(|&reason| reason != "errors"),
            timed_out: ending.timed_out,
            files_scanned: self.files_scanned,
            matches: self.events,
            errors: self.errors,
            exit_code,
            stderr,
            content,
            stats: None,
        };
        let stats = backend.map(|backend| Stats {
            stats_version: 2,
            complete: response.complete(),
            incomplete_because: because,
            files_oversized: self.files_oversized,
            files_cut: self.files_cut,
            backend: backend.to_owned(),
            index: ending.index.clone(),
            fallback: FallbackStats::default(),
            elapsed_ms: 0,
            candidates_total: self.files_scanned,
            candidates_excluded: self.files_excluded,
            candidates_scanned: self.files_scanned.saturating_sub(self.files_excluded),
            build: ending.index.build.clone(),
        });
        Response { stats, ..response }
    }
}

#[cfg(test)]
mod tests;
