//! What a rule of the specification says of a text.
//!
//! Responsible for: where a rule finds a secret, and when what it finds is none.
//! Not here: what is made of the places ([`super`]).
//! Invariants: a place begins and ends at characters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::util::captures::Captures;

use crate::agent::expression;
use crate::tables::keyword::{KeywordTables, SecretRow};

/// Bytes before a value that can say what it is.
const BEFORE: usize = 128;

/// A rule, made ready.
#[derive(Debug)]
pub(super) struct Known {
    pattern: Arc<PikeVM>,
    /// What the name in the first group must not look like, if it has one.
    no_name: Option<Arc<PikeVM>>,
    /// What must not look like what: the value, or, if the flag is set, the text before it.
    unless: Vec<(bool, Arc<PikeVM>)>,
    odd: u64,
    usual: Arc<Usual>,
}

/// Usual pairs of small letters.
type Usual = BTreeSet<(char, char)>;

/// All rules, in the order of the specification.
pub(super) fn of(tables: &KeywordTables) -> Vec<Known> {
    let ready = |pattern: &str| expression::ready(&with_words(tables, pattern));
    let harmless: BTreeMap<&str, Arc<PikeVM>> =
        tables.harmless.iter().filter_map(|row| Some((row.name, ready(row.pattern)?))).collect();
    let usual = Arc::new(usual(tables));
    let known = |row: &SecretRow| {
        let unless = row.unless.iter();
        let unless =
            unless.filter_map(|name| Some((*name == "before", harmless.get(name).cloned()?)));
        Some(Known {
            pattern: ready(row.pattern)?,
            no_name: harmless.get("name").filter(|_| row.named).cloned(),
            unless: unless.collect(),
            odd: row.odd,
            usual: Arc::clone(&usual),
        })
    };
    tables.secrets.iter().filter_map(known).collect()
}

fn usual(tables: &KeywordTables) -> Usual {
    let rows = ('a'..='z').zip(tables.usual_pairs);
    rows.flat_map(|(first, row)| row.chars().map(move |second| (first, second))).collect()
}

/// How odd texts are by these tables.
pub fn oddness(tables: &KeywordTables) -> impl Fn(&str) -> u64 {
    let usual = usual(tables);
    move |text| points(&usual, text)
}

/// A pattern with the words that it names, and those that they name.
fn with_words(tables: &KeywordTables, pattern: &str) -> String {
    let mut written = pattern.to_owned();
    while let Some(word) =
        tables.words.iter().find(|word| written.contains(&format!("%{}%", word.name)))
    {
        written = written.replace(&format!("%{}%", word.name), word.pattern);
    }
    written
}

impl Known {
    /// What is to be replaced, from left to right.
    pub(super) fn places(&self, text: &str) -> Vec<(usize, usize)> {
        let mut cache = self.pattern.create_cache();
        let found = self.pattern.captures_iter(&mut cache, text);
        found.filter_map(|captures| self.place(text, &captures)).collect()
    }

    fn place(&self, text: &str, captures: &Captures) -> Option<(usize, usize)> {
        let mut groups = captures.iter().skip(1).collect::<Vec<_>>().into_iter();
        if let Some(no_name) = &self.no_name
            && let Some(name) = groups.next()?
            && holds(no_name, text.get(name.range())?)
        {
            return None;
        }
        let value = if groups.len() == 0 {
            captures.get_match()?.span()
        } else {
            groups.flatten().next()?
        };
        let written = text.get(value.range())?;
        let (before, _) = text.split_at_checked(value.start)?;
        let near = before.char_indices().find(|(at, _)| at + BEFORE >= value.start);
        let before = near.and_then(|(at, _)| before.get(at..)).unwrap_or_default();
        let stays = self.unless.iter().any(|(is_before, harmless)| {
            holds(harmless, if *is_before { before } else { written })
        });
        let odd = points(&self.usual, written);
        (!stays && odd >= self.odd).then_some((value.start, value.end))
    }
}

fn holds(pattern: &PikeVM, text: &str) -> bool {
    pattern.is_match(&mut pattern.create_cache(), text)
}

/// Points for 100 pairs of neighbours that are ASCII letters or digits, rounded down.
fn points(usual: &Usual, text: &str) -> u64 {
    let of_pair = |first: char, second: char| {
        let letters = (first.to_ascii_lowercase(), second.to_ascii_lowercase());
        match [first, second].map(|one| one.is_ascii_digit()) {
            [true, false] => 2,
            [false, true] => 1,
            [true, true] => 0,
            _ if first.is_lowercase() && second.is_uppercase() => 1,
            _ => {
                if usual.contains(&letters) {
                    0
                } else {
                    2
                }
            }
        }
    };
    let all: Vec<char> = text.chars().collect();
    let pairs = all.windows(2).filter_map(|pair| match *pair {
        [first, second] => Some((first, second)),
        _ => None,
    });
    let counted: Vec<u64> = pairs
        .filter(|(first, second)| first.is_ascii_alphanumeric() && second.is_ascii_alphanumeric())
        .map(|(first, second)| of_pair(first, second))
        .collect();
    let pairs = u64::try_from(counted.len()).unwrap_or(u64::MAX);
    (100 * counted.iter().sum::<u64>()).checked_div(pairs).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::keyword::KEYWORD;

    #[test]
    fn every_redaction_rule_compiles() {
        let known = of(&KEYWORD);
        assert_eq!(known.len(), KEYWORD.secrets.len());
        for (known, row) in known.iter().zip(KEYWORD.secrets) {
            assert_eq!(
                (known.unless.len(), known.no_name.is_some()),
                (row.unless.len(), row.named)
            );
        }
    }

    #[test]
    fn oddness_counts_pairs_that_words_do_not_have() {
        let known = of(&KEYWORD);
        let odd = |text: &str| points(&known[0].usual, text);
        // Of four pairs: letter and digit 1, digit and letter 2, `bQ` 1, `Qx` 2.
        assert_eq!(odd("a1bQx"), 150);
        assert_eq!(
            ["", "a", "12", "a-1", "the", "aB", "xQ", "Xq"].map(odd),
            [0, 0, 0, 0, 0, 100, 100, 200]
        );
    }
}
