//! Lives that are written for a purpose: each walks cells of the state machine that chance walks
//! seldom or never.
//!
//! Responsible for: the shape of a scenario, the tree that most have, and the list of all. Not
//! here: what is provoked in every state (`product`), what takes a story (`stories`). Invariants:
//! scenarios are small, and the same in every run.

mod changes;
mod moments;
mod product;
mod rare;
mod stories;
mod works;

use std::collections::BTreeMap;

use serde_json::Value;
use touchstone_cases::case::{CaseConfig, Entry};

use super::life::{Act, Life, Use};

/// A life, and the cells it is written to walk.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub life: Life,
    /// Cells: a trigger, and the state in which it comes.
    pub walks: Vec<(&'static str, &'static str)>,
}

/// All of them; `whole` says whether those that only try things out in every state are among them.
pub fn scenarios(whole: bool) -> Vec<Scenario> {
    let mut all = stories::all();
    all.extend(works::all());
    all.extend(moments::all());
    all.extend(rare::all());
    all.extend(product::common());
    all.extend(changes::all(whole));
    if whole {
        all.extend(product::faults());
        all.extend(moments::doubled());
    }
    all
}

/// Those that need mounts of their own.
pub fn mounted_scenarios(whole: bool) -> Vec<Scenario> {
    changes::mounted(whole)
}

impl Scenario {
    pub(super) fn new(name: &str, acts: impl IntoIterator<Item = Act>) -> Self {
        let life = Life {
            name: name.to_owned(),
            config: CaseConfig::default(),
            settings: BTreeMap::new(),
            using: Use::Stepped,
            own_mounts: false,
            beside: false,
            sabotage: None,
            damage: Vec::new(),
            tree: files(),
            acts: acts.into_iter().collect(),
        };
        Self { life, walks: Vec::new() }
    }

    pub(super) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.life.settings.insert(key.to_owned(), value.into());
        self
    }

    fn walking(mut self, walks: &[(&'static str, &'static str)]) -> Self {
        self.walks.extend(walks);
        self
    }
}

/// A tree of a few files of different words.
fn files() -> Vec<Entry> {
    let words = ["needle", "alpha", "omega", "zebra", "Quartz"];
    let paths = ["a.txt", "b.txt", "src/c.rs", "src/deep/d.rs", "docs/e.md"];
    let files = words.iter().zip(paths);
    files.map(|(word, path)| Entry::file(path, format!("{word} in a line\n"))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cells::is_cell;

    #[test]
    fn scenario_names_are_unique_and_walk_existing_cells() {
        let mut names = BTreeSet::new();
        for scenario in [scenarios(true), mounted_scenarios(true)].concat() {
            assert!(
                names.insert(scenario.life.name.clone()),
                "{} stands twice",
                scenario.life.name
            );
            for (trigger, state) in scenario.walks {
                assert!(is_cell(trigger, state), "{}: {trigger} in {state}", scenario.life.name);
            }
        }
    }
}
