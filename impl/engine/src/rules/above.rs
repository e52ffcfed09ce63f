//! The rules in force above a search root: of the directories up to its top.

use std::{path::Path, sync::Arc};

use forge_search_core::cancellation::Cancellation;

use super::{DirLocation, DirRules, IGNORE_FILES, Unreadable};
use crate::{
    repository::{Ascent, REPOSITORY},
    root::{Entry, Root},
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
    let holds_git = |dir: &Root| dir.stat(REPOSITORY).is_ok();
    if holds_git(base) {
        return (DirRules::at_top(prefix, book), unreadable);
    }
    // From the directory above the search root up to the first that holds `.git` or to the sandbox
    // root, each opened below that: none contributes rules whose place has become a link.
    let top = if prefix.is_empty() { None } else { Root::open(sandbox_root).ok() };
    let (mut dirs, mut walked, mut is_repository) = (Vec::new(), prefix, false);
    while !walked.is_empty() && !is_repository {
        walked = memchr::memrchr(b'/', walked).and_then(|at| walked.get(..at)).unwrap_or_default();
        let dir = top.as_ref().and_then(|top| top.containing(walked).ok());
        is_repository = dir.as_ref().is_some_and(holds_git);
        dirs.push((walked, dir));
    }
    let mut rules = if is_repository || !book.follows_repositories() {
        DirRules::at_top(walked, book)
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
    for (walked, dir) in dirs.iter().rev() {
        // A directory above that cannot be opened contributes no rules; the search root itself
        // could be opened.
        let Some(root) = dir else { continue };
        let located = DirLocation { root, real: b"", walked, above: None };
        let entries = entries(root);
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

/// The entries of a directory that matter to rules, without listing it.
fn entries(dir: &Root) -> Vec<Entry> {
    IGNORE_FILES
        .into_iter()
        .chain([REPOSITORY])
        .filter_map(|name| {
            let kind = dir.stat(name).ok()?.kind;
            Some(Entry { name: name.into(), kind, fingerprint: None })
        })
        .collect()
}

#[cfg(all(test, unix))]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    #[test]
    fn a_directory_above_that_became_a_link_contributes_no_rules() {
        let place = tempfile::tempdir().unwrap();
        let tree = place.path().canonicalize().unwrap().join("tree");
        let outside = place.path().join("outside");
        for (path, rule) in [(tree.join("a/b"), "*.log\n"), (outside.join("b"), "*.txt\n")] {
            fs::create_dir_all(&path).unwrap();
            fs::write(path.parent().unwrap().join(".ignore"), rule).unwrap();
        }
        let base = Root::open(&tree).unwrap().below(b"a/b").unwrap();
        let decides = |name: &[u8]| {
            let (book, never) = (Rulebook::default(), Cancellation::never());
            let (rules, unreadable) = above(&base, &tree, b"a/b", &book, &never);
            assert!(unreadable.is_empty());
            rules.deciding(name, false, &never).is_some()
        };
        assert!(decides(b"a/b/x.log") && !decides(b"a/b/x.txt"));
        fs::rename(tree.join("a"), tree.join("moved")).unwrap();
        symlink(&outside, tree.join("a")).unwrap();
        assert!(!decides(b"a/b/x.txt"), "the link was followed");
    }
}
