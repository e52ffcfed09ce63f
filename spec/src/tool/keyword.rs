//! What a caller sees of `keyword_search`, and what is sent to a language model:
//! `tools/keyword_search.yaml`.

use serde::Deserialize;

use crate::closed::ids;
use crate::config::Key;
use crate::place::At;
use crate::rules::Rule;
use crate::tool::{Field, Limit};

/// Request, what answers can say, models, secrets, configuration, and fixed limits.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeywordTool {
    /// The number of the document that defines it.
    pub document: At<String>,
    /// The fields of the request, in the order in which they are checked.
    pub request: Vec<Field>,
    /// Why a term is skipped.
    pub skipped: Vec<KeywordWord>,
    /// What `incomplete_because` names, in the order written.
    pub incomplete_because: Vec<KeywordReason>,
    /// The notices beside those, in the order written.
    pub notices: Vec<KeywordWord>,
    /// Which models are preferred, in this order.
    pub preferences: Vec<Preferred>,
    /// What stands for `%word%` in patterns, and in the words that follow.
    pub words: Vec<NamedPattern>,
    /// What values and names look like that are no secrets.
    pub harmless: Vec<NamedPattern>,
    /// The letters that usually follow a, b, c, ….
    pub usual_pairs: Vec<String>,
    /// What is redacted.
    pub secrets: Vec<Secret>,
    /// The lines between which everything is redacted.
    pub private_key: PrivateKey,
    /// What stands for what was redacted.
    pub redacted: String,
    /// Words of a query that are no terms, unless they are names.
    pub everyday: Vec<At<String>>,
    /// The table of the configuration keys.
    pub section: String,
    /// The configuration keys.
    pub keys: Vec<Key>,
    /// Sizes, counts and weights that no configuration changes.
    pub limits: Vec<Limit<KeywordLimitId>>,
    /// What else there is to say.
    pub rules: Vec<Rule>,
}

/// A word of an answer: why a term was skipped, or a notice.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeywordWord {
    /// The word.
    pub id: At<String>,
    /// When it applies.
    pub when: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// Something that makes an answer incomplete.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeywordReason {
    /// How answers name it.
    pub id: At<String>,
    /// Whether `total` is a lower bound then.
    pub lower_bound: bool,
    /// When it applies.
    pub when: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// A model that is preferred to those that follow.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preferred {
    /// Its name.
    pub name: At<String>,
    /// How it is spoken to.
    pub protocol: String,
    /// Where it is.
    pub address: String,
    /// What it is called there.
    pub model: String,
    /// The variable that holds its key.
    pub variable: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// A pattern that others refer to.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedPattern {
    /// How they refer to it.
    pub id: At<String>,
    /// The pattern.
    pub pattern: String,
}

/// What is redacted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Secret {
    /// What it is.
    pub id: At<String>,
    /// What it looks like.
    pub pattern: String,
    /// Whether the first group is the name of the value.
    #[serde(default)]
    pub named: bool,
    /// What the value must not look like.
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
    /// What the first of them holds.
    pub begin: String,
    /// What the last of them holds.
    pub end: String,
}

ids! {
    /// A size, count or weight that no configuration changes.
    KeywordLimitId {
        /// Longest query.
        QueryBytes = "query_bytes",
        /// Most terms.
        Terms = "terms",
        /// Longest term.
        TermBytes = "term_bytes",
        /// What is named of a term.
        NamedBytes = "named_bytes",
        /// Lines around a hit.
        ContextLines = "context_lines",
        /// Lines of a result.
        ShownLines = "shown_lines",
        /// Files whose paths may hold a term.
        PathFiles = "path_files",
        /// Any place.
        UnitsPlace = "units_place",
        /// A word that is parts of the identifier.
        UnitsPart = "units_part",
        /// The identifier, or a term that is no word.
        UnitsWhole = "units_whole",
        /// What is added to the units that they are divided by.
        SaturationUnits = "saturation_units",
        /// A term that is defined.
        DefinedHundredths = "defined_hundredths",
        /// A term that is parts of what is defined.
        DefinedPartHundredths = "defined_part_hundredths",
        /// The stem of the base name.
        StemHundredths = "stem_hundredths",
        /// In the base name.
        BaseHundredths = "base_hundredths",
        /// In the path.
        PathHundredths = "path_hundredths",
        /// The most that a term can come to.
        GreatestHundredths = "greatest_hundredths",
        /// A term that is a name.
        NameHundredths = "name_hundredths",
        /// A term of the query's first line.
        FirstLineHundredths = "first_line_hundredths",
        /// A file that the query names.
        NamedFileHundredths = "named_file_hundredths",
        /// Shortest word of a query that counts.
        WordBytes = "word_bytes",
        /// Decimals of a score.
        ScoreDecimals = "score_decimals",
        /// Digits of a boundary.
        BoundaryDigits = "boundary_digits",
        /// What is looked at for secrets of a line.
        RedactedBytes = "redacted_bytes",
        /// What is read of an answer.
        AnswerBytes = "answer_bytes",
        /// Where JSON is looked for in it.
        AnswerPlaces = "answer_places",
        /// Longest reason.
        ReasonBytes = "reason_bytes",
    }
}

impl KeywordTool {
    /// A pattern with its words put in.
    pub fn spelled_out(&self, pattern: &str) -> String {
        let put_in = |text: String, word: &NamedPattern| {
            text.replace(&format!("%{}%", word.id.value), &word.pattern)
        };
        self.words.iter().rev().fold(pattern.to_owned(), put_in)
    }

    /// The configuration key called `name`.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name.value == name)
    }
}
