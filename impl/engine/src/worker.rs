//! One thread of the pipeline: turns a batch of walk items into outcomes, with the embedded backend
//! or a process over the batch.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use forge_search_core::{
    collect::{Item, Outcome},
    error::Interrupted,
    response::PathError,
    scan::Proposer,
};
use memchr::memchr;

use crate::{
    backend::Backend,
    job::{Job, Scanner},
    read::{Loaded, Reader},
    root::Root,
    walk::{FoundFile, Unread, WalkError, WalkItem},
};

#[cfg(feature = "backends")]
mod external;

/// The outcomes of a batch in order, complete or not.
pub(crate) struct BatchOutcome<T> {
    pub(crate) items: Vec<Item<T>>,
    pub(crate) end: BatchEnd,
}

/// How a batch ended.
pub(crate) enum BatchEnd {
    Whole,
    /// The deadline expired after these items.
    Deadline,
    /// The backend failed after these items: exit code and standard error.
    Failed(Option<i32>, String),
    /// The backend's output is malformed, so nothing of the answer can be trusted.
    Malformed(String),
}

/// The state of one thread.
pub(crate) struct Worker<'w, S> {
    job: &'w Job<'w>,
    scanner: S,
    reader: Reader<'w>,
    stop: &'w AtomicBool,
}

impl<'w, S: Scanner> Worker<'w, S> {
    pub(crate) fn new(job: &'w Job<'w>, scanner: S, stop: &'w AtomicBool) -> Self {
        let mut reader = Reader::new(job.deadline.reservation());
        reader.all_is_text = job.all_is_text;
        Self { job, scanner, reader, stop }
    }

    /// Searches a batch.
    pub(crate) fn search(&mut self, items: Vec<WalkItem>) -> BatchOutcome<S::Output> {
        let job = self.job;
        self.scanner.begin();
        match &job.backend {
            Backend::Native => self.search_natively(items),
            #[cfg(feature = "backends")]
            Backend::External(external) => self.search_externally(external, &items),
        }
    }

    fn search_natively(&mut self, items: Vec<WalkItem>) -> BatchOutcome<S::Output> {
        let mut done = Vec::with_capacity(items.len());
        for item in items {
            match item {
                WalkItem::Problem(error) => done.push(self.problem(&error)),
                WalkItem::Unread(unread) => {
                    if self.job.deadline.expired() {
                        return BatchOutcome { items: done, end: BatchEnd::Deadline };
                    }
                    done.push(self.unread(&unread));
                }
                WalkItem::NotEntered => done.push(Item::NotEntered),
                WalkItem::Interrupted => {
                    return BatchOutcome { items: done, end: BatchEnd::Deadline };
                }
                WalkItem::File(file) => match self.search_file(&file, None) {
                    Ok(outcome) => done.push(self.item(&file, outcome)),
                    Err(Interrupted) => {
                        return BatchOutcome { items: done, end: BatchEnd::Deadline };
                    }
                },
            }
        }
        BatchOutcome { items: done, end: BatchEnd::Whole }
    }

    /// Reads and scans one file; `lines` are the proposals of an external backend.
    fn search_file(
        &mut self,
        file: &FoundFile,
        lines: Option<&[u64]>,
    ) -> Result<Outcome<S::Output>, Interrupted> {
        let (stop, job) = (self.stop, self.job);
        let mut go_on = || !stop.load(Ordering::Relaxed) && !job.deadline.expired();
        if !go_on() {
            return Err(Interrupted);
        }
        let scanner = &mut self.scanner;
        let known = scanner.known_by_path(file);
        if known.is_none() && file.binary && !job.all_is_text {
            return Ok(Outcome::Binary);
        }
        job.deadline.count_files(1);
        if let Some(found) = known {
            return Ok(Outcome::Searched(found));
        }
        let (root, path) = place(self.job, file);
        // A file with proposals has to be read in any case.
        let mut may_match = |block: &[u8]| {
            lines.is_some_and(|lines| !lines.is_empty()) || scanner.may_match(block, &mut go_on)
        };
        let Loaded { text, transcoded } =
            match self.reader.load(root, path, job.max_file_size_bytes, &mut may_match) {
                Ok(loaded) => loaded,
                Err(_) if job.deadline.account.is_over() => return Err(Interrupted),
                Err(unread) => return Ok(unread.into()),
            };
        if let Some(lines) = lines.filter(|_| !transcoded) {
            let mut listed = ListedProposer { lines, number: 1, at: 0, given: 0, stale: false };
            let outcome = self.scanner.scan(&text, &file.walked, Some(&mut listed), &mut go_on)?;
            // A listed line that is missing or does not match may mean that the file changed after
            // the backend read it: the proposals are then void.
            let believed = match &outcome {
                Outcome::Searched(found) => !listed.stale && listed.given <= S::lines(found),
                _ => true,
            };
            if believed {
                return self.in_time(outcome);
            }
        }
        let outcome = self.scanner.scan(&text, &file.walked, None, &mut go_on)?;
        self.in_time(outcome)
    }

    /// A result that came after the deadline does not count.
    fn in_time(&mut self, outcome: Outcome<S::Output>) -> Result<Outcome<S::Output>, Interrupted> {
        if let Outcome::Searched(found) = &outcome {
            self.scanner.record(found);
        }
        if self.job.deadline.expired() { Err(Interrupted) } else { Ok(outcome) }
    }

    fn unread(&mut self, unread: &Unread) -> Item<S::Output> {
        let found = self.scanner.known(&mut unread.known.iter().map(|(_, place)| *place));
        Item::Unread { files: unread.files, found }
    }

    fn problem(&self, error: &WalkError) -> Item<S::Output> {
        let path = self.job.shown_place(&error.path);
        Item::Problem(PathError { path, error: error.why.to_owned() })
    }

    fn item(&self, file: &FoundFile, outcome: Outcome<S::Output>) -> Item<S::Output> {
        // Most files have no matches, and their paths are never shown.
        let silent = matches!(&outcome, Outcome::Searched(found) if S::is_omitted(found));
        Item::File {
            path: if silent { String::new() } else { self.job.shown_file(&file.walked) },
            outcome,
        }
    }
}

/// The place to open a file: a root and a path below it without links.
pub(crate) fn place<'f>(job: &'f Job<'_>, file: &'f FoundFile) -> (&'f Root, &'f [u8]) {
    match &file.opened_at {
        Some((root, path)) => (Arc::as_ref(root), path),
        None => (Arc::as_ref(&job.base), &file.walked),
    }
}

/// Proposes listed lines.
struct ListedProposer<'l> {
    /// The lines not yet proposed, ascending.
    lines: &'l [u64],
    /// The number of the line that starts at `at`.
    number: u64,
    at: usize,
    /// Number of lines proposed.
    given: usize,
    /// A listed line does not exist in the text.
    stale: bool,
}

impl Proposer for ListedProposer<'_> {
    fn next(
        &mut self,
        text: &[u8],
        _from: usize,
        _go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<usize>, Interrupted> {
        let Some((&wanted, rest)) = self.lines.split_first() else { return Ok(None) };
        while self.number < wanted {
            let Some(lf) = text.get(self.at..).and_then(|tail| memchr(b'\n', tail)) else {
                self.stale = true;
                return Ok(None);
            };
            self.at += lf + 1;
            self.number += 1;
        }
        if self.at >= text.len() {
            self.stale = true;
            return Ok(None);
        }
        self.lines = rest;
        self.given += 1;
        Ok(Some(self.at))
    }
}
