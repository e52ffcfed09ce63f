//! The index at work (docs/index-service.md): what the service and its callers see of it.

use forge_search_core::index::machine::{Status, Step, Triggers};

mod apply;
mod build;
mod cache;
mod catalog;
mod changes;
mod control;
mod coverage;
mod depth;
mod disabled;
mod drain;
mod enumerate;
mod fault;
mod fingerprint;
mod gate;
mod indexer;
mod indexes;
mod inputs;
mod inspect;
mod key;
mod linked_files;
mod maintenance;
mod merging;
mod opening;
mod operations;
mod options;
mod query;
mod root_index;
mod scan;
mod schedule;
mod search;
mod segment;
mod spill;
mod storage;
mod store;
mod stored_directories;
mod tokenize;
mod verification;
mod watch;
mod words;

pub use crate::index_status::IndexStatus;
#[cfg(feature = "sabotage")]
pub use fault::Sabotage;
pub use fault::{Faults, NoFaults, Point};
use gate::Bypass;
pub(crate) use indexes::Indexes;
use indexes::stats;
pub(crate) use operations::cache_directory;
pub use options::{Clock, IndexCheck, IndexOptions, IndexUse, SystemClock};
pub(crate) use query::{IndexAnswer, IndexQuery, QueryNeed, WordQuery};
pub(crate) use search::SearchGuard;
pub(crate) use words::KnownFiles;

/// One step of one index's state machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The status before it.
    pub before: Status,
    /// What happened.
    pub triggers: Triggers,
    /// What came of it.
    pub step: Step,
}

#[cfg(test)]
mod tests;
