//! The order of the pool: occurrences, definitions, paths, rarity, and scores (section 4).
//!
//! Invariants: a score depends on the pool alone; equal scores are in path order.

use super::Config;
use super::files::SearchedFile;
use super::pool::PoolFile;
use super::query_terms;
use super::references::{References, stem};
use super::request::{Call, Term};
use crate::agent::definition;
use crate::agent::query;
use crate::agent::ranking::{count, number};
use crate::order;
use crate::place::{self, Name};
use crate::tables::order::By;

/// The pool, best score first.
pub(super) fn rank<'a>(
    config: &Config,
    call: &Call,
    mut pool: Vec<PoolFile<'a>>,
) -> Vec<PoolFile<'a>> {
    let references = References::of(&call.query);
    let rarities: Vec<f64> =
        (0..call.terms.len()).map(|term| rarity(config, &pool, term)).collect();
    let mean = mean_length(&pool);
    for file in &mut pool {
        file.score = score(config, call, &rarities, &references, mean, file.file);
    }
    order::sort(&mut pool, config.agent.search.tables.orders.keyword, |one, by| match by {
        By::Score => order::Value::score(one.score),
        By::Place => one.file.place.clone(),
        _ => order::Value::Nothing,
    });
    pool
}

/// `idf` of a term.
fn rarity(config: &Config, pool: &[PoolFile<'_>], term: usize) -> f64 {
    let files = || pool.iter().map(|file| file.file).filter(|file| file.has_occurrence());
    let bytes = count(files().map(|file| file.length).sum());
    let found = count(files().map(|file| file.of_term(term).count()).sum());
    let others = (bytes / number(config.agent.tables.limits.rarity_line_bytes) - found).max(0.0);
    (1.0 + (others + 0.5) / (found + 0.5)).ln()
}

/// The mean length of the files of the pool in which a term occurs, in bytes.
fn mean_length(pool: &[PoolFile<'_>]) -> f64 {
    let lengths = pool.iter().filter(|file| file.file.has_occurrence());
    let lengths: Vec<usize> = lengths.map(|file| file.file.length).collect();
    if lengths.is_empty() { 1.0 } else { count(lengths.iter().sum()) / count(lengths.len()) }
}

fn score(
    config: &Config,
    call: &Call,
    rarities: &[f64],
    references: &References,
    mean_length: f64,
    file: &SearchedFile<'_>,
) -> f64 {
    let limits = &config.tables.limits;
    let terms = count(call.terms.len());
    let (mut sum, mut greatest) = (0.0, 0.0);
    for (place, (term, idf)) in call.terms.iter().zip(rarities).enumerate() {
        let mut weight = 1.0 - count(place) / (2.0 * terms);
        weight *= if term.is_name { hundredths(limits.name_hundredths) } else { 1.0 };
        weight *= if term.in_first_line { hundredths(limits.first_line_hundredths) } else { 1.0 };
        let units = file.of_term(place).map(|one| one.units).sum();
        let longer = count(file.length) / mean_length - 1.0;
        let constant = 1.0 + hundredths(limits.length_hundredths) * longer;
        let s = share(units, number(limits.saturation_units) * constant);
        let strength = file.of_term(place).map(|one| one.strength).max().unwrap_or_default();
        let strength = strength.min(limits.strength_eighths);
        let b = share(strength, number(limits.defined_eighths));
        sum += weight * idf * (s + b + of_path(config, file.below_root, term));
        greatest += weight * idf * hundredths(limits.greatest_hundredths);
    }
    let is_named = references.name(file.below_root);
    let q = if is_named { hundredths(limits.named_file_hundredths) } else { 1.0 };
    let definitions = &config.agent.tables.definitions;
    let sought: Vec<query::Term> = call.terms.iter().map(|term| term.sought.clone()).collect();
    let asking = if call.query.trim().contains('\n') { &[] } else { sought.as_slice() };
    let c = hundredths(definition::hundredths(definitions, file.below_root, asking));
    let precision = (0..limits.score_decimals).fold(1.0, |precision, _| precision * 10.0);
    (c * c * q * sum / greatest * precision).round() / precision
}

fn hundredths(value: u64) -> f64 {
    number(value) / 100.0
}

/// What an amount is of its sum with a constant.
fn share(amount: u64, constant: f64) -> f64 {
    number(amount) / (number(amount) + constant)
}

/// `p`, the weight of a file's path for a term.
fn of_path(config: &Config, below_root: &[Name], term: &Term) -> f64 {
    let limits = &config.tables.limits;
    let base = below_root.last().cloned().unwrap_or_default();
    hundredths(if is_stem(&place::lossy(&base), term) {
        limits.stem_hundredths
    } else if holds(&place::join(below_root), term) {
        limits.path_hundredths
    } else {
        0
    })
}

/// Whether a path contains a term's characters, folded.
fn holds(path: &[u8], term: &Term) -> bool {
    let sought = term.folded.as_bytes();
    path.windows(sought.len()).any(|window| window.eq_ignore_ascii_case(sought))
}

/// Whether a term is the stem of a base name.
fn is_stem(base: &str, term: &Term) -> bool {
    let letters =
        |text: &str| -> String { text.chars().filter(|one| one.is_alphanumeric()).collect() };
    let (of_term, of_stem) = (letters(&term.folded), letters(&stem(base).to_ascii_lowercase()));
    !of_term.is_empty() && (of_stem == of_term || query_terms::singular(&of_stem) == of_term)
}

#[cfg(test)]
mod tests;
