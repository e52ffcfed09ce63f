//! The index at work: the real service, with a real store, real files and a real watcher, held
//! against the model after every search.
//!
//! A [`Life`] is a tree, settings and a list of acts: edits of the tree, searches, turns of the
//! indexer, restarts, things that go wrong. A worker plays it ([`play`]); after every search the
//! tree on the disk is read back and the answer has to be the model's answer for it, and that of a
//! service without index. Every step of the state machine that the service took has to be one that
//! the specification's table gives (`cells`). Not here: processes and deadlines
//! (`touchstone::runner`), the state machine's two readings ([`touchstone_index`]), telling
//! people ([`touchstone_lockstep::report`]). Invariants: what is played depends on the seed and the
//! number of the life, never on threads; a run in which nothing was excluded is a failure, for it
//! would have compared a search with itself.

#![allow(
    missing_docs,
    reason = "the harness alone builds on it, and a name often says all there is"
)]

mod acts;
pub mod cells;
mod clock;
mod contents;
mod crowd;
pub mod damage;
mod disk;
pub mod draw;
mod edit;
mod edits;
pub mod faults;
pub mod life;
mod play;
mod played;
mod sabotage;
mod scenarios;
mod searches;
mod setting;
pub mod shrink;
mod tally;
mod world;

pub use cells::Cells;
pub use draw::{draw, draw_mounted};
pub use edit::{Allocating, Copying};
pub use faults::sabotages;
pub use life::{Act, Crowd, Damage, Edit, Expected, Fault, Life, Trap, Use};
pub use play::play;
pub use played::{Played, Problem};
pub use sabotage::revealing;
pub use scenarios::{Scenario, mounted_scenarios, scenarios};
pub use tally::Tally;
