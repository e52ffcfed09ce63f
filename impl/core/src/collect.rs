//! Collects events, files and errors in path order and applies the caps (FR-LS-06, FR-LS-06a,
//! FR-LS-05e, D6; docs/search.md section 6).

use crate::{
    content::{self, Notes},
    request::Request,
    response::{
        Event, EventData, EventType, FallbackStats, IndexStats, PathError, Response, Stats,
        StatsDetail, Text,
    },
    scan::FileEvents,
};

/// Messages of per-file errors: a closed list (E-F12).
pub mod problem {
    /// Permission to read a file or directory is missing.
    pub const PERMISSION: &str = "permission denied";
    /// The file vanished after it was listed.
    pub const NOT_FOUND: &str = "not found";
    /// Reading failed otherwise.
    pub const READ: &str = "read error";
    /// A followed link leads outside the roots or to a denied path.
    pub const ESCAPES: &str = "symlink leaves the sandbox";
    /// A followed link has no target.
    pub const DANGLING: &str = "dangling symlink";
    /// A followed link leads to one of its own parent directories.
    pub const LOOP: &str = "symlink loop";
    /// The ignore file could not be read.
    pub const IGNORE_FILE: &str = "ignore file cannot be read";
    /// The file named by `path` exceeds the size cap.
    pub const OVERSIZED: &str = "larger than max_file_size_bytes";
    /// The file named by `path` is binary.
    pub const BINARY: &str = "binary file";
}

/// The next item in path order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item<T = FileEvents> {
    /// A place that could not be searched and is no eligible file.
    Problem(PathError),
    /// An eligible file.
    File {
        /// Path relative to the working directory.
        path: String,
        /// The outcome of the file's scan.
        outcome: Outcome<T>,
    },
    /// Eligible files that were not read, since an index knows of them what is asked.
    Unread {
        /// How many.
        files: u64,
        /// What those that match contribute, where the index knows it.
        found: T,
    },
    /// A directory below the depth limit.
    NotEntered,
}

/// The outcome of an eligible file's scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<T = FileEvents> {
    /// The file was searched.
    Searched(T),
    /// The file exceeds the size cap. Ignored below a directory (FR-LS-SRC-08), an error if it is
    /// the search root (E-B17).
    Oversized,
    /// The file is binary. Ignored below a directory, an error if it is the search root.
    Binary,
    /// The file could not be read, with the message.
    Failed(&'static str),
}

/// The backend that is part of the program.
pub const NATIVE: &str = "native";

/// Bytes of paths, lines, matches and messages that an answer may hold. `max_output_bytes` counts
/// lines only: with long paths, an answer with the most events would take a gigabyte.
const HELD_BYTES: u64 = 64 << 20;

/// Collects one answer.
#[derive(Debug)]
pub struct Collector<'r> {
    request: &'r Request,
    /// Whether the search root is a file, for which oversized or binary is an error.
    root_is_file: bool,
    events: Vec<Event>,
    /// The counts before each event.
    before: Vec<Tally>,
    bytes: u64,
    held: u64,
    seen: Tally,
    errors: Vec<PathError>,
    event_cap: Option<(&'static str, u64)>,
}

/// The counts of a search.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    files_scanned: u64,
    files_excluded: u64,
    files_cut: u64,
    files_oversized: u64,
    files_binary: u64,
    errors: usize,
}

/// How a search ended, beyond its items.
#[derive(Clone, Debug, Default)]
pub struct SearchEnd {
    /// Eligible files lie beyond `max_files`.
    pub more_files: bool,
    /// The deadline expired.
    pub timed_out: bool,
    /// A backend process failed after the files collected: its exit status and standard error.
    pub backend_failure: Option<(Option<i32>, String)>,
    /// The state of the index during the search.
    pub index: IndexStats,
}

impl<'r> Collector<'r> {
    /// An empty collector.
    pub fn new(request: &'r Request, root_is_file: bool) -> Self {
        Self {
            request,
            root_is_file,
            events: Vec::new(),
            before: Vec::new(),
            bytes: 0,
            held: 0,
            seen: Tally::default(),
            errors: Vec::new(),
            event_cap: None,
        }
    }

    /// Adds the next item in order. `false` once the answer has ended.
    pub fn add(&mut self, item: Item) -> bool {
        match item {
            Item::Problem(problem) => self.add_error(problem),
            Item::Unread { files, .. } => {
                self.seen.files_scanned += files;
                self.seen.files_excluded += files;
            }
            // `Search` has no depth limit, so this does not occur.
            Item::NotEntered => {}
            Item::File { path, outcome } => {
                self.seen.files_scanned += 1;
                match outcome {
                    Outcome::Searched(file) => self.add_events(&path, file),
                    Outcome::Oversized => {
                        self.seen.files_oversized += 1;
                        self.root_error(path, problem::OVERSIZED);
                    }
                    Outcome::Binary => {
                        self.seen.files_binary += 1;
                        self.root_error(path, problem::BINARY);
                    }
                    Outcome::Failed(error) => {
                        self.add_error(PathError { path, error: error.to_owned() });
                    }
                }
            }
        }
        !self.ended()
    }

    /// Whether an event beyond the answer was seen (FR-LS-06a).
    pub fn ended(&self) -> bool {
        self.event_cap.is_some()
    }

    /// Whether nothing was collected.
    pub fn is_empty(&self) -> bool {
        self.seen.files_scanned == 0
    }

    /// The events so far; later items do not change them.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Approximate memory use in bytes.
    pub fn held(&self) -> u64 {
        let beside = size_of::<Event>() + size_of::<Tally>();
        self.held + (self.events.len() * beside) as u64
    }

    fn root_error(&mut self, path: String, error: &str) {
        if self.root_is_file {
            self.add_error(PathError { path, error: error.to_owned() });
        }
    }

    fn add_error(&mut self, error: PathError) {
        if self.holds([&error.path, &error.error]) {
            self.errors.push(error);
        }
    }

    /// Reserves memory for these texts, or ends the answer if it is exhausted.
    fn holds<const N: usize>(&mut self, texts: [&str; N]) -> bool {
        self.held += texts.iter().map(|text| text.len() as u64).sum::<u64>();
        let fits = self.held <= HELD_BYTES;
        if !fits {
            self.event_cap = Some(("max_output_bytes", self.request.max_output_bytes));
        }
        fits
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
            if !self.holds([path, &event.text, match_text.as_deref().unwrap_or_default()]) {
                return;
            }
            self.before.push(Tally { errors: self.errors.len(), ..self.seen });
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
        self.seen.files_cut += u64::from(file.cut);
    }

    /// The results. `path` is the search root as shown.
    pub fn finish(self, path: String, ending: SearchEnd, backend: &str) -> SearchResults {
        let request = self.request;
        SearchResults {
            pattern: request.pattern.clone(),
            path,
            backend: backend.to_owned(),
            max_files: request.max_files,
            max_matches_per_file: request.max_matches_per_file.unwrap_or(usize::MAX) as u64,
            max_file_size_bytes: request.max_file_size_bytes,
            seen: Tally { errors: self.errors.len(), ..self.seen },
            events: self.events,
            before: self.before,
            errors: self.errors,
            event_cap: self.event_cap,
            ending,
            fallback: FallbackStats::default(),
            near: None,
        }
    }
}

/// The results of a search. Answers of any length are made from them without another search.
#[derive(Clone, Debug)]
pub struct SearchResults {
    pattern: String,
    path: String,
    backend: String,
    max_files: u64,
    max_matches_per_file: u64,
    max_file_size_bytes: u64,
    events: Vec<Event>,
    before: Vec<Tally>,
    seen: Tally,
    errors: Vec<PathError>,
    event_cap: Option<(&'static str, u64)>,
    ending: SearchEnd,
    /// The use of fuzzy fallback.
    pub fallback: FallbackStats,
    /// The level of this pass of fuzzy fallback.
    pub near: Option<u8>,
}

impl SearchResults {
    /// The events in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether a match exists, even one that the answer cannot hold (E-G03).
    pub fn any(&self) -> bool {
        !self.events.is_empty() || self.event_cap.is_some()
    }

    /// Whether a deadline or a failed backend ended the search early.
    pub fn broken_off(&self) -> bool {
        self.ending.timed_out || self.ending.backend_failure.is_some()
    }

    /// Whether nothing was left out.
    pub fn is_complete(&self) -> bool {
        self.because().is_empty()
    }

    /// Why something is left out, in the order of the caps in docs/search.md.
    fn because(&self) -> Vec<&'static str> {
        self.end(self.events.len()).because()
    }

    /// Where an answer with the first `events` events ends.
    fn end(&self, events: usize) -> End<'_> {
        match self.before.get(events) {
            Some(seen) => End {
                seen: *seen,
                errors: self.errors.get(..seen.errors).unwrap_or_default(),
                event_cap: Some(("max_results", events as u64)),
                more_files: false,
                timed_out: false,
                backend_failure: None,
            },
            None => End {
                seen: self.seen,
                errors: &self.errors,
                event_cap: self.event_cap,
                // An answer that an event cap ended does not look for files beyond `max_files`.
                more_files: self.ending.more_files && self.event_cap.is_none(),
                timed_out: self.ending.timed_out,
                backend_failure: self.ending.backend_failure.as_ref(),
            },
        }
    }

    /// The answer, with `stats`. `elapsed_ms` is 0.
    pub fn response(self) -> Response {
        let lines = self.events.iter().map(content::line).collect();
        let frame = self.frame(self.events.len(), lines);
        Response { matches: self.events, ..frame }
    }

    /// The answer with the first `events` events but an empty `matches`; `lines` is their text.
    pub fn frame(&self, events: usize, lines: String) -> Response {
        let end = self.end(events);
        let because = end.because();
        let seen = end.seen;
        let notes = Notes {
            near: self.near,
            events: end.event_cap,
            files: end.more_files.then_some(self.max_files),
            matches_per_file: (seen.files_cut > 0)
                .then_some((self.max_matches_per_file, seen.files_cut)),
            file_size: (seen.files_oversized > 0)
                .then_some((self.max_file_size_bytes, seen.files_oversized)),
            timed_out: end.timed_out.then_some(seen.files_scanned),
            errors: end.errors.len() as u64,
        };
        let shown = self.events.get(..events).unwrap_or(&self.events);
        let mut content = lines;
        // Writing to a string does not fail.
        let _ =
            notes.write(shown.iter().any(|event| event.r#type == EventType::Match), &mut content);
        if end.backend_failure.is_some() {
            content.push_str("[backend failed: the answer covers the files before the failure]\n");
        }
        let (exit_code, stderr) = end.backend_failure.cloned().unzip();
        let index = self.ending.index.clone();
        let stats = Stats {
            detail: StatsDetail::All,
            stats_version: 2,
            complete: because.is_empty(),
            files_oversized: seen.files_oversized,
            files_cut: seen.files_cut,
            files_binary: (self.backend == NATIVE).then_some(seen.files_binary),
            backend: self.backend.clone(),
            fallback: self.fallback.clone(),
            elapsed_ms: 0,
            candidates_total: seen.files_scanned,
            candidates_excluded: seen.files_excluded,
            candidates_scanned: seen.files_scanned.saturating_sub(seen.files_excluded),
            build: index.build.clone(),
            index,
            incomplete_because: because,
        };
        Response {
            pattern: self.pattern.clone(),
            path: self.path.clone(),
            count: shown.len() as u64,
            truncated: stats.incomplete_because.iter().any(|reason| *reason != "errors"),
            timed_out: end.timed_out,
            files_scanned: seen.files_scanned,
            matches: Vec::new(),
            errors: end.errors.to_vec(),
            exit_code: exit_code.flatten(),
            stderr,
            content,
            stats: Some(stats),
        }
    }
}

/// Where an answer ends, and why.
struct End<'f> {
    seen: Tally,
    errors: &'f [PathError],
    event_cap: Option<(&'static str, u64)>,
    more_files: bool,
    timed_out: bool,
    backend_failure: Option<&'f (Option<i32>, String)>,
}

impl End<'_> {
    fn because(&self) -> Vec<&'static str> {
        [
            self.event_cap.map(|(name, _)| name),
            self.more_files.then_some("max_files"),
            (self.seen.files_cut > 0).then_some("max_matches_per_file"),
            (self.seen.files_oversized > 0).then_some("max_file_size_bytes"),
            self.timed_out.then_some("timeout"),
            self.backend_failure.is_some().then_some("backend_error"),
            (!self.errors.is_empty()).then_some("errors"),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

#[cfg(test)]
mod tests;
