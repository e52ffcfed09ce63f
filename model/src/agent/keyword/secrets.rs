//! What is not sent though it stands in what is.
//!
//! Responsible for: which lines belong to a private key, and what of other texts is redacted (section 5).
//! Left to neighbours: what is sent (`hits`, `prompt`).
//! Invariants: each replacement counts one.

use regex_automata::Input;
use regex_automata::nfa::thompson::pikevm::PikeVM;

use crate::tables::keyword::KeywordTables;

/// The patterns, made ready.
#[derive(Debug)]
pub(super) struct Secrets {
    patterns: Vec<PikeVM>,
    key_begin: Vec<PikeVM>,
    key_end: Vec<PikeVM>,
    redacted: &'static str,
}

/// A text without secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Clean {
    pub(super) text: String,
    /// How often something was replaced.
    pub(super) redacted: u64,
}

impl Secrets {
    /// Those of the specification.
    pub(super) fn of(tables: &KeywordTables) -> Secrets {
        let ready = |patterns: &[&str]| patterns.iter().filter_map(|one| PikeVM::new(one).ok()).collect();
        Secrets {
            patterns: ready(tables.secrets),
            key_begin: ready(&[tables.key_begin]),
            key_end: ready(&[tables.key_end]),
            redacted: tables.redacted,
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
        let clean = |(line, of_key): (&&str, bool)| if of_key { self.of_key() } else { self.clean(line) };
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
        let mut clean = Clean { text: text.to_owned(), redacted: 0 };
        for pattern in &self.patterns {
            let mut replaced = String::new();
            let mut done = 0;
            for (start, end) in places(pattern, &clean.text) {
                replaced.push_str(clean.text.get(done..start).unwrap_or_default());
                replaced.push_str(self.redacted);
                clean.redacted += 1;
                done = end;
            }
            replaced.push_str(clean.text.get(done..).unwrap_or_default());
            clean.text = replaced;
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

/// What a pattern says is to be replaced, from left to right: what its group matched, or all of it if it has none.
fn places(pattern: &PikeVM, text: &str) -> Vec<(usize, usize)> {
    let mut cache = pattern.create_cache();
    let found = pattern.captures_iter(&mut cache, text);
    found
        .filter_map(|captures| {
            let last = captures.group_len().saturating_sub(1);
            captures.get_group(last).map(|span| (span.start, span.end))
        })
        .collect()
}

#[cfg(test)]
mod tests;
