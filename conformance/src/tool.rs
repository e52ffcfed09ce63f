//! The tools of the service, each as the harness treats it.
//!
//! Responsible for: [`Tool`], which is everything that differs by tool between drawing a case and
//! judging it; [`Family`], the tools that share one form of request and answer. Not here: the way
//! of a case, which is the same for all of them: drawing ([`crate::generate`]), asking the model
//! ([`crate::expected`]), running ([`crate::runner`]), comparing ([`crate::compare`]), shrinking
//! ([`crate::shrink`]), counting ([`crate::report`], [`crate::gate::clauses`]). Invariants: nobody
//! else tells tools apart, but for checks that one of them alone has.

use proptest::strategy::BoxedStrategy;

use forge_search_engine::Service;

use crate::case::{Case, Tables};
use crate::compare::{FieldDiff, Outcome};
use crate::expected::Expected;
use crate::generate::coverage::Traps;
use crate::observation::{Broken, Observation};
use crate::report::Group;

pub mod agent;
pub mod files;
pub mod keyword;
pub mod search;

/// What differs by tool.
pub trait Tool: Sync {
    /// Random cases. Their ids are empty.
    fn cases(&self) -> BoxedStrategy<Case>;

    /// What the model answers to a case by these tables, the sandbox root lying at `root`.
    ///
    /// # Errors
    /// That the specification has no such preset.
    fn ask_model(&self, case: &Case, tables: Tables, root: &str) -> Result<Expected, String>;

    /// Calls the service once, the sandbox root lying at `root`.
    ///
    /// # Errors
    /// [`Broken::Garbled`] for an answer that is no JSON.
    fn ask_service(&self, case: &Case, service: Service, root: &str)
    -> Result<Observation, Broken>;

    /// What can go wrong with a case, but for what its tree and the answer to it hold.
    fn traps(&self, case: &Case, outcome: &Outcome) -> Traps;

    /// The group of clauses that a differing field of an answer belongs to.
    fn group(&self, case: &Case, difference: &FieldDiff) -> Group;
}

/// Tools that share one form of request and answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// `Search` of document 000, under any name.
    Search,
    /// `search_files` of document 001.
    Files,
    /// The agent's tools of document 004.
    Agent,
    /// `keyword_search` of document 002.
    Keyword,
}

impl Family {
    pub const ALL: [Self; 4] = [Self::Search, Self::Files, Self::Agent, Self::Keyword];

    /// The family of a tool; that of `Search` for names that no tool has.
    pub fn of(tool: &str) -> Self {
        match tool {
            crate::case::FILES_TOOL => Self::Files,
            crate::case::KEYWORD_TOOL => Self::Keyword,
            name if crate::case::AGENT_TOOLS.contains(&name) => Self::Agent,
            _ => Self::Search,
        }
    }

    /// How the harness treats it.
    pub fn tool(self) -> &'static dyn Tool {
        match self {
            Self::Search => &search::Search,
            Self::Files => &files::SearchFiles,
            Self::Agent => &agent::AgentTools,
            Self::Keyword => &keyword::KeywordSearch,
        }
    }
}
