//! One search, ready to run: what the pipeline and its workers share and do not change.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use forge_search_core::{Request, pattern::Pattern, response::IndexStats};

use crate::{backend::Backend, root::Root, sandbox::Sandbox};

/// One search, ready to run.
pub(crate) struct Job<'s> {
    pub(crate) sandbox: &'s Sandbox,
    pub(crate) request: &'s Request,
    pub(crate) pattern: &'s Pattern,
    pub(crate) backend: &'s Backend,
    pub(crate) base: Arc<Root>,
    /// The search root is this file in `base`.
    pub(crate) file: Option<Vec<u8>>,
    /// The search root as answers show it.
    pub(crate) shown: String,
    pub(crate) threads: usize,
    pub(crate) emit_stats: bool,
    pub(crate) deadline: Instant,
    /// How the call found the index.
    pub(crate) index_stats: IndexStats,
    /// Set when the caller wants no answer any more; counts as a deadline.
    pub(crate) cancelled: &'s AtomicBool,
}

impl Job<'_> {
    /// Whether the answer has to be given with what is known.
    pub(crate) fn expired(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || Instant::now() >= self.deadline
    }
}
