//! Occurrences of a term in a line or a path, and their units (section 6, Occurrences and Weights).
//!
//! A byte of invalid UTF-8 is no character of a term.

use std::ops::Range;

use super::identifier::{self, Part, WordMatch, identifiers};
use super::query::Term;
use crate::place::Name;
use crate::tables::agent::{AgentLimits, AgentTables};

/// A text as characters; `None` for each U+FFFD that is shown for invalid bytes.
pub(super) fn characters(bytes: &[u8]) -> Vec<Option<char>> {
    let mut characters = Vec::new();
    for chunk in bytes.utf8_chunks() {
        characters.extend(chunk.valid().chars().map(Some));
        if !chunk.invalid().is_empty() {
            characters.push(None);
        }
    }
    characters
}

/// The length of characters as shown, in bytes.
pub(super) fn bytes(characters: &[Option<char>]) -> usize {
    characters.iter().map(|one| one.unwrap_or(char::REPLACEMENT_CHARACTER).len_utf8()).sum()
}

/// A term at one place of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Occurrence {
    /// The first character; for a word, that of its identifier.
    pub(super) start: usize,
    pub(super) units: u64,
    /// Strength of the definition there, in eighths.
    pub(super) strength: u64,
}

/// The occurrences of a query's term in a line. `level` gives the level of an identifier's
/// definition.
pub(super) fn in_line(
    term: &Term,
    query: &[Term],
    line: &[Option<char>],
    tables: &AgentTables,
    level: impl Fn(&Range<usize>) -> u64,
) -> Vec<Occurrence> {
    let (limits, definitions) = (&tables.limits, &tables.definitions);
    match term {
        Term::Word { spelled, .. } => identifiers(line)
            .into_iter()
            .filter_map(|place| {
                let identifier = line.get(place.clone())?;
                let how = in_identifier(term, identifier)?;
                let is_exact = identifier.iter().copied().eq(spelled.chars().map(Some));
                let (units, eighths) = match how {
                    WordMatch::Whole if is_exact => (limits.units_whole, definitions.exact),
                    WordMatch::Whole => (limits.units_whole, definitions.whole),
                    WordMatch::Some => (limits.units_part, definitions.part),
                };
                let eighths = match covering(query, identifier) {
                    0 | 1 => eighths,
                    words => definitions.exact * words * words,
                };
                Some(Occurrence { start: place.start, units, strength: eighths * level(&place) })
            })
            .collect(),
        Term::Literal(literal) => {
            let found = literal_starts(literal, line).into_iter();
            found
                .map(|start| Occurrence { start, units: limits.units_literal, strength: 0 })
                .collect()
        }
    }
}

/// The number of words of a query that match an identifier; 0 if a part of it belongs to no word.
fn covering(query: &[Term], identifier: &[Option<char>]) -> u64 {
    let letters: Vec<char> = identifier.iter().copied().flatten().collect();
    let of_a_word = |own: &Part| {
        query.iter().any(|term| match term {
            Term::Word { parts, .. } => parts.iter().any(|part| part.text == own.text),
            Term::Literal(_) => false,
        })
    };
    if !identifier::parts(&letters).iter().all(of_a_word) {
        return 0;
    }
    let words = query.iter().filter(|term| in_identifier(term, identifier).is_some()).count();
    u64::try_from(words).unwrap_or(u64::MAX)
}

/// How a term matches the identifier that these characters are. A literal does not.
pub(super) fn in_identifier(term: &Term, identifier: &[Option<char>]) -> Option<WordMatch> {
    let Term::Word { parts, .. } = term else { return None };
    let characters: Vec<char> = identifier.iter().copied().flatten().collect();
    identifier::occurs(parts, &identifier::parts(&characters))
}

/// The starts of a literal, from left to right, without overlap.
fn literal_starts(literal: &str, line: &[Option<char>]) -> Vec<usize> {
    let sought: Vec<Option<char>> = literal.chars().map(Some).collect();
    let folded: Vec<Option<char>> =
        line.iter().map(|one| one.map(|one| one.to_ascii_lowercase())).collect();
    let mut starts = Vec::new();
    let mut from = 0;
    while let Some(start) = (from..folded.len())
        .find(|at| folded.get(*at..).is_some_and(|rest| rest.starts_with(&sought)))
    {
        starts.push(start);
        from = start + sought.len();
    }
    starts
}

/// The units of a term in a path below the search root.
pub(super) fn in_path(
    term: &Term,
    query: &[Term],
    below_root: &[Name],
    limits: &AgentLimits,
) -> u64 {
    let Some((base, directories)) = below_root.split_last() else { return 0 };
    let path = characters(&crate::place::join(below_root));
    let (base, rest) = (characters(base), characters(&crate::place::join(directories)));
    match term {
        Term::Literal(literal) if !literal_starts(literal, &base).is_empty() => limits.units_base,
        Term::Literal(literal) if !literal_starts(literal, &path).is_empty() => limits.units_path,
        Term::Literal(_) => 0,
        Term::Word { .. } => {
            let occurs = |text: &[Option<char>]| {
                let mut places = identifiers(text).into_iter().filter_map(|place| text.get(place));
                places.any(|identifier| in_identifier(term, identifier).is_some())
            };
            let stem = stem(&base);
            let is_identifier = identifiers(stem).first() == Some(&(0..stem.len()));
            let is_stem = match in_identifier(term, stem) {
                Some(WordMatch::Whole) => true,
                Some(WordMatch::Some) => covering(query, stem) > 1,
                None => false,
            };
            if is_identifier && is_stem {
                limits.units_stem
            } else if occurs(&base) {
                limits.units_base
            } else if occurs(&rest) {
                limits.units_path
            } else {
                0
            }
        }
    }
}

/// A base name without its extension; a leading dot starts no extension.
fn stem(base: &[Option<char>]) -> &[Option<char>] {
    let dot = base.iter().rposition(|one| *one == Some('.')).filter(|dot| *dot > 0);
    dot.and_then(|dot| base.get(..dot)).unwrap_or(base)
}

#[cfg(test)]
mod tests;
