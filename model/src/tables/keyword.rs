//! The shape of the tables that the meaning of `keyword_search` is read from
//! (docs/keyword-search.md).
//!
//! Responsible for: plain static data types for what `spec/tools/keyword_search.yaml` states. The
//! values are generated into
//! [`crate::generated::keyword`].
//! Left to neighbours: what is the same for the agent's tools, which stands in [`super::agent`].
//! Invariants: those of [`crate::tables`].

use super::agent::AgentSetting;
use crate::tables::Field;

/// Everything the specification states about `keyword_search` as data, but for its models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeywordTables {
    /// The fields of the request, in the order in which they are checked.
    pub fields: &'static [Field<AgentSetting>],
    /// Why a term is skipped: by itself, and for want of room.
    pub skipped: &'static [&'static str],
    /// What `incomplete_because` names, in the order written; also notices.
    pub reasons: &'static [ReasonRow],
    /// The other notices, in the order written, behind those.
    pub notices: &'static [&'static str],
    /// What stands for `%word%` in patterns, and in the words that follow.
    pub words: &'static [NamedPattern],
    /// What values look like that are no secrets; under `name`, names that do not name one; under
    /// `before`, what stands before a value that is none.
    pub harmless: &'static [NamedPattern],
    /// The letters that usually follow a, b, c, ….
    pub usual_pairs: &'static [&'static str],
    /// What is redacted.
    pub secrets: &'static [SecretRow],
    /// What the first line of a private key holds.
    pub key_begin: &'static str,
    /// What its last line holds.
    pub key_end: &'static str,
    /// What stands for what was redacted.
    pub redacted: &'static str,
    /// Words of a query that are no terms unless they are names.
    pub everyday: &'static [&'static str],
    /// `term_bytes`, bytes, unless configured otherwise.
    pub term_bytes: u64,
    /// `total_bytes`, bytes, unless configured otherwise.
    pub total_bytes: u64,
    /// `broad_files`, files, unless configured otherwise.
    pub broad_files: u64,
    /// `terms_from_query`, unless configured otherwise.
    pub terms_from_query: bool,
    /// Sizes, counts and weights that no configuration changes.
    pub limits: KeywordLimits,
}

/// A pattern that others refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedPattern {
    /// How they refer to it.
    pub name: &'static str,
    /// The pattern.
    pub pattern: &'static str,
}

/// What is redacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretRow {
    /// What it looks like.
    pub pattern: &'static str,
    /// Whether the first group is the name of the value.
    pub named: bool,
    /// What the value must not look like.
    pub unless: &'static [&'static str],
    /// The least oddness of the value, in points for 100 pairs.
    pub odd: u64,
}

/// What makes an answer incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasonRow {
    /// How answers name it.
    pub name: &'static str,
    /// Whether `total` is a lower bound then.
    pub lower_bound: bool,
}

/// Sizes, counts and weights that no configuration changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeywordLimits {
    /// Longest query, bytes.
    pub query_bytes: u64,
    /// Most terms.
    pub terms: u64,
    /// Longest term, bytes.
    pub term_bytes: u64,
    /// What is named of a term in answers, bytes.
    pub named_bytes: u64,
    /// Lines above and below a hit.
    pub context_lines: u64,
    /// Lines of a result.
    pub shown_lines: u64,
    /// Files whose paths may hold a term for them to be results.
    pub path_files: u64,
    /// Any place, units.
    pub units_place: u64,
    /// A word that is parts of the identifier, units.
    pub units_part: u64,
    /// A term that is the identifier, or no word, units.
    pub units_whole: u64,
    /// What is added to the units that they are divided by, units.
    pub saturation_units: u64,
    /// A term that is defined, hundredths.
    pub defined_hundredths: u64,
    /// A term that is parts of what is defined, hundredths.
    pub defined_part_hundredths: u64,
    /// A term that is the stem of the base name, hundredths.
    pub stem_hundredths: u64,
    /// A term in the base name, hundredths.
    pub base_hundredths: u64,
    /// A term elsewhere in the path, hundredths.
    pub path_hundredths: u64,
    /// The most that a term can come to, hundredths.
    pub greatest_hundredths: u64,
    /// Weight of a term that is a name, hundredths.
    pub name_hundredths: u64,
    /// Weight of a term of the query's first line, hundredths.
    pub first_line_hundredths: u64,
    /// Weight of a file that the query names, hundredths.
    pub named_file_hundredths: u64,
    /// Shortest word of a query that counts, bytes.
    pub word_bytes: u64,
    /// What scores are rounded to, decimals.
    pub score_decimals: u64,
    /// Hexadecimal digits of a boundary.
    pub boundary_digits: u64,
    /// What is looked at for secrets of a line, bytes.
    pub redacted_bytes: u64,
    /// What is read of a model's answer, bytes.
    pub answer_bytes: u64,
    /// Where JSON is looked for in it, places.
    pub answer_places: u64,
    /// Longest reason of a model, bytes.
    pub reason_bytes: u64,
}
