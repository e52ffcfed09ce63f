//! What a DISABLED index comes back by, and what auto mode counts (FR-LSI-BG-05, FR-LSI-BG-06, FR-LSI-BUD-04, E-C21, E-C35).

use std::sync::Arc;

use forge_search_core::index::{
    budget::{self, above_threshold, reevaluation_due},
    machine::{Reason, State, Trigger},
};

use super::{cache, control::RootIndex};

impl RootIndex {
    /// A disabled index may come back: after its cooldown, or when the tree has grown.
    pub(super) fn look_at_disabled(&self) -> bool {
        let mut control = self.control();
        let reason = control.status.shown_reason();
        match reason {
            Some(Reason::MemoryBudgetExceeded | Reason::DiskBudgetExceeded) => {
                if self.settings.index_disable_cooldown_ms == 0 {
                    return false;
                }
                if budget::cooling_down(control.cooldown_until, self.now_ms()) {
                    if control.cooldown_until.is_some() {
                        control.tick(&[Trigger::CooldownActive]);
                        // Once said is enough until somebody calls.
                        return false;
                    }
                    return false;
                }
                control.build_failed = false;
                control.tick(&[Trigger::CooldownExpired]);
                true
            }
            Some(Reason::BelowThreshold) => {
                if control.mode == "on" || reevaluation_due(&self.settings, control.calls_since_counting) {
                    control.calls_since_counting = 0;
                    let on = control.mode == "on";
                    drop(control);
                    if on || self.is_large() {
                        let mut control = self.control();
                        if control.status.state == State::Disabled {
                            control.tick(&[Trigger::ThresholdExceeded]);
                        }
                        return true;
                    }
                }
                false
            }
            Some(Reason::PersistenceNotPermitted) => {
                let now = self.now_ms();
                if now < control.store_retry_ms {
                    return false;
                }
                control.store_retry_ms = now + 60_000;
                drop(control);
                let usable =
                    cache::prepare(&self.settings, &self.ground.sandbox, &self.roots, &*self.options.faults);
                let mut control = self.control();
                if usable.is_ok() && control.status.state == State::Disabled {
                    control.tick(&[Trigger::StoragePossibleAgain]);
                }
                false
            }
            _ => false,
        }
    }

    /// Whether the tree exceeds a threshold of auto mode; counts no further than that (FR-LSI-BG-05).
    pub(super) fn is_large(&self) -> bool {
        let (mut files, mut bytes) = (0, 0);
        let mut blind = Blind;
        let Ok(walk) = self.ground.walk(b"", &mut blind) else { return false };
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

/// An observer that is not interested.
struct Blind;

impl crate::walk::Observer for Blind {
    fn enter(&mut self, _root: &crate::root::Root, _real: &[u8], _walked: &[u8]) {}
    fn listed(
        &mut self,
        _walked: &[u8],
        _rules: &Arc<crate::rules::DirRules>,
        _entries: &[crate::root::Entry],
    ) {
    }
    fn failed(&mut self, _walked: &[u8], _err: &std::io::Error) {}
}
