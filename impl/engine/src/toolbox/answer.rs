//! The answer of a call of any tool.

use std::{fmt::Write, mem};

use forge_search_core::{
    ToolError,
    agent::{self, Notice, Refusal, keyword},
    content::{escape_line, escape_name},
    response::Response,
};
use serde::Serialize;
use serde_json::{Value, json};

/// The answer of one call, as data and as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// As data, by the tool's output schema unless it is an error.
    pub structured: Value,
    /// As text, for reading.
    pub text: String,
    /// Whether the call was refused or failed.
    pub is_error: bool,
    /// Whether there are results.
    pub found: bool,
    /// Whether nothing was left out.
    pub complete: bool,
    /// Number of results.
    pub results: u64,
    /// The number of the call in the log.
    pub query_id: u64,
}

impl Answer {
    /// The answer of a call that failed before the tools existed.
    pub fn failed(error: ToolError) -> Self {
        Self::refused(&Refusal::of(error, "", ""))
    }

    pub(super) fn refused(refusal: &Refusal) -> Self {
        let (structured, text) = (refusal.to_json(), refusal.to_string());
        Self { structured, text, is_error: true, ..Self::default() }
    }

    pub(super) fn response(mut response: Response) -> Self {
        let text = mem::take(&mut response.content);
        let mut structured = serde_json::to_value(&response).unwrap_or_default();
        // The text goes out beside the data; once is enough.
        if let Some(fields) = structured.as_object_mut() {
            fields.remove("content");
        }
        let (found, complete, results) = (response.count > 0, response.complete(), response.count);
        Self { structured, text, found, complete, results, ..Self::default() }
    }

    /// The answer of `search_files`, whose text is JSON.
    pub(super) fn contents(json: &str, found: bool, complete: bool) -> Self {
        let structured: Value = serde_json::from_str(json).unwrap_or_default();
        let none = Vec::new();
        let matches = structured.get("matches").and_then(Value::as_array).unwrap_or(&none);
        let mut text = String::new();
        for found in matches {
            let field = |name: &str| found.get(name).and_then(Value::as_str).unwrap_or_default();
            let number = found.get("line").and_then(Value::as_u64).unwrap_or_default();
            let (path, line) = (escape_name(field("path")), escape_line(field("line_text")));
            // Writing to a string does not fail.
            let _ = writeln!(text, "{path}:{number}:{line}");
        }
        if !complete {
            text += "[incomplete: stats and errors of the data say why]\n";
        } else if !found {
            text += "[nothing found]\n";
        }
        let results = matches.len() as u64;
        Self { structured, text, found, complete, results, ..Self::default() }
    }

    /// Adds a notice to what the tool says.
    pub(super) fn add(&mut self, notice: &Notice) {
        let _ = writeln!(self.text, "[{}]", escape_name(&notice.message));
        if let Some(fields) = self.structured.as_object_mut() {
            let notices = fields.entry("notices").or_insert_with(|| json!([]));
            if let Some(notices) = notices.as_array_mut() {
                notices.push(json!(notice));
            }
        }
    }
}

impl<R: Serialize, O: Serialize> From<agent::Answer<R, O>> for Answer {
    fn from(answer: agent::Answer<R, O>) -> Self {
        Self {
            structured: answer.to_json(),
            found: answer.found,
            complete: answer.complete,
            results: answer.results.len() as u64,
            text: answer.text,
            ..Self::default()
        }
    }
}

impl From<keyword::Answer> for Answer {
    fn from(answer: keyword::Answer) -> Self {
        match answer {
            keyword::Answer::Files(files) => (*files).into(),
            keyword::Answer::DryRun(dry) => Self {
                structured: json!(dry),
                text: dry.text().to_owned(),
                found: dry.prompt.is_some(),
                complete: dry.complete,
                ..Self::default()
            },
        }
    }
}
