//! A case's tree on a real disk, and its removal.
//!
//! Responsible for: [`Tree::build`], which puts files, directories, links, pipes and what lies
//! outside the sandbox into a scratch directory, and [`remove`], which takes away whatever such a
//! directory has become. Not here: whose scratch directory that is, and when it goes
//! (`touchstone::worker`, `touchstone::runner`). Invariants: nothing is created outside the scratch
//! directory; what the case calls unreadable is so to programs that this thread starts from then on,
//! or the build fails;
//! permissions are taken away last, deepest first.
//!
//! ```text
//! SCRATCH/tree/root       the sandbox root
//! SCRATCH/tree/outside    an entry `../outside`
//! SCRATCH/global/0        the strongest global ignore file
//! ```

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::case::{Case, Entry, Node, ROOT_MARK, escape};
use crate::privilege;

/// Pipes made by one call of `mkfifo`, which keeps its command line short.
const PIPES_PER_CALL: usize = 64;

/// A case's tree as it lies on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Absolute, canonical path of the sandbox root.
    pub root: PathBuf,
    /// The configured global ignore files, strongest first.
    pub global_ignore: Vec<PathBuf>,
}

/// Why a tree could not be created.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// An entry could not be created or changed.
    #[error("cannot create `{entry}`: {source}")]
    Entry {
        /// Escaped path of the entry.
        entry: String,
        source: io::Error,
    },
    /// The program that makes pipes failed.
    #[error("`mkfifo` ended with {status}")]
    Fifo {
        /// The exit status.
        status: String,
    },
    /// This process bypasses permissions.
    #[error(
        "`{entry}` can be read although its mode is 000; this process is privileged, run it as another user"
    )]
    Privileged {
        /// Escaped path of the entry.
        entry: String,
    },
}

impl Tree {
    /// Puts the tree of `case` into `scratch`, which is created. `order` permutes the order in
    /// which entries are created; without it they are created as the case lists them.
    pub fn build(case: &Case, scratch: &Path, order: Option<u64>) -> Result<Self, TreeError> {
        let root = scratch.join("tree").join("root");
        let root = fs::create_dir_all(&root)
            .and_then(|()| fs::canonicalize(&root))
            .map_err(failed(b"."))?;
        let mut entries: Vec<&Entry> = case.tree.iter().collect();
        in_order(&mut entries, order);
        let inner = &case.config.root;
        let sandbox = if inner.is_empty() { root.clone() } else { root.join(inner) };
        for entry in &entries {
            create(&root, &sandbox, entry).map_err(failed(&entry.path))?;
        }
        make_pipes(&root, &entries)?;
        // Deepest first: what lies in a directory is changed while the directory can still be
        // entered.
        entries
            .sort_by_key(|entry| std::cmp::Reverse(entry.path.split(|byte| *byte == b'/').count()));
        for entry in entries.into_iter().filter(|entry| is_unreadable(entry)) {
            take_away(&place(&root, &entry.path), &entry.path)?;
        }
        fs::create_dir_all(&sandbox).map_err(failed(b"."))?;
        let global_ignore = write_global_ignore(case, scratch)?;
        Ok(Self { root: sandbox, global_ignore })
    }
}

/// Removes a directory with everything in it, whatever the permissions inside are. No error if
/// there is none.
pub fn remove(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => {
            open_up(directory)?;
            fs::remove_dir_all(directory)
        }
    }
}

/// Gives the owner every permission on every directory in `directory`; links are not followed.
fn open_up(directory: &Path) -> io::Result<()> {
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        fs::set_permissions(&directory, Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                pending.push(entry.path());
            }
        }
    }
    Ok(())
}

/// Permutes entries by a seed, the same way for the same seed.
fn in_order(entries: &mut [&Entry], order: Option<u64>) {
    if let Some(seed) = order {
        entries.sort_by_key(|entry| xxh3_64_with_seed(&entry.path, seed));
    }
}

fn place(root: &Path, path: &[u8]) -> PathBuf {
    match path.strip_prefix(b"../") {
        Some(outside) => root.parent().unwrap_or(root).join(OsStr::from_bytes(outside)),
        None => root.join(OsStr::from_bytes(path)),
    }
}

fn create(root: &Path, sandbox: &Path, entry: &Entry) -> io::Result<()> {
    let at = place(root, &entry.path);
    if let Some(parent) = at.parent() {
        fs::create_dir_all(parent)?;
    }
    match &entry.node {
        Node::File { contents, .. } => {
            // Never through a link or into something that is there already.
            io::Write::write_all(&mut File::create_new(&at)?, &contents.bytes())
        }
        Node::Dir { .. } => fs::create_dir_all(&at),
        Node::Link { target } => {
            let target = match target.strip_prefix(ROOT_MARK.as_bytes()) {
                Some(below) => [sandbox.as_os_str().as_bytes(), below].concat(),
                None => target.clone(),
            };
            symlink(OsStr::from_bytes(&target), &at)
        }
        Node::Fifo => Ok(()),
    }
}

/// Pipes are made by a program, since the standard library cannot.
fn make_pipes(root: &Path, entries: &[&Entry]) -> Result<(), TreeError> {
    let pipes: Vec<PathBuf> = entries
        .iter()
        .filter(|entry| entry.node == Node::Fifo)
        .map(|entry| place(root, &entry.path))
        .collect();
    for pipes in pipes.chunks(PIPES_PER_CALL) {
        let mut command = Command::new("mkfifo");
        let status = command.arg("--").args(pipes).stdin(Stdio::null()).status();
        let status = status.map_err(failed(b"mkfifo"))?;
        if !status.success() {
            return Err(TreeError::Fifo { status: status.to_string() });
        }
    }
    Ok(())
}

fn is_unreadable(entry: &Entry) -> bool {
    matches!(entry.node, Node::File { readable: false, .. } | Node::Dir { readable: false })
}

fn take_away(at: &Path, path: &[u8]) -> Result<(), TreeError> {
    fs::set_permissions(at, Permissions::from_mode(0o000)).map_err(failed(path))?;
    match privilege::without(|| File::open(at)) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        Ok(_) => Err(TreeError::Privileged { entry: escape(path) }),
        Err(source) => Err(TreeError::Entry { entry: escape(path), source }),
    }
}

fn write_global_ignore(case: &Case, scratch: &Path) -> Result<Vec<PathBuf>, TreeError> {
    let directory = scratch.join("global");
    let mut paths = Vec::new();
    for (index, text) in case.config.global_ignore.iter().enumerate() {
        let path = directory.join(index.to_string());
        let written = fs::create_dir_all(&directory).and_then(|()| fs::write(&path, &text.0));
        written.map_err(failed(b"global ignore file"))?;
        paths.push(path);
    }
    Ok(paths)
}

fn failed(path: &[u8]) -> impl FnOnce(io::Error) -> TreeError {
    let entry = escape(path);
    |source| TreeError::Entry { entry, source }
}

#[cfg(test)]
mod tests;
