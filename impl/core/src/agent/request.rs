//! Fields that `search_text`, `grep` and the path search share: search root, globs, page
//! (FR-015b-17 to FR-015b-21; docs/agent-tools.md, section 2).

use crate::{
    error::ToolError,
    request::Reading,
    request::checks::{FirstError, globs, saturate, texts, within},
    scope::{PathCondition, Scope},
};

/// Maximum number of results of one answer.
pub(crate) const MAX_RESULTS: u64 = 200;
/// Largest offset: the largest integer that every JSON reader represents exactly. No search has as
/// many results, so every `next_offset` is valid (E-I34).
pub(crate) const MAX_OFFSET: u64 = (1 << 53) - 1;
/// Maximum number of context lines on each side.
pub(crate) const MAX_CONTEXT: u64 = 20;
/// Maximum number of file types in one request.
const MAX_FILE_TYPES: usize = 256;
/// Longest file type in characters.
const MAX_FILE_TYPE_CHARS: usize = 32;

/// Defaults from configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// Results of an answer.
    pub max_results: u64,
    /// Context lines on each side.
    pub context_lines: u64,
    /// By whose conventions a request is read.
    pub reading: Reading,
}

/// The globs of a request as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Globs of `include_path`.
    pub include: Vec<String>,
    /// Globs of `exclude_path`.
    pub exclude: Vec<String>,
}

/// A range of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Results to skip.
    pub offset: usize,
    /// Maximum number of results to show.
    pub max_results: usize,
}

impl Page {
    /// The number of results skipped or shown.
    pub fn end(&self) -> usize {
        self.offset.saturating_add(self.max_results)
    }
}

/// A request under construction: the shared fields and a tool's `own` ones. An invalid field is an
/// error of [`crate::request::Builder::build`].
#[derive(Clone, Debug)]
#[must_use]
pub struct RequestBuilder<Own> {
    pub(super) first_error: FirstError,
    pub(super) own: Own,
    pub(super) directory: String,
    include: Vec<String>,
    exclude: Vec<String>,
    /// Globs are validated when they are set.
    pub(super) scope: Scope,
    max_results: u64,
    offset: u64,
    pub(super) context_lines: u64,
    pub(super) reading: Reading,
}

impl<Own> AsMut<FirstError> for RequestBuilder<Own> {
    fn as_mut(&mut self) -> &mut FirstError {
        &mut self.first_error
    }
}

/// Requests whose results are lines of files.
pub trait Lines {}

/// Requests that may include what is left out elsewhere.
pub trait Widened {}

impl<Own> RequestBuilder<Own> {
    pub(super) fn new(own: Own, defaults: &Defaults) -> Self {
        Self {
            first_error: FirstError::default(),
            own,
            directory: ".".to_owned(),
            include: Vec::new(),
            exclude: Vec::new(),
            scope: Scope::default(),
            max_results: defaults.max_results,
            offset: 0,
            context_lines: defaults.context_lines,
            reading: defaults.reading,
        }
    }

    /// The search root; the working directory unless set.
    pub fn directory(mut self, directory: impl Into<String>) -> Self {
        let directory = check_directory(directory.into());
        self.first_error.set(&mut self.directory, directory);
        self
    }

    /// Globs, one of which must match; no restriction if empty.
    pub fn include_path(mut self, given: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.include = texts(given);
        self.first_error
            .set(&mut self.scope.include, globs("include_path", &self.include, self.reading));
        for glob in &self.include {
            self.scope.brought_back.globs.add(glob.as_bytes());
        }
        self
    }

    /// Globs that exclude files.
    pub fn exclude_path(mut self, given: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.exclude = texts(given);
        self.first_error
            .set(&mut self.scope.exclude, globs("exclude_path", &self.exclude, self.reading));
        self
    }

    /// Maximum number of results, 1 to 200.
    pub fn max_results(mut self, results: impl Into<i128>) -> Self {
        self.first_error.set(&mut self.max_results, within("max_results", results, 1, MAX_RESULTS));
        self
    }

    /// Results to skip, 0 to 2⁵³ - 1.
    pub fn offset(mut self, results: impl Into<i128>) -> Self {
        self.first_error.set(&mut self.offset, within("offset", results, 0, MAX_OFFSET));
        self
    }

    pub(super) fn page(&self) -> Page {
        Page { offset: saturate(self.offset), max_results: saturate(self.max_results) }
    }

    pub(super) fn filters(&self) -> Filters {
        Filters { include: self.include.clone(), exclude: self.exclude.clone() }
    }
}

impl<Own: Lines> RequestBuilder<Own> {
    /// Suffixes of file names, such as `.cs` or `tar.gz`; no restriction if empty.
    pub fn file_type(mut self, ends: impl IntoIterator<Item = impl Into<String>>) -> Self {
        if let Some(types) = self.first_error.keep(file_types(&texts(ends))) {
            self.scope.conditions = types.into_iter().collect();
        }
        self
    }

    /// Context lines on each side, 0 to 20.
    pub fn context_lines(mut self, lines: impl Into<i128>) -> Self {
        self.first_error
            .set(&mut self.context_lines, within("context_lines", lines, 0, MAX_CONTEXT));
        self
    }
}

impl<Own: Widened> RequestBuilder<Own> {
    /// Include names that start with a dot.
    pub fn hidden(mut self, hidden: bool) -> Self {
        self.scope.hidden = hidden;
        self
    }

    /// Ignore no file for its ignore rules.
    pub fn no_ignore(mut self, no_ignore: bool) -> Self {
        self.scope.no_ignore = no_ignore;
        self
    }
}

fn check_directory(given: String) -> Result<String, ToolError> {
    if given.is_empty() {
        let why =
            "`directory` is empty; name a directory, or leave it out for the working directory";
        return Err(ToolError::bad_args("directory", why));
    }
    if given.contains('\0') {
        return Err(ToolError::bad_args("directory", "`directory` holds a NUL"));
    }
    Ok(given)
}

/// The suffixes of `file_type`; `None` if the list is empty.
fn file_types(given: &[String]) -> Result<Option<PathCondition>, ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args("file_type", why));
    if given.len() > MAX_FILE_TYPES {
        return refuse(format!(
            "`file_type` has {} entries; at most {MAX_FILE_TYPES} are allowed",
            given.len()
        ));
    }
    let mut ends = Vec::with_capacity(given.len());
    for text in given {
        let bare = text.strip_prefix('.').unwrap_or(text);
        let length = bare.chars().count();
        if !(1..=MAX_FILE_TYPE_CHARS).contains(&length) {
            return refuse(format!(
                "a `file_type` has {length} characters after its dot; 1 to {MAX_FILE_TYPE_CHARS} are allowed, as in `.cs` or `tar.gz`"
            ));
        }
        let alien = |c: char| c.is_whitespace() || c.is_control() || "/,*?[]{}\\".contains(c);
        if let Some(alien) = bare.chars().find(|c| alien(*c)) {
            return refuse(format!(
                "a `file_type` holds `{}`; give the end of file names, as in `.cs` or [\"cs\", \"h\"], and use `include_path` for globs",
                alien.escape_debug()
            ));
        }
        ends.push(format!(".{bare}"));
    }
    Ok((!ends.is_empty()).then_some(PathCondition::Suffix(ends)))
}
