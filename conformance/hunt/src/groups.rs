//! Which group a case belongs to (docs/hunt.md, section 3).

use std::collections::BTreeSet;

use touchstone_spec::Spec;

use super::question::Feature;

/// The features in the order in which they name groups, with their clauses.
#[derive(Debug, Clone)]
pub struct Groups {
    order: Vec<(Feature, String, Vec<String>)>,
}

/// A set of features as bits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set(u64);

impl Set {
    /// These.
    pub fn of<'a>(features: impl IntoIterator<Item = &'a Feature>) -> Self {
        Self(features.into_iter().fold(0, |bits, feature| bits | bit(*feature)))
    }

    /// Those of both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether a feature is in it.
    pub fn has(self, feature: Feature) -> bool {
        self.0 & bit(feature) != 0
    }

    /// All of them, in order.
    pub fn features(self) -> BTreeSet<Feature> {
        Feature::ALL.iter().copied().filter(|feature| self.has(*feature)).collect()
    }
}

/// There are fewer features than bits; the specification's lint keeps it so.
fn bit(feature: Feature) -> u64 {
    let index = Feature::ALL.iter().position(|one| *one == feature).unwrap_or(63);
    1 << index.min(63)
}

impl Groups {
    /// As the specification orders them.
    pub fn of(spec: &Spec) -> Self {
        let rows = spec.hunt.groups.iter();
        Self {
            order: rows.map(|row| (row.feature, row.says.clone(), row.clauses.clone())).collect(),
        }
    }

    /// The group of what has these features.
    pub fn group(&self, features: Set) -> Feature {
        self.order
            .iter()
            .map(|(feature, ..)| *feature)
            .find(|feature| features.has(*feature))
            .unwrap_or(Feature::Regex)
    }

    /// What holds in a group, and the clauses it stands on.
    pub fn about(&self, group: Feature) -> (&str, &[String]) {
        let row = self.order.iter().find(|(feature, ..)| *feature == group);
        row.map_or(("", &[]), |(_, says, clauses)| (says, clauses))
    }
}
