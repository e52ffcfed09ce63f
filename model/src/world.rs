//! A file tree in memory: its entries, directories, and path resolution through symlinks.
//!
//! It does not change. A directory with an entry below it exists without being listed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::place::{self, Name, Place};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    /// By path relative to the sandbox root, `/` between the names, without `./`. An entry outside
    /// the sandbox starts with a `../` for each name of `root`, and goes on from the top of the
    /// world. The root itself may be listed as the empty path.
    pub entries: BTreeMap<Vec<u8>, Node>,
    /// The names from the top of the world down to the sandbox root.
    pub root: Vec<Vec<u8>>,
}

impl Default for World {
    fn default() -> World {
        World { entries: BTreeMap::new(), root: vec![place::ROOT_NAME.to_vec()] }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    File {
        bytes: Vec<u8>,
        /// Whether it can be opened.
        readable: bool,
    },
    Dir {
        /// Whether it can be listed and entered.
        readable: bool,
    },
    Symlink {
        /// As on disk, or with the prefix `{root}` for the sandbox root's absolute path. Any other
        /// absolute target is outside the sandbox and does not exist.
        target: Vec<u8>,
    },
    /// A named pipe, or any other special file.
    Fifo,
}

/// A directory that is not listed.
const IMPLIED: Node = Node::Dir { readable: true };

/// Why a place has no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    Missing,
    /// It lies below a directory that cannot be entered.
    Unseen,
}

/// The target of a path.
#[derive(Debug)]
pub(crate) struct Resolved<'w> {
    /// Free of symlinks as far as it exists.
    pub(crate) place: Place,
    /// The entry; never a symlink.
    pub(crate) node: Result<&'w Node, Absent>,
}

/// The path has more symlinks than are followed.
#[derive(Debug)]
pub(crate) struct TooManyLinks;

impl World {
    /// An empty sandbox.
    pub fn new() -> World {
        World::default()
    }

    /// Adds a readable file.
    #[must_use]
    pub fn file(self, path: impl AsRef<[u8]>, bytes: impl AsRef<[u8]>) -> World {
        self.with(path, Node::File { bytes: bytes.as_ref().to_vec(), readable: true })
    }

    /// Adds a file that cannot be opened.
    #[must_use]
    pub fn unreadable_file(self, path: impl AsRef<[u8]>, bytes: impl AsRef<[u8]>) -> World {
        self.with(path, Node::File { bytes: bytes.as_ref().to_vec(), readable: false })
    }

    /// Adds a directory.
    #[must_use]
    pub fn dir(self, path: impl AsRef<[u8]>) -> World {
        self.with(path, Node::Dir { readable: true })
    }

    /// Adds a directory that can be neither listed nor entered.
    #[must_use]
    pub fn unreadable_dir(self, path: impl AsRef<[u8]>) -> World {
        self.with(path, Node::Dir { readable: false })
    }

    /// Adds a symlink.
    #[must_use]
    pub fn link(self, path: impl AsRef<[u8]>, target: impl AsRef<[u8]>) -> World {
        self.with(path, Node::Symlink { target: target.as_ref().to_vec() })
    }

    /// Adds a named pipe.
    #[must_use]
    pub fn fifo(self, path: impl AsRef<[u8]>) -> World {
        self.with(path, Node::Fifo)
    }

    fn with(mut self, path: impl AsRef<[u8]>, node: Node) -> World {
        self.entries.insert(path.as_ref().to_vec(), node);
        self
    }

    /// The entry at `place`; a symlink is not followed.
    pub(crate) fn look(&self, place: &Place) -> Result<&Node, Absent> {
        if self.is_behind_a_closed_directory(place) {
            return Err(Absent::Unseen);
        }
        self.entry(place).ok_or(Absent::Missing)
    }

    /// The names in the directory at `place`.
    pub(crate) fn children(&self, place: &Place) -> BTreeSet<Name> {
        let Some(key) = self.key(place) else { return BTreeSet::new() };
        let below = if key.is_empty() || key.ends_with(b"/") {
            key
        } else {
            [key.as_slice(), b"/"].concat()
        };
        self.entries
            .range(below.clone()..)
            .map_while(|(path, _)| path.strip_prefix(below.as_slice()))
            .filter_map(|rest| rest.split(|byte| *byte == b'/').next())
            .filter(|name| !name.is_empty() && *name != b"..")
            .map(<[u8]>::to_vec)
            .collect()
    }

    /// Resolves `names` from the directory `start`, through at most `limit` symlinks, up to the end
    /// or the first name that does not exist; the rest is appended (ALG-LS-A1.3, ALG-LS-A1.4).
    pub(crate) fn resolve(
        &self,
        start: Place,
        names: Vec<Name>,
        limit: u64,
    ) -> Result<Resolved<'_>, TooManyLinks> {
        let mut here = start;
        let mut ahead = VecDeque::from(names);
        let mut links = 0;
        while let Some(name) = ahead.pop_front() {
            if name == b".." {
                here = here.parent();
                continue;
            }
            let next = here.child(&name);
            match self.look(&next) {
                Ok(Node::Dir { .. }) => here = next,
                Ok(Node::Symlink { target }) => {
                    links += 1;
                    if links > limit {
                        return Err(TooManyLinks);
                    }
                    let (from, through) = place::start(target, &here);
                    here = from;
                    ahead = through.into_iter().chain(ahead).collect();
                }
                Ok(node) if ahead.is_empty() => {
                    return Ok(Resolved { place: next, node: Ok(node) });
                }
                Ok(Node::File { .. } | Node::Fifo) => {
                    return Ok(stopped(next, ahead, Absent::Missing));
                }
                Err(absent) => return Ok(stopped(next, ahead, absent)),
            }
        }
        let node = self.look(&here);
        Ok(Resolved { place: here, node })
    }

    /// The key of a place, if it can have one.
    pub(crate) fn key(&self, place: &Place) -> Option<Vec<u8>> {
        let names = place.names_at_top(&self.root)?;
        Some(match names.strip_prefix(self.root.as_slice()) {
            Some(inside) => place::join(inside),
            None => [b"../".repeat(self.root.len()), place::join(&names)].concat(),
        })
    }

    fn entry(&self, place: &Place) -> Option<&Node> {
        let key = self.key(place)?;
        if let Some(node) = self.entries.get(&key) {
            return Some(node);
        }
        let is_root = *place == Place::root();
        (is_root || !self.children(place).is_empty()).then_some(&IMPLIED)
    }

    fn is_behind_a_closed_directory(&self, place: &Place) -> bool {
        let Some(names) = place.names_inside() else { return false };
        let above = (0..names.len()).filter_map(|depth| names.get(..depth));
        above
            .filter_map(|names| self.entries.get(&place::join(names)))
            .any(|directory| matches!(directory, Node::Dir { readable: false }))
    }
}

/// The end of a path whose name at `place` does not exist, with the names `ahead` left.
fn stopped<'w>(place: Place, ahead: VecDeque<Name>, absent: Absent) -> Resolved<'w> {
    Resolved { place: place.walk_blindly(&Vec::from(ahead)), node: Err(absent) }
}

#[cfg(test)]
mod tests;
