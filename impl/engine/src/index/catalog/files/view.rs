//! What a call reads: the files as they stood at one moment.
//!
//! Left to neighbours: editing them ([`super::Files`]).
//! Invariants: a view never changes; it has every live file once, in `path_sort_key` order.

use std::sync::Arc;

use forge_search_core::{
    index::segment::{Fingerprint, RankSet},
    order,
};

use super::PendingFile;
use crate::index::{depth::directory_key, segment::Segment};
use crate::walk::Trouble;

/// A file that is not in the base.
#[derive(Clone, Debug)]
pub(crate) struct Extra {
    /// The rank in the base that it stands before.
    pub(crate) before: u32,
    pub(crate) kind: ExtraKind,
}

/// What is known of it.
#[derive(Clone, Debug)]
pub(crate) enum ExtraKind {
    /// In a delta, by the delta's place in the list and its rank there.
    Delta(usize, u32),
    /// Its n-grams are not known: it is a candidate, always.
    Pending(Arc<PendingFile>),
    /// It is no file, but a place that cannot be looked at.
    Trouble(Arc<Trouble>),
}

/// What a call reads.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) base: Arc<Segment>,
    /// Files of the base that changed or went.
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
            ExtraKind::Trouble(trouble) => &trouble.at,
        }
    }

    /// What an extra is sorted by. The place of a trouble is that of its directory, which is the search root's own for one
    /// that cannot be listed.
    pub(crate) fn key(&self, extra: &Extra) -> Vec<u8> {
        let path = self.path(extra);
        match extra.kind {
            ExtraKind::Trouble(_) if !path.is_empty() => directory_key(path),
            _ => order::sort_key(path).into_owned(),
        }
    }

    /// The fingerprint of an extra.
    pub(crate) fn fingerprint(&self, extra: &Extra) -> Fingerprint {
        match &extra.kind {
            ExtraKind::Delta(delta, rank) => {
                self.deltas.get(*delta).map(|delta| delta.catalog.fingerprint(*rank)).unwrap_or_default()
            }
            ExtraKind::Pending(file) => file.fingerprint,
            ExtraKind::Trouble(_) => Fingerprint::default(),
        }
    }
}

impl View {
    /// Every file in order: path, fingerprint, whether that proves nothing, whether its n-grams are not known.
    pub(crate) fn each_file(&self, mut each: impl FnMut(&[u8], Fingerprint, bool, bool)) {
        let catalog = &self.base.catalog;
        let mut extras = self.extras.iter().peekable();
        for rank in 0..=catalog.len() {
            while let Some(extra) = extras.next_if(|extra| extra.before <= rank) {
                match &extra.kind {
                    ExtraKind::Delta(delta, rank) => {
                        let racy = self.deltas.get(*delta).is_none_or(|delta| delta.catalog.is_racy(*rank));
                        each(self.path(extra), self.fingerprint(extra), racy, false);
                    }
                    ExtraKind::Pending(file) => each(file.path(), file.fingerprint, false, true),
                    ExtraKind::Trouble(_) => {}
                }
            }
            if rank < catalog.len() && !self.dead.contains(rank) {
                each(catalog.path(rank), catalog.fingerprint(rank), catalog.is_racy(rank), false);
            }
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
