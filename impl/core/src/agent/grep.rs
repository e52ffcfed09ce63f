//! `grep`: every line that matches (FR-015b-12 to FR-015b-16, E-I31; docs/agent-tools.md, section
//! 4).
//!
//! Responsible for: the request. `find` takes one text to its matching lines, `collect` adds files
//! up to a page of results.

use super::{
    ineligible::Filters,
    request::{self, Defaults, Page},
};
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

pub use collect::Collector;
pub use find::{FileLines, Finder, MatchingLine};

/// What the tool is called.
pub const NAME: &str = "grep";

/// Lines that are counted, unless the page asks for more.
const COUNTED: usize = 1_000;

/// What an answer lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// The lines that match.
    #[default]
    Lines,
    /// The files they are in, with the number of lines in each.
    Files,
    /// Nothing; lines and files are counted.
    Count,
}

impl Output {
    /// All of them, as documented.
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

/// A request that passed every check that needs no file.
#[derive(Clone, Debug)]
pub struct Request {
    /// The search root, as given.
    pub directory: String,
    /// What lines have to match.
    pub pattern: Pattern,
    /// What is listed.
    pub output: Output,
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
    /// A request for `pattern`; what is not set comes from `defaults`.
    pub fn builder(pattern: impl Into<String>, defaults: &Defaults) -> RequestBuilder {
        let own = Fields {
            pattern: pattern.into(),
            regex: false,
            case: CaseMode::Sensitive,
            output: Output::default(),
        };
        RequestBuilder::new(own, defaults)
    }

    /// Whether the page lies so deep that lines before it are not to be kept. Their number has to
    /// be known when a file is scanned, so one file has to be scanned after the other.
    pub fn is_deep(&self) -> bool {
        self.output == Output::Lines && self.page.offset >= COUNTED
    }

    /// Matching lines after which counting stops. Only where lines are listed does it stop.
    fn counted(&self) -> usize {
        match self.output {
            Output::Lines => self.page.end().max(COUNTED),
            Output::Files | Output::Count => usize::MAX,
        }
    }
}

/// A request that is being made.
pub type RequestBuilder = request::RequestBuilder<Fields>;

/// What requests of this tool have that others have not.
#[derive(Clone, Debug)]
pub struct Fields {
    pattern: String,
    regex: bool,
    case: CaseMode,
    output: Output,
}

impl request::Lines for Fields {}

impl RequestBuilder {
    /// The pattern is a regular expression, not a literal.
    pub fn regex(mut self, regex: bool) -> Self {
        self.own.regex = regex;
        self
    }

    /// How letters compare; [`CaseMode::Sensitive`] unless set.
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
        let (page, filters) = (self.page(), self.filters());
        self.first_error.check()?;
        let Fields { pattern, regex, case, output } = self.own;
        check_pattern("pattern", &pattern)?;
        let sought =
            PatternOptions { pattern: &pattern, literal: !regex, case, word: false, fuzzy: None };
        Ok(Request {
            directory: self.directory,
            pattern: Pattern::compile(sought)?,
            output,
            scope: self.scope,
            filters,
            page,
            context: saturate(self.context_lines),
        })
    }
}
