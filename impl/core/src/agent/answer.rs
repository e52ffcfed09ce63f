//! The answer of an agent tool, cut to its budget (FR-015b-22 to FR-015b-27, FR-015b-34,
//! FR-015b-39, NFR-015b-12, E-I13, E-I16, E-I21; docs/agent-tools.md, sections 3 and 7).
//!
//! Invariants: everything that is left out has a reason; results are dropped from the end; data and
//! text each fit the budget. Fields of results are declared in the order of their names, as JSON
//! has them: each result is written once, and the answer's JSON is made of that order.

use serde::Serialize;
use serde_json::Value;

use super::{
    cut::{Anchor, cut},
    notice::{Notice, NoticeKind, Reason},
    request::{MAX_RESULTS, Page},
    searched::{RootBy, Searched},
};
use crate::budget::{Budget, filled, largest};

mod text;

/// An answer within its budget: results `R`, and fields `O` of the tool alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer<R, O = ()> {
    /// Whether nothing was left out.
    pub complete: bool,
    /// Why something was left out, in a fixed order.
    pub incomplete_because: Vec<Reason>,
    /// What to try if there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The `offset` of the next page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Remarks, those about missing results first.
    pub notices: Vec<Notice>,
    /// The results, in order.
    pub results: Vec<R>,
    /// The number of results on all pages, as far as they were counted.
    pub total: u64,
    /// Whether results may exist that were not counted.
    pub total_is_lower_bound: bool,
    /// The fields of this tool alone.
    #[serde(flatten)]
    pub own: O,
    /// The answer as text, for reading.
    #[serde(skip)]
    pub text: String,
    /// Whether something was found.
    #[serde(skip)]
    pub found: bool,
}

impl<R: Serialize, O: Serialize> Answer<R, O> {
    /// The answer as JSON.
    pub fn to_json(&self) -> Value {
        // It is strings, numbers and lists, so it always serialises.
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// A result as the text of an answer shows it.
pub trait Shown: Serialize {
    /// The file's path as shown.
    fn path(&self) -> &str;

    /// Text after the path in the heading.
    fn heading(&self) -> String {
        String::new()
    }

    /// The lines below the heading: number, `:` for a match or `-` for context, text.
    fn lines(&self) -> Vec<(u64, char, &str)> {
        Vec::new()
    }

    /// Whether a shown line is truncated.
    fn is_cut(&self) -> bool {
        false
    }
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
pub struct Draft<R, O = ()> {
    /// The noun of a result, singular and plural.
    pub nouns: (&'static str, &'static str),
    /// The number of results known.
    pub total: u64,
    /// Text after `total` and its noun in the first line.
    pub counts: String,
    /// The results of the page, in order.
    pub results: Vec<R>,
    /// The page.
    pub page: Page,
    /// Why results are missing, where `searched` does not say it.
    pub stopped: Option<(Reason, String)>,
    /// What the search covered.
    pub searched: Searched,
    /// Further notices.
    pub notices: Vec<Notice>,
    /// What to try if nothing was found; may be empty.
    pub advice: String,
    /// How results are presented.
    pub listing: Listing,
    /// Fields of this tool alone.
    pub own: O,
}

impl<R: Shown, O: Clone + Serialize> Draft<R, O> {
    /// Drops results from the end until the answer fits the budget.
    pub fn fit(mut self, budget: &Budget<'_>) -> Answer<R, O> {
        let (kept, mut answer) = self.fitting(budget);
        self.results.truncate(kept);
        answer.results = self.results;
        answer
    }

    /// How many results fit, and the answer without them.
    fn fitting(&self, budget: &Budget<'_>) -> (usize, Answer<R, O>) {
        let all = self.results.len();
        let write = |result| serde_json::to_string(result).unwrap_or_default();
        let written: Vec<String> = self.results.iter().map(write).collect();
        let fitting = |kept: usize| {
            let mut frame = self.frame(kept);
            let data = filled(&frame.to_json(), "results", written.get(..kept).unwrap_or_default());
            if !budget.permits(&data) {
                return None;
            }
            frame.text = self.text(&frame, kept);
            budget.permits(&frame.text).then_some((kept, frame))
        };
        // If the results alone exceed the budget, the frame need not be written.
        let bytes: u64 = written.iter().map(|result| result.len() as u64).sum();
        let whole = if bytes <= budget.bytes { fitting(all) } else { None };
        whole.unwrap_or_else(|| {
            let mut none = self.frame(0);
            let near = budget.about(&none.to_json().to_string(), &written);
            largest(all.saturating_sub(1), near, fitting).unwrap_or_else(|| {
                none.text = self.text(&none, 0);
                (0, none)
            })
        })
    }

    /// The answer with its first `kept` results, without their list and its text.
    fn frame(&self, kept: usize) -> Answer<R, O> {
        let reasons = self.reasons(kept);
        let because: Vec<Reason> = reasons.iter().map(|(reason, _)| *reason).collect();
        let may_go_on = because.iter().any(|reason| !reason.hides());
        Answer {
            complete: because.is_empty(),
            message: self.message(),
            next_offset: (self.listing == Listing::Pages && may_go_on)
                .then_some(self.page.offset + kept),
            notices: self.all_notices(reasons, kept),
            results: Vec::new(),
            total: self.total,
            total_is_lower_bound: because.iter().any(|reason| reason.hides()),
            incomplete_because: because,
            own: self.own.clone(),
            text: String::new(),
            found: kept > 0 || (self.listing == Listing::None && self.total > 0),
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
            let on = if paged { format!("go on with `offset` {next}, ") } else { String::new() };
            reasons.push((
                Reason::MaxResults,
                format!("there are {total}; {on}raise `max_results` (at most {MAX_RESULTS}), or narrow the search"),
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
                let has_lines = self.results.iter().any(|found| !found.lines().is_empty());
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

    fn all_notices(&self, reasons: Vec<(Reason, String)>, kept: usize) -> Vec<Notice> {
        let missing = reasons
            .into_iter()
            .map(|(reason, why)| Notice::new(NoticeKind::Incomplete(reason), why));
        let cut = self.results.iter().take(kept).filter(|found| found.is_cut()).count();
        let cut = (cut > 0).then(|| {
            let why = format!("{cut} results have lines of more than 400 bytes, shown in part");
            Notice::new(NoticeKind::LinesCut, why)
        });
        let (last, others): (Vec<_>, Vec<_>) = self
            .notices
            .iter()
            .cloned()
            .partition(|notice| notice.kind == NoticeKind::Configuration);
        missing.chain(others).chain(cut).chain(last).collect()
    }

    /// The text of an answer without results.
    fn message(&self) -> Option<String> {
        if self.total > 0 {
            let (total, offset) = (self.total, self.page.offset as u64);
            let is_beyond = self.listing == Listing::Pages && offset >= total;
            return is_beyond.then(|| {
                let noun = self.noun();
                format!(
                    "`offset` {offset} is behind the last of {total} {noun}; give one below {total}"
                )
            });
        }
        let Searched { directory, files, root, left_out, .. } = &self.searched;
        let place = cut(directory, Anchor::Start).text;
        let nouns = self.noun();
        let within = if *files == 0 { String::new() } else { format!(" in {files} files") };
        let mut parts = vec![format!("no {nouns}{within} below `{place}`")];
        if *root == RootBy::Tool {
            let how = "`grep` has `hidden` and `no_ignore`";
            parts.push(format!("hidden and ignored files were left out ({how})"));
        } else if !left_out.is_empty() {
            parts.push(format!("not searched: {}", left_out.join(", ")));
        }
        parts.extend((!self.advice.is_empty()).then(|| self.advice.clone()));
        Some(parts.join("; "))
    }
}
