//! The `Search` request: closed schema, defaults from configuration, bounds, and the order of checks
//! (FR-LS-02, FR-LS-VAL-01..11, docs/search.md section 1).

use serde_json::Value;

use crate::{
    error::ToolError,
    pattern::Sought,
    scope::{Depth, Links, Scope},
};

pub(crate) mod definition;
pub(crate) mod fields;

pub use definition::definition;

pub use crate::pattern::CaseMode;
use fields::{Fields, check_pattern, globs, saturate};

/// The tool's name and its aliases, exact case (FR-LS-01).
pub const NAMES: [&str; 6] = ["Search", "search", "rg", "ripgrep", "ugrep", "ug"];
/// Largest `context`, in lines (E-D10).
pub const MAX_CONTEXT: u64 = 1_000;
/// Largest `max_results`, in events (E-D10).
pub const MAX_RESULTS: u64 = 100_000;
/// Largest `timeout_ms` (E-D10).
pub const MAX_TIMEOUT_MS: u64 = 600_000;
/// Largest `pattern`, in bytes: four bytes of argument per byte still fit one process argument (E-F02).
pub const MAX_PATTERN_BYTES: usize = 16_384;
/// Most entries of one glob list, and the largest of them in bytes.
pub const MAX_GLOBS: usize = 256;
/// Largest single glob, in bytes.
pub const MAX_GLOB_BYTES: usize = 4_096;
/// Upper bound of a limit that no cap restricts: the largest integer every JSON reader keeps exact.
pub const UNCAPPED: u64 = 1 << 53;

/// What configuration contributes to a request: defaults and hard caps (CFG-LS-02..05).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Deadline of a request that names none, in milliseconds.
    pub default_timeout_ms: u64,
    /// Event limit of a request that names none.
    pub default_max_results: u64,
    /// Cap and default of matching lines per file; none means no limit.
    pub max_matches_per_file: Option<u64>,
    /// Cap and default of eligible files.
    pub max_files: u64,
    /// Cap and default of a file's size in bytes; larger files are skipped.
    pub max_file_size_bytes: u64,
    /// Bound of the sum of emitted line texts, in bytes.
    pub max_output_bytes: u64,
}

/// A request that passed every check that needs no file system, except that of the expression itself, which
/// [`crate::pattern::Pattern::compile`] makes.
#[derive(Clone, Debug)]
pub struct Request {
    /// The pattern, raw, as echoed.
    pub pattern: String,
    /// Where to search, as given; `.` if absent.
    pub path: String,
    /// How letters compare.
    pub case: CaseMode,
    /// The pattern is a literal.
    pub fixed_strings: bool,
    /// Matches must be whole words.
    pub word_regexp: bool,
    /// Which files below the search root are eligible.
    pub scope: Scope,
    /// Lines of context on each side of a match.
    pub context: usize,
    /// Events to emit at most.
    pub max_results: usize,
    /// Matching lines to report per file at most.
    pub max_matches_per_file: Option<usize>,
    /// Eligible files to look at at most.
    pub max_files: u64,
    /// Files larger than this many bytes are skipped.
    pub max_file_size_bytes: u64,
    /// Sum of emitted line texts at most, in bytes.
    pub max_output_bytes: u64,
    /// Deadline in milliseconds.
    pub timeout_ms: u64,
    /// Number of edits a literal tolerates.
    pub fuzzy: Option<u8>,
}

/// Field names in schema order, which is the order in which they are checked.
const FIELDS: [&str; 19] = [
    "pattern",
    "path",
    "case",
    "fixed_strings",
    "word_regexp",
    "include_glob",
    "exclude_glob",
    "glob",
    "recursive",
    "hidden",
    "follow",
    "no_ignore",
    "context",
    "max_results",
    "max_matches_per_file",
    "max_files",
    "max_file_size_bytes",
    "timeout_ms",
    "fuzzy",
];

impl Request {
    /// What is looked for.
    pub fn sought(&self) -> Sought<'_> {
        Sought {
            pattern: &self.pattern,
            literal: self.fixed_strings,
            case: self.case,
            word: self.word_regexp,
            fuzzy: self.fuzzy,
        }
    }

    /// Reads and checks a request. The first failed check is the error; nothing has been run.
    pub fn parse(value: &Value, limits: &Limits) -> Result<Self, ToolError> {
        let fields = Fields::of(value, &FIELDS)?;
        let pattern = fields.required("pattern")?;
        let path = fields.text("path")?;
        let case = fields.case()?.unwrap_or(CaseMode::Smart);
        let fixed_strings = fields.flag("fixed_strings", false)?;
        let word_regexp = fields.flag("word_regexp", false)?;
        let include = fields.texts("include_glob")?;
        let exclude = fields.texts("exclude_glob")?;
        let glob = fields.texts("glob")?;
        let recursive = fields.flag("recursive", true)?;
        let hidden = fields.flag("hidden", false)?;
        let follow = fields.flag("follow", false)?;
        let no_ignore = fields.flag("no_ignore", false)?;
        let context = fields.integer("context", 0, MAX_CONTEXT)?.unwrap_or(0);
        let max_results =
            fields.integer("max_results", 1, MAX_RESULTS)?.unwrap_or(limits.default_max_results);
        let per_file_cap = limits.max_matches_per_file.unwrap_or(UNCAPPED);
        let max_matches_per_file =
            fields.integer("max_matches_per_file", 1, per_file_cap)?.or(limits.max_matches_per_file);
        let max_files = fields.integer("max_files", 1, limits.max_files)?.unwrap_or(limits.max_files);
        let max_file_size_bytes = fields
            .integer("max_file_size_bytes", 1, limits.max_file_size_bytes)?
            .unwrap_or(limits.max_file_size_bytes);
        let timeout_ms =
            fields.integer("timeout_ms", 1, MAX_TIMEOUT_MS)?.unwrap_or(limits.default_timeout_ms);
        let fuzzy = fields.integer("fuzzy", 1, 4)?.and_then(|level| u8::try_from(level).ok());

        check_pattern("pattern", pattern)?;
        let path = check_path(path)?;
        let include = globs("include_glob", &include)?;
        let exclude = globs("exclude_glob", &exclude)?;
        let glob = globs("glob", &glob)?;
        check_fuzzy(fuzzy, fixed_strings, pattern)?;
        Ok(Self {
            pattern: pattern.to_owned(),
            path: path.to_owned(),
            case,
            fixed_strings,
            word_regexp,
            scope: Scope {
                // An empty list filters nothing, so it does not hide the deprecated alias either (FR-LS-VAL-11, E-F15).
                include: if include.is_empty() { glob } else { include },
                exclude,
                depth: if recursive { Depth::Any } else { Depth::Children },
                hidden,
                links: if follow { Links::Follow } else { Links::Skip },
                no_ignore,
                also: Vec::new(),
            },
            context: saturate(context),
            max_results: saturate(max_results),
            max_matches_per_file: max_matches_per_file.map(saturate),
            max_files,
            max_file_size_bytes,
            max_output_bytes: limits.max_output_bytes,
            timeout_ms,
            fuzzy,
        })
    }
}

fn check_path(path: Option<&str>) -> Result<&str, ToolError> {
    match path {
        None => Ok("."),
        Some("") => {
            Err(ToolError::bad_args("path", "`path` is empty; leave it out to search the working directory"))
        }
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
            format!("`fuzzy` is {level}, but must be below the pattern's length of {length} characters"),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
