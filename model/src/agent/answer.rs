//! The answer with the results of all pages: `total`, `complete`, `incomplete_because`,
//! `next_offset`, notices and `message` (section 3), for any number of results that the budget
//! leaves.
//!
//! Invariants: an answer that lacks something is not complete, and has a notice for it.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::Config;
use super::request::Call;
use crate::meter::{Meter, Passed};
use crate::tables::agent::{AgentTables, Notice, Reason};
use crate::tables::caps::{CapLimit, Caps, Counted, Part};

/// Stands for values that are free: any non-empty message, and modification times.
pub const FREE_TEXT: &str = "(said)";

/// Number of matching lines, and of files with one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) lines: usize,
    pub(super) files: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    results: Vec<Value>,
    /// Whether more results are known to exist.
    more_are_known: bool,
    offset: u64,
    max_results: u64,
    reasons: BTreeSet<Reason>,
    /// Notices besides those of reasons and truncated lines.
    notices: BTreeSet<Notice>,
    /// The counts, where the answer states them.
    counts: Option<Counts>,
    /// `total` of an answer that lists nothing.
    unlisted: Option<usize>,
    tables: &'static AgentTables,
    caps: &'static Caps,
}

impl Answer {
    pub(super) fn new(
        config: &Config,
        call: &Call<'_>,
        results: Vec<Value>,
        reasons: BTreeSet<Reason>,
    ) -> Answer {
        Answer {
            results,
            more_are_known: reasons.contains(&Reason::Counted),
            offset: call.offset,
            max_results: call.max_results,
            reasons,
            notices: circumstances(config),
            counts: None,
            unlisted: None,
            tables: config.tables,
            caps: config.search.tables.caps,
        }
    }

    /// Adds the notice that the results only contain the pattern.
    pub(super) fn by_substring(mut self) -> Answer {
        self.notices.insert(Notice::Substring);
        self
    }

    /// Adds the notice that no file is eligible, unless `any` is.
    pub(super) fn eligible(mut self, any: bool) -> Answer {
        self.notices.extend((!any).then_some(Notice::NothingEligible));
        self
    }

    /// Adds counts.
    pub(super) fn with(self, counts: Counts) -> Answer {
        Answer { counts: Some(counts), ..self }
    }

    /// An answer that lists nothing. It has one page, whatever the request says.
    pub(super) fn of_counts(
        config: &Config,
        call: &Call<'_>,
        counts: Counts,
        reasons: BTreeSet<Reason>,
    ) -> Answer {
        let (counted, unlisted) = (Some(counts), Some(counts.lines));
        Answer {
            counts: counted,
            unlisted,
            offset: 0,
            ..Answer::new(config, call, Vec::new(), reasons)
        }
    }

    /// The results of all pages, in order.
    pub fn results(&self) -> &[Value] {
        &self.results
    }

    /// The number of results before the page.
    pub fn offset(&self) -> usize {
        usize::try_from(self.offset).unwrap_or(usize::MAX).min(self.results.len())
    }

    /// The number of results on the page, without a budget.
    pub fn due(&self) -> usize {
        self.passed().kept().count()
    }

    /// The results that the caps allow from the offset on.
    fn passed(&self) -> Passed<&Value, Reason> {
        let mut meter = Meter::new(self.caps.agent, false, |limit| {
            (limit == CapLimit::MaxResults).then_some(self.max_results)
        });
        meter.pass(self.results.iter().skip(self.offset()), |_, counted| {
            (counted == Counted::Results).then_some(1)
        })
    }

    /// The page with the first `shown` results, where the budget removed the others. Free texts are
    /// [`FREE_TEXT`].
    pub fn page(&self, shown: usize) -> Value {
        let results: Vec<Value> =
            self.results.iter().skip(self.offset()).take(shown).cloned().collect();
        let caps = self.caps.agent.iter();
        let beyond = caps.filter(|cap| cap.counts == Counted::Results && self.more_are_known);
        let stopped = self.passed().stopped.map(|(_, cap)| cap.reason);
        let budget = self.caps.length_agent;
        let is_short = shown < self.due() && budget.leaves_out.contains(&Part::Results);
        let behind: BTreeSet<Reason> = stopped
            .into_iter()
            .chain(beyond.map(|cap| cap.reason))
            .chain(is_short.then_some(budget.reason))
            .collect();
        let goes_on = !behind.is_empty();
        let reasons: BTreeSet<Reason> = self.reasons.iter().copied().chain(behind).collect();
        let rows = || self.tables.reasons.iter().filter(|row| reasons.contains(&row.reason));
        let next = self.offset.saturating_add(u64::try_from(results.len()).unwrap_or(u64::MAX));
        let total = self.unlisted.unwrap_or(self.results.len());
        let nothing_is_listed = total == 0 || (self.unlisted.is_none() && self.due() == 0);
        let mut page = Map::new();
        page.insert("total".to_owned(), json!(total));
        page.extend(
            self.notices
                .contains(&Notice::Substring)
                .then(|| ("matched_by".to_owned(), json!("substring"))),
        );
        if let Some(counts) = self.counts {
            page.insert("matching_lines".to_owned(), json!(counts.lines));
            page.insert("matching_files".to_owned(), json!(counts.files));
        }
        page.insert("total_is_lower_bound".to_owned(), json!(rows().any(|row| row.lower_bound)));
        page.insert("complete".to_owned(), json!(reasons.is_empty()));
        let names: Vec<&str> = rows().map(|row| row.reason.name()).collect();
        page.insert("incomplete_because".to_owned(), json!(names));
        page.extend(goes_on.then(|| ("next_offset".to_owned(), json!(next))));
        page.insert("notices".to_owned(), self.notices(&names, &results));
        page.extend(nothing_is_listed.then(|| ("message".to_owned(), json!(FREE_TEXT))));
        page.insert("results".to_owned(), Value::Array(results));
        Value::Object(page)
    }

    /// The notices of a page with these results and reasons.
    fn notices(&self, reasons: &[&str], results: &[Value]) -> Value {
        let cut = results.iter().any(|result| result.get("cut").is_some());
        let rows = self.tables.notices.iter().filter(|row| match row.notice {
            Notice::LinesCut => cut,
            notice => self.notices.contains(&notice) || reasons.contains(&notice.name()),
        });
        let notices = rows.map(|row| {
            let mut notice = Map::new();
            notice.insert("notice".to_owned(), json!(row.notice.name()));
            notice.extend(row.code.map(|code| ("code".to_owned(), json!(code))));
            notice.insert("message".to_owned(), json!(FREE_TEXT));
            Value::Object(notice)
        });
        notices.collect()
    }
}

/// The notices that depend on the configuration alone.
fn circumstances(config: &Config) -> BTreeSet<Notice> {
    let index = config.index_not_ready.then_some(Notice::IndexNotReady);
    let rate = config.rate_limit_near.then_some(Notice::RateLimitNear);
    index.into_iter().chain(rate).collect()
}
