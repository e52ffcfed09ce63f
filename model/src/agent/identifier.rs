//! Identifiers: word characters, boundaries, parts, and how a word matches an identifier (section
//! 6, Occurrences).
//!
//! Letters are compared with ASCII case folded; boundaries depend on case as written.

use std::ops::Range;

/// A part of an identifier or a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) text: String,
    /// Whether an underscore directly precedes it.
    pub(super) behind_underscore: bool,
}

/// How a word matches an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordMatch {
    /// The word is the identifier.
    Whole,
    /// The word is a run of its parts.
    Some,
}

/// Whether the character is a letter, digit or underscore.
pub(super) fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The ranges of maximal runs of word characters; invalid bytes are none.
pub(super) fn identifiers(characters: &[Option<char>]) -> Vec<Range<usize>> {
    let is_word = |at: usize| characters.get(at).copied().flatten().is_some_and(is_word_character);
    let starts =
        (0..characters.len()).filter(|at| is_word(*at) && !at.checked_sub(1).is_some_and(is_word));
    let end = |start: usize| (start..=characters.len()).find(|at| !is_word(*at)).unwrap_or(start);
    starts.map(|start| start..end(start)).collect()
}

pub(super) fn parts(characters: &[char]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut open = false;
    for (at, character) in characters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| characters.get(before));
        if before
            .is_some_and(|before| is_split(*before, *character, characters.get(at + 1).copied()))
        {
            open = false;
        }
        if *character == '_' {
            continue;
        }
        match parts.last_mut() {
            Some(part) if open => part.text.push(character.to_ascii_lowercase()),
            _ => parts.push(Part {
                text: character.to_ascii_lowercase().to_string(),
                behind_underscore: before == Some(&'_'),
            }),
        }
        open = true;
    }
    parts
}

/// Whether an identifier is split between `a` and `b`; `behind` follows `b`.
fn is_split(a: char, b: char, behind: Option<char>) -> bool {
    let last_capital =
        a.is_uppercase() && b.is_uppercase() && behind.is_some_and(char::is_lowercase);
    (a == '_') != (b == '_')
        || a.is_lowercase() && b.is_uppercase()
        || last_capital
        || a.is_numeric() != b.is_numeric()
}

/// How the word with the parts `word` matches the identifier with the parts `identifier`.
pub(super) fn occurs(word: &[Part], identifier: &[Part]) -> Option<WordMatch> {
    // Longer runs, of which a long identifier has millions, are not the word.
    let length = joined(word).len();
    let runs = (0..identifier.len()).flat_map(|from| {
        let runs = (from + 1..=identifier.len()).map(move |to| from..to);
        runs.scan(0, move |sum, run| {
            *sum += identifier.get(run.end - 1).map_or(0, |part| part.text.len());
            (*sum <= length).then_some(run)
        })
    });
    let is_word =
        |run: &Range<usize>| identifier.get(run.clone()).is_some_and(|run| is_run_of(word, run));
    let found: Vec<Range<usize>> = runs.filter(is_word).collect();
    let whole = found.contains(&(0..identifier.len()));
    (!found.is_empty()).then_some(if whole { WordMatch::Whole } else { WordMatch::Some })
}

/// Whether a run of parts equals the word: the joined texts are equal, and at each underscore
/// between parts of the run, a part of the word ends.
fn is_run_of(word: &[Part], run: &[Part]) -> bool {
    let ends = ends(word);
    let mut behind = run.iter().zip(self::ends(run)).zip(run.iter().skip(1));
    joined(word) == joined(run)
        && behind.all(|((_, end), next)| !next.behind_underscore || ends.contains(&end))
}

fn joined(parts: &[Part]) -> String {
    parts.iter().map(|part| part.text.as_str()).collect()
}

/// The end of each part in the joined text.
fn ends(parts: &[Part]) -> Vec<usize> {
    (1..=parts.len()).filter_map(|some| parts.get(..some)).map(|some| joined(some).len()).collect()
}

#[cfg(test)]
mod tests;
