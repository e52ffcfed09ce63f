//! The types of the tables of `keyword_search` (docs/keyword-search.md). The values are generated
//! into [`crate::generated::keyword`] from `spec/tools/keyword_search.yaml`; what the agent's tools
//! share is in [`super::agent`].

use super::agent::AgentSetting;
use crate::tables::Field;

/// The specification of `keyword_search` as data, except its models.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeywordTables {
    /// In the order of validation.
    pub fields: &'static [Field<AgentSetting>],
    /// `incomplete_because`, in the order written; also notices.
    pub reasons: &'static [ReasonRow],
    /// The other notices, in the order written after those.
    pub notices: &'static [&'static str],
    /// Texts of `%word%` in patterns, and in later words.
    pub words: &'static [NamedPattern],
    /// What values look like that are no secrets; under `name`, names that do not name one; under
    /// `before`, what stands before a value that is none.
    pub harmless: &'static [NamedPattern],
    /// The letters that usually follow a, b, c, ….
    pub usual_pairs: &'static [&'static str],
    /// What is redacted.
    pub secrets: &'static [SecretRow],
    /// Pattern of the first line of a private key.
    pub key_begin: &'static str,
    /// Pattern of its last line.
    pub key_end: &'static str,
    /// Replaces what is redacted.
    pub redacted: &'static str,
    /// Stop words: words of a query that are no terms unless they are names.
    pub everyday: &'static [&'static str],
    /// Default in bytes.
    pub term_bytes: u64,
    /// Default in bytes.
    pub total_bytes: u64,
    /// Default.
    pub skip_broad_terms: bool,
    pub terms_from_query: bool,
    pub use_model_default: bool,
    /// Constants that no configuration changes.
    pub limits: KeywordLimits,
}

/// A pattern that others refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedPattern {
    pub name: &'static str,
    pub pattern: &'static str,
}

/// What is redacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretRow {
    pub pattern: &'static str,
    /// Whether the first group is the name of the value.
    pub named: bool,
    /// Patterns that the value must not match.
    pub unless: &'static [&'static str],
    /// The least oddness of the value, in points for 100 pairs.
    pub odd: u64,
}

/// A reason for which an answer is incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasonRow {
    /// The name in answers.
    pub name: &'static str,
    /// Whether `total` is then a lower bound.
    pub lower_bound: bool,
}

/// Constants that no configuration changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeywordLimits {
    /// Longest query.
    pub query_bytes: u64,
    /// Maximum number of terms.
    pub terms: u64,
    /// Longest term.
    pub term_bytes: u64,
    /// Longest term shown in answers.
    pub named_bytes: u64,
    /// Lines above and below a hit.
    pub context_lines: u64,
    /// Best lines of a file, and lines of a result.
    pub shown_lines: u64,
    /// Files that are sent if no term is skipped.
    pub sent_files: u64,
    /// Saturation constant, which is added to the units before they are divided by the sum.
    pub saturation_units: u64,
    /// How much a file's length counts.
    pub length_hundredths: u64,
    /// Greatest strength of a definition.
    pub strength_eighths: u64,
    /// Saturation constant of the strength.
    pub defined_eighths: u64,
    /// A term that is the stem of the base name.
    pub stem_hundredths: u64,
    /// A term elsewhere in the path.
    pub path_hundredths: u64,
    /// The divisor of a term's score, which no term exceeds.
    pub greatest_hundredths: u64,
    /// Weight of a term that is a name.
    pub name_hundredths: u64,
    /// Weight of a term of the query's first line.
    pub first_line_hundredths: u64,
    /// Weight of a file that the query names.
    pub named_file_hundredths: u64,
    /// Shortest word of a query that counts.
    pub word_bytes: u64,
    pub score_decimals: u64,
    /// Hexadecimal digits of a boundary.
    pub boundary_digits: u64,
    /// Bytes of a line that are searched for secrets.
    pub redacted_bytes: u64,
    /// Bytes of a reply that are parsed.
    pub answer_bytes: u64,
    /// Maximum number of positions at which JSON is tried.
    pub answer_places: u64,
    /// Longest reason of a model.
    pub reason_bytes: u64,
}
