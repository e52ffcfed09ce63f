//! The `Search` request: closed schema, defaults from configuration, bounds, and the order of checks
//! (FR-LS-02, FR-LS-VAL-01..11, docs/search.md section 1).

use serde_json::{Map, Value};

use crate::{
    error::ToolError,
    glob::{Dialect, Glob},
};

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

/// How letters compare (FR-LS-SRC-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseMode {
    /// Smart: sensitive if the pattern holds an ASCII capital, else insensitive.
    Smart,
    /// Characters compare as they are.
    Sensitive,
    /// ASCII letters compare equal to their other case; nothing else folds.
    Insensitive,
}

/// A request that passed every check that needs no file system, except that of the expression itself, which
/// [`crate::pattern::Pattern::compile`] makes.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "these are the request's own independent switches")]
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
    /// Only files matching one of these, unless empty.
    pub include: Vec<Glob>,
    /// No file matching one of these.
    pub exclude: Vec<Glob>,
    /// Descend below the search root's direct children.
    pub recursive: bool,
    /// Include names that start with a dot.
    pub hidden: bool,
    /// Follow symlinks that stay inside the roots.
    pub follow: bool,
    /// Disregard ignore files.
    pub no_ignore: bool,
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
    /// Reads and checks a request. The first failed check is the error; nothing has been run.
    pub fn parse(value: &Value, limits: &Limits) -> Result<Self, ToolError> {
        let Value::Object(object) = value else {
            return Err(ToolError::bad_args(
                "request",
                format!("request must be a JSON object, got {}", kind(value)),
            ));
        };
        if let Some(unknown) = object.keys().filter(|key| !FIELDS.contains(&key.as_str())).min() {
            return Err(ToolError::bad_args(
                unknown,
                format!("unknown field `{}`; known fields are {}", shown(unknown), FIELDS.join(", ")),
            ));
        }
        let fields = Fields(object);
        let pattern = fields
            .text("pattern")?
            .ok_or_else(|| ToolError::bad_args("pattern", "`pattern` is required: a non-empty string"))?;
        let path = fields.text("path")?;
        let case = fields.case()?;
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

        check_pattern(pattern)?;
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
            // An empty list filters nothing, so it does not hide the deprecated alias either (FR-LS-VAL-11, E-F15).
            include: if include.is_empty() { glob } else { include },
            exclude,
            recursive,
            hidden,
            follow,
            no_ignore,
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

fn saturate(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

fn check_pattern(pattern: &str) -> Result<(), ToolError> {
    let refuse = |why: String| Err(ToolError::bad_args("pattern", why));
    if pattern.len() > MAX_PATTERN_BYTES {
        return refuse(format!(
            "`pattern` is {} bytes long; at most {MAX_PATTERN_BYTES} are allowed",
            pattern.len()
        ));
    }
    if pattern.trim().is_empty() {
        return refuse(
            "`pattern` is empty or blank; give at least one character that is not white space".to_owned(),
        );
    }
    for (c, name) in [('\n', "line feed"), ('\0', "NUL")] {
        if let Some(at) = pattern.find(c) {
            return refuse(format!("`pattern` holds a {name} at byte {at}; the search goes line by line"));
        }
    }
    Ok(())
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

fn globs(field: &str, texts: &[&str]) -> Result<Vec<Glob>, ToolError> {
    if texts.len() > MAX_GLOBS {
        return Err(ToolError::bad_args(
            field,
            format!("`{field}` has {} entries; at most {MAX_GLOBS} are allowed", texts.len()),
        ));
    }
    texts
        .iter()
        .map(|text| {
            if text.len() > MAX_GLOB_BYTES {
                let length = text.len();
                let why = format!(
                    "a glob in `{field}` is {length} bytes long; at most {MAX_GLOB_BYTES} are allowed"
                );
                return Err(ToolError::bad_args(field, why));
            }
            Glob::parse(text.as_bytes(), Dialect::Request).map_err(|why| {
                ToolError::bad_args(field, format!("invalid glob `{}` in `{field}`: {why}", shown(text)))
            })
        })
        .collect()
}

/// The caller's own words, fit for one line of a message.
fn shown(text: &str) -> String {
    const SHOWN: usize = 200;
    let cut = if text.chars().count() > SHOWN { "…" } else { "" };
    crate::content::escape_name(&text.chars().take(SHOWN).collect::<String>()) + cut
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(number) if number.is_f64() => "a number with a fraction or exponent",
        Value::Number(_) => "an integer",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Typed access to the request's fields; each error names field, value and what is allowed.
struct Fields<'v>(&'v Map<String, Value>);

impl<'v> Fields<'v> {
    fn text(&self, field: &str) -> Result<Option<&'v str>, ToolError> {
        match self.0.get(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong_type(field, "a string", other)),
        }
    }

    fn flag(&self, field: &str, default: bool) -> Result<bool, ToolError> {
        match self.0.get(field) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(wrong_type(field, "true or false", other)),
        }
    }

    fn texts(&self, field: &str) -> Result<Vec<&'v str>, ToolError> {
        match self.0.get(field) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().ok_or_else(|| wrong_type(field, "an array of strings", item)))
                .collect(),
            Some(other) => Err(wrong_type(field, "an array of strings", other)),
        }
    }

    fn case(&self) -> Result<CaseMode, ToolError> {
        match self.text("case")? {
            None | Some("smart") => Ok(CaseMode::Smart),
            Some("sensitive") => Ok(CaseMode::Sensitive),
            Some("insensitive") => Ok(CaseMode::Insensitive),
            Some(other) => Err(ToolError::bad_args(
                "case",
                format!("`case` is `{}`; allowed are smart, sensitive, insensitive", shown(other)),
            )),
        }
    }

    fn integer(&self, field: &str, least: u64, most: u64) -> Result<Option<u64>, ToolError> {
        let Some(value) = self.0.get(field) else { return Ok(None) };
        let Value::Number(number) = value else { return Err(wrong_type(field, "an integer", value)) };
        if number.is_f64() {
            return Err(wrong_type(field, "an integer", value));
        }
        match number.as_u64().filter(|given| (least..=most).contains(given)) {
            Some(given) => Ok(Some(given)),
            None => Err(ToolError::bad_args(
                field,
                format!("`{field}` is {number}; allowed are {least} to {most}"),
            )),
        }
    }
}

fn wrong_type(field: &str, wanted: &str, got: &Value) -> ToolError {
    ToolError::bad_args(field, format!("`{field}` must be {wanted}, got {}", kind(got)))
}

#[cfg(test)]
mod tests;
