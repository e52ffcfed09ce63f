//! Pending directory entries, and their order.

use std::{
    cmp::Ordering,
    collections::VecDeque,
    path::{Path, PathBuf},
    sync::Arc,
};

use forge_search_core::{cancellation::Cancellation, index::segment::Fingerprint};

use crate::{root::Root, rules::DirRules};

/// Minimum cost of an entry, in steps of a cancellation.
pub(super) const ENTRY_STEPS: usize = 64;

/// Entries that are sorted in a few milliseconds.
const SORTED_AT_ONCE: usize = 1 << 14;

/// Approximate memory per byte of an ignore file's text.
const RULES_FACTOR: u64 = 4;

/// Entries of directories that share a key, in order.
pub(super) struct Frame {
    pub(super) nodes: VecDeque<Node>,
    /// Bytes of the entries and of the rules of their directories.
    pub(super) bytes: u64,
}

impl Frame {
    /// The entries of directories with `rules` bytes of ignore files.
    pub(super) fn new(nodes: Vec<Node>, rules: u64) -> Self {
        let names: u64 = nodes.iter().map(Node::bytes).sum();
        Self { nodes: nodes.into(), bytes: names + rules * RULES_FACTOR }
    }
}

/// An entry of the directories being walked.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) walked: Box<[u8]>,
    /// Offset of the name in `walked`.
    pub(super) name: usize,
    /// The sort key of the name, if it differs from the name.
    pub(super) key: Option<Box<[u8]>>,
    pub(super) what: NodeKind,
}

impl Node {
    /// Approximate memory.
    pub(super) fn bytes(&self) -> u64 {
        let boxed = match &self.what {
            NodeKind::Dir(_) => size_of::<PendingDir>(),
            NodeKind::File(Some(_)) => size_of::<FileDetail>(),
            NodeKind::File(None) | NodeKind::Problem(_) => 0,
        };
        (size_of::<Self>() + boxed + self.walked.len()) as u64
    }

    pub(super) fn key(&self) -> &[u8] {
        self.key.as_deref().unwrap_or_else(|| self.walked.get(self.name..).unwrap_or_default())
    }

    /// The byte after the key in every path of this node.
    fn after_key(&self) -> &'static [u8] {
        if matches!(self.what, NodeKind::Dir(_)) { b"/" } else { b"" }
    }
}

#[derive(Debug)]
pub(super) enum NodeKind {
    File(Option<Box<FileDetail>>),
    Dir(Box<PendingDir>),
    Problem(&'static str),
}

/// What is known of a file beside its path.
#[derive(Debug)]
pub(super) struct FileDetail {
    /// Where it is, if that is behind a link.
    pub(super) opened_at: Option<(Arc<Root>, Vec<u8>)>,
    pub(super) fingerprint: Option<Fingerprint>,
}

/// A directory to be read in its turn.
#[derive(Debug)]
pub(super) struct PendingDir {
    pub(super) root: Arc<Root>,
    pub(super) real: Vec<u8>,
    pub(super) rules: Arc<DirRules>,
    /// Reached through a link: `walked` is not the real path.
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

/// Sorts the entries of a directory, in portions if they are many.
pub(super) fn sort(nodes: &mut [Node], by_name: bool, cancellation: &Cancellation<'_>) {
    let order = if by_name { |a: &Node, b: &Node| a.walked.cmp(&b.walked) } else { order };
    let mut sorted = SORTED_AT_ONCE;
    for portion in nodes.chunks_mut(sorted) {
        portion.sort_unstable_by(order);
        if !cancellation.go_on(portion.len() * ENTRY_STEPS) {
            return;
        }
    }
    while sorted < nodes.len() {
        sorted *= 2;
        for portion in nodes.chunks_mut(sorted) {
            // Both halves are sorted, which the stable sort detects.
            portion.sort_by(order);
            if !cancellation.go_on(portion.len() * ENTRY_STEPS) {
                return;
            }
        }
    }
}

/// The order of the whole paths.
fn order(a: &Node, b: &Node) -> Ordering {
    let (left, right) = (a.key(), b.key());
    let common = left.len().min(right.len());
    let (left, right) = (left.split_at(common), right.split_at(common));
    // After the common part one of the two is at its end, where a directory's slash stands.
    left.0
        .cmp(right.0)
        .then_with(|| left.1.iter().chain(a.after_key()).cmp(right.1.iter().chain(b.after_key())))
        .then_with(|| a.walked.cmp(&b.walked))
}
