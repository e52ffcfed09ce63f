//! What a walk reports besides files.

use std::{path::PathBuf, sync::Arc};

use forge_search_core::cancellation::Cancellation;

use crate::{
    root::{Entry, Root},
    rules::DirRules,
};

/// A place that could not be searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WalkError {
    /// Absolute.
    pub(crate) path: PathBuf,
    /// From the closed list of messages.
    pub(crate) why: &'static str,
    /// Its place in the order of files: a directory's path, as walked.
    pub(crate) at: Vec<u8>,
}

/// Is called for every directory of a walk.
pub(crate) trait Observer {
    /// A directory is about to be listed; watch it from here on.
    fn enter(&mut self, root: &Root, real: &[u8], walked: &[u8]);
    /// A directory was listed; `rules` apply in it.
    fn listed(
        &mut self,
        walked: &[u8],
        rules: &Arc<DirRules>,
        entries: &[Entry],
        cancellation: &Cancellation<'_>,
    );
    /// Whether the walk ends before the next directory.
    fn is_over(&self) -> bool {
        false
    }
    /// A directory could not be listed.
    fn failed(&mut self, walked: &[u8], err: &std::io::Error);
}
