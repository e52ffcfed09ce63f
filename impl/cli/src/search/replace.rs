//! `--replace`: matches replaced in the lines that are shown, as ripgrep does it.

use forge_search_engine::listing::Line;
use regex_automata::{
    Anchored, Input,
    meta::{Builder, Config, Regex},
    util::{captures::Captures, interpolate, syntax},
};

use super::pattern::Sought;
use crate::errors::Failure;

/// Largest compiled expression, in bytes: as the engine has it.
const AUTOMATON_BYTES: usize = 10 << 20;

/// Replaces matches.
#[derive(Clone, Debug)]
pub(super) struct Replacement {
    regex: Regex,
    text: String,
}

impl Replacement {
    /// The text for each match of what is sought.
    pub(super) fn new(sought: &Sought, text: &str) -> Result<Self, Failure> {
        let pattern = if sought.literal {
            regex_syntax::escape(&sought.pattern)
        } else {
            sought.pattern.clone()
        };
        let pattern = if sought.word {
            format!(r"\b{{start-half}}(?:{pattern})\b{{end-half}}")
        } else {
            pattern
        };
        let regex = Builder::new()
            .configure(Config::new().nfa_size_limit(Some(AUTOMATON_BYTES)))
            .syntax(syntax::Config::new().utf8(false))
            .build(&pattern)
            .map_err(|err| Failure::new(format!("--replace: {err}; leave it out")))?;
        Ok(Self { regex, text: text.to_owned() })
    }

    /// The text of a match in `line`; nothing if there is none at this place.
    pub(super) fn of(&self, line: &[u8], (start, end): (usize, usize)) -> Vec<u8> {
        let line = visible(line);
        let mut found: Captures = self.regex.create_captures();
        let input = Input::new(line).range(start..).anchored(Anchored::Yes);
        self.regex.search_captures(&input, &mut found);
        let mut text = Vec::new();
        let group = |number: usize, text: &mut Vec<u8>| {
            let span = if number == 0 {
                Some(start..end)
            } else {
                found.get_group(number).map(|span| span.range())
            };
            text.extend(span.and_then(|span| line.get(span)).unwrap_or_default());
        };
        let names = self.regex.group_info();
        let name = |name: &str| names.to_index(regex_automata::PatternID::ZERO, name);
        interpolate::bytes(self.text.as_bytes(), group, name, &mut text);
        text
    }

    /// The line with its matches replaced, and where the new texts stand.
    pub(super) fn line(&self, line: &Line) -> Line {
        let (mut bytes, mut matches, mut from) = (Vec::new(), Vec::new(), 0);
        for &(start, end) in &line.matches {
            bytes.extend(line.bytes.get(from..start).unwrap_or_default());
            let at = bytes.len();
            bytes.extend(self.of(&line.bytes, (start, end)));
            matches.push((at, bytes.len()));
            from = end;
        }
        bytes.extend(line.bytes.get(from..).unwrap_or_default());
        Line { bytes, matches, ..*line }
    }
}

/// A line without LF, and without one CR before it.
fn visible(line: &[u8]) -> &[u8] {
    match line {
        [rest @ .., b'\r', b'\n'] | [rest @ .., b'\n'] => rest,
        _ => line,
    }
}
