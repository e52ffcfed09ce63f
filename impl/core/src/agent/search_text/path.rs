//! What a file's path says of a term (docs/agent-tools.md, section 6).

use super::query::Term;
use crate::identifier::{Coverage, Extent, identifiers, occurs, word_character};

/// Units of a base name whose stem is the term, or made of words of the query.
pub(super) const STEM: u32 = 8;
/// Units of a base name in which the term occurs, and of directories.
pub(super) const BASE: u32 = 4;
pub(super) const DIRECTORY: u32 = 2;

/// Units of a path below the search root.
pub(super) fn units(term: &Term, path: &str, coverage: &Coverage) -> u32 {
    let (directories, name) = path.rsplit_once('/').unwrap_or(("", path));
    match term {
        Term::Literal(text) => {
            let holds = |place: &str| place.to_ascii_lowercase().contains(text.as_str());
            match (holds(name), holds(path)) {
                (true, _) => BASE,
                (_, true) => DIRECTORY,
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
                () if within(name) => BASE,
                () if within(directories) => DIRECTORY,
                () => 0,
            }
        }
    }
}
