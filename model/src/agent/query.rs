//! The terms of a `search_text` query: where they begin and end, words and literals (section 6,
//! Query).
//!
//! Terms are distinct.

use super::identifier::{self, Part};
use crate::fields::exceeds;
use crate::tables::agent::AgentLimits;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Term {
    /// Matches parts of identifiers.
    Word {
        /// As given.
        spelled: String,
        /// Folded.
        text: String,
        /// Folded.
        parts: Vec<Part>,
    },
    /// Matches its characters, folded.
    Literal(String),
}

impl Term {
    /// The term of an unquoted text.
    pub(super) fn word_or_literal(text: &str) -> Term {
        let is_word =
            text.chars().all(identifier::is_word_character) && text.chars().any(|one| one != '_');
        let characters: Vec<char> = text.chars().collect();
        let folded = text.to_ascii_lowercase();
        if is_word {
            Term::Word {
                spelled: text.to_owned(),
                text: folded,
                parts: identifier::parts(&characters),
            }
        } else {
            Term::Literal(folded)
        }
    }

    fn equals(&self, other: &Term) -> bool {
        match (self, other) {
            (Term::Word { text, .. }, Term::Word { text: other, .. })
            | (Term::Literal(text), Term::Literal(other)) => text == other,
            (Term::Word { .. }, Term::Literal(_)) | (Term::Literal(_), Term::Word { .. }) => false,
        }
    }
}

/// The terms of a query; `None` if there are none or too many, or a phrase is invalid.
pub(super) fn terms(query: &str, limits: &AgentLimits) -> Option<Vec<Term>> {
    if exceeds(query.len(), limits.query_bytes) || query.contains('\0') {
        return None;
    }
    let mut terms: Vec<Term> = Vec::new();
    let mut rest = query.trim_start();
    while !rest.is_empty() {
        let (term, behind) = first_term(rest)?;
        if !terms.iter().any(|known| known.equals(&term)) {
            terms.push(term);
        }
        rest = behind.trim_start();
    }
    (!terms.is_empty() && !exceeds(terms.len(), limits.terms)).then_some(terms)
}

/// The first term of a text, and the rest.
fn first_term(text: &str) -> Option<(Term, &str)> {
    if let Some(phrase) = text.strip_prefix('"') {
        let (inside, behind) = phrase.split_once('"')?;
        // No line contains a line feed.
        let means_something = !inside.trim().is_empty() && !inside.contains('\n');
        return means_something.then(|| (Term::Literal(inside.to_ascii_lowercase()), behind));
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (term, behind) = text.split_at(end);
    Some((Term::word_or_literal(term), behind))
}

#[cfg(test)]
mod tests;
