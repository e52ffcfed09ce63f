//! The JSON text of an answer, with fields in the order of the tables (section 7).
//!
//! There is no white space outside strings except the padding of `elapsed_ms`; control characters
//! are escaped.

use std::fmt::Write as _;

use super::Config;
use super::answer::Answer;
use super::file_matches::{Match, count};

#[derive(Debug, Clone, PartialEq)]
enum Json {
    Null,
    Flag(bool),
    Integer(u64),
    /// An integer padded with spaces on the left to this many characters (E-I05).
    Padded(u64, u64),
    Score(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

/// The text of an answer with an `elapsed_ms` of 0.
pub(super) fn written(config: &Config, answer: &Answer) -> String {
    let mut text = String::new();
    write(&mut text, config.search.tables.escaped, &of_answer(config, answer));
    text
}

/// The fields of a table that have a value, in the table's order.
fn object(fields: &'static [&'static str], value: impl Fn(&str) -> Option<Json>) -> Json {
    Json::Object(fields.iter().filter_map(|name| Some((*name, value(name)?))).collect())
}

fn of_answer(config: &Config, answer: &Answer) -> Json {
    let tables = config.tables;
    let list = |values: Vec<Json>| Json::List(values);
    object(tables.answer, |name| {
        Some(match name {
            "path" => text(&answer.path),
            "query" => text(&answer.query),
            "mode" => text(answer.mode),
            "case" => text(answer.case),
            "matches" => {
                list(answer.matches.iter().map(|of| of_match(tables.matches, of)).collect())
            }
            "returned" => Json::Integer(count(answer.matches.len())),
            "max_results" => Json::Integer(answer.max_results),
            "truncated" => {
                let rows = tables.incomplete_because.iter().filter(|row| row.truncates);
                let mut applying = rows.filter(|row| answer.short_of.contains(&row.shortfall));
                Json::Flag(applying.next().is_some())
            }
            "truncated_reason" => {
                let reason =
                    tables.truncated_reasons.iter().find(|of| answer.short_of.contains(of));
                reason.map_or(Json::Null, |reason| text(reason.name()))
            }
            "stats" => of_stats(config, answer),
            "errors" => list(answer.errors.iter().map(|of| of_error(tables.errors, of)).collect()),
            _ => return None,
        })
    })
}

fn of_match(fields: &'static [&'static str], of: &Match) -> Json {
    let lines = |lines: &[String]| Json::List(lines.iter().map(|line| text(line)).collect());
    object(fields, |name| {
        Some(match name {
            "path" => text(&of.path),
            "line" => Json::Integer(of.line),
            "column" => Json::Integer(of.column),
            "match_text" => text(&of.matched),
            "line_text" => text(&of.line_text),
            "before" => lines(&of.before),
            "after" => lines(&of.after),
            "score" => of.score.map_or(Json::Null, Json::Score),
            _ => return None,
        })
    })
}

fn of_error(fields: &'static [&'static str], (path, message): &(String, String)) -> Json {
    object(fields, |name| match name {
        "path" => Some(text(path)),
        "error" => Some(text(message)),
        _ => None,
    })
}

fn of_stats(config: &Config, answer: &Answer) -> Json {
    let stats = &answer.stats;
    object(config.tables.stats, |name| {
        Some(match name {
            "files_scanned" => Json::Integer(stats.files_scanned),
            "files_matched" => Json::Integer(stats.files_matched),
            "matches_total" => Json::Integer(stats.matches_total),
            "elapsed_ms" => Json::Padded(0, config.tables.limits.elapsed_width),
            "complete" => Json::Flag(answer.short_of.is_empty()),
            "incomplete_because" => {
                let reasons = config.tables.incomplete_because.iter();
                let named = reasons.filter(|row| answer.short_of.contains(&row.shortfall));
                Json::List(named.map(|row| text(row.shortfall.name())).collect())
            }
            "files_cut" => Json::Integer(stats.files_cut),
            "files_oversized" => Json::Integer(stats.files_oversized),
            "files_binary" => Json::Integer(stats.files_binary),
            "directories_not_entered" => Json::Integer(stats.directories_not_entered),
            "errors_total" => Json::Integer(stats.errors_total),
            _ => return None,
        })
    })
}

fn text(text: &str) -> Json {
    Json::Text(text.to_owned())
}

/// Appends a value. `escaped` are the characters escaped in strings, besides quotation mark and
/// backslash.
fn write(out: &mut String, escaped: &[(u32, u32)], value: &Json) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Flag(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Json::Integer(number) => out.push_str(&number.to_string()),
        Json::Padded(number, width) => {
            let digits = number.to_string();
            let missing = usize::try_from(*width).unwrap_or_default().saturating_sub(digits.len());
            out.push_str(&" ".repeat(missing));
            out.push_str(&digits);
        }
        Json::Score(score) => out.push_str(&decimal(*score)),
        Json::Text(text) => write_text(out, escaped, text),
        Json::List(values) => {
            out.push('[');
            for (value, place) in values.iter().zip(0..) {
                separate(out, place);
                write(out, escaped, value);
            }
            out.push(']');
        }
        Json::Object(fields) => {
            out.push('{');
            for ((name, value), place) in fields.iter().zip(0..) {
                separate(out, place);
                write_text(out, escaped, name);
                out.push(':');
                write(out, escaped, value);
            }
            out.push('}');
        }
    }
}

fn separate(out: &mut String, place: usize) {
    if place > 0 {
        out.push(',');
    }
}

/// The shortest decimal that parses to the same double, with at least one digit after the point.
fn decimal(score: f64) -> String {
    let shortest = score.to_string();
    if shortest.contains('.') { shortest } else { format!("{shortest}.0") }
}

fn write_text(out: &mut String, escaped: &[(u32, u32)], text: &str) {
    out.push('"');
    for character in text.chars() {
        let scalar = u32::from(character);
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            _ if escaped.iter().any(|(from, to)| (*from..=*to).contains(&scalar)) => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests;
