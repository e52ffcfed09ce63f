//! The whole specification as one value.

use crate::adapter::{Adapter, Groups};
use crate::audit::Audit;
use crate::backend::Backend;
use crate::config::Configuration;
use crate::errata::Errata;
use crate::exit::ExitClasses;
use crate::files;
use crate::index::{self, Index};
use crate::nfr::Budgets;
use crate::ordering::Ordering;
use crate::requirement::Document;
use crate::rules::{Matching, Paths};
use crate::source::{LoadError, Sources};
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

#[derive(Debug, Clone)]
pub struct Spec {
    /// By file name.
    pub documents: Vec<Document>,
    pub search: Tool,
    pub search_files: FilesTool,
    pub search_files_configuration: FilesConfiguration,
    pub agent_tools: AgentTools,
    /// Lines that define names.
    pub definitions: Definitions,
    pub keyword_search: KeywordTool,
    pub configuration: Configuration,
    /// The order of lists in answers.
    pub ordering: Ordering,
    /// The caps.
    pub truncation: Truncation,
    pub paths: Paths,
    pub matching: Matching,
    pub exit_classes: ExitClasses,
    /// What the checks do not decide.
    pub audit: Audit,
    /// Time budgets.
    pub budgets: Budgets,
    /// Facts about backends, by file name.
    pub backends: Vec<Backend>,
    /// By file name.
    pub adapters: Vec<Adapter>,
    /// The clauses of the hunt's groups.
    pub hunt: Groups,
    pub index: Index,
    pub errata: Errata,
    /// Worked examples.
    pub vectors: Vectors,
}

impl Spec {
    /// Parses the specification without checking that its files are consistent, so that
    /// [`crate::lint()`] can report everything at once.
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
            index: parse_index(&mut sources)?,
            errata: sources.one(files::ERRATA)?,
            vectors: parse_vectors(&mut sources)?,
        };
        sources.finish()?;
        Ok(spec)
    }
}

fn parse_index(sources: &mut Sources) -> Result<Index, LoadError> {
    Ok(Index {
        machine: sources.one(index::files::MACHINE)?,
        transitions: sources.one(index::files::TRANSITIONS)?,
        reachable: sources.one(index::files::REACHABLE)?,
        changes: sources.one(index::files::CHANGES)?,
        text: sources.one(index::files::TEXT)?,
        filter: sources.one(index::files::FILTER)?,
        exclusion: sources.one(index::files::EXCLUSION)?,
        decisions: sources.one(index::files::DECISIONS)?,
        stats: sources.one(index::files::STATS)?,
        configuration: sources.one(index::files::CONFIGURATION)?,
    })
}

fn parse_vectors(sources: &mut Sources) -> Result<Vectors, LoadError> {
    let globs: GlobsFile = sources.one("vectors/globs.yaml")?;
    let ignore: IgnoreFile = sources.one("vectors/ignore.yaml")?;
    let sort: SortFile = sources.one("vectors/sort.yaml")?;
    let resolve: ResolveFile = sources.one(files::RESOLVE)?;
    let case: CaseFile = sources.one("vectors/case.yaml")?;
    let matching: MatchingFile = sources.one(files::MATCHING_VECTORS)?;
    let fuzzy: FuzzyFile = sources.one(files::FUZZY_VECTORS)?;
    let lines: LinesFile = sources.one(files::LINES)?;
    let events: EventsFile = sources.one(files::EVENTS)?;
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

#[cfg(test)]
impl Index {
    /// Parses the index's files alone.
    pub(crate) fn parse(mut sources: Vec<(String, String)>) -> Result<Self, LoadError> {
        sources.retain(|(file, _)| file.starts_with("index/"));
        parse_index(&mut Sources::new(sources)?)
    }
}
