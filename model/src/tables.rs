//! The types of the tables from which the model reads its facts: names, fields with bounds and
//! defaults, the order of checks, closed lists of messages and notes, presets, limits. The values
//! are generated into [`crate::generated::search`] from `spec/tools/search.yaml` and other files.
//!
//! The interpreter matches on the enums here, so a row added to the specification does not compile
//! until the model gives it a meaning. Values are `Copy`, so a changed table can be built in memory
//! and run without compiling anything.

pub mod agent;
pub mod caps;
pub mod files;
pub mod keyword;
pub mod order;

/// The specification of `Search` as data (FR-LS-01, FR-LS-02a, FR-LS-05).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchTables {
    pub name: &'static str,
    /// Other names of the tool; exact case.
    pub aliases: &'static [&'static str],
    /// In schema order.
    pub fields: &'static [Field],
    /// In the order of execution; the first that fails determines the error.
    pub checks: &'static [ErrorCheck],
    /// Messages of per-file errors: a closed list.
    pub problems: &'static [ProblemMessage],
    /// The notes at the end of `content`, in order.
    pub notes: &'static [NoteText],
    /// Inclusive ranges of scalar values that `content` escapes (E-E14).
    pub escaped: &'static [(u32, u32)],
    /// Strongest first (E-B04).
    pub ignore_sources: &'static [IgnoreSource],
    /// The orders of all tools.
    pub orders: &'static order::Orders,
    /// The caps of all tools.
    pub caps: &'static caps::Caps,
    pub stats_version: u64,
    pub presets: &'static [Preset],
    /// Constants that no configuration changes.
    pub limits: Limits,
}

impl SearchTables {
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether `name` is this tool's name or an alias; exact case.
    pub fn answers_to(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// The message of a per-file error, or `""` without a row.
    pub fn message(&self, problem: Problem) -> &'static str {
        self.problems.iter().find(|row| row.problem == problem).map_or("", |row| row.text)
    }

    pub fn preset(&self, name: &str) -> Option<&'static Preset> {
        self.presets.iter().find(|preset| preset.name == name)
    }
}

/// A request field. `S` are the configuration keys that it may refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<S = Setting> {
    pub name: &'static str,
    pub kind: Kind<S>,
    pub required: bool,
    pub when_absent: WhenAbsent<S>,
}

/// The type of a request field, with its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<S = Setting> {
    Text,
    /// A string of a closed list; exact case.
    Choice(&'static [&'static str]),
    Flag,
    Texts,
    TextOrTexts,
    /// An integer without fraction or exponent, with inclusive bounds.
    Integer {
        minimum: u64,
        maximum: Maximum<S>,
    },
}

/// The hard cap of an integer field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maximum<S = Setting> {
    Fixed(u64),
    /// The value of this configuration key, or [`Limits::integer_max`] if the key sets no cap
    /// (FR-LS-VAL-08).
    Setting(S),
}

/// The meaning of an absent request field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenAbsent<S = Setting> {
    /// No filter, no fuzziness, the working directory; or the field is required.
    Nothing,
    Text(&'static str),
    Flag(bool),
    Integer(u64),
    /// The value of this configuration key; `None` there is no limit (E-F13).
    Setting(S),
}

/// A configuration key of a field's default or cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    DefaultTimeoutMs,
    DefaultMaxResults,
    /// May be unset.
    MaxMatchesPerFile,
    MaxFiles,
    MaxFileSizeBytes,
}

/// A step of validation. `C` are the checks of the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCheck<C = Check> {
    pub check: C,
    /// The class of the error.
    pub class: &'static str,
    /// The field that the error names.
    pub field: ErrorField,
}

/// The checks of a call (section 1 of `docs/search.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    ToolKnown,
    ToolEnabled,
    RequestObject,
    FieldsKnown,
    /// Each field in schema order: present if required, right type, within bounds and cap.
    FieldsValid,
    /// The pattern's length and characters.
    PatternText,
    /// The path's characters.
    PathText,
    /// `include_glob`, then `exclude_glob`, then `glob`.
    Globs,
    /// The fuzzy level fits the pattern.
    Fuzzy,
    /// The regular expression is acceptable.
    Regex,
    /// The path stays inside the sandbox and is not denied.
    Sandbox,
    /// The path exists, is a regular file or a directory, and can be opened.
    PathSearchable,
    BackendAvailable,
}

/// The field that an error names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorField {
    Named(&'static str),
    /// The field that failed the check.
    Offender,
}

/// An error about one file, link or directory, which does not fail the call (FR-LS-ERR-05).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Problem {
    /// A file cannot be opened, or a directory cannot be listed.
    PermissionDenied,
    /// A file vanished after it was listed.
    NotFound,
    ReadError,
    /// A followed link leads outside the roots, or to a denied path.
    LeavesSandbox,
    DanglingLink,
    /// A followed link leads to a directory that is open, or through too many links.
    LinkLoop,
    /// An ignore file is unreadable or too large.
    IgnoreUnreadable,
    /// The search root is a file over the size limit.
    RootTooLarge,
    /// The search root is a binary file.
    RootBinary,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProblemMessage {
    pub problem: Problem,
    pub text: &'static str,
}

/// A note at the end of `content` (FR-LS-05c).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Note {
    /// The events are those of a fuzzy pass.
    Approximate,
    /// No `match` event was found.
    NoMatches,
    /// An event beyond `max_results` exists.
    MaxResults,
    /// An event beyond `max_output_bytes` exists.
    MaxOutputBytes,
    /// Eligible files beyond `max_files` exist.
    MaxFiles,
    /// Scanned files hold matching lines beyond `max_matches_per_file`.
    MaxMatchesPerFile,
    /// Scanned files are over `max_file_size_bytes`.
    MaxFileSizeBytes,
    /// The deadline expired.
    TimedOut,
    /// `errors` is not empty.
    Errors,
    /// A backend failed after part of the answer.
    BackendFailed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoteText {
    pub note: Note,
    /// The line without LF; `{limit}` stands for the cap, `{count}` for a number of files or
    /// errors.
    pub text: &'static str,
    /// The reason in `incomplete_because`; `None` if the answer is complete all the same.
    pub because: Option<&'static str>,
    /// Whether it makes `truncated` true.
    pub truncates: bool,
}

/// A source of ignore rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IgnoreSource {
    /// The file of this name in each directory from the top down.
    InDirectory(&'static str),
    /// The file at this path below the top.
    AtTop(&'static str),
    /// The configured global ignore files, relative to the top.
    Global,
}

/// The `[tools.search]` values of one preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one key of the configuration")]
pub struct Preset {
    pub name: &'static str,
    pub enabled: bool,
    pub allow_native: bool,
    pub emit_stats: bool,
    /// Milliseconds.
    pub default_timeout_ms: u64,
    /// Events.
    pub default_max_results: u64,
    /// Matching lines; `None` is no cap.
    pub max_matches_per_file: Option<u64>,
    /// Files.
    pub max_files: u64,
    /// Bytes.
    pub max_file_size_bytes: u64,
    /// Bytes of emitted line text.
    pub max_output_bytes: u64,
    pub fuzzy_fallback: bool,
    /// Increasing.
    pub fuzzy_fallback_levels: &'static [u64],
    /// Scalars.
    pub fuzzy_min_pattern_len: u64,
}

/// Constants that no configuration changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest pattern.
    pub pattern_bytes: u64,
    /// Maximum number of globs in one field.
    pub glob_entries: u64,
    /// Longest glob.
    pub glob_bytes: u64,
    /// Maximum number of expansions of one glob's braces.
    pub glob_expansions: u64,
    /// Maximum number of symlinks resolved for one path.
    pub symlink_steps: u64,
    /// Largest ignore file.
    pub ignore_file_bytes: u64,
    /// Bytes of a file's text that are searched for a NUL.
    pub binary_probe_bytes: u64,
    /// Largest automaton of a regular expression.
    pub automaton_bytes: u64,
    /// Scalars of the pattern per edit of a fuzzy pass (E-G07).
    pub fallback_scalars_per_edit: u64,
    /// Largest integer of a request where no cap is configured.
    pub integer_max: u64,
}
