//! Draining what a call or the indexer must know before it relies on the catalog: events up to a
//! cookie, the mount table, and inputs that raise no event (docs/index-service.md, section 3; D8,
//! D17).
//!
//! Invariants: events are applied to the state in order, by one thread at a time; system calls are
//! made without the state's lock.

use std::sync::Arc;

use forge_search_core::index::machine::{State, Trigger};

use super::{
    catalog::IgnoreFile,
    control::Guard,
    fault::Sabotage,
    fingerprint::is_unchanged,
    inputs::{Moment, are_still},
    root_index::RootIndex,
    watch::Watcher,
};

/// Which events are drained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All that precede this call.
    UpToNow,
    /// Those that have arrived and settled.
    Settled,
    /// Those that have arrived.
    Arrived,
}

/// The state with the drained events, the triggers that follow, and whether a rename was among the
/// events.
pub(crate) struct Drained<'i> {
    pub(crate) control: Guard<'i>,
    pub(crate) triggers: Vec<Trigger>,
    pub(crate) renamed: bool,
}

impl RootIndex {
    /// Drains the watcher into the state. `None` if another thread drains for longer than
    /// `lock_wait`. A watcher that fails is dropped.
    pub(crate) fn drain_events(&self, extent: Extent) -> Option<Drained<'_>> {
        let turn = self.draining()?;
        let watcher = self.control().changes().watcher();
        let everything = extent == Extent::UpToNow;
        let silent = everything && self.is_sabotaged(Sabotage::Drain);
        let noticed = watcher
            .as_ref()
            .filter(|_| !silent)
            .map(|watcher| if everything { watcher.read_to_cookie() } else { watcher.read() });
        let mut coverage = Vec::new();
        let key_changed = everything && self.check_coverage(&mut coverage);
        let mut control = self.control();
        let mut triggers = Vec::new();
        // The state may have changed since the check; then its result does not count.
        if control.state() == State::Complete {
            triggers = coverage;
            if key_changed {
                control.catalog_mut().set_root(None);
            }
        }
        let is_same = |mine: &Arc<Watcher>| {
            control.changes().watcher().is_some_and(|now| Arc::ptr_eq(mine, &now))
        };
        match noticed.filter(|_| watcher.as_ref().is_some_and(is_same)) {
            Some(Ok(noticed)) => control.apply_watcher_events(noticed, &mut triggers),
            Some(Err(_)) => control.lose_watcher(&mut triggers),
            None => {}
        }
        let until = (extent == Extent::Settled).then(|| self.now_ms());
        let building = control.state() == State::Building;
        let renamed = control.changes_mut().settle(until, building, &mut triggers);
        drop(turn);
        Some(Drained { control, triggers, renamed })
    }

    /// Checks whether the coverage is still the one that was indexed: the root itself, what decides
    /// from outside which files are searched, and ignore files whose changes raise no event.
    /// Returns whether the root is a different directory.
    fn check_coverage(&self, triggers: &mut Vec<Trigger>) -> bool {
        let (root, inputs, repositories, files) = {
            let control = self.control();
            let catalog = control.catalog();
            let rules = catalog.rules();
            let unwatched =
                |file: &&IgnoreFile| file.looked_at || catalog.mounts().contains(&file.path);
            let files: Vec<IgnoreFile> = rules.files.iter().filter(unwatched).cloned().collect();
            (catalog.root(), rules.inputs.clone(), rules.repositories.clone(), files)
        };
        let opened = self.coverage.open().ok();
        let now = opened.as_ref().and_then(|opened| opened.stat(b"").ok());
        let now = now.map(|stat| (stat.fingerprint.device, stat.fingerprint.inode));
        let key_changed = root.is_some() && now != root;
        if key_changed {
            triggers.push(Trigger::KeyChanged);
        }
        let is_same = |file: &IgnoreFile| {
            let now = opened.as_ref().and_then(|opened| opened.stat(&file.path).ok());
            file.proved
                && now.is_some_and(|now| is_unchanged(self, file.fingerprint, now.fingerprint))
        };
        if !are_still(&inputs, &self.coverage.inputs(&repositories, Moment::Now))
            || !(self.is_sabotaged(Sabotage::IgnoreFiles) || files.iter().all(is_same))
        {
            triggers.push(Trigger::EligibilityChanged);
        }
        key_changed
    }
}
