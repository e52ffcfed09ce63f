//! The directories of stored cases, and adding a failing one.
//!
//! Responsible for: finding the workspace, listing the case files of a directory in order, and
//! storing a shrunk case under a name that depends only on its contents. Not here: the form of a
//! case file ([`crate::case`]). Invariants: a stored case is read back and must be the same; equal
//! cases are stored once.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use etcetera::BaseStrategy as _;

use crate::case::{Case, CaseError};
use crate::embedded;
use crate::place::build_directory;

/// Why a directory of cases cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum GoldenError {
    /// The directory cannot be listed.
    #[error("cannot list `{}`: {source}", path.display())]
    List {
        /// The directory.
        path: PathBuf,
        source: io::Error,
    },
    /// A file is no valid case.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// A file's name differs from its case's id.
    #[error("`{}` holds the case `{id}`; a file is named after its case", path.display())]
    Misnamed {
        /// The file.
        path: PathBuf,
        /// The id of its case.
        id: String,
    },
    /// A case changed when it was written and read back.
    #[error("case `{id}` does not survive being written down")]
    Lossy { id: String },
}

/// The directory of the workspace: the nearest one at or above the current directory that holds
/// `golden/` and `spec/`, or else the one this program was built in, as long as it lies in a build
/// directory; or else what the program itself holds, unpacked into the user's cache directory.
pub fn workspace() -> PathBuf {
    let here = std::env::current_dir().ok();
    let above = here.iter().flat_map(|here| here.ancestors());
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    above
        .chain(built.filter(|_| build_directory().is_ok()))
        // Other projects have a `golden` or a `spec` as well.
        .find(|path| path.join("golden/museum").is_dir() && path.join("spec/hunt.yaml").is_file())
        .map_or_else(unpacked, Path::to_owned)
}

/// The embedded files, unpacked once. If that fails, reading the first names what is missing.
fn unpacked() -> PathBuf {
    static PLACE: OnceLock<PathBuf> = OnceLock::new();
    let place = || {
        let cache = etcetera::base_strategy::choose_native_strategy()
            .map_or_else(|_| std::env::temp_dir(), |user| user.cache_dir());
        let parent = cache.join("touchstone");
        embedded::unpack(&parent).unwrap_or_else(|error| {
            let _ = writeln!(io::stderr(), "cannot write `{}`: {error}", parent.display());
            parent
        })
    };
    PLACE.get_or_init(place).clone()
}

/// A directory below `golden/`.
pub fn directory(name: &str) -> PathBuf {
    workspace().join("golden").join(name)
}

/// Every case file of a directory, in the order of their names. A directory that does not exist
/// holds none.
pub fn cases(directory: &Path) -> Result<Vec<(PathBuf, Case)>, GoldenError> {
    let list = |source| GoldenError::List { path: directory.to_owned(), source };
    let listing = match std::fs::read_dir(directory) {
        Ok(listing) => listing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(list(error)),
    };
    let mut paths = Vec::new();
    for entry in listing {
        let path = entry.map_err(list)?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            paths.push(path);
        }
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let case = Case::load(&path)?;
            // Files of errata are named after their erratum, whose id has a capital letter.
            let named = path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case(&case.id));
            if !named {
                return Err(GoldenError::Misnamed { path, id: case.id });
            }
            Ok((path, case))
        })
        .collect()
}

/// A name for a case that depends only on its contents: the group it belongs to, and a hash.
pub fn stable_name(group: &str, case: &Case) -> String {
    let nameless =
        Case { id: "x".to_owned(), title: String::new(), clauses: Vec::new(), ..case.clone() };
    let hash = xxhash_rust::xxh3::xxh3_64(nameless.to_yaml().as_bytes());
    format!("{group}-{:08x}", hash >> 32)
}

/// Writes a case into `directory`, reads it back, and says where it is.
pub fn store(directory: &Path, case: &Case) -> Result<PathBuf, GoldenError> {
    let path = case.store(directory)?;
    let read = Case::load(&path)?;
    // The written form decides: an empty file may be held in memory as no part or as an empty one.
    let same = read.to_yaml() == case.to_yaml() && read.world() == case.world();
    if same { Ok(path) } else { Err(GoldenError::Lossy { id: case.id.clone() }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Entry;

    fn case(id: &str) -> Case {
        Case::new(id, "a case", serde_json::json!({ "pattern": "foo" }))
            .with(Entry::file("a", "foo\n"))
    }

    #[test]
    fn the_workspace_contains_the_specification() {
        assert!(workspace().join("spec").is_dir());
    }

    #[test]
    fn a_stable_name_ignores_id_and_title() {
        let other = Case { title: "another title".to_owned(), ..case("two") };
        assert_eq!(stable_name("matching", &case("one")), stable_name("matching", &other));
        let different = case("one").with(Entry::file("b", ""));
        assert_ne!(stable_name("matching", &case("one")), stable_name("matching", &different));
    }

    #[test]
    fn stored_cases_are_listed_in_order() {
        let directory = tempfile::tempdir().unwrap();
        for id in ["two", "one"] {
            store(directory.path(), &case(id)).unwrap();
        }
        let ids: Vec<String> =
            cases(directory.path()).unwrap().into_iter().map(|(_, case)| case.id).collect();
        assert_eq!(ids, ["one", "two"]);
    }

    #[test]
    fn a_file_that_is_not_named_after_its_case_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = store(directory.path(), &case("one")).unwrap();
        std::fs::rename(&path, directory.path().join("other.yaml")).unwrap();
        assert!(matches!(cases(directory.path()), Err(GoldenError::Misnamed { .. })));
    }

    #[test]
    fn a_missing_directory_holds_no_cases() {
        assert_eq!(cases(Path::new("no/such/directory")).unwrap().len(), 0);
    }
}
