//! The index of a build without the feature `index`: always absent.

use std::{marker::PhantomData, path::Path, sync::Arc};

use forge_search_core::{index::words::Found, response::IndexStats};

#[path = "index/fault.rs"]
mod fault;
#[path = "index/options.rs"]
mod options;
#[path = "index/query.rs"]
mod query;

pub use crate::index_status::IndexStatus;
pub use fault::{Faults, NoFaults, Point};
pub use options::{Clock, IndexCheck, IndexOptions, IndexUse, SystemClock};
pub(crate) use query::{IndexAnswer, IndexQuery, QueryNeed, WordQuery};

use crate::{
    config::{Config, ConfigError},
    deadline::Deadline,
    feature::Feature,
    rulebook::Rulebook,
    sandbox::Sandbox,
};

pub(crate) struct SearchGuard<'s>(PhantomData<&'s ()>);

/// What an index knows of files that are not read.
#[derive(Debug)]
pub(crate) enum KnownFiles {}

impl KnownFiles {
    pub(crate) fn len(&self) -> usize {
        match *self {}
    }

    pub(crate) fn get(&self, _place: usize) -> Option<(&[u8], u64, &[Found])> {
        match *self {}
    }
}

#[derive(Debug)]
pub(crate) struct Indexes;

impl Indexes {
    pub(crate) fn new(
        _config: &Config,
        _sandbox: &Sandbox,
        _rulebook: &Arc<Rulebook>,
        options: &IndexOptions,
    ) -> Result<Self, ConfigError> {
        if options.using != IndexUse::None {
            Feature::Index.require("an index", "use `IndexUse::None`")?;
        }
        Ok(Self)
    }

    #[expect(clippy::unused_self, reason = "that of a build with indexes asks them")]
    pub(crate) fn are_built(&self) -> bool {
        false
    }

    #[expect(clippy::unused_self, reason = "that of a build with indexes asks them")]
    pub(crate) fn files<'s>(
        &'s self,
        _path: &Path,
        _is_file: bool,
        _query: &IndexQuery<'s>,
        _use_index: bool,
        _until: Deadline<'s>,
    ) -> IndexAnswer<'s> {
        let held = SearchGuard(PhantomData);
        IndexAnswer { files: None, known: None, stats: IndexStats::none(), held }
    }

    #[expect(clippy::unused_self, reason = "that of a build with indexes asks them")]
    pub(crate) fn distrust(&self, _path: &Path) {}
}
