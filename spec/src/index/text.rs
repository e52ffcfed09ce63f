//! From bytes to n-grams: `index/text.yaml`.

use serde::Deserialize;

use super::figure::{Figure, Scalar};
use super::files;
use crate::closed::ids;
use crate::escaped::Escaped;
use crate::place::At;

/// The tokenizer.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokenizer {
    /// Starts of files that are never tokenized.
    pub encoding_marks: Vec<EncodingMark>,
    /// What stands for what cannot be decoded.
    pub replacement: Figure<Scalar>,
    /// When a file is binary.
    pub binary_above: BinaryPart,
    /// What keeps a file out, in the order of the tests.
    pub order: Vec<Skip>,
    /// The normal form.
    pub normal_form: Figure<NormalForm>,
    /// What is replaced after that.
    pub newline: Newline,
    /// Whether a text with fewer scalars than a gram counts as complete.
    pub short_is_complete: Figure<bool>,
    /// The folds.
    pub folds: Folds,
}

/// A start of files that are never tokenized.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncodingMark {
    /// The bytes, as pairs of hexadecimal digits with spaces between.
    pub bytes: At<String>,
    /// What it is the mark of.
    pub what: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

impl EncodingMark {
    /// The bytes; `None` if they are not written as pairs of hexadecimal digits.
    pub fn read(&self) -> Option<Vec<u8>> {
        let pairs = self.bytes.value.split(' ');
        let digits =
            |pair: &str| pair.len() == 2 && pair.bytes().all(|digit| digit.is_ascii_hexdigit());
        pairs
            .map(|pair| digits(pair).then(|| u8::from_str_radix(pair, 16).ok()).flatten())
            .collect()
    }
}

/// The part of replacements above which a file is binary.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BinaryPart {
    /// Above the line.
    pub numerator: At<u64>,
    /// Below it.
    pub denominator: u64,
    /// What counts.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// What keeps a file out.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Skip {
    /// Which test.
    pub skip: At<SkipId>,
    /// The `token_status` of what it keeps out.
    pub status: String,
    /// What it tests.
    pub when: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

ids! {
    /// A test that keeps files out.
    SkipId {
        /// Of the length.
        TooLarge = "too_large",
        /// Of the mark at the start.
        Encoding = "encoding",
        /// Of the part of replacements.
        Binary = "binary",
    }
}

ids! {
    /// A Unicode normal form.
    NormalForm {
        /// The text as it is.
        None = "none",
        /// Composed.
        Nfc = "nfc",
        /// Decomposed.
        Nfd = "nfd",
    }
}

/// What is replaced in the normalised text.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Newline {
    /// What.
    pub from: Escaped,
    /// By what.
    pub to: Escaped,
    /// What for.
    pub meaning: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// The folds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Folds {
    /// ASCII letters only.
    pub ascii: AsciiFold,
    /// Unicode, one scalar to one.
    pub unicode_simple: SimpleFold,
    /// What `Search` uses.
    pub search: Figure<Fold>,
}

/// The fold `ASCII`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AsciiFold {
    /// The first scalar it maps.
    pub first: Scalar,
    /// The last.
    pub last: Scalar,
    /// How far.
    pub offset: u32,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// The fold `UNICODE_SIMPLE`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimpleFold {
    /// Whether rows of status C count.
    pub common: bool,
    /// Whether rows of status S count.
    pub simple: bool,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

ids! {
    /// A casefold strategy.
    Fold {
        /// ASCII letters only.
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
