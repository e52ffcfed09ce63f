//! From a query to its terms (E-I17; docs/agent-tools.md, section 6).

use crate::{
    error::ToolError,
    index::{fold::Fold, need::Need, plan},
    request::MAX_PATTERN_BYTES,
};

use super::identifier::{Part, occurs, parts, word_character};

/// Most terms of a query.
pub const MAX_TERMS: usize = 16;

/// What a file has to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// An identifier, or neighbouring parts of one.
    Word {
        /// Its parts, folded.
        parts: Vec<String>,
        /// As it is given.
        spelled: String,
    },
    /// These characters, folded.
    Literal(String),
}

impl Term {
    /// What is looked for where this is given, as a phrase or not.
    pub(in crate::agent) fn of(text: &str, phrase: bool) -> Self {
        let word = !phrase && text.chars().all(word_character) && text.chars().any(|c| c != '_');
        let folded = text.to_ascii_lowercase();
        if !word {
            return Self::Literal(folded);
        }
        let parts = parts(text).into_iter().map(|part| part.text.to_ascii_lowercase()).collect();
        Self::Word { parts, spelled: text.to_owned() }
    }

    /// What a text must hold for the term to occur in it. Where two parts of a word meet they stand
    /// together, or `_` is between them, or more of that: the n-grams across are what leaves most
    /// files out.
    pub(super) fn need(&self, fold: Fold, ngram: usize) -> Need {
        let literal = |text: &str| plan::literal(text, true, fold, ngram);
        match self {
            Self::Literal(text) => literal(text),
            Self::Word { parts, .. } => match parts.as_slice() {
                [only] => literal(only),
                parts => Need::all(parts.windows(2).filter_map(|pair| {
                    let [a, b] = pair else { return None };
                    let apart = Need::all([literal(&format!("{a}__")), literal(&format!("__{b}"))]);
                    Some(Need::one_of([
                        literal(&format!("{a}{b}")),
                        literal(&format!("{a}_{b}")),
                        apart,
                    ]))
                })),
            },
        }
    }
}

/// Which identifiers are made of words of the query.
#[derive(Clone, Debug, Default)]
pub(super) struct Coverage {
    /// The parts of each word, folded.
    words: Vec<Vec<String>>,
}

impl Coverage {
    pub(super) fn of(terms: &[Term]) -> Self {
        let words = terms.iter().filter_map(|term| match term {
            Term::Word { parts, .. } => Some(parts.clone()),
            Term::Literal(_) => None,
        });
        Self { words: words.collect() }
    }

    /// How many words occur in an identifier all of whose parts are parts of a word; none if it is
    /// not so, or if only one does.
    pub(super) fn words_in(&self, identifier: &str) -> Option<u64> {
        if self.words.len() < 2 {
            return None;
        }
        let known = |part: &Part<'_>| {
            self.words.iter().flatten().any(|word| part.text.eq_ignore_ascii_case(word))
        };
        if !parts(identifier).iter().all(known) {
            return None;
        }
        let words = self.words.iter().filter(|word| occurs(word, identifier).is_some()).count();
        (words > 1).then_some(words as u64)
    }
}

/// The terms of a query, each once, in the order they are given.
pub fn terms(query: &str) -> Result<Vec<Term>, ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args("query", why));
    if query.len() > MAX_PATTERN_BYTES {
        let length = query.len();
        return refuse(format!(
            "`query` is {length} bytes long; at most {MAX_PATTERN_BYTES} are allowed"
        ));
    }
    if query.trim().is_empty() {
        return refuse("`query` is empty or blank; give at least one word".to_owned());
    }
    if let Some(at) = query.find('\0') {
        return refuse(format!("`query` holds a NUL at byte {at}; no text has one"));
    }
    let mut terms: Vec<Term> = Vec::new();
    let mut known: Vec<(bool, String)> = Vec::new();
    let mut rest = query.trim_start();
    while !rest.is_empty() {
        let term = if let Some(open) = rest.strip_prefix('"') {
            let Some((phrase, behind)) = open.split_once('"') else {
                let at = query.len() - rest.len();
                return refuse(format!(
                    "`query` has a quote at byte {at} that is not closed; close the phrase, or leave the quote out"
                ));
            };
            if phrase.trim().is_empty() {
                return refuse("`query` has a phrase that is blank; leave it out".to_owned());
            }
            if phrase.contains('\n') {
                return refuse(
                    "`query` has a phrase of several lines; the search goes line by line"
                        .to_owned(),
                );
            }
            rest = behind;
            (phrase, true)
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (bare, behind) = rest.split_at(end);
            rest = behind;
            (bare, false)
        };
        rest = rest.trim_start();
        let (text, phrase) = term;
        let term = Term::of(text, phrase);
        let key = (matches!(term, Term::Word { .. }), text.to_ascii_lowercase());
        if !known.contains(&key) {
            known.push(key);
            terms.push(term);
        }
    }
    if terms.len() > MAX_TERMS {
        let count = terms.len();
        return refuse(format!(
            "`query` has {count} terms; at most {MAX_TERMS} are allowed, and files have to hold all of them"
        ));
    }
    Ok(terms)
}
