//! The n-grams of a file (`docs/claims.md`, section 1): which files are tokenized, their text, its
//! n-grams, and whether these are complete.
//!
//! A file is tokenized whole or not at all (E-A10); INSENSITIVE n-grams are images of SENSITIVE
//! ones.

mod decoding;
mod folding;

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization;

pub use folding::fold_scalar;

use super::tables::{Fold, NormalForm, Skip, TextTables};

/// A set of n-grams, each with as many scalars as the parameters say.
pub type Grams = BTreeSet<Vec<char>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    pub max_tokenized_bytes: u64,
    /// In scalars.
    pub ngram: u64,
}

impl Parameters {
    /// The defaults.
    pub const fn defaults(tables: &TextTables<'_>) -> Self {
        Self { max_tokenized_bytes: tables.max_tokenized_bytes, ngram: tables.ngram }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenStatus {
    Full,
    SkippedTooLarge,
    SkippedEncoding,
    SkippedBinary,
}

/// The tokens of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tokens {
    pub status: TokenStatus,
    /// `token_complete`: whether an n-gram that is not in the set is not in the searched text.
    pub complete: bool,
    /// Length of the tokenized bytes.
    pub tokenized_bytes: u64,
    /// The n-grams of the unfolded text.
    pub sensitive: Grams,
}

/// Tokenizes a whole file.
pub fn tokenize(tables: &TextTables<'_>, parameters: &Parameters, bytes: &[u8]) -> Tokens {
    let length = bytes.len() as u64;
    let decoded = decoding::decode(tables.replacement, bytes);
    for condition in tables.order {
        let (skipped, status) = match condition {
            Skip::TooLarge => {
                (length > parameters.max_tokenized_bytes, TokenStatus::SkippedTooLarge)
            }
            Skip::Encoding => (
                tables.encoding_marks.iter().any(|mark| bytes.starts_with(mark)),
                TokenStatus::SkippedEncoding,
            ),
            Skip::Binary => (is_binary(tables, &decoded), TokenStatus::SkippedBinary),
        };
        if skipped {
            return Tokens { status, complete: false, tokenized_bytes: 0, sensitive: Grams::new() };
        }
    }
    let normal = normalise(tables, &decoded);
    let unchanged = normal == decoded;
    let (from, to) = tables.newline;
    let text: Vec<char> = normal.replace(from, to).chars().collect();
    let long_enough = text.len() as u64 >= parameters.ngram || tables.short_is_complete;
    Tokens {
        status: TokenStatus::Full,
        complete: unchanged && long_enough,
        tokenized_bytes: length,
        sensitive: grams(&text, parameters.ngram),
    }
}

/// Whether too many of the scalars are replacements.
fn is_binary(tables: &TextTables<'_>, decoded: &str) -> bool {
    let scalars = decoded.chars().count() as u64;
    let replaced = decoded.chars().filter(|scalar| *scalar == tables.replacement).count() as u64;
    scalars > 0 && replaced * tables.binary_denominator > scalars * tables.binary_numerator
}

/// A text in the tables' normal form.
pub(super) fn normalise(tables: &TextTables<'_>, text: &str) -> String {
    match tables.normal_form {
        NormalForm::None => text.to_owned(),
        NormalForm::Nfc => text.nfc().collect(),
        NormalForm::Nfd => text.nfd().collect(),
    }
}

/// All runs of `ngram` scalars.
pub(super) fn grams(text: &[char], ngram: u64) -> Grams {
    let ngram = usize::try_from(ngram).unwrap_or(usize::MAX);
    if ngram == 0 { Grams::new() } else { text.windows(ngram).map(<[char]>::to_vec).collect() }
}

/// The INSENSITIVE n-grams: the images of the SENSITIVE ones under a fold.
pub fn fold(tables: &TextTables<'_>, fold: Fold, sensitive: &Grams) -> Grams {
    let scalars: BTreeSet<char> = sensitive.iter().flatten().copied().collect();
    let images: BTreeMap<char, char> = scalars
        .into_iter()
        .map(|scalar| (scalar, fold_scalar(&tables.folds, fold, scalar)))
        .collect();
    let image = |scalar: &char| images.get(scalar).copied().unwrap_or(*scalar);
    sensitive.iter().map(|gram| gram.iter().map(image).collect()).collect()
}

#[cfg(test)]
mod tests;
