//! Which repositories decide what is ignored in the roots, for `doctor`.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use forge_search_core::git_config;

use super::Service;
use crate::{
    repository::{Ascent, REPOSITORY, Trail},
    root::{Kind, Root, os_path},
};

/// The repository that decides what is ignored in a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootRepository {
    /// The root.
    pub root: PathBuf,
    /// The directory with `.git`, the root or one above; none if no repository holds the root.
    pub top: Option<PathBuf>,
    /// What does not count, and why: a sentence without its end.
    pub refused: Option<String>,
}

impl Service {
    /// The repository of each root, as far as it counts (docs/search.md section 3.2). None in
    /// preset `documents`, which looks at nothing above a root.
    pub fn repositories(&self) -> Vec<RootRepository> {
        let follows = self.rulebook().follows_repositories();
        self.sandbox().roots().iter().filter(|_| follows).map(|root| of_root(root)).collect()
    }
}

fn of_root(path: &Path) -> RootRepository {
    let none = RootRepository { root: path.to_owned(), top: None, refused: None };
    let Ok(root) = Root::open(path) else { return none };
    let git = |directory: &Root| directory.stat(REPOSITORY).ok().map(|stat| stat.kind);
    if let Some(kind) = git(&root) {
        return RootRepository {
            top: Some(path.to_owned()),
            refused: exclude(&root, kind),
            ..none
        };
    }
    let ascent = Ascent::from(&root);
    let refused = ascent.refused.zip(ascent.levels.last()).map(|(refusal, level)| {
        let directory = level.directory.path().display();
        format!("nothing above the root counts, for `{directory}` {}", refusal.why())
    });
    let Some(top) = ascent.counted().last() else { return RootRepository { refused, ..none } };
    let refused = git(&top.directory).and_then(|kind| exclude(&top.directory, kind));
    RootRepository { top: Some(top.directory.path().to_owned()), refused, ..none }
}

/// Why a `.git` leads to no exclude file.
fn exclude(directory: &Root, kind: Kind) -> Option<String> {
    let why = match kind {
        Kind::Dir => return None,
        Kind::File => Trail::default().follow(directory).err()?,
        Kind::Symlink | Kind::Other => "its `.git` is neither a directory nor a regular file",
    };
    Some(format!("the repository's info/exclude does not count: {why}"))
}

/// The file that git's `core.excludesFile` names for this user, or git's default for it, if it is
/// there. The service reads it only where `global_ignore_files` names it.
pub fn git_excludes_file() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = set("HOME");
    let own = set("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config")));
    let own = own.map(|own| own.join("git"));
    let configurations = [
        home.as_ref().map(|home| home.join(".gitconfig")),
        own.as_ref().map(|own| own.join("config")),
        Some(PathBuf::from("/etc/gitconfig")),
    ];
    let named = configurations
        .into_iter()
        .flatten()
        .find_map(|file| git_config::value(&fs::read(file).ok()?, "core", "excludesFile"));
    let path = match named {
        Some(path) => match path.strip_prefix(b"~/") {
            Some(below) => home?.join(os_path(below)),
            None => PathBuf::from(os_path(&path)),
        },
        None => own?.join("ignore"),
    };
    path.is_file().then_some(path)
}
