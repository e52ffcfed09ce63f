//! Names whose object the catalog does not know (D17).
//!
//! An event tells a name, and the index believes things of objects. As long as a name leads to the file that
//! the catalog has under it, an event under the name is about that file. It is not
//! - after another object has taken the name (the name is *fresh*), until somebody looks at it;
//! - if a handle is open whose name was taken away: the system goes on reporting its writes under that name
//!   (the name has a *ghost*).
//!
//! Responsible for: telling which object a write was to, or that it was to one that cannot be told ("lost").
//! Left to neighbours: where events come from, looking at names, what a lost write costs (the engine).
//! Invariants: at most [`MOST_NAMES`] names; what is beyond that counts as lost.

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

/// What is known of a name that may lead to another object than the catalog says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Unknown {
    /// Another object has taken it since it was looked at.
    fresh: bool,
    /// That object was written.
    written: bool,
    /// An object lost this name that may have others.
    ghost: bool,
}

/// The names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    unknown: BTreeMap<Vec<u8>, Unknown>,
    lost: bool,
}

impl Names {
    /// Another object has the name now.
    pub fn appeared(&mut self, name: &[u8], catalogued: Catalogued) {
        self.removed(name, catalogued);
        self.entry(name).fresh = true;
    }

    /// The object at the name was written, or one that had the name before. Whether that is the catalogued one.
    pub fn written(&mut self, name: &[u8], catalogued: Catalogued) -> bool {
        let known = self.unknown.get(name).copied().unwrap_or_default();
        self.lost |= known.ghost;
        if !known.fresh && catalogued != Catalogued::No {
            return true;
        }
        self.entry(name).written = true;
        false
    }

    /// The object has lost the name.
    pub fn removed(&mut self, name: &[u8], catalogued: Catalogued) {
        let known = self.unknown.get(name).copied().unwrap_or_default();
        self.lost |= known.written;
        let existed = known.fresh || catalogued != Catalogued::No;
        let single = !known.fresh && catalogued == Catalogued::Single;
        let ghost = known.ghost || (existed && !single);
        if known.fresh || ghost {
            *self.entry(name) = Unknown { fresh: known.fresh, written: false, ghost };
        } else {
            self.unknown.remove(name);
        }
    }

    /// The object has another name now.
    pub fn renamed(&mut self, from: &[u8], to: &[u8], catalogued_to: Catalogued) {
        let moved = self.unknown.get(from).copied().unwrap_or_default();
        if let Some(left) = self.unknown.get_mut(from) {
            // What comes to this name next is another object.
            *left = Unknown { fresh: true, written: false, ghost: left.ghost };
        }
        self.appeared(to, catalogued_to);
        self.entry(to).written = moved.written;
    }

    /// Somebody has looked at the name: the catalog is right about it. Whether the object that is there, if
    /// one is, was written before.
    pub fn looked_at(&mut self, name: &[u8], is_there: bool) -> bool {
        let Some(known) = self.unknown.get(name).copied() else { return false };
        self.lost |= known.written && !is_there;
        if known.ghost {
            *self.entry(name) = Unknown { ghost: true, ..Unknown::default() };
        } else {
            self.unknown.remove(name);
        }
        known.written && is_there
    }

    /// The names below a directory that are not looked at yet.
    pub fn below(&self, directory: &[u8]) -> Vec<Vec<u8>> {
        let unseen =
            |(name, known): (&Vec<u8>, &Unknown)| (known.fresh || known.written).then(|| name.clone());
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

    /// Whether an object was written that cannot be told; asking forgets it.
    pub fn take_lost(&mut self) -> bool {
        std::mem::take(&mut self.lost)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn entry(&mut self, name: &[u8]) -> &mut Unknown {
        if self.unknown.len() >= MOST_NAMES && !self.unknown.contains_key(name) {
            self.unknown.clear();
            self.lost = true;
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
    fn a_write_under_a_name_that_nothing_happened_to_is_to_the_catalogued_file() {
        let mut names = Names::default();
        assert!(names.written(b"a", SINGLE));
        assert!(!names.take_lost());
    }

    #[test]
    fn a_file_that_is_written_and_gone_before_anybody_looked_may_have_been_a_link() {
        let mut names = Names::default();
        names.appeared(b"a", NO);
        assert!(!names.written(b"a", NO));
        assert!(!names.take_lost());
        names.removed(b"a", NO);
        assert!(names.take_lost());
    }

    #[test]
    fn what_was_written_and_then_renamed_is_found_under_its_new_name() {
        let mut names = Names::default();
        names.appeared(b"new", NO);
        names.written(b"new", NO);
        names.renamed(b"new", b"a", SINGLE);
        assert!(!names.take_lost(), "the usual way to save a file costs nothing");
        assert!(names.looked_at(b"a", true));
        assert!(names.written(b"a", SINGLE) && !names.take_lost());
    }

    #[test]
    fn a_write_through_a_handle_whose_name_is_gone_is_lost() {
        let mut names = Names::default();
        names.removed(b"a", Catalogued::Linked);
        assert!(!names.looked_at(b"a", false));
        names.written(b"a", NO);
        assert!(names.take_lost());
        names.appeared(b"a", NO);
        names.looked_at(b"a", true);
        names.written(b"a", SINGLE);
        assert!(names.take_lost(), "it may still be the handle, although the name is somebody's again");
    }

    #[test]
    fn a_file_with_one_name_is_gone_with_it() {
        let mut names = Names::default();
        names.removed(b"a", SINGLE);
        names.appeared(b"a", NO);
        names.looked_at(b"a", true);
        assert!(names.written(b"a", SINGLE) && !names.take_lost());
    }

    #[test]
    fn an_object_that_was_written_and_replaced_is_lost() {
        let mut names = Names::default();
        names.appeared(b"a", NO);
        names.written(b"a", NO);
        names.renamed(b"b", b"a", NO);
        assert!(names.take_lost());
    }

    #[test]
    fn more_names_than_are_remembered_are_a_loss() {
        let mut names = Names::default();
        for number in 0..=MOST_NAMES {
            names.appeared(format!("f{number}").as_bytes(), NO);
        }
        assert!(names.take_lost());
    }
}
