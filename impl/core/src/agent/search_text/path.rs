//! What a file's path says of a term (docs/agent-tools.md, section 6).

use super::{
    identifier::{Extent, identifiers, occurs, word_character},
    query::Term,
};

/// Units of a path below the search root.
pub fn units(term: &Term, path: &str) -> u64 {
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
        Term::Word(word) => {
            let stem =
                name.rfind('.').filter(|dot| *dot > 0).map_or(name, |dot| name.get(..dot).unwrap_or(name));
            let is_whole = stem.chars().all(word_character) && occurs(word, stem) == Some(Extent::Whole);
            let within =
                |place: &str| identifiers(place).any(|identifier| occurs(word, identifier).is_some());
            match () {
                () if is_whole => 8,
                () if within(name) => 4,
                () if within(directories) => 2,
                () => 0,
            }
        }
    }
}
