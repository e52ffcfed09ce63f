//! Secrets are taken out of whatever is sent (E-I25; docs/keyword-search.md, section 5).
//!
//! Why no crate does this: the model has to come to the same text by itself, letter by letter, so
//! the rules have to be data of the specification, and a crate keeps its rules in its own code.
//! Beside that, `ripsecrets` 0.1 is made as a program that looks through files; `veloci` 0.3 reads
//! whole documents with a parser for each format, where here is one line of an unknown one;
//! `cribra` 0.7 wants Rust 1.97, the workspace has 1.90; `cerberust` 0.2 and `rtb-redact` 0.6 are
//! young.

use std::{
    ops::Range,
    sync::{LazyLock, OnceLock},
};

use regex_automata::{Input, meta::Regex, util::captures::Captures};

use crate::{
    error::Interrupted,
    text::{self, Span},
};
use rules::{HARMLESS, RULES, Rule, USUAL_PAIRS, WORDS};

mod rules;

/// Bytes of a line between two looks at whether to go on.
const LOOK_EVERY: usize = 1 << 16;
/// Bytes of a line from which on each rule takes long enough to ask whether to go on before it.
const LONG_LINE: usize = 1 << 12;

/// Bytes before a value that can say what it is.
const BEFORE: usize = 128;

/// What stands where a secret was.
const REDACTED: &str = "[redacted]";

const BEGINS: &str =
    r"-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY( BLOCK)? ?-{4,5}|PuTTY-User-Key-File-[0-9]+:";
const ENDS: &str = r"-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY( BLOCK)? ?-{4,5}|Private-MAC:";

struct Secrets {
    each: Vec<Ready>,
    /// What an unlikely name looks like, whatever its value.
    no_name: Option<Regex>,
    begins: Option<Regex>,
    ends: Option<Regex>,
}

/// A rule that is made ready when it is tried first: all of them together would take longer than a
/// deadline may be missed by.
struct Ready {
    rule: &'static Rule,
    known: OnceLock<Option<Known>>,
}

impl Ready {
    fn known(&self) -> Option<&Known> {
        self.known.get_or_init(|| Known::of(self.rule)).as_ref()
    }
}

/// A rule, made ready.
struct Known {
    pattern: Regex,
    is_named: bool,
    unless: Vec<Regex>,
    /// What stands before a value that is none.
    before: Option<Regex>,
    odd: usize,
}

static SECRETS: LazyLock<Secrets> = LazyLock::new(|| Secrets {
    each: RULES.iter().map(|rule| Ready { rule, known: OnceLock::new() }).collect(),
    no_name: harmless("name"),
    begins: Regex::new(BEGINS).ok(),
    ends: Regex::new(ENDS).ok(),
});

/// Words may use those before them, so the last ones are put in first.
fn spelled_out(pattern: &str) -> String {
    let put_in =
        |text: String, (name, word): &(&str, &str)| text.replace(&format!("%{name}%"), word);
    WORDS.iter().rev().fold(pattern.to_owned(), put_in)
}

fn harmless(name: &str) -> Option<Regex> {
    let (_, pattern) = HARMLESS.iter().find(|(id, _)| *id == name)?;
    Regex::new(pattern).ok()
}

impl Known {
    fn of(rule: &Rule) -> Option<Self> {
        let (before, unless): (Vec<&str>, Vec<&str>) =
            rule.unless.iter().partition(|name| **name == "before");
        Some(Self {
            pattern: Regex::new(&spelled_out(rule.pattern)).ok()?,
            is_named: rule.is_named,
            unless: unless.into_iter().filter_map(harmless).collect(),
            before: before.into_iter().find_map(harmless),
            odd: rule.odd,
        })
    }

    fn places(
        &self,
        line: &str,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Vec<Range<usize>>, Interrupted> {
        let mut places = Vec::new();
        let mut looked = 0;
        for found in self.pattern.captures_iter(line) {
            places.extend(self.secret(line, &found));
            let at = found.get_match().map_or(0, |all| all.end());
            if at >= looked + LOOK_EVERY {
                looked = at;
                if !go_on() {
                    return Err(Interrupted);
                }
            }
        }
        Ok(places)
    }

    /// What a match says is secret, if anything.
    fn secret(&self, line: &str, found: &Captures) -> Option<Range<usize>> {
        let text = |span: regex_automata::Span| line.get(span.range()).unwrap_or_default();
        let first = if self.is_named { 2 } else { 1 };
        let value = if first < found.group_len() {
            (first..found.group_len()).find_map(|group| found.get_group(group))?
        } else {
            found.get_group(0)?
        };
        let name = found.get_group(1).filter(|_| self.is_named).map_or("", text);
        let far = value.start.saturating_sub(BEFORE);
        let before = (far..).find_map(|from| line.get(from..value.start)).unwrap_or_default();
        let is_harmless = SECRETS.no_name.as_ref().is_some_and(|no_name| no_name.is_match(name))
            || self.unless.iter().any(|one| one.is_match(text(value)))
            || self.before.as_ref().is_some_and(|one| one.is_match(before));
        (!is_harmless && oddness(text(value)) >= self.odd).then(|| value.range())
    }
}

/// How little the letters and digits of a text follow one another as in words, in points for 100
/// pairs.
fn oddness(text: &str) -> usize {
    let (mut points, mut pairs) = (0, 0);
    for (first, second) in text.bytes().zip(text.bytes().skip(1)) {
        if first.is_ascii_alphanumeric() && second.is_ascii_alphanumeric() {
            pairs += 1;
            points += match (first.is_ascii_digit(), second.is_ascii_digit()) {
                (true, true) => 0,
                (false, true) => 1,
                (false, false) if first.is_ascii_lowercase() && second.is_ascii_uppercase() => 1,
                (false, false) if is_usual(first, second) => 0,
                (_, false) => 2,
            };
        }
    }
    100 * points / pairs.max(1)
}

/// Whether the second letter usually follows the first one, whatever their case.
fn is_usual(first: u8, second: u8) -> bool {
    let after = USUAL_PAIRS.get(usize::from(first.to_ascii_lowercase().wrapping_sub(b'a')));
    after.is_some_and(|after| after.as_bytes().contains(&second.to_ascii_lowercase()))
}

/// A text without secrets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redacted {
    /// What is left.
    pub text: String,
    /// How many secrets were taken out.
    pub count: u64,
}

impl Redacted {
    /// A line that is nothing but a secret.
    pub(super) fn whole() -> Self {
        Self { text: REDACTED.to_owned(), count: 1 }
    }
}

/// Takes the secrets out of one line.
pub fn redact(line: &str) -> Redacted {
    // Never interrupted, so the error cannot be.
    redact_while(line, &mut || true).unwrap_or_else(|Interrupted| Redacted::whole())
}

/// The same, as long as `go_on` says so, which is asked between portions of a long line, and while
/// the rules are made ready.
pub(super) fn redact_while(
    line: &str,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Redacted, Interrupted> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for rule in &SECRETS.each {
        let takes_time = line.len() >= LONG_LINE || rule.known.get().is_none();
        if takes_time && !go_on() {
            return Err(Interrupted);
        }
        if let Some(known) = rule.known() {
            found.extend(known.places(line, go_on)?);
        }
    }
    found.sort_by_key(|place| (place.start, place.end));
    let mut left = Redacted { text: String::with_capacity(line.len()), count: 0 };
    let mut from = 0;
    for place in found {
        // What touches or overlaps is one.
        if left.count == 0 || place.start > from {
            left.text.push_str(line.get(from..place.start).unwrap_or_default());
            left.text.push_str(REDACTED);
            left.count += 1;
        }
        from = from.max(place.end);
    }
    left.text.push_str(line.get(from..).unwrap_or_default());
    Ok(left)
}

/// Takes the secrets out of a text of several lines.
pub(super) fn redact_lines(text: &str) -> Redacted {
    let keys = private_keys(text.as_bytes());
    let mut all = Redacted { text: String::with_capacity(text.len()), count: 0 };
    let mut start = 0;
    for (number, line) in text.split('\n').enumerate() {
        let is_key = keys.iter().any(|key| key.start <= start && start <= key.end);
        let Redacted { text, count } = if is_key { Redacted::whole() } else { redact(line) };
        if number > 0 {
            all.text.push('\n');
        }
        all.text.push_str(&text);
        all.count += count;
        start += line.len() + 1;
    }
    all
}

/// The private keys in a text, each from the start of its first line to that of its last.
pub(super) fn private_keys(text: &[u8]) -> Vec<Span> {
    let mut keys = Vec::new();
    let (Some(begins), Some(ends)) = (&SECRETS.begins, &SECRETS.ends) else { return keys };
    let start_of = |at: usize| text::line_at(text, at).map_or(text.len(), |line| line.start);
    let mut from = 0;
    while let Some(begin) = begins.find(Input::new(text).range(from..)) {
        let start = start_of(begin.start());
        let Some(end) = ends.find(Input::new(text).range(begin.end()..)) else {
            keys.push(Span { start, end: text.len() });
            break;
        };
        keys.push(Span { start, end: start_of(end.start()) });
        from = end.end();
    }
    keys
}

#[cfg(test)]
mod tests;
