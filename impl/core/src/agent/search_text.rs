//! `search_text`: files that hold all terms of a query, ranked (FR-015b-01 to FR-015b-06,
//! FR-015b-26, E-I12, E-I17; docs/agent-tools.md, section 6).
//!
//! Responsible for: the request, which files are ranked when too many match, and the page of
//! results. Not here: in which order files come, which is the engine's to provide:
//! [`Finder::path_terms`] says how.

use std::ops::Not;

use serde::Serialize;

use super::{
    answer::{self, Draft, Listing, Shown},
    excerpt::Context,
    notice::Reason,
    request::{self, Defaults, Filters, Page},
    searched::Searched,
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
    /// The query, as given.
    pub query: String,
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
            query: self.own.0,
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

    /// The answer; `ending` says how the search ended, files and problems apart, which are known
    /// here.
    pub fn finish(self, ending: Searched) -> Draft<Found> {
        let measures: Vec<&Measures> = self.pool.iter().map(|(_, hits)| &hits.measures).collect();
        let scores = scores(&measures);
        let total = self.pool.len() as u64;
        let mut ranked: Vec<(f64, (String, FileHits))> =
            scores.into_iter().zip(self.pool).collect();
        ranked.sort_by(|(score, (_, hits)), (other, (_, others))| {
            other.total_cmp(score).then_with(|| crate::order::compare(&hits.walked, &others.walked))
        });
        let page = self.page;
        let results = ranked
            .into_iter()
            .skip(page.offset)
            .take(page.max_results)
            .map(|(score, (path, hits))| Found::new(path, score, hits, self.context))
            .collect();
        let why = format!(
            "more than {POOL} files match; those were ranked whose paths hold terms, then the first in path order; add a term, or narrow the search (`directory`, `include_path`, `file_type`)"
        );
        Draft {
            nouns: ("matching file", "matching files"),
            total,
            counts: String::new(),
            results,
            page,
            stopped: self.more.then_some((Reason::Ranked, why)),
            searched: self.searched.ended(ending),
            notices: Vec::new(),
            advice: "a file has to hold all terms, each as a whole identifier or as whole parts of one; try fewer terms, check their spelling, or use grep for pieces of words",
            listing: Listing::Pages,
            own: (),
        }
    }
}

/// The answer.
pub type Answer = answer::Answer<Found>;

/// A file that holds all terms.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// The lines around `line`, if any were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<Context>,
    /// Whether a shown line is truncated.
    #[serde(skip_serializing_if = "Not::not")]
    pub cut: bool,
    /// The number of the line that shows the file best.
    pub line: u64,
    /// Lines with a term.
    pub match_count: u64,
    /// The numbers of the first of them.
    pub match_lines: Vec<u64>,
    /// The path as shown.
    pub path: String,
    /// 0 to 1; higher is better.
    pub score: f64,
    /// The line.
    pub snippet: String,
}

impl Found {
    fn new(path: String, score: f64, hits: FileHits, context: usize) -> Self {
        let FileHits { line, snippet, around, match_count, match_lines, .. } = hits;
        let cut = snippet.cut || around.is_cut();
        let context = (context > 0).then(|| around.into());
        Self { context, cut, line, match_count, match_lines, path, score, snippet: snippet.text }
    }
}

impl Shown for Found {
    fn path(&self) -> &str {
        &self.path
    }

    fn heading(&self) -> String {
        match self.match_count {
            1 => format!(" ({:.2})", self.score),
            lines => format!(" ({:.2}, {lines} lines)", self.score),
        }
    }

    fn lines(&self) -> Vec<(u64, char, &str)> {
        let around = self.context.iter().flat_map(|context| context.numbered(self.line));
        around.chain([(self.line, ':', self.snippet.as_str())]).collect()
    }

    fn is_cut(&self) -> bool {
        self.cut
    }
}
