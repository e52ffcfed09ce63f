//! Backends: who proposes lines (D4, D10, FR-LS-EXE-01).
//!
//! `native` looks at text in process with ripgrep's library crates. `external` runs ripgrep or
//! ugrep over a chunk of files; what is particular to either stands in `ripgrep` and `ugrep`
//! alone. Proposals may be too many, never too few; confirming them is the caller's.

#[cfg(feature = "backends")]
mod external;
#[cfg(feature = "backends")]
mod frames;
mod native;
#[cfg(feature = "backends")]
mod ripgrep;
#[cfg(feature = "backends")]
mod select;
#[cfg(not(feature = "backends"))]
#[path = "select_off.rs"]
mod select;
#[cfg(feature = "backends")]
mod ugrep;

use forge_search_core::pattern::Pattern;

#[cfg(feature = "backends")]
pub(crate) use external::{Chunk, External, Failure, Lines, Proposals};
pub(crate) use native::NativeProposer;
pub(crate) use select::{select, select_for_files};

/// Bytes of one argument; Linux allows 128 KiB.
const EXPRESSION_BYTES: usize = if cfg!(target_os = "linux") { 120 << 10 } else { 16 << 10 };

/// What programs are asked for. One that no argument can carry says nothing: every file is then
/// looked through in process.
pub(crate) fn expression(pattern: &Pattern) -> String {
    let expression = pattern.portable_expression();
    if expression.len() > EXPRESSION_BYTES { String::new() } else { expression }
}

/// The backend of a service.
#[derive(Clone, Debug)]
pub(crate) enum Backend {
    /// Embedded.
    Native,
    /// A program.
    #[cfg(feature = "backends")]
    External(External),
}

impl Backend {
    /// Whether it is a program.
    pub(crate) fn is_external(&self) -> bool {
        !matches!(self, Self::Native)
    }

    /// As `stats` show it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Native => "native",
            #[cfg(feature = "backends")]
            Self::External(external) => external.dialect.name,
        }
    }
}

#[cfg(test)]
mod tests {
    use forge_search_core::pattern::{CaseMode, Sought};

    use super::*;

    #[test]
    fn an_expression_that_no_argument_can_carry_is_not_one() {
        // Each of these letters is written as all that are equal to it.
        let expression = |letters: usize| {
            let pattern = format!("(?i){}", "k".repeat(letters));
            let case = CaseMode::Sensitive;
            let sought =
                Sought { pattern: &pattern, literal: false, case, word: false, fuzzy: None };
            let pattern = Pattern::compile(sought).unwrap();
            (pattern.portable_expression().len(), expression(&pattern).len())
        };
        let letter = expression(2).0 - expression(1).0;
        let most = (EXPRESSION_BYTES - expression(1).0) / letter;
        let (carried, said) = expression(most);
        assert!(carried > EXPRESSION_BYTES - 2 * letter && said == carried, "{carried} {said}");
        let (too_long, said) = expression(most + 2);
        assert!(too_long > EXPRESSION_BYTES && most + 2 < 16_380 && said == 0, "{too_long} {said}");
    }
}
