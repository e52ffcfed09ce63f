//! The path search: `find_files`, or `search_files` in the profile `acode` (FR-015b-07 to FR-015b-11, E-I18; docs/agent-tools.md, section 5).

use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};

use super::{
    answer::{Answer, Found, Lines, Searched},
    request::{Defaults, Page, directory, scope},
};
use crate::{
    error::ToolError,
    index::segment::Fingerprint,
    request::fields::{Fields, globs},
    scope::{Names, Scope},
};

/// What the tool is called.
pub const NAME: &str = "find_files";

const FIELDS: [&str; 7] =
    ["pattern", "directory", "recursive", "include_path", "exclude_path", "max_results", "offset"];

/// The last second that has a year of four digits.
const LAST_SECOND: i64 = 253_402_300_799;

/// A request that passed every check that needs no file.
#[derive(Clone, Debug)]
pub struct Request {
    /// The search root, as given.
    pub directory: String,
    /// Which files.
    pub scope: Scope,
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
        let scope = scope(&fields, recursive)?;
        let page = Page::parse(&fields, defaults)?;
        let names = Names::Matching(globs("pattern", &[pattern])?);
        Ok(Self { directory, scope: Scope { also: vec![names], ..scope }, page })
    }
}

/// A result: a file, as it was when its directory was listed.
pub fn found(path: String, fingerprint: Option<Fingerprint>) -> Found {
    let mut json = json!({ "path": path, "type": "file" });
    if let (Some(fields), Some(Fingerprint { size, mtime_ns, .. })) = (json.as_object_mut(), fingerprint) {
        fields.insert("size_bytes".to_owned(), size.into());
        if let Some(modified) = time(mtime_ns) {
            fields.insert("modified".to_owned(), modified.into());
        }
    }
    Found { json, path, heading: String::new(), lines: Lines::default(), cut: false }
}

/// A time in UTC, cut to the second; none before 1970 or after 9999.
fn time(nanoseconds: i64) -> Option<String> {
    let seconds = nanoseconds.div_euclid(1_000_000_000);
    let since = u64::try_from(seconds).ok().filter(|_| seconds <= LAST_SECOND)?;
    Some(humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(since)).to_string())
}

/// The answer.
pub fn answer(page: Page, total: u64, results: Vec<Found>, searched: Searched) -> Answer {
    Answer {
        nouns: ("file", "files"),
        total,
        results,
        page,
        stopped: None,
        searched,
        notices: Vec::new(),
        advice: "a pattern without `/` is compared to base names, as in `*.cs`; one with `/` to whole paths, as in `src/**/test_*.py`; upper and lower case differ"
            .to_owned(),
    }
}
