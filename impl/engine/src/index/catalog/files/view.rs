//! A snapshot of the files for calls.
//!
//! Not here: editing them ([`super::Files`]). Invariants: a view never changes; it has every live
//! file once, in `path_sort_key` order.

use std::sync::Arc;

use forge_search_core::{
    index::segment::{Catalog, Fingerprint, RankSet, Row},
    order,
    text::TextKind,
};

use super::{Known, PendingFile, UnindexedFile};
use crate::index::{depth::directory_key, segment::Segment};
use crate::walk::WalkError;

/// A file that is not in the base.
#[derive(Clone, Debug)]
pub(crate) struct Extra {
    /// The rank in the base that it precedes.
    pub(crate) before: u32,
    pub(crate) kind: ExtraKind,
}

/// The state of an extra.
#[derive(Clone, Debug)]
pub(crate) enum ExtraKind {
    /// In a delta, by the delta's place in the list and its rank there.
    Delta(usize, u32),
    /// Its n-grams are unknown: always a candidate.
    Pending(Arc<PendingFile>),
    /// An unreadable path.
    WalkError(Arc<WalkError>),
}

/// The snapshot.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) base: Arc<Segment>,
    /// Dead files of the base.
    pub(crate) dead: Arc<RankSet>,
    pub(crate) deltas: Arc<[Arc<Segment>]>,
    pub(crate) extras: Arc<[Extra]>,
}

impl View {
    /// The path of an extra.
    pub(crate) fn path<'v>(&'v self, extra: &'v Extra) -> &'v [u8] {
        match &extra.kind {
            ExtraKind::Delta(delta, rank) => {
                self.deltas.get(*delta).map_or(b"", |delta| delta.catalog.path(*rank))
            }
            ExtraKind::Pending(file) => file.path(),
            ExtraKind::WalkError(walk_error) => &walk_error.at,
        }
    }

    /// The sort key of an extra. A walk error sorts as its directory; the search root's own error
    /// comes first.
    pub(crate) fn key(&self, extra: &Extra) -> Vec<u8> {
        let path = self.path(extra);
        match extra.kind {
            ExtraKind::WalkError(_) if !path.is_empty() => directory_key(path),
            _ => order::sort_key(path).into_owned(),
        }
    }

    /// The fingerprint of an extra.
    pub(crate) fn fingerprint(&self, extra: &Extra) -> Fingerprint {
        match &extra.kind {
            ExtraKind::Delta(delta, rank) => self
                .deltas
                .get(*delta)
                .map(|delta| delta.catalog.fingerprint(*rank))
                .unwrap_or_default(),
            ExtraKind::Pending(file) => file.fingerprint,
            ExtraKind::WalkError(_) => Fingerprint::default(),
        }
    }
}

/// A live file or an unreadable path, by its position in a view.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry<'v> {
    /// In the base, by rank.
    Base(u32),
    Extra(&'v Extra),
}

impl View {
    /// Every live file and every walk error, in order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let mut extras = self.extras.iter().peekable();
        let mut ranks =
            (0..self.base.catalog.len()).filter(|rank| !self.dead.contains(*rank)).peekable();
        std::iter::from_fn(move || {
            let next = ranks.peek().copied().unwrap_or(u32::MAX);
            let extra = extras.next_if(|extra| extra.before <= next).map(Entry::Extra);
            extra.or_else(|| ranks.next().map(Entry::Base))
        })
    }

    /// Path and state of a file; `None` for a walk error.
    pub(crate) fn file<'v>(&'v self, entry: Entry<'v>) -> Option<(&'v [u8], Known)> {
        let (segment, rank, pending) = match entry {
            Entry::Base(rank) => (&self.base, rank, self.base.is_unread()),
            Entry::Extra(extra) => match &extra.kind {
                ExtraKind::Delta(delta, rank) => (self.deltas.get(*delta)?, *rank, false),
                ExtraKind::Pending(file) => {
                    let fingerprint = file.fingerprint;
                    return Some((file.path(), Known { fingerprint, racy: false, pending: true }));
                }
                ExtraKind::WalkError(_) => return None,
            },
        };
        let (fingerprint, racy) =
            (segment.catalog.fingerprint(rank), segment.catalog.is_racy(rank));
        Some((segment.catalog.path(rank), Known { fingerprint, racy, pending }))
    }

    /// Every file in order.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&[u8], Known)> {
        self.entries().filter_map(|entry| self.file(entry))
    }

    /// The pending files, in order.
    pub(crate) fn pending(&self) -> impl Iterator<Item = UnindexedFile> {
        self.entries().filter_map(|entry| match entry {
            Entry::Base(rank) => {
                self.base.is_unread().then(|| UnindexedFile::Unread(Arc::clone(&self.base), rank))
            }
            Entry::Extra(Extra { kind: ExtraKind::Pending(file), .. }) => {
                Some(UnindexedFile::Extra(Arc::clone(file)))
            }
            Entry::Extra(_) => None,
        })
    }

    /// The pending files as a segment of names to be stored; `None` if there are none.
    pub(crate) fn unread(&self) -> Option<Segment> {
        let mut catalog = Catalog::default();
        for file in self.pending() {
            catalog.push(&Row {
                path: file.path().to_vec(),
                fingerprint: file.fingerprint(),
                status: None,
                kind: TextKind::Unknown,
                complete: false,
                racy: true,
            });
        }
        (!catalog.is_empty()).then(|| Segment::unread(catalog))
    }

    /// Whether this view has the same file under the same path with the same n-grams, known or not,
    /// as `other` has at `entry`.
    pub(super) fn has(&self, other: &Self, entry: Entry<'_>) -> bool {
        match entry {
            Entry::Base(_) => Arc::ptr_eq(&self.base, &other.base),
            Entry::Extra(extra) => match &extra.kind {
                ExtraKind::Delta(delta, _) => {
                    let both = self.deltas.get(*delta).zip(other.deltas.get(*delta));
                    both.is_some_and(|(own, theirs)| Arc::ptr_eq(own, theirs))
                }
                ExtraKind::Pending(file) => {
                    let key = other.key(extra);
                    let from = self.extras.partition_point(|extra| self.key(extra) < key);
                    let alike =
                        self.extras.iter().skip(from).take_while(|extra| self.key(extra) == key);
                    alike
                        .into_iter()
                        .any(|extra| matches!(&extra.kind, ExtraKind::Pending(own) if Arc::ptr_eq(own, file)))
                }
                ExtraKind::WalkError(_) => false,
            },
        }
    }
}

/// The first number below `count` for which `before` does not hold.
pub(crate) fn partition(count: u32, before: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}
