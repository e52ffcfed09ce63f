//! When a file may be excluded by a literal (`docs/index.md`, section 3).
//!
//! Responsible for: what a literal needs of a file, and whether a file lacks it, by its packed
//! filters or by the bits of its grams.
//! Left to neighbours: whether this call may exclude anything (`machine`); regular expressions,
//! which no model plans for; files, of
//! which `tokens` tells the grams.
//! Invariants: anything that is unclear means that the file is searched (FR-LSI-CAND-02).

use super::filter::Scheme;
use super::tables::{ExclusionTables, Fold, TextTables};
use super::tokens::{Grams, TokenStatus, Tokens, fold, fold_scalar, grams, normalise};

/// Which of a file's two filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// `SENSITIVE`.
    Sensitive,
    /// `INSENSITIVE`.
    Insensitive,
}

/// A request for a literal, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Literal<'a> {
    /// What is looked for.
    pub pattern: &'a str,
    /// Whether the effective case is insensitive (E-A05).
    pub insensitive: bool,
    /// What insensitive means.
    pub fold: Fold,
    /// Whether it is looked for approximately.
    pub fuzzy: bool,
}

/// What every file with a match has: all of these grams pass this filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// Which filter.
    pub variant: Variant,
    /// Which grams; at least one.
    pub grams: Grams,
}

/// What a literal needs; nothing if it excludes no file.
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
    lacks(tables, need, tokens, |variant, gram| {
        let packed = match variant {
            Variant::Sensitive => &filters.sensitive,
            Variant::Insensitive => &filters.insensitive,
        };
        scheme.passes(packed, gram)
    })
}

/// Whether a file is excluded, by its grams and the bits they set: nothing is packed.
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
    lacks(tables, need, tokens, |variant, gram| {
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
    /// `SENSITIVE`.
    pub sensitive: Vec<u8>,
    /// `INSENSITIVE`.
    pub insensitive: Vec<u8>,
}

impl Filters {
    /// Those of a file.
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

/// Whether a file is one that can be excluded, and some needed gram does not pass.
fn lacks(
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
