//! How the fake shows what it found: JSON lines for lines and spans, text for the rest.

use std::io::{self, Write as _};
use std::process::ExitCode;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use touchstone_spec::adapter::Show;

use super::Found;
use super::engine::Event;
use super::kind::Kind;

/// Prints the answer; the exit status that goes with it.
pub(super) fn print(kind: Kind, show: Show, found: &[Found]) -> Result<ExitCode, String> {
    let mut printed = Vec::new();
    let mut something = false;
    for Found { path, events } in found {
        let selected = events.iter().filter(|event| event.selected).count();
        let matches: usize = events
            .iter()
            .filter(|event| event.selected)
            .map(|event| event.spans.len().max(1))
            .sum();
        let counted = if kind == Kind::CountsMatches { matches } else { selected };
        something |= match show {
            Show::FilesWithout => (selected == 0) != (kind == Kind::FilesInverted),
            _ => selected > 0,
        };
        match show {
            Show::Lines | Show::Spans => {
                lines(kind, path, events, &mut printed).map_err(|error| error.to_string())?;
            }
            Show::Count if counted > 0 => {
                printed.extend_from_slice(path);
                printed.extend_from_slice(format!("\0{counted}\n").as_bytes());
            }
            Show::Files if selected > 0 => named(path, &mut printed),
            Show::FilesWithout if (selected == 0) != (kind == Kind::FilesInverted) => {
                named(path, &mut printed);
            }
            _ => {}
        }
    }
    if kind == Kind::TornOutput {
        printed.truncate(printed.len().saturating_sub(3));
    }
    // A reader that went away does not care for the status.
    let _ = io::stdout().write_all(&printed);
    Ok(match kind {
        Kind::StatusAlwaysFine => ExitCode::SUCCESS,
        Kind::StatusNone if found.len() > 1 => ExitCode::from(1),
        _ if something => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

fn named(path: &[u8], printed: &mut Vec<u8>) {
    printed.extend_from_slice(path);
    printed.push(0);
}

fn lines(
    kind: Kind,
    path: &[u8],
    events: &[Event],
    printed: &mut Vec<u8>,
) -> serde_json::Result<()> {
    let mut events: Vec<&Event> = events.iter().collect();
    match kind {
        Kind::DropsLast => {
            events.pop();
        }
        Kind::ReordersLines if events.len() > 1 => events.swap(0, 1),
        Kind::Duplicates => events = events.into_iter().flat_map(|event| [event, event]).collect(),
        _ => {}
    }
    for event in events {
        let spans: Vec<Value> =
            event.spans.iter().map(|(start, end)| json!({"start": start, "end": end})).collect();
        let record = json!({
            "type": if event.selected { "match" } else { "context" },
            "path": text(path),
            "line": event.number,
            "text": text(&event.text),
            "spans": spans,
        });
        serde_json::to_writer(&mut *printed, &record)?;
        printed.push(b'\n');
    }
    Ok(())
}

fn text(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => json!({"text": text}),
        Err(_) => json!({"bytes": BASE64_STANDARD.encode(bytes)}),
    }
}

/// A piece of a flood.
pub(super) fn flood() -> io::Result<()> {
    io::stdout().write_all(&[b'x'; 4096])
}
