//! What was done, in numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::cells::Cells;

/// Counts over lives.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub lives: u64,
    pub acts: u64,
    pub searches: u64,
    /// Searches from which files could be excluded.
    pub narrowed: u64,
    /// Searches from which files were excluded.
    pub excluding: u64,
    /// Files that were excluded.
    pub excluded: u64,
    /// Searches that could not be narrowed, by reason.
    pub bypasses: BTreeMap<String, u64>,
    /// Points of the engine that were passed.
    pub passed: BTreeMap<String, u64>,
    /// Points at which something went wrong.
    pub struck: BTreeMap<String, u64>,
    /// Cells of the state machine.
    pub cells: Cells,
    /// Edits that were carried out: what was done to what, by the state of the index.
    pub changes: Cells,
    /// Edits that this system cannot carry out, by act.
    pub unsupported: BTreeMap<String, u64>,
}

impl Tally {
    /// Adds another.
    pub fn add(&mut self, other: &Self) {
        self.lives += other.lives;
        self.acts += other.acts;
        self.searches += other.searches;
        self.narrowed += other.narrowed;
        self.excluding += other.excluding;
        self.excluded += other.excluded;
        for (own, others) in [
            (&mut self.bypasses, &other.bypasses),
            (&mut self.passed, &other.passed),
            (&mut self.struck, &other.struck),
            (&mut self.unsupported, &other.unsupported),
        ] {
            for (name, count) in others {
                *own.entry(name.clone()).or_default() += count;
            }
        }
        self.cells.add(&other.cells);
        self.changes.add(&other.changes);
    }

    /// The counts in sentences.
    pub fn lines(&self) -> Vec<String> {
        let counts = |counts: &BTreeMap<String, u64>| {
            let all: Vec<String> =
                counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
            if all.is_empty() { "none".to_owned() } else { all.join(", ") }
        };
        vec![
            format!("{} lives, {} acts, {} searches", self.lives, self.acts, self.searches),
            format!(
                "{} searches could be narrowed, {} were, {} files excluded",
                self.narrowed, self.excluding, self.excluded
            ),
            format!("not narrowed: {}", counts(&self.bypasses)),
            format!("points passed: {}", counts(&self.passed)),
            format!("points at which something went wrong: {}", counts(&self.struck)),
        ]
    }
}
