use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};

use serde_json::json;

use super::*;
use crate::case::Text;

/// A scratch directory that is not there yet, in a directory that goes away by itself.
fn scratch() -> (tempfile::TempDir, PathBuf) {
    let parent = tempfile::tempdir().unwrap();
    let scratch = parent.path().join("scratch");
    (parent, scratch)
}

fn case(entries: impl IntoIterator<Item = Entry>) -> Case {
    let mut case = Case::new("a", "a", json!({}));
    case.tree = entries.into_iter().collect();
    case
}

#[test]
fn names_that_are_not_utf8_are_created_byte_for_byte() {
    let (_parent, scratch) = scratch();
    let names: [&[u8]; 6] =
        [b"n\nl", b"\xff\xfe", "e\u{301}".as_bytes(), "\u{e9}".as_bytes(), b" ", b"-rf"];
    let tree =
        Tree::build(&case(names.map(|name| Entry::file(name, name))), &scratch, None).unwrap();
    let mut found: Vec<Vec<u8>> = fs::read_dir(&tree.root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().as_bytes().to_vec())
        .collect();
    let mut expected = names.map(<[u8]>::to_vec);
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    for name in names {
        assert_eq!(fs::read(tree.root.join(OsStr::from_bytes(name))).unwrap(), name);
    }
}

#[test]
fn every_kind_of_entry_is_created() {
    let (_parent, scratch) = scratch();
    let mut case = case([
        Entry::dir("empty"),
        Entry::link("a/b/l", "{root}/f"),
        Entry::link("outside", "../outside/o"),
        Entry::link("dangling", "{rooted"),
        Entry::file("f", "x"),
        Entry::fifo("-p"),
        Entry::file("../outside/o", "secret"),
    ]);
    case.config.global_ignore = vec![Text(b"one".to_vec()), Text(b"two".to_vec())];
    let tree = Tree::build(&case, &scratch, None).unwrap();
    let at = |path: &str| tree.root.join(path);
    assert!(at("empty").is_dir());
    assert_eq!(fs::read_link(at("a/b/l")).unwrap(), at("f"));
    assert_eq!(fs::read(at("a/b/l")).unwrap(), b"x");
    assert_eq!(fs::read(at("outside")).unwrap(), b"secret");
    assert_eq!(fs::read_link(at("dangling")).unwrap(), Path::new("{rooted"));
    assert!(fs::symlink_metadata(at("-p")).unwrap().file_type().is_fifo());
    let globals: Vec<Vec<u8>> =
        tree.global_ignore.iter().map(|path| fs::read(path).unwrap()).collect();
    assert_eq!(globals, [b"one".to_vec(), b"two".to_vec()]);
    remove(&scratch).unwrap();
    assert!(!scratch.exists());
}

#[test]
fn the_order_of_creation_follows_the_seed() {
    let entries = || (0..40).map(|index| Entry::file(format!("f{index:02}"), ""));
    let created = |order: Option<u64>| {
        let (_parent, scratch) = scratch();
        let tree = Tree::build(&case(entries()), &scratch, order).unwrap();
        let mut files: Vec<(u64, String)> = fs::read_dir(&tree.root)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| {
                (entry.metadata().unwrap().ino(), entry.file_name().into_string().unwrap())
            })
            .collect();
        files.sort();
        files.into_iter().map(|(_, name)| name).collect::<Vec<_>>()
    };
    // Inode numbers need not follow creation on every file system, so only the sets are compared
    // there.
    let sets = [None, Some(1), Some(2)].map(|order| {
        let mut names = created(order);
        names.sort();
        names
    });
    assert_eq!(sets[0], sets[1]);
    assert_eq!(sets[1], sets[2]);
    let case = case(entries());
    let keys = |seed| {
        let mut entries: Vec<&Entry> = case.tree.iter().collect();
        in_order(&mut entries, Some(seed));
        entries.into_iter().map(|entry| entry.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(keys(1), keys(1));
    assert_ne!(keys(1), keys(2));
}

#[test]
fn a_tree_that_was_closed_to_its_owner_is_removed() {
    let (_parent, scratch) = scratch();
    fs::create_dir_all(scratch.join("a/b/c")).unwrap();
    fs::write(scratch.join("a/b/c/f"), "x").unwrap();
    symlink("/", scratch.join("a/out")).unwrap();
    for path in ["a/b/c", "a/b", "a"] {
        fs::set_permissions(scratch.join(path), Permissions::from_mode(0o000)).unwrap();
    }
    remove(&scratch).unwrap();
    assert!(!scratch.exists());
    assert!(Path::new("/").is_dir());
}

#[test]
fn removing_a_missing_tree_is_no_error() {
    let (_parent, scratch) = scratch();
    remove(&scratch).unwrap();
}

#[test]
fn opening_up_makes_every_directory_accessible_to_the_owner() {
    let (_parent, scratch) = scratch();
    fs::create_dir_all(scratch.join("a/b")).unwrap();
    fs::set_permissions(scratch.join("a/b"), Permissions::from_mode(0o000)).unwrap();
    open_up(&scratch).unwrap();
    assert_eq!(fs::metadata(scratch.join("a/b")).unwrap().mode() & 0o777, 0o700);
}

#[test]
fn an_entry_that_cannot_be_created_is_named() {
    let (_parent, scratch) = scratch();
    let name = "x".repeat(300);
    let error = Tree::build(&case([Entry::file(name.as_str(), "")]), &scratch, None).unwrap_err();
    assert!(error.to_string().contains(&name), "{error}");
}

#[test]
fn an_unreadable_file_is_unreadable_to_programs_whoever_starts_them() {
    let (_parent, scratch) = scratch();
    let case = case([Entry::file("open", "a"), Entry::file("closed", "b").unreadable()]);
    let tree = Tree::build(&case, &scratch, None).unwrap();
    let cat = |name: &str| {
        let output = Command::new("cat").arg(tree.root.join(name)).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!([cat("open"), cat("closed")], ["a", ""]);
    // This process has the right to make and to remove what it likes, as before.
    remove(&scratch).unwrap();
}
