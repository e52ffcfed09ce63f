//! The shape of the tables the index's model reads its facts from.
//!
//! Responsible for: plain data types for what `spec/index/` states: states, reasons, triggers with
//! their rows, actions, duties, and the figures
//! of tokenizer and filter. The values are generated into [`crate::generated::index`].
//! Left to neighbours: what any of it means (`machine`, `tokens`, `filter`, `exclusion`).
//! Invariants: no behaviour beyond look-ups. Everything is borrowed, so a changed table can be
//! built in memory from the generated one and
//! run without compiling anything.

mod figures;
mod machine;

pub use figures::*;
pub use machine::*;

/// Everything `spec/index/` states that a program can run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IndexTables<'a> {
    /// The state machine (sections 4 to 7 of `docs/index.md`).
    pub machine: MachineTables<'a>,
    /// The tokenizer (section 1).
    pub text: TextTables<'a>,
    /// The filter (section 2).
    pub filter: FilterTables,
    /// The exclusion of literals (section 3).
    pub exclusion: ExclusionTables<'a>,
    /// Decisions with time passed in (section 8).
    pub decisions: DecisionTables<'a>,
}
