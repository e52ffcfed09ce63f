//! The form of a row.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::case::{Case, CasePreset, Contents, Entry, Node, Part, ROOT_MARK, Text, unescape};

/// One thing that a caller does, and the right answer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Unique among all rows: lower-case letters, digits, underscores.
    pub name: String,
    /// Where a caller met it; `own` for a neighbour of such a report.
    pub source: String,
    /// The tree: what lies at each path.
    #[serde(default)]
    files: Map<String, Value>,
    /// The roots, below the tree; the first is the working directory.
    #[serde(default = "whole_tree")]
    pub roots: Vec<String>,
    /// The preset that the configuration starts from.
    #[serde(default)]
    pub preset: CasePreset,
    /// The configuration, as TOML.
    #[serde(default)]
    pub config: String,
    /// Environment variables of the program.
    #[serde(default)]
    pub env: Map<String, Value>,
    pub ask: Ask,
    /// The parts of the answer that count.
    pub says: Value,
    /// Why this answer is right, in a sentence.
    pub why: String,
    /// Clauses that the row decides.
    #[serde(default)]
    pub verifies: Vec<String>,
    /// Why the model cannot be asked.
    #[serde(default)]
    pub model: Option<String>,
    #[serde(skip)]
    file: PathBuf,
}

/// What is asked.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub enum Ask {
    /// A call of a tool, with its arguments.
    Tool(String, Value),
    /// One request of the protocol, after an ordinary opening.
    Message(Value),
    /// A command line.
    Command {
        argv: Vec<String>,
        /// The directory it is typed in, below the tree.
        directory: String,
        /// Standard input; closed if absent.
        stdin: Option<Vec<u8>>,
    },
}

/// Rows that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    #[error("cannot read `{}`: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    #[error("`{}` holds no rows: {message}", path.display())]
    Syntax { path: PathBuf, message: String },
    #[error("row `{row}`: {message}")]
    Row { row: String, message: String },
}

/// The rows of every `.yaml` file of a directory, in the order of the files' names.
///
/// # Errors
/// A file cannot be read, is no list of rows, or two rows have one name.
pub fn load(directory: &Path) -> Result<Vec<Row>, RowError> {
    let io = |source| RowError::Io { path: directory.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut rows: Vec<Row> = Vec::new();
    for path in paths {
        let io = |source| RowError::Io { path: path.clone(), source };
        let text = fs::read_to_string(&path).map_err(io)?;
        let read: Vec<Row> = serde_yaml::from_str(&text)
            .map_err(|error| RowError::Syntax { path: path.clone(), message: error.to_string() })?;
        rows.extend(read.into_iter().map(|row| Row { file: path.clone(), ..row }));
    }
    for (number, row) in rows.iter().enumerate() {
        row.check()?;
        if rows.iter().take(number).any(|other| other.name == row.name) {
            return Err(row.wrong("the name is another row's"));
        }
    }
    Ok(rows)
}

impl Row {
    /// File and name, for people.
    pub fn place(&self) -> String {
        let file = self.file.file_name().unwrap_or_default().to_string_lossy();
        format!("{file}: {}", self.name)
    }

    /// The tree as a case, which has no question.
    pub(super) fn tree(&self) -> Case {
        let entries = self.files.iter().filter_map(|(path, node)| entry(path, node).ok());
        let mut case = Case::new("row", "row", Value::Null);
        case.tree = entries.collect();
        // A root may be empty.
        let roots = self.roots.iter().filter(|root| *root != ".");
        case.tree.extend(roots.map(|root| Entry::dir(root.as_str())));
        case
    }

    /// The answer, with the place of the tree for `{root}`.
    pub(super) fn says_at(&self, root: &Path) -> Value {
        let mut says = with_root(&self.says, &root.to_string_lossy());
        // What a program prints has line feeds, which are escaped as in files.
        for stream in ["out", "err"] {
            if let Some(Value::String(text)) = says.get_mut(stream)
                && let Ok(bytes) = unescape(text)
            {
                *text = String::from_utf8_lossy(&bytes).into_owned();
            }
        }
        says
    }

    fn wrong(&self, message: impl fmt::Display) -> RowError {
        RowError::Row { row: self.place(), message: message.to_string() }
    }

    fn check(&self) -> Result<(), RowError> {
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if self.name.is_empty() || !self.name.chars().all(is_plain) {
            return Err(self.wrong("a name has lower-case letters, digits and underscores"));
        }
        if self.why.trim().is_empty() || self.source.trim().is_empty() {
            return Err(self.wrong("`source` and `why` have to say something"));
        }
        if self.says.as_object().is_none_or(Map::is_empty) {
            return Err(self.wrong("`says` expects nothing, so the row cannot fail"));
        }
        for (path, node) in &self.files {
            entry(path, node).map_err(|message| self.wrong(format!("`{path}`: {message}")))?;
        }
        Ok(())
    }
}

impl TryFrom<Map<String, Value>> for Ask {
    type Error = String;

    fn try_from(mut given: Map<String, Value>) -> Result<Self, String> {
        let Some(argv) = given.remove("argv") else {
            let mut calls = given.into_iter();
            let (Some((tool, arguments)), None) = (calls.next(), calls.next()) else {
                return Err("`ask` has one tool, `message`, or `argv`".to_owned());
            };
            if tool == "message" {
                return Ok(Self::Message(arguments));
            }
            return Ok(Self::Tool(tool, arguments));
        };
        let argv = serde_json::from_value(argv).map_err(|error| format!("`argv`: {error}"))?;
        let directory = match given.remove("in") {
            None => ".".to_owned(),
            Some(Value::String(directory)) => directory,
            Some(other) => return Err(format!("`in` is a text, got {other}")),
        };
        let stdin = given.remove("stdin").map(serde_json::from_value::<Text>).transpose();
        let stdin = stdin.map_err(|error| format!("`stdin`: {error}"))?.map(|text| text.0);
        match given.keys().next() {
            Some(unknown) => Err(format!("`ask` knows `argv`, `in`, `stdin`; not `{unknown}`")),
            None => Ok(Self::Command { argv, directory, stdin }),
        }
    }
}

fn whole_tree() -> Vec<String> {
    vec![".".to_owned()]
}

/// What lies at a path: a text, or an object with one of `link`, `dir`, `fifo`, `unreadable`,
/// `repeat`.
fn entry(path: &str, node: &Value) -> Result<Entry, String> {
    let text = |value: &Value| {
        let text = serde_json::from_value::<Text>(value.clone());
        text.map(|text| text.0).map_err(|error| error.to_string())
    };
    let path = text(&Value::from(path))?;
    let Value::Object(object) = node else { return Ok(Entry::file(path, text(node)?)) };
    let mut fields = object.iter();
    let (Some((kind, value)), None) = (fields.next(), fields.next()) else {
        return Err("an object has one key".to_owned());
    };
    match (kind.as_str(), value) {
        ("link", target) => Ok(Entry::link(path, text(target)?)),
        ("dir", Value::Bool(true)) => Ok(Entry::dir(path)),
        ("fifo", Value::Bool(true)) => Ok(Entry::fifo(path)),
        ("unreadable", contents) => Ok(Entry::file(path, text(contents)?).unreadable()),
        ("repeat", Value::Array(given)) => {
            let mut parts = Vec::new();
            for pair in given.chunks(2) {
                let [bytes, Value::Number(times)] = pair else {
                    return Err("`repeat` is [text, times, ...]".to_owned());
                };
                let times = times.as_u64().ok_or("`repeat` takes whole numbers")?;
                parts.push(Part { bytes: Text(text(bytes)?), times });
            }
            let contents = Contents { parts };
            Ok(Entry { path, node: Node::File { contents, readable: true } })
        }
        _ => Err("allowed are {link: target}, {dir: true}, {fifo: true}, {unreadable: text}, \
                  {repeat: [text, times, ...]}"
            .to_owned()),
    }
}

/// A value with this place for `{root}` in its texts.
pub(super) fn with_root(value: &Value, root: &str) -> Value {
    match value {
        Value::String(text) => Value::from(text.replace(ROOT_MARK, root)),
        Value::Array(items) => items.iter().map(|item| with_root(item, root)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| (key.clone(), with_root(value, root))).collect()
        }
        other => other.clone(),
    }
}
