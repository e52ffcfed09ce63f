//! `grep`: every matching line (FR-015b-12 to FR-015b-16, E-I31; docs/agent-tools.md, section 4).
//!
//! This module has the request. `find` scans one text, `collect` makes pages of results,
//! which are in `found`.

use super::request::{self, Defaults, Filters, Page};
use crate::{
    error::ToolError,
    pattern::{Pattern, PatternOptions},
    request::{
        CaseMode,
        checks::{Builder, check_pattern, saturate},
    },
    scope::Scope,
};

mod collect;
mod find;
mod found;

pub use collect::Collector;
pub use find::{FileLines, Finder, MatchingLine};
pub use found::{Answer, Found, FoundFile, FoundLine, Totals};

/// The tool's name.
pub const NAME: &str = "grep";

/// Matching lines that are counted, unless the page needs more.
const COUNTED: usize = 1_000;

/// What an answer lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// Matching lines.
    #[default]
    Lines,
    /// Files with matching lines, and their number in each.
    Files,
    /// Nothing but totals.
    Count,
}

impl Output {
    /// All values, in the documented order.
    pub const ALL: [Self; 3] = [Self::Lines, Self::Files, Self::Count];

    /// The value of `output`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Files => "files",
            Self::Count => "count",
        }
    }
}

/// A validated request. File system checks come later.
#[derive(Clone, Debug)]
pub struct Request {
    /// The search root as given.
    pub directory: String,
    /// The pattern as given.
    pub given: String,
    /// The pattern that lines match.
    pub pattern: Pattern,
    /// What the answer lists.
    pub output: Output,
    /// Which files are eligible.
    pub scope: Scope,
    /// The globs of the request as written.
    pub filters: Filters,
    /// Which results to return.
    pub page: Page,
    /// Context lines above and below a match.
    pub context: usize,
}

impl Request {
    /// A request for `pattern`, with defaults from `defaults`.
    pub fn builder(pattern: impl Into<String>, defaults: &Defaults) -> RequestBuilder {
        let own = Fields {
            pattern: pattern.into(),
            regex: false,
            case: CaseMode::Sensitive,
            output: Output::default(),
        };
        RequestBuilder::new(own, defaults)
    }

    /// Whether the page lies so far back that lines before it are not kept. Then the scan of a file
    /// needs the number of earlier lines, so files are scanned one after another.
    pub fn is_deep(&self) -> bool {
        self.output == Output::Lines && self.page.offset >= COUNTED
    }

    /// Matching lines after which counting stops; only an answer that lists lines stops.
    fn counted(&self) -> usize {
        match self.output {
            Output::Lines => self.page.end().max(COUNTED),
            Output::Files | Output::Count => usize::MAX,
        }
    }
}

/// The builder of [`Request`].
pub type RequestBuilder = request::RequestBuilder<Fields>;

/// The fields of this tool alone.
#[derive(Clone, Debug)]
pub struct Fields {
    pattern: String,
    regex: bool,
    case: CaseMode,
    output: Output,
}

impl request::Lines for Fields {}
impl request::Widened for Fields {}

impl RequestBuilder {
    /// Whether the pattern is a regular expression rather than a literal.
    pub fn regex(mut self, regex: bool) -> Self {
        self.own.regex = regex;
        self
    }

    /// Case mode; [`CaseMode::Sensitive`] unless set.
    pub fn case(mut self, case: CaseMode) -> Self {
        self.own.case = case;
        self
    }

    /// What the answer lists.
    pub fn output(mut self, output: Output) -> Self {
        self.own.output = output;
        self
    }
}

impl Builder for RequestBuilder {
    type Request = Request;

    fn build(self) -> Result<Request, ToolError> {
        let (page, filters, reading) = (self.page(), self.filters(), self.reading);
        self.first_error.check()?;
        let Fields { pattern, regex, case, output } = self.own;
        check_pattern("pattern", &pattern)?;
        let sought = PatternOptions {
            pattern: &pattern,
            literal: !regex,
            case,
            word: false,
            fuzzy: None,
            reading,
        };
        Ok(Request {
            directory: self.directory,
            pattern: Pattern::compile(sought)?,
            given: pattern,
            output,
            scope: self.scope,
            filters,
            page,
            context: saturate(self.context_lines),
        })
    }
}
