//! Cases as YAML that a person reads and writes.
//!
//! Responsible for: reading with file and line in every error, and a layout that is short, stable
//! and diffs well. Not here: the keys ([`super::form`]), the escapes ([`crate::escapes`]).
//! Invariants: what is written reads back as the same case; a string stands plain only if no reader
//! of YAML could take it for anything else; no line of the output holds a control character.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use touchstone_spec::yaml::{self, YamlError};

use super::{CallContext, Case, CaseConfig, CaseError, DEFAULT_TOOL, Entry, Node, Part, escape};

impl Case {
    /// Parses a case file; `path` is only for messages.
    pub fn parse(text: &str, path: &Path) -> Result<Self, CaseError> {
        yaml::read(text).map_err(|YamlError { message, line, .. }| CaseError::Syntax {
            path: path.to_owned(),
            line,
            message,
        })
    }

    /// The text of the case's file.
    pub fn to_yaml(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        writeln!(text, "id: {}", scalar(&self.id))?;
        writeln!(text, "title: {}", sentence(&self.title))?;
        if !self.clauses.is_empty() {
            writeln!(text, "clauses: {}", list(&self.clauses))?;
        }
        if !self.tree.is_empty() {
            writeln!(text, "tree:")?;
        }
        for entry in &self.tree {
            write_entry(text, entry)?;
        }
        if self.config != CaseConfig::default() {
            let config = serde_json::to_value(&self.config).unwrap_or_default();
            writeln!(text, "config: {}", flow(&config))?;
        }
        if self.tool != DEFAULT_TOOL {
            writeln!(text, "tool: {}", scalar(&self.tool))?;
        }
        if self.context != CallContext::default() {
            let context = serde_json::to_value(self.context).unwrap_or_default();
            writeln!(text, "context: {}", flow(&context))?;
        }
        if let Some(model) = &self.model {
            let model = serde_json::to_value(model).unwrap_or_default();
            writeln!(text, "model: {}", flow(&model))?;
        }
        writeln!(text, "request: {}", flow(&self.request))?;
        if let Some(as_written) = &self.as_written {
            writeln!(text, "as_written:")?;
            let fields = serde_json::to_value(as_written).unwrap_or_default();
            for key in ["program", "args", "env", "stdin", "cwd", "shows"] {
                if let Some(value) = fields.get(key) {
                    writeln!(text, "  {key}: {}", flow(value))?;
                }
            }
        }
        Ok(())
    }
}

fn write_entry(text: &mut String, entry: &Entry) -> std::fmt::Result {
    let path = name(&entry.path);
    match &entry.node {
        Node::File { contents, readable } => {
            writeln!(text, "  - file: {path}")?;
            if let Some(bytes) = contents.single() {
                writeln!(text, "    bytes: {}", quoted(&escape(bytes)))?;
            } else {
                writeln!(text, "    parts:")?;
                contents.parts.iter().try_for_each(|part| write_part(text, part))?;
            }
            write_readable(text, *readable)
        }
        Node::Dir { readable } => {
            writeln!(text, "  - dir: {path}")?;
            write_readable(text, *readable)
        }
        Node::Link { target } => {
            writeln!(text, "  - link: {path}")?;
            writeln!(text, "    target: {}", name(target))
        }
        Node::Fifo => writeln!(text, "  - fifo: {path}"),
    }
}

fn write_part(text: &mut String, part: &Part) -> std::fmt::Result {
    let bytes = quoted(&escape(&part.bytes.0));
    match part.times {
        1 => writeln!(text, "      - {{bytes: {bytes}}}"),
        times => writeln!(text, "      - {{bytes: {bytes}, times: {times}}}"),
    }
}

fn write_readable(text: &mut String, readable: bool) -> std::fmt::Result {
    if readable { Ok(()) } else { writeln!(text, "    readable: false") }
}

/// A name or target: escaped, and without quotes where possible.
fn name(bytes: &[u8]) -> String {
    scalar(&escape(bytes))
}

fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| scalar(item)).collect();
    format!("[{}]", items.join(", "))
}

/// A JSON value on one line, keys sorted.
fn flow(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) => value.to_string(),
        Value::Number(number) => {
            let digits = number.to_string();
            // YAML's floats need a dot, or `1e300` may be read as text.
            match digits.split_once(['e', 'E']) {
                Some((mantissa, exponent)) if !mantissa.contains('.') => {
                    format!("{mantissa}.0e{exponent}")
                }
                _ => digits,
            }
        }
        Value::String(text) => scalar(text),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| *key);
            let fields: Vec<String> = fields
                .iter()
                .map(|(key, value)| format!("{}: {}", scalar(key), flow(value)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}

/// A string as a YAML scalar: plain if no reader could take it for another value, else quoted.
pub fn scalar(text: &str) -> String {
    if is_plain(text, b"") { text.to_owned() } else { quoted(text) }
}

/// A string that is alone on its line, where commas need no quotes.
fn sentence(text: &str) -> String {
    if is_plain(text, b",;") { text.to_owned() } else { quoted(text) }
}

/// In single quotes if no character needs an escape, else in double quotes.
fn quoted(text: &str) -> String {
    // Only characters that the escaped form of names and contents permits are written raw; others
    // are invisible or combine.
    if escape(text.as_bytes()).replace("\\\\", "\\") == text {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut written = String::from("\"");
    for character in text.chars() {
        let mut one = [0; 4];
        let one = character.encode_utf8(&mut one);
        let _ = match character {
            '"' | '\\' => write!(written, "\\{character}"),
            '\n' => write!(written, "\\n"),
            '\t' => write!(written, "\\t"),
            '\r' => write!(written, "\\r"),
            '\0' => write!(written, "\\0"),
            _ if escape(one.as_bytes()) == *one => write!(written, "{character}"),
            _ if u32::from(character) <= 0xff => write!(written, "\\x{:02x}", u32::from(character)),
            _ if u32::from(character) <= 0xffff => {
                write!(written, "\\u{:04x}", u32::from(character))
            }
            _ => write!(written, "\\U{:08x}", u32::from(character)),
        };
    }
    written.push('"');
    written
}

/// Whether a string can stand without quotes: words of letters, digits and a few signs that YAML
/// gives no meaning to (or none here: `also`), and that read as no number, boolean, null or date in
/// any version of YAML.
fn is_plain(text: &str, also: &[u8]) -> bool {
    const TAKEN: [&str; 13] = [
        "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf", "infinity", "~",
    ];
    let is_sign = |byte: u8| b"_-./()".contains(&byte) || also.contains(&byte);
    let are_words = text.split(' ').all(|word| {
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_sign(byte))
    });
    // Names like `.git` and `../a` are plain; `.5`, `.inf` and `...` are not.
    let letters = text.trim_start_matches(['.', '/']);
    let starts_plainly =
        letters.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    are_words && starts_plainly && !TAKEN.contains(&letters.to_ascii_lowercase().as_str())
}
