//! Plain rankings that tools are held against: a count of hits, and BM25 in three readings.

use crate::counts::{Counts, File};

/// A ranking of files by the terms in them, best first; files without any are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    /// By the number of matching lines, added up over the terms.
    Hits,
    /// BM25, a term being its characters, wherever they stand.
    Characters,
    /// BM25 over identifiers.
    Identifiers,
    /// BM25 over identifiers and runs of their parts.
    Parts,
}

impl Plain {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Hits, Self::Characters, Self::Identifiers, Self::Parts];

    /// What it is called in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hits => "count of hits",
            Self::Characters => "BM25, characters",
            Self::Identifiers => "BM25, identifiers",
            Self::Parts => "BM25, identifiers and parts",
        }
    }

    /// The first files by what was counted.
    pub fn ranked(self, files: &[File], most: usize) -> Vec<String> {
        #[expect(clippy::cast_precision_loss, reason = "counts and lengths are far below 2^53")]
        let scores: Vec<f64> = match self {
            Self::Hits => files
                .iter()
                .map(|file| file.terms.iter().map(|counts| counts.lines as f64).sum())
                .collect(),
            Self::Characters => {
                bm25(files, |counts| counts.places as f64, |file| file.bytes as f64)
            }
            Self::Identifiers => {
                bm25(files, |counts| counts.whole as f64, |file| file.identifiers as f64)
            }
            Self::Parts => bm25(files, |counts| counts.parts as f64, |file| file.parts as f64),
        };
        let mut ranked: Vec<(f64, &File)> =
            scores.into_iter().zip(files).filter(|(score, _)| *score > 0.0).collect();
        // Files come in path order, and stay in it where scores are equal.
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
        ranked.into_iter().take(most).map(|(_, file)| file.path.clone()).collect()
    }
}

/// The textbook's BM25 with its usual constants.
#[expect(clippy::cast_precision_loss, reason = "numbers of files are far below 2^53")]
fn bm25(files: &[File], frequency: fn(&Counts) -> f64, length: fn(&File) -> f64) -> Vec<f64> {
    const K1: f64 = 1.2;
    const B: f64 = 0.75;
    let n = files.len() as f64;
    let mean = files.iter().map(length).sum::<f64>() / n;
    let terms = files.first().map_or(0, |file| file.terms.len());
    let mut scores = vec![0.0; files.len()];
    for term in 0..terms {
        let frequencies: Vec<f64> =
            files.iter().map(|file| file.terms.get(term).map_or(0.0, frequency)).collect();
        let with = frequencies.iter().filter(|frequency| **frequency > 0.0).count() as f64;
        let rarity = (1.0 + (n - with + 0.5) / (with + 0.5)).ln();
        for ((score, f), file) in scores.iter_mut().zip(&frequencies).zip(files) {
            if *f > 0.0 {
                *score += rarity * f * (K1 + 1.0) / (f + K1 * (1.0 - B + B * length(file) / mean));
            }
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::Plain;
    use crate::counts::count;

    #[test]
    fn bm25_favours_rare_terms_and_short_files_and_a_count_does_not() {
        let long = "common line, and nothing else\n".repeat(3);
        let texts = [
            ("a", long.as_str()),
            ("b", "rare, and a little longer"),
            ("c", "common"),
            ("d", "neither"),
        ];
        let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let files = count(&texts, &["common".to_owned(), "rare".to_owned()]);
        assert_eq!(Plain::Hits.ranked(&files, 10), ["a", "b", "c"]);
        assert_eq!(Plain::Characters.ranked(&files, 10), ["b", "c", "a"]);
        assert_eq!(Plain::Identifiers.ranked(&files, 10), ["b", "c", "a"]);
    }
}
