//! Backends: who proposes lines (D4, D10, FR-LS-EXE-01).
//!
//! [`native`] looks at text in process with ripgrep's library crates. [`external`] runs ripgrep or ugrep over a chunk
//! of files; what is particular to either stands in [`ripgrep`] and [`ugrep`] alone. Proposals may be too many, never
//! too few; confirming them is the caller's.

mod external;
mod frames;
mod native;
mod ripgrep;
mod select;
mod ugrep;

pub(crate) use external::{Chunk, External, Failure, Lines, Proposals};
pub(crate) use native::NativeProposer;
pub(crate) use select::select;

/// The backend of a service.
#[derive(Clone, Debug)]
pub(crate) enum Backend {
    /// Embedded.
    Native,
    /// A program.
    External(External),
}

impl Backend {
    /// As `stats` show it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::External(external) => external.dialect.name,
        }
    }
}
