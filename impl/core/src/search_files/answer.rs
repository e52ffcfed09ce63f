//! The answer's JSON, and how it is shortened to a budget (FR-SF-OUT-01 to FR-SF-OUT-05,
//! NFR-SF-REL-01; docs/search-files.md, sections 6 and 7).
//!
//! Invariants: the text is one JSON object within the budget; a higher limit only extends its
//! lists; its length does not depend on the duration.

use std::fmt::Write;

use crate::{
    budget::largest,
    content::{is_control, push_json_escape},
    error::ToolError,
};

/// Digits to which `elapsed_ms` is padded.
const ELAPSED_WIDTH: usize = 10;
/// The largest number of that many digits.
const MAX_ELAPSED_MS: u64 = 9_999_999_999;
/// The reason for what the budget left out.
const OVER_BUDGET: &str = "max_output_bytes";
/// The values of `incomplete_because`, in order.
const REASONS: [&str; 9] = [
    "max_results",
    OVER_BUDGET,
    "max_files",
    "max_matches_per_file",
    "max_file_size_bytes",
    "max_depth",
    "timeout",
    "backend_error",
    "errors",
];

/// A match before it is serialised.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileMatch<'m> {
    pub(super) path: &'m str,
    /// Line number, 1-based.
    pub(super) line: u64,
    /// Byte offset in `line_text`, 1-based.
    pub(super) column: u64,
    pub(super) match_text: &'m str,
    pub(super) line_text: &'m str,
    /// `before` and `after`, as [`push_context`] writes them.
    pub(super) context: &'m str,
    pub(super) score: Option<f64>,
}

/// The figures of `stats`, except the duration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Eligible files up to where the answer ends.
    pub files_scanned: u64,
    /// Files with a match.
    pub files_matched: u64,
    /// Matches seen.
    pub matches_total: u64,
    /// Files with more matches than `max_matches_per_file`.
    pub files_cut: u64,
    /// Files over the size cap.
    pub files_oversized: u64,
    /// Binary files.
    pub files_binary: u64,
    /// Directories below the depth limit.
    pub directories_not_entered: u64,
    /// Errors before the budget is applied.
    pub errors_total: u64,
}

/// A whole answer before the budget is applied.
#[derive(Clone, Debug)]
pub struct Answer<'r> {
    /// The search root as shown.
    pub path: String,
    /// The query as given.
    pub query: &'r str,
    /// The effective mode.
    pub mode: &'static str,
    /// The effective case mode.
    pub case: &'static str,
    /// The effective limit.
    pub max_results: u64,
    /// Serialised matches, as many as some budget could hold.
    pub matches: Vec<String>,
    /// Serialised errors, as many as some budget could hold.
    pub errors: Vec<String>,
    /// Whether matches or errors that no budget could hold are missing.
    pub more: bool,
    /// What was cut, except by the budget.
    pub because: Vec<&'static str>,
    /// The figures of `stats`.
    pub stats: Stats,
    /// Duration of the call in milliseconds.
    pub elapsed_ms: u64,
}

/// An answer within the budget, with facts that callers need without parsing it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// One JSON object.
    pub text: String,
    /// Whether there is a match, even if the budget removed it.
    pub found: bool,
    /// Whether nothing is missing.
    pub complete: bool,
}

impl Answer<'_> {
    fn found(&self) -> bool {
        self.stats.matches_total > 0
    }

    /// The text, at most `budget` bytes long. The error names the smallest sufficient budget.
    pub fn fit(&self, budget: u64) -> Result<Fitted, ToolError> {
        let whole = Part { matches: self.matches.len(), errors: self.errors.len(), over: false };
        let whole_length = if self.more { u64::MAX } else { self.length(whole) };
        if whole_length <= budget {
            return Ok(self.fitted(whole));
        }
        if let Some(part) = self.most(self.matches.len(), |part| self.length(part) <= budget) {
            return Ok(self.fitted(part));
        }
        // If little can be removed, the note about the removal is longer than what it saves.
        let needed = self.length(Part::NOTHING).min(whole_length);
        Err(ToolError::failed(
            OVER_BUDGET,
            format!(
                "the answer may have {budget} bytes, but even without matches and errors it has {needed}; allow at least {needed} (the smaller of max_output_bytes and available_capacity_bytes counts)"
            ),
        ))
    }

    /// The longest answer that `permits` accepts; its frame if even that is too long. `near` is a
    /// guess of the number of matches.
    pub fn shortened(&self, near: usize, permits: impl Fn(&Fitted) -> bool) -> Fitted {
        let part = self.most(near, |part| permits(&self.fitted(part)));
        self.fitted(part.unwrap_or(Part::NOTHING))
    }

    /// The longest part that fits: matches are dropped before errors (FR-SF-OUT-05).
    fn most(&self, near: usize, fits: impl Fn(Part) -> bool) -> Option<Part> {
        let part = |matches, errors| Part { matches, errors, over: true };
        let all = self.errors.len();
        let with_all_errors = |matches| Some(part(matches, all)).filter(|part| fits(*part));
        let matches = largest(self.matches.len(), near, with_all_errors);
        let without_matches = |errors| Some(part(0, errors)).filter(|part| fits(*part));
        matches.filter(|_| !self.more_errors()).or_else(|| largest(all, all, without_matches))
    }

    fn fitted(&self, part: Part) -> Fitted {
        Fitted {
            text: self.render(part),
            found: self.found(),
            complete: self.because.is_empty() && !part.over,
        }
    }

    /// Whether errors that no budget could hold are missing.
    fn more_errors(&self) -> bool {
        (self.errors.len() as u64) < self.stats.errors_total
    }

    fn length(&self, part: Part) -> u64 {
        let matches = list_length(self.matches.get(..part.matches).unwrap_or(&self.matches));
        let errors = list_length(self.errors.get(..part.errors).unwrap_or(&self.errors));
        let [head, middle, tail] = self.envelope(part);
        (head.len() + middle.len() + tail.len()) as u64 + matches + errors
    }

    fn render(&self, part: Part) -> String {
        let [mut out, middle, tail] = self.envelope(part);
        out.push_str(&self.matches.get(..part.matches).unwrap_or(&self.matches).join(","));
        out.push_str(&middle);
        out.push_str(&self.errors.get(..part.errors).unwrap_or(&self.errors).join(","));
        out + &tail
    }

    /// The text before the matches, between matches and errors, and after the errors.
    fn envelope(&self, part: Part) -> [String; 3] {
        let mut head = String::from("{\"path\":");
        push_string(&mut head, &self.path);
        head.push_str(",\"query\":");
        push_string(&mut head, self.query);
        let _ =
            write!(head, ",\"mode\":\"{}\",\"case\":\"{}\",\"matches\":[", self.mode, self.case);

        let reasons: Vec<&str> = REASONS
            .into_iter()
            .filter(|reason| self.because.contains(reason) || (part.over && *reason == OVER_BUDGET))
            .collect();
        // The document names three reasons. The budget is last, since the caller can change it.
        let named = [OVER_BUDGET, "max_results", "max_files"];
        let reason = named.into_iter().find(|named| reasons.contains(named));
        let reason = reason.map_or_else(|| "null".to_owned(), |reason| format!("\"{reason}\""));
        let truncated = reasons.iter().any(|reason| *reason != "errors");
        let stats = &self.stats;
        let mut middle = format!(
            "],\"returned\":{},\"max_results\":{},\"truncated\":{truncated},\"truncated_reason\":{reason},\"stats\":{{",
            part.matches, self.max_results
        );
        let list = if reasons.is_empty() {
            String::new()
        } else {
            format!("\"{}\"", reasons.join("\",\""))
        };
        let _ = write!(
            middle,
            "\"files_scanned\":{},\"files_matched\":{},\"matches_total\":{},\"elapsed_ms\":{:>ELAPSED_WIDTH$},\"complete\":{},\
             \"incomplete_because\":[{list}],\"files_cut\":{},\"files_oversized\":{},\"files_binary\":{},\
             \"directories_not_entered\":{},\"errors_total\":{}}},\"errors\":[",
            stats.files_scanned,
            stats.files_matched,
            stats.matches_total,
            self.elapsed_ms.min(MAX_ELAPSED_MS),
            reasons.is_empty(),
            stats.files_cut,
            stats.files_oversized,
            stats.files_binary,
            stats.directories_not_entered,
            stats.errors_total,
        );
        [head, middle, "]}".to_owned()]
    }
}

/// How much of an answer is written.
#[derive(Clone, Copy)]
struct Part {
    matches: usize,
    errors: usize,
    /// Whether the budget removed something.
    over: bool,
}

impl Part {
    const NOTHING: Self = Self { matches: 0, errors: 0, over: true };
}

/// The length of serialised items with commas between them.
fn list_length(items: &[String]) -> u64 {
    let lengths: usize = items.iter().map(String::len).sum();
    (lengths + items.len().saturating_sub(1)) as u64
}

/// Appends a JSON string. Control characters are escaped, so that the text is safe for a terminal
/// (C-04).
fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            _ if is_control(c) => push_json_escape(out, c),
            _ => out.push(c),
        }
    }
    out.push('"');
}

fn push_list(out: &mut String, texts: &[&str]) {
    out.push('[');
    for (number, text) in texts.iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        push_string(out, text);
    }
    out.push(']');
}

/// Serialises `before` and `after`.
pub(super) fn push_context(out: &mut String, before: &[&str], after: &[&str]) {
    out.push_str("\"before\":");
    push_list(out, before);
    out.push_str(",\"after\":");
    push_list(out, after);
}

/// Serialises a match.
pub(super) fn push_match(out: &mut String, found: &FileMatch<'_>) {
    out.push_str("{\"path\":");
    push_string(out, found.path);
    let _ = write!(out, ",\"line\":{},\"column\":{},\"match_text\":", found.line, found.column);
    push_string(out, found.match_text);
    out.push_str(",\"line_text\":");
    push_string(out, found.line_text);
    out.push(',');
    out.push_str(found.context);
    match found.score {
        // The shortest decimal that parses to the same value; a whole number gets `.0`.
        Some(score) => {
            let _ = write!(out, ",\"score\":{score:?}}}");
        }
        None => out.push_str(",\"score\":null}"),
    }
}

/// Serialises an error.
pub(super) fn push_error(out: &mut String, path: &str, error: &str) {
    out.push_str("{\"path\":");
    push_string(out, path);
    out.push_str(",\"error\":");
    push_string(out, error);
    out.push('}');
}

#[cfg(test)]
mod tests;
