//! Exclusion of files by a literal (`docs/claims.md`, section 3): the n-grams that a literal needs,
//! and whether a file lacks one, by its packed filters or by the bits of its n-grams.
//!
//! In doubt a file is searched (FR-LSI-CAND-02). `machine` decides whether a call may exclude at
//! all; regular expressions are not modelled.

use super::filter::Scheme;
use super::tables::{ExclusionTables, Fold, TextTables};
use super::tokens::{Grams, TokenStatus, Tokens, fold, fold_scalar, grams, normalise};

/// One of a file's two filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    Sensitive,
    Insensitive,
}

/// The part of a request that matters for exclusion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Literal<'a> {
    pub pattern: &'a str,
    /// Whether the effective case is insensitive (E-A05).
    pub insensitive: bool,
    /// The fold of insensitive searches.
    pub fold: Fold,
    pub fuzzy: bool,
}

/// What every matching file has: all of these n-grams pass this filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    pub variant: Variant,
    /// At least one.
    pub grams: Grams,
}

/// What a literal needs; `None` if it excludes no file.
pub fn needed(
    tables: &ExclusionTables<'_>,
    text: &TextTables<'_>,
    literal: &Literal<'_>,
    ngram: u64,
) -> Option<Need> {
    if literal.fuzzy && tables.fuzzy_bypasses {
        return None;
    }
    let (variant, folded) = if literal.insensitive {
        let fold = |scalar: char| fold_scalar(&text.folds, literal.fold, scalar);
        (Variant::Insensitive, literal.pattern.chars().map(fold).collect())
    } else {
        (Variant::Sensitive, literal.pattern.to_owned())
    };
    let changes = |pattern: &str| normalise(text, pattern) != pattern;
    if tables.unstable_bypasses && (changes(literal.pattern) || changes(&folded)) {
        return None;
    }
    let scalars: Vec<char> = folded.chars().collect();
    let mut needed = grams(&scalars, ngram);
    needed.retain(|gram| !gram.iter().any(|scalar| tables.never_needed.contains(scalar)));
    (!needed.is_empty()).then_some(Need { variant, grams: needed })
}

/// Whether a file is excluded, by its packed filters.
pub fn excluded(
    tables: &ExclusionTables<'_>,
    scheme: &Scheme<'_>,
    need: Option<&Need>,
    tokens: &Tokens,
    filters: &Filters,
) -> bool {
    is_ruled_out(tables, need, tokens, |variant, gram| {
        let packed = match variant {
            Variant::Sensitive => &filters.sensitive,
            Variant::Insensitive => &filters.insensitive,
        };
        scheme.passes(packed, gram)
    })
}

/// Whether a file is excluded, by its n-grams and their bits, without packing.
pub fn excluded_by_grams(
    tables: &ExclusionTables<'_>,
    text: &TextTables<'_>,
    scheme: &Scheme<'_>,
    need: Option<&Need>,
    tokens: &Tokens,
    folded_by: Fold,
) -> bool {
    let sensitive = scheme.set_bits(&tokens.sensitive);
    let insensitive = scheme.set_bits(&fold(text, folded_by, &tokens.sensitive));
    is_ruled_out(tables, need, tokens, |variant, gram| {
        let set = match variant {
            Variant::Sensitive => &sensitive,
            Variant::Insensitive => &insensitive,
        };
        scheme.probes(gram).iter().all(|bit| set.contains(bit))
    })
}

/// A file's two filters, packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filters {
    pub sensitive: Vec<u8>,
    pub insensitive: Vec<u8>,
}

impl Filters {
    /// The filters of a file.
    pub fn of(
        text: &TextTables<'_>,
        scheme: &Scheme<'_>,
        tokens: &Tokens,
        folded_by: Fold,
    ) -> Self {
        Self {
            sensitive: scheme.packed(&tokens.sensitive),
            insensitive: scheme.packed(&fold(text, folded_by, &tokens.sensitive)),
        }
    }
}

/// Whether a file can be excluded and a needed n-gram does not pass.
fn is_ruled_out(
    tables: &ExclusionTables<'_>,
    need: Option<&Need>,
    tokens: &Tokens,
    passes: impl Fn(Variant, &[char]) -> bool,
) -> bool {
    let known = tokens.status == TokenStatus::Full && (tokens.complete || !tables.needs_complete);
    known && need.is_some_and(|need| need.grams.iter().any(|gram| !passes(need.variant, gram)))
}

#[cfg(test)]
mod tests;
