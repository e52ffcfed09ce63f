//! Where an index is kept.

use std::sync::Arc;

use super::{
    cache::Unusable,
    store::{Store, StoredSegment},
};

/// Where an index is.
#[derive(Clone, Debug, Default)]
pub(crate) enum Location {
    /// Nowhere, or it is not known yet.
    #[default]
    Nowhere,
    Memory,
    /// In a database; without one while another process makes it, or it was just removed.
    Database(Option<Arc<Store>>),
}

/// The storage of an index.
#[derive(Debug, Default)]
pub(crate) struct Storage {
    location: Location,
    /// It is to be kept in memory, by configuration or because the disk cannot be used.
    in_memory: bool,
    fallback: Option<Unusable>,
    /// The segments of the store that were read when it was opened.
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

    /// Why it is not where the configuration asks for it.
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

    /// Whether this process can build an index there.
    pub(crate) fn is_writable(&self) -> bool {
        matches!(self.location, Location::Memory) || self.writer().is_some()
    }

    /// Whether the segments of the store are those that were read.
    pub(crate) fn is_as_opened(&self) -> bool {
        self.store().is_some_and(|store| store.segments().is_ok_and(|now| now == self.opened))
    }

    /// The index was used.
    pub(crate) fn touch(&self) {
        if let Some(store) = self.store() {
            store.touch();
        }
    }

    pub(crate) fn set(&mut self, location: Location) {
        self.location = location;
    }

    /// It is in this store, of which these segments were read.
    pub(crate) fn opened(&mut self, store: Arc<Store>, segments: Vec<StoredSegment>) {
        self.location = Location::Database(Some(store));
        self.opened = segments;
    }

    /// The store is let go of.
    pub(crate) fn take_store(&mut self) -> Option<Arc<Store>> {
        match &mut self.location {
            Location::Database(store) => store.take(),
            Location::Nowhere | Location::Memory => None,
        }
    }

    /// It is kept in memory from here on.
    pub(crate) fn use_memory(&mut self) {
        (self.location, self.in_memory) = (Location::Memory, true);
    }

    pub(crate) fn fall_back(&mut self, why: Unusable) {
        self.fallback = Some(why);
    }
}
