//! The suites `index` and `index-crash`: which lives are played, and what a whole run must cover.
//!
//! Not here: one life ([`crate::index_live`]), the processes that play it ([`crate::runner`]).

mod crash;
mod lives;

pub use crash::{Kill, KillReport, campaign};
pub use lives::{Extent, Lives, Wrong, run};
