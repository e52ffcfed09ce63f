//! `search_text`: files that hold all terms of a query, ranked (FR-015b-01 to FR-015b-06,
//! FR-015b-26, E-I12, E-I17; docs/agent-tools.md, section 6).
//!
//! Responsible for: the request, which files are ranked when too many match, and the page of
//! results. Not here: in which order files come, which is the engine's to provide:
//! [`Finder::path_terms`] says how.

use serde_json::json;

use super::{
    answer::{Answer, Lines, Listing, Reason, ResultItem, Searched},
    request::{self, Defaults, Filters, Page},
};
use crate::{
    collect::Item,
    error::ToolError,
    request::checks::{Builder, saturate},
    scope::Scope,
};

mod names;
mod needle;
mod path;
mod query;
mod rank;
mod scan;
mod seeker;

pub use names::Names;
pub(super) use path::hundredths;
pub use query::{MAX_TERMS, Term, terms};
pub use rank::{Measures, scores};
pub use scan::{FileHits, Finder};

/// What the tool is called.
pub const NAME: &str = "search_text";

/// Files that are ranked at most.
pub const POOL: usize = 4_000;

/// A request that passed every check that needs no file.
#[derive(Clone, Debug)]
pub struct Request {
    /// The search root, as given.
    pub directory: String,
    /// What files have to hold.
    pub finder: Finder,
    /// Which files.
    pub scope: Scope,
    /// What the request says of them.
    pub filters: Filters,
    /// Which results.
    pub page: Page,
    /// Lines above and below a match.
    pub context: usize,
}

impl Request {
    /// A request for files that hold all terms of `query`; what is not set comes from `defaults`.
    pub fn builder(query: impl Into<String>, defaults: &Defaults) -> RequestBuilder {
        RequestBuilder::new(Query(query.into()), defaults)
    }
}

/// A request that is being made.
pub type RequestBuilder = request::RequestBuilder<Query>;

/// What requests of this tool have that others have not.
#[derive(Clone, Debug)]
pub struct Query(String);

impl request::Lines for Query {}

impl Builder for RequestBuilder {
    type Request = Request;

    fn build(self) -> Result<Request, ToolError> {
        let (page, filters, context) = (self.page(), self.filters(), saturate(self.context_lines));
        self.first_error.check()?;
        Ok(Request {
            directory: self.directory,
            finder: Finder::new(terms(&self.own.0)?, context),
            scope: self.scope,
            filters,
            page,
            context,
        })
    }
}

/// Adds the files that match up to a pool.
#[derive(Debug)]
pub struct Collector {
    page: Page,
    context: usize,
    pool: Vec<(String, FileHits)>,
    more: bool,
    searched: Searched,
}

impl Collector {
    /// An empty pool.
    pub fn new(request: &Request) -> Self {
        let searched = Searched::default();
        Self {
            page: request.page,
            context: request.context,
            pool: Vec::new(),
            more: false,
            searched,
        }
    }

    /// Takes the next item in the order of ranking. `false` once the pool has overflowed.
    pub fn add(&mut self, item: Item<Option<FileHits>>) -> bool {
        if let Some((path, Some(hits))) = self.searched.take(item) {
            self.more = self.pool.len() == POOL;
            if !self.more {
                self.pool.push((path, hits));
            }
        }
        !self.more
    }

    /// Whether no file has been added.
    pub fn is_empty(&self) -> bool {
        self.searched.files == 0
    }

    /// The answer; `searched` says how the search ended, files and problems apart, which are known
    /// here.
    pub fn finish(self, ending: Searched) -> Answer {
        let measures: Vec<&Measures> = self.pool.iter().map(|(_, hits)| &hits.measures).collect();
        let scores = scores(&measures);
        let mut ranked: Vec<(f64, &String, &FileHits)> =
            self.pool.iter().zip(scores).map(|((path, hits), score)| (score, path, hits)).collect();
        ranked.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then_with(|| crate::order::compare(&a.2.walked, &b.2.walked))
        });
        let page = self.page;
        let results = ranked
            .into_iter()
            .skip(page.offset)
            .take(page.max_results)
            .map(|(score, path, hits)| found(path, score, hits, self.context))
            .collect();
        let why = format!(
            "more than {POOL} files match; those were ranked whose paths hold terms, then the first in path order; add a term, or narrow the search (`directory`, `include_path`, `file_type`)"
        );
        Answer {
            nouns: ("matching file", "matching files"),
            total: self.pool.len() as u64,
            counts: String::new(),
            results,
            page,
            stopped: self.more.then_some((Reason::Ranked, why)),
            searched: self.searched.ended(ending),
            notices: Vec::new(),
            advice: "a file has to hold all terms, each as a whole identifier or as whole parts of one; try fewer terms, check their spelling, or use grep for pieces of words".to_owned(),
            listing: Listing::Pages,
            fields: serde_json::Map::new(),
        }
    }
}

fn found(path: &str, score: f64, hits: &FileHits, context: usize) -> ResultItem {
    let FileHits { line, snippet, around, match_count, match_lines, .. } = hits;
    let mut json = json!({
        "path": path, "line": line, "score": score, "snippet": snippet.text,
        "match_count": match_count, "match_lines": match_lines,
    });
    let cut = snippet.cut || around.is_cut();
    if let Some(fields) = json.as_object_mut() {
        if context > 0 {
            fields.insert("context".to_owned(), around.to_json());
        }
        if cut {
            fields.insert("cut".to_owned(), true.into());
        }
    }
    let lines =
        Lines { matching: vec![(*line, snippet.text.clone())], around: around.numbered(*line) };
    let places = if *match_count == 1 { String::new() } else { format!(", {match_count} lines") };
    let heading = format!(" ({score:.2}{places})");
    ResultItem { json, path: path.to_owned(), heading, lines, cut }
}
