//! The storage of an index: none, memory or a database.

use std::sync::Arc;

use super::{
    cache::Unusable,
    store::{Store, StoredSegment},
};

/// Where an index is.
#[derive(Clone, Debug, Default)]
pub(crate) enum Location {
    /// None, or not opened yet.
    #[default]
    Nowhere,
    Memory,
    /// A database; `None` while another process creates it, or after removal.
    Database(Option<Arc<Store>>),
}

/// The storage of an index.
#[derive(Debug, Default)]
pub(crate) struct Storage {
    location: Location,
    /// Use memory, by configuration or because the disk is unusable.
    in_memory: bool,
    fallback: Option<Unusable>,
    /// The segments that were read at opening.
    opened: Vec<StoredSegment>,
}

impl Storage {
    pub(crate) fn new(in_memory: bool) -> Self {
        Self { in_memory, ..Self::default() }
    }

    /// `memory`, `sqlite` or `none`.
    pub(crate) fn mode(&self) -> &'static str {
        match self.location {
            Location::Nowhere => "none",
            Location::Memory => "memory",
            Location::Database(_) => "sqlite",
        }
    }

    /// Why it differs from the configured storage.
    pub(crate) fn fallback(&self) -> Option<&'static str> {
        self.fallback.map(Unusable::name)
    }

    pub(crate) fn is_in_memory(&self) -> bool {
        self.in_memory
    }

    pub(crate) fn store(&self) -> Option<&Arc<Store>> {
        match &self.location {
            Location::Database(store) => store.as_ref(),
            Location::Nowhere | Location::Memory => None,
        }
    }

    /// The store, if this process writes it.
    pub(crate) fn writer(&self) -> Option<Arc<Store>> {
        self.store().filter(|store| store.is_writer()).cloned()
    }

    /// Whether this process can build an index here.
    pub(crate) fn is_writable(&self) -> bool {
        matches!(self.location, Location::Memory) || self.writer().is_some()
    }

    /// Whether the store still has the segments that were read.
    pub(crate) fn is_as_opened(&self) -> bool {
        self.store().is_some_and(|store| store.segments().is_ok_and(|now| now == self.opened))
    }

    /// Records a use, for eviction.
    pub(crate) fn touch(&self) {
        if let Some(store) = self.store() {
            store.touch();
        }
    }

    pub(crate) fn set(&mut self, location: Location) {
        self.location = location;
    }

    /// Sets the store and the segments that were read.
    pub(crate) fn opened(&mut self, store: Arc<Store>, segments: Vec<StoredSegment>) {
        self.location = Location::Database(Some(store));
        self.opened = segments;
    }

    /// Releases the store.
    pub(crate) fn take_store(&mut self) -> Option<Arc<Store>> {
        match &mut self.location {
            Location::Database(store) => store.take(),
            Location::Nowhere | Location::Memory => None,
        }
    }

    /// Switches to memory.
    pub(crate) fn use_memory(&mut self) {
        (self.location, self.in_memory) = (Location::Memory, true);
    }

    pub(crate) fn fall_back(&mut self, why: Unusable) {
        self.fallback = Some(why);
    }
}
