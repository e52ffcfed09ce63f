//! What a walk gives out.

use std::sync::Arc;

use forge_search_core::index::segment::Fingerprint;

use super::WalkError;
use crate::root::{Root, path_bytes};

/// An eligible file.
#[derive(Clone, Debug)]
pub(crate) struct FoundFile {
    /// Relative to the search root (to its parent if it is a file), as walked.
    pub(crate) walked: Vec<u8>,
    /// Where to open it, if a link was followed on the way: `walked` does not lead there without
    /// links.
    pub(crate) through_link: Option<(Arc<Root>, Vec<u8>)>,
    /// What it was like when its directory was listed, if that was asked for.
    pub(crate) fingerprint: Option<Fingerprint>,
    /// It is known to be binary, and not read.
    pub(crate) binary: bool,
}

/// The next thing in order.
#[derive(Clone, Debug)]
pub(crate) enum WalkItem {
    File(FoundFile),
    /// A place that could not be looked at.
    Problem(WalkError),
    /// So many eligible files that a filter excludes.
    Excluded(u64),
    /// A directory that is too deep to be entered.
    NotEntered,
    /// There was no time for the rest. Nothing follows.
    Interrupted,
}

impl WalkItem {
    /// About how many bytes it takes.
    pub(crate) fn held(&self) -> u64 {
        let texts = match self {
            Self::File(file) => {
                file.walked.len() + file.through_link.as_ref().map_or(0, |(_, path)| path.len())
            }
            Self::Problem(trouble) => trouble.path.as_os_str().len() + trouble.at.len(),
            Self::Excluded(_) | Self::NotEntered | Self::Interrupted => 0,
        };
        (size_of::<Self>() + texts) as u64
    }

    pub(super) fn problem_path(&self) -> Option<Vec<u8>> {
        match self {
            Self::Problem(trouble) => Some(path_bytes(&trouble.path)),
            Self::File(_) | Self::Excluded(_) | Self::NotEntered | Self::Interrupted => None,
        }
    }
}
