//! The search root of `keyword_search` (section 2).
//!
//! It is inside the sandbox; above the sandbox only the presence of `.git` is read.

use super::Config;
use crate::place::{self, Place};
use crate::sandbox::SearchRoot;
use crate::world::World;

/// The nearest directory with `.git`, from the working directory up, as far as it is in the
/// sandbox; otherwise the working directory.
pub(super) fn search_root<'w>(world: &World, config: &Config) -> SearchRoot<'w> {
    let working_dir = place::names(config.agent.search.working_dir.as_bytes());
    let mut here = Place::inside(working_dir.clone());
    let names = loop {
        if world.look(&here.child(b".git")).is_ok() {
            // `.git` is above the sandbox: the topmost directory inside it is the sandbox root.
            break here.names_inside().map(<[_]>::to_vec).unwrap_or_default();
        }
        // A world has no entries further up.
        if world.key(&here).is_none() {
            break working_dir;
        }
        here = here.parent();
    };
    SearchRoot { names, file: None }
}
