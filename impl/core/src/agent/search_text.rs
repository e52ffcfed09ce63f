//! `search_text`: files that hold all terms of a query, ranked (FR-015b-01 to FR-015b-06,
//! FR-015b-26, E-I12, E-I17; docs/agent-tools.md, section 6).
//!
//! Responsible for: the request, the order of the files that match, and the page of results. Files
//! are ranked first, and only then those of the page are read for their lines.

use std::ops::Not;

use serde::Serialize;

use super::{
    answer::{self, Draft, Listing, Shown},
    excerpt::{Context, Line},
    request::{self, Defaults, Filters, Page},
    searched::Searched,
};
use crate::{
    collect::Item,
    error::ToolError,
    request::checks::{Builder, saturate},
    response::PathError,
    scope::Scope,
};

mod names;
mod needle;
mod path;
mod places;
mod pool;
mod query;
mod rank;
mod scan;
mod seeker;

pub use names::{names, names_version};
pub(super) use path::{STEM as STEM_UNITS, singular};
pub use pool::{Pool, PoolFile};
pub use query::{MAX_TERMS, Term, terms};
pub(super) use rank::rarities;
pub use rank::{Measures, TermMeasures, scores};
pub(super) use scan::TermLine;
pub use scan::{FileLines, Finder};

/// Why a file is missing that matched when it was ranked.
const CHANGED: &str = "it changed during the search";

/// What the tool is called.
pub const NAME: &str = "search_text";

/// A request that passed every check that needs no file.
#[derive(Clone, Debug)]
pub struct Request {
    /// The search root, as given.
    pub directory: Option<String>,
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
    /// What to try if no file has all terms.
    pub fn advice(&self) -> String {
        let all = match self.finder.terms() {
            1 => "",
            _ => "a file has to hold all terms: give fewer; ",
        };
        format!("{all}a word is a whole identifier or whole parts of one: `grep` finds pieces")
    }

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
            finder: Finder::all(terms(&self.own.0)?),
            query: self.own.0,
            scope: self.scope,
            filters,
            page,
            context,
        })
    }
}

/// A file that holds all terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    /// Its path below the search root.
    pub walked: Vec<u8>,
    /// What it is ranked by.
    pub measures: Measures,
}

/// Adds up the files that match.
#[derive(Debug)]
pub struct Collector {
    page: Page,
    pool: Pool,
    searched: Searched,
}

impl Collector {
    /// An empty pool, of which this page is wanted.
    pub fn new(page: Page) -> Self {
        Self { page, pool: Pool::default(), searched: Searched::default() }
    }

    /// Takes the next item, in path order.
    pub fn add(&mut self, item: Item<Pool>) {
        if let Item::Unread { files, found } = item {
            self.searched.files += files;
            self.pool.append(found);
        } else if let Some((_, found)) = self.searched.take(item) {
            self.pool.append(found);
        }
    }

    /// Whether no file has been added.
    pub fn is_empty(&self) -> bool {
        self.searched.files == 0
    }

    /// Bytes that the pool takes, about.
    pub fn held(&self) -> u64 {
        self.pool.held()
    }

    /// Ranks the pool by these scores.
    pub fn rank(self, scores: impl FnOnce(&Pool) -> Vec<f64>) -> Ranked {
        let mut order: Vec<(f64, usize)> = scores(&self.pool).into_iter().zip(0..).collect();
        let holding = holding(&self.pool);
        let (page, total) = (self.page, order.len() as u64);
        // Files came in path order. Most are behind the page, in whatever order.
        let better = |a: &(f64, usize), b: &(f64, usize)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        let end = page.offset.saturating_add(page.max_results);
        if end < order.len() {
            order.select_nth_unstable_by(end, better);
            order.truncate(end);
        }
        order.sort_unstable_by(better);
        let of_page = order.into_iter().skip(page.offset);
        let shown = of_page.filter_map(|(score, at)| Some((score, self.pool.matching(at)?)));
        let shown = shown.collect();
        Ranked { page, total, holding, shown, searched: self.searched }
    }
}

/// In how many files of a pool each term occurs.
fn holding(pool: &Pool) -> Vec<u64> {
    let mut holding = vec![0; pool.terms_each()];
    for file in pool.files() {
        for (files, term) in holding.iter_mut().zip(file.terms) {
            *files += u64::from(term.occurrences > 0);
        }
    }
    holding
}

/// The files that match, ranked.
#[derive(Debug)]
pub struct Ranked {
    page: Page,
    /// How many there are.
    pub(super) total: u64,
    /// In how many of them each term occurs.
    pub(super) holding: Vec<u64>,
    /// Those of the page, with their scores.
    pub(super) shown: Vec<(f64, Matching)>,
    pub(super) searched: Searched,
}

impl Ranked {
    /// The files whose lines are shown.
    pub fn shown(&self) -> impl Iterator<Item = &Matching> {
        self.shown.iter().map(|(_, file)| file)
    }

    /// The files that can still be read, each with its score, its path as shown, and its lines.
    pub(super) fn with_lines<L>(
        self,
        page: Vec<(String, Option<L>)>,
        ending: Searched,
    ) -> (Vec<(f64, Matching, String, L)>, Searched) {
        let mut searched = self.searched;
        let mut files = Vec::new();
        for ((score, file), (path, lines)) in self.shown.into_iter().zip(page) {
            match lines {
                Some(lines) => files.push((score, file, path, lines)),
                None => searched.errors.push(PathError { path, error: CHANGED.to_owned() }),
            }
        }
        (files, searched.ended(ending))
    }

    /// The answer, with the path of each file of the page as shown, and its lines if they can still
    /// be read. `ending` says how the search ended, files and problems apart, which are known here.
    pub fn finish(
        self,
        page: Vec<(String, Option<FileLines>)>,
        context: usize,
        ending: Searched,
    ) -> Draft<Found> {
        let (total, of_page) = (self.total, self.page);
        let (files, searched) = self.with_lines(page, ending);
        let results = files
            .into_iter()
            .map(|(score, _, path, lines)| Found::new(path, score, lines, context))
            .collect();
        Draft {
            nouns: ("matching file", "matching files"),
            total,
            counts: String::new(),
            results,
            page: of_page,
            stopped: None,
            searched,
            notices: Vec::new(),
            advice: String::new(),
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
    /// The header of the definition around the line, unless `context` has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inside: Option<Line>,
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
    fn new(path: String, score: f64, lines: FileLines, context: usize) -> Self {
        let FileLines { line, snippet, around, inside, match_count, match_lines } = lines;
        let is_header_cut = inside.as_ref().is_some_and(|(_, header)| header.cut);
        Self {
            cut: snippet.cut || around.is_cut() || is_header_cut,
            context: (context > 0).then(|| around.into()),
            inside: inside.map(|(line, header)| Line { line, text: header.text }),
            line,
            match_count,
            match_lines,
            path,
            score,
            snippet: snippet.text,
        }
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
        let header = self.inside.iter().map(|header| (header.line, '-', header.text.as_str()));
        let around = self.context.iter().flat_map(|context| context.numbered(self.line));
        header.chain(around).chain([(self.line, ':', self.snippet.as_str())]).collect()
    }

    fn is_cut(&self) -> bool {
        self.cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::Outcome;

    #[test]
    fn files_of_one_score_stand_in_path_order_on_each_page() {
        let term = TermMeasures { units: 2, occurrences: 1, ..TermMeasures::default() };
        let measures = Measures { terms: vec![term], bytes: 40, hundredths: 100 };
        let page = |offset, max_results| {
            let page = Page { offset, max_results };
            let mut collector = Collector::new(page);
            for name in ["a", "b", "c", "d"] {
                let matching =
                    Matching { walked: name.as_bytes().to_vec(), measures: measures.clone() };
                let outcome = Outcome::Searched(Pool::from_iter([matching]));
                collector.add(Item::File { path: String::new(), outcome });
            }
            let ranked = collector.rank(scores);
            let walked: Vec<u8> =
                ranked.shown().flat_map(|file| file.walked.iter().copied()).collect();
            (String::from_utf8(walked).unwrap(), ranked.total)
        };
        assert_eq!(page(0, 3), ("abc".to_owned(), 4));
        assert_eq!(page(1, 2), ("bc".to_owned(), 4));
        assert_eq!(page(2, 9), ("cd".to_owned(), 4));
        assert_eq!(page(9, 9), (String::new(), 4));
    }
}
