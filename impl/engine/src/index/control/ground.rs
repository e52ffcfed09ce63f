//! Whether the ground is still the one that was indexed.
//!
//! Left to neighbours: what a ground is ([`super::super::ground`]).
//! Invariants: what proves nothing counts as changed.

use std::path::PathBuf;

use forge_search_core::index::{machine::Trigger, segment::Fingerprint};

use super::{super::scan::input, Guard};

impl Guard<'_> {
    /// Sees whether the ground is still the one that was indexed: the root itself, and what decides from outside what is eligible in it.
    pub(crate) fn check_ground(&mut self, triggers: &mut Vec<Trigger>) {
        let index = self.index;
        let now = index.ground.open().and_then(|root| root.stat(b""));
        let now = now.map(|stat| (stat.fingerprint.device, stat.fingerprint.inode)).ok();
        if self.root_id.is_some() && now != self.root_id {
            triggers.push(Trigger::KeyChanged);
            self.root_id = None;
        }
        if !self.inputs.iter().all(is_still) {
            triggers.push(Trigger::EligibilityChanged);
        }
    }

    /// Whether what decides from outside is what it was: the same places, with the same in them.
    pub(crate) fn inputs_are_known(&self) -> bool {
        let places = self.index.ground.inputs(&self.repositories);
        self.inputs.iter().map(|(path, _)| path).eq(&places) && self.inputs.iter().all(is_still)
    }
}

/// Whether a place that decides what is eligible is what it was; one whose times proved nothing is not.
fn is_still((path, before): &(PathBuf, Option<Fingerprint>)) -> bool {
    *before != Some(Fingerprint::default()) && input(path) == *before
}
