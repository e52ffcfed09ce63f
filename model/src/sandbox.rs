//! The sandbox: cleaning and resolving `path`, containment, deny patterns, and whether the target
//! can be searched (section 2).
//!
//! A path outside or denied is refused before its existence is examined (E-F09).

use crate::config::Config;
use crate::glob::Glob;
use crate::place::{self, Name, Place};
use crate::world::{Absent, Node, World};

/// A path that stays inside the sandbox and is not denied.
#[derive(Debug)]
pub(crate) struct Located<'w> {
    /// Names below the sandbox root, free of symlinks as far as they exist.
    names: Vec<Name>,
    node: Result<&'w Node, Absent>,
}

#[derive(Debug, Clone)]
pub(crate) struct SearchRoot<'w> {
    pub(crate) names: Vec<Name>,
    /// The content, if it is a file.
    pub(crate) file: Option<&'w [u8]>,
}

/// The deny patterns. The configuration's reader refuses invalid ones; here they deny nothing.
pub(crate) fn deny_globs(config: &Config) -> Vec<Glob> {
    let expansions = config.tables.limits.glob_expansions;
    config.deny.iter().filter_map(|pattern| Glob::parse(pattern, expansions)).collect()
}

/// Whether a deny pattern matches the path below the sandbox root, or a directory above it.
pub(crate) fn denied(deny: &[Glob], names: &[Name], is_dir: bool) -> bool {
    deny.iter().any(|glob| glob.covers(names, is_dir))
}

/// Check 11: the target of the path; `None` if it is outside the sandbox or denied.
pub(crate) fn locate<'w>(
    world: &'w World,
    config: &Config,
    path: Option<&str>,
) -> Option<Located<'w>> {
    let cleaned = clean(path.unwrap_or("."), &config.working_dir)?;
    // A path through more links than are followed is treated as outside.
    let steps = config.tables.limits.symlink_steps;
    let resolved = world.resolve(Place::root(), cleaned.clone(), steps).ok()?;
    let names = resolved.place.names_inside()?.to_vec();
    let is_dir = matches!(resolved.node, Ok(Node::Dir { .. }));
    let deny = deny_globs(config);
    let refused = denied(&deny, &cleaned, is_dir) || denied(&deny, &names, is_dir);
    (!refused).then_some(Located { names, node: resolved.node })
}

/// Check 12: the search root; `None` if it does not exist, is neither a regular file nor a
/// directory, or cannot be opened (FR-LS-VAL-05, E-F08).
pub(crate) fn open(located: Located<'_>) -> Option<SearchRoot<'_>> {
    let file = match located.node {
        Ok(Node::File { bytes, readable: true }) => Some(bytes.as_slice()),
        Ok(Node::Dir { readable: true }) => None,
        Ok(Node::File { .. } | Node::Dir { .. } | Node::Fifo | Node::Symlink { .. }) | Err(_) => {
            return None;
        }
    };
    Some(SearchRoot { names: located.names, file })
}

/// The names below the sandbox root of a path, lexically; `None` if it is outside after some `..`,
/// or in the end (ALG-LS-A1.2).
fn clean(path: &str, working_dir: &str) -> Option<Vec<Name>> {
    let working_dir = Place::inside(place::names(working_dir.as_bytes()));
    let (mut here, names) = place::start(path.as_bytes(), &working_dir);
    for name in names {
        here = here.walk_blindly(std::slice::from_ref(&name));
        here.names_inside()?;
    }
    here.names_inside().map(<[Name]>::to_vec)
}

#[cfg(test)]
mod tests;
