//! What a file's path says of a term (docs/agent-tools.md, section 6).

use memchr::{memmem, memrchr};

use super::{
    places::{self, Spoken},
    query::Term,
};
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

/// A base name without its extension.
fn stem_of(name: &str) -> &str {
    let dot = name.rfind('.').filter(|dot| *dot > 0);
    dot.and_then(|dot| name.get(..dot)).unwrap_or(name)
}

/// A term of a query of which a file has to hold one term only: paths are often named in another
/// form than what they are about.
#[derive(Clone, Debug)]
pub(super) struct Loose {
    characters: memmem::Finder<'static>,
    pairs: Pairs,
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
        let pairs = pairs(characters.as_bytes());
        Self { characters: memmem::Finder::new(&characters).into_owned(), pairs, key }
    }

    /// Units of a path: those of a stem whose letters and digits are the term's, also in the
    /// plural, or of a directory where its characters stand, be it in the middle of a word.
    pub(super) fn units(&self, path: &PathReader) -> u32 {
        let may_hold = self.pairs & !path.pairs == 0;
        match () {
            () if path.has_stem(&self.key) => STEM,
            () if may_hold && self.characters.find(&path.folded).is_some() => DIRECTORY,
            () => 0,
        }
    }
}

/// Which pairs of neighbouring characters there may be, of 64 kinds.
pub(super) type Pairs = u64;

/// The pairs of a folded text.
pub(super) fn pairs(text: &[u8]) -> Pairs {
    let kind = |(one, next): (&u8, &u8)| (one.wrapping_mul(7) ^ next.wrapping_mul(29)) % 64;
    text.iter().zip(text.iter().skip(1)).map(kind).fold(0, |pairs, kind| pairs | 1 << kind)
}

/// What a path says whatever is asked. Most lie in the directory of the one before, of which all is
/// known.
#[derive(Clone, Debug, Default)]
pub(super) struct PathReader {
    pub(super) folded: Vec<u8>,
    pub(super) spoken: Spoken,
    pairs: Pairs,
    directory: Directory,
}

/// A directory, with its slash.
#[derive(Clone, Debug, Default)]
struct Directory {
    walked: Vec<u8>,
    spoken: Spoken,
    pairs: Pairs,
}

impl PathReader {
    /// Reads a path below the search root.
    pub(super) fn read(&mut self, walked: &[u8]) {
        let slash = memrchr(b'/', walked);
        let (directory, name) = walked.split_at(slash.map_or(0, |slash| slash + 1));
        if directory != self.directory.walked {
            self.folded.clear();
            self.folded.extend(directory.iter().map(u8::to_ascii_lowercase));
            let pairs = pairs(&self.folded);
            let spoken = places::spoken(directory, &self.folded, pairs);
            self.directory = Directory { walked: directory.to_vec(), spoken, pairs };
        }
        self.folded.truncate(directory.len());
        self.folded.extend_from_slice(name);
        self.folded.get_mut(directory.len()..).unwrap_or_default().make_ascii_lowercase();
        let of_name = pairs(self.name());
        self.spoken = places::spoken(name, self.name(), of_name);
        let before = self.directory.spoken;
        self.spoken.iter_mut().zip(before).for_each(|(here, before)| *here |= before);
        let across = self.folded.get(slash.unwrap_or(0)..).and_then(|rest| rest.get(..2));
        self.pairs = self.directory.pairs | of_name | across.map_or(0, pairs);
    }

    /// Whether the letters and digits of the stem are these, also in the plural.
    fn has_stem(&self, key: &str) -> bool {
        let name = self.name();
        // Most begin otherwise.
        if name.first().is_some_and(u8::is_ascii_alphanumeric)
            && name.first() != key.as_bytes().first()
        {
            return false;
        }
        let name = String::from_utf8_lossy(name);
        let stem: String = stem_of(&name).chars().filter(|c| c.is_alphanumeric()).collect();
        !key.is_empty() && (stem == key || singular(&stem) == key)
    }

    /// The folded base name.
    pub(super) fn name(&self) -> &[u8] {
        self.folded.get(self.directory.walked.len()..).unwrap_or_default()
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
