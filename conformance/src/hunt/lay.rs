//! Packs on the disk.
//!
//! Responsible for: a place that holds one pack at a time ([`Ground`]).
//! Left to neighbours: the directory that it is, and what becomes of it (`scratch`).
//! Invariants: the directory is gone when the ground is dropped.

use std::path::PathBuf;

use super::question::Pack;
use super::scratch::Scratch;
use super::searcher::Laid;
use crate::case::Case;
use crate::materialise::{self, Tree, TreeError};

/// A place for packs, one at a time.
#[derive(Debug)]
pub struct Ground {
    scratch: Scratch,
    number: u64,
}

/// A pack that lies on the ground until it is dropped.
#[derive(Debug)]
pub struct Lies<'a> {
    pack: &'a Pack,
    root: PathBuf,
    place: PathBuf,
}

/// Why a pack does not lie.
#[derive(Debug, thiserror::Error)]
pub enum GroundError {
    /// There is no scratch directory.
    #[error("no scratch directory: {0}")]
    Scratch(#[from] std::io::Error),
    /// An entry could not be made.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl Ground {
    /// In memory where the system offers that, else among temporary files.
    ///
    /// # Errors
    /// If there can be no scratch directory.
    pub fn new() -> Result<Self, GroundError> {
        Ok(Self { scratch: Scratch::new()?, number: 0 })
    }

    /// Lays a pack.
    ///
    /// # Errors
    /// The entry that could not be made.
    pub fn lay<'a>(&mut self, pack: &'a Pack) -> Result<Lies<'a>, GroundError> {
        self.number += 1;
        let place = self.scratch.path().join(self.number.to_string());
        let case =
            Case { tree: pack.tree.clone(), ..Case::new("pack", "pack", serde_json::Value::Null) };
        let laid = Tree::build(&case, &place, None);
        let lies = Lies {
            pack,
            root: laid.as_ref().map(|tree| tree.root.clone()).unwrap_or_default(),
            place,
        };
        laid?;
        Ok(lies)
    }
}

impl Lies<'_> {
    /// As programs are told of it.
    pub fn laid(&self) -> Laid<'_> {
        Laid { pack: self.pack, root: &self.root }
    }
}

impl Drop for Lies<'_> {
    fn drop(&mut self) {
        // What cannot be removed goes with the ground.
        let _ = materialise::remove(&self.place);
    }
}
