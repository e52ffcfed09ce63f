//! The interface of `keyword_search`, its language models, and secrets
//! (`tools/keyword_search.yaml`).

use serde::Deserialize;

use crate::closed::ids;
use crate::config::Key;
use crate::place::At;
use crate::rules::Rule;
use crate::tool::{Field, Limit};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeywordTool {
    /// The number of the document that defines it.
    pub document: At<String>,
    /// In the order of validation.
    pub request: Vec<Field>,
    /// Why a term is skipped.
    pub skipped: Vec<KeywordWord>,
    /// In the order written.
    pub incomplete_because: Vec<KeywordReason>,
    /// The notices besides those of reasons, in the order written.
    pub notices: Vec<KeywordWord>,
    /// Models, most preferred first.
    pub preferences: Vec<Preferred>,
    /// Texts of `%word%` in patterns, and in later words.
    pub words: Vec<NamedPattern>,
    /// Patterns of values and names that are no secrets.
    pub harmless: Vec<NamedPattern>,
    /// The letters that usually follow a, b, c, ….
    pub usual_pairs: Vec<String>,
    pub secrets: Vec<Secret>,
    /// The first and last line of a private key.
    pub private_key: PrivateKey,
    /// Replaces what is redacted.
    pub redacted: String,
    /// Stop words: words of a query that are no terms unless they are names.
    pub everyday: Vec<At<String>>,
    /// The table of the configuration keys.
    pub section: String,
    pub keys: Vec<Key>,
    /// Constants that no configuration changes.
    pub limits: Vec<Limit<KeywordLimitId>>,
    pub rules: Vec<Rule>,
}

/// A word of an answer: why a term was skipped, or a notice.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeywordWord {
    pub id: At<String>,
    pub when: String,
    pub clauses: Vec<At<String>>,
}

/// A reason for which an answer is incomplete.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeywordReason {
    /// The name in answers.
    pub id: At<String>,
    /// Whether `total` is then a lower bound.
    pub lower_bound: bool,
    pub when: String,
    pub clauses: Vec<At<String>>,
}

/// A preferred model.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preferred {
    pub name: At<String>,
    /// The API.
    pub protocol: String,
    pub address: String,
    /// The provider's name.
    pub model: String,
    /// The environment variable with its key.
    pub variable: String,
    pub clauses: Vec<At<String>>,
}

/// A pattern that others refer to.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedPattern {
    pub id: At<String>,
    pub pattern: String,
}

/// What is redacted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Secret {
    pub id: At<String>,
    pub pattern: String,
    /// Whether the first group is the name of the value.
    #[serde(default)]
    pub named: bool,
    /// Patterns that the value must not match.
    #[serde(default)]
    pub unless: Vec<At<String>>,
    /// The least oddness of the value, in points for 100 pairs.
    #[serde(default)]
    pub odd: u64,
}

/// The lines between which everything is redacted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrivateKey {
    /// Pattern of the first line.
    pub begin: String,
    /// Pattern of the last line.
    pub end: String,
}

ids! {
    /// A constant that no configuration changes.
    KeywordLimitId {
        QueryBytes = "query_bytes",
        Terms = "terms",
        TermBytes = "term_bytes",
        /// Longest term shown in answers.
        NamedBytes = "named_bytes",
        ContextLines = "context_lines",
        ShownLines = "shown_lines",
        /// Most files of which a model reads.
        SentFiles = "sent_files",
        /// Saturation constant.
        SaturationUnits = "saturation_units",
        LengthHundredths = "length_hundredths",
        /// Greatest strength of a definition.
        StrengthEighths = "strength_eighths",
        /// Saturation constant of the strength.
        DefinedEighths = "defined_eighths",
        StemHundredths = "stem_hundredths",
        PathHundredths = "path_hundredths",
        /// The divisor of a term's score.
        GreatestHundredths = "greatest_hundredths",
        NameHundredths = "name_hundredths",
        FirstLineHundredths = "first_line_hundredths",
        NamedFileHundredths = "named_file_hundredths",
        /// Shortest word of a query that counts.
        WordBytes = "word_bytes",
        ScoreDecimals = "score_decimals",
        BoundaryDigits = "boundary_digits",
        /// Bytes of a line that are searched for secrets.
        RedactedBytes = "redacted_bytes",
        /// Bytes of a reply that are parsed.
        AnswerBytes = "answer_bytes",
        /// Maximum number of positions at which JSON is tried.
        AnswerPlaces = "answer_places",
        ReasonBytes = "reason_bytes",
    }
}

impl KeywordTool {
    /// A pattern with its words substituted.
    pub fn spelled_out(&self, pattern: &str) -> String {
        let put_in = |text: String, word: &NamedPattern| {
            text.replace(&format!("%{}%", word.id.value), &word.pattern)
        };
        self.words.iter().rev().fold(pattern.to_owned(), put_in)
    }

    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name.value == name)
    }
}
