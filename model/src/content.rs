//! `content`: the view of an answer for people.
//!
//! Responsible for: the lines of section 7 and the escaping of characters that a terminal would
//! obey (FR-LS-05c,
//! E-E14).
//! Left to neighbours: which events and notes there are (`answer`); the wording of notes (the
//! tables).
//! Invariants: every line ends with LF, and no other LF is in it; notes come in the table's order.

use crate::outcome::Event;
use crate::tables::{Note, SearchTables};

/// The notes of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Notes(Vec<NoteOf>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct NoteOf {
    note: Note,
    limit: u64,
    count: usize,
}

impl Notes {
    /// Adds a note where it applies, with the cap in force and the number of files or errors it is
    /// about.
    pub(crate) fn add_if(&mut self, applies: bool, note: Note, limit: u64, count: usize) {
        if applies {
            self.0.push(NoteOf { note, limit, count });
        }
    }

    /// Whether one of them says that a cap cut something.
    pub(crate) fn cut_something(&self, tables: &SearchTables) -> bool {
        tables.notes.iter().any(|row| row.truncates && self.0.iter().any(|of| of.note == row.note))
    }

    /// What the answer is incomplete by, in the order of the table.
    pub(crate) fn reasons(&self, tables: &SearchTables) -> Vec<&'static str> {
        let rows = tables.notes.iter().filter(|row| self.0.iter().any(|of| of.note == row.note));
        rows.filter_map(|row| row.because).collect()
    }
}

/// The lines for these events and notes.
pub(crate) fn render(tables: &SearchTables, events: &[Event], notes: &Notes) -> String {
    let mut content = String::new();
    for event in events {
        content.push_str(&of_event(tables, event));
        content.push('\n');
    }
    for row in tables.notes {
        for of in notes.0.iter().filter(|of| of.note == row.note) {
            let limit = of.limit.to_string();
            let count = of.count.to_string();
            content.push_str(&row.text.replace("{limit}", &limit).replace("{count}", &count));
            content.push('\n');
        }
    }
    content
}

fn of_event(tables: &SearchTables, event: &Event) -> String {
    match event {
        Event::Match { path, line, column, text, .. } => {
            format!(
                "{}:{line}:{column}:{}",
                escaped(tables, path, false),
                escaped(tables, text, true)
            )
        }
        Event::Context { path, line, text } => {
            format!("{}-{line}-{}", escaped(tables, path, false), escaped(tables, text, true))
        }
    }
}

/// The text with control characters and their like written out; in the text of a line a tab stays.
pub(crate) fn escaped(tables: &SearchTables, text: &str, is_line: bool) -> String {
    text.chars()
        .map(|character| {
            let scalar = u32::from(character);
            let obeyed = tables.escaped.iter().any(|(from, to)| (*from..=*to).contains(&scalar));
            match character {
                _ if !obeyed => character.to_string(),
                '\t' if is_line => character.to_string(),
                '\n' => "\\n".to_owned(),
                '\r' => "\\r".to_owned(),
                '\t' => "\\t".to_owned(),
                _ => format!("\\u{{{scalar:x}}}"),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests;
