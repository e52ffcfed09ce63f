//! What looks like a definition.
//!
//! Responsible for: whether an identifier is defined where it stands, as far as its line shows (section 6, Weights).
//! Left to neighbours: what that weighs (`occurrence`).
//! Invariants: only what stands on the line before and behind the identifier counts; the words are compared as written.

use super::identifier::{identifiers, is_word_character};
use crate::tables::agent::Definitions;

/// Whether the identifier between `before` and `after` looks like it is defined there.
pub(super) fn looks_like(before: &[Option<char>], after: &[Option<char>], table: &Definitions) -> bool {
    follows_a_word(before, after, table) || begins_a_function(before, after, table)
}

/// White space stands before it, and one of the words before that.
fn follows_a_word(before: &[Option<char>], after: &[Option<char>], table: &Definitions) -> bool {
    let ahead = without_white_end(before);
    let last = identifiers(ahead).pop().filter(|last| last.end == ahead.len());
    let word: String = last.and_then(|last| ahead.get(last)).into_iter().flatten().flatten().collect();
    let first = after.iter().find(|one| !is_white(**one));
    let goes_on = first.is_none_or(|one| one.is_some_and(|one| table.behind.contains(&one)));
    let introduces =
        table.bare.contains(&word.as_str()) || table.followed.contains(&word.as_str()) && goes_on;
    ahead.len() < before.len() && introduces
}

/// A parenthesis opens behind it, the line is no statement, and what stands before it can be the beginning of a function.
fn begins_a_function(before: &[Option<char>], after: &[Option<char>], table: &Definitions) -> bool {
    let opens = after.first() == Some(&Some('('));
    // Behind the identifier stands at least the parenthesis, so that the line ends as `after` does.
    let is_statement = without_white_end(after).last() == Some(&Some(';'));
    let is_word = |one: &Option<char>| one.is_some_and(is_word_character);
    let may_stand =
        |one: &Option<char>| is_word(one) || one.is_some_and(|one| table.before_call.contains(&one));
    let is_type = before.first().is_some_and(is_word) && before.iter().all(may_stand);
    let receiver: Vec<Option<char>> = table.receiver.chars().map(Some).collect();
    opens && !is_statement && (is_type || before.starts_with(&receiver))
}

fn without_white_end(characters: &[Option<char>]) -> &[Option<char>] {
    let length = characters.iter().rposition(|one| !is_white(*one)).map_or(0, |last| last + 1);
    characters.get(..length).unwrap_or_default()
}

fn is_white(character: Option<char>) -> bool {
    character.is_some_and(char::is_whitespace)
}

#[cfg(test)]
mod tests;
