//! When a DISABLED index is enabled again, and what auto mode counts (FR-LSI-BG-05, FR-LSI-BG-06,
//! FR-LSI-BUD-04, E-C21, E-C35).

use std::sync::Arc;

use forge_search_core::cancellation::Cancellation;
use forge_search_core::index::{
    budget::{above_threshold, reevaluation_due},
    machine::{Reason, State, Trigger},
    settings::Mode,
};

use super::{cache, root_index::RootIndex, schedule::Retry};

impl RootIndex {
    /// Enables the index after its cooldown, or when the tree has grown.
    pub(super) fn enable_if_due(&self) -> bool {
        let mut control = self.control();
        match control.status().shown_reason() {
            Some(Reason::MemoryBudgetExceeded | Reason::DiskBudgetExceeded) => {
                if self.settings.index_disable_cooldown_ms == 0 {
                    return false;
                }
                let (cooling, ends) = control.schedule().cooling_down(self.now_ms());
                if cooling {
                    if ends {
                        control.tick(&[Trigger::CooldownActive]);
                    }
                    // One message is enough until the next call.
                    return false;
                }
                control.schedule_mut().set_failed(false);
                control.tick(&[Trigger::CooldownExpired]);
                true
            }
            Some(Reason::BelowThreshold) => {
                let on = control.mode() == Mode::On;
                if !on && !reevaluation_due(&self.settings, self.calls().since_counting()) {
                    return false;
                }
                drop(control);
                self.calls().reset_count();
                if !on && !self.is_large() {
                    return false;
                }
                let mut control = self.control();
                if control.state() == State::Disabled {
                    control.tick(&[Trigger::ThresholdExceeded]);
                }
                true
            }
            Some(Reason::PersistenceNotPermitted) => {
                /// Pause before the disk is tried again.
                const AGAIN_MS: u64 = 60_000;
                let now = self.now_ms();
                if !control.schedule().is_due(Retry::Store, now) {
                    return false;
                }
                control.schedule_mut().retry_at(Retry::Store, now + AGAIN_MS);
                drop(control);
                let usable = cache::prepare(
                    &self.settings,
                    &self.coverage.sandbox,
                    &self.roots,
                    &*self.options.faults,
                    true,
                );
                let mut control = self.control();
                if usable.is_ok() && control.state() == State::Disabled {
                    control.tick(&[Trigger::StoragePossibleAgain]);
                }
                false
            }
            _ => false,
        }
    }

    /// Whether the tree exceeds a threshold of auto mode. Stops counting there (FR-LSI-BG-05).
    pub(super) fn is_large(&self) -> bool {
        let (mut files, mut bytes) = (0, 0);
        let mut observer = NoObserver;
        let stop = || self.halted();
        let Ok(walk) = self.coverage.walk(b"", &mut observer, &stop) else { return false };
        for item in walk {
            if let crate::walk::WalkItem::File(file) = item {
                files += 1;
                bytes += file.fingerprint.map_or(0, |fingerprint| fingerprint.size);
                if above_threshold(&self.settings, files, bytes) {
                    return true;
                }
            }
            if self.halted() {
                return false;
            }
        }
        false
    }
}

/// An observer that ignores everything.
struct NoObserver;

impl crate::walk::Observer for NoObserver {
    fn enter(&mut self, _root: &crate::root::Root, _real: &[u8], _walked: &[u8]) {}
    fn listed(
        &mut self,
        _walked: &[u8],
        _rules: &Arc<crate::rules::DirRules>,
        _entries: &[crate::root::Entry],
        _patience: &Cancellation<'_>,
    ) {
    }
    fn failed(&mut self, _walked: &[u8], _err: &std::io::Error) {}
}
