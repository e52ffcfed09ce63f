//! `grep`: every line that matches (FR-015b-12 to FR-015b-16, E-I31; docs/agent-tools.md, section 4).
//!
//! Responsible for: the request. `find` takes one text to its matching lines, `collect` adds files up to a page of results.

use serde_json::Value;

use super::{
    ineligible::Filters,
    request::{Defaults, Page, context, directory, file_types, scope},
};
use crate::{
    error::ToolError,
    pattern::{Pattern, Sought},
    request::{
        CaseMode,
        fields::{Fields, check_pattern},
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

const FIELDS: [&str; 11] = [
    "pattern",
    "regex",
    "case",
    "output",
    "directory",
    "include_path",
    "exclude_path",
    "file_type",
    "max_results",
    "offset",
    "context_lines",
];

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
    /// Checks a request.
    pub fn parse(request: &Value, defaults: &Defaults) -> Result<Self, ToolError> {
        let fields = Fields::of(request, &FIELDS)?;
        let pattern = fields.required("pattern")?;
        let regex = fields.flag("regex", false)?;
        let case = fields.case()?.unwrap_or(CaseMode::Sensitive);
        let output = fields.one_of("output", &Output::ALL.map(|output| (output.name(), output)))?;
        let directory = directory(&fields)?;
        let (scope, filters) = scope(&fields, true)?;
        let types = file_types(&fields)?;
        let page = Page::parse(&fields, defaults)?;
        let context = context(&fields, defaults)?;
        check_pattern("pattern", pattern)?;
        let sought = Sought { pattern, literal: !regex, case, word: false, fuzzy: None };
        Ok(Self {
            directory,
            pattern: Pattern::compile(sought)?,
            output: output.unwrap_or_default(),
            scope: Scope { also: types.into_iter().collect(), ..scope },
            filters,
            page,
            context,
        })
    }

    /// Matching lines after which counting stops. Only where lines are listed does it stop.
    fn counted(&self) -> usize {
        match self.output {
            Output::Lines => self.page.end().max(COUNTED),
            Output::Files | Output::Count => usize::MAX,
        }
    }
}
