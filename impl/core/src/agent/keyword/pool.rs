//! The files to rank, and their lines (docs/keyword-search.md, sections 4 and 6).

use std::collections::BTreeMap;

use super::{hits::HitLine, term_text::Collector};

/// A file of the pool.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PoolFile {
    pub(super) path: String,
    /// The heading in the terms' texts; empty if the file is in none.
    pub(super) heading: String,
    /// Path below the search root.
    pub(super) walked: Vec<u8>,
    /// Hits of kept terms, which the model reads.
    pub(super) lines: BTreeMap<u64, HitLine>,
    pub(super) score: f64,
}

impl PoolFile {
    /// A file without hits of kept terms.
    pub(super) fn other(walked: Vec<u8>, path: String) -> Self {
        Self { path, heading: String::new(), walked, lines: BTreeMap::new(), score: 0.0 }
    }
}

/// The files with hits of kept terms.
pub(super) fn hit_files<'t>(kept: impl Iterator<Item = &'t Collector>) -> Vec<PoolFile> {
    let mut files: BTreeMap<&[u8], PoolFile> = BTreeMap::new();
    for term in kept {
        for found in &term.files {
            let file = files.entry(&found.hits.walked).or_insert_with(|| PoolFile {
                path: found.path.clone(),
                heading: found.heading.clone(),
                walked: found.hits.walked.clone(),
                lines: BTreeMap::new(),
                score: 0.0,
            });
            for hit in &found.hits.lines {
                let line = file.lines.entry(hit.number).or_insert_with(|| hit.clone());
                if hit.at < line.at {
                    *line = hit.clone();
                }
            }
        }
    }
    files.into_values().collect()
}
