//! The specification and the stored cases, held by the program itself.
//!
//! Responsible for: a directory with `spec/` and `golden/` for a program that runs outside a
//! checkout ([`unpack`]).
//! Not here: when that is needed ([`crate::golden::workspace`]).
//! Invariants: a directory is put in place as a whole, under a name that depends on what is in it;
//! what is there is not written again.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rust_embed::Embed;
use xxhash_rust::xxh3::Xxh3;

// In a debug build they are read from the checkout, so that a changed case builds nothing anew.
#[derive(Embed)]
#[folder = "../../spec"]
#[prefix = "spec/"]
struct Specification;

#[derive(Embed)]
#[folder = "../../golden"]
#[prefix = "golden/"]
struct Stored;

/// The directory below `parent`, which is made if need be.
///
/// # Errors
/// It cannot be written.
pub fn unpack(parent: &Path) -> io::Result<PathBuf> {
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let names = Specification::iter().chain(Stored::iter());
    // Beside the data lies the crate that reads it.
    for name in names.filter(|name| !name.starts_with("spec/src/")) {
        let file = Specification::get(&name).or_else(|| Stored::get(&name));
        let file = file.ok_or_else(|| io::Error::other(format!("`{name}` is gone")))?;
        files.push((name.into_owned(), file.data.into_owned()));
    }
    files.sort();
    let mut digest = Xxh3::new();
    for (name, bytes) in &files {
        digest.update(name.as_bytes());
        digest.update(&bytes.len().to_le_bytes());
        digest.update(bytes);
    }
    let version = env!("CARGO_PKG_VERSION");
    let place = parent.join(format!("specification-{version}-{:016x}", digest.digest()));
    if place.is_dir() {
        return Ok(place);
    }
    fs::create_dir_all(parent)?;
    let partial = tempfile::Builder::new().prefix("partial-").tempdir_in(parent)?;
    for (name, bytes) in &files {
        let path = partial.path().join(name);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(path, bytes)?;
    }
    let partial = partial.keep();
    match fs::rename(&partial, &place) {
        // Another process was first, with the same.
        Err(_) if place.is_dir() => fs::remove_dir_all(&partial)?,
        moved => moved?,
    }
    Ok(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unpacked_specification_equals_the_checkout_and_is_written_once() {
        let home = tempfile::tempdir().unwrap();
        let place = unpack(home.path()).unwrap();
        let mine = touchstone_spec::Spec::load(&place.join("spec")).unwrap();
        let theirs = touchstone_spec::Spec::load(&crate::golden::workspace().join("spec")).unwrap();
        assert_eq!(mine.documents.len(), theirs.documents.len());
        let names = |path: &Path| {
            let mut names: Vec<_> =
                fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        let museum = crate::golden::workspace().join("golden/museum");
        assert_eq!(names(&place.join("golden/museum")), names(&museum));
        fs::write(place.join("mark"), "").unwrap();
        assert_eq!(unpack(home.path()).unwrap(), place);
        assert!(place.join("mark").exists());
        assert_eq!(names(home.path()).len(), 1, "something partial was left");
    }
}
