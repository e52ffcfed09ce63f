//! What the tools of production answer: files in order, and how much there is to read until each.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use forge_search_core::budget::TokenCounter as _;
use forge_search_engine::json::Json;
use forge_search_engine::{Call, Tokenizer, Toolbox};
use serde_json::{Value, json};
use touchstone_benches::tools;

use crate::quality::DEPTH;

/// Files that were found, best first.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolOutcome {
    pub(crate) paths: Vec<String>,
    /// Tokens of the results up to and with each; empty if it is not counted.
    pub(crate) tokens: Vec<u64>,
    /// All terms were too broad, and nothing was searched.
    pub(crate) refused: bool,
    /// How long the call took, if it was timed.
    pub(crate) took: Duration,
}

/// The tools over one directory.
pub(crate) struct Tools {
    toolbox: Toolbox,
}

impl Tools {
    pub(crate) fn new(directory: &Path) -> Result<Self, String> {
        tools::toolbox(directory).map(|toolbox| Self { toolbox })
    }

    /// `keyword_search` without a model. Terms that are all too broad find nothing.
    pub(crate) fn keyword_search(
        &self,
        query: &str,
        terms: Option<&[String]>,
    ) -> Result<ToolOutcome, String> {
        let mut request = json!({ "query": query, "use_model": false, "max_results": DEPTH });
        if let (Some(terms), Some(request)) = (terms, request.as_object_mut()) {
            request.insert("search_terms".to_owned(), json!(terms));
        }
        self.asked("keyword_search", &request)
    }

    /// `search_text`.
    pub(crate) fn search_text(&self, query: &str) -> Result<ToolOutcome, String> {
        self.asked("search_text", &json!({ "query": query, "max_results": DEPTH }))
    }

    fn asked(&self, name: &str, request: &Value) -> Result<ToolOutcome, String> {
        let started = Instant::now();
        let session = self.toolbox.session();
        let answer = self.toolbox.call(&session, name, &Json(request), &Call::default()).structured;
        let took = started.elapsed();
        if answer.get("error").is_some_and(|error| error == "terms_too_broad") {
            return Ok(ToolOutcome { took, refused: true, ..ToolOutcome::default() });
        }
        let reasons = answer.get("incomplete_because").and_then(Value::as_array);
        let ended = |why: &Value| why == "timeout" || why == "budget";
        if reasons.is_some_and(|reasons| reasons.iter().any(ended)) {
            return Err(format!("{name} ended early: {reasons:?}"));
        }
        let results = answer.get("results").and_then(Value::as_array);
        let results = results.ok_or_else(|| format!("{name}: {answer}"))?;
        let mut found = ToolOutcome { took, ..ToolOutcome::default() };
        let mut read = 0;
        for result in results {
            let path = result
                .get("path")
                .and_then(Value::as_str)
                .ok_or_else(|| format!("{name}: {result}"))?;
            found.paths.push(path.to_owned());
            read += Tokenizer::O200kBase.count(&result.to_string());
            found.tokens.push(read);
        }
        Ok(found)
    }
}
