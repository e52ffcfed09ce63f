//! The tokenizer (`index/text.yaml`).

use serde::Deserialize;

use super::figure::{Figure, Scalar};
use super::files;
use crate::closed::ids;
use crate::escaped::Escaped;
use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokenizer {
    /// Prefixes of files that are never tokenized.
    pub encoding_marks: Vec<EncodingMark>,
    /// The replacement character of lossy decoding.
    pub replacement: Figure<Scalar>,
    /// When a file is binary.
    pub binary_above: BinaryPart,
    /// The tests that skip a file, in order.
    pub order: Vec<Skip>,
    pub normal_form: Figure<NormalForm>,
    /// A replacement after normalisation.
    pub newline: Newline,
    /// Whether a text with fewer scalars than an n-gram counts as complete.
    pub short_is_complete: Figure<bool>,
    pub folds: Folds,
}

/// A prefix of files that are never tokenized.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncodingMark {
    /// Pairs of hexadecimal digits with spaces between.
    pub bytes: At<String>,
    /// The encoding.
    pub what: String,
    pub clauses: Vec<At<String>>,
}

impl EncodingMark {
    /// The bytes; `None` if the text is no pairs of hexadecimal digits.
    pub fn read(&self) -> Option<Vec<u8>> {
        let pairs = self.bytes.value.split(' ');
        let digits =
            |pair: &str| pair.len() == 2 && pair.bytes().all(|digit| digit.is_ascii_hexdigit());
        pairs
            .map(|pair| digits(pair).then(|| u8::from_str_radix(pair, 16).ok()).flatten())
            .collect()
    }
}

/// The share of replacements above which a file is binary.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BinaryPart {
    pub numerator: At<u64>,
    pub denominator: u64,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

/// A test that skips files.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skip {
    pub skip: At<SkipId>,
    /// The `token_status` of skipped files.
    pub status: String,
    pub when: String,
    pub clauses: Vec<At<String>>,
}

ids! {
    /// A test that skips files.
    SkipId {
        /// By length.
        TooLarge = "too_large",
        /// By the prefix.
        Encoding = "encoding",
        /// By the share of replacements.
        Binary = "binary",
    }
}

ids! {
    NormalForm {
        None = "none",
        Nfc = "nfc",
        Nfd = "nfd",
    }
}

/// A replacement in the normalised text.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Newline {
    pub from: Escaped,
    pub to: Escaped,
    pub meaning: String,
    pub clauses: Vec<At<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folds {
    pub ascii: AsciiFold,
    /// Unicode, one scalar to one.
    pub unicode_simple: SimpleFold,
    /// The fold of `Search`.
    pub search: Figure<Fold>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AsciiFold {
    /// First mapped scalar.
    pub first: Scalar,
    /// Last mapped scalar.
    pub last: Scalar,
    /// Distance.
    pub offset: u32,
    pub clauses: Vec<At<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimpleFold {
    /// Whether rows of status C count.
    pub common: bool,
    /// Whether rows of status S count.
    pub simple: bool,
    pub clauses: Vec<At<String>>,
}

ids! {
    /// A casefold strategy.
    Fold {
        Ascii = "ascii",
        /// Unicode, one scalar to one.
        UnicodeSimple = "unicode_simple",
    }
}

impl Tokenizer {
    pub(super) fn cited(&self) -> Vec<(&'static str, String, &[At<String>])> {
        let mut all = Vec::new();
        let mut cite = |what: &str, clauses| all.push((files::TEXT, format!("`{what}`"), clauses));
        for mark in &self.encoding_marks {
            cite(&mark.bytes.value, &*mark.clauses);
        }
        for skip in &self.order {
            cite(skip.skip.value.name(), &skip.clauses);
        }
        cite("replacement", &self.replacement.clauses);
        cite("binary_above", &self.binary_above.clauses);
        cite("normal_form", &self.normal_form.clauses);
        cite("newline", &self.newline.clauses);
        cite("short_is_complete", &self.short_is_complete.clauses);
        cite("folds.ascii", &self.folds.ascii.clauses);
        cite("folds.unicode_simple", &self.folds.unicode_simple.clauses);
        cite("folds.search", &self.folds.search.clauses);
        all
    }
}
