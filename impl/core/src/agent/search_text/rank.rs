//! From files that match to an order among them: BM25 with rarity measured by occurrences (E-I17;
//! docs/agent-tools.md, section 6).

use super::{
    path::STEM,
    pool::{Pool, PoolFile},
};

/// How soon more of the same counts for less.
const K1: f64 = 1.2;
/// How much a file's length counts.
const B: f64 = 0.75;
/// Scores have four decimals.
const DECIMALS: f64 = 10_000.0;

/// The most that one term adds: 1 for how often it stands, 1 for a stem, 3 for the surest definition
/// of what all terms name together.
const MOST: f64 = 5.0;

/// Bytes of a line, in what a term's rarity is measured by.
const LINE: f64 = 40.0;

/// What a file is ranked by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// What each term counts, in the query's order.
    pub terms: Vec<TermMeasures>,
    /// Bytes of the text.
    pub bytes: u64,
    /// What the file counts by its path.
    pub hundredths: u64,
}

/// What one term counts in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermMeasures {
    /// Units in the text.
    pub units: u32,
    /// Units in the path.
    pub path: u32,
    /// Occurrences in the text.
    pub occurrences: u32,
    /// How surely the term is what is defined, where it is surest, in eighths.
    pub strength: u32,
}

/// The score of each file of a pool, between 0 and 1.
#[expect(clippy::cast_precision_loss, reason = "counts that fit into memory are exact")]
pub fn scores(pool: &Pool) -> Vec<f64> {
    let rarity = rarities(pool);
    let mean = bytes(pool) as f64 / pool.len() as f64;
    // What single words of a question name is seldom what the question is about.
    let trust = 1.0 / (rarity.len() * rarity.len()) as f64;
    let most: f64 = rarity.iter().map(|idf| idf * MOST).sum();
    let score = |PoolFile { terms, bytes, hundredths, .. }: PoolFile<'_>| {
        let length = K1 * (1.0 - B + B * bytes as f64 / mean);
        let of_term = |(idf, term): (&f64, &TermMeasures)| {
            let frequency = f64::from(term.units).midpoint(f64::from(term.path));
            let stem = f64::from(u8::from(term.path == STEM));
            let own = f64::from(term.strength) / 8.0 * trust + stem;
            idf * (frequency / (frequency + length) + own)
        };
        let sum: f64 = rarity.iter().zip(terms).map(of_term).sum();
        (sum * hundredths as f64 / 100.0 / most * DECIMALS).round() / DECIMALS
    };
    pool.files().map(score).collect()
}

/// How rare each term is in a pool, by its occurrences.
#[expect(clippy::cast_precision_loss, reason = "counts that fit into memory are exact")]
pub(in crate::agent) fn rarities(pool: &Pool) -> Vec<f64> {
    let lines = bytes(pool) as f64 / LINE;
    let mut occurrences = vec![0; pool.terms_each()];
    for file in pool.files() {
        for (sum, term) in occurrences.iter_mut().zip(file.terms) {
            *sum += u64::from(term.occurrences);
        }
    }
    let rarity = |with: u64| {
        let with = with as f64;
        (1.0 + ((lines - with).max(0.0) + 0.5) / (with + 0.5)).ln()
    };
    occurrences.into_iter().map(rarity).collect()
}

fn bytes(pool: &Pool) -> u64 {
    pool.files().map(|file| file.bytes).sum()
}
