//! The scanners and folds of the agent's tools.

use std::time::{Duration, UNIX_EPOCH};

use forge_search_core::{
    ToolError,
    agent::{
        Page, find_files,
        grep::{self, FileLines},
    },
    collect::{Item, Outcome},
    error::Interrupted,
    pattern::Pattern,
    response::PathError,
    scan::Proposer,
};

use crate::{
    backend::NativeProposer,
    job::{Fold, Job, Scanner, proposes},
    walk::WalkItem,
    worker::place,
};

/// The scanner of `grep`.
#[derive(Clone)]
pub(super) struct GrepScanner {
    finder: grep::Finder,
    proposer: NativeProposer,
}

pub(super) fn grep_scanner(
    finder: grep::Finder,
    pattern: &Pattern,
) -> Result<GrepScanner, ToolError> {
    Ok(GrepScanner { finder, proposer: NativeProposer::new(pattern)? })
}

impl Scanner for GrepScanner {
    type Output = FileLines;

    const READS_ALL: bool = false;

    fn begin(&mut self) {
        self.finder.begin();
    }

    fn may_match(&mut self, lines: &[u8], go_on: &mut dyn FnMut() -> bool) -> bool {
        proposes(&mut self.proposer, lines, go_on)
    }

    fn scan(
        &mut self,
        text: &[u8],
        _walked: &[u8],
        proposer: Option<&mut dyn Proposer>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Outcome<FileLines>, Interrupted> {
        let proposer = proposer.unwrap_or(&mut self.proposer);
        self.finder.scan(text, proposer, go_on).map(Outcome::Searched)
    }

    fn lines(found: &FileLines) -> usize {
        found.count
    }

    fn is_omitted(found: &FileLines) -> bool {
        found.is_omitted()
    }
}

/// The fold of `grep`.
pub(super) struct GrepFold(pub(super) grep::Collector);

impl Fold for GrepFold {
    type Input = FileLines;

    fn add(&mut self, item: Item<FileLines>) -> bool {
        self.0.add(item)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The last second that has a year of four digits.
const LAST_SECOND: i64 = 253_402_300_799;

/// A time in UTC, cut to the second; none before 1970 or after 9999.
fn utc(nanoseconds: i64) -> Option<String> {
    let seconds = nanoseconds.div_euclid(1_000_000_000);
    let since = u64::try_from(seconds).ok().filter(|_| seconds <= LAST_SECOND)?;
    Some(humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_secs(since)).to_string())
}

/// Collects the paths of the path search.
pub(super) struct PathFold {
    page: Page,
    max_files: u64,
    pub(super) total: u64,
    pub(super) found: Vec<find_files::Found>,
    pub(super) errors: Vec<PathError>,
    /// The number of errors before the last file: later ones belong to the answer only if no other
    /// file follows (D6).
    errors_before: usize,
    pub(super) more_files: bool,
    pub(super) timed_out: bool,
}

impl PathFold {
    pub(super) fn new(page: Page, max_files: u64) -> Self {
        let (found, errors) = (Vec::new(), Vec::new());
        Self {
            page,
            max_files,
            total: 0,
            found,
            errors,
            errors_before: 0,
            more_files: false,
            timed_out: false,
        }
    }

    /// Takes the next item in order, unless there are too many files already.
    pub(super) fn add_unless_full(&mut self, item: WalkItem, job: &Job<'_>) {
        if !self.more_files {
            self.add(item, job);
        }
    }

    /// Takes the next item in order. `false` once there are too many files.
    pub(super) fn add(&mut self, item: WalkItem, job: &Job<'_>) -> bool {
        match item {
            WalkItem::File(_) if self.total >= self.max_files => {
                self.more_files = true;
                self.errors.truncate(self.errors_before);
            }
            WalkItem::File(file) => {
                let page = self.page.offset as u64..self.page.end() as u64;
                if page.contains(&self.total) {
                    // Shows the current attributes: the catalog may miss writes through other names
                    // of the file.
                    let (root, path) = place(job, &file);
                    let now = root.stat(path).ok().map(|stat| stat.fingerprint);
                    let now = now.or(file.fingerprint);
                    let modified = now.and_then(|now| utc(now.mtime_ns));
                    self.found.push(find_files::Found {
                        modified,
                        path: job.shown_file(&file.walked),
                        size_bytes: now.map(|now| now.size),
                        r#type: find_files::FileType::File,
                    });
                }
                self.total += 1;
                self.errors_before = self.errors.len();
            }
            WalkItem::Problem(error) => {
                let path = job.shown_place(&error.path);
                self.errors.push(PathError { path, error: error.why.to_owned() });
            }
            WalkItem::Interrupted => self.timed_out = true,
            WalkItem::Unread(_) | WalkItem::NotEntered => {}
        }
        !self.more_files
    }
}

#[cfg(test)]
mod tests;
