//! Small trees with an index, for the tests of its parts. No thread works for it, and its clock
//! stands still.

use std::{
    fs, io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use forge_search_core::index::settings::Settings;

use super::{
    Clock, Faults, IndexOptions, IndexUse, Point,
    coverage::Coverage,
    key::Key,
    root_index::{RootIndex, Setup},
};
use crate::{root::Root, sandbox::Sandbox};

/// The time of every index of a test.
pub(super) const NOW_MS: u64 = 7;

#[derive(Debug)]
struct Still;

impl Clock for Still {
    fn now_ms(&self) -> u64 {
        NOW_MS
    }
}

/// Counts how often one point is reached.
#[derive(Debug)]
pub(super) struct Counting(pub(super) Point, pub(super) AtomicUsize);

impl Faults for Counting {
    fn at(&self, point: Point) -> io::Result<()> {
        if point == self.0 {
            self.1.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// A tree, and a cache beside it.
pub(super) struct World {
    directory: tempfile::TempDir,
    pub(super) root: PathBuf,
    pub(super) settings: Settings,
    pub(super) options: IndexOptions,
}

impl World {
    pub(super) fn new(files: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(directory.path()).unwrap().join("tree");
        fs::create_dir(&root).unwrap();
        for file in files {
            fs::write(root.join(file), file).unwrap();
        }
        let mut settings = Settings::agent();
        directory.path().join("cache").to_str().unwrap().clone_into(&mut settings.index_path);
        let (using, clock) = (IndexUse::Stepped, Arc::new(Still));
        let options = IndexOptions { using, clock, ..IndexOptions::default() };
        Self { directory, root, settings, options }
    }

    /// The cache, which an index that is opened creates.
    pub(super) fn cache(&self) -> PathBuf {
        self.directory.path().join("cache")
    }

    /// An index that is not opened.
    pub(super) fn index(&self) -> RootIndex {
        let (root, settings, options) = (&self.root, &self.settings, &self.options);
        let sandbox = Arc::new(Sandbox::new(std::slice::from_ref(root), root).unwrap());
        let key = Key::new(root, settings);
        let coverage =
            Coverage::new(root, &sandbox, &Arc::default(), &key, &options.clock).unwrap();
        let (settings, roots, options) = (settings.clone(), vec![root.clone()], options.clone());
        RootIndex::new(Setup { key, settings, coverage, roots, options })
    }

    /// Adds a file of the tree to the catalog of an index, as pending.
    pub(super) fn put(&self, index: &RootIndex, file: &str) {
        let now = Root::open(&self.root).unwrap().stat(file.as_bytes()).unwrap().fingerprint;
        index.control().catalog_mut().files_mut().put(file.as_bytes(), now);
    }
}
