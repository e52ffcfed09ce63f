//! Builds a `Search` request: each field within its bounds, then checks of the whole
//! (FR-LS-VAL-01..11, docs/search.md section 1).

use super::{
    CaseMode, Limits, MAX_CONTEXT, MAX_RESULTS, MAX_TIMEOUT_MS, Request, UNCAPPED,
    checks::{Builder, FirstError, check_pattern, globs, saturate, texts, within},
};
use crate::{
    error::ToolError,
    pattern::{Pattern, PatternOptions},
    scope::{Depth, Links, Scope},
};

/// A `Search` request under construction. A number out of bounds is an error of [`Builder::build`].
#[derive(Clone, Debug)]
#[must_use]
pub struct RequestBuilder {
    limits: Limits,
    first_error: FirstError,
    pattern: String,
    path: Option<String>,
    case: CaseMode,
    fixed_strings: bool,
    word_regexp: bool,
    include: Vec<String>,
    exclude: Vec<String>,
    old_include: Vec<String>,
    scope: Scope,
    context: u64,
    max_results: u64,
    max_matches_per_file: Option<u64>,
    max_files: u64,
    max_file_size_bytes: u64,
    timeout_ms: u64,
    fuzzy: Option<u64>,
}

impl RequestBuilder {
    pub(super) fn new(pattern: String, limits: &Limits) -> Self {
        Self {
            pattern,
            path: None,
            case: CaseMode::Smart,
            fixed_strings: false,
            word_regexp: false,
            include: Vec::new(),
            exclude: Vec::new(),
            old_include: Vec::new(),
            scope: Scope::default(),
            context: 0,
            max_results: limits.default_max_results,
            max_matches_per_file: limits.max_matches_per_file,
            max_files: limits.max_files,
            max_file_size_bytes: limits.max_file_size_bytes,
            timeout_ms: limits.default_timeout_ms,
            fuzzy: None,
            first_error: FirstError::default(),
            limits: limits.clone(),
        }
    }

    /// The file or directory to search; the working directory unless set.
    pub fn path(self, path: impl Into<String>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// Case mode; [`CaseMode::Smart`] unless set.
    pub fn case(self, case: CaseMode) -> Self {
        Self { case, ..self }
    }

    /// Whether the pattern is a literal.
    pub fn fixed_strings(self, fixed_strings: bool) -> Self {
        Self { fixed_strings, ..self }
    }

    /// Whether matches must be whole words.
    pub fn word_regexp(self, word_regexp: bool) -> Self {
        Self { word_regexp, ..self }
    }

    /// Globs, one of which must match; no restriction if empty.
    pub fn include_glob(self, globs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { include: texts(globs), ..self }
    }

    /// Globs that exclude files.
    pub fn exclude_glob(self, globs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { exclude: texts(globs), ..self }
    }

    /// The deprecated alias of `include_glob`, used if that is empty (FR-LS-VAL-11, E-F15).
    pub fn glob(self, globs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { old_include: texts(globs), ..self }
    }

    /// Enter directories below the path; on unless set.
    pub fn recursive(mut self, recursive: bool) -> Self {
        self.scope.depth = if recursive { Depth::Any } else { Depth::Children };
        self
    }

    /// Include names that start with a dot.
    pub fn hidden(mut self, hidden: bool) -> Self {
        self.scope.hidden = hidden;
        self
    }

    /// Follow symlinks.
    pub fn follow(mut self, follow: bool) -> Self {
        self.scope.links = if follow { Links::Follow } else { Links::Skip };
        self
    }

    /// Ignore no file for its ignore rules.
    pub fn no_ignore(mut self, no_ignore: bool) -> Self {
        self.scope.no_ignore = no_ignore;
        self
    }

    /// Context lines on each side of a match, 0 to [`MAX_CONTEXT`].
    pub fn context(mut self, lines: impl Into<i128>) -> Self {
        self.first_error.set(&mut self.context, within("context", lines, 0, MAX_CONTEXT));
        self
    }

    /// Maximum number of events, 1 to [`MAX_RESULTS`].
    pub fn max_results(mut self, events: impl Into<i128>) -> Self {
        self.first_error.set(&mut self.max_results, within("max_results", events, 1, MAX_RESULTS));
        self
    }

    /// Maximum number of matching lines per file, 1 to the configured cap.
    pub fn max_matches_per_file(mut self, lines: impl Into<i128>) -> Self {
        let most = self.limits.max_matches_per_file.unwrap_or(UNCAPPED);
        let lines = within("max_matches_per_file", lines, 1, most);
        self.first_error.set(&mut self.max_matches_per_file, lines);
        self
    }

    /// Maximum number of eligible files, 1 to the configured cap.
    pub fn max_files(mut self, files: impl Into<i128>) -> Self {
        let most = self.limits.max_files;
        self.first_error.set(&mut self.max_files, within("max_files", files, 1, most));
        self
    }

    /// Larger files, in bytes, are skipped; 1 to the configured cap.
    pub fn max_file_size_bytes(mut self, bytes: impl Into<i128>) -> Self {
        let most = self.limits.max_file_size_bytes;
        self.first_error
            .set(&mut self.max_file_size_bytes, within("max_file_size_bytes", bytes, 1, most));
        self
    }

    /// Deadline in milliseconds, 1 to [`MAX_TIMEOUT_MS`].
    pub fn timeout_ms(mut self, ms: impl Into<i128>) -> Self {
        self.first_error.set(&mut self.timeout_ms, within("timeout_ms", ms, 1, MAX_TIMEOUT_MS));
        self
    }

    /// Permitted number of edits of a literal, 1 to 4.
    pub fn fuzzy(mut self, edits: impl Into<i128>) -> Self {
        self.first_error.set(&mut self.fuzzy, within("fuzzy", edits, 1, 4));
        self
    }
}

impl AsMut<FirstError> for RequestBuilder {
    fn as_mut(&mut self) -> &mut FirstError {
        &mut self.first_error
    }
}

impl Builder for RequestBuilder {
    type Request = Request;

    fn build(self) -> Result<Request, ToolError> {
        self.first_error.check()?;
        check_pattern("pattern", &self.pattern)?;
        let path = check_path(self.path)?;
        let reading = self.limits.reading;
        let include = globs("include_glob", &self.include, reading)?;
        let exclude = globs("exclude_glob", &self.exclude, reading)?;
        let old_include = globs("glob", &self.old_include, reading)?;
        let fuzzy = self.fuzzy.and_then(|level| u8::try_from(level).ok());
        check_fuzzy(fuzzy, self.fixed_strings, &self.pattern)?;
        let matcher = Pattern::compile(PatternOptions {
            pattern: &self.pattern,
            literal: self.fixed_strings,
            case: self.case,
            word: self.word_regexp,
            fuzzy,
            reading,
        })?;
        Ok(Request {
            pattern: self.pattern,
            matcher,
            path,
            case: self.case,
            fixed_strings: self.fixed_strings,
            word_regexp: self.word_regexp,
            // An empty list filters nothing, so it does not hide the deprecated alias either
            // (FR-LS-VAL-11, E-F15).
            scope: Scope {
                include: if include.is_empty() { old_include } else { include },
                exclude,
                ..self.scope
            },
            context: saturate(self.context),
            max_results: saturate(self.max_results),
            max_matches_per_file: self.max_matches_per_file.map(saturate),
            max_files: self.max_files,
            max_file_size_bytes: self.max_file_size_bytes,
            max_output_bytes: self.limits.max_output_bytes,
            timeout_ms: self.timeout_ms,
            fuzzy,
            reading,
        })
    }
}

fn check_path(path: Option<String>) -> Result<String, ToolError> {
    match path {
        None => Ok(".".to_owned()),
        Some(path) if path.is_empty() => Err(ToolError::bad_args(
            "path",
            "`path` is empty; leave it out to search the working directory",
        )),
        Some(path) if path.contains('\0') => Err(ToolError::bad_args("path", "`path` holds a NUL")),
        Some(path) => Ok(path),
    }
}

fn check_fuzzy(fuzzy: Option<u8>, fixed_strings: bool, pattern: &str) -> Result<(), ToolError> {
    let Some(level) = fuzzy else { return Ok(()) };
    if !fixed_strings {
        return Err(ToolError::bad_args(
            "fuzzy",
            "`fuzzy` needs a literal pattern: set `fixed_strings` to true",
        ));
    }
    let length = pattern.chars().count();
    if usize::from(level) >= length {
        return Err(ToolError::bad_args(
            "fuzzy",
            format!(
                "`fuzzy` is {level}, but must be below the pattern's length of {length} characters"
            ),
        ));
    }
    Ok(())
}
