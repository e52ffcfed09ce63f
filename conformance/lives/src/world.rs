//! The tree on disk as a case's entries.
//!
//! Responsible for: the model's input at the moment of a search. Not here: the model's world
//! ([`touchstone_cases::case::Case::world`]). Invariants: what this process cannot open is
//! unreadable, with its length; no link is followed; the contents of a closed directory are those
//! it had when it was closed.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use touchstone_cases::case::{Contents, Entry, Node, ROOT_MARK};

/// What lies in directories that this process cannot open, by their inodes.
#[derive(Debug, Clone, Default)]
pub(super) struct UnreadableDirs(BTreeMap<u64, Vec<Entry>>);

impl UnreadableDirs {
    /// What a tree that was just built holds in directories that cannot be opened.
    pub(super) fn of(root: &Path, tree: &[Entry]) -> Self {
        let mut closed = Self::default();
        for entry in tree.iter().filter(|entry| entry.node == Node::Dir { readable: false }) {
            let at = match entry.path.strip_prefix(b"../") {
                Some(outside) => root.parent().unwrap_or(root).join(OsStr::from_bytes(outside)),
                None => root.join(OsStr::from_bytes(&entry.path)),
            };
            let below = tree.iter().filter_map(|other| {
                let path = other.path.strip_prefix(&entry.path[..])?.strip_prefix(b"/")?.to_vec();
                Some(Entry { path, node: other.node.clone() })
            });
            if let Ok(metadata) = at.symlink_metadata() {
                closed.0.insert(metadata.ino(), below.collect());
            }
        }
        closed
    }

    /// A directory is about to be closed.
    pub(super) fn close(&mut self, root: &Path, directory: &Path) {
        let Ok(metadata) = directory.symlink_metadata() else { return };
        let mut entries = Vec::new();
        if metadata.is_dir()
            && below(self, root, b"", directory, &mut entries).is_ok()
            && fs::read_dir(directory).is_ok()
        {
            self.0.insert(metadata.ino(), entries);
        }
    }
}

/// Everything below the directory that holds the sandbox root.
pub(super) fn read(root: &Path, closed: &UnreadableDirs) -> io::Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let Some(above) = root.parent() else { return Ok(entries) };
    for entry in listing(above)? {
        let path = entry.path();
        if path == root {
            let readable = fs::read_dir(root).is_ok();
            entries.push(Entry { path: Vec::new(), node: Node::Dir { readable } });
            below(closed, root, b"", root, &mut entries)?;
        } else {
            let name = [b"../", entry.file_name().as_bytes()].concat();
            add(closed, root, &name, &path, &mut entries)?;
        }
    }
    Ok(entries)
}

fn listing(directory: &Path) -> io::Result<Vec<fs::DirEntry>> {
    let mut all: Vec<fs::DirEntry> = fs::read_dir(directory)?.collect::<Result<_, _>>()?;
    all.sort_by_key(fs::DirEntry::file_name);
    Ok(all)
}

/// What a directory holds; `prefix` is its path with a slash, or empty.
fn below(
    closed: &UnreadableDirs,
    root: &Path,
    prefix: &[u8],
    directory: &Path,
    entries: &mut Vec<Entry>,
) -> io::Result<()> {
    let Ok(all) = listing(directory) else { return Ok(()) };
    for entry in all {
        let name = [prefix, entry.file_name().as_bytes()].concat();
        add(closed, root, &name, &entry.path(), entries)?;
    }
    Ok(())
}

fn add(
    closed: &UnreadableDirs,
    root: &Path,
    name: &[u8],
    at: &Path,
    entries: &mut Vec<Entry>,
) -> io::Result<()> {
    // In a directory that can be listed and not entered, names are all there is; the model calls it
    // unreadable.
    let Ok(metadata) = at.symlink_metadata() else { return Ok(()) };
    // Another process may be editing its own part of the tree.
    let Ok(node) = node(root, at, &metadata) else { return Ok(()) };
    let (is_open, is_closed) = match node {
        Node::Dir { readable } => (readable, !readable),
        _ => (false, false),
    };
    entries.push(Entry { path: name.to_vec(), node });
    if is_open {
        below(closed, root, &[name, b"/"].concat(), at, entries)?;
    }
    if is_closed {
        let held = closed.0.get(&metadata.ino()).into_iter().flatten();
        entries.extend(held.map(|entry| Entry {
            path: [name, b"/", &entry.path].concat(),
            node: entry.node.clone(),
        }));
    }
    Ok(())
}

fn node(root: &Path, at: &Path, metadata: &Metadata) -> io::Result<Node> {
    if metadata.is_dir() {
        return Ok(Node::Dir { readable: fs::read_dir(at).is_ok() });
    }
    if metadata.is_symlink() {
        let target = fs::read_link(at)?.as_os_str().as_bytes().to_vec();
        let target = match target.strip_prefix(root.as_os_str().as_bytes()) {
            Some(inside) => [ROOT_MARK.as_bytes(), inside].concat(),
            None => target,
        };
        return Ok(Node::Link { target });
    }
    if !metadata.is_file() {
        return Ok(Node::Fifo);
    }
    Ok(match fs::read(at) {
        Ok(bytes) => Node::File { contents: Contents::plain(bytes), readable: true },
        Err(_) => Node::File {
            contents: Contents::of([(b"?".to_vec(), metadata.len())]),
            readable: false,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use touchstone_cases::case::Case;
    use touchstone_cases::materialise::Tree;

    #[test]
    fn a_built_tree_is_read_back_unchanged() {
        let scratch = tempfile::tempdir().unwrap();
        let entries = [
            Entry::file("../out/o.txt", "o"),
            Entry::file("a/b.txt", "b\n"),
            Entry::dir("empty"),
            Entry::link("a/l", "{root}/a"),
        ];
        let case =
            entries.iter().fold(Case::new("a", "a", serde_json::json!({})), |case, entry| {
                case.with(entry.clone())
            });
        let tree = Tree::build(&case, scratch.path(), None).unwrap();
        let back = read(&tree.root, &UnreadableDirs::default()).unwrap();
        for entry in entries {
            assert!(back.contains(&entry), "{entry:?} in {back:?}");
        }
        // Directories that are implied are listed besides, and the root.
        assert_eq!(back.len(), 7);
    }
}
