//! Where `keyword_search` searches.
//!
//! Responsible for: the search root (section 2).
//! Left to neighbours: what stands where (`world`).
//! Invariants: the search root lies in the sandbox; of what lies above the sandbox nothing is asked
//! but whether `.git` is there.

use super::Config;
use crate::place::{self, Place};
use crate::sandbox::SearchRoot;
use crate::world::World;

/// The nearest directory that holds `.git`, from the working directory up, as far as it lies in the
/// sandbox; without one, the
/// working directory.
pub(super) fn search_root<'w>(world: &World, config: &Config) -> SearchRoot<'w> {
    let working_dir = place::names(config.agent.search.working_dir.as_bytes());
    let mut here = Place::inside(working_dir.clone());
    let names = loop {
        if world.look(&here.child(b".git")).is_ok() {
            // Above the sandbox: the uppermost directory on the way there that lies in it is the
            // sandbox root.
            break here.names_inside().map(<[_]>::to_vec).unwrap_or_default();
        }
        // A world says nothing about what lies higher.
        if here.key().is_none() {
            break working_dir;
        }
        here = here.parent();
    };
    SearchRoot { names, file: None }
}
