//! The field `content`: its lines, and the escaping of control characters (section 7; FR-LS-05c,
//! E-E14).
//!
//! Every line ends with LF and has no other LF; notes are in the table's order.

use crate::outcome::Event;
use crate::tables::{Note, SearchTables};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Notes(Vec<NoteOf>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct NoteOf {
    note: Note,
    limit: u64,
    count: usize,
}

impl Notes {
    /// Adds a note if it applies, with the cap and the number of files or errors.
    pub(crate) fn add_if(&mut self, applies: bool, note: Note, limit: u64, count: usize) {
        if applies {
            self.0.push(NoteOf { note, limit, count });
        }
    }

    /// Whether a note says that a cap cut something.
    pub(crate) fn cut_something(&self, tables: &SearchTables) -> bool {
        tables.notes.iter().any(|row| row.truncates && self.0.iter().any(|of| of.note == row.note))
    }

    /// `incomplete_because`, in the order of the table.
    pub(crate) fn reasons(&self, tables: &SearchTables) -> Vec<&'static str> {
        let rows = tables.notes.iter().filter(|row| self.0.iter().any(|of| of.note == row.note));
        rows.filter_map(|row| row.because).collect()
    }
}

/// The lines of these events and notes.
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

/// The text with control characters escaped; lines keep their tabs.
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
