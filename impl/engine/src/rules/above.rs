//! The rules in force above a search root: of the directories up to its top.

use std::{path::Path, sync::Arc};

use forge_search_core::cancellation::Cancellation;

use super::{DirLocation, DirRules, IGNORE_FILES, Unreadable};
use crate::{
    repository::{Ascent, REPOSITORY},
    root::{Entry, Root, path_bytes},
    rulebook::Rulebook,
};

/// The rules of the directories above `base`, and the files among them that cannot be read. `base`
/// lies at `prefix` below the sandbox root. Void if it is cancelled.
pub(crate) fn above(
    base: &Root,
    sandbox_root: &Path,
    prefix: &[u8],
    book: &Rulebook,
    cancellation: &Cancellation<'_>,
) -> (Arc<DirRules>, Vec<Unreadable>) {
    let mut unreadable = Vec::new();
    if holds_git(base.path()) {
        return (DirRules::at_top(prefix, book), unreadable);
    }
    // From the directory above the search root up to the first that holds `.git` or to the sandbox
    // root.
    let (mut dirs, mut dir, mut is_repository) = (Vec::new(), base.path(), false);
    while dir != sandbox_root && !is_repository {
        let Some(above) = dir.parent() else { break };
        dirs.push(above);
        is_repository = holds_git(above);
        dir = above;
    }
    let walked = |dir: &Path| path_bytes(dir.strip_prefix(sandbox_root).unwrap_or(Path::new("")));
    let mut rules = if is_repository || !book.follows_repositories() {
        let top = dirs.last().map_or_else(|| prefix.to_vec(), |top| walked(top));
        DirRules::at_top(&top, book)
    } else {
        // A directory that was moved meanwhile has no known names above.
        let steps = prefix.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
        let mut start = base.step(b".");
        for _ in steps {
            start = start.and_then(|start| start.step(b".."));
        }
        let outside = start.map(|start| outside(&start, book, &mut unreadable, cancellation));
        outside.unwrap_or_else(|_| DirRules::at_top(b"", book))
    };
    for dir in dirs.iter().rev() {
        // A directory above that cannot be opened contributes no rules; the search root itself
        // could be opened.
        let Ok(root) = Root::open(dir) else { continue };
        let located = DirLocation { root: &root, real: b"", walked: &walked(dir), above: None };
        let entries = entries(&root);
        rules = DirRules::inside(&rules, &located, &entries, book, &mut unreadable, cancellation);
    }
    (rules, unreadable)
}

/// The rules of the directories above a sandbox root, up to the repository that holds it (D23).
fn outside(
    root: &Root,
    book: &Rulebook,
    unreadable: &mut Vec<Unreadable>,
    cancellation: &Cancellation<'_>,
) -> Arc<DirRules> {
    let ascent = Ascent::from(root);
    let levels = ascent.counted();
    let outer: Arc<[u8]> = Ascent::names(levels, root).into();
    let global = book.global().to_vec();
    let mut rules = Arc::new(DirRules { outer: Arc::clone(&outer), global, ..DirRules::default() });
    for (number, level) in levels.iter().enumerate().rev() {
        let below = levels.get(..=number).unwrap_or_default();
        let base = outer.len() - Ascent::names(below, root).len();
        let dir = &level.directory;
        let located = DirLocation { root: dir, real: b"", walked: b"", above: Some(base) };
        rules = DirRules::inside(&rules, &located, &entries(dir), book, unreadable, cancellation);
    }
    rules
}

fn holds_git(dir: &Path) -> bool {
    dir.join(crate::root::os_path(REPOSITORY)).symlink_metadata().is_ok()
}

/// The entries of a directory that matter to rules, without listing it.
fn entries(dir: &Root) -> Vec<Entry> {
    IGNORE_FILES
        .into_iter()
        .chain([REPOSITORY])
        .filter_map(|name| {
            let kind = dir.stat(name).ok()?.kind;
            Some(Entry { name: name.to_vec(), kind, fingerprint: None })
        })
        .collect()
}
