//! Lives that are written for a purpose: each walks cells of the state machine that chance walks seldom or never.

use super::life::{Act, Life};
use crate::case::Entry;

/// A life, and the cells it is written to walk.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The life.
    pub life: Life,
    /// Cells: a trigger, and the state in which it comes.
    pub walks: Vec<(&'static str, &'static str)>,
}

/// All of them.
pub fn scenarios() -> Vec<Scenario> {
    vec![first()]
}

/// A tree of a few files of different words.
fn files() -> Vec<Entry> {
    let words = ["needle", "alpha", "omega", "zebra", "Quartz"];
    words
        .iter()
        .zip(["a.txt", "b.txt", "src/c.rs", "src/deep/d.rs", "docs/e.md"])
        .map(|(word, path)| Entry::file(path, format!("{word} in a line\n")))
        .collect()
}

fn life(name: &str, acts: impl IntoIterator<Item = Act>) -> Life {
    Life {
        name: name.to_owned(),
        config: crate::case::CaseConfig::default(),
        settings: std::collections::BTreeMap::new(),
        using: super::Use::Stepped,
        damage: Vec::new(),
        tree: files(),
        acts: acts.into_iter().collect(),
    }
}

/// An index comes about, and a search uses it.
fn first() -> Scenario {
    let acts = [
        Act::find("needle"),
        Act::Settle,
        Act::state("COMPLETE"),
        Act::find("needle"),
        Act::excludes(true),
        Act::Verify,
    ];
    Scenario {
        life: life("first", acts),
        walks: vec![
            ("build_started", "ABSENT"),
            ("watcher_started", "ABSENT"),
            ("build_completed", "BUILDING"),
        ],
    }
}
