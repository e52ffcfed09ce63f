//! Reading the specification.
//!
//! Every file has a fixed place and a fixed shape; a file too many, a file too few, an unknown key,
//! an id given
//! twice, a reference to nothing, and a requirement nobody verifies are errors that name file and
//! line.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::adapter::{Adapter, Groups};
use crate::audit::Audit;
use crate::backend::Backend;
use crate::checks;
use crate::config::Configuration;
use crate::errata::Errata;
use crate::exit::ExitClasses;
use crate::index::{self, Index};
use crate::nfr::Budgets;
use crate::ordering::Ordering;
use crate::place::Finding;
use crate::requirement::Document;
use crate::rules::{Matching, Paths};
use crate::tool::Tool;
use crate::tool::agent::AgentTools;
use crate::tool::definitions::Definitions;
use crate::tool::files::{FilesConfiguration, FilesTool};
use crate::tool::keyword::KeywordTool;
use crate::truncation::Truncation;
use crate::vectors::{
    CaseFile, EventsFile, FuzzyFile, GlobsFile, IgnoreFile, LinesFile, MatchingFile, ResolveFile,
    SortFile, Vectors,
};

/// The files with a fixed name, by which defects in them are reported.
pub(crate) mod files {
    pub(crate) const TOOL: &str = "tools/search.yaml";
    pub(crate) const FILES_TOOL: &str = "tools/search_files.yaml";
    pub(crate) const FILES_CONFIG: &str = "tools/search_files_config.yaml";
    pub(crate) const AGENT_TOOLS: &str = "tools/agent_tools.yaml";
    pub(crate) const DEFINITIONS: &str = "tools/definitions.yaml";
    pub(crate) const KEYWORD_SEARCH: &str = "tools/keyword_search.yaml";
    pub(crate) const CONFIG: &str = "config.yaml";
    pub(crate) const ORDERING: &str = "ordering.yaml";
    pub(crate) const TRUNCATION: &str = "truncation.yaml";
    pub(crate) const PATHS: &str = "paths.yaml";
    pub(crate) const MATCHING: &str = "matching.yaml";
    pub(crate) const EXIT_CLASSES: &str = "exit_classes.yaml";
    pub(crate) const AUDIT: &str = "audit.yaml";
    pub(crate) const NFR: &str = "nfr.yaml";
    pub(crate) const HUNT: &str = "hunt.yaml";
    pub(crate) const ERRATA: &str = "errata.yaml";
    pub(crate) const RESOLVE: &str = "vectors/resolve.yaml";
    pub(crate) const MATCHING_VECTORS: &str = "vectors/matching.yaml";
    pub(crate) const FUZZY_VECTORS: &str = "vectors/fuzzy.yaml";
    pub(crate) const LINES: &str = "vectors/lines.yaml";
    pub(crate) const EVENTS: &str = "vectors/events.yaml";
}

/// The whole specification.
#[derive(Debug, Clone)]
pub struct Spec {
    /// The requirement documents, by file name.
    pub documents: Vec<Document>,
    /// What a caller sees of `Search`.
    pub search: Tool,
    /// What a caller sees of `search_files`.
    pub search_files: FilesTool,
    /// The configuration keys of `search_files`.
    pub search_files_configuration: FilesConfiguration,
    /// What a caller sees of the agent's tools.
    pub agent_tools: AgentTools,
    /// What lines that define names look like.
    pub definitions: Definitions,
    /// What a caller sees of `keyword_search`.
    pub keyword_search: KeywordTool,
    /// The configuration keys.
    pub configuration: Configuration,
    /// The order of what answers list.
    pub ordering: Ordering,
    /// What caps do.
    pub truncation: Truncation,
    /// The rules on paths.
    pub paths: Paths,
    /// The rules on matching.
    pub matching: Matching,
    /// How exit statuses are classified.
    pub exit_classes: ExitClasses,
    /// What the checks do not decide.
    pub audit: Audit,
    /// Budgets.
    pub budgets: Budgets,
    /// What real backends do, by file name.
    pub backends: Vec<Backend>,
    /// How search programs are asked, by file name.
    pub adapters: Vec<Adapter>,
    /// What the groups of the hunt stand on.
    pub hunt: Groups,
    /// The index.
    pub index: Index,
    /// How contradictions are resolved.
    pub errata: Errata,
    /// Worked examples.
    pub vectors: Vectors,
}

/// Why the specification cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file or directory cannot be read.
    #[error("`{path}` cannot be read")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is not there.
    #[error("{file}: the specification needs this file")]
    Missing {
        /// Which, relative to the specification's directory.
        file: String,
    },
    /// A file is there that has no place.
    #[error("{file}: no such file belongs to the specification; the loader names those that do")]
    Unknown {
        /// Which, relative to the specification's directory.
        file: String,
    },
    /// A file is not YAML, or not of the shape its place demands.
    #[error("{file}:{line}: {message}")]
    Parse {
        /// Which, relative to the specification's directory.
        file: String,
        /// The line, from 1; 0 if unknown.
        line: u64,
        /// What is wrong.
        message: String,
    },
    /// The files do not fit together.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Defective(Vec<Finding>),
}

impl Spec {
    /// Reads the specification below `dir`.
    ///
    /// # Errors
    /// As [`Spec::from_sources`], and [`LoadError::Read`] if the disk refuses.
    pub fn load(dir: &Path) -> Result<Self, LoadError> {
        let mut sources = Vec::new();
        collect(dir, "", &mut sources)?;
        Self::from_sources(sources)
    }

    /// Reads the specification from pairs of path, relative to the specification's directory, and
    /// text.
    ///
    /// # Errors
    /// A missing, unknown or malformed file, at once; else all duplicate ids, dangling references
    /// and requirements
    /// without verification together.
    pub fn from_sources(sources: Vec<(String, String)>) -> Result<Self, LoadError> {
        let spec = Self::parse(sources)?;
        let findings = checks::structure(&spec);
        if findings.is_empty() { Ok(spec) } else { Err(LoadError::Defective(findings)) }
    }

    /// Reads the specification without checking that its files fit together, so that
    /// [`crate::lint()`] can report
    /// everything at once.
    ///
    /// # Errors
    /// A missing, unknown or malformed file.
    pub fn parse(sources: Vec<(String, String)>) -> Result<Self, LoadError> {
        let mut sources = Sources::new(sources)?;
        let documents =
            sources.many("requirements/", |document: &mut Document, file| document.file = file)?;
        let backends = sources.many("facts/", |backend: &mut Backend, file| backend.file = file)?;
        let adapters =
            sources.many("backends/", |adapter: &mut Adapter, file| adapter.file = file)?;
        let spec = Self {
            documents,
            backends,
            adapters,
            hunt: sources.one(files::HUNT)?,
            search: sources.one(files::TOOL)?,
            search_files: sources.one(files::FILES_TOOL)?,
            search_files_configuration: sources.one(files::FILES_CONFIG)?,
            agent_tools: sources.one(files::AGENT_TOOLS)?,
            definitions: sources.one(files::DEFINITIONS)?,
            keyword_search: sources.one(files::KEYWORD_SEARCH)?,
            configuration: sources.one(files::CONFIG)?,
            ordering: sources.one(files::ORDERING)?,
            truncation: sources.one(files::TRUNCATION)?,
            paths: sources.one(files::PATHS)?,
            matching: sources.one(files::MATCHING)?,
            exit_classes: sources.one(files::EXIT_CLASSES)?,
            audit: sources.one(files::AUDIT)?,
            budgets: sources.one(files::NFR)?,
            index: sources.index()?,
            errata: sources.one(files::ERRATA)?,
            vectors: sources.vectors()?,
        };
        sources.finish()?;
        Ok(spec)
    }
}

/// Texts by path; what is read is taken out, so that what remains is unknown.
struct Sources(BTreeMap<String, String>);

impl Sources {
    fn new(sources: Vec<(String, String)>) -> Result<Self, LoadError> {
        let mut texts = BTreeMap::new();
        for (file, text) in sources {
            if texts.insert(file.clone(), text).is_some() {
                let message = "given twice".to_owned();
                return Err(LoadError::Parse { file, line: 0, message });
            }
        }
        Ok(Self(texts))
    }

    fn one<T: DeserializeOwned>(&mut self, file: &str) -> Result<T, LoadError> {
        let text =
            self.0.remove(file).ok_or_else(|| LoadError::Missing { file: file.to_owned() })?;
        read(file, &text)
    }

    /// All files of a directory, each told its own name.
    fn many<T: DeserializeOwned>(
        &mut self,
        dir: &str,
        name: fn(&mut T, String),
    ) -> Result<Vec<T>, LoadError> {
        let inside: Vec<String> =
            self.0.keys().filter(|file| file.starts_with(dir)).cloned().collect();
        if inside.is_empty() {
            return Err(LoadError::Missing { file: format!("{dir}*.yaml") });
        }
        let mut all = Vec::with_capacity(inside.len());
        for file in inside {
            let mut value = self.one(&file)?;
            name(&mut value, file);
            all.push(value);
        }
        Ok(all)
    }

    fn index(&mut self) -> Result<Index, LoadError> {
        Ok(Index {
            machine: self.one(index::files::MACHINE)?,
            transitions: self.one(index::files::TRANSITIONS)?,
            reachable: self.one(index::files::REACHABLE)?,
            changes: self.one(index::files::CHANGES)?,
            text: self.one(index::files::TEXT)?,
            filter: self.one(index::files::FILTER)?,
            exclusion: self.one(index::files::EXCLUSION)?,
            decisions: self.one(index::files::DECISIONS)?,
            stats: self.one(index::files::STATS)?,
            configuration: self.one(index::files::CONFIGURATION)?,
        })
    }

    fn vectors(&mut self) -> Result<Vectors, LoadError> {
        let globs: GlobsFile = self.one("vectors/globs.yaml")?;
        let ignore: IgnoreFile = self.one("vectors/ignore.yaml")?;
        let sort: SortFile = self.one("vectors/sort.yaml")?;
        let resolve: ResolveFile = self.one(files::RESOLVE)?;
        let case: CaseFile = self.one("vectors/case.yaml")?;
        let matching: MatchingFile = self.one(files::MATCHING_VECTORS)?;
        let fuzzy: FuzzyFile = self.one(files::FUZZY_VECTORS)?;
        let lines: LinesFile = self.one(files::LINES)?;
        let events: EventsFile = self.one(files::EVENTS)?;
        Ok(Vectors {
            globs: globs.globs,
            invalid_globs: globs.invalid,
            ignore: ignore.ignore,
            ignore_trees: ignore.trees,
            sort: sort.orders,
            resolve_tree: resolve.tree,
            resolve: resolve.resolve,
            smart: case.smart,
            lines: matching.lines,
            regexes: matching.regexes,
            fuzzy: fuzzy.fuzzy,
            files: lines.lines,
            decoding: lines.decoding,
            content: lines.content,
            events: events.events,
        })
    }

    fn finish(self) -> Result<(), LoadError> {
        match self.0.into_keys().next() {
            None => Ok(()),
            Some(file) => Err(LoadError::Unknown { file }),
        }
    }
}

pub(crate) fn read<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, LoadError> {
    serde_yaml::from_str(text).map_err(|error| LoadError::Parse {
        file: file.to_owned(),
        line: error.location().map_or(0, |location| location.line()),
        message: error.without_snippet().to_string(),
    })
}

/// Adds every YAML file below `dir`, with its path relative to where the search began.
pub(crate) fn collect(
    dir: &Path,
    prefix: &str,
    sources: &mut Vec<(String, String)>,
) -> Result<(), LoadError> {
    let refused = |path: &Path| {
        let path = path.to_owned();
        move |source| LoadError::Read { path, source }
    };
    for entry in fs::read_dir(dir).map_err(refused(dir))? {
        let path = entry.map_err(refused(dir))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let file = format!("{prefix}{name}");
        if path.is_dir() {
            collect(&path, &format!("{file}/"), sources)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            let text = fs::read_to_string(&path).map_err(refused(&path))?;
            sources.push((file, text));
        }
    }
    Ok(())
}

#[cfg(test)]
impl Index {
    /// Reads the index's files alone, out of the texts of all.
    pub(crate) fn parse(mut sources: Vec<(String, String)>) -> Result<Self, LoadError> {
        sources.retain(|(file, _)| file.starts_with("index/"));
        Sources::new(sources)?.index()
    }
}

#[cfg(test)]
mod tests;
