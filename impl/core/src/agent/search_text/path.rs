//! What a file's path says of a term (docs/agent-tools.md, section 6).

use super::query::Term;
use crate::identifier::{Coverage, Extent, identifiers, occurs, parts, word_character};

/// Units of a base name whose stem is the term, or made of words of the query.
pub(super) const STEM: u64 = 8;

/// What a file counts whose path has one of these words, or ends in a dot and one of these
/// endings: there definitions stand that are seldom meant.
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

/// How much a file counts by its path below the search root, in hundredths. What a term asks for
/// counts in full.
pub(in crate::agent) fn hundredths<'t>(
    walked: &[u8],
    terms: impl Iterator<Item = &'t Term>,
) -> u64 {
    let path = String::from_utf8_lossy(walked).to_ascii_lowercase();
    let original = String::from_utf8_lossy(walked);
    let name = path.rsplit('/').next().unwrap_or(&path);
    let ends_in = |ending: &&str| name.strip_suffix(ending).is_some_and(|rest| rest.ends_with('.'));
    let asked: Vec<String> = terms
        .filter_map(|term| match term {
            Term::Word { parts, spelled } => {
                Some(parts.iter().cloned().chain([spelled.to_ascii_lowercase()]))
            }
            Term::Literal(_) => None,
        })
        .flatten()
        .collect();
    let has = |word: &str| {
        // Most paths hold none of the words.
        path.contains(word)
            && identifiers(&original).any(|identifier| {
                identifier.eq_ignore_ascii_case(word)
                    || parts(identifier).iter().any(|part| part.text.eq_ignore_ascii_case(word))
            })
    };
    let counts = |place: &&Place| {
        place.endings.iter().any(ends_in)
            || (place.words.iter().any(|word| has(word))
                && !place.words.iter().any(|word| asked.iter().any(|asked| asked == word)))
    };
    PLACES.iter().filter(counts).map(|place| place.hundredths).min().unwrap_or(100)
}

/// Units of a path below the search root.
pub(super) fn units(term: &Term, path: &str, coverage: &Coverage) -> u64 {
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    match term {
        Term::Literal(text) => {
            let holds = |place: &str| place.to_ascii_lowercase().contains(text.as_str());
            match (holds(name), holds(path)) {
                (true, _) => 4,
                (_, true) => 2,
                _ => 0,
            }
        }
        Term::Word { parts: word, .. } => {
            let stem = name
                .rfind('.')
                .filter(|dot| *dot > 0)
                .map_or(name, |dot| name.get(..dot).unwrap_or(name));
            let is_stem = stem.chars().all(word_character)
                && occurs(word, stem).is_some_and(|extent| {
                    extent == Extent::Whole || coverage.eighths(stem).is_some()
                });
            let within = |place: &str| {
                identifiers(place).any(|identifier| occurs(word, identifier).is_some())
            };
            match () {
                () if is_stem => STEM,
                () if within(name) => 4,
                () if within(directories) => 2,
                () => 0,
            }
        }
    }
}
