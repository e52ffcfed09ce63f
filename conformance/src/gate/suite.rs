//! The names of suites, the options of a run, and the trait for its progress.
//!
//! Not here: what each suite does ([`super::suites`] and those it calls).

use std::path::PathBuf;

use super::findings::FindingOptions;
use super::{Judge, Limit};
use crate::report::{SubjectLine, SuiteReport};
use crate::subject::SubjectSpec;

/// A suite. They run in this order: what is known to have failed before comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Suite {
    /// Stored cases of former divergences
    Regressions,
    /// Counterexamples of the errata
    Errata,
    /// Hand-written cases
    Goldens,
    /// Random cases, every subject against the model
    Lockstep,
    /// Random cases, runs against runs
    Metamorphic,
    /// The tool `search_files`: random cases against the model, with an index and without, runs
    /// against runs, every budget, windows of lines
    SearchFiles,
    /// The agent's tools: random cases against the model, with an index and without, pages, runs
    /// against runs
    AgentTools,
    /// `keyword_search`: random cases against the model and a scripted language model, without an
    /// index and with one
    Keyword,
    /// The index's pure half, model against production, exhaustively where that is possible
    IndexModel,
    /// The index at work: real files, store and watcher through random lives, model and steps after
    /// every search
    Index,
    /// The same with processes that are killed at every point, and stores that are damaged
    IndexCrash,
}

impl Suite {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Suite::Regressions => "regressions",
            Suite::Errata => "errata",
            Suite::Goldens => "goldens",
            Suite::Lockstep => "lockstep",
            Suite::Metamorphic => "metamorphic",
            Suite::SearchFiles => "search-files",
            Suite::AgentTools => "agent-tools",
            Suite::Keyword => "keyword",
            Suite::IndexModel => "index-model",
            Suite::Index => "index",
            Suite::IndexCrash => "index-crash",
        }
    }

    /// Whether it drives cases past subjects. The others generate their own comparisons and need no
    /// subject.
    pub fn drives_cases(self) -> bool {
        !matches!(self, Suite::IndexModel | Suite::Index | Suite::IndexCrash)
    }

    /// The directories of its cases, below `golden/`; none if its cases are drawn.
    pub(super) fn directories(self) -> &'static [&'static str] {
        match self {
            Suite::Regressions => &["regressions"],
            Suite::Errata => &["errata"],
            Suite::Goldens => &["search", "search_files", "agent_tools", "keyword"],
            _ => &[],
        }
    }
}

/// What to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The subjects.
    pub subjects: Vec<SubjectSpec>,
    /// How they were found, and which were not, for the report.
    pub lines: Vec<SubjectLine>,
    /// The suites.
    pub suites: Vec<Suite>,
    pub limit: Limit,
    /// Whether the limit was requested. Lives of an index take longer than cases, and are fewer by
    /// default.
    pub asked: bool,
    pub seed: u64,
    pub threads: usize,
    pub finding_options: FindingOptions,
    /// The directory for records; `None` writes none.
    pub results: Option<PathBuf>,
}

/// Receives progress.
pub trait Progress: Sync {
    /// A suite begins; `cases` is its number of cases, if known.
    fn begin(&self, suite: Suite, cases: Option<u64>);
    /// Number of finished cases.
    fn advance(&self, done: u64);
    /// Failures are being shrunk.
    fn shrinking(&self, failures: usize);
    /// The suite is over.
    fn end(&self, report: &SuiteReport);
}

/// Indices of judges whose subject has no simulated bug.
pub(super) fn sound(judges: &[&dyn Judge]) -> Vec<usize> {
    (0..)
        .zip(judges)
        .filter(|(_, judge)| judge.subjects().iter().all(|subject| subject.sabotage.is_none()))
        .map(|(index, _)| index)
        .collect()
}
