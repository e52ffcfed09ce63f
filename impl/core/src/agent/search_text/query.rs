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

    /// The longest identifier that stands wherever these characters do.
    pub(super) fn word_within(&self) -> Option<Self> {
        let Self::Literal(text) = self else { return None };
        let mut inner: Vec<&str> = text.split(|c| !word_character(c)).collect();
        // What stands at an end may be a part of a longer one.
        inner.pop();
        let whole = inner.into_iter().skip(1).filter(|word| word.is_ascii());
        let words = whole.map(|word| Self::of(word, false)).filter(|term| term.word().is_some());
        words.max_by_key(|term| term.word().map_or(0, |word| word.spelled.len()))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::identifier::{identifiers, occurs};

    #[test]
    fn the_longest_whole_identifier_stands_within_a_phrase() {
        let within = |phrase: &str| match Term::of(phrase, true).word_within() {
            Some(Term::Word { spelled, .. }) => Some(spelled),
            _ => None,
        };
        assert_eq!(within("race Condition between").as_deref(), Some("condition"));
        assert_eq!(within("foo->long_name(").as_deref(), Some("long_name"));
        assert_eq!(within(" a ").as_deref(), Some("a"));
        for none in ["page fault", "a", "a __ b", "a é b"] {
            assert_eq!(within(none), None, "{none}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn where_a_phrase_stands_so_does_the_word_within(
            phrase in "[aAbB1é_ .]{1,12}",
            case in any::<u16>(),
            around in "[aB1_ ]{0,3}",
        ) {
            let Some(Term::Word { parts, .. }) = Term::of(&phrase, true).word_within() else {
                return Ok(());
            };
            let spelled = |(at, c): (usize, char)| {
                if case >> at & 1 == 1 { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
            };
            let spelled: String = phrase.chars().enumerate().map(spelled).collect();
            let text = format!("{around}{spelled}{around}");
            let is_there = identifiers(&text).any(|found| occurs(&parts, found).is_some());
            prop_assert!(is_there, "{text}");
        }
    }
}
