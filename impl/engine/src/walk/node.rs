//! The entries of directories on their way to be given out, and the order in which they are.

use std::{
    cmp::Ordering,
    collections::VecDeque,
    path::{Path, PathBuf},
    sync::Arc,
};

use forge_search_core::{index::segment::Fingerprint, patience::Patience};

use crate::{root::Root, rules::DirRules};

/// What an entry of a directory takes at least, in the steps of a patience.
pub(super) const ENTRY_STEPS: usize = 64;

/// Entries that are sorted in a few milliseconds.
const SORTED_AT_ONCE: usize = 1 << 14;

/// Memory that a byte of an ignore file's text takes, at about.
const RULES_FACTOR: u64 = 4;

/// Entries of directories that share a key, in order.
pub(super) struct Frame {
    pub(super) nodes: VecDeque<Node>,
    /// What they and the rules of their directories take.
    pub(super) bytes: u64,
}

impl Frame {
    /// These entries, of directories that have so many bytes of ignore files of their own.
    pub(super) fn new(nodes: Vec<Node>, rules: u64) -> Self {
        let names: usize = nodes.iter().map(|node| size_of::<Node>() + node.walked.len()).sum();
        Self { nodes: nodes.into(), bytes: names as u64 + rules * RULES_FACTOR }
    }
}

/// One entry of the directories being walked.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) walked: Vec<u8>,
    /// Where the name starts in `walked`.
    pub(super) name: usize,
    /// Sort key of the name, where it is not the name itself; nearly always it is.
    pub(super) key: Option<Vec<u8>>,
    pub(super) what: NodeKind,
}

impl Node {
    pub(super) fn key(&self) -> &[u8] {
        self.key.as_deref().unwrap_or_else(|| self.walked.get(self.name..).unwrap_or_default())
    }

    /// What follows the key in every path the node stands for.
    fn after_key(&self) -> &'static [u8] {
        if matches!(self.what, NodeKind::Dir(_)) { b"/" } else { b"" }
    }
}

#[derive(Debug)]
pub(super) enum NodeKind {
    File(Option<(Arc<Root>, Vec<u8>)>, Option<Fingerprint>),
    Dir(PendingDir),
    Problem(&'static str),
}

/// A directory to be read when its turn comes.
#[derive(Debug)]
pub(super) struct PendingDir {
    pub(super) root: Arc<Root>,
    pub(super) real: Vec<u8>,
    pub(super) rules: Arc<DirRules>,
    /// It was reached through a link: where it is walked is not where it is.
    pub(super) linked: bool,
    /// An include glob matched it or a directory above: everything below is included.
    pub(super) included: bool,
    /// Canonical paths of the directories open on the way here; kept only when links are followed.
    pub(super) way: Option<Arc<OpenDirs>>,
}

#[derive(Debug)]
pub(super) struct OpenDirs {
    pub(super) above: Option<Arc<OpenDirs>>,
    pub(super) canonical: PathBuf,
}

impl OpenDirs {
    pub(super) fn holds(&self, path: &Path) -> bool {
        std::iter::successors(Some(self), |way| way.above.as_deref())
            .any(|way| way.canonical == path)
    }
}

/// Sorts the entries of a directory, in portions where they are many.
pub(super) fn sort(nodes: &mut [Node], patience: &Patience<'_>) {
    let mut sorted = SORTED_AT_ONCE;
    for portion in nodes.chunks_mut(sorted) {
        portion.sort_unstable_by(order);
        if !patience.go_on(portion.len() * ENTRY_STEPS) {
            return;
        }
    }
    while sorted < nodes.len() {
        sorted *= 2;
        for portion in nodes.chunks_mut(sorted) {
            // Both halves are in order, which the stable sort sees.
            portion.sort_by(order);
            if !patience.go_on(portion.len() * ENTRY_STEPS) {
                return;
            }
        }
    }
}

/// The order of the whole paths that entries stand for.
fn order(a: &Node, b: &Node) -> Ordering {
    let (left, right) = (a.key(), b.key());
    let common = left.len().min(right.len());
    let (left, right) = (left.split_at(common), right.split_at(common));
    // Past the common part one of the two is at its end, where a directory's slash stands.
    left.0
        .cmp(right.0)
        .then_with(|| left.1.iter().chain(a.after_key()).cmp(right.1.iter().chain(b.after_key())))
        .then_with(|| a.walked.cmp(&b.walked))
}
