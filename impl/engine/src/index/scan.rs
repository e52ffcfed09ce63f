//! Scanning a tree or a part of it: every directory is watched, then listed; every file gets a
//! fingerprint (docs/index-service.md, section 4; E-C07, E-C28, E-C41).

use std::{collections::BTreeMap, io, sync::Arc, thread};

use forge_search_core::{
    cancellation::Cancellation,
    index::segment::{Catalog, Fingerprint, Row},
    text::TextKind,
};

use super::{
    catalog::{IgnoreFile, Rules},
    coverage::Coverage,
    fault::{Faults, Point},
    fingerprint::{RACY_PERIOD, is_open_for_writing},
    inputs::Moment,
    watch::{Watcher, is_limit},
};
use crate::{
    repository::REPOSITORY,
    root::{Entry, Kind, Proof, Root},
    rules::{self, DirRules, join},
    walk::{Observer, WalkError, WalkItem},
};

/// A directory of the index.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    pub(crate) rules: Arc<DirRules>,
    /// The fingerprint before it was listed.
    pub(crate) fingerprint: Fingerprint,
    /// Its times do not prove its names.
    pub(crate) racy: bool,
}

/// The result of a scan. Paths are relative to the index root.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// In order, without n-grams.
    pub(crate) files: Catalog,
    pub(crate) walk_errors: Vec<WalkError>,
    pub(crate) directories: BTreeMap<Vec<u8>, Directory>,
    /// The inputs of eligibility.
    pub(crate) rules: Rules,
    /// The proof that the file system of each device supports.
    pub(crate) proofs: BTreeMap<u64, Proof>,
    /// A directory could not be listed, or there are too many ignore rules to hold
    /// (`enumeration_failed`).
    pub(crate) incomplete: bool,
    /// A directory could not be watched.
    pub(crate) unwatched: Option<io::Error>,
    /// It was stopped; the result is void.
    pub(crate) stopped: bool,
}

/// Observes the walk of a scan.
struct ScanObserver<'e> {
    scan: Scan,
    coverage: &'e Coverage,
    /// The part that is scanned, below the index root.
    below: &'e [u8],
    watcher: Option<&'e Watcher>,
    faults: &'e dyn Faults,
    /// By entered directory.
    entered: BTreeMap<Vec<u8>, Entered>,
}

/// The fingerprint of a directory, whether that is racy, and if it is a repository, the fingerprint
/// of the exclude file.
type Entered = (Fingerprint, bool, Option<Option<Fingerprint>>);

impl ScanObserver<'_> {
    fn path(&self, walked: &[u8]) -> Vec<u8> {
        if walked.is_empty() { self.below.to_vec() } else { join(self.below, walked) }
    }
}

impl Observer for ScanObserver<'_> {
    fn enter(&mut self, root: &Root, real: &[u8], walked: &[u8]) {
        let path = self.path(walked);
        if let Some(watcher) = self.watcher
            && let Err(err) = watcher.add(&self.coverage.absolute(&path), &path)
        {
            // A missing or unreadable directory fails when it is listed.
            if is_limit(&err)
                || !matches!(
                    err.kind(),
                    io::ErrorKind::NotFound
                        | io::ErrorKind::PermissionDenied
                        | io::ErrorKind::NotADirectory
                )
            {
                self.scan.unwatched = Some(err);
            }
        }
        if let Err(err) = self.faults.at(Point::List) {
            self.scan.incomplete |= err.kind() != io::ErrorKind::PermissionDenied;
        }
        let fingerprint = root.stat(real).map(|stat| stat.fingerprint).unwrap_or_default();
        let racy = fingerprint.is_racy(self.coverage.clock.stamp_ns());
        let proof = || root.proof(real).unwrap_or_default();
        self.scan.proofs.entry(fingerprint.device).or_insert_with(proof);
        let is_repository =
            self.coverage.heeds_ignore_files() && root.stat(&join(real, REPOSITORY)).is_ok();
        let exclude = is_repository.then(|| {
            self.coverage.exclude(root.containing(real).ok().as_ref(), Moment::BeforeReading)
        });
        self.entered.insert(path, (fingerprint, racy, exclude));
    }

    fn listed(
        &mut self,
        walked: &[u8],
        rules: &Arc<DirRules>,
        entries: &[Entry],
        _patience: &Cancellation<'_>,
    ) {
        // The index would hold their rules.
        self.scan.incomplete |= self.coverage.rulebook.is_full();
        let path = self.path(walked);
        let (fingerprint, racy, exclude) = self.entered.remove(&path).unwrap_or_default();
        if self.coverage.heeds_ignore_files() {
            for entry in entries {
                match &*entry.name {
                    REPOSITORY => {
                        self.scan.rules.repositories.push(path.clone());
                        // One that has appeared since counts as changed.
                        let exclude = exclude.unwrap_or(Some(Fingerprint::default()));
                        self.scan.rules.inputs.push((self.coverage.exclude_file(&path), exclude));
                    }
                    name if entry.kind == Kind::File && rules::decides(name) => {
                        let path = join(&path, &entry.name);
                        let fingerprint = entry.fingerprint.as_deref().copied().unwrap_or_default();
                        // It has been read already; a writer may have changed it since.
                        let written = is_open_for_writing(&self.coverage.absolute(&path));
                        let proved =
                            !written && !fingerprint.is_racy(self.coverage.clock.stamp_ns());
                        let looked_at = written || fingerprint.links > 1;
                        self.scan.rules.files.push(IgnoreFile {
                            path,
                            fingerprint,
                            proved,
                            looked_at,
                        });
                    }
                    _ => {}
                }
            }
        }
        self.scan
            .directories
            .insert(path, Directory { rules: Arc::clone(rules), fingerprint, racy });
    }

    fn failed(&mut self, _walked: &[u8], err: &io::Error) {
        // Permission errors are recorded and probed by each call; a vanished directory hides
        // nothing (E-C27).
        let harmless = matches!(
            err.kind(),
            io::ErrorKind::PermissionDenied
                | io::ErrorKind::NotFound
                | io::ErrorKind::NotADirectory
        );
        self.scan.incomplete |= !harmless;
    }
}

/// Scans the part of the tree below a directory. `go_on` is called after every file with their
/// number, `stop` also between files; the result of a stopped scan is void.
///
/// An ignore file that every call checks needs times that prove its content: if one is racy, the
/// scan is repeated after a pause.
pub(crate) fn scan(
    coverage: &Coverage,
    below: &[u8],
    watcher: Option<&Watcher>,
    faults: &dyn Faults,
    stop: &(dyn Fn() -> bool + Sync),
    go_on: &mut dyn FnMut(u64) -> bool,
) -> io::Result<Scan> {
    let first = once(coverage, below, watcher, faults, stop, go_on)?;
    if first.stopped || !first.rules.files.iter().any(|file| file.looked_at && !file.proved) {
        return Ok(first);
    }
    thread::sleep(RACY_PERIOD);
    once(coverage, below, watcher, faults, stop, go_on)
}

fn once(
    coverage: &Coverage,
    below: &[u8],
    watcher: Option<&Watcher>,
    faults: &dyn Faults,
    stop: &(dyn Fn() -> bool + Sync),
    go_on: &mut dyn FnMut(u64) -> bool,
) -> io::Result<Scan> {
    let mut observer = ScanObserver {
        scan: Scan::default(),
        coverage,
        below,
        watcher,
        faults,
        entered: BTreeMap::new(),
    };
    // Before the walk reads them, so that later changes are detected.
    observer.scan.rules.inputs = coverage.inputs(&[], Moment::BeforeReading);
    let mut files = Catalog::default();
    let mut walk_errors = Vec::new();
    let mut stopped = false;
    for item in coverage.walk(below, &mut observer, stop)? {
        match item {
            WalkItem::File(file) => {
                // A file that vanished since its listing has no fingerprint and equals none.
                let path = if below.is_empty() { file.walked } else { join(below, &file.walked) };
                let fingerprint = file.fingerprint.unwrap_or_default();
                let (status, kind) = (None, TextKind::Unknown);
                files.push(&Row { path, fingerprint, status, kind, complete: false, racy: false });
                if !go_on(files.len().into()) {
                    stopped = true;
                    break;
                }
            }
            WalkItem::Problem(walk_error) => {
                let at = if walk_error.at.is_empty() {
                    below.to_vec()
                } else {
                    join(below, &walk_error.at)
                };
                walk_errors.push(WalkError { at, ..walk_error });
            }
            WalkItem::Interrupted => stopped = true,
            WalkItem::Unread(_) | WalkItem::NotEntered => {}
        }
    }
    observer.scan.rules.inputs.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(Scan { files, walk_errors, stopped, ..observer.scan })
}
