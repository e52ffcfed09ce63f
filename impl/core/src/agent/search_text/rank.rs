//! From files that match to an order among them: BM25 with rarity measured by occurrences (E-I17;
//! docs/agent-tools.md, section 6).

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
    /// Units in the text and in the path.
    pub units: u64,
    /// Occurrences in the text.
    pub occurrences: u64,
    /// How surely the term is what is defined, where it is surest, in eighths.
    pub strength: u64,
    /// Whether the term is the stem of the base name.
    pub stem: bool,
}

/// The score of each file of a pool, between 0 and 1.
#[expect(clippy::cast_precision_loss, reason = "counts that fit into memory are exact")]
pub fn scores(pool: &[&Measures]) -> Vec<f64> {
    let Some(first) = pool.first() else { return Vec::new() };
    let bytes: u64 = pool.iter().map(|file| file.bytes).sum();
    let mean = bytes as f64 / pool.len() as f64;
    let rarity: Vec<f64> = (0..first.terms.len())
        .map(|term| {
            let of = |file: &&Measures| file.terms.get(term).map(|term| term.occurrences);
            let with = pool.iter().filter_map(of).sum::<u64>() as f64;
            (1.0 + ((bytes as f64 / LINE - with).max(0.0) + 0.5) / (with + 0.5)).ln()
        })
        .collect();
    // What single words of a question name is seldom what the question is about.
    let trust = 1.0 / (rarity.len() * rarity.len()) as f64;
    let most: f64 = rarity.iter().map(|idf| idf * MOST).sum();
    pool.iter()
        .map(|file| {
            let length = K1 * (1.0 - B + B * file.bytes as f64 / mean);
            let sum: f64 = rarity
                .iter()
                .zip(&file.terms)
                .map(|(idf, term)| {
                    let frequency = term.units as f64 / 2.0;
                    let own = term.strength as f64 / 8.0 * trust + f64::from(u8::from(term.stem));
                    idf * (frequency / (frequency + length) + own)
                })
                .sum();
            (sum * file.hundredths as f64 / 100.0 / most * DECIMALS).round() / DECIMALS
        })
        .collect()
}
