//! Parsed ignore files, each content once, however many directories hold it.
//!
//! Responsible for: the configured global files, and sharing those of trees. Not here: which files
//! there are and where they apply ([`crate::rules`]).

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Arc, Weak},
};

use forge_search_core::ignore_rules::{RuleFile, Verdict};
use parking_lot::Mutex;

use crate::repository::REPOSITORY;

/// Most bytes of ignore files' text that a service holds; an index that needs more is not built. It
/// is about a hundred times what the largest known trees have, and takes several times as much
/// memory.
const MAX_HELD_BYTES: usize = 32 << 20;

/// Number of files at which unused ones are dropped for the first time.
const FIRST_SWEEP: usize = 64;

/// The ignore files of a service.
#[derive(Debug, Default)]
pub(crate) struct Rulebook {
    global: Vec<Arc<RuleFile>>,
    repositories: bool,
    reincludes_hidden: bool,
    hasher: RandomState,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    /// By a hash of their text. Files whose hashes collide are not shared.
    files: HashMap<u64, Weak<RuleFile>>,
    /// Bytes of their texts, those of unused files included.
    bytes: usize,
    /// Number of files at which unused ones are dropped.
    sweep_at: usize,
}

impl Rulebook {
    /// Configured files that apply everywhere, strongest first. `repositories`: whether the
    /// repository that holds a root, and the one that a `.git` file leads to, decide too (D23).
    /// `reincludes_hidden`: whether a `!` rule includes a hidden name.
    pub(crate) fn new(global: Vec<RuleFile>, repositories: bool, reincludes_hidden: bool) -> Self {
        let global = global.into_iter().map(Arc::new).collect();
        Self { global, repositories, reincludes_hidden, ..Self::default() }
    }

    /// Whether rules from outside the tree count that belong to its repository.
    pub(crate) fn follows_repositories(&self) -> bool {
        self.repositories
    }

    /// Whether an entry is left out for its leading dot or by the rule that decides about it. No
    /// rule includes `.git`.
    pub(crate) fn leaves_out(
        &self,
        name: &[u8],
        is_hidden: bool,
        verdict: Option<Verdict>,
    ) -> bool {
        match verdict {
            Some(Verdict::Ignore) => true,
            Some(Verdict::Include) => is_hidden && (!self.reincludes_hidden || name == REPOSITORY),
            None => is_hidden,
        }
    }

    /// Whether a `!` rule includes a hidden name.
    pub(crate) fn reincludes_hidden(&self) -> bool {
        self.reincludes_hidden
    }

    /// Ignore files that apply everywhere, strongest first.
    pub(crate) fn global(&self) -> &[Arc<RuleFile>] {
        &self.global
    }

    /// The rules of a file with this content, parsed at most once.
    pub(crate) fn parsed(&self, content: &[u8]) -> Arc<RuleFile> {
        let hash = self.hasher.hash_one(content);
        let known = self.held.lock().files.get(&hash).and_then(Weak::upgrade);
        if let Some(known) = known.filter(|known| known.is_of(content)) {
            return known;
        }
        let file = Arc::new(RuleFile::parse(content));
        let mut held = self.held.lock();
        held.files.insert(hash, Arc::downgrade(&file));
        held.bytes += content.len();
        if held.files.len() >= held.sweep_at.max(FIRST_SWEEP) {
            held.sweep();
        }
        file
    }

    /// Whether the files in use exceed the limit.
    pub(crate) fn is_full(&self) -> bool {
        let mut held = self.held.lock();
        if held.bytes > MAX_HELD_BYTES {
            held.sweep();
        }
        held.bytes > MAX_HELD_BYTES
    }
}

impl Held {
    fn sweep(&mut self) {
        self.files.retain(|_, file| file.strong_count() > 0);
        self.bytes = self.files.values().filter_map(Weak::upgrade).map(|file| file.size()).sum();
        self.sweep_at = self.files.len() * 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ignore_files_are_held_once_and_only_while_in_use() {
        let book = Rulebook::default();
        let (one, same, other) = (book.parsed(b"a\n"), book.parsed(b"a\n"), book.parsed(b"b\n"));
        assert!(Arc::ptr_eq(&one, &same) && !Arc::ptr_eq(&one, &other));
        drop((one, same, other));
        for number in 0..1_000 {
            book.parsed(format!("{number}\n").as_bytes());
        }
        assert!(book.held.lock().files.len() <= FIRST_SWEEP);
    }

    #[test]
    fn the_rulebook_is_full_while_too_much_is_in_use() {
        let book = Rulebook::default();
        let text =
            |number: usize| [format!("{number}\n#").into_bytes(), vec![b'x'; 1 << 20]].concat();
        let used: Vec<_> = (0..33).map(|number| book.parsed(&text(number))).collect();
        assert!(book.is_full());
        drop(used);
        assert!(!book.is_full());
    }
}
