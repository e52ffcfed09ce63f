//! The tool `Search` (FR-LS-01, FR-LS-02, FR-LS-05).
//!
//! Checks run in the order of docs/search.md section 1; nothing is opened before the check that
//! needs it. A call is then one pass or several, as `fallback` decides.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use forge_search_core::{
    Event, Request, Response, ToolError,
    collect::{self, Collector, SearchResults},
    request::RequestBuilder,
    response::{IndexStats, Stats},
    text::BinaryRule,
};

use crate::{
    account::MemoryAccount,
    backend::{self, Backend, NativeProposer},
    deadline::Deadline,
    eligible::Eligible,
    index::{IndexQuery, QueryNeed},
    job::{Batches, Fold, Job, Naming, Scanner},
    lines::{EventSink, LineScanner, StreamingCollector},
    pipeline::JobEnd,
    places::Places,
    service::{Service, disabled},
};

/// A checked request: what all passes of one call share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checked<'c> {
    pub(crate) places: &'c Places,
    pub(crate) backend: &'c Backend,
    pub(crate) deadline: Deadline<'c>,
}

/// What may narrow a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrowing {
    /// The index may exclude files.
    pub(crate) index: bool,
    /// Only lines that a backend proposes are wanted.
    pub(crate) proposals: bool,
    /// Binary files are searched like text.
    pub(crate) all_is_text: bool,
}

/// How a search ended, and how the index was used.
#[derive(Clone, Debug)]
pub(crate) struct SearchRun {
    pub(crate) ending: JobEnd,
    pub(crate) index: IndexStats,
    /// Whether the index excluded files.
    pub(crate) by_index: bool,
}

/// The result of one pass.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    pub(crate) found: SearchResults,
    /// Whether the index excluded files.
    pub(crate) excluded: bool,
}

impl Service {
    /// A builder with the configured defaults and caps.
    pub fn search_request(&self, pattern: impl Into<String>) -> RequestBuilder {
        Request::builder(pattern, &self.config().limits())
    }

    /// Runs one call of `Search`.
    pub fn search(&self, request: &Request) -> Result<Response, ToolError> {
        self.search_until(request, &AtomicBool::new(false))
    }

    /// The same; setting `cancelled` ends it as the deadline would.
    pub fn search_until(
        &self,
        request: &Request,
        cancelled: &AtomicBool,
    ) -> Result<Response, ToolError> {
        self.search_each(request, cancelled, &mut |_| {})
    }

    /// The same; besides, `tell` gets each event as soon as it is final, once and in the order of
    /// the answer. It is called from the threads of the search, one at a time, and the search waits
    /// for it. If the call fails, the events are void.
    pub fn search_each(
        &self,
        request: &Request,
        cancelled: &AtomicBool,
        tell: EventSink<'_>,
    ) -> Result<Response, ToolError> {
        self.check_search_enabled()?;
        let started = Instant::now();
        let mut told = false;
        let mut telling = |event: &Event| {
            told = true;
            tell(event);
        };
        let account = MemoryAccount::default();
        let found = self.lines_found(request, started, cancelled, &account, &mut telling)?;
        if !told {
            // The events of a fallback pass, which is made only if there were none before.
            found.events().iter().for_each(tell);
        }
        Ok(self.response(found.response(), started.elapsed()))
    }

    /// The error says that configuration does not permit calls of `Search`.
    pub fn check_search_enabled(&self) -> Result<(), ToolError> {
        if self.config().enabled { Ok(()) } else { Err(disabled()) }
    }

    /// The lines found by the deadline, which counts from `started`, or until `cancelled` is set.
    pub(crate) fn lines_found(
        &self,
        request: &Request,
        started: Instant,
        cancelled: &AtomicBool,
        account: &MemoryAccount,
        tell: EventSink<'_>,
    ) -> Result<SearchResults, ToolError> {
        let places = self.places(request.path.as_deref(), &request.scope, None)?;
        let backend = self.backend()?;
        let deadline = started + Duration::from_millis(request.timeout_ms);
        let deadline = self.deadline(deadline, cancelled, account);
        let checked = Checked { places: &places, backend, deadline };
        let exact = self.pass_streaming(&checked, request, true, tell);
        account.unless_over(exact.map(|exact| self.with_fallback(&checked, request, exact)))
    }

    /// The answer with its `stats` as configured: all, some or none.
    pub(crate) fn response(&self, response: Response, elapsed: Duration) -> Response {
        let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let stats = response.stats.filter(|_| self.config().emit_stats);
        let detail = self.config().stats_detail;
        Response { stats: stats.map(|stats| Stats { elapsed_ms, detail, ..stats }), ..response }
    }

    /// Makes one pass. `use_index` permits exclusion without demanding it.
    pub(crate) fn pass(
        &self,
        checked: &Checked<'_>,
        request: &Request,
        use_index: bool,
    ) -> Result<Pass, ToolError> {
        self.pass_streaming(checked, request, use_index, &mut |_| {})
    }

    /// The same; `tell` gets each event as soon as it is final.
    fn pass_streaming(
        &self,
        checked: &Checked<'_>,
        request: &Request,
        use_index: bool,
        tell: EventSink<'_>,
    ) -> Result<Pass, ToolError> {
        let pattern = &request.matcher;
        // Compiled before any thread starts, so that its error is an error of the call.
        let scanner = LineScanner::new(request, pattern, NativeProposer::new(pattern)?);
        let collector =
            StreamingCollector::new(Collector::new(request, checked.places.is_file()), tell);
        let how = Narrowing { index: use_index, proposals: true, all_is_text: false };
        let (StreamingCollector { collector, .. }, SearchRun { ending, index, by_index }) =
            self.scanned(checked, request, how, &scanner, collector)?;
        let JobEnd { more_files, timed_out, backend_failure } = ending;
        let ending = collect::SearchEnd { more_files, timed_out, backend_failure, index };
        let path = checked.places.shown.clone();
        let found = collector.finish(path, ending, checked.backend.name());
        Ok(Pass { found, excluded: by_index })
    }

    /// Runs `scanner` over the files of `request` and folds its outcomes.
    pub(crate) fn scanned<S, F>(
        &self,
        checked: &Checked<'_>,
        request: &Request,
        how: Narrowing,
        scanner: &S,
        fold: F,
    ) -> Result<(F, SearchRun), ToolError>
    where
        S: Scanner + Sync,
        F: Fold<Input = S::Output>,
    {
        let Checked { places, backend, deadline } = *checked;
        let pattern = &request.matcher;
        let need = |fold, ngram| pattern.need(fold, ngram);
        let index_query = IndexQuery {
            scope: &request.scope,
            max_file_size_bytes: request.max_file_size_bytes,
            names_binary: (!backend.is_external()).then_some(BinaryRule::EarlyNul),
            words: None,
            need: if request.fuzzy.is_some() { QueryNeed::Fuzzy } else { QueryNeed::Grams(&need) },
        };
        let sizes = backend.is_external();
        let Eligible { items, index, by_index, held: _held, .. } =
            self.eligible(places, &index_query, how.index, sizes, deadline);
        let job = Job {
            sandbox: self.sandbox(),
            backend,
            base: Arc::clone(&places.first().base),
            file: places.first().file.clone(),
            expression: if how.proposals { backend::expression(pattern) } else { String::new() },
            max_files: request.max_files,
            max_file_size_bytes: request.max_file_size_bytes,
            all_is_text: how.all_is_text,
            batches: Batches::of(&index),
            naming: places.naming(Naming::WorkingDirectory),
            threads: self.threads(),
            deadline,
        };
        let (fold, ending) = job.run(items, scanner, fold)?;
        Ok((fold, SearchRun { ending, index, by_index }))
    }
}

#[cfg(test)]
mod tests {
    use forge_search_core::request::Builder;

    use super::*;
    use crate::{BackendChoice, Config, Preset, Sandbox};

    #[test]
    fn the_deadline_of_a_call_counts_from_its_start() {
        let directory = tempfile::tempdir().unwrap();
        let long = format!("needle{}\n", "x".repeat(300_000));
        std::fs::write(directory.path().join("a.txt"), long).unwrap();
        let config = Config { backend: BackendChoice::Native, ..Config::preset(Preset::Agent) };
        let sandbox = Sandbox::new(&[directory.path().to_owned()], directory.path()).unwrap();
        let service = Service::new(config, sandbox).unwrap();
        let request = service.search_request("needle").timeout_ms(1_000).build().unwrap();
        let is_over = |started: Instant| {
            let (cancelled, account) = (AtomicBool::new(false), MemoryAccount::default());
            let found =
                service.lines_found(&request, started, &cancelled, &account, &mut |_| {}).unwrap();
            found.response().timed_out
        };
        let now = Instant::now();
        assert!(!is_over(now));
        let before = now.checked_sub(Duration::from_millis(1_001)).unwrap();
        assert!(is_over(before), "what is left of the time is all there is");
    }
}
