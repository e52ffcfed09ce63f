//! The way in: a tool name and a JSON request to a response or an error (FR-LS-01, FR-LS-02, FR-LS-05).
//!
//! Checks run in the order of docs/search.md section 1; nothing is opened before the check that needs it. After them a call is one pass
//! or several: which, `fallback` decides.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock, atomic::AtomicBool},
    thread,
    time::{Duration, Instant},
};

use forge_search_core::{
    Request, Response, ToolError,
    collect::{Collector, Ending},
    content::escape_name,
    ignore_rules::RuleFile,
    index::settings::Settings,
    pattern::Pattern,
    request::NAMES,
};
use serde_json::Value;

use crate::{
    backend::{self, Backend, NativeProposer},
    config::{Config, ConfigError},
    eligible::Eligible,
    index::{IndexOptions, Indexes, Wanted, Wants},
    job::{Job, Naming},
    lines::LineScanner,
    read_tracker::ReadTracker,
    root::{Root, path_bytes},
    sandbox::{Found, Inside, Sandbox},
    search, search_files,
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
    /// With `stats`, whatever the configuration says.
    pub(crate) response: Response,
    /// Whether files were left out unread because of the index.
    pub(crate) excluded: bool,
}

/// A configured service over a sandbox. Calls are independent of each other and may run at the same time.
#[derive(Debug)]
pub struct Service {
    config: Config,
    sandbox: Sandbox,
    global_ignore: Vec<RuleFile>,
    indexes: Indexes,
    /// Kept for the tools that read and edit; no search gets at it (SEC-LSI-CACHE-01).
    read_tracker: ReadTracker,
    /// Chosen and probed once, at the first call that gets as far as needing it.
    backend: OnceLock<Result<Backend, ToolError>>,
    /// That of `search_files`, chosen and probed when the service starts; what went wrong is told by every call (CFG-SF-03).
    files_backend: Result<Backend, ToolError>,
    cancelled: Arc<AtomicBool>,
}

impl Service {
    /// A service without indexes, after checking the configuration.
    pub fn new(config: Config, sandbox: Sandbox) -> Result<Self, ConfigError> {
        Self::with_index(config, sandbox, IndexOptions::default())
    }

    /// A service that uses indexes as `options` say, if the configuration's `index_mode` lets it.
    #[expect(clippy::needless_pass_by_value, reason = "like the other two, it is handed over")]
    pub fn with_index(config: Config, sandbox: Sandbox, options: IndexOptions) -> Result<Self, ConfigError> {
        config.validate()?;
        let global_ignore: Vec<RuleFile> = config
            .global_ignore_files
            .iter()
            .map(|path| match fs::read(path) {
                Ok(content) => Ok(RuleFile::parse(&content)),
                Err(source) => Err(ConfigError::GlobalIgnore { path: path.clone(), source }),
            })
            .collect::<Result<_, _>>()?;
        let sandbox = sandbox.denying(config.deny_globs()?);
        let indexes = Indexes::new(&config, &sandbox, &global_ignore, &options)?;
        let files_backend = search_files::select(&config, &sandbox);
        Ok(Self {
            config,
            sandbox,
            global_ignore,
            indexes,
            read_tracker: ReadTracker::default(),
            backend: OnceLock::new(),
            files_backend,
            cancelled: Arc::default(),
        })
    }

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
        if !self.config.enabled {
            return Err(ToolError::failed(
                "enabled",
                "tool `Search` is disabled; set tools.search.enabled to true",
            ));
        }
        let started = Instant::now();
        let request = Request::parse(request, &self.config.limits())?;
        let pattern = Pattern::compile(request.sought())?;
        let place = self.sandbox.resolve(&request.path)?;
        let (base, file) = open(&place, &request.path)?;
        let backend = self.backend.get_or_init(|| backend::select(&self.config, &self.sandbox)).as_ref();
        let backend = backend.map_err(Clone::clone)?;
        let deadline = started + Duration::from_millis(request.timeout_ms);
        let until = self.until(deadline, cancelled);
        let checked = Checked { place: &place, base: &base, file: file.as_deref(), backend, until };
        let exact = self.pass(&checked, &request, &pattern, true)?;
        let mut response = self.with_fallback(&checked, &request, &pattern, exact);
        if let Some(stats) = &mut response.stats {
            stats.elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        }
        if !self.config.emit_stats {
            response.stats = None;
        }
        Ok(response)
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
            need: if request.fuzzy.is_some() { Wants::Resembling } else { Wants::Holding(&need) },
        };
        let sizes = matches!(backend, Backend::External(_));
        let Eligible { items, index: index_stats, by_index, loan: _loan } =
            self.eligible(place, &base, checked.file, &wanted, use_index, sizes, until);
        let job = Job {
            sandbox: &self.sandbox,
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
        let (collector, search::Ending { more_files, timed_out, backend_failure }) =
            job.run(items, &scanner, collector)?;
        let ending = Ending { more_files, timed_out, backend_failure, index: index_stats };
        // With `stats`, always: fallback goes by them, and what the caller does not want is left out at the end.
        let response = collector.finish(self.sandbox.shown(&place.path), &ending, Some(backend.name()));
        Ok(Pass { response, excluded: by_index })
    }

    /// The index excluded a file that matches, or one that began to match between two passes: it cannot be told which (E-G10).
    pub(crate) fn index_was_wrong(&self, path: &Path) {
        if let Some((index, _)) = self.indexes.of(path) {
            index.distrust();
        }
    }

    /// The indexes.
    pub(crate) fn indexes(&self) -> &Indexes {
        &self.indexes
    }

    /// Where the service may look.
    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// What of the configuration governs fuzzy fallback.
    pub(crate) fn fallback_settings(&self) -> &Settings {
        &self.config.index
    }

    /// When a call has to end.
    pub(crate) fn until<'c>(&'c self, deadline: Instant, call: &'c AtomicBool) -> Until<'c> {
        Until { deadline, service: &self.cancelled, call, seen: None }
    }

    /// What has been read explicitly.
    pub fn read_tracker(&self) -> &ReadTracker {
        &self.read_tracker
    }

    /// A switch that makes calls in progress end as if their deadline had come, their child processes killed.
    pub fn cancel_switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// How it is configured.
    pub(crate) fn config(&self) -> &Config {
        &self.config
    }

    /// Ignore files that apply everywhere, strongest first.
    pub(crate) fn global_ignore(&self) -> &[RuleFile] {
        &self.global_ignore
    }

    /// The backend of `search_files`.
    pub(crate) fn files_backend(&self) -> &Result<Backend, ToolError> {
        &self.files_backend
    }

    pub(crate) fn threads(&self) -> usize {
        match self.config.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// Opens the search root: a directory, or the directory of a file and the file's name (FR-LS-VAL-04, FR-LS-VAL-05).
pub(crate) fn open(place: &Inside, given: &str) -> Result<(Arc<Root>, Option<Vec<u8>>), ToolError> {
    let given = escape_name(given);
    let refuse = |why: &str| ToolError::failed("path", format!("path `{given}` {why}"));
    let unreadable = |err: &std::io::Error| refuse(&format!("cannot be read: {}", crate::read::reason(err)));
    match place.found {
        Found::Yes => {}
        Found::Missing | Found::TooManyLinks => return Err(refuse("does not exist")),
        Found::Forbidden => return Err(refuse("cannot be read: permission denied")),
    }
    let top = || Root::open(&place.root).map_err(|err| unreadable(&err));
    let below = |path: &Path| path_bytes(path.strip_prefix(&place.root).unwrap_or(Path::new("")));
    let metadata = place.path.symlink_metadata().map_err(|err| unreadable(&err))?;
    if metadata.is_dir() {
        let root = top()?.below(&below(&place.path)).map_err(|err| unreadable(&err))?;
        return Ok((Arc::new(root), None));
    }
    if !metadata.is_file() {
        return Err(refuse("is neither a regular file nor a directory"));
    }
    let (Some(parent), Some(name)) = (place.path.parent(), place.path.file_name()) else {
        return Err(refuse("has no name"));
    };
    // A file may be readable in a directory that cannot be listed; opening for reading is asked of the file.
    let root = top()?.containing(&below(parent)).map_err(|err| unreadable(&err))?;
    let name = path_bytes(&PathBuf::from(name));
    root.open_file(&name).map_err(|err| unreadable(&err))?;
    Ok((Arc::new(root), Some(name)))
}
