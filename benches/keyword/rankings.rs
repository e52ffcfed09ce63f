//! The rankings that are compared: plain ones over all files, and the tool.

use forge_search_engine::json::Json;
use serde_json::json;
use touchstone_benches::plain::Plain;

use crate::trees;

/// A ranking that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ranking {
    Plain(Plain),
    /// `keyword_search` without a model.
    Tool,
}

impl Ranking {
    pub(crate) const ALL: [Self; 5] = [
        Self::Plain(Plain::Hits),
        Self::Plain(Plain::Characters),
        Self::Plain(Plain::Identifiers),
        Self::Plain(Plain::Parts),
        Self::Tool,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Plain(plain) => plain.name(),
            Self::Tool => "keyword_search",
        }
    }
}

/// Files that are looked at of a ranking.
pub(crate) const DEPTH: usize = 50;

/// What the tool answers. Terms that are all too broad are its error, and nothing is found then.
pub(crate) fn tool(
    tree: &std::path::Path,
    query: &str,
    terms: &[String],
) -> Result<Vec<String>, String> {
    let toolbox = trees::toolbox(tree)?;
    let request =
        json!({ "query": query, "search_terms": terms, "use_model": false, "max_results": DEPTH });
    let answer = toolbox.call(
        &toolbox.session(),
        "keyword_search",
        &Json(&request),
        &forge_search_engine::Call::default(),
    );
    let answer = answer.structured;
    if answer.get("error").is_some_and(|error| error == "terms_too_broad") {
        return Ok(Vec::new());
    }
    let results = answer
        .get("results")
        .and_then(|results| results.as_array())
        .ok_or_else(|| answer.to_string())?;
    Ok(results.iter().filter_map(|found| Some(found.get("path")?.as_str()?.to_owned())).collect())
}
