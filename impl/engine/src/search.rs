//! The tool `Search`: a request to a response or an error (FR-LS-01, FR-LS-02, FR-LS-05).
//!
//! Checks run in the order of docs/search.md section 1; nothing is opened before the check that
//! needs it. After them a call is one pass or several: which, `fallback` decides.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use forge_search_core::{
    Request, Response, ToolError,
    collect::{self, Collector, Found},
    request::RequestBuilder,
    response::Stats,
};

use crate::{
    account::Account,
    backend::{self, Backend, NativeProposer},
    eligible::Eligible,
    index::{Wanted, Wants},
    job::{Job, Naming},
    lines::LineScanner,
    pipeline::Ending,
    root::Root,
    sandbox::Inside,
    service::{Service, open},
    until::Until,
};

/// What all passes of one call share, after every check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checked<'c> {
    pub(crate) place: &'c Inside,
    pub(crate) base: &'c Arc<Root>,
    /// The search root is this file in `base`.
    pub(crate) file: Option<&'c [u8]>,
    pub(crate) backend: &'c Backend,
    pub(crate) until: Until<'c>,
}

/// What one pass came to.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    pub(crate) found: Found,
    /// Whether files were left out unread because of the index.
    pub(crate) excluded: bool,
}

/// What is told where configuration does not permit calls of `Search`.
pub(crate) fn disabled() -> ToolError {
    ToolError::failed("enabled", "tool `Search` is disabled; set tools.search.enabled to true")
}

impl Service {
    /// A request of `Search` with the defaults and bounds that are configured.
    pub fn search_request(&self, pattern: impl Into<String>) -> RequestBuilder {
        Request::builder(pattern, &self.config().limits())
    }

    /// Carries out one call of `Search`.
    pub fn search(&self, request: &Request) -> Result<Response, ToolError> {
        self.search_until(request, &AtomicBool::new(false))
    }

    /// The same, until `cancelled` is set; what is known then is the answer, as at the deadline.
    pub fn search_until(
        &self,
        request: &Request,
        cancelled: &AtomicBool,
    ) -> Result<Response, ToolError> {
        self.check_search_enabled()?;
        let started = Instant::now();
        let found = self.lines_found(request, started, cancelled, &Account::default())?;
        Ok(self.response(found.response(), started.elapsed()))
    }

    /// Whether configuration permits calls of `Search`.
    pub fn check_search_enabled(&self) -> Result<(), ToolError> {
        if self.config().enabled { Ok(()) } else { Err(disabled()) }
    }

    /// What is found until the deadline, which counts from `started`, or until `cancelled` is set.
    pub(crate) fn lines_found(
        &self,
        request: &Request,
        started: Instant,
        cancelled: &AtomicBool,
        account: &Account,
    ) -> Result<Found, ToolError> {
        let place = self.sandbox().resolve(&request.path)?;
        let (base, file) = open(&place, &request.path)?;
        let backend = self.backend()?;
        let deadline = started + Duration::from_millis(request.timeout_ms);
        let until = self.until(deadline, cancelled, account);
        let checked = Checked { place: &place, base: &base, file: file.as_deref(), backend, until };
        let exact = self.pass(&checked, request, true);
        account.unless_over(exact.map(|exact| self.with_fallback(&checked, request, exact)))
    }

    /// The answer as configuration wants it: with all of its `stats`, some or none.
    pub(crate) fn response(&self, response: Response, elapsed: Duration) -> Response {
        let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let stats = response.stats.filter(|_| self.config().emit_stats);
        let detail = self.config().stats_detail;
        Response { stats: stats.map(|stats| Stats { elapsed_ms, detail, ..stats }), ..response }
    }

    /// One search from beginning to end; a call makes several if fuzzy fallback is due. `use_index`
    /// permits exclusion, it does not demand it.
    pub(crate) fn pass(
        &self,
        checked: &Checked<'_>,
        request: &Request,
        use_index: bool,
    ) -> Result<Pass, ToolError> {
        let Checked { place, backend, until, .. } = *checked;
        let pattern = &request.matcher;
        let base = Arc::clone(checked.base);
        let need = |fold, ngram| pattern.need(fold, ngram);
        let wanted = Wanted {
            scope: &request.scope,
            max_file_size_bytes: request.max_file_size_bytes,
            names_binary: false,
            need: if request.fuzzy.is_some() { Wants::Resembling } else { Wants::Holding(&need) },
        };
        let sizes = matches!(backend, Backend::External(_));
        let Eligible { items, index: index_stats, by_index, held: _held, .. } =
            self.eligible(place, &base, checked.file, &wanted, use_index, sizes, until);
        let job = Job {
            sandbox: self.sandbox(),
            backend,
            base,
            file: checked.file.map(<[u8]>::to_vec),
            expression: backend::expression(pattern),
            max_files: request.max_files,
            max_file_size_bytes: request.max_file_size_bytes,
            narrowed: index_stats.exclusion_used,
            naming: Naming::WorkingDirectory,
            threads: self.threads(),
            until,
        };
        // Compiled before any thread starts, so that its error is an error of the call.
        let scanner = LineScanner::new(request, pattern, NativeProposer::new(pattern)?);
        let collector = Collector::new(request, job.file.is_some());
        let (collector, Ending { more_files, timed_out, backend_failure }) =
            job.run(items, &scanner, collector)?;
        let ending = collect::Ending { more_files, timed_out, backend_failure, index: index_stats };
        let found = collector.finish(self.sandbox().shown(&place.path), ending, backend.name());
        Ok(Pass { found, excluded: by_index })
    }
}

#[cfg(test)]
mod tests {
    use forge_search_core::request::Builder;

    use super::*;
    use crate::{BackendChoice, Config, Preset, Sandbox};

    #[test]
    fn the_deadline_of_a_call_counts_from_its_beginning() {
        let directory = tempfile::tempdir().unwrap();
        let long = format!("needle{}\n", "x".repeat(300_000));
        std::fs::write(directory.path().join("a.txt"), long).unwrap();
        let config = Config { backend: BackendChoice::Native, ..Config::preset(Preset::Agent) };
        let sandbox = Sandbox::new(&[directory.path().to_owned()], directory.path()).unwrap();
        let service = Service::new(config, sandbox).unwrap();
        let request = service.search_request("needle").timeout_ms(1_000).build().unwrap();
        let is_over = |started: Instant| {
            let (cancelled, account) = (AtomicBool::new(false), Account::default());
            let found = service.lines_found(&request, started, &cancelled, &account).unwrap();
            found.response().timed_out
        };
        let now = Instant::now();
        assert!(!is_over(now));
        let before = now.checked_sub(Duration::from_millis(1_001)).unwrap();
        assert!(is_over(before), "what is left of the time is all there is");
    }
}
