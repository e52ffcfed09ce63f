//! The index at work (docs/index-service.md): what the service and its callers see of it.

use forge_search_core::index::machine::{Status, Step, Triggers};

mod alone;
mod apply;
mod build;
mod cache;
mod catalog;
mod changes;
mod control;
mod depth;
mod disabled;
mod drain;
mod enumerate;
mod face;
mod fault;
mod files;
mod gate;
mod ground;
mod indexer;
mod inspect;
mod key;
mod look;
mod merging;
mod objects;
mod opening;
mod options;
mod proof;
mod root_index;
mod scan;
mod schedule;
mod segment;
mod spill;
mod storage;
mod store;
mod tokenize;
mod tree;
mod upkeep;
mod wanted;
mod watch;

pub(crate) use face::Indexes;
use face::stats;
#[cfg(feature = "sabotage")]
pub use fault::Shortcut;
pub use fault::{Faults, NoFaults, Point};
pub(crate) use files::Held;
use gate::Bypass;
pub use options::{Clock, IndexCheck, IndexOptions, IndexStatus, IndexUse, SystemClock};
pub(crate) use proof::{Proof, of_file_system};
pub(crate) use wanted::{Indexed, Wanted, Wants};

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
