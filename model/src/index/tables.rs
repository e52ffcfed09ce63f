//! The types of the index's tables: states, reasons, triggers with rows, actions, duties, and
//! figures of tokenizer and filter. The values are generated into [`crate::generated::index`] from
//! `spec/index/`.
//!
//! Everything is borrowed, so that a changed table can be built in memory from the generated one
//! and run without compiling anything.

mod figures;
mod machine;

pub use figures::*;
pub use machine::*;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndexTables<'a> {
    /// The state machine (sections 4 to 7 of `docs/claims.md`).
    pub machine: MachineTables<'a>,
    /// The tokenizer (section 1).
    pub text: TextTables<'a>,
    /// The filter (section 2).
    pub filter: FilterTables,
    /// The exclusion of literals (section 3).
    pub exclusion: ExclusionTables<'a>,
    /// Decisions with time as a parameter (section 8).
    pub decisions: DecisionTables<'a>,
}
