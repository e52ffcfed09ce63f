//! The path search: `find_files`, or `search_files` in the profile `acode` (FR-015b-07 to FR-015b-11, E-I18; docs/agent-tools.md, section 5).

use serde_json::{Value, json};

use super::{
    answer::{Answer, Found, Lines, Listing, Searched},
    ineligible::Filters,
    request::{Defaults, Page, directory, scope},
};
use crate::{
    error::ToolError,
    request::fields::{Fields, globs},
    scope::{Names, Scope},
};

/// What the tool is called.
pub const NAME: &str = "find_files";

const FIELDS: [&str; 7] =
    ["pattern", "directory", "recursive", "include_path", "exclude_path", "max_results", "offset"];

/// A request that passed every check that needs no file.
#[derive(Clone, Debug)]
pub struct Request {
    /// The search root, as given.
    pub directory: String,
    /// Which files.
    pub scope: Scope,
    /// What the request says of them.
    pub filters: Filters,
    /// Which results.
    pub page: Page,
}

impl Request {
    /// Checks a request.
    pub fn parse(request: &Value, defaults: &Defaults) -> Result<Self, ToolError> {
        let fields = Fields::of(request, &FIELDS)?;
        let pattern = fields.required("pattern")?;
        let directory = directory(&fields)?;
        let recursive = fields.flag("recursive", true)?;
        let (scope, filters) = scope(&fields, recursive)?;
        let page = Page::parse(&fields, defaults)?;
        let names = Names::Matching(globs("pattern", &[pattern])?);
        Ok(Self { directory, scope: Scope { also: vec![names], ..scope }, filters, page })
    }
}

/// A result: a file, its size in bytes, and the time of its last change in UTC, as far as they are known.
pub fn found(path: String, size: Option<u64>, modified: Option<String>) -> Found {
    let mut json = json!({ "path": path, "type": "file" });
    if let Some(fields) = json.as_object_mut() {
        fields.extend(size.map(|size| ("size_bytes".to_owned(), size.into())));
        fields.extend(modified.map(|modified| ("modified".to_owned(), modified.into())));
    }
    Found { json, path, heading: String::new(), lines: Lines::default(), cut: false }
}

/// The answer.
pub fn answer(page: Page, total: u64, results: Vec<Found>, searched: Searched) -> Answer {
    Answer {
        nouns: ("file", "files"),
        total,
        counts: String::new(),
        results,
        page,
        stopped: None,
        searched,
        notices: Vec::new(),
        advice: "a pattern without `/` is compared to base names, as in `*.cs`; one with `/` to whole paths, as in `src/**/test_*.py`; upper and lower case differ"
            .to_owned(),
        listing: Listing::Pages,
        fields: serde_json::Map::new(),
    }
}
