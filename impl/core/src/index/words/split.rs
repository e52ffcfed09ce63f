//! A name in its parts, joined and folded; and the keys it is found by.

use std::collections::BTreeSet;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::identifier::parts;

/// Parts without `_` between them beyond which a name has no keys: what has more is a number or a
/// digest.
const MOST_PARTS: usize = 8;

/// What a key stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Neighbouring parts without `_` between them, joined.
    Run,
    /// All parts of a name, if they are one run that is common.
    Whole,
    /// The different parts of a name that is defined somewhere, if all are common runs.
    Parts,
}

/// The key of a text.
pub(super) fn key(kind: Kind, text: &str) -> u32 {
    (xxh3_64_with_seed(text.as_bytes(), kind as u64) >> 32) as u32
}

/// The text that stands for some parts.
pub(super) fn text_of(parts: &BTreeSet<&str>) -> String {
    parts.iter().copied().collect::<Vec<_>>().join("_")
}

/// A name in its parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Split {
    /// All parts, folded.
    text: String,
    /// For each part where it ends there, and whether `_` stands before it.
    ends: Vec<(usize, bool)>,
}

impl Split {
    /// Takes the next name.
    pub(super) fn set(&mut self, name: &str) {
        self.text.clear();
        self.ends.clear();
        for part in parts(name) {
            self.text.push_str(part.text);
            self.ends.push((self.text.len(), part.apart));
        }
        self.text.make_ascii_lowercase();
    }

    /// How many parts there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the name has no keys.
    pub(super) fn is_long(&self) -> bool {
        let mut together = 0;
        self.ends.iter().any(|(_, apart)| {
            together = if *apart { 1 } else { together + 1 };
            together > MOST_PARTS
        })
    }

    /// The parts.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(end, _)| *end));
        starts.zip(&self.ends).filter_map(|(start, (end, _))| self.text.get(start..*end))
    }

    /// All parts, joined, if no `_` is between them.
    pub(super) fn whole(&self) -> Option<&str> {
        (!self.ends.iter().any(|(_, apart)| *apart)).then_some(&self.text)
    }

    /// Hands out the runs, some of them perhaps more than once.
    pub(super) fn each_run(&self, mut each: impl FnMut(&str)) {
        let mut start = 0;
        for (first, (end, _)) in self.ends.iter().enumerate() {
            let behind = self.ends.iter().skip(first + 1).take_while(|(_, apart)| !apart);
            for end in std::iter::once(end).chain(behind.map(|(end, _)| end)) {
                each(self.text.get(start..*end).unwrap_or_default());
            }
            start = *end;
        }
    }
}
