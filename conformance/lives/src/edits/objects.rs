//! What an edit is done to, in the words of `spec/index/changes.yaml`.

use std::path::Path;

use touchstone_cases::case::Text;

use super::super::edit::{Edit, has_rules};
use super::{mounts, place};

/// What an edit is done to, as far as it lies in the tree and is there now.
pub(crate) fn object(root: &Path, edit: &Edit) -> Option<&'static str> {
    if *edit == Edit::NewRoot {
        return Some("directory");
    }
    if matches!(edit, Edit::Many(..)) {
        return Some("file");
    }
    let (path, from) = edit.places()?;
    if edit.act() == Some("write_above") {
        return Some("ignore_file");
    }
    let is_inside = |path: &Text| !path.0.starts_with(b"../");
    if !is_inside(path) && !from.is_some_and(is_inside) {
        return None;
    }
    // What was renamed or linked is what was there before.
    let kind = kind(root, from.unwrap_or(path))?;
    let rules = kind == "file" && (has_rules(path) || from.is_some_and(has_rules));
    Some(if rules { "ignore_file" } else { kind })
}

/// What a path of a file is called.
pub(crate) fn file(path: &Text) -> &'static str {
    if has_rules(path) { "ignore_file" } else { "file" }
}

fn kind(root: &Path, path: &Text) -> Option<&'static str> {
    let at = place(root, path).ok()?;
    let metadata = at.symlink_metadata().ok()?;
    Some(if metadata.is_symlink() {
        "link"
    } else if mounts::is_root(&at) {
        "mount_point"
    } else if metadata.is_dir() {
        "directory"
    } else {
        file(path)
    })
}
