//! The types of the tables of `search_files` (docs/search-files.md). The values are generated into
//! [`crate::generated::search_files`] from `spec/tools/search_files.yaml` and its configuration
//! keys; what all tools share is in [`crate::tables::SearchTables`].

use crate::tables::{ErrorCheck, Field};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilesTables {
    /// FR-SF-DEF-01.
    pub name: &'static str,
    /// FR-SF-DEF-02.
    pub description: &'static str,
    /// Whether it changes anything (FR-SF-DEF-03).
    pub is_side_effecting: bool,
    /// Whether a user must approve a call (FR-SF-DEF-04).
    pub requires_approval: bool,
    /// FR-SF-DEF-04.
    pub risk: &'static str,
    /// In schema order (SCHEMA-SF).
    pub fields: &'static [Field<FilesSetting>],
    /// In the order of execution; the first that fails determines the error.
    pub checks: &'static [ErrorCheck<FilesCheck>],
    /// Fields of the answer, in the order written.
    pub answer: &'static [&'static str],
    /// Fields of a match, in the order written.
    pub matches: &'static [&'static str],
    /// Fields of `stats`, in the order written.
    pub stats: &'static [&'static str],
    /// Fields of an error, in the order written.
    pub errors: &'static [&'static str],
    /// Values of `truncated_reason`, in order of precedence (E-I08).
    pub truncated_reasons: &'static [Shortfall],
    /// Values of `incomplete_because`, in the order written.
    pub incomplete_because: &'static [ShortfallRow],
    pub presets: &'static [FilesPreset],
    /// Constants that no configuration changes.
    pub limits: FilesLimits,
}

impl FilesTables {
    pub fn field(&self, name: &str) -> Option<&'static Field<FilesSetting>> {
        self.fields.iter().find(|field| field.name == name)
    }

    pub fn preset(&self, name: &str) -> Option<&'static FilesPreset> {
        self.presets.iter().find(|preset| preset.name == name)
    }
}

/// A configuration key of a field's default or cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilesSetting {
    MaxResults,
    /// May be unset.
    MaxMatchesPerFile,
    MaxFileSizeBytes,
    MaxFiles,
    MaxDepth,
    RespectGitignoreDefault,
    IncludeHiddenDefault,
    FollowSymlinksDefault,
    ModeDefault,
    CaseDefault,
}

/// The checks of a call (section 2 of `docs/search-files.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilesCheck {
    ToolKnown,
    RequestObject,
    FieldsKnown,
    /// Each field in schema order: present if required, right type, within bounds and cap.
    FieldsValid,
    /// The path's characters.
    PathText,
    /// The query's length and characters.
    QueryText,
    /// The depth fits a search without recursion.
    Depth,
    /// `include_globs`, then `exclude_globs`.
    Globs,
    /// The configured backend can search approximately.
    FuzzyBackend,
    /// The query is short enough to be searched approximately.
    FuzzyQuery,
    /// The regular expression is acceptable.
    Regex,
    /// The path stays inside the sandbox and is not denied.
    Sandbox,
    /// The path exists, is a directory, and can be opened.
    PathSearchable,
    BackendAvailable,
    /// The smallest answer fits the budget.
    Budget,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShortfallRow {
    pub shortfall: Shortfall,
    pub truncates: bool,
}

/// A shortfall of an answer.
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
    /// The deadline expired.
    Timeout,
    /// A backend failed after some files.
    BackendError,
    /// There were errors other than of binary and oversized files.
    Errors,
}

impl Shortfall {
    /// The name in answers.
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
    pub name: &'static str,
    /// `native`, `rg` or `ugrep`.
    pub backend: &'static str,
    pub max_results: u64,
    /// `None` is no cap.
    pub max_matches_per_file: Option<u64>,
    pub max_file_size_bytes: u64,
    pub max_files: u64,
    /// Levels.
    pub max_depth: u64,
    pub respect_gitignore_default: bool,
    pub include_hidden_default: bool,
    pub follow_symlinks_default: bool,
    /// `exact`, `regex` or `fuzzy`.
    pub mode_default: &'static str,
    /// `sensitive`, `insensitive` or `smart`.
    pub case_default: &'static str,
    /// 0.0 to 1.0.
    pub fuzzy_threshold: f64,
    pub timeout_ms: u64,
    pub record_binary: bool,
    pub max_output_bytes: u64,
    pub rg_binary: &'static str,
    pub ugrep_binary: &'static str,
}

/// Constants that no configuration changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilesLimits {
    /// Longest query.
    pub query_bytes: u64,
    /// Longest query that can be searched approximately.
    pub fuzzy_query_scalars: u64,
    /// Characters to which `elapsed_ms` is padded (E-I05).
    pub elapsed_width: u64,
}
