//! The shape of the tables that the meaning of `search_files` is read from (docs/search-files.md).
//!
//! Responsible for: plain static data types for what `spec/tools/search_files.yaml` and its table
//! of configuration keys
//! state. The values are generated into [`crate::generated::search_files`].
//! Left to neighbours: what is the same for every tool, such as messages, ignore sources,
//! characters that are escaped and
//! the limits of globs, which stands in [`crate::tables::SearchTables`].
//! Invariants: those of [`crate::tables`].

use crate::tables::{ErrorCheck, Field};

/// Everything the specification states about `search_files` as data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilesTables {
    /// The tool's name (FR-SF-DEF-01).
    pub name: &'static str,
    /// What callers are told that it does (FR-SF-DEF-02).
    pub description: &'static str,
    /// Whether it changes anything (FR-SF-DEF-03).
    pub is_side_effecting: bool,
    /// Whether somebody has to approve a call (FR-SF-DEF-04).
    pub requires_approval: bool,
    /// The risk it reports (FR-SF-DEF-04).
    pub risk: &'static str,
    /// Request fields, in schema order (SCHEMA-SF).
    pub fields: &'static [Field<FilesSetting>],
    /// Checks in the order they run; the first that fails is the answer.
    pub checks: &'static [ErrorCheck<FilesCheck>],
    /// Fields of the answer, in the order they are written.
    pub answer: &'static [JsonField],
    /// Fields of a match, in the order they are written.
    pub matches: &'static [JsonField],
    /// Fields of `stats`, in the order they are written.
    pub stats: &'static [JsonField],
    /// Fields of an error, in the order they are written.
    pub errors: &'static [JsonField],
    /// The reasons of `truncated_reason`, the one that wins first (E-I08).
    pub truncated_reasons: &'static [Shortfall],
    /// The reasons of `incomplete_because`, in the order they are written.
    pub incomplete_because: &'static [ShortfallRow],
    /// Configuration presets.
    pub presets: &'static [FilesPreset],
    /// Sizes and counts that no configuration changes.
    pub limits: FilesLimits,
}

impl FilesTables {
    /// The request field called `name`.
    pub fn field(&self, name: &str) -> Option<&'static Field<FilesSetting>> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The preset called `name`.
    pub fn preset(&self, name: &str) -> Option<&'static FilesPreset> {
        self.presets.iter().find(|preset| preset.name == name)
    }
}

/// A configuration key that gives a request field its default or its cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilesSetting {
    /// `max_results`.
    MaxResults,
    /// `max_matches_per_file`; may be unset.
    MaxMatchesPerFile,
    /// `max_file_size_bytes`.
    MaxFileSizeBytes,
    /// `max_files`.
    MaxFiles,
    /// `max_depth`.
    MaxDepth,
    /// `respect_gitignore_default`.
    RespectGitignoreDefault,
    /// `include_hidden_default`.
    IncludeHiddenDefault,
    /// `follow_symlinks_default`.
    FollowSymlinksDefault,
    /// `mode_default`.
    ModeDefault,
    /// `case_default`.
    CaseDefault,
}

/// The checks a call goes through (section 2 of `docs/search-files.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilesCheck {
    /// The tool's name is this tool's.
    ToolKnown,
    /// The request is a JSON object.
    RequestObject,
    /// Every key is a request field.
    FieldsKnown,
    /// Each field in schema order: present if required, right type, within bounds and cap.
    FieldsValid,
    /// The path's characters.
    PathText,
    /// The query's length and characters.
    QueryText,
    /// The depth fits a search that does not descend.
    Depth,
    /// The request globs, `include_globs` first, then `exclude_globs`.
    Globs,
    /// The configured backend can search approximately.
    FuzzyBackend,
    /// The query is short enough to be searched approximately.
    FuzzyQuery,
    /// The regular expression parses and is acceptable.
    Regex,
    /// The path stays inside the sandbox and is not denied.
    Sandbox,
    /// The path exists, is a directory, and can be opened.
    PathSearchable,
    /// The configured backend was found.
    BackendAvailable,
    /// The smallest answer fits into the budget.
    Budget,
}

/// One field of the JSON that the tool answers with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonField {
    /// Its key.
    pub name: &'static str,
    /// Its JSON type: `string`, `integer`, `boolean`, `array`, `object`, `string or null` or
    /// `number or null`.
    pub kind: &'static str,
}

/// A shortfall with what it says of `truncated`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortfallRow {
    /// Which.
    pub shortfall: Shortfall,
    /// Whether it makes `truncated` true.
    pub truncates: bool,
}

/// What an answer can fall short of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shortfall {
    /// A match beyond `max_results` exists.
    MaxResults,
    /// The budget left something out.
    MaxOutputBytes,
    /// Eligible files beyond `max_files` exist.
    MaxFiles,
    /// A scanned file has matches beyond `max_matches_per_file`.
    MaxMatchesPerFile,
    /// A scanned file is larger than `max_file_size_bytes`.
    MaxFileSizeBytes,
    /// A directory was not entered for its depth.
    MaxDepth,
    /// The deadline struck.
    Timeout,
    /// A backend failed after some files.
    BackendError,
    /// There were problems other than binary and oversized files.
    Errors,
}

impl Shortfall {
    /// How answers name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxResults => "max_results",
            Self::MaxOutputBytes => "max_output_bytes",
            Self::MaxFiles => "max_files",
            Self::MaxMatchesPerFile => "max_matches_per_file",
            Self::MaxFileSizeBytes => "max_file_size_bytes",
            Self::MaxDepth => "max_depth",
            Self::Timeout => "timeout",
            Self::BackendError => "backend_error",
            Self::Errors => "errors",
        }
    }
}

/// The `[tools.search_files]` values of one preset (CFG-SF-01).
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one key of the configuration")]
pub struct FilesPreset {
    /// `documents` or `agent`.
    pub name: &'static str,
    /// `backend`: `native`, `rg` or `ugrep`.
    pub backend: &'static str,
    /// `max_results`, matches.
    pub max_results: u64,
    /// `max_matches_per_file`, matches; `None` sets no cap.
    pub max_matches_per_file: Option<u64>,
    /// `max_file_size_bytes`, bytes.
    pub max_file_size_bytes: u64,
    /// `max_files`, files.
    pub max_files: u64,
    /// `max_depth`, levels.
    pub max_depth: u64,
    /// `respect_gitignore_default`.
    pub respect_gitignore_default: bool,
    /// `include_hidden_default`.
    pub include_hidden_default: bool,
    /// `follow_symlinks_default`.
    pub follow_symlinks_default: bool,
    /// `mode_default`: `exact`, `regex` or `fuzzy`.
    pub mode_default: &'static str,
    /// `case_default`: `sensitive`, `insensitive` or `smart`.
    pub case_default: &'static str,
    /// `fuzzy_threshold`, 0.0 to 1.0.
    pub fuzzy_threshold: f64,
    /// `timeout_ms`, milliseconds.
    pub timeout_ms: u64,
    /// `record_binary`.
    pub record_binary: bool,
    /// `max_output_bytes`, bytes.
    pub max_output_bytes: u64,
    /// `rg_binary`.
    pub rg_binary: &'static str,
    /// `ugrep_binary`.
    pub ugrep_binary: &'static str,
}

/// Sizes and counts that no configuration changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilesLimits {
    /// Longest query, bytes.
    pub query_bytes: u64,
    /// Longest query that can be searched approximately, scalars.
    pub fuzzy_query_scalars: u64,
    /// What `elapsed_ms` is padded to, characters (E-I05).
    pub elapsed_width: u64,
}
