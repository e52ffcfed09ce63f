//! Names under which the catalog may have another object than the system (D17).
//!
//! An event carries a name; the index stores facts about objects. An event is about the catalogued
//! file as long as its name leads to that file. There are two exceptions:
//! - another object has the name now, and it was not looked at yet (the name is *fresh*);
//! - an object lost the name, and may have other names or open handles (the name is *unlinked*).
//!   The system reports writes through such a handle under the old name.
//!
//! Responsible for: finding the object of a write, or reporting that it cannot be traced.
//! Not here: events, looking at names, what is done about an untraced write (the engine).
//! Invariants: at most [`MOST_NAMES`] names; beyond that, a write counts as untraced.

use std::collections::BTreeMap;

/// Names that are remembered at most.
pub const MOST_NAMES: usize = 65_536;

/// What a catalog knows of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Catalogued {
    /// Nothing.
    No,
    /// A file that had this one name when it was looked at.
    Single,
    /// A file that had several.
    Linked,
}

/// Why the catalog may have another object under a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Unknown {
    /// Another object has taken it since it was looked at.
    fresh: bool,
    /// That object was written.
    written: bool,
    /// An object lost this name and may have other names or handles.
    unlinked: bool,
}

/// The names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    unknown: BTreeMap<Vec<u8>, Unknown>,
    untraced: bool,
}

impl Names {
    /// Another object has the name now.
    pub fn appeared(&mut self, name: &[u8], catalogued: Catalogued) {
        self.removed(name, catalogued);
        self.entry(name).fresh = true;
    }

    /// The object at the name was written, or one that had the name before. Returns whether it is
    /// the catalogued one.
    pub fn written(&mut self, name: &[u8], catalogued: Catalogued) -> bool {
        let known = self.unknown.get(name).copied().unwrap_or_default();
        self.untraced |= known.unlinked;
        if !known.fresh && catalogued != Catalogued::No {
            return true;
        }
        self.entry(name).written = true;
        false
    }

    /// The object has lost the name.
    pub fn removed(&mut self, name: &[u8], catalogued: Catalogued) {
        let known = self.unknown.get(name).copied().unwrap_or_default();
        self.untraced |= known.written;
        let existed = known.fresh || catalogued != Catalogued::No;
        let single = !known.fresh && catalogued == Catalogued::Single;
        let unlinked = known.unlinked || (existed && !single);
        if known.fresh || unlinked {
            *self.entry(name) = Unknown { fresh: known.fresh, written: false, unlinked };
        } else {
            self.unknown.remove(name);
        }
    }

    /// The object has another name now.
    pub fn renamed(&mut self, from: &[u8], to: &[u8], catalogued_to: Catalogued) {
        let moved = self.unknown.get(from).copied().unwrap_or_default();
        if let Some(left) = self.unknown.get_mut(from) {
            // What comes to this name next is another object.
            *left = Unknown { fresh: true, written: false, unlinked: left.unlinked };
        }
        self.appeared(to, catalogued_to);
        self.entry(to).written = moved.written;
    }

    /// The name was looked at, so that the catalog is up to date. Returns whether an object is
    /// there that was written before the look.
    pub fn looked_at(&mut self, name: &[u8], is_there: bool) -> bool {
        let Some(known) = self.unknown.get(name).copied() else { return false };
        self.untraced |= known.written && !is_there;
        if known.unlinked {
            *self.entry(name) = Unknown { unlinked: true, ..Unknown::default() };
        } else {
            self.unknown.remove(name);
        }
        known.written && is_there
    }

    /// The names below a directory that are not looked at yet.
    pub fn below(&self, directory: &[u8]) -> Vec<Vec<u8>> {
        let unseen = |(name, known): (&Vec<u8>, &Unknown)| {
            (known.fresh || known.written).then(|| name.clone())
        };
        if directory.is_empty() {
            return self.unknown.iter().filter_map(unseen).collect();
        }
        let (from, to) = ([directory, b"/"].concat(), [directory, b"0"].concat());
        self.unknown.range(from..to).filter_map(unseen).collect()
    }

    /// Whether the catalog may be wrong about a name.
    pub fn holds(&self, name: &[u8]) -> bool {
        self.unknown.contains_key(name)
    }

    /// Whether a write could not be traced to an object. Resets the answer.
    pub fn take_untraced(&mut self) -> bool {
        std::mem::take(&mut self.untraced)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn entry(&mut self, name: &[u8]) -> &mut Unknown {
        if self.unknown.len() >= MOST_NAMES && !self.unknown.contains_key(name) {
            self.unknown.clear();
            self.untraced = true;
        }
        self.unknown.entry(name.to_vec()).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SINGLE: Catalogued = Catalogued::Single;
    const NO: Catalogued = Catalogued::No;

    #[test]
    fn a_write_under_an_unchanged_name_is_to_the_catalogued_file() {
        let mut names = Names::default();
        assert!(names.written(b"a", SINGLE));
        assert!(!names.take_untraced());
    }

    #[test]
    fn a_file_written_and_removed_before_a_look_is_untraced() {
        let mut names = Names::default();
        names.appeared(b"a", NO);
        assert!(!names.written(b"a", NO));
        assert!(!names.take_untraced());
        names.removed(b"a", NO);
        assert!(names.take_untraced());
    }

    #[test]
    fn a_file_written_and_then_renamed_is_traced_under_its_new_name() {
        let mut names = Names::default();
        names.appeared(b"new", NO);
        names.written(b"new", NO);
        names.renamed(b"new", b"a", SINGLE);
        assert!(!names.take_untraced(), "the usual way to save a file costs nothing");
        assert!(names.looked_at(b"a", true));
        assert!(names.written(b"a", SINGLE) && !names.take_untraced());
    }

    #[test]
    fn a_write_through_an_open_file_without_a_name_is_untraced() {
        let mut names = Names::default();
        names.removed(b"a", Catalogued::Linked);
        assert!(!names.looked_at(b"a", false));
        names.written(b"a", NO);
        assert!(names.take_untraced());
        names.appeared(b"a", NO);
        names.looked_at(b"a", true);
        names.written(b"a", SINGLE);
        assert!(
            names.take_untraced(),
            "it may still be the handle, although another file has the name"
        );
    }

    #[test]
    fn a_removed_file_with_one_name_leaves_nothing_untraced() {
        let mut names = Names::default();
        names.removed(b"a", SINGLE);
        names.appeared(b"a", NO);
        names.looked_at(b"a", true);
        assert!(names.written(b"a", SINGLE) && !names.take_untraced());
    }

    #[test]
    fn a_written_object_that_is_replaced_is_untraced() {
        let mut names = Names::default();
        names.appeared(b"a", NO);
        names.written(b"a", NO);
        names.renamed(b"b", b"a", NO);
        assert!(names.take_untraced());
    }

    #[test]
    fn changed_names_are_listed_until_they_are_examined() {
        let mut names = Names::default();
        names.appeared(b"d/fresh", NO);
        names.written(b"d/written", NO);
        names.removed(b"d/unlinked", Catalogued::Linked);
        names.appeared(b"d0", NO);
        assert_eq!(names.below(b"d"), [b"d/fresh".to_vec(), b"d/written".to_vec()]);
        assert_eq!(names.below(b"").len(), 3, "what has lost its name is not looked at");
        assert!(names.holds(b"d/unlinked") && names.holds(b"d0") && !names.holds(b"d"));
        names.looked_at(b"d/fresh", true);
        assert!(!names.holds(b"d/fresh"));
    }

    #[test]
    fn more_names_than_the_limit_are_untraced() {
        let mut names = Names::default();
        for number in 0..=MOST_NAMES {
            names.appeared(format!("f{number}").as_bytes(), NO);
        }
        assert!(names.take_untraced());
    }
}
