//! `keyword_search`: grep for terms, rank the files, let a language model choose among them (document 002; docs/keyword-search.md).
//!
//! Responsible for: every decision of it that needs no file, no network and no clock.
//! Left to neighbours: where files come from and how a model is asked, which is the engine's.
//! Invariants: nothing is answered but files with hits; what a model said stands in `model_reason` only; what is sent has no secrets in it that [`redact`] knows.

use serde_json::Value;

use super::request::{Defaults, MAX_RESULTS};
use crate::{
    error::ToolError,
    index::{fold::Fold, need::Need, plan},
    request::fields::{Fields, saturate},
};

mod answer;
mod definition;
mod hits;
mod lacks;
mod pool;
mod prompt;
mod rank;
mod redact;
mod reply;
mod settle;
mod term_text;

pub use answer::{Asked, Found, dry_run};
pub use definition::definition;
pub use hits::{FileHits, Finder};
pub use lacks::Lacks;
pub use prompt::{Prompt, boundary, data, prompt};
pub use rank::{Measurer, Measures, PathSeeker};
pub use redact::{Redacted, redact};
pub use reply::{Named, Reply, read};
pub use settle::{Limits, Settled, Skipped, Term, settle};
pub use term_text::Collector;

/// What the tool is called.
pub const NAME: &str = "keyword_search";

const FIELDS: [&str; 5] = ["query", "search_terms", "max_results", "use_model", "dry_run"];
/// Most bytes of the question.
const MAX_QUERY_BYTES: usize = 16 << 10;
/// Most terms.
const MAX_TERMS: usize = 32;
/// Most bytes of a term.
const MAX_TERM_BYTES: usize = 1 << 10;

/// A request that passed every check that needs no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What is looked for, in words.
    pub query: String,
    /// What to look for, the most important first; no two are equal when folded.
    pub terms: Vec<String>,
    /// Most files of the answer.
    pub max_results: usize,
    /// A language model is wanted.
    pub use_model: bool,
    /// The prompt is wanted instead of an answer.
    pub dry_run: bool,
}

impl Request {
    /// Checks a request (REQ-KWS-004.1, REQ-KWS-004.2, E-I24).
    pub fn parse(request: &Value, defaults: &Defaults) -> Result<Self, ToolError> {
        let fields = Fields::of(request, &FIELDS)?;
        let query = fields.required("query")?;
        let given = terms(&fields)?;
        let max_results = fields.integer("max_results", 1, MAX_RESULTS)?.unwrap_or(defaults.max_results);
        let use_model = fields.flag("use_model", true)?;
        let dry_run = fields.flag("dry_run", false)?;
        check("query", "`query`", query, MAX_QUERY_BYTES)?;
        let mut terms: Vec<String> = Vec::with_capacity(given.len());
        for term in given {
            if !terms.iter().any(|earlier| earlier.eq_ignore_ascii_case(term)) {
                terms.push(term.to_owned());
            }
        }
        Ok(Self { query: query.to_owned(), terms, max_results: saturate(max_results), use_model, dry_run })
    }

    /// What a file must hold for the term of this number to have a hit in it.
    pub fn need(&self, term: usize, fold: Fold, ngram: usize) -> Need {
        let text = self.terms.get(term).map_or("", String::as_str);
        plan::literal(text, true, fold, ngram)
    }
}

fn terms<'v>(fields: &Fields<'v>) -> Result<Vec<&'v str>, ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args("search_terms", why));
    let given = fields.texts("search_terms")?;
    if given.is_empty() || given.len() > MAX_TERMS {
        return refuse(format!(
            "`search_terms` has {} entries; give 1 to {MAX_TERMS}, the most important first, as in [\"backoff\", \"retry\"]",
            given.len()
        ));
    }
    for term in &given {
        check("search_terms", "an entry of `search_terms`", term, MAX_TERM_BYTES)?;
        if term.contains('\n') {
            return refuse("an entry of `search_terms` holds a line feed, and terms are looked for line by line; split it".to_owned());
        }
    }
    Ok(given)
}

fn check(field: &str, what: &str, text: &str, most: usize) -> Result<(), ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args(field, why));
    match text {
        _ if text.len() > most => {
            refuse(format!("{what} is {} bytes long; at most {most} are allowed", text.len()))
        }
        _ if text.trim().is_empty() => {
            refuse(format!("{what} is empty or blank; give at least one character that is not white space"))
        }
        _ if text.contains('\0') => refuse(format!("{what} holds a NUL")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
