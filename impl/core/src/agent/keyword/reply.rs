//! Parses the reply of a language model, tolerantly (REQ-KWS-003.4, E-I26; docs/keyword-search.md,
//! section 7).

use serde_json::{Deserializer, Value};

use crate::agent::cut::boundary;

/// Bytes of a reply that are parsed.
const READ_BYTES: usize = 64 << 10;
/// Maximum number of positions at which JSON is tried.
const PLACES: usize = 1_000;
/// Longest reason shown, in bytes.
const REASON_BYTES: usize = 300;

/// A file that a model named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedFile {
    /// The path as written; `None` if the item has none.
    pub path: Option<String>,
    /// Line numbers.
    pub lines: Vec<u64>,
    /// Number of items that are no line number.
    pub not_lines: u64,
    /// The model's reason, on one line.
    pub reason: Option<String>,
}

/// A parsed reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A list of files, in the model's order.
    Files(Vec<NamedFile>),
    /// No list of files.
    Malformed,
}

/// Parses a reply.
pub fn read(answer: &str) -> Reply {
    let answer = start_of(answer, READ_BYTES);
    let answer = answer.rsplit_once("</think>").map_or(answer, |(_, said)| said);
    let places = answer.char_indices().filter(|(_, c)| matches!(c, '{' | '['));
    for (at, _) in places.take(PLACES) {
        let rest = answer.get(at..).unwrap_or_default();
        let value = Deserializer::from_str(rest).into_iter::<Value>().next();
        if let Some(Ok(value)) = value
            && let Some(items) = list_of_files(&value)
        {
            return Reply::Files(items.iter().map(named).collect());
        }
    }
    Reply::Malformed
}

fn list_of_files(value: &Value) -> Option<&Vec<Value>> {
    match value {
        Value::Object(fields) => ["files", "results", "ranked_files"]
            .iter()
            .find_map(|name| fields.get(*name))?
            .as_array(),
        Value::Array(items)
            if !items.is_empty() && items.iter().all(|item| path_of(item).is_some()) =>
        {
            Some(items)
        }
        _ => None,
    }
}

fn path_of(item: &Value) -> Option<&str> {
    let field = |name: &str| item.get(name).and_then(Value::as_str);
    item.as_str().or_else(|| field("path")).or_else(|| field("file"))
}

/// A path without surrounding punctuation that models add.
pub(super) fn bare(path: &str) -> &str {
    let bare = path.trim_matches(|c: char| c.is_whitespace() || c == '`');
    bare.strip_prefix("./").unwrap_or(bare)
}

fn named(item: &Value) -> NamedFile {
    let path = path_of(item).map(str::to_owned);
    let mut named = NamedFile { path, ..NamedFile::default() };
    for line in item.get("lines").and_then(Value::as_array).into_iter().flatten() {
        match number(line) {
            Some(line) => named.lines.push(line),
            None => named.not_lines += 1,
        }
    }
    let field = |name: &str| item.get(name).and_then(Value::as_str);
    named.reason = field("reason").or_else(|| field("explanation")).and_then(one_line);
    named
}

/// A whole number, as a JSON number or as digits in a string.
fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| {
            let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
            format!("{float:.0}").parse().ok()
        }),
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    }
}

/// A text on one line, at most [`REASON_BYTES`] long; `None` if it is blank.
fn one_line(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    let short = start_of(&line, REASON_BYTES);
    let omitted = if short.len() < line.len() { "…" } else { "" };
    (!line.is_empty()).then(|| format!("{short}{omitted}"))
}

/// The longest prefix of at most `most` bytes that ends at a character boundary.
pub(super) fn start_of(text: &str, most: usize) -> &str {
    let end = boundary(text, most);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(answer: &str) -> Option<Vec<String>> {
        match read(answer) {
            Reply::Files(files) => Some(
                files
                    .into_iter()
                    .filter_map(|file| file.path.map(|path| bare(&path).to_owned()))
                    .collect(),
            ),
            Reply::Malformed => None,
        }
    }

    #[test]
    fn a_file_list_is_found_within_any_text_of_a_model() {
        for answer in [
            r#"{"files":[{"path":"a.rs","lines":[1],"reason":"x"}]}"#,
            "Sure! Here it is:\n```json\n{\"files\": [{\"path\": \"./a.rs\"}]}\n```\nAnything else?",
            "<think>{\"files\": [\"b.rs\"]}</think>{\"results\": [\"`a.rs`\"]}",
            r#"{"answer": {"ranked_files": [{"file": " a.rs "}]}}"#,
            r#"["a.rs"]"#,
            r#"{"note": "[", "x": 1} {"files": ["a.rs"]} {"files": ["b.rs"]}"#,
        ] {
            assert_eq!(paths(answer), Some(vec!["a.rs".to_owned()]), "{answer}");
        }
    }

    #[test]
    fn a_reply_without_a_file_list_is_malformed() {
        for answer in [
            "",
            "I cannot help with that.",
            "{\"files\": \"a.rs\"}",
            "[1, 2]",
            "[]",
            "{\"files\": [\"a.rs\"",
        ] {
            assert_eq!(read(answer), Reply::Malformed, "{answer}");
        }
        assert_eq!(read("{\"files\": []}"), Reply::Files(Vec::new()));
    }

    #[test]
    fn line_numbers_are_read_from_numbers_and_strings() {
        let Reply::Files(files) =
            read(r#"{"files":[{"path":"a","lines":[3,"12",4.0,"x",-1,1.5,null]}]}"#)
        else {
            panic!("garbled")
        };
        assert_eq!((files[0].lines.as_slice(), files[0].not_lines), (&[3, 12, 4][..], 4));
    }

    #[test]
    fn a_reason_is_one_line_of_bounded_length() {
        assert_eq!(one_line(" a\n\tb\u{1b}[31m c ").as_deref(), Some("a b [31m c"));
        assert_eq!(one_line(" \n"), None);
        let long = one_line(&"é".repeat(200)).unwrap();
        assert_eq!((long.len(), long.ends_with('…')), (303, true));
    }
}
