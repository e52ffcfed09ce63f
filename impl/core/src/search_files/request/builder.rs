//! Builds a `search_files` request: each field within its bounds, then checks of the whole
//! (FR-SF-VAL-01 to FR-SF-VAL-05; docs/search-files.md, section 2).

use super::{Caps, MAX_FUZZY_SCALARS, Mode, Request};
use crate::{
    error::ToolError,
    pattern::{Pattern, PatternOptions},
    request::{
        CaseMode, MAX_CONTEXT, UNCAPPED,
        checks::{Builder, FirstError, check_pattern, globs, saturate, texts, within},
    },
    scope::{Depth, Links, Scope},
};

/// A `search_files` request under construction. A number out of bounds is an error of
/// [`Builder::build`].
#[derive(Clone, Debug)]
#[must_use]
pub struct RequestBuilder {
    caps: Caps,
    can_fuzzy: bool,
    first_error: FirstError,
    path: String,
    query: String,
    mode: Mode,
    case: CaseMode,
    recursive: bool,
    max_depth: Option<u64>,
    max_results: u64,
    max_matches_per_file: Option<u64>,
    max_file_size_bytes: u64,
    max_files: u64,
    context_lines: u64,
    scope: Scope,
    include: Vec<String>,
    exclude: Vec<String>,
}

impl RequestBuilder {
    pub(super) fn new(path: String, query: String, caps: &Caps, can_fuzzy: bool) -> Self {
        Self {
            can_fuzzy,
            first_error: FirstError::default(),
            path,
            query,
            mode: caps.mode,
            case: caps.case,
            recursive: true,
            max_depth: None,
            max_results: caps.max_results,
            max_matches_per_file: caps.max_matches_per_file,
            max_file_size_bytes: caps.max_file_size_bytes,
            max_files: caps.max_files,
            context_lines: 0,
            scope: Scope::default(),
            include: Vec::new(),
            exclude: Vec::new(),
            caps: caps.clone(),
        }
        .include_hidden(caps.include_hidden)
        .follow_symlinks(caps.follow_symlinks)
        .respect_gitignore(caps.respect_gitignore)
    }

    /// How the query is matched.
    pub fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// How letters compare.
    pub fn case(self, case: CaseMode) -> Self {
        Self { case, ..self }
    }

    /// Enter directories below the path; on unless set.
    pub fn recursive(self, recursive: bool) -> Self {
        Self { recursive, ..self }
    }

    /// Levels below the path, 1 to the configured cap.
    pub fn max_depth(mut self, levels: impl Into<i128>) -> Self {
        self.first_error
            .set(&mut self.max_depth, within("max_depth", levels, 1, self.caps.max_depth));
        self
    }

    /// Maximum number of matches, 1 to the configured cap.
    pub fn max_results(mut self, matches: impl Into<i128>) -> Self {
        let matches = within("max_results", matches, 1, self.caps.max_results);
        self.first_error.set(&mut self.max_results, matches);
        self
    }

    /// Matches of one file that count, 1 to the configured cap.
    pub fn max_matches_per_file(mut self, matches: impl Into<i128>) -> Self {
        let most = self.caps.max_matches_per_file.unwrap_or(UNCAPPED);
        let matches = within("max_matches_per_file", matches, 1, most);
        self.first_error.set(&mut self.max_matches_per_file, matches);
        self
    }

    /// Larger files, in bytes, are not searched; 1 to the configured cap.
    pub fn max_file_size_bytes(mut self, bytes: impl Into<i128>) -> Self {
        let bytes = within("max_file_size_bytes", bytes, 1, self.caps.max_file_size_bytes);
        self.first_error.set(&mut self.max_file_size_bytes, bytes);
        self
    }

    /// Maximum number of eligible files, 1 to the configured cap.
    pub fn max_files(mut self, files: impl Into<i128>) -> Self {
        self.first_error
            .set(&mut self.max_files, within("max_files", files, 1, self.caps.max_files));
        self
    }

    /// Context lines above and below each match, 0 to [`MAX_CONTEXT`].
    pub fn context_lines(mut self, lines: impl Into<i128>) -> Self {
        self.first_error
            .set(&mut self.context_lines, within("context_lines", lines, 0, MAX_CONTEXT));
        self
    }

    /// Include names that start with a dot.
    pub fn include_hidden(mut self, hidden: bool) -> Self {
        self.scope.hidden = hidden;
        self
    }

    /// Follow symlinks to files.
    pub fn follow_symlinks(mut self, follow: bool) -> Self {
        self.scope.links = if follow { Links::ToFiles } else { Links::Skip };
        self
    }

    /// Whether ignore rules apply.
    pub fn respect_gitignore(mut self, respect_ignore: bool) -> Self {
        self.scope.no_ignore = !respect_ignore;
        self
    }

    /// Globs, one of which must match; no restriction if empty.
    pub fn include_globs(self, globs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { include: texts(globs), ..self }
    }

    /// Globs that exclude files.
    pub fn exclude_globs(self, globs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { exclude: texts(globs), ..self }
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
        let Self { path, query, mode, case, .. } = self;
        self.first_error.check()?;
        check_path(&path)?;
        check_pattern("query", &query)?;
        let depth = depth(self.recursive, self.max_depth, self.caps.max_depth)?;
        let include = globs("include_globs", &self.include, self.caps.reading)?;
        let exclude = globs("exclude_globs", &self.exclude, self.caps.reading)?;
        check_fuzzy(mode, &query, self.can_fuzzy)?;
        let sought = PatternOptions {
            pattern: &query,
            literal: mode != Mode::Regex,
            case,
            word: false,
            fuzzy: None,
            reading: self.caps.reading,
        };
        let matcher = Pattern::compile(sought)
            .map_err(|error| ToolError { field: Some("query".to_owned()), ..error })?;
        Ok(Request {
            path,
            query,
            matcher,
            mode,
            case,
            scope: Scope { include, exclude, depth, ..self.scope },
            max_results: saturate(self.max_results),
            max_matches_per_file: self.max_matches_per_file.map(saturate),
            max_file_size_bytes: self.max_file_size_bytes,
            max_files: self.max_files,
            context_lines: saturate(self.context_lines),
            fuzzy_threshold: self.caps.fuzzy_threshold,
        })
    }
}

fn check_path(path: &str) -> Result<(), ToolError> {
    if path.trim().is_empty() {
        let why = "`path` is empty or blank; give a directory, `.` for the working directory";
        return Err(ToolError::bad_args("path", why));
    }
    if path.contains('\0') {
        return Err(ToolError::bad_args("path", "`path` holds a NUL"));
    }
    Ok(())
}

/// FR-SF-VAL-03.
fn depth(recursive: bool, max_depth: Option<u64>, cap: u64) -> Result<Depth, ToolError> {
    match max_depth {
        _ if recursive => Ok(Depth::AtMost(max_depth.unwrap_or(cap))),
        None | Some(1) => Ok(Depth::Children),
        Some(depth) => Err(ToolError::bad_args(
            "max_depth",
            format!(
                "`max_depth` is {depth} while `recursive` is false; leave it out, or let it be 1"
            ),
        )),
    }
}

fn check_fuzzy(mode: Mode, query: &str, can_fuzzy: bool) -> Result<(), ToolError> {
    if mode != Mode::Fuzzy {
        return Ok(());
    }
    if !can_fuzzy {
        return Err(ToolError::bad_args(
            "mode",
            "`mode` is fuzzy, which the configured backend cannot do; use exact or regex, or set tools.search_files.backend to native",
        ));
    }
    let length = query.chars().count();
    if length > MAX_FUZZY_SCALARS {
        let why = format!(
            "`query` has {length} characters; at most {MAX_FUZZY_SCALARS} are allowed in mode fuzzy"
        );
        return Err(ToolError::bad_args("query", why));
    }
    Ok(())
}
