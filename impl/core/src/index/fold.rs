//! Case folding of single scalars (FR-LSI-TOK-04).
//!
//! `Search` folds ASCII, whatever the backend does on its own (FR-LS-SRC-04, E-A04); tools that
//! fold Unicode use the other strategy.

#[cfg(feature = "index")]
use std::{collections::BTreeMap, sync::OnceLock};

#[cfg(feature = "index")]
use icu_casemap::{CaseMapper, CaseMapperBorrowed};

/// A casefold strategy, part of an index's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// `A`–`Z`, nothing else.
    Ascii,
    /// The simple case folding of Unicode: one scalar to one, no locale.
    #[cfg(feature = "index")]
    UnicodeSimple,
}

#[cfg(feature = "index")]
const MAPPER: CaseMapperBorrowed<'static> = CaseMapper::new();

impl Fold {
    /// The name in the key.
    pub const fn name(self) -> &'static str {
        match self {
            Fold::Ascii => "ASCII",
            #[cfg(feature = "index")]
            Fold::UnicodeSimple => "UNICODE_SIMPLE",
        }
    }

    /// What a scalar is folded to.
    pub fn char(self, c: char) -> char {
        match self {
            Fold::Ascii => c.to_ascii_lowercase(),
            #[cfg(feature = "index")]
            Fold::UnicodeSimple if c.is_ascii() => c.to_ascii_lowercase(),
            #[cfg(feature = "index")]
            Fold::UnicodeSimple => MAPPER.simple_fold(c),
        }
    }

    /// The scalars that are folded to `c`, in order.
    pub fn sources(self, c: char) -> Vec<char> {
        match self {
            Fold::Ascii if c.is_ascii_lowercase() => vec![c.to_ascii_uppercase(), c],
            Fold::Ascii if c.is_ascii_uppercase() => Vec::new(),
            Fold::Ascii => vec![c],
            #[cfg(feature = "index")]
            Fold::UnicodeSimple => {
                let moved = MOVED.get_or_init(|| {
                    let mut moved: BTreeMap<char, Vec<char>> = BTreeMap::new();
                    for source in ('\0'..=char::MAX).filter(|source| self.char(*source) != *source)
                    {
                        moved.entry(self.char(source)).or_default().push(source);
                    }
                    moved
                });
                let mut sources = moved.get(&c).cloned().unwrap_or_default();
                if self.char(c) == c {
                    sources.push(c);
                    sources.sort_unstable();
                }
                sources
            }
        }
    }
}

/// What Unicode's simple folding moves, by where it goes; a pass over all scalars, made at the
/// first use.
#[cfg(feature = "index")]
static MOVED: OnceLock<BTreeMap<char, Vec<char>>> = OnceLock::new();

#[cfg(test)]
#[cfg(feature = "index")]
mod tests {
    use super::*;

    #[test]
    fn each_fold_strategy_folds_only_its_letters() {
        for (c, ascii, simple) in [
            ('A', 'a', 'a'),
            ('Z', 'z', 'z'),
            ('@', '@', '@'),
            ('[', '[', '['),
            ('Ñ', 'Ñ', 'ñ'),
            ('ſ', 'ſ', 's'),
            ('\u{212a}', '\u{212a}', 'k'),
            ('ẞ', 'ẞ', 'ß'),
            ('ς', 'ς', 'σ'),
            ('İ', 'İ', 'İ'),
            ('\u{ab70}', '\u{ab70}', '\u{13a0}'),
        ] {
            assert_eq!((Fold::Ascii.char(c), Fold::UnicodeSimple.char(c)), (ascii, simple), "{c}");
        }
    }

    #[test]
    fn the_sources_of_a_character_are_all_that_fold_to_it() {
        for fold in [Fold::Ascii, Fold::UnicodeSimple] {
            let mut all: BTreeMap<char, Vec<char>> = BTreeMap::new();
            for c in '\0'..=char::MAX {
                all.entry(fold.char(c)).or_default().push(c);
            }
            for c in '\0'..='\u{2fff}' {
                let expected = all.get(&c).cloned().unwrap_or_default();
                assert_eq!(fold.sources(c), expected, "{fold:?} {c:?}");
            }
        }
    }

    #[test]
    fn characters_that_the_matcher_folds_together_have_one_image() {
        // The matcher's own orbits; if its Unicode were newer than the fold's, this would lose
        // matches.
        for c in '\0'..=char::MAX {
            let mut orbit =
                regex_syntax::hir::ClassUnicode::new([regex_syntax::hir::ClassUnicodeRange::new(
                    c, c,
                )]);
            orbit.case_fold_simple();
            let image = Fold::UnicodeSimple.char(c);
            for other in orbit.iter().flat_map(|range| range.start()..=range.end()) {
                assert_eq!(Fold::UnicodeSimple.char(other), image, "{c:?} {other:?}");
            }
        }
    }
}
