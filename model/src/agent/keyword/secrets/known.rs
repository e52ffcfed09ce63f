//! What a rule of the specification says of a text.
//!
//! Responsible for: where a rule finds a secret, and when what it finds is none.
//! Left to neighbours: what is made of the places ([`super`]).
//! Invariants: a place begins and ends at characters.

use std::collections::BTreeMap;
use std::sync::Arc;

use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::util::captures::Captures;

use crate::agent::expression;
use crate::tables::keyword::{KeywordTables, SecretRow};

/// A rule, made ready.
#[derive(Debug)]
pub(super) struct Known {
    pattern: Arc<PikeVM>,
    /// Whether nothing matches without a name of secrets.
    pub(super) needs_name: bool,
    /// What the name in the first group must not look like, if it has one.
    no_name: Option<Arc<PikeVM>>,
    unless: Vec<Arc<PikeVM>>,
    bits: u64,
}

/// First groups that are a name of secrets and nothing else.
const NAMES: [&str; 3] = ["(%name%)", "(%password%)", "(%secret%)"];

/// Names of secrets, wherever they stand: one look that spares most lines half of the rules.
pub(super) fn names(tables: &KeywordTables) -> Option<Arc<PikeVM>> {
    expression::ready(&with_words(tables, "%name%"))
}

/// All rules, in the order of the specification.
pub(super) fn of(tables: &KeywordTables) -> Vec<Known> {
    let ready = |pattern: &str| expression::ready(&with_words(tables, pattern));
    let harmless: BTreeMap<&str, Arc<PikeVM>> =
        tables.harmless.iter().filter_map(|row| Some((row.name, ready(row.pattern)?))).collect();
    let known = |row: &SecretRow| {
        Some(Known {
            pattern: ready(row.pattern)?,
            needs_name: NAMES.iter().any(|name| row.pattern.contains(name)),
            no_name: harmless.get("name").filter(|_| row.named).cloned(),
            unless: row.unless.iter().filter_map(|name| harmless.get(name).cloned()).collect(),
            bits: row.bits,
        })
    };
    tables.secrets.iter().filter_map(known).collect()
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
        let value =
            groups.flatten().next().or_else(|| captures.get_match().map(|whole| whole.span()))?;
        let written = text.get(value.range())?;
        let stays = self.unless.iter().any(|harmless| holds(harmless, written))
            || (self.bits > 0 && bits(written) < self.bits);
        (!stays).then_some((value.start, value.end))
    }
}

pub(super) fn holds(pattern: &PikeVM, text: &str) -> bool {
    pattern.is_match(&mut pattern.create_cache(), text)
}

/// The entropy of a text, in whole hundredths of a bit for each byte.
fn bits(text: &str) -> u64 {
    let mut counts: BTreeMap<u8, u32> = BTreeMap::new();
    for byte in text.bytes() {
        *counts.entry(byte).or_default() += 1;
    }
    let all: f64 = counts.values().copied().map(f64::from).sum();
    let surprise = |count: &u32| f64::from(*count) * (all / f64::from(*count)).log2();
    let entropy = counts.values().map(surprise).sum::<f64>() / all;
    // At most 800, and never negative.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let hundredths = (entropy * 100.0).floor() as u64;
    hundredths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::keyword::KEYWORD;

    #[test]
    fn every_rule_is_one() {
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
    fn entropy_is_that_of_shannon() {
        assert_eq!(["aaaa", "abab", "abcd", "abcdefgh"].map(bits), [0, 100, 200, 300]);
    }
}
