//! The order of files before a model is asked (docs/keyword-search.md, section 4).

use super::{Request, query::Words, reference::References};
use crate::agent::search_text::{Pool, STEM_UNITS, TermMeasures, rarities};

/// Saturation constant, in units, of a file of average length.
const K: f64 = 5.0;
/// How much a file's length counts.
const LENGTH: f64 = 0.05;
/// Eighths of a term's strength that count, and the saturation constant of these: a name that is
/// defined in another spelling is as good as in the same.
const MOST_STRENGTH: u32 = 6;
const STRENGTH_K: f64 = 8.0;
/// Weight of a name, and of a term of the first line.
const NAME: f64 = 2.5;
const FIRST_LINE: f64 = 3.5;
/// Weight of a file that the query names.
const NAMED_FILE: f64 = 1.5;
/// The largest score of a term in a file that the query names.
const MOST: f64 = 5.25;
/// Worth of a path whose stem is the term, and of one that holds it.
const STEM: f64 = 1.5;
const PATH: f64 = 0.8;
/// Scores have four decimals.
const DECIMALS: f64 = 10_000.0;

/// The score of each file of a pool, from 0 to 1.
#[expect(clippy::cast_precision_loss, reason = "counts that fit into memory are exact")]
pub fn scores(request: &Request, pool: &Pool) -> Vec<f64> {
    let (words, references) = (Words::of(&request.query), References::of(&request.query));
    let count = request.terms.len() as f64;
    let weight = |((number, term), rarity): ((usize, &String), f64)| {
        let importance = 1.0 - number as f64 / (2.0 * count);
        let (is_name, is_first) = words.have(term);
        let name = if is_name { NAME } else { 1.0 };
        importance * name * if is_first { FIRST_LINE } else { 1.0 } * rarity
    };
    let weights = request.terms.iter().enumerate().zip(rarities(pool)).map(weight);
    let weights: Vec<f64> = weights.collect();
    let most: f64 = weights.iter().map(|weight| weight * MOST).sum();
    let with_text = pool.files().map(|file| file.bytes).filter(|bytes| *bytes > 0);
    let mean = with_text.clone().sum::<u64>() as f64 / with_text.count().max(1) as f64;
    pool.files()
        .map(|file| {
            let length = file.bytes as f64 / mean.max(1.0);
            let k = K * (1.0 - LENGTH + LENGTH * length);
            let each = weights.iter().zip(file.terms);
            let sum: f64 = each.map(|(weight, term)| weight * worth(term, k)).sum();
            let named = if references.name(file.walked) { NAMED_FILE } else { 1.0 };
            let place = file.hundredths as f64 / 100.0;
            (sum * named * place * place / most * DECIMALS).round() / DECIMALS
        })
        .collect()
}

fn worth(term: &TermMeasures, k: f64) -> f64 {
    let (units, strength) = (f64::from(term.units), f64::from(term.strength.min(MOST_STRENGTH)));
    let path = match term.path {
        STEM_UNITS => STEM,
        1.. => PATH,
        0 => 0.0,
    };
    units / (units + k) + strength / (strength + STRENGTH_K) + path
}
