//! The repository that decides what is ignored in a directory (docs/search.md section 3.2, D23): the
//! directories above a root up to the one with `.git`, and where `info/exclude` lies if `.git` is a
//! file.
//!
//! Responsible for: finding both, step by step from a handle, and refusing what belongs to somebody
//! else. Not here: reading rules ([`crate::rules`]), noticing changes ([`crate::index`]).
//! Invariants: no link is followed; nothing is listed; what is read is a regular file of bounded
//! size.

use std::{
    io::{ErrorKind, Read},
    path::{Component, Path},
};

use forge_search_core::{git_config, index::segment::Fingerprint};

use crate::root::{Kind, Root, Stat, of_file, path_bytes};

/// The entry that makes a directory the top of a repository.
pub(crate) const REPOSITORY: &[u8] = b".git";

/// Most bytes of a path that is followed.
const MOST_PATH: usize = 4096;

/// Most bytes of a file that is read on the way.
const MOST_BYTES: u64 = 1 << 20;

/// A directory above a root.
pub(crate) struct Level {
    pub(crate) directory: Root,
    pub(crate) stat: Stat,
    /// Its `.git`.
    pub(crate) git: Option<Stat>,
}

/// The directories above a root, nearest first.
#[derive(Default)]
pub(crate) struct Ascent {
    pub(crate) levels: Vec<Level>,
    /// Why the search for a repository ended above; `None` at a repository or at the top.
    pub(crate) refused: Option<Refusal>,
}

/// Why nothing above a directory counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It or its `.git` belongs to another user.
    Owner,
    /// It or its `.git` lies on another file system.
    FileSystem,
    /// It cannot be entered, or has been moved.
    Unreachable,
}

impl Refusal {
    /// The end of a sentence that begins with a directory.
    pub(crate) const fn why(self) -> &'static str {
        match self {
            Self::Owner => "belongs to another user, or its `.git` does",
            Self::FileSystem => "lies on another file system, or its `.git` does",
            Self::Unreachable => "cannot be looked at, or has been moved",
        }
    }
}

impl Ascent {
    /// The way from `root` up to the nearest directory with `.git`. `root` itself has none.
    pub(crate) fn from(root: &Root) -> Self {
        let mut ascent = Self::default();
        ascent.refused = ascent.climb(root).err();
        ascent
    }

    fn climb(&mut self, root: &Root) -> Result<(), Refusal> {
        let mut below = root.stat(b"").map_err(|_| Refusal::Unreachable)?;
        let device = below.fingerprint.device;
        let names = root.path().components().rev().filter_map(|component| match component {
            Component::Normal(name) => Some(name),
            _ => None,
        });
        for name in names {
            let from = self.levels.last().map_or(root, |level| &level.directory);
            let directory = from.step(b"..").map_err(|_| Refusal::Unreachable)?;
            let stat = directory.stat(b"").map_err(|_| Refusal::Unreachable)?;
            let git = match directory.stat(REPOSITORY) {
                Ok(git) => Ok(Some(git)),
                Err(err) if err.kind() == ErrorKind::NotFound => Ok(None),
                Err(_) => Err(Refusal::Unreachable),
            };
            // Anchored rules need the name, and the path may be out of date.
            let child = directory.stat(&path_bytes(Path::new(name)));
            let is_named = child.is_ok_and(|child| child.is_same(&below));
            let found = git.as_ref().ok().copied().flatten();
            self.levels.push(Level { directory, stat, git: found });
            for stat in [Some(stat), git?].into_iter().flatten() {
                if stat.fingerprint.device != device {
                    return Err(Refusal::FileSystem);
                }
                if !stat.ours {
                    return Err(Refusal::Owner);
                }
            }
            if !is_named {
                return Err(Refusal::Unreachable);
            }
            if found.is_some() {
                return Ok(());
            }
            below = stat;
        }
        Ok(())
    }

    /// The directories that count, nearest first; none unless a repository holds the root.
    pub(crate) fn counted(&self) -> &[Level] {
        let is_repository = self.levels.last().is_some_and(|level| level.git.is_some());
        if self.refused.is_none() && is_repository { &self.levels } else { &[] }
    }

    /// The names from the last of the levels down to `root`, each with a slash after it.
    pub(crate) fn names(levels: &[Level], root: &Root) -> Vec<u8> {
        let top = levels.last().map_or(root.path(), |level| level.directory.path());
        let names = path_bytes(root.path().strip_prefix(top).unwrap_or(Path::new("")));
        if names.is_empty() { names } else { [&names, b"/".as_slice()].concat() }
    }
}

/// What was looked at on the way from a `.git` file, in the same order each time: files by their
/// whole fingerprint, directories by their identity, `None` where nothing was.
#[derive(Default)]
pub(crate) struct Trail(pub(crate) Vec<Option<Fingerprint>>);

impl Trail {
    /// The directory that the `.git` file of `directory` leads to: the one that holds
    /// `info/exclude`; or why it does not count.
    pub(crate) fn follow(&mut self, directory: &Root) -> Result<Root, &'static str> {
        let git = self.text(directory, REPOSITORY).ok_or("its `.git` cannot be read")?;
        let target = git.strip_prefix(b"gitdir: ").ok_or("its `.git` does not say `gitdir: `")?;
        let own = self.home(directory, line(target)).ok_or(
            "`gitdir` of its `.git` is not a repository of yours that is reached without links",
        )?;
        let Some(common) = self.text(&own, b"commondir") else {
            let mut values = [b"config.worktree".as_slice(), b"config"]
                .into_iter()
                .filter_map(|name| git_config::value(&self.text(&own, name)?, "core", "worktree"));
            let worktree = values.next().unwrap_or_default();
            if worktree.is_empty() || !self.leads_to(&own, &worktree, directory) {
                return Err("`core.worktree` of its repository is not this directory");
            }
            return Ok(own);
        };
        let back = self.text(&own, b"gitdir").unwrap_or_default();
        let back = line(&back).strip_suffix(REPOSITORY).and_then(|path| path.strip_suffix(b"/"));
        if !back.is_some_and(|back| self.leads_to(&own, back, directory)) {
            return Err("its repository does not name this `.git` as that of a worktree");
        }
        self.home(&own, line(&common)).ok_or(
            "`commondir` of its repository is no repository of yours that is reached without links",
        )
    }

    /// The directory of a repository at a path.
    fn home(&mut self, from: &Root, path: &[u8]) -> Option<Root> {
        let home = self.directory(from, path)?;
        let head = home.stat(b"HEAD").ok().filter(|head| head.kind == Kind::File);
        self.0.push(head.map(|head| head.identity()));
        let ours = home.stat(b"").is_ok_and(|stat| stat.ours);
        (ours && head.is_some()).then_some(home)
    }

    fn leads_to(&mut self, from: &Root, path: &[u8], directory: &Root) -> bool {
        let found = self.directory(from, path).and_then(|found| found.stat(b"").ok());
        let this = directory.stat(b"").ok();
        found.zip(this).is_some_and(|(found, this)| found.is_same(&this))
    }

    /// The directory at a path, component by component.
    fn directory(&mut self, from: &Root, path: &[u8]) -> Option<Root> {
        let found = directory(from, path);
        let stat = found.as_ref().and_then(|found| found.stat(b"").ok());
        self.0.push(stat.map(|stat| stat.identity()));
        found
    }

    /// The text of a small regular file.
    fn text(&mut self, directory: &Root, name: &[u8]) -> Option<Vec<u8>> {
        let opened = directory.open_file(name).ok();
        let before = opened.as_ref().and_then(|(file, _)| of_file(file).ok());
        self.0.push(before);
        let mut text = Vec::new();
        opened?.0.take(MOST_BYTES + 1).read_to_end(&mut text).ok()?;
        (text.len() as u64 <= MOST_BYTES).then_some(text)
    }
}

/// The directory at a path, absolute or from another, component by component and through no link.
fn directory(from: &Root, path: &[u8]) -> Option<Root> {
    if path.is_empty() || path.len() > MOST_PATH || path.contains(&0) {
        return None;
    }
    let start = if path.starts_with(b"/") { Root::open(Path::new("/")) } else { from.step(b".") };
    path.split(|byte| *byte == b'/')
        .filter(|name| !matches!(*name, b"" | b"."))
        .try_fold(start.ok()?, |at, name| at.step(name).ok())
}

/// The first line of a file, as git reads one that holds a path.
fn line(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r'));
    text.get(..end.map_or(0, |end| end + 1)).unwrap_or_default()
}
