//! The parts of the harness that differ by tool.
//!
//! Responsible for: [`Tool`], from drawing a case to judging it. Not here: what is the same for all
//! tools: drawing ([`crate::generate`]), the model's answer ([`crate::expected`]), running
//! ([`crate::runner`]), comparing ([`crate::compare`]), shrinking ([`crate::shrink`]), counting
//! ([`crate::report`], [`crate::gate::clauses`]). Invariants: other modules do not distinguish
//! tools, except for checks of a single one.

use proptest::strategy::BoxedStrategy;

use forge_search_engine::Service;

use crate::case::{Case, Tables};
use crate::compare::{FieldDiff, Outcome};
use crate::expected::Expected;
pub use crate::family::Family;
use crate::generate::coverage::Traps;
use crate::observation::{Broken, Observation};
use crate::report::Group;

pub mod agent;
pub mod files;
pub mod keyword;
pub mod search;

/// The parts of the harness that differ by tool.
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

    /// The traps of a case, apart from those of its tree and its answer.
    fn traps(&self, case: &Case, outcome: &Outcome) -> Traps;

    /// The group of clauses that a differing field of an answer belongs to.
    fn group(&self, case: &Case, difference: &FieldDiff) -> Group;
}

impl Family {
    /// Its part of the harness.
    pub fn tool(self) -> &'static dyn Tool {
        match self {
            Self::Search => &search::Search,
            Self::Files => &files::SearchFiles,
            Self::Agent => &agent::AgentTools,
            Self::Keyword => &keyword::KeywordSearch,
        }
    }
}
