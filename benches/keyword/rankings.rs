//! The rankings that are compared: plain ones over all files, and the tool.

use forge_search_cli::json::Json;
use serde_json::json;

use crate::{
    counts::{Counts, File},
    trees,
};

/// A ranking of files by the terms in them, best first; files without any are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ranking {
    /// By the number of matching lines, added up over the terms.
    Hits,
    /// BM25, a term being its characters, wherever they stand.
    Characters,
    /// BM25 over identifiers.
    Identifiers,
    /// BM25 over identifiers and runs of their parts.
    Parts,
    /// `keyword_search` without a model.
    Tool,
}

impl Ranking {
    pub(crate) const ALL: [Self; 5] =
        [Self::Hits, Self::Characters, Self::Identifiers, Self::Parts, Self::Tool];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Hits => "count of hits",
            Self::Characters => "BM25, characters",
            Self::Identifiers => "BM25, identifiers",
            Self::Parts => "BM25, identifiers and parts",
            Self::Tool => "keyword_search",
        }
    }
}

/// Files that are looked at of a ranking.
pub(crate) const DEPTH: usize = 50;

/// How the files are ranked by what was counted; nothing for the tool, which counts for itself.
pub(crate) fn plain(ranking: Ranking, files: &[File]) -> Vec<String> {
    #[expect(clippy::cast_precision_loss, reason = "counts and lengths are far below 2^53")]
    let scores: Vec<f64> = match ranking {
        Ranking::Hits => {
            files.iter().map(|file| file.terms.iter().map(|counts| counts.lines as f64).sum()).collect()
        }
        Ranking::Characters => bm25(files, |counts| counts.places as f64, |file| file.bytes as f64),
        Ranking::Identifiers => bm25(files, |counts| counts.whole as f64, |file| file.identifiers as f64),
        Ranking::Parts => bm25(files, |counts| counts.parts as f64, |file| file.parts as f64),
        Ranking::Tool => Vec::new(),
    };
    let mut ranked: Vec<(f64, &File)> =
        scores.into_iter().zip(files).filter(|(score, _)| *score > 0.0).collect();
    // Files come in path order, and stay in it where scores are equal.
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().take(DEPTH).map(|(_, file)| file.path.clone()).collect()
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

/// What the tool answers. Terms that are all too broad are its error, and nothing is found then.
pub(crate) fn tool(tree: &std::path::Path, query: &str, terms: &[String]) -> Result<Vec<String>, String> {
    let toolbox = trees::toolbox(tree)?;
    let request = json!({ "query": query, "search_terms": terms, "use_model": false, "max_results": DEPTH });
    let answer = toolbox.call(
        &toolbox.session(),
        "keyword_search",
        &Json(&request),
        &forge_search_engine::Call::default(),
    );
    let answer = answer.structured;
    if answer.get("error").is_some_and(|error| error == "terms_too_broad") {
        return Ok(Vec::new());
    }
    let results =
        answer.get("results").and_then(|results| results.as_array()).ok_or_else(|| answer.to_string())?;
    Ok(results.iter().filter_map(|found| Some(found.get("path")?.as_str()?.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::{Ranking, plain};
    use crate::counts::count;

    #[test]
    fn rare_terms_and_short_files_are_worth_more_to_bm25_and_nothing_special_to_a_count() {
        let long = "common line, and nothing else\n".repeat(3);
        let texts =
            [("a", long.as_str()), ("b", "rare, and a little longer"), ("c", "common"), ("d", "neither")];
        let texts = texts.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let files = count(&texts, &["common".to_owned(), "rare".to_owned()]);
        assert_eq!(plain(Ranking::Hits, &files), ["a", "b", "c"]);
        assert_eq!(plain(Ranking::Characters, &files), ["b", "c", "a"]);
        assert_eq!(plain(Ranking::Identifiers, &files), ["b", "c", "a"]);
    }
}
