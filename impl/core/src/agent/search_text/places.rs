//! What a file counts by its path (docs/agent-tools.md, section 6): among tests, examples,
//! documents and generated files stand definitions that are seldom meant.
//!
//! Invariant: the places of a path are those of its words and endings, whatever the prefilter says.

use std::sync::LazyLock;

use regex_automata::{MatchKind, util::prefilter::Prefilter};

use super::{path::name_of, query::Term};
use crate::identifier::{identifiers, parts, stands_alone};

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

/// Finds where a word of a place may stand in a path; `None` if each is looked at.
static WORDS: LazyLock<Option<Prefilter>> = LazyLock::new(|| {
    let words: Vec<&str> = words().collect();
    Prefilter::new(MatchKind::LeftmostFirst, &words)
});

fn words() -> impl Iterator<Item = &'static str> {
    PLACES.iter().flat_map(|place| place.words).copied()
}

/// Whether a path may have a word of a place, which most have not.
fn may_have_words(walked: &[u8], folded: &[u8]) -> bool {
    let Some(prefilter) = WORDS.as_ref() else { return true };
    let mut from = 0;
    while let Some(found) = prefilter.find(folded, (from..folded.len()).into()) {
        let start = found.start;
        let here = folded.get(start..).unwrap_or_default();
        // It is the first of the words that may begin here.
        let mut begun = words().filter(|word| here.starts_with(word.as_bytes()));
        if begun.any(|word| stands_alone(walked, start, start + word.len()) != Some(false)) {
            return true;
        }
        from = start + 1;
    }
    false
}

/// The places as one query sees them: those that it asks for by a word count in full.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::agent) struct Places {
    asked: [bool; PLACES.len()],
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

    /// How much a file counts by its path below the search root, and by the same folded, in
    /// hundredths.
    pub(in crate::agent) fn hundredths(self, walked: &[u8], folded: &[u8]) -> u64 {
        let has = if may_have_words(walked, folded) {
            with_words(&String::from_utf8_lossy(walked))
        } else {
            [false; PLACES.len()]
        };
        let name = name_of(folded);
        let ends = |place: &Place| place.endings.iter().any(|ending| ends_in(name, ending));
        let each = PLACES.iter().zip(has).zip(self.asked);
        let counted = each.filter(|((place, has), asked)| ends(place) || (*has && !asked));
        counted.map(|((place, _), _)| place.hundredths).min().unwrap_or(100)
    }
}

/// The places one of whose words is an identifier of a path, or a part of one.
fn with_words(path: &str) -> [bool; PLACES.len()] {
    let mut has = [false; PLACES.len()];
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

    fn hundredths(path: &str, query: &str) -> u64 {
        let terms = crate::agent::search_text::terms(query).unwrap();
        Places::of(terms.iter()).hundredths(path.as_bytes(), path.to_ascii_lowercase().as_bytes())
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
