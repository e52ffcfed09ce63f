//! From a query to its terms (E-I17; docs/agent-tools.md, section 6).

use crate::{
    error::ToolError,
    identifier::{Word, parts, word_character},
    index::{fold::Fold, need::Need, plan},
    request::MAX_PATTERN_BYTES,
};

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
        let parts = parts(text).map(|part| part.text.to_ascii_lowercase()).collect();
        Self::Word { parts, spelled: text.to_owned() }
    }

    /// The term as a word; none if it is a phrase.
    pub fn word(&self) -> Option<Word<'_>> {
        match self {
            Self::Word { parts, spelled } => Some(Word { parts, spelled }),
            Self::Literal(_) => None,
        }
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
