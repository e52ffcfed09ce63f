//! The answer's text, and how it is made to fit (FR-SF-OUT-01 to FR-SF-OUT-05, NFR-SF-REL-01;
//! docs/search-files.md, sections 6 and 7).
//!
//! Responsible for: the JSON, letter by letter, and what is left out if it is longer than
//! permitted. Left to neighbours: what was found ([`super::collect`]). Invariants: the text is one
//! JSON object at most as long as permitted; a higher limit only extends its lists; the time a
//! search took changes no length.

use std::fmt::Write;

use crate::{budget::largest, content::is_control, error::ToolError};

/// Digits that `elapsed_ms` is padded to.
const ELAPSED_WIDTH: usize = 10;
/// The largest number of so many digits.
const MAX_ELAPSED_MS: u64 = 9_999_999_999;
/// What is said where the budget left something out.
const OVER_BUDGET: &str = "max_output_bytes";
/// What an answer may be incomplete by, in this order.
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

/// One match, before it is rendered.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileMatch<'m> {
    pub(super) path: &'m str,
    /// 1-based.
    pub(super) line: u64,
    /// 1-based byte offset in `line_text`.
    pub(super) column: u64,
    pub(super) match_text: &'m str,
    pub(super) line_text: &'m str,
    /// `before` and `after`, rendered by [`push_context`].
    pub(super) context: &'m str,
    pub(super) score: Option<f64>,
}

/// What `stats` says, the time apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Eligible files up to where the answer ends.
    pub files_scanned: u64,
    /// Those with a match.
    pub files_matched: u64,
    /// Matches seen.
    pub matches_total: u64,
    /// Files with more matches than count.
    pub files_cut: u64,
    /// Files over the size cap.
    pub files_oversized: u64,
    /// Files that are no text.
    pub files_binary: u64,
    /// Directories that were too deep.
    pub directories_not_entered: u64,
    /// Problems, before the budget.
    pub errors_total: u64,
}

/// A whole answer, before the budget.
#[derive(Clone, Debug)]
pub struct Answer<'r> {
    /// The search root as shown.
    pub path: String,
    /// The query as given.
    pub query: &'r str,
    /// As effective.
    pub mode: &'static str,
    /// As effective.
    pub case: &'static str,
    /// As effective.
    pub max_results: u64,
    /// Rendered matches, those that some budget could hold.
    pub matches: Vec<String>,
    /// Rendered problems, likewise.
    pub errors: Vec<String>,
    /// Whether matches or problems are missing above, which no budget could hold.
    pub more: bool,
    /// What was cut, but for the budget.
    pub because: Vec<&'static str>,
    /// The figures.
    pub stats: Stats,
    /// Milliseconds the call took.
    pub elapsed_ms: u64,
}

/// An answer that fits, and what its callers need to know without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fitted {
    /// One JSON object.
    pub text: String,
    /// Whether matches were found, whatever the budget left of them.
    pub found: bool,
    /// Whether nothing is missing.
    pub complete: bool,
}

impl Answer<'_> {
    fn found(&self) -> bool {
        self.stats.matches_total > 0
    }

    /// The text, at most `budget` bytes long. The error names the smallest budget that works.
    pub fn fit(&self, budget: u64) -> Result<Fitted, ToolError> {
        let whole = Part { matches: self.matches.len(), errors: self.errors.len(), over: false };
        let whole_length = if self.more { u64::MAX } else { self.length(whole) };
        if whole_length <= budget {
            return Ok(self.fitted(whole));
        }
        if let Some(part) = self.most(self.matches.len(), |part| self.length(part) <= budget) {
            return Ok(self.fitted(part));
        }
        // Where there is next to nothing to leave out, saying that it was left out takes more room
        // than it does.
        let needed = self.length(Part::NOTHING).min(whole_length);
        Err(ToolError::failed(
            OVER_BUDGET,
            format!(
                "the answer may have {budget} bytes, but even without matches and errors it has {needed}; allow at least {needed} (the smaller of max_output_bytes and available_capacity_bytes counts)"
            ),
        ))
    }

    /// The most of the answer that `permits` lets pass; its frame if even that is too much. `near`
    /// is about how many matches that is.
    pub fn shortened(&self, near: usize, permits: impl Fn(&Fitted) -> bool) -> Fitted {
        let part = self.most(near, |part| permits(&self.fitted(part)));
        self.fitted(part.unwrap_or(Part::NOTHING))
    }

    /// The longest part that fits: matches give way to problems (FR-SF-OUT-05).
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

    /// Whether problems are missing, which no budget could hold.
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

    /// What stands before the matches, between matches and errors, and after them.
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
        // The document knows three reasons; the budget's is the last word, since it is what can be
        // mended.
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

/// How much of an answer is told.
#[derive(Clone, Copy)]
struct Part {
    matches: usize,
    errors: usize,
    /// Something is left out for the budget.
    over: bool,
}

impl Part {
    const NOTHING: Self = Self { matches: 0, errors: 0, over: true };
}

/// The length of rendered items with commas between them.
fn list_length(items: &[String]) -> u64 {
    let lengths: usize = items.iter().map(String::len).sum();
    (lengths + items.len().saturating_sub(1)) as u64
}

/// Writes a string as JSON. What a terminal would obey is escaped, so that the text may be shown
/// anywhere (C-04).
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
            // All of them have four digits at most.
            _ if is_control(c) => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
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

/// Renders `before` and `after`.
pub(super) fn push_context(out: &mut String, before: &[&str], after: &[&str]) {
    out.push_str("\"before\":");
    push_list(out, before);
    out.push_str(",\"after\":");
    push_list(out, after);
}

/// Renders one match.
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
        // The shortest decimal that reads back the same; a whole number has a `.0`.
        Some(score) => {
            let _ = write!(out, ",\"score\":{score:?}}}");
        }
        None => out.push_str(",\"score\":null}"),
    }
}

/// Renders one problem.
pub(super) fn push_error(out: &mut String, path: &str, error: &str) {
    out.push_str("{\"path\":");
    push_string(out, path);
    out.push_str(",\"error\":");
    push_string(out, error);
    out.push('}');
}

#[cfg(test)]
mod tests;
