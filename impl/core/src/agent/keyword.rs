//! `keyword_search`: searches for terms, ranks files, and lets a language model choose among them
//! (document 002; docs/keyword-search.md).
//!
//! This module decides everything that needs no file, network or clock; the engine reads files and
//! calls the model. Invariants: every file of an answer has a hit; the model's own words appear
//! only in `model_reason`; data sent to a model is redacted by [`redact`].

use super::{
    request::{Defaults, MAX_RESULTS},
    search_text,
};
use crate::{
    error::ToolError,
    request::checks::{Builder, FirstError, saturate, texts, within},
};

mod answer;
mod best_lines;
mod definition;
mod findings;
mod found;
mod hits;
mod prompt;
mod query;
mod rank;
mod redact;
mod reference;
mod reply;
mod selected_terms;
mod stop_words;
mod term_text;

pub use answer::{AnswerInput, ModelCall};
pub use best_lines::{BestLines, SENT_FILES, best_lines};
pub use definition::definition;
pub use findings::Findings;
pub use found::{
    Addressee, Answer, Draft, DryRun, Files, Found, Model, ModelOutcome, PassedOver, RankedBy,
    Ranking, TermFound,
};
pub use hits::{FileHits, HitFinder};
pub use prompt::{Prompt, boundary, prompt};
use query::Words;
pub use rank::scores;
pub use redact::{Redacted, redact};
pub use reply::{NamedFile, Reply, read};
pub use selected_terms::{Limits, SelectedTerms, SkipReason, Term, select_terms};
pub use term_text::Collector;

/// The tool's name.
pub const NAME: &str = "keyword_search";

/// Longest query in bytes.
const MAX_QUERY_BYTES: usize = 16 << 10;
/// Maximum number of terms.
const MAX_TERMS: usize = 32;
/// Longest term in bytes.
const MAX_TERM_BYTES: usize = 1 << 10;

/// A validated request. File system checks come later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The query in natural language.
    pub query: String,
    /// The terms, most important first; distinct when folded.
    pub terms: Vec<String>,
    /// Maximum number of files in the answer.
    pub max_results: usize,
    /// Whether to call a language model.
    pub use_model: bool,
    /// Whether to return the prompt instead of an answer.
    pub dry_run: bool,
}

impl Request {
    /// A request for `query`, with defaults from `defaults` and terms from `query`.
    pub fn builder(query: impl Into<String>, defaults: &Defaults) -> RequestBuilder {
        RequestBuilder {
            first_error: FirstError::default(),
            query: query.into(),
            terms: None,
            max_results: defaults.max_results,
            use_model: false,
            dry_run: false,
        }
    }

    /// Finds files in which a term occurs, and what they are ranked by.
    pub fn finder(&self) -> search_text::Finder {
        let term = |term: &String| search_text::Term::of(term, false);
        let is_question = !self.query.trim().contains('\n');
        search_text::Finder::any(self.terms.iter().map(term).collect(), is_question)
    }
}

/// A request under construction. An invalid field is an error of [`Builder::build`].
#[derive(Clone, Debug)]
#[must_use]
pub struct RequestBuilder {
    first_error: FirstError,
    query: String,
    terms: Option<Vec<String>>,
    max_results: u64,
    use_model: bool,
    dry_run: bool,
}

impl RequestBuilder {
    /// Literal terms, most important first: 1 to 32 terms of at most 1,024 bytes.
    pub fn search_terms(mut self, terms: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let terms = texts(terms);
        self.first_error.keep(check_terms(&terms));
        Self { terms: Some(terms), ..self }
    }

    /// Maximum number of files in the answer, 1 to 200.
    pub fn max_results(mut self, files: impl Into<i128>) -> Self {
        self.first_error.set(&mut self.max_results, within("max_results", files, 1, MAX_RESULTS));
        self
    }

    /// Whether to call a language model; off unless set.
    pub fn use_model(self, use_model: bool) -> Self {
        Self { use_model, ..self }
    }

    /// Whether to return the prompt instead of an answer.
    pub fn dry_run(self, dry_run: bool) -> Self {
        Self { dry_run, ..self }
    }
}

impl AsMut<FirstError> for RequestBuilder {
    fn as_mut(&mut self) -> &mut FirstError {
        &mut self.first_error
    }
}

/// REQ-KWS-004.1, REQ-KWS-004.2, E-I24.
impl Builder for RequestBuilder {
    type Request = Request;

    fn build(self) -> Result<Request, ToolError> {
        let Self { first_error, query, max_results, use_model, dry_run, .. } = self;
        first_error.check()?;
        check("query", "`query`", &query, MAX_QUERY_BYTES)?;
        let Some(given) = self.terms else {
            let terms = Words::of(&query).terms();
            if terms.is_empty() {
                return Err(ToolError::bad_args(
                    "query",
                    "`query` has no word to look for; name what code for it would say, or give `search_terms`",
                ));
            }
            return Ok(Request {
                query,
                terms,
                max_results: saturate(max_results),
                use_model,
                dry_run,
            });
        };
        let mut terms: Vec<String> = Vec::with_capacity(given.len());
        for term in given {
            if !terms.iter().any(|earlier| earlier.eq_ignore_ascii_case(&term)) {
                terms.push(term);
            }
        }
        Ok(Request { query, terms, max_results: saturate(max_results), use_model, dry_run })
    }
}

fn check_terms(given: &[String]) -> Result<(), ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args("search_terms", why));
    if given.is_empty() || given.len() > MAX_TERMS {
        return refuse(format!(
            "`search_terms` has {} entries; give 1 to {MAX_TERMS}, the most important first, as in [\"backoff\", \"retry\"]",
            given.len()
        ));
    }
    for term in given {
        check("search_terms", "an entry of `search_terms`", term, MAX_TERM_BYTES)?;
        if term.contains('\n') {
            return refuse("an entry of `search_terms` holds a line feed, and terms are looked for line by line; split it".to_owned());
        }
    }
    Ok(())
}

fn check(field: &str, what: &str, text: &str, most: usize) -> Result<(), ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args(field, why));
    match text {
        _ if text.len() > most => {
            refuse(format!("{what} is {} bytes long; at most {most} are allowed", text.len()))
        }
        _ if text.trim().is_empty() => refuse(format!(
            "{what} is empty or blank; give at least one character that is not white space"
        )),
        _ if text.contains('\0') => refuse(format!("{what} holds a NUL")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
