//! Where the exclude file of a repository lies whose `.git` is a file (section 3.2, D23).

use crate::place::{self, Name, Place};
use crate::world::{Node, World};

/// Bytes of a file on the way.
const MOST: usize = 1 << 20;

/// The directory that holds `info/exclude`, if everything on the way is as a linked worktree or a
/// submodule has it.
pub(super) fn linked(world: &World, top: &Place) -> Option<Place> {
    let git = text(world, &top.child(b".git"))?;
    let own = home(world, top, git.strip_prefix("gitdir: ")?)?;
    if let Some(common) = text(world, &own.child(b"commondir")) {
        let back = text(world, &own.child(b"gitdir"))?;
        let back = directory(world, &own, end(&back).strip_suffix("/.git")?)?;
        if is_same(world, &back, top) { home(world, &own, &common) } else { None }
    } else {
        let config = text(world, &own.child(b"config"))?;
        let back = directory(world, &own, &worktree(&config)?)?;
        is_same(world, &back, top).then_some(own)
    }
}

/// The directory of a repository at a path.
fn home(world: &World, from: &Place, path: &str) -> Option<Place> {
    let home = directory(world, from, end(path))?;
    matches!(world.look(&home.child(b"HEAD")), Ok(Node::File { .. })).then_some(home)
}

/// The directory at a relative path, through directories only; an absolute one is in no world.
fn directory(world: &World, from: &Place, path: &str) -> Option<Place> {
    if path.is_empty() || path.starts_with('/') {
        return None;
    }
    let mut names: Vec<Name> = from.names_at_top(&world.root)?;
    for name in place::names(path.as_bytes()) {
        if name == b".." {
            names.pop()?;
        } else {
            names.push(name);
        }
        let here = Place::below_top(&names, &world.root);
        // What no entry lies below may be a directory above the sandbox all the same.
        if !names.is_empty() && !matches!(world.look(&here), Ok(Node::Dir { .. })) {
            return None;
        }
    }
    Some(Place::below_top(&names, &world.root))
}

fn is_same(world: &World, one: &Place, other: &Place) -> bool {
    one.names_at_top(&world.root) == other.names_at_top(&world.root)
}

fn text(world: &World, place: &Place) -> Option<String> {
    match world.look(place) {
        Ok(Node::File { bytes, readable: true }) if bytes.len() <= MOST => {
            Some(place::lossy(bytes))
        }
        _ => None,
    }
}

/// A file's text without the ends of its lines at the end.
fn end(text: &str) -> &str {
    text.trim_end_matches(['\n', '\r'])
}

/// `core.worktree`, as submodules have it: a plain value on a line of its own.
fn worktree(config: &str) -> Option<String> {
    let mut section = "";
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
        } else if let Some((key, value)) = line.split_once('=')
            && section.eq_ignore_ascii_case("[core]")
            && key.trim().eq_ignore_ascii_case("worktree")
        {
            found = Some(value.trim().trim_matches('"').to_owned());
        }
    }
    found
}
