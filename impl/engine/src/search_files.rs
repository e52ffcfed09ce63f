//! The tool `search_files`: a request and a context to one JSON string (docs/search-files.md).
//!
//! Responsible for: the order of the checks, the backend that is configured, and the search on the
//! common pipeline: files, workers, fold. Not here: what a request means and how the answer reads
//! and fits ([`forge_search_core::search_files`]), walking, reading and proposing (`walk`,
//! `read`, `backend`), exclusion by an index (`eligible`). Invariants:
//! `allow_truncation` is false after every call; nothing of the answer depends on the index, on the
//! backend or on the number of threads.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use crate::{
    backend::{self, NativeProposer},
    call::Call,
    eligible::Eligible,
    index::{IndexQuery, QueryNeed},
    job::{Batches, Fold, Job, Naming, Scanner, proposes},
    pipeline::JobEnd,
    places::Places,
    service::Service,
};
use forge_search_core::{
    ToolError,
    collect::{Item, Outcome},
    content::escape_name,
    error::Interrupted,
    scan::Proposer,
    search_files::{
        self, Answer, Collector, FileMatches, Finder, Fitted, Mode, Request, RequestBuilder,
        ScanLimits,
    },
    similarity::{Similarity, SimilarityProposer},
    text,
};

/// Limits of a call that its caller sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolContext {
    /// Most bytes of an answer.
    pub max_output_bytes: u64,
    /// Bytes left in the reader's context.
    pub available_capacity_bytes: u64,
    /// Whether others may cut the answer. The tool sets it to `false`, since half a JSON object is
    /// invalid (FR-SF-OUT-04).
    pub allow_truncation: bool,
}

impl Default for ToolContext {
    fn default() -> Self {
        Self {
            max_output_bytes: 16 << 20,
            available_capacity_bytes: u64::MAX,
            allow_truncation: true,
        }
    }
}

fn at_query(error: ToolError) -> ToolError {
    ToolError { field: Some("query".to_owned()), ..error }
}

impl Service {
    /// A builder with the configured defaults and caps.
    pub fn search_files_request(
        &self,
        path: impl Into<String>,
        query: impl Into<String>,
    ) -> RequestBuilder {
        let config = &self.config().search_files;
        Request::builder(path, query, &config.caps(), config.can_fuzzy())
    }

    /// Runs one call of `search_files`. The answer is one JSON object of at most
    /// `min(context.max_output_bytes, context.available_capacity_bytes)` bytes (FR-SF-OUT-03).
    pub fn search_files(
        &self,
        context: &mut ToolContext,
        request: &Request,
    ) -> Result<Fitted, ToolError> {
        self.search_files_until(context, request, &Call::new())
    }

    /// The same; cancelling `call` ends it as the deadline would.
    pub fn search_files_until(
        &self,
        context: &mut ToolContext,
        request: &Request,
        call: &Call,
    ) -> Result<Fitted, ToolError> {
        context.allow_truncation = false;
        let budget = context.max_output_bytes.min(context.available_capacity_bytes);
        self.files_found(request, budget, Instant::now(), call)?.fit(budget)
    }

    /// Searches, and keeps as many matches as fit an answer of this size.
    pub(crate) fn files_found<'a>(
        &self,
        request: &'a Request,
        budget: u64,
        started: Instant,
        call: &Call,
    ) -> Result<Answer<'a>, ToolError> {
        let pattern = &request.matcher;
        let config = &self.config().search_files;
        let full = Arc::new(AtomicBool::new(false));
        let scanner = MatchScanner::new(request, budget, &full).map_err(at_query)?;
        let places = self.places(Some(&request.path), &request.scope, Some(&no_file))?;
        let (naming, below) = self.files_naming(&places);
        let scanner = MatchScanner { below, ..scanner };
        let backend = self.files_backend().as_ref().map_err(Clone::clone)?;
        let deadline = started + Duration::from_millis(config.timeout_ms);
        let deadline = self.deadline_with_progress(deadline, call);
        let need = |fold, ngram| pattern.need(fold, ngram);
        let index_query = IndexQuery {
            scope: &request.scope,
            max_file_size_bytes: request.max_file_size_bytes,
            names_binary: Some(text::BinaryRule::NotText),
            words: None,
            need: if request.mode == Mode::Fuzzy {
                QueryNeed::Fuzzy
            } else {
                QueryNeed::Grams(&need)
            },
        };
        let sizes = backend.is_external();
        let Eligible { items, index, held: _held, .. } =
            self.eligible(&places, &index_query, true, sizes, deadline);
        let job = Job {
            sandbox: self.sandbox(),
            backend,
            base: Arc::clone(&places.first().base),
            file: None,
            expression: backend::expression(pattern),
            max_files: request.max_files,
            max_file_size_bytes: request.max_file_size_bytes,
            batches: Batches::of(&index),
            all_is_text: false,
            naming,
            threads: self.threads(),
            deadline,
        };
        let fold =
            MatchFold { collector: Collector::new(request, config.record_binary, budget), full };
        let (fold, JobEnd { more_files, timed_out, backend_failure }) =
            call.account.unless_over(job.run(items, &scanner, fold))?;
        let ending = search_files::SearchEnd {
            more_files,
            timed_out,
            backend_failed: backend_failure.is_some(),
        };
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(fold.collector.finish(places.shown.clone(), ending, elapsed_ms))
    }
}

impl Service {
    /// How files are named, and what precedes their paths below the search root: of several roots
    /// the name of one, else nothing.
    fn files_naming(&self, places: &Places) -> (Naming, String) {
        let one_of_several = !places.are_roots() && !self.sandbox().named().is_empty();
        if one_of_several {
            return (Naming::WorkingDirectory, format!("{}/", places.shown));
        }
        (places.naming(Naming::SearchRoot), String::new())
    }
}

/// The refusal of a file (FR-SF-VAL-07).
fn no_file(given: &str) -> String {
    let given = escape_name(given);
    format!(
        "path `{given}` is not a directory; give the directory it is in, and its name in include_globs"
    )
}

/// Finds the matches of one file after the other.
#[derive(Clone)]
struct MatchScanner {
    /// Matchers keep scratch memory per clone; threads that share one would wait for each other.
    finder: Finder,
    proposer: FilesProposer,
    /// What precedes paths below the search root.
    below: String,
    limits: ScanLimits,
    /// Bytes of matches that the answer can hold, less those of this batch. Files of a batch are in
    /// order, so later ones get only what earlier ones leave; this bounds memory.
    room: u64,
    /// The answer is full: further matches are only counted.
    full: Arc<AtomicBool>,
}

/// The embedded proposer.
#[derive(Clone)]
enum FilesProposer {
    Expression(NativeProposer),
    Resemblance(SimilarityProposer),
}

impl FilesProposer {
    fn own(&mut self) -> &mut dyn Proposer {
        match self {
            Self::Expression(own) => own,
            Self::Resemblance(own) => own,
        }
    }
}

impl MatchScanner {
    fn new(request: &Request, budget: u64, full: &Arc<AtomicBool>) -> Result<Self, ToolError> {
        let pattern = &request.matcher;
        let (finder, proposer) = if request.mode == Mode::Fuzzy {
            let similarity =
                Similarity::new(&request.query, request.fuzzy_threshold, pattern.folds_ascii());
            let proposer = FilesProposer::Resemblance(similarity.proposer());
            (Finder::Resemblance(Box::new(similarity)), proposer)
        } else {
            let proposer = FilesProposer::Expression(NativeProposer::new(pattern)?);
            (Finder::Expression(pattern.clone()), proposer)
        };
        let limits = ScanLimits {
            context: request.context_lines,
            max_matches: request.max_matches_per_file,
            enough: request.max_results as u64 + 1,
            budget,
        };
        let (below, full) = (String::new(), Arc::clone(full));
        Ok(Self { finder, proposer, below, limits, room: budget, full })
    }
}

impl Scanner for MatchScanner {
    type Output = FileMatches;

    /// Only the end of a file shows whether it is text (FR-SF-SRC-04).
    const READS_ALL: bool = true;

    fn begin(&mut self) {
        self.room = if self.full.load(Ordering::Relaxed) { 0 } else { self.limits.budget };
    }

    /// Lines that are not text must be scanned: they make the file binary.
    fn may_match(&mut self, lines: &[u8], go_on: &mut dyn FnMut() -> bool) -> bool {
        text::utf8_text(lines).is_none() || proposes(self.proposer.own(), lines, go_on)
    }

    fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        proposer: Option<&mut dyn Proposer>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome<FileMatches>, Interrupted> {
        let Some(text) = text::utf8_text(text) else { return Ok(Outcome::Binary) };
        let proposer: &mut dyn Proposer = match proposer {
            Some(given) => given,
            None => self.proposer.own(),
        };
        let path = self.below.clone() + &String::from_utf8_lossy(walked);
        let limits = ScanLimits { budget: self.room, ..self.limits };
        search_files::scan(text, &path, &self.finder, proposer, limits, go_on)
            .map(Outcome::Searched)
    }

    fn record(&mut self, found: &FileMatches) {
        let kept: u64 = found.kept.iter().map(|rendered| rendered.len() as u64).sum();
        let all_kept = found.kept.len() as u64 == found.count;
        self.room = if all_kept { self.room.saturating_sub(kept) } else { 0 };
    }

    fn lines(found: &FileMatches) -> usize {
        found.lines
    }

    fn is_omitted(_found: &FileMatches) -> bool {
        // Each match carries its file's path.
        true
    }
}

/// Collects matches until the answer is full.
struct MatchFold<'r> {
    collector: Collector<'r>,
    full: Arc<AtomicBool>,
}

impl Fold for MatchFold<'_> {
    type Input = FileMatches;

    fn add(&mut self, item: Item<FileMatches>) -> bool {
        let goes_on = self.collector.add(item);
        if self.collector.is_full() {
            self.full.store(true, Ordering::Relaxed);
        }
        goes_on
    }

    fn is_empty(&self) -> bool {
        self.collector.is_empty()
    }

    fn held(&self) -> u64 {
        self.collector.held()
    }
}

#[cfg(test)]
mod tests;
