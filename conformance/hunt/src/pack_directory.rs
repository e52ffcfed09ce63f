//! Packs on the disk.
//!
//! Responsible for: a place that holds one pack at a time ([`PackDirectory`]).
//! Not here: the directory that it is, and what becomes of it (`scratch`).
//! Invariants: the directory is removed when the value is dropped.

use std::path::PathBuf;

use touchstone_cases::case::Case;
use touchstone_cases::materialise::{self, Tree, TreeError};

use super::question::Pack;
use super::scratch::Scratch;
use super::searcher::PlacedPack;

/// A place for packs, one at a time.
#[derive(Debug)]
pub struct PackDirectory {
    scratch: Scratch,
    number: u64,
}

/// A pack on the disk, removed when it is dropped.
#[derive(Debug)]
pub struct PackFiles<'a> {
    pack: &'a Pack,
    root: PathBuf,
    place: PathBuf,
}

/// Why a pack cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// There is no scratch directory.
    #[error("no scratch directory: {0}")]
    Scratch(#[from] std::io::Error),
    /// An entry could not be made.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl PackDirectory {
    /// In memory where the system offers that, else among temporary files.
    ///
    /// # Errors
    /// If there can be no scratch directory.
    pub fn new() -> Result<Self, PackError> {
        Ok(Self { scratch: Scratch::new()?, number: 0 })
    }

    /// Writes a pack below a directory of its own.
    ///
    /// # Errors
    /// The entry that could not be made.
    pub fn write<'a>(&mut self, pack: &'a Pack) -> Result<PackFiles<'a>, PackError> {
        self.number += 1;
        let place = self.scratch.path().join(self.number.to_string());
        let case =
            Case { tree: pack.tree.clone(), ..Case::new("pack", "pack", serde_json::Value::Null) };
        let placed = Tree::build(&case, &place, None);
        let written = PackFiles {
            pack,
            root: placed.as_ref().map(|tree| tree.root.clone()).unwrap_or_default(),
            place,
        };
        placed?;
        Ok(written)
    }
}

impl PackFiles<'_> {
    /// The pack as searchers get it.
    pub fn placed(&self) -> PlacedPack<'_> {
        PlacedPack { pack: self.pack, root: &self.root }
    }
}

impl Drop for PackFiles<'_> {
    fn drop(&mut self) {
        // What cannot be removed is removed with the directory.
        let _ = materialise::remove(&self.place);
    }
}
