//! One program, one release, ready to be asked.

use std::path::Path;
use std::time::Duration;

use super::answer::Answer;
use super::question::{Ask, Pack};
use super::verdict::NoAnswer;
use touchstone_spec::adapter::Adapter;

/// A pack that lies on the disk.
#[derive(Debug, Clone, Copy)]
pub struct PlacedPack<'a> {
    /// What it is.
    pub pack: &'a Pack,
    /// Its root directory.
    pub root: &'a Path,
}

/// One program in one release.
pub trait Searcher: Send {
    /// `NAME@VERSION`, or the name alone where there is no release.
    fn name(&self) -> &str;

    /// How it is asked and read.
    fn adapter(&self) -> &Adapter;

    /// Asks once about a whole pack.
    ///
    /// # Errors
    /// Why there is no answer to judge.
    fn ask(&mut self, placed: PlacedPack<'_>, ask: &Ask) -> Result<Answer, NoAnswer>;

    /// How long an answer is waited for from now on, where that can be said.
    fn wait_at_most(&mut self, _deadline: Duration) {}

    /// The command line that asks, to be pasted into a shell in the pack's root; nothing where
    /// there is none.
    fn shell(&self, placed: PlacedPack<'_>, ask: &Ask) -> Option<String>;
}
