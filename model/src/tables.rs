//! The shape of the tables the model reads its facts from.
//!
//! Responsible for: plain static data types for what `spec/tools/search.yaml` and its neighbours
//! state about
//! `Search`: names, fields with bounds and defaults, the order of the checks, closed lists of
//! messages and notes,
//! presets, limits. The values are generated into [`crate::generated::search`].
//! Left to neighbours: what any of it means. The interpreter matches on the enums here, so a row
//! that is added to
//! the specification does not compile until the model says what it does.
//! Invariants: no behaviour beyond look-ups, no allocation; a value is `Copy`, so a changed table
//! can be built in
//! memory and run without compiling anything.

pub mod agent;
pub mod caps;
pub mod files;
pub mod keyword;
pub mod order;

/// Everything the specification states about `Search` as data (FR-LS-01, FR-LS-02a, FR-LS-05).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchTables {
    /// The tool's own name.
    pub name: &'static str,
    /// Other names that mean the same tool; exact case.
    pub aliases: &'static [&'static str],
    /// Request fields, in schema order.
    pub fields: &'static [Field],
    /// Checks in the order they run; the first that fails is the answer.
    pub checks: &'static [ErrorCheck],
    /// Fields of the response, in the order they are written.
    pub response: &'static [OutputField],
    /// Fields of one event, in the order they are written.
    pub event: &'static [OutputField],
    /// The closed list of messages of per-file problems.
    pub problems: &'static [ProblemMessage],
    /// The notes at the end of `content`, in the order they appear.
    pub notes: &'static [NoteText],
    /// Inclusive ranges of Unicode scalar values that `content` writes as escapes (E-E14).
    pub escaped: &'static [(u32, u32)],
    /// Where ignore rules come from, strongest first (E-B04).
    pub ignore_sources: &'static [IgnoreSource],
    /// How a backend's exit status is classified (FR-LS-ERR-03, E-F06).
    pub exit_classes: &'static [ExitClass],
    /// The order of what answers of all tools list.
    pub orders: &'static order::Orders,
    /// What the caps of all tools do.
    pub caps: &'static caps::Caps,
    /// `stats_version`.
    pub stats_version: u64,
    /// Configuration presets.
    pub presets: &'static [Preset],
    /// Sizes and counts that no configuration changes.
    pub limits: Limits,
}

impl SearchTables {
    /// The request field called `name`.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Whether `name` calls this tool, by its own name or an alias; exact case.
    pub fn answers_to(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// The message of a per-file problem, or `""` when the table has no row for it.
    pub fn message(&self, problem: Problem) -> &'static str {
        self.problems.iter().find(|row| row.problem == problem).map_or("", |row| row.text)
    }

    /// The template of a note, or `""` when the table has no row for it.
    pub fn note(&self, note: Note) -> &'static str {
        self.notes.iter().find(|row| row.note == note).map_or("", |row| row.text)
    }

    /// The preset called `name`.
    pub fn preset(&self, name: &str) -> Option<&'static Preset> {
        self.presets.iter().find(|preset| preset.name == name)
    }
}

/// One request field; `S` are the configuration keys it may refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<S = Setting> {
    /// The key in the JSON object.
    pub name: &'static str,
    /// What its value must be.
    pub kind: Kind<S>,
    /// Whether a request without it is refused.
    pub required: bool,
    /// What its absence means.
    pub when_absent: WhenAbsent<S>,
}

/// The type of a request field, with its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind<S = Setting> {
    /// A JSON string.
    Text,
    /// A JSON string out of a closed list; exact case.
    Choice(&'static [&'static str]),
    /// A JSON boolean.
    Flag,
    /// An array of JSON strings.
    Texts,
    /// A JSON string, or an array of them.
    TextOrTexts,
    /// A JSON integer without fraction or exponent, from `minimum` to `maximum`, both inclusive.
    Integer {
        /// Smallest value allowed.
        minimum: u64,
        /// Largest value allowed.
        maximum: Maximum<S>,
    },
}

/// The hard cap of an integer field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maximum<S = Setting> {
    /// This number.
    Fixed(u64),
    /// The value of this configuration key, or [`Limits::integer_max`] where the key sets no cap
    /// (FR-LS-VAL-08).
    Setting(S),
}

/// What an absent request field means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenAbsent<S = Setting> {
    /// Absence means absence: no filter, no fuzziness; or the field is required.
    Nothing,
    /// The working directory.
    WorkingDirectory,
    /// This string.
    Text(&'static str),
    /// This truth value.
    Flag(bool),
    /// This number.
    Integer(u64),
    /// The value of this configuration key; `None` there means no limit (E-F13).
    Setting(S),
}

/// A configuration key that gives a request field its default or its cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// `default_timeout_ms`.
    DefaultTimeoutMs,
    /// `default_max_results`.
    DefaultMaxResults,
    /// `max_matches_per_file`; may be unset.
    MaxMatchesPerFile,
    /// `max_files`.
    MaxFiles,
    /// `max_file_size_bytes`.
    MaxFileSizeBytes,
}

/// One step of the validation of a call; `C` are the checks of the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCheck<C = Check> {
    /// What is checked.
    pub check: C,
    /// The class of the error when it fails.
    pub class: &'static str,
    /// The field the error names.
    pub field: ErrorField,
}

/// The checks a call goes through (section 1 of `docs/search.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The tool's name is known.
    ToolKnown,
    /// Configuration enables the tool.
    ToolEnabled,
    /// The request is a JSON object.
    RequestObject,
    /// Every key is a request field.
    FieldsKnown,
    /// Each field in schema order: present if required, right type, within bounds and cap.
    FieldsValid,
    /// The pattern's length and characters.
    PatternText,
    /// The path's characters.
    PathText,
    /// The request globs, `include_glob` first, then `exclude_glob`, then `glob`.
    Globs,
    /// The fuzzy level fits the pattern.
    Fuzzy,
    /// The regular expression parses and is acceptable.
    Regex,
    /// The path stays inside the sandbox and is not denied.
    Sandbox,
    /// The path exists, is a regular file or a directory, and can be opened.
    PathSearchable,
    /// A permitted backend is available.
    BackendAvailable,
}

/// The field an error names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorField {
    /// Always this one.
    Named(&'static str),
    /// The one that failed the check.
    Offender,
}

/// One field of the response or of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputField {
    /// Its place in the JSON, with `.` between the levels.
    pub name: &'static str,
    /// Its JSON type: `string`, `integer`, `boolean`, `array` or `object`.
    pub kind: &'static str,
    /// When it is there.
    pub presence: Presence,
}

/// When a field of the response or of an event is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// In every one.
    Always,
    /// Only in `match` events.
    MatchOnly,
    /// Only when a backend process failed.
    BackendFailed,
    /// Only when configuration asks for statistics.
    EmitStats,
}

/// What can be wrong with one file, link or directory without failing the call (FR-LS-ERR-05).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Problem {
    /// A file cannot be opened, or a directory cannot be listed.
    PermissionDenied,
    /// A file vanished between listing and reading.
    NotFound,
    /// Reading failed half-way.
    ReadError,
    /// A followed link ends outside the roots, or at something denied.
    LeavesSandbox,
    /// A followed link's target does not exist.
    DanglingLink,
    /// A followed link leads back to a directory that is open, or through too many links.
    LinkLoop,
    /// An ignore file is unreadable or too large.
    IgnoreUnreadable,
    /// The search root is a file over the size limit.
    RootTooLarge,
    /// The search root is a binary file.
    RootBinary,
}

/// The wording of a [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProblemMessage {
    /// The problem.
    pub problem: Problem,
    /// Its message.
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
    /// The deadline struck.
    TimedOut,
    /// `errors` is not empty.
    Errors,
    /// A backend failed when something was known already.
    BackendFailed,
}

/// The wording of a [`Note`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoteText {
    /// The note.
    pub note: Note,
    /// Its line without LF; `{limit}` stands for the cap in force, `{count}` for a number of files
    /// or errors.
    pub text: &'static str,
    /// What `incomplete_because` says of it; `None` where the answer is no less complete for it.
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

/// One row of the classification of backends' exit statuses (E-F06).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitClass {
    /// Smallest exit code of the row.
    pub from: u8,
    /// Largest exit code of the row.
    pub to: u8,
    /// The class the document's table gives it.
    pub class: &'static str,
}

/// The `[tools.search]` values of one preset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one key of the configuration")]
pub struct Preset {
    /// `documents` or `agent`.
    pub name: &'static str,
    /// `enabled`.
    pub enabled: bool,
    /// `allow_native`.
    pub allow_native: bool,
    /// `emit_stats`.
    pub emit_stats: bool,
    /// `default_timeout_ms`, milliseconds.
    pub default_timeout_ms: u64,
    /// `default_max_results`, events.
    pub default_max_results: u64,
    /// `max_matches_per_file`, matching lines; `None` sets no cap.
    pub max_matches_per_file: Option<u64>,
    /// `max_files`, files.
    pub max_files: u64,
    /// `max_file_size_bytes`, bytes.
    pub max_file_size_bytes: u64,
    /// `max_output_bytes`, bytes of emitted line text.
    pub max_output_bytes: u64,
    /// `fuzzy_fallback`.
    pub fuzzy_fallback: bool,
    /// `fuzzy_fallback_levels`, rising.
    pub fuzzy_fallback_levels: &'static [u64],
    /// `fuzzy_min_pattern_len`, scalars.
    pub fuzzy_min_pattern_len: u64,
}

/// Sizes and counts that no configuration changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest pattern, bytes.
    pub pattern_bytes: u64,
    /// Most entries of one glob field.
    pub glob_entries: u64,
    /// Longest glob, bytes.
    pub glob_bytes: u64,
    /// Most expansions of one glob's braces.
    pub glob_expansions: u64,
    /// Most symlinks resolved for one path.
    pub symlink_steps: u64,
    /// Largest ignore file, bytes.
    pub ignore_file_bytes: u64,
    /// How much of a file's text is looked at for a NUL, bytes.
    pub binary_probe_bytes: u64,
    /// Largest automaton of a regular expression, bytes.
    pub automaton_bytes: u64,
    /// Scalars of the pattern for every edit of a fuzzy pass (E-G07).
    pub fallback_scalars_per_edit: u64,
    /// Largest integer of a request where no cap is configured.
    pub integer_max: u64,
}
