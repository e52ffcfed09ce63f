//! The path search: `find_files`, called `search_files` in profile `acode` (FR-015b-07 to
//! FR-015b-11, E-I18; docs/agent-tools.md, section 5).

use serde::Serialize;

use super::{
    answer::{self, Draft, Listing, Shown},
    cut::{Anchor, cut},
    notice::{Notice, NoticeKind},
    request::{self, Defaults, Filters, Page},
    searched::Searched,
};
use crate::{
    cancellation::Cancellation,
    error::ToolError,
    glob::Place,
    request::checks::{Builder, globs},
    scope::{Depth, OutsideGlob, PathCondition, Scope},
};

pub use alternatives::Alternatives;

mod alternatives;

/// The tool's name.
pub const NAME: &str = "find_files";

/// Characters that make a pattern a glob.
const WILDCARDS: [char; 7] = ['*', '?', '[', ']', '{', '}', '\\'];

/// A validated request. File system checks come later.
#[derive(Clone, Debug)]
pub struct Request {
    /// The search root as given, if it is.
    pub directory: Option<String>,
    /// Which files are eligible.
    pub scope: Scope,
    /// The globs of the request as written.
    pub filters: Filters,
    /// Which results to return.
    pub page: Page,
    /// The pattern as given.
    pub pattern: String,
    /// The condition of an exact match. Other eligible paths only contain the pattern.
    exact: PathCondition,
}

impl Request {
    /// A request for files whose names match `pattern`, with defaults from `defaults`.
    pub fn builder(pattern: impl Into<String>, defaults: &Defaults) -> RequestBuilder {
        RequestBuilder::new(Fields(pattern.into()), defaults)
    }

    /// Makes an absolute pattern relative to the search root (D25).
    pub fn place_pattern(&mut self, place: &Place<'_>) -> Result<(), OutsideGlob> {
        self.exact.place(place)?;
        self.scope.conditions.iter_mut().try_for_each(|condition| condition.place(place))
    }

    /// Whether the pattern matches a file at this path. The result is void if `cancellation` was
    /// triggered.
    pub fn matches(&self, path: &[u8], cancellation: &Cancellation<'_>) -> bool {
        self.exact.admits(path, cancellation)
    }
}

/// The builder of [`Request`].
pub type RequestBuilder = request::RequestBuilder<Fields>;

/// The fields of this tool alone.
#[derive(Clone, Debug)]
pub struct Fields(String);

impl request::Widened for Fields {}

impl RequestBuilder {
    /// Enter directories below the search root; on unless set.
    pub fn recursive(mut self, recursive: bool) -> Self {
        self.scope.depth = if recursive { Depth::Any } else { Depth::Children };
        self
    }
}

impl Builder for RequestBuilder {
    type Request = Request;

    fn build(self) -> Result<Request, ToolError> {
        let (page, filters) = (self.page(), self.filters());
        self.first_error.check()?;
        let pattern = self.own.0;
        let exact = PathCondition::Glob(globs("pattern", &[&pattern], self.reading)?);
        let names = match holding(&pattern) {
            Some(holding) => PathCondition::Any(vec![exact.clone(), holding]),
            None => exact.clone(),
        };
        let mut scope = Scope { conditions: vec![names], ..self.scope };
        scope.brought_back.globs.add(pattern.as_bytes());
        scope.brought_back.beginnings = dotted_names(&pattern);
        Ok(Request { directory: self.directory, scope, filters, page, pattern, exact })
    }
}

/// The condition that a path contains the pattern; none if the pattern has wildcards (E-I33).
fn holding(pattern: &str) -> Option<PathCondition> {
    let text = pattern.strip_prefix("./").unwrap_or(pattern);
    let is_plain = !text.contains(WILDCARDS);
    is_plain.then(|| PathCondition::Containing(text.to_ascii_lowercase().into_bytes()))
}

/// The names with a leading dot in a pattern without wildcards, in lower case: names that begin
/// with one are looked at, too.
fn dotted_names(pattern: &str) -> Vec<Vec<u8>> {
    let names = pattern.split('/').filter(|name| name.starts_with('.') && name.len() > 1);
    let names = names.filter(|name| *name != ".." && !pattern.contains(WILDCARDS));
    names.map(|name| name.to_ascii_lowercase().into_bytes()).collect()
}

/// A file whose name or path matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// When it was modified, in UTC, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// The path as shown.
    pub path: String,
    /// Its length in bytes, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size_bytes: Option<u64>,
    /// What it is.
    pub r#type: FileType,
}

impl Shown for Found {
    fn path(&self) -> &str {
        &self.path
    }
}

/// What a result is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileType {
    /// A regular file.
    #[default]
    File,
}

/// The fields of this tool's answers alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Own {
    /// How names matched, if not as the pattern says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matched_by: Option<MatchedBy>,
}

/// How names matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchedBy {
    /// They hold the pattern, in small or capital letters.
    Substring,
}

/// The answer.
pub type Answer = answer::Answer<Found, Own>;

/// The answer before it is cut to its budget. `near`: the pattern, if no file matches it and the
/// results only hold it.
pub fn draft(
    near: Option<&str>,
    page: Page,
    total: u64,
    results: Vec<Found>,
    searched: Searched,
) -> Draft<Found, Own> {
    let draft = Draft {
        nouns: ("file", "files"),
        total,
        counts: String::new(),
        results,
        page,
        stopped: None,
        searched,
        notices: Vec::new(),
        advice: String::new(),
        listing: Listing::Pages,
        own: Own::default(),
    };
    let Some(pattern) = near else { return draft };
    let what = if pattern.contains('/') { "paths" } else { "names" };
    let pattern = cut(pattern, Anchor::Start).text;
    let why = format!(
        "no file is called `{pattern}`; these are files whose {what} hold it, in small or capital letters"
    );
    Draft {
        nouns: (
            "file that holds the pattern in its name",
            "files that hold the pattern in their names",
        ),
        notices: vec![Notice::new(NoticeKind::Substring, why)],
        own: Own { matched_by: Some(MatchedBy::Substring) },
        ..draft
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(pattern: &str, path: &str) -> bool {
        holding(pattern).is_some_and(|names| names.admits(path.as_bytes(), &Cancellation::never()))
    }

    #[test]
    fn a_pattern_without_wildcards_matches_inside_names() {
        assert!(holds("kvm_main", "virt/kvm/kvm_main.c") && holds("KVM_", "virt/kvm_main.c"));
        assert!(!holds("kvm", "virt/kvm/main.c"), "a directory is not the file");
        assert!(holds("kvm/ma", "virt/kvm/main.c") && holds("./a", "xa"));
        assert!(holds("/virt", "virt/main.c") && !holds("/main", "virt/kvm_main.c"));
        for pattern in ["kvm*", "kv?", "[k]", "{k}", "\\k"] {
            assert!(holding(pattern).is_none(), "{pattern}");
        }
    }
}
