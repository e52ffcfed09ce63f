//! From files that match to an order among them: BM25 with rarity measured by lines (E-I17; docs/agent-tools.md, section 6).

/// How soon more of the same counts for less.
const K1: f64 = 1.2;
/// How much a file's length counts.
const B: f64 = 0.75;
/// Scores have four decimals.
const DECIMALS: f64 = 10_000.0;

/// What a file is ranked by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// For each term, its units in the text and in the path.
    pub units: Vec<u64>,
    /// For each term, the lines it occurs on.
    pub lines_with: Vec<u64>,
    /// Lines of the text.
    pub lines: u64,
    /// Bytes of the text.
    pub bytes: u64,
}

/// The score of each file of a pool, between 0 and 1.
#[expect(clippy::cast_precision_loss, reason = "counts of lines and bytes that fit into memory are exact")]
pub fn scores(pool: &[&Measures]) -> Vec<f64> {
    let Some(first) = pool.first() else { return Vec::new() };
    let lines: u64 = pool.iter().map(|file| file.lines).sum();
    let bytes: u64 = pool.iter().map(|file| file.bytes).sum();
    let mean = bytes as f64 / pool.len() as f64;
    let rarity: Vec<f64> = (0..first.units.len())
        .map(|term| {
            let with: u64 = pool.iter().filter_map(|file| file.lines_with.get(term)).sum();
            (1.0 + ((lines - with) as f64 + 0.5) / (with as f64 + 0.5)).ln()
        })
        .collect();
    let most: f64 = rarity.iter().map(|idf| idf * (K1 + 1.0)).sum();
    pool.iter()
        .map(|file| {
            let length = 1.0 - B + B * file.bytes as f64 / mean;
            let sum: f64 = rarity
                .iter()
                .zip(&file.units)
                .map(|(idf, units)| {
                    let frequency = *units as f64 / 2.0;
                    idf * frequency * (K1 + 1.0) / (frequency + K1 * length)
                })
                .sum();
            (sum / most * DECIMALS).round() / DECIMALS
        })
        .collect()
}
