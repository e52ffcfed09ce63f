//! What a walk tells besides files.

use std::{path::PathBuf, sync::Arc};

use forge_search_core::patience::Patience;

use crate::{
    root::{Entry, Root},
    rules::DirRules,
};

/// A place that could not be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WalkError {
    /// Absolute.
    pub(crate) path: PathBuf,
    /// What is wrong, from the closed list of messages.
    pub(crate) why: &'static str,
    /// Where it stands among the files: at a directory, as walked.
    pub(crate) at: Vec<u8>,
}

/// Told of every directory on the way.
pub(crate) trait Observer {
    /// A directory is about to be listed; it is watched from here on.
    fn enter(&mut self, root: &Root, real: &[u8], walked: &[u8]);
    /// It has been listed; these rules hold in it.
    fn listed(
        &mut self,
        walked: &[u8],
        rules: &Arc<DirRules>,
        entries: &[Entry],
        patience: &Patience<'_>,
    );
    /// Nothing more is wanted: the walk ends before the next directory.
    fn is_over(&self) -> bool {
        false
    }
    /// It could not be listed.
    fn failed(&mut self, walked: &[u8], err: &std::io::Error);
}
