//! What a file's path says of a term (docs/agent-tools.md, section 6).

use memchr::{memmem, memrchr};

use super::query::Term;
use crate::identifier::{Coverage, Extent, identifiers, occurs, word_character};

/// Units of a base name whose stem is the term, or made of words of the query.
pub(in crate::agent) const STEM: u32 = 8;
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
            let stem = stem_of(name);
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

/// The base name of a path.
pub(super) fn name_of(path: &[u8]) -> &[u8] {
    memrchr(b'/', path).and_then(|slash| path.get(slash + 1..)).unwrap_or(path)
}

/// A base name without its extension.
pub(super) fn stem_of(name: &str) -> &str {
    let dot = name.rfind('.').filter(|dot| *dot > 0);
    dot.and_then(|dot| name.get(..dot)).unwrap_or(name)
}

/// A term of a query of which a file has to hold one term only: paths are often named in another
/// form than what they are about.
#[derive(Clone, Debug)]
pub(super) struct Loose {
    characters: memmem::Finder<'static>,
    /// Its letters and digits.
    key: String,
}

impl Loose {
    pub(super) fn new(term: &Term) -> Self {
        let characters = match term {
            Term::Word { spelled, .. } => spelled.to_ascii_lowercase(),
            Term::Literal(text) => text.clone(),
        };
        let key = characters.chars().filter(|c| c.is_alphanumeric()).collect();
        Self { characters: memmem::Finder::new(&characters).into_owned(), key }
    }

    /// Units of a folded path with this stem: those of a stem whose letters and digits are the
    /// term's, also in the plural, or of a directory where its characters stand, be it in the middle
    /// of a word.
    pub(super) fn units(&self, folded: &[u8], stem: &str) -> u32 {
        match () {
            () if self.is_stem(stem) => STEM,
            () if self.characters.find(folded).is_some() => DIRECTORY,
            () => 0,
        }
    }

    fn is_stem(&self, stem: &str) -> bool {
        let stem = stem.chars().filter(|c| c.is_alphanumeric());
        // Most begin otherwise.
        if self.key.is_empty() || stem.clone().next() != self.key.chars().next() {
            return false;
        }
        let stem: String = stem.collect();
        stem == self.key || singular(&stem) == self.key
    }
}

/// A folded word without a plural ending.
pub(in crate::agent) fn singular(word: &str) -> String {
    let kept = ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    match (word.strip_suffix("ies"), word.strip_suffix('s')) {
        (Some(stem), _) if word.len() > 4 => format!("{stem}y"),
        (_, Some(stem)) if word.len() > 3 && !kept => stem.to_owned(),
        _ => word.to_owned(),
    }
}
