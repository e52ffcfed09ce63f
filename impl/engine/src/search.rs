//! The tool `Search`: a tool name and a JSON request to a response or an error (FR-LS-01, FR-LS-02, FR-LS-05).
//!
//! Checks run in the order of docs/search.md section 1; nothing is opened before the check that needs it. After them a call is one pass
//! or several: which, `fallback` decides.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

use forge_search_core::{
    Request, Response, ToolError,
    collect::{self, Collector, Found},
    content::escape_name,
    pattern::Pattern,
    request::NAMES,
    response::Stats,
};
use serde_json::Value;

use crate::{
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

/// A request that is one, and its pattern.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    request: Request,
    pattern: Pattern,
}

/// What one pass came to.
#[derive(Clone, Debug)]
pub(crate) struct Pass {
    pub(crate) found: Found,
    /// Whether files were left out unread because of the index.
    pub(crate) excluded: bool,
}

impl Service {
    /// Carries out one call of `Search`.
    pub fn call(&self, tool: &str, request: &Value) -> Result<Response, ToolError> {
        self.call_until(tool, request, &AtomicBool::new(false))
    }

    /// The same, until `cancelled` is set; what is known then is the answer, as at the deadline.
    pub fn call_until(
        &self,
        tool: &str,
        request: &Value,
        cancelled: &AtomicBool,
    ) -> Result<Response, ToolError> {
        if !NAMES.contains(&tool) {
            let known = [&NAMES[..], &[forge_search_core::search_files::NAME]].concat().join(", ");
            let tool = escape_name(tool);
            return Err(ToolError::bad_args(
                "tool",
                format!("unknown tool `{tool}`; known tools are {known}"),
            ));
        }
        if !self.config().enabled {
            return Err(ToolError::failed(
                "enabled",
                "tool `Search` is disabled; set tools.search.enabled to true",
            ));
        }
        let started = Instant::now();
        let found = self.search(&self.asked(request)?, started, cancelled)?;
        Ok(self.response(found, started))
    }

    /// The request, checked as far as that is possible without looking at the tree.
    pub(crate) fn asked(&self, request: &Value) -> Result<Asked, ToolError> {
        let request = Request::parse(request, &self.config().limits())?;
        let pattern = Pattern::compile(request.sought())?;
        Ok(Asked { request, pattern })
    }

    /// Searches for what was asked.
    pub(crate) fn search(
        &self,
        asked: &Asked,
        started: Instant,
        cancelled: &AtomicBool,
    ) -> Result<Found, ToolError> {
        let Asked { request, pattern } = asked;
        let place = self.sandbox().resolve(&request.path)?;
        let (base, file) = open(&place, &request.path)?;
        let backend = self.backend()?;
        let deadline = started + Duration::from_millis(request.timeout_ms);
        let until = self.until(deadline, cancelled);
        let checked = Checked { place: &place, base: &base, file: file.as_deref(), backend, until };
        let exact = self.pass(&checked, request, pattern, true)?;
        Ok(self.with_fallback(&checked, request, pattern, exact))
    }

    /// The answer, with `stats` if configuration wants them.
    pub(crate) fn response(&self, found: Found, started: Instant) -> Response {
        let response = found.response();
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let stats = response.stats.filter(|_| self.config().emit_stats);
        let detail = self.config().stats_detail;
        Response { stats: stats.map(|stats| Stats { elapsed_ms, detail, ..stats }), ..response }
    }

    /// One search from beginning to end; a call makes several if fuzzy fallback is due. `use_index` permits exclusion, it does not demand it.
    pub(crate) fn pass(
        &self,
        checked: &Checked<'_>,
        request: &Request,
        pattern: &Pattern,
        use_index: bool,
    ) -> Result<Pass, ToolError> {
        let Checked { place, backend, until, .. } = *checked;
        let base = Arc::clone(checked.base);
        let need = |fold, ngram| pattern.need(fold, ngram);
        let wanted = Wanted {
            scope: &request.scope,
            max_file_size_bytes: request.max_file_size_bytes,
            names_binary: false,
            need: if request.fuzzy.is_some() { Wants::Resembling } else { Wants::Holding(&need) },
        };
        let sizes = matches!(backend, Backend::External(_));
        let Eligible { items, index: index_stats, by_index, held: _held } =
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
