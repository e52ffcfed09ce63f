//! Backends propose lines (D4, D10, FR-LS-EXE-01).
//!
//! `native` searches text in process with ripgrep's library crates. `external` runs ripgrep or
//! ugrep over a chunk of files; `ripgrep` and `ugrep` hold what is particular to each. There may be
//! too many proposals, never too few. The caller confirms them.

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

use forge_search_core::collect::NATIVE;
use forge_search_core::pattern::Pattern;

#[cfg(feature = "backends")]
pub(crate) use external::{Chunk, External, Failure, Lines, Proposals};
pub(crate) use native::NativeProposer;
pub(crate) use select::{select, select_for_files};

/// Longest argument, in bytes; Linux allows 128 KiB.
const EXPRESSION_BYTES: usize = if cfg!(target_os = "linux") { 120 << 10 } else { 16 << 10 };

/// The expression given to programs. It is empty, which selects every line, if no argument can
/// carry it; each file is then scanned in process.
pub(crate) fn expression(pattern: &Pattern) -> String {
    let expression = pattern.portable_expression();
    if expression.len() > EXPRESSION_BYTES { String::new() } else { expression }
}

#[derive(Clone, Debug)]
pub(crate) enum Backend {
    /// The embedded matcher.
    Native,
    /// A program.
    #[cfg(feature = "backends")]
    External(External),
}

impl Backend {
    pub(crate) fn is_external(&self) -> bool {
        !matches!(self, Self::Native)
    }

    /// The name that `stats` shows.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Native => NATIVE,
            #[cfg(feature = "backends")]
            Self::External(external) => external.dialect.name,
        }
    }
}

#[cfg(test)]
mod tests {
    use forge_search_core::pattern::{CaseMode, PatternOptions};

    use super::*;

    #[test]
    fn an_expression_too_long_for_an_argument_is_not_offered() {
        // Each of these letters is written as the class of all letters equal to it.
        let expression = |letters: usize| {
            let pattern = format!("(?i){}", "k".repeat(letters));
            let case = CaseMode::Sensitive;
            let sought = PatternOptions {
                pattern: &pattern,
                literal: false,
                case,
                word: false,
                fuzzy: None,
                reading: forge_search_core::request::Reading::Documents,
            };
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
