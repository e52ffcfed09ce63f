//! What a file counts by its path (docs/agent-tools.md, section 6): among tests, examples,
//! documents and generated files stand definitions that are seldom meant.
//!
//! Invariant: the places of a path are those of its words and endings, whatever pairs say.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::{
    path::{Pairs, pairs},
    query::Term,
};
use crate::identifier::{identifiers, parts};

/// What a file counts whose path has one of these words, or ends in a dot and one of these
/// endings.
struct Place {
    words: &'static [&'static str],
    endings: &'static [&'static str],
    hundredths: u64,
}

const PLACES: [Place; 4] = [
    Place {
        words: &[
            "test",
            "tests",
            "testing",
            "testdata",
            "spec",
            "specs",
            "fixture",
            "fixtures",
            "selftest",
            "selftests",
            "mock",
            "mocks",
        ],
        endings: &[],
        hundredths: 50,
    },
    Place {
        words: &[
            "example",
            "examples",
            "sample",
            "samples",
            "demo",
            "doc",
            "docs",
            "documentation",
            "benchmark",
            "benchmarks",
            "bench",
            "benches",
            "vendor",
            "vendored",
            "third_party",
            "thirdparty",
            "node_modules",
            "dist",
            "generated",
            "min",
        ],
        endings: &[],
        hundredths: 60,
    },
    Place {
        words: &[],
        endings: &["d.ts", "d.cts", "d.mts", "min.js", "min.mjs", "min.cjs"],
        hundredths: 60,
    },
    Place {
        words: &[],
        endings: &[
            "md", "markdown", "rst", "adoc", "txt", "html", "htm", "css", "svg", "json", "yaml",
            "yml", "toml", "xml", "csv", "tsv", "lock", "log", "po",
        ],
        hundredths: 60,
    },
];

/// The words of places, with the pairs of characters they have.
static WORDS: LazyLock<Vec<(Pairs, Finder<'_>)>> = LazyLock::new(|| {
    let words = PLACES.iter().flat_map(|place| place.words);
    words.map(|word| (pairs(word.as_bytes()), Finder::new(word))).collect()
});

/// The places that words speak of.
pub(super) type Spoken = [bool; PLACES.len()];

/// The places one of whose words stands in a path or a part of one, which is this when folded, with
/// these pairs. Most have none.
pub(super) fn spoken(walked: &[u8], folded: &[u8], pairs: Pairs) -> Spoken {
    let may_have = |(of_word, word): &(Pairs, Finder<'_>)| {
        of_word & !pairs == 0 && word.find(folded).is_some()
    };
    if WORDS.iter().any(may_have) {
        with_words(&String::from_utf8_lossy(walked))
    } else {
        Spoken::default()
    }
}

/// The places as one query sees them: those that it asks for by a word count in full.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::agent) struct Places {
    asked: Spoken,
}

impl Places {
    /// The places as a query of these terms sees them.
    pub(in crate::agent) fn of<'t>(terms: impl Iterator<Item = &'t Term>) -> Self {
        let mut places = Self::default();
        for word in terms.filter_map(Term::word) {
            let spelled = word.spelled.to_ascii_lowercase();
            let is_asked =
                |one: &&str| *one == spelled || word.parts.iter().any(|part| part == one);
            for (asked, place) in places.asked.iter_mut().zip(&PLACES) {
                *asked |= place.words.iter().any(is_asked);
            }
        }
        places
    }

    /// How much a file counts of whose path this is spoken, and whose folded base name this is, in
    /// hundredths.
    pub(super) fn hundredths(self, spoken: Spoken, name: &[u8]) -> u64 {
        let ends = |place: &Place| place.endings.iter().any(|ending| ends_in(name, ending));
        let each = PLACES.iter().zip(spoken).zip(self.asked);
        let counted = each.filter(|((place, has), asked)| ends(place) || (*has && !asked));
        counted.map(|((place, _), _)| place.hundredths).min().unwrap_or(100)
    }
}

/// The places one of whose words is an identifier of a path, or a part of one.
fn with_words(path: &str) -> Spoken {
    let mut has = Spoken::default();
    let mut look = |text: &str| {
        for (has, place) in has.iter_mut().zip(&PLACES) {
            *has = *has || place.words.iter().any(|word| text.eq_ignore_ascii_case(word));
        }
    };
    for identifier in identifiers(path) {
        look(identifier);
        for part in parts(identifier) {
            look(part.text);
        }
    }
    has
}

/// Whether a folded name ends in a dot and this.
fn ends_in(name: &[u8], ending: &str) -> bool {
    // Most names differ in the last byte.
    name.last() == ending.as_bytes().last()
        && name.strip_suffix(ending.as_bytes()).is_some_and(|rest| rest.ends_with(b"."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::search_text::path::PathReader;

    fn hundredths(path: &str, query: &str) -> u64 {
        let terms = crate::agent::search_text::terms(query).unwrap();
        let mut reader = PathReader::default();
        reader.read(path.as_bytes());
        Places::of(terms.iter()).hundredths(reader.spoken, reader.name())
    }

    #[test]
    fn a_path_counts_less_by_each_word_and_each_ending_unless_the_query_asks() {
        for place in &PLACES {
            for word in place.words {
                let (whole, part) = (format!("src/{word}/a.rs"), format!("a/x_{word}2.c"));
                assert_eq!(hundredths(&whole.to_uppercase(), "x"), place.hundredths, "{whole}");
                assert_eq!(hundredths(&whole, &format!("X {word}")), 100, "{whole}");
                // `third_party` is of two parts.
                let of_part = if word.contains('_') { 100 } else { place.hundredths };
                assert_eq!(hundredths(&part, "x"), of_part, "{part}");
                assert_eq!(hundredths(&format!("src/{word}er/a{word}.rs"), "x"), 100);
            }
            for ending in place.endings {
                let path = format!("a/b.{}", ending.to_uppercase());
                assert_eq!(hundredths(&path, ending.rsplit('.').next().unwrap()), place.hundredths);
                assert_eq!(hundredths(&format!("a/b{ending}.rs"), "x"), 100);
            }
        }
    }
}
