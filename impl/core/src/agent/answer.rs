//! The answer of an agent tool, cut to its budget (FR-015b-22 to FR-015b-27, FR-015b-34,
//! FR-015b-39, NFR-015b-12, E-I13, E-I16, E-I21; docs/agent-tools.md, sections 3 and 7).
//!
//! Invariants: everything that is left out has a reason; results are dropped from the end; data and
//! text each fit the budget.

use serde_json::{Map, Value, json};

use super::request::Page;
use crate::{
    budget::{Budget, filled, largest},
    response::PathError,
};

mod text;

pub use text::Lines;

const RESULTS: &str = "results";

/// A value of `incomplete_because`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// More results exist than the page shows.
    MaxResults,
    /// The answer exceeded its budget.
    Budget,
    /// Counting stopped at its limit.
    Counted,
    /// More files match than are ranked.
    Ranked,
    /// Search terms were skipped.
    TermsSkipped,
    /// Eligible files lie beyond `max_files`.
    MaxFiles,
    /// Files exceed `max_file_size_bytes`.
    MaxFileSize,
    /// The deadline expired.
    Timeout,
    /// The search program failed.
    BackendError,
    /// Files or directories could not be read.
    Errors,
}

impl Reason {
    /// The name in `incomplete_because`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::MaxResults => "max_results",
            Self::Budget => "budget",
            Self::Counted => "counted",
            Self::Ranked => "ranked",
            Self::TermsSkipped => "terms_skipped",
            Self::MaxFiles => "max_files",
            Self::MaxFileSize => "max_file_size_bytes",
            Self::Timeout => "timeout",
            Self::BackendError => "backend_error",
            Self::Errors => "errors",
        }
    }

    /// Whether results may exist that were not counted, so that `total` is a lower bound.
    const fn hides(self) -> bool {
        !matches!(self, Self::MaxResults | Self::Budget)
    }

    const fn code(self) -> Option<&'static str> {
        match self {
            Self::Timeout => Some("ACODE-SRC-004"),
            _ => None,
        }
    }
}

/// A remark about an answer, such as a missing index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The kind of notice.
    pub notice: &'static str,
    /// The error code that the document assigns, if any.
    pub code: Option<&'static str>,
    /// One sentence.
    pub message: String,
}

impl Notice {
    /// A notice without a code.
    pub fn new(notice: &'static str, message: impl Into<String>) -> Self {
        Self { notice, code: None, message: message.into() }
    }

    /// The notice as JSON.
    pub fn to_json(&self) -> Value {
        match self.code {
            Some(code) => json!({ "notice": self.notice, "code": code, "message": self.message }),
            None => json!({ "notice": self.notice, "message": self.message }),
        }
    }
}

/// Who chose the search root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootBy {
    /// The field `directory` of the request.
    #[default]
    Request,
    /// The tool.
    Tool,
}

/// What a search covered and what it could not read.
#[derive(Clone, Debug, Default)]
pub struct Searched {
    /// The search root as shown.
    pub directory: String,
    /// Eligible files.
    pub files: u64,
    /// Eligible files over the size limit.
    pub oversized: u64,
    /// Unreadable places, in path order.
    pub errors: Vec<PathError>,
    /// Eligible files lie beyond `max_files`.
    pub more_files: bool,
    /// The deadline expired.
    pub timed_out: bool,
    /// The search program failed.
    pub backend_failed: bool,
    /// The limit `max_files`.
    pub max_files: u64,
    /// The limit `max_file_size_bytes`.
    pub max_file_size_bytes: u64,
    /// Who chose the search root.
    pub root: RootBy,
}

impl Searched {
    /// Merges two searches of the same files: the union of what each missed.
    #[must_use]
    pub(super) fn worse(self, other: &Self) -> Self {
        Self {
            files: self.files.max(other.files),
            oversized: self.oversized.max(other.oversized),
            errors: if other.errors.len() > self.errors.len() {
                other.errors.clone()
            } else {
                self.errors
            },
            more_files: self.more_files || other.more_files,
            timed_out: self.timed_out || other.timed_out,
            backend_failed: self.backend_failed || other.backend_failed,
            ..self
        }
    }

    /// Whether the whole search root was covered and holds no eligible file.
    pub fn found_no_file(&self) -> bool {
        self.files == 0 && !self.more_files && !self.timed_out && !self.backend_failed
    }

    fn reasons(&self) -> Vec<(Reason, String)> {
        let mut reasons = Vec::new();
        if self.more_files {
            let most = self.max_files;
            let how = if self.root == RootBy::Tool {
                "`grep` can be told a `directory`"
            } else {
                "name a `directory`"
            };
            reasons.push((
                Reason::MaxFiles,
                format!("only the first {most} files, in path order, were looked at; {how}"),
            ));
        }
        if self.oversized > 0 {
            let (files, most) = (self.oversized, self.max_file_size_bytes);
            reasons.push((
                Reason::MaxFileSize,
                format!("{files} files are larger than {most} bytes and were not read"),
            ));
        }
        if self.timed_out {
            let files = self.files;
            let how = if self.root == RootBy::Tool {
                "give fewer terms, or more of what is looked for"
            } else {
                "name a `directory` or give more of what is looked for"
            };
            reasons.push((
                Reason::Timeout,
                format!("the time was up after {files} files; these are partial results; {how}"),
            ));
        }
        if self.backend_failed {
            let why = "the search program failed on the way; these are the results before that";
            reasons.push((Reason::BackendError, why.to_owned()));
        }
        if let Some(first) = self.errors.first() {
            let place = super::cut::cut(&first.path, super::cut::Anchor::Start).text;
            let count = self.errors.len();
            reasons.push((
                Reason::Errors,
                format!(
                    "{count} places could not be read, the first being `{place}`: {}",
                    first.error
                ),
            ));
        }
        reasons
    }
}

/// A result as data and as text.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultItem {
    /// The result as JSON.
    pub json: Value,
    /// The file's path as shown.
    pub path: String,
    /// Text after the path in the heading.
    pub heading: String,
    /// The lines that the text shows.
    pub lines: Lines,
    /// Whether a shown line is truncated.
    pub cut: bool,
}

/// How an answer presents its results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listing {
    /// In pages.
    #[default]
    Pages,
    /// On a single page.
    OnePage,
    /// As counts only.
    None,
}

/// A tool's answer before it is cut to its budget.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The noun of a result, singular and plural.
    pub nouns: (&'static str, &'static str),
    /// The number of results known.
    pub total: u64,
    /// Text after `total` and its noun in the first line.
    pub counts: String,
    /// The results of the page, in order.
    pub results: Vec<ResultItem>,
    /// The page.
    pub page: Page,
    /// Why results are missing, where `searched` does not say it.
    pub stopped: Option<(Reason, String)>,
    /// What the search covered.
    pub searched: Searched,
    /// Further notices.
    pub notices: Vec<Notice>,
    /// What to try if nothing was found.
    pub advice: String,
    /// How results are presented.
    pub listing: Listing,
    /// Fields of this tool alone.
    pub fields: Map<String, Value>,
}

/// An answer within its budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The answer as JSON.
    pub structured: Value,
    /// The answer as text.
    pub text: String,
    /// Whether there is a result.
    pub found: bool,
    /// Whether nothing was left out.
    pub complete: bool,
}

impl Answer {
    /// Drops results from the end until the answer fits the budget.
    pub fn fit(&self, budget: &Budget<'_>) -> Fitted {
        let all = self.results.len();
        let written: Vec<String> =
            self.results.iter().map(|found| found.json.to_string()).collect();
        let fits = |kept: usize| {
            let written = written.get(..kept).unwrap_or_default();
            budget.permits(&filled(&self.frame(kept), RESULTS, written))
                && budget.permits(&self.text(kept))
        };
        // If the results alone exceed the budget, the frame need not be written.
        let bytes: u64 = written.iter().map(|result| result.len() as u64).sum();
        let kept = if bytes <= budget.bytes && fits(all) {
            all
        } else {
            let near = budget.about(&self.frame(0).to_string(), &written);
            let most = all.saturating_sub(1);
            largest(most, near, |kept| fits(kept).then_some(kept)).unwrap_or(0)
        };
        Fitted {
            structured: self.structured(kept),
            text: self.text(kept),
            found: kept > 0 || (self.listing == Listing::None && self.total > 0),
            complete: self.reasons(kept).is_empty(),
        }
    }

    fn reasons(&self, kept: usize) -> Vec<(Reason, String)> {
        let mut reasons = self.results_missing(kept);
        reasons.extend(self.stopped.clone());
        reasons.extend(self.searched.reasons());
        reasons
    }

    /// Why known results are not listed.
    fn results_missing(&self, kept: usize) -> Vec<(Reason, String)> {
        let mut reasons = Vec::new();
        if self.listing == Listing::None {
            return reasons;
        }
        let paged = self.listing == Listing::Pages;
        let shown = self.page.offset as u64 + self.results.len() as u64;
        // A search that stopped counting has seen one more result.
        let counted = matches!(self.stopped, Some((Reason::Counted, _)));
        if (self.total > shown || counted) && self.results.len() >= self.page.max_results {
            let (total, next) = (self.total, self.page.offset + kept);
            let most = super::request::MAX_RESULTS;
            let on = if paged { format!("go on with `offset` {next}, ") } else { String::new() };
            reasons.push((
                Reason::MaxResults,
                format!("there are {total}; {on}raise `max_results` (at most {most}), or narrow the search"),
            ));
        }
        // Results that were not collected for lack of memory are missing too.
        let missing = self.page.max_results.min(
            usize::try_from(self.total).unwrap_or(usize::MAX).saturating_sub(self.page.offset),
        );
        if kept < missing {
            let left = missing - kept;
            let next = self.page.offset + kept;
            let way = if paged {
                let has_lines = self.results.iter().any(|found| !found.lines.matching.is_empty());
                let or = if has_lines { ", or ask for fewer `context_lines`" } else { "" };
                format!("go on with `offset` {next}{or}")
            } else {
                "ask for fewer `max_results`, or with rarer terms".to_owned()
            };
            reasons.push((
                Reason::Budget,
                format!("{left} more results would make this answer too long; {way}"),
            ));
        }
        reasons
    }

    fn all_notices(&self, reasons: &[(Reason, String)], kept: usize) -> Vec<Notice> {
        let of = |(reason, message): &(Reason, String)| Notice {
            notice: reason.name(),
            code: reason.code(),
            message: message.clone(),
        };
        let mut notices: Vec<Notice> = reasons.iter().map(of).collect();
        notices
            .extend(self.notices.iter().filter(|notice| notice.notice != "configuration").cloned());
        let cut = self.results.iter().take(kept).filter(|found| found.cut).count();
        if cut > 0 {
            notices.push(Notice::new(
                "lines_cut",
                format!("{cut} results have lines of more than 400 bytes, shown in part"),
            ));
        }
        notices
            .extend(self.notices.iter().filter(|notice| notice.notice == "configuration").cloned());
        notices
    }

    /// The answer with its first `kept` results, as JSON.
    fn structured(&self, kept: usize) -> Value {
        let mut frame = self.frame(kept);
        let results = self.results.iter().take(kept).map(|found| found.json.clone()).collect();
        if let Some(list) = frame.get_mut(RESULTS) {
            *list = Value::Array(results);
        }
        frame
    }

    /// The JSON without results; its list is empty.
    fn frame(&self, kept: usize) -> Value {
        let reasons = self.reasons(kept);
        let names: Vec<&str> = reasons.iter().map(|(reason, _)| reason.name()).collect();
        let pages =
            self.listing == Listing::Pages && reasons.iter().any(|(reason, _)| !reason.hides());
        let mut fields = self.fields.clone();
        fields.insert("total".to_owned(), self.total.into());
        fields.insert(
            "total_is_lower_bound".to_owned(),
            reasons.iter().any(|(reason, _)| reason.hides()).into(),
        );
        fields.insert("complete".to_owned(), reasons.is_empty().into());
        fields.insert("incomplete_because".to_owned(), names.into());
        if pages {
            fields.insert("next_offset".to_owned(), (self.page.offset + kept).into());
        }
        fields.insert(RESULTS.to_owned(), Value::Array(Vec::new()));
        let notices: Vec<Value> =
            self.all_notices(&reasons, kept).iter().map(Notice::to_json).collect();
        fields.insert("notices".to_owned(), notices.into());
        if let Some(message) = self.message() {
            fields.insert("message".to_owned(), message.into());
        }
        Value::Object(fields)
    }

    /// The text of an answer without results.
    fn message(&self) -> Option<String> {
        if self.total > 0 {
            let (one, several) = self.nouns;
            let (total, offset) = (self.total, self.page.offset as u64);
            let noun = if total == 1 { one } else { several };
            let is_beyond = self.listing == Listing::Pages && offset >= total;
            return is_beyond.then(|| {
                format!(
                    "`offset` {offset} is behind the last of {total} {noun}; give one below {total}"
                )
            });
        }
        let Searched { directory, files, root, .. } = &self.searched;
        let place = super::cut::cut(directory, super::cut::Anchor::Start).text;
        let (_, nouns) = self.nouns;
        let within = if *files == 0 { String::new() } else { format!(" in {files} files") };
        let how = if *root == RootBy::Tool {
            "`grep` finds them if their directory is named"
        } else {
            "name their directory in `directory` to search them"
        };
        Some(format!(
            "no {nouns}{within} below `{place}`; hidden and ignored files were left out ({how}); {}",
            self.advice
        ))
    }
}
