//! From a query to its terms (E-I17; docs/agent-tools.md, section 6).

use crate::{error::ToolError, request::MAX_PATTERN_BYTES};

use super::identifier::{parts, word_character};

/// Most terms of a query.
pub const MAX_TERMS: usize = 16;

/// What a file has to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// An identifier, or neighbouring parts of one: its parts, folded.
    Word(Vec<String>),
    /// These characters, folded.
    Literal(String),
}

impl Term {
    fn of(text: &str, phrase: bool) -> Self {
        let word = !phrase && text.chars().all(word_character) && text.chars().any(|c| c != '_');
        let folded = text.to_ascii_lowercase();
        if !word {
            return Self::Literal(folded);
        }
        Self::Word(parts(text).into_iter().map(|part| part.text.to_ascii_lowercase()).collect())
    }

    /// An expression that matches wherever the term occurs, and elsewhere; to be read without regard to ASCII case.
    pub(super) fn expression(&self) -> String {
        match self {
            Self::Word(parts) => {
                let escaped: Vec<String> = parts.iter().map(|part| regex_syntax::escape(part)).collect();
                escaped.join("_*")
            }
            Self::Literal(text) => regex_syntax::escape(text),
        }
    }
}

/// The terms of a query, each once, in the order they are given.
pub fn terms(query: &str) -> Result<Vec<Term>, ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args("query", why));
    if query.len() > MAX_PATTERN_BYTES {
        let length = query.len();
        return refuse(format!("`query` is {length} bytes long; at most {MAX_PATTERN_BYTES} are allowed"));
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
                    "`query` has a phrase of several lines; the search goes line by line".to_owned(),
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
        let key = (matches!(term, Term::Word(_)), text.to_ascii_lowercase());
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
