//! Changes of the tables that answers are made by.
//!
//! Responsible for: of what the tables are made, so that each value in them is changed
//! ([`super::values`]). Not here: whether a change is noticed (`answers`). Invariants: none is left
//! out; a field or a choice that is added to the tables does not compile until it is named here.

use touchstone_cases::case::Tables;
use touchstone_model::tables::agent::{
    AgentError, AgentField, AgentLimits, AgentPreset, AgentSetting, AgentTables, AgentTool,
    DefinitionPlace, Definitions, ErrorWord, Family, Listed, Notice, NoticeRow, Profile, Reason,
    ReasonRow, Shape,
};
use touchstone_model::tables::caps::{
    Cap, CapLimit, Caps, Counted, Deadline, LengthBudget, Part, Strikes, Then, UpTo, Within,
};
use touchstone_model::tables::files::{
    FilesCheck, FilesLimits, FilesPreset, FilesSetting, FilesTables, Shortfall, ShortfallRow,
};
use touchstone_model::tables::keyword::{
    KeywordLimits, KeywordTables, NamedPattern, ReasonRow as KeywordReason, SecretRow,
};
use touchstone_model::tables::order::{By, Form, Key, Orders, Suffixes};
use touchstone_model::tables::{
    Check, ErrorCheck, ErrorField, Field, IgnoreSource, Kind, Limits, Maximum, Note, NoteText,
    Preset, Problem, ProblemMessage, SearchTables, Setting, WhenAbsent,
};

use super::values::{Changed, choices, others, structures, within};

/// A change of the tables.
pub(super) struct Mutant {
    pub(super) name: String,
    pub(super) tables: Tables,
}

/// All changes of all tables.
pub(super) fn all() -> Vec<Mutant> {
    let changed = Tables::CURRENT.changed().into_iter();
    let name = |name: String| name.trim_start_matches('.').to_owned();
    changed.map(|(what, tables)| Mutant { name: name(what), tables }).collect()
}

structures! {
    Tables { search, files, agent, keyword }
    SearchTables {
        name, aliases, fields, checks, problems, notes, escaped, ignore_sources, orders, caps, stats_version, presets, limits,
    }
    ProblemMessage { problem, text }
    NoteText { note, text, because, truncates }
    Preset {
        name, enabled, allow_native, emit_stats, default_timeout_ms, default_max_results,
        max_matches_per_file, max_files, max_file_size_bytes, max_output_bytes, fuzzy_fallback,
        fuzzy_fallback_levels, fuzzy_min_pattern_len,
    }
    Limits {
        pattern_bytes, glob_entries, glob_bytes, glob_expansions, symlink_steps, ignore_file_bytes,
        binary_probe_bytes, automaton_bytes, fallback_scalars_per_edit, integer_max,
    }
    Field<S> { name, kind, required, when_absent }
    ErrorCheck<C> { check, class, field }
    Orders {
        suffixes, files, problems, lines, matches, ranked, best_line, keyword, keyword_lines,
    }
    Suffixes { entry, directory, root }
    Caps {
        search, search_files, agent, keyword, length_files, length_agent, deadline_search,
        deadline_files,
    }
    LengthBudget<R> { leaves_out, reason }
    Deadline<R> { least, up_to, reason }
    Cap<R> { limit, counts, within, strikes, then, reason }
    FilesTables {
        name, description, is_side_effecting, requires_approval, risk, fields, checks, answer,
        matches, stats, errors, truncated_reasons, incomplete_because, presets, limits,
    }
    ShortfallRow { shortfall, truncates }
    FilesPreset {
        name, backend, max_results, max_matches_per_file, max_file_size_bytes, max_files,
        max_depth, respect_gitignore_default, include_hidden_default, follow_symlinks_default,
        mode_default, case_default, fuzzy_threshold, timeout_ms, record_binary, max_output_bytes,
        rg_binary, ugrep_binary,
    }
    FilesLimits { query_bytes, fuzzy_query_scalars, elapsed_width }
    AgentTables { profiles, fields, reasons, notices, errors, presets, definitions, limits }
    Profile { name, tools }
    Listed { name, tool }
    AgentField { tools, field }
    ReasonRow { reason, lower_bound }
    NoticeRow { notice, code }
    ErrorWord { error, word, code }
    AgentPreset {
        name, default_max_results, default_context_lines, searches_per_minute, timeout_seconds,
        max_answer_tokens, max_answer_bytes, tokenizer, enabled,
    }
    Definitions {
        body_lines, enclosing_lines, line_bytes, exact, whole, part, places, families,
    }
    DefinitionPlace { words, endings, hundredths }
    Family { endings, names, comments, shapes }
    Shape { level, before, after, unless, inside, body }
    AgentLimits {
        query_bytes, terms, texts, file_type_characters, counted_lines, rarity_line_bytes, units_whole,
        units_part, units_literal, units_stem, units_base, units_path, k1_hundredths, b_hundredths,
        score_decimals, match_lines, line_bytes, line_start_bytes, line_lead_bytes,
        bytes_per_token, window_seconds, near_percent,
    }
    KeywordTables {
        fields, reasons, notices, words, harmless, usual_pairs, secrets, key_begin, key_end,
        redacted, everyday, term_bytes, total_bytes, skip_broad_terms, terms_from_query,
        use_model_default, limits,
    }
    NamedPattern { name, pattern }
    SecretRow { pattern, named, unless, odd }
    KeywordReason { name, lower_bound }
    KeywordLimits {
        query_bytes, terms, term_bytes, named_bytes, context_lines, shown_lines, sent_files,
        saturation_units, length_hundredths, strength_eighths, defined_eighths, stem_hundredths, path_hundredths,
        greatest_hundredths, name_hundredths, first_line_hundredths, named_file_hundredths,
        word_bytes, score_decimals, boundary_digits, redacted_bytes, answer_bytes, answer_places, reason_bytes,
    }
}

choices! {
    Setting {
        DefaultTimeoutMs, DefaultMaxResults, MaxMatchesPerFile, MaxFiles, MaxFileSizeBytes,
    }
    Check {
        ToolKnown, ToolEnabled, RequestObject, FieldsKnown, FieldsValid, PatternText, PathText,
        Globs, Fuzzy, Regex, Sandbox, PathSearchable, BackendAvailable,
    }
    Problem {
        PermissionDenied, NotFound, ReadError, LeavesSandbox, DanglingLink, LinkLoop,
        IgnoreUnreadable, RootTooLarge, RootBinary,
    }
    Note {
        Approximate, NoMatches, MaxResults, MaxOutputBytes, MaxFiles, MaxMatchesPerFile,
        MaxFileSizeBytes, TimedOut, Errors, BackendFailed,
    }
    By { Path, Entry, Place, Message, Line, Column, Score, Terms, Units }
    Form { Raw, Nfc }
    CapLimit {
        MaxFiles, MaxFileSizeBytes, MaxMatchesPerFile, MaxResults, MaxOutputBytes, MaxDepth, CountedLines,
        TermBytes, TotalBytes,
    }
    Counted {
        Files, FileBytes, Matches, Events, LineBytes, Lines, Levels, Results, TermBytes,
    }
    Within { Answer, File, Each }
    Strikes { Beyond, At }
    Then { Stop, Skip }
    Part { Matches, Errors, Results }
    UpTo { Complete, Scanned }
    FilesSetting {
        MaxResults, MaxMatchesPerFile, MaxFileSizeBytes, MaxFiles, MaxDepth,
        RespectGitignoreDefault, IncludeHiddenDefault, FollowSymlinksDefault, ModeDefault,
        CaseDefault,
    }
    FilesCheck {
        ToolKnown, RequestObject, FieldsKnown, FieldsValid, PathText, QueryText, Depth, Globs,
        FuzzyBackend, FuzzyQuery, Regex, Sandbox, PathSearchable, BackendAvailable, Budget,
    }
    Shortfall {
        MaxResults, MaxOutputBytes, MaxFiles, MaxMatchesPerFile, MaxFileSizeBytes, MaxDepth,
        Timeout, BackendError, Errors,
    }
    AgentTool { Search, FindFiles, Grep, SearchFiles, SearchText, KeywordSearch }
    AgentSetting { DefaultMaxResults, DefaultContextLines }
    Reason {
        MaxResults, Budget, Counted, MaxFiles, MaxFileSizeBytes, Timeout, BackendError,
        Errors,
    }
    Notice {
        MaxResults, Budget, Counted, MaxFiles, MaxFileSizeBytes, Timeout, BackendError,
        Errors, Substring, NothingEligible, IndexNotReady, RateLimitNear, LinesCut, Configuration,
    }
    AgentError {
        InvalidQuery, RateLimitExceeded, InvalidArgument, PathNotAllowed, SearchFailed,
        UnknownTool, Busy, TermsTooBroad, NoModel,
    }
}

impl<S: Changed> Changed for Kind<S> {
    fn changed(&self) -> Vec<(String, Self)> {
        let simple = [Self::Text, Self::Flag, Self::Texts, Self::TextOrTexts];
        let mut all = others(*self, &simple);
        match self {
            Self::Choice(list) => all.extend(within("", list, Self::Choice)),
            Self::Integer { minimum, maximum } => {
                let (minimum, maximum) = (*minimum, *maximum);
                all.extend(within(".minimum", &minimum, |minimum| Self::Integer {
                    minimum,
                    maximum,
                }));
                all.extend(within(".maximum", &maximum, |maximum| Self::Integer {
                    minimum,
                    maximum,
                }));
            }
            Self::Text | Self::Flag | Self::Texts | Self::TextOrTexts => {}
        }
        all
    }
}

impl<S: Changed> Changed for Maximum<S> {
    fn changed(&self) -> Vec<(String, Self)> {
        match self {
            Self::Fixed(number) => within("", number, Self::Fixed),
            Self::Setting(key) => within("", key, Self::Setting),
        }
    }
}

impl<S: Changed> Changed for WhenAbsent<S> {
    fn changed(&self) -> Vec<(String, Self)> {
        let mut all = others(*self, &[Self::Nothing]);
        all.extend(match self {
            Self::Nothing => Vec::new(),
            Self::Text(text) => within("", text, Self::Text),
            Self::Flag(flag) => within("", flag, Self::Flag),
            Self::Integer(number) => within("", number, Self::Integer),
            Self::Setting(key) => within("", key, Self::Setting),
        });
        all
    }
}

impl Changed for ErrorField {
    fn changed(&self) -> Vec<(String, Self)> {
        match self {
            Self::Named(name) => {
                let mut all = within("", name, Self::Named);
                all.push((" the offender".to_owned(), Self::Offender));
                all
            }
            Self::Offender => vec![(" a fixed one".to_owned(), Self::Named("field"))],
        }
    }
}

impl Changed for IgnoreSource {
    fn changed(&self) -> Vec<(String, Self)> {
        match self {
            Self::InDirectory(name) => within("", name, Self::InDirectory),
            Self::AtTop(name) => within("", name, Self::AtTop),
            Self::Global => vec![(" another".to_owned(), Self::AtTop(".global"))],
        }
    }
}

impl Changed for Key {
    fn changed(&self) -> Vec<(String, Self)> {
        let mut all = within(".by", &self.by, |by| Self { by, ..*self });
        all.extend(within(".descending", &self.descending, |descending| Self {
            descending,
            ..*self
        }));
        // Numbers and ranks have no forms.
        if matches!(self.by, By::Path | By::Entry | By::Message) {
            all.extend(within(".form", &self.form, |form| Self { form, ..*self }));
        }
        all
    }
}
