//! The field `content`: the answer as text, one line per event, with control characters escaped
//! (FR-LS-05c, E-E14, D11).

use std::fmt::Write;

use crate::response::{Event, EventType};

/// Characters beside controls that reorder text or are not seen, as ranges in order. The joiners
/// U+200C and U+200D and the selectors U+FE0E and U+FE0F are text: scripts and emoji need them.
const UNSEEN: [(char, char); 18] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200b}'),
    ('\u{200e}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0d}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{ffa0}', '\u{ffa0}'),
    ('\u{fff0}', '\u{fffb}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    // Tags, and selectors that no text has.
    ('\u{e0000}', '\u{e0fff}'),
];

/// Whether the character moves a cursor, ends a line or reorders text, so that one line could look
/// like another, or is not seen, so that a model reads what a person does not.
pub(crate) fn is_control(c: char) -> bool {
    let is_unseen = |(first, last): &(char, char)| (*first..=*last).contains(&c);
    c.is_control() || c >= '\u{ad}' && UNSEEN.iter().any(is_unseen)
}

/// Appends a character as JSON's escapes.
pub(crate) fn push_json_escape(out: &mut String, c: char) {
    for unit in c.encode_utf16(&mut [0; 2]) {
        // Writing to a string does not fail.
        let _ = write!(out, "\\u{unit:04x}");
    }
}

fn push_escaped(out: &mut String, text: &str, keep_tab: bool) {
    for c in text.chars() {
        match c {
            '\t' if keep_tab => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if is_control(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
}

/// A name with control characters escaped, including tabs.
pub fn escape_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    push_escaped(&mut out, name, false);
    out
}

/// Equivalent JSON whose strings have control characters escaped, safe for a terminal.
pub fn escape_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_control(c) {
            push_json_escape(&mut out, c);
        } else {
            out.push(c);
        }
    }
    out
}

/// A line with control characters escaped, except tabs.
pub fn escape_line(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    push_escaped(&mut out, line, true);
    out
}

/// Why an answer is incomplete, each reason with its figure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Level of the fuzzy pass shown.
    pub near: Option<u8>,
    /// Name and value of the event cap that ended the answer.
    pub events: Option<(&'static str, u64)>,
    /// `max_files`, if eligible files lie beyond it.
    pub files: Option<u64>,
    /// `max_matches_per_file`, and the number of files it cut.
    pub matches_per_file: Option<(u64, u64)>,
    /// `max_file_size_bytes`, and the number of files over it.
    pub file_size: Option<(u64, u64)>,
    /// Number of files scanned when the deadline expired.
    pub timed_out: Option<u64>,
    /// Number of places that could not be searched.
    pub errors: u64,
}

/// The line of an event.
pub fn line(event: &Event) -> String {
    let data = &event.data;
    let mut out = String::with_capacity(data.path.text.len() + data.lines.text.len() + 16);
    push_escaped(&mut out, &data.path.text, false);
    // Writing to a string does not fail.
    let _ = match (event.r#type, data.column) {
        (EventType::Match, Some(column)) => write!(out, ":{}:{column}:", data.line_number),
        _ => write!(out, "-{}-", data.line_number),
    };
    push_escaped(&mut out, &data.lines.text, true);
    out.push('\n');
    out
}

impl Notes {
    /// Appends the notes. `matched` says whether the answer has a match event.
    pub(crate) fn write(&self, matched: bool, out: &mut String) -> std::fmt::Result {
        if let Some(level) = self.near {
            writeln!(out, "[no exact match: lines within {level} edits are shown]")?;
        }
        if !matched {
            writeln!(out, "[no matches]")?;
        }
        if let Some((name, value)) = self.events {
            writeln!(out, "[truncated: {name} {value} reached, more events exist]")?;
        }
        if let Some(value) = self.files {
            writeln!(out, "[truncated: max_files {value} reached, more files exist]")?;
        }
        if let Some((value, cut)) = self.matches_per_file {
            writeln!(out, "[truncated: max_matches_per_file {value} reached, files cut: {cut}]")?;
        }
        if let Some((value, skipped)) = self.file_size {
            writeln!(
                out,
                "[truncated: max_file_size_bytes {value} exceeded, files skipped: {skipped}]"
            )?;
        }
        if let Some(files) = self.timed_out {
            writeln!(out, "[timed out: files searched: {files}]")?;
        }
        if self.errors > 0 {
            writeln!(out, "[errors: {}]", self.errors)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_controls_are_escaped_and_text_is_not() {
        assert_eq!(escape_line("\u{1b}[31mfoo\tbar\r"), "\\u{1b}[31mfoo\tbar\\r");
        assert_eq!(escape_name("a\nb\tc"), "a\\nb\\tc");
        assert_eq!(escape_line("x\u{202e}y\u{9b}z\u{2028}"), "x\\u{202e}y\\u{9b}z\\u{2028}");
        assert_eq!(escape_line("é\\n"), "é\\n");
    }
}
