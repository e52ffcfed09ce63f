//! The request of `search_files`: schema, defaults and caps from configuration, and the checks that need no file (SCHEMA-SF, FR-SF-VAL-01 to
//! FR-SF-VAL-05, CFG-SF-02; docs/search-files.md, section 2).

use serde_json::Value;

use crate::{
    error::ToolError,
    request::{
        CaseMode, MAX_CONTEXT, UNCAPPED,
        fields::{Fields, check_pattern, globs, saturate},
    },
    scope::{Depth, Links, Scope},
};

/// Largest `max_results` that configuration may allow, in matches.
pub const MAX_RESULTS: u64 = 100_000;
/// Longest query of mode `fuzzy`, in scalar values: every further 64 cost another pass over the text.
pub const MAX_FUZZY_SCALARS: usize = 1_024;

/// How a query is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As characters (FR-SF-SRC-01).
    Exact,
    /// As a regular expression (FR-SF-SRC-02).
    Regex,
    /// As something to resemble (FR-SF-SRC-03).
    Fuzzy,
}

impl Mode {
    const ALL: [Self; 3] = [Self::Exact, Self::Regex, Self::Fuzzy];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Regex => "regex",
            Self::Fuzzy => "fuzzy",
        }
    }

    /// The mode that is written so.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// What configuration contributes to a request: caps, which are defaults too, and the other defaults (CFG-SF-02, CFG-SF-04).
#[derive(Clone, Debug, PartialEq)]
pub struct Caps {
    /// Matches.
    pub max_results: u64,
    /// Matches of one file; none means no limit.
    pub max_matches_per_file: Option<u64>,
    /// Bytes.
    pub max_file_size_bytes: u64,
    /// Eligible files.
    pub max_files: u64,
    /// Levels below the search root.
    pub max_depth: u64,
    /// Default of the field.
    pub respect_gitignore: bool,
    /// Default of the field.
    pub include_hidden: bool,
    /// Default of the field.
    pub follow_symlinks: bool,
    /// Default of the field.
    pub mode: Mode,
    /// Default of the field.
    pub case: CaseMode,
    /// The smallest score that is a match.
    pub fuzzy_threshold: f64,
}

impl Caps {
    /// The document's own (CFGKEY-SF-*).
    pub fn documents() -> Self {
        Self {
            max_results: 200,
            max_matches_per_file: Some(20),
            max_file_size_bytes: 2_000_000,
            max_files: 5_000,
            max_depth: 12,
            respect_gitignore: true,
            include_hidden: false,
            follow_symlinks: false,
            mode: Mode::Exact,
            case: CaseMode::Smart,
            fuzzy_threshold: 0.8,
        }
    }
}

/// A request that passed every check that needs no file system, except that of the expression itself, which
/// [`crate::pattern::Pattern::compile`] makes.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where to search, as given.
    pub path: String,
    /// What to look for, as given.
    pub query: String,
    /// How the query is read.
    pub mode: Mode,
    /// How letters compare.
    pub case: CaseMode,
    /// Which files below the search root are eligible.
    pub scope: Scope,
    /// Matches to answer with at most.
    pub max_results: usize,
    /// Matches of one file that count.
    pub max_matches_per_file: Option<usize>,
    /// Files larger than this many bytes are not searched.
    pub max_file_size_bytes: u64,
    /// Eligible files to look at at most.
    pub max_files: u64,
    /// Lines shown above and below each match.
    pub context_lines: usize,
    /// The smallest score that is a match.
    pub fuzzy_threshold: f64,
}

/// Field names in schema order, which is the order in which they are checked.
const FIELDS: [&str; 16] = [
    "path",
    "query",
    "mode",
    "case",
    "recursive",
    "max_depth",
    "max_results",
    "max_matches_per_file",
    "max_file_size_bytes",
    "max_files",
    "context_lines",
    "include_hidden",
    "follow_symlinks",
    "respect_gitignore",
    "include_globs",
    "exclude_globs",
];

impl Request {
    /// Reads and checks a request. `can_fuzzy` is whether the configured backend can match fuzzily. The first failed check is the error;
    /// nothing has been run.
    pub fn parse(value: &Value, caps: &Caps, can_fuzzy: bool) -> Result<Self, ToolError> {
        let fields = Fields::of(value, &FIELDS)?;
        let path = fields.required("path")?;
        let query = fields.required("query")?;
        let mode = fields.one_of("mode", &Mode::ALL.map(|mode| (mode.name(), mode)))?.unwrap_or(caps.mode);
        let case = fields.case()?.unwrap_or(caps.case);
        let recursive = fields.flag("recursive", true)?;
        let max_depth = fields.integer("max_depth", 1, caps.max_depth)?;
        let max_results = fields.integer("max_results", 1, caps.max_results)?.unwrap_or(caps.max_results);
        let per_file_cap = caps.max_matches_per_file.unwrap_or(UNCAPPED);
        let max_matches_per_file =
            fields.integer("max_matches_per_file", 1, per_file_cap)?.or(caps.max_matches_per_file);
        let max_file_size_bytes = fields
            .integer("max_file_size_bytes", 1, caps.max_file_size_bytes)?
            .unwrap_or(caps.max_file_size_bytes);
        let max_files = fields.integer("max_files", 1, caps.max_files)?.unwrap_or(caps.max_files);
        let context_lines = fields.integer("context_lines", 0, MAX_CONTEXT)?.unwrap_or(0);
        let hidden = fields.flag("include_hidden", caps.include_hidden)?;
        let follow = fields.flag("follow_symlinks", caps.follow_symlinks)?;
        let respect_ignore = fields.flag("respect_gitignore", caps.respect_gitignore)?;
        let include = fields.texts("include_globs")?;
        let exclude = fields.texts("exclude_globs")?;

        check_path(path)?;
        check_pattern("query", query)?;
        let depth = depth(recursive, max_depth, caps.max_depth)?;
        let include = globs("include_globs", &include)?;
        let exclude = globs("exclude_globs", &exclude)?;
        check_fuzzy(mode, query, can_fuzzy)?;
        Ok(Self {
            path: path.to_owned(),
            query: query.to_owned(),
            mode,
            case,
            scope: Scope {
                include,
                exclude,
                depth,
                hidden,
                links: if follow { Links::ToFiles } else { Links::Skip },
                no_ignore: !respect_ignore,
                also: Vec::new(),
            },
            max_results: saturate(max_results),
            max_matches_per_file: max_matches_per_file.map(saturate),
            max_file_size_bytes,
            max_files,
            context_lines: saturate(context_lines),
            fuzzy_threshold: caps.fuzzy_threshold,
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
            format!("`max_depth` is {depth} while `recursive` is false; leave it out, or let it be 1"),
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
        let why =
            format!("`query` has {length} characters; at most {MAX_FUZZY_SCALARS} are allowed in mode fuzzy");
        return Err(ToolError::bad_args("query", why));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
