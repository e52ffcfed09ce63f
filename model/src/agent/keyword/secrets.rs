//! What is not sent though it stands in what is.
//!
//! Responsible for: which lines belong to a private key, and what of other texts is redacted
//! (section 5).
//! Not here: what is sent (`any_term`, `selected_terms`), what a single rule says of a text
//! ([`known`]).
//! Invariants: each replacement counts one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use regex_automata::Input;
use regex_automata::nfa::thompson::pikevm::PikeVM;

use crate::tables::keyword::{KeywordTables, NamedPattern, SecretRow};
use known::Known;

mod known;

pub use known::oddness;

/// Texts whose answers are kept: the PikeVM takes its time over every rule, and cases say the same
/// lines again and again.
const KEPT: usize = 4096;

/// How many tables are held ready. Making them ready takes longer than a case.
const READY: usize = 4;

/// What of the tables the patterns are made of.
type Patterns = (
    &'static [NamedPattern],
    &'static [NamedPattern],
    &'static [&'static str],
    &'static [SecretRow],
    &'static str,
    &'static str,
    &'static str,
);

/// The patterns, made ready.
#[derive(Debug)]
pub(super) struct Secrets {
    known: Vec<Known>,
    key_begin: Vec<PikeVM>,
    key_end: Vec<PikeVM>,
    redacted: &'static str,
    seen: Mutex<HashMap<String, Clean>>,
}

/// A text without secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Clean {
    pub(super) text: String,
    /// How often something was replaced.
    pub(super) redacted: u64,
}

/// What redacts a text by these tables, for those who draw such texts.
pub fn redactor(tables: &KeywordTables) -> impl Fn(&str) -> (String, u64) + use<> {
    let ready = Secrets::ready(tables);
    move |text| {
        let clean = ready.clean_lines(text);
        (clean.text, clean.redacted)
    }
}

impl Clean {
    /// Appends a line with something before it.
    pub(super) fn append(&mut self, before: &str, line: &Clean) {
        self.text.extend([before, &line.text, "\n"]);
        self.redacted += line.redacted;
    }
}

impl Secrets {
    /// Those of the tables.
    pub(super) fn of(tables: &'static KeywordTables) -> Arc<Secrets> {
        static HELD: Mutex<Vec<(Patterns, Arc<Secrets>)>> = Mutex::new(Vec::new());
        let patterns = (
            tables.words,
            tables.harmless,
            tables.usual_pairs,
            tables.secrets,
            tables.key_begin,
            tables.key_end,
            tables.redacted,
        );
        let held = || HELD.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, ready)) = held().iter().find(|(other, _)| *other == patterns) {
            return Arc::clone(ready);
        }
        let ready = Arc::new(Self::ready(tables));
        let mut held = held();
        if held.len() >= READY {
            held.remove(0);
        }
        held.push((patterns, Arc::clone(&ready)));
        ready
    }

    fn ready(tables: &KeywordTables) -> Secrets {
        let ready = |pattern: &str| PikeVM::new(pattern).ok().into_iter().collect();
        Secrets {
            known: known::of(tables),
            key_begin: ready(tables.key_begin),
            key_end: ready(tables.key_end),
            redacted: tables.redacted,
            seen: Mutex::default(),
        }
    }

    /// Of each line of a text, whether it holds part of a private key.
    pub(super) fn of_keys(&self, lines: &[impl AsRef<str>]) -> Vec<bool> {
        let mut inside = false;
        let mut belongs = |line: &str| {
            let (mut holds, mut from) = (inside, 0);
            loop {
                let mark = if inside { &self.key_end } else { &self.key_begin };
                let Some(behind) = behind(mark, line, from) else { return holds };
                (inside, holds, from) = (!inside, true, behind);
            }
        };
        lines.iter().map(|line| belongs(line.as_ref())).collect()
    }

    /// A text that may have several lines.
    pub(super) fn clean_lines(&self, text: &str) -> Clean {
        let lines: Vec<&str> = text.split('\n').collect();
        let of_keys = self.of_keys(&lines);
        let clean =
            |(line, of_key): (&&str, bool)| if of_key { self.of_key() } else { self.clean(line) };
        let all: Vec<Clean> = lines.iter().zip(of_keys).map(clean).collect();
        let texts: Vec<&str> = all.iter().map(|line| line.text.as_str()).collect();
        Clean { text: texts.join("\n"), redacted: all.iter().map(|line| line.redacted).sum() }
    }

    /// A line of a private key.
    pub(super) fn of_key(&self) -> Clean {
        Clean { text: self.redacted.to_owned(), redacted: 1 }
    }

    /// Any other text.
    pub(super) fn clean(&self, text: &str) -> Clean {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clean) = seen.get(text) {
            return clean.clone();
        }
        let clean = self.cleaned(text);
        if seen.len() >= KEPT {
            seen.clear();
        }
        seen.insert(text.to_owned(), clean.clone());
        clean
    }

    fn cleaned(&self, text: &str) -> Clean {
        let mut is_secret = vec![false; text.len()];
        for (start, end) in self.known.iter().flat_map(|known| known.places(text)) {
            is_secret.iter_mut().take(end).skip(start).for_each(|byte| *byte = true);
        }
        let mut clean = Clean::default();
        let mut inside = false;
        for (at, c) in text.char_indices() {
            let secret = is_secret.get(at) == Some(&true);
            if !secret {
                clean.text.push(c);
            } else if !inside {
                clean.text.push_str(self.redacted);
                clean.redacted += 1;
            }
            inside = secret;
        }
        clean
    }
}

/// Where the first match of one of these ends, from a place in a text on.
fn behind(patterns: &[PikeVM], text: &str, from: usize) -> Option<usize> {
    let found = |pattern: &PikeVM| {
        let input = Input::new(text).range(from..);
        pattern.find_iter(&mut pattern.create_cache(), input).next().map(|span| span.end())
    };
    patterns.iter().find_map(found)
}

#[cfg(test)]
mod tests;
