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
        if name.is_ascii() {
            self.set_ascii(name);
            return;
        }
        for part in parts(name) {
            self.push(Some(part.text), part.apart);
        }
        self.text.make_ascii_lowercase();
    }

    /// The same for a name of ASCII, as [`parts`] has it.
    fn set_ascii(&mut self, name: &str) {
        let bytes = name.as_bytes();
        let (mut start, mut apart, mut before) = (0, false, b'_');
        for (at, byte) in bytes.iter().enumerate() {
            let after = || bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            let ends = before != b'_'
                && (*byte == b'_'
                    || before.is_ascii_digit() != byte.is_ascii_digit()
                    || (byte.is_ascii_uppercase()
                        && (before.is_ascii_lowercase()
                            || (before.is_ascii_uppercase() && after()))));
            if ends {
                self.push(name.get(start..at), apart);
            }
            if ends || before == b'_' {
                (start, apart) = (at, before == b'_' && !self.ends.is_empty());
            }
            before = *byte;
        }
        if before != b'_' {
            self.push(name.get(start..), apart);
        }
        self.text.make_ascii_lowercase();
    }

    fn push(&mut self, part: Option<&str>, apart: bool) {
        self.text.push_str(part.unwrap_or_default());
        self.ends.push((self.text.len(), apart));
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

    /// Hands out the runs that are not all within so many first parts, some of them perhaps more
    /// than once, each with the number of its last part.
    pub(super) fn each_run_beyond(&self, parts: usize, mut each: impl FnMut(usize, &str)) {
        let mut start = 0;
        for (first, (own, _)) in self.ends.iter().enumerate() {
            for (last, (end, apart)) in self.ends.iter().enumerate().skip(first) {
                if last > first && *apart {
                    break;
                }
                if last >= parts {
                    each(last, self.text.get(start..*end).unwrap_or_default());
                }
            }
            start = *own;
        }
    }

    /// How many first parts it has in common with another.
    pub(super) fn common_parts(&self, other: &Self) -> usize {
        let mut start = 0;
        let same = self.ends.iter().zip(&other.ends).take_while(|(own, theirs)| {
            let (one, other) = (self.text.as_bytes(), other.text.as_bytes());
            let is_same = own == theirs && one.get(start..own.0) == other.get(start..own.0);
            start = own.0;
            is_same
        });
        same.count()
    }
}
