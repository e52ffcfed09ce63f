//! `--json`: an event a line, in the form that ripgrep's manual gives for its `--json`.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use forge_search_engine::{
    escape_json,
    listing::{FileLines, Line},
};
use serde_json::{Value, json};

use super::line::LineWriter;

/// Sums over all files, and since when.
pub(super) struct Events {
    since: Instant,
    /// Of the file that is being printed.
    file: Sums,
    all: Sums,
}

#[derive(Clone, Copy, Default)]
struct Sums {
    took: Duration,
    searches: u64,
    bytes_searched: u64,
    bytes_printed: u64,
    matched_lines: u64,
    matches: u64,
}

impl Sums {
    fn json(&self) -> Value {
        json!({
            "elapsed": duration(self.took),
            "searches": self.searches,
            "searches_with_match": self.searches,
            "bytes_searched": self.bytes_searched,
            "bytes_printed": self.bytes_printed,
            "matched_lines": self.matched_lines,
            "matches": self.matches,
        })
    }
}

impl Events {
    pub(super) fn new() -> Self {
        Self { since: Instant::now(), file: Sums::default(), all: Sums::default() }
    }

    /// A file with a match begins.
    pub(super) fn begin(&mut self, path: &[u8], out: &mut impl Write) -> io::Result<()> {
        let begin = json!({ "type": "begin", "data": { "path": data(path) } });
        self.file = Sums { searches: 1, bytes_printed: event(out, &begin)?, ..Sums::default() };
        Ok(())
    }

    /// Its lines, or some of them. `room` is how many may still be shown.
    pub(super) fn lines(
        &mut self,
        path: &[u8],
        file: &FileLines,
        writer: &LineWriter,
        room: &mut Option<u64>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let (path, sums) = (data(path), &mut self.file);
        for line in &file.lines {
            if *room == Some(0) {
                break;
            }
            if line.matched {
                *room = room.map(|room| room - 1);
                sums.matched_lines += 1;
                sums.matches += line.matches.len() as u64;
            }
            sums.bytes_printed += event(out, &line_event(&path, line, writer))?;
        }
        Ok(())
    }

    /// It ends.
    pub(super) fn end(
        &mut self,
        path: &[u8],
        file: &FileLines,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let sums = Sums { took: file.elapsed, bytes_searched: file.bytes, ..self.file };
        let end = json!({ "path": data(path), "binary_offset": null, "stats": sums.json() });
        event(out, &json!({ "type": "end", "data": end }))?;
        let all = &mut self.all;
        all.took += sums.took;
        all.searches += 1;
        all.bytes_searched += sums.bytes_searched;
        all.bytes_printed += sums.bytes_printed;
        all.matched_lines += sums.matched_lines;
        all.matches += sums.matches;
        Ok(())
    }

    /// The last event. Files without a match are not counted: an index need not have read them.
    pub(super) fn summary(&self, out: &mut impl Write) -> io::Result<()> {
        let data = json!({
            "elapsed_total": duration(self.since.elapsed()), "stats": self.all.json(),
        });
        event(out, &json!({ "type": "summary", "data": data })).map(drop)
    }
}

fn line_event(path: &Value, line: &Line, writer: &LineWriter) -> Value {
    let submatch = |&(start, end): &(usize, usize)| {
        let found = line.bytes.get(start..end).unwrap_or_default();
        let mut one = json!({ "match": data(found), "start": start, "end": end });
        if let (Some(replacement), Some(fields)) = (&writer.replacement, one.as_object_mut()) {
            let text = replacement.of(&line.bytes, (start, end));
            fields.insert("replacement".to_owned(), data(&text));
        }
        one
    };
    json!({
        "type": if line.matched { "match" } else { "context" },
        "data": {
            "path": path,
            "lines": data(&line.bytes),
            "line_number": line.number,
            "absolute_offset": line.offset,
            "submatches": line.matches.iter().map(submatch).collect::<Vec<_>>(),
        },
    })
}

/// Text, or bytes that are none.
fn data(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => json!({ "text": text }),
        Err(_) => json!({ "bytes": STANDARD.encode(bytes) }),
    }
}

fn duration(took: Duration) -> Value {
    json!({
        "secs": took.as_secs(),
        "nanos": took.subsec_nanos(),
        "human": format!("{:.6}s", took.as_secs_f64()),
    })
}

/// Writes an event on a line of its own; how long it is.
fn event(out: &mut impl Write, event: &Value) -> io::Result<u64> {
    // A terminal may be where it goes.
    let text = escape_json(&event.to_string());
    writeln!(out, "{text}")?;
    Ok(text.len() as u64 + 1)
}
