//! Judges of one subject beside the model: with an index, page by page, under every budget.
//!
//! Not here: the main judge ([`ModelJudge`]), and relations between runs ([`crate::metamorphic`]).

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};

use super::{Judge, ModelJudge};
use crate::budget::LONGEST;
use crate::case::Case;
use crate::compare::pages;
use crate::expected::Expected;
use crate::observation::STRUCTURED;
use crate::runner::Runner;
use crate::subject::{Backend, Broken, SubjectSpec, Verdict};

/// Most pages that are read of one case.
const MAX_PAGES: usize = 40;

/// The largest `max_results` of a request.
const MOST_RESULTS: u64 = 200;

/// Compares calls on a tree that has an index.
#[derive(Debug)]
pub struct IndexedJudge<'a>(pub ModelJudge<'a>);

impl<'a> IndexedJudge<'a> {
    /// With an index that is complete before the call.
    pub fn new(runner: &'a Runner, subject: &SubjectSpec) -> Self {
        Self(ModelJudge { runner, subject: subject.clone().with_index() })
    }
}

impl Judge for IndexedJudge<'_> {
    fn label(&self) -> String {
        format!("{} with an index", self.0.subject)
    }

    fn judge(&self, case: &Case, expected: &Expected) -> Verdict {
        self.0.judge(case, expected)
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        self.0.subjects()
    }
}

/// Checks that the pages of a search add up to the whole answer.
#[derive(Debug)]
pub struct PagesJudge<'a> {
    pub runner: &'a Runner,
    pub subject: SubjectSpec,
}

impl Judge for PagesJudge<'_> {
    fn label(&self) -> String {
        format!("{} page by page", self.subject)
    }

    fn judge(&self, case: &Case, _: &Expected) -> Verdict {
        match self.compared(case) {
            Ok(Some(verdict)) => verdict,
            Ok(None) => {
                Verdict::Unsupported("the request is refused, so it has no pages".to_owned())
            }
            Err(broken) => Verdict::Broken(broken.to_string()),
        }
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        vec![&self.subject]
    }
}

impl PagesJudge<'_> {
    fn compared(&self, case: &Case) -> Result<Option<Verdict>, Broken> {
        let Some(whole) = self.page(case, MOST_RESULTS, 0)? else { return Ok(None) };
        let wanted = results(&whole);
        // One to three results a page, depending on the case.
        let size = 1 + u64::try_from(case.request.to_string().len() % 3).unwrap_or(0);
        let mut offset = 0;
        let mut turned: Vec<Value> = Vec::new();
        for _ in 0..MAX_PAGES {
            let Some(page) = self.page(case, size, offset)? else { return Ok(None) };
            turned.extend(results(&page));
            let next = page
                .get(STRUCTURED)
                .and_then(|page| page.get("next_offset"))
                .and_then(Value::as_u64);
            match next {
                Some(next) if next > offset => offset = next,
                _ => break,
            }
        }
        // If the whole does not fit into one answer, or there are too many pages, both are prefixes
        // of the same list.
        let shared = wanted.len().min(turned.len());
        let ended_early = turned.len() < wanted.len() && turned.len() < MAX_PAGES;
        let beginning =
            |all: &[Value]| json!({ STRUCTURED: all.get(..shared).unwrap_or_default() });
        let (first, second) = if ended_early {
            (json!({ STRUCTURED: wanted }), json!({ STRUCTURED: turned }))
        } else {
            (beginning(&wanted), beginning(&turned))
        };
        let found = pages(&first, &second);
        Ok(Some(if found.is_empty() { Verdict::Agree } else { Verdict::Diverge(found) }))
    }

    /// A page of a case; `None` if the request is refused.
    fn page(&self, case: &Case, size: u64, offset: u64) -> Result<Option<Value>, Broken> {
        let mut case = case.clone();
        if let Some(fields) = case.request.as_object_mut() {
            fields.insert("max_results".to_owned(), json!(size));
            fields.insert("offset".to_owned(), json!(offset));
        }
        Ok(self.runner.run(&case, &self.subject)?.ok())
    }
}

fn results(observation: &Value) -> Vec<Value> {
    let page = observation.get(STRUCTURED);
    page.and_then(|page| page.get("results")).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Calls under every budget.
#[derive(Debug)]
pub struct BudgetJudge<'a> {
    pub runner: &'a Runner,
    /// A subject without processes, since it is called thousands of times.
    pub subject: SubjectSpec,
    pub budgets: AtomicU64,
    /// Answers that were called for under every budget.
    pub answers: AtomicU64,
}

impl<'a> BudgetJudge<'a> {
    /// Over the embedded backend.
    pub fn new(runner: &'a Runner) -> Self {
        let subject = SubjectSpec::forge(Backend::Native);
        Self { runner, subject, budgets: AtomicU64::new(0), answers: AtomicU64::new(0) }
    }
}

impl Judge for BudgetJudge<'_> {
    fn label(&self) -> String {
        format!("{} under every budget", self.subject)
    }

    fn judge(&self, case: &Case, _: &Expected) -> Verdict {
        match self.runner.sweep(case, &self.subject) {
            Err(broken) => Verdict::Broken(broken.to_string()),
            Ok(swept) if !swept.wrong.is_empty() => Verdict::Diverge(swept.wrong),
            Ok(swept) if swept.budgets == 0 => {
                Verdict::Unsupported(format!("its answer is longer than {LONGEST} bytes"))
            }
            Ok(swept) => {
                self.budgets.fetch_add(swept.budgets, Ordering::Relaxed);
                self.answers.fetch_add(u64::from(swept.length.is_some()), Ordering::Relaxed);
                Verdict::Agree
            }
        }
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        vec![&self.subject]
    }

    fn facts(&self) -> Vec<String> {
        vec![format!(
            "budgets: {} answers, each under every budget up to its length, {} calls",
            self.answers.load(Ordering::Relaxed),
            self.budgets.load(Ordering::Relaxed)
        )]
    }
}
