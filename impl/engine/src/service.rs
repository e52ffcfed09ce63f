//! A configured service over a sandbox: what all of its calls share.
//!
//! Responsible for: what is made when a service starts, and opening a search root. Not here: each
//! tool's calls (`search`, [`crate::search_files`], `agent`).

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::Instant,
};

use forge_search_core::{
    ToolError, content::escape_name, ignore_rules::RuleFile, index::settings::Settings,
};

use crate::{
    account::{MemoryAccount, MemoryPool},
    backend::{self, Backend},
    call::Call,
    config::{Config, ConfigError, Preset},
    deadline::Deadline,
    index::{IndexOptions, Indexes},
    job::cores,
    read_tracker::ReadTracker,
    root::{Root, path_bytes},
    rulebook::Rulebook,
    sandbox::{NamedRoot, Resolution, ResolvedPath, Sandbox},
};

#[cfg(feature = "index")]
mod indexes;
mod repositories;

pub use repositories::{RootRepository, git_excludes_file};

/// A configured service over a sandbox. Calls are independent of each other and may run at the same
/// time.
#[derive(Debug)]
pub struct Service {
    config: Config,
    sandbox: Sandbox,
    rulebook: Arc<Rulebook>,
    indexes: Indexes,
    /// For tools that read and edit; searches have no access (SEC-LSI-CACHE-01).
    read_tracker: ReadTracker,
    /// The backend of `Search`, chosen and probed when the service starts (CFG-LS-01), unless the
    /// tool is disabled. Every call returns its error.
    backend: Result<Backend, ToolError>,
    /// The backend of `search_files`, likewise (CFG-SF-03).
    files_backend: Result<Backend, ToolError>,
    cancelled: Arc<AtomicBool>,
    in_flight: Arc<MemoryPool>,
}

impl Service {
    /// A service without indexes. Checks the configuration.
    pub fn new(config: Config, sandbox: Sandbox) -> Result<Self, ConfigError> {
        Self::with_index(config, sandbox, IndexOptions::default())
    }

    /// A service with indexes as `options` say, if `index_mode` permits.
    #[expect(clippy::needless_pass_by_value, reason = "like the other two, it is handed over")]
    pub fn with_index(
        config: Config,
        sandbox: Sandbox,
        options: IndexOptions,
    ) -> Result<Self, ConfigError> {
        config.validate()?;
        let global_ignore: Vec<RuleFile> = config
            .global_ignore_files
            .iter()
            .map(|path| match fs::read(path) {
                Ok(content) => Ok(RuleFile::parse(&content)),
                Err(source) => Err(ConfigError::GlobalIgnore { path: path.clone(), source }),
            })
            .collect::<Result<_, _>>()?;
        let rulebook =
            Rulebook::new(global_ignore, config.repository_rules, config.reincludes_hidden);
        let rulebook = Arc::new(rulebook);
        let sandbox = sandbox.denying(config.deny_globs()?);
        let sandbox =
            if config.preset == Preset::Agent { sandbox } else { sandbox.without_names() };
        let indexes = Indexes::new(&config, &sandbox, &rulebook, &options)?;
        let backend =
            if config.enabled { backend::select(&config, &sandbox) } else { Err(disabled()) };
        let files_backend = backend::select_for_files(&config, &sandbox);
        Ok(Self {
            config,
            sandbox,
            rulebook,
            indexes,
            read_tracker: ReadTracker::default(),
            backend,
            files_backend,
            cancelled: Arc::default(),
            in_flight: Arc::default(),
        })
    }

    /// Reports that the index excluded a file that matches. A file that began to match between two
    /// passes looks the same (E-G10).
    pub(crate) fn index_was_wrong(&self, path: &Path) {
        self.indexes.distrust(path);
    }

    pub(crate) fn indexes(&self) -> &Indexes {
        &self.indexes
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// The roots that a call without a directory searches, with the names that paths begin with;
    /// none if there is only one root, or in the preset `documents`.
    pub fn named_roots(&self) -> &[NamedRoot] {
        self.sandbox.named()
    }

    /// The settings of fuzzy fallback.
    pub(crate) fn fallback_settings(&self) -> &Settings {
        &self.config.index
    }

    /// The deadline of a call, which joins the account of the service.
    pub(crate) fn deadline<'c>(
        &'c self,
        deadline: Instant,
        call: &'c AtomicBool,
        account: &'c MemoryAccount,
    ) -> Deadline<'c> {
        account.join(&self.in_flight, 0);
        Deadline { at: deadline, service: &self.cancelled, call, seen: None, account }
    }

    /// The same, counting the files looked at.
    pub(crate) fn deadline_with_progress<'c>(
        &'c self,
        deadline: Instant,
        call: &'c Call,
    ) -> Deadline<'c> {
        let deadline = self.deadline(deadline, &call.cancelled, &call.account);
        Deadline { seen: Some(&call.files), ..deadline }
    }

    pub(crate) fn in_flight(&self) -> &Arc<MemoryPool> {
        &self.in_flight
    }

    /// The record of explicit reads.
    pub fn read_tracker(&self) -> &ReadTracker {
        &self.read_tracker
    }

    /// A flag that ends all calls in progress as their deadlines would; their child processes are
    /// killed.
    pub fn cancel_switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// The configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The backend of `Search`.
    pub(crate) fn backend(&self) -> Result<&Backend, ToolError> {
        self.backend.as_ref().map_err(Clone::clone)
    }

    pub(crate) fn rulebook(&self) -> &Rulebook {
        &self.rulebook
    }

    /// The backend of `search_files`.
    pub(crate) fn files_backend(&self) -> &Result<Backend, ToolError> {
        &self.files_backend
    }

    pub(crate) fn threads(&self) -> usize {
        match self.config.threads {
            0 => cores(),
            threads => threads,
        }
    }
}

/// The error of a call of `Search` that the configuration does not permit.
pub(crate) fn disabled() -> ToolError {
    ToolError::failed("enabled", "tool `Search` is disabled; set tools.search.enabled to true")
}

/// Opens the search root: a directory, or a file's directory with the file's name (FR-LS-VAL-04,
/// FR-LS-VAL-05).
pub(crate) fn open(
    place: &ResolvedPath,
    given: &str,
) -> Result<(Arc<Root>, Option<Vec<u8>>), ToolError> {
    let given = escape_name(given);
    let refuse = |why: &str| ToolError::failed("path", format!("path `{given}` {why}"));
    let unreadable =
        |err: &std::io::Error| refuse(&format!("cannot be read: {}", crate::read::reason(err)));
    match place.found {
        Resolution::Exists => {}
        Resolution::Missing | Resolution::TooManyLinks => return Err(refuse("does not exist")),
        Resolution::Forbidden => return Err(refuse("cannot be read: permission denied")),
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
    // A file may be readable in a directory that cannot be listed.
    let root = top()?.containing(&below(parent)).map_err(|err| unreadable(&err))?;
    let name = path_bytes(&PathBuf::from(name));
    root.open_file(&name).map_err(|err| unreadable(&err))?;
    Ok((Arc::new(root), Some(name)))
}
