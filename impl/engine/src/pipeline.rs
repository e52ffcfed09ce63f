//! The pipeline: batches of eligible files go to worker threads, their outcomes come back in order.
//!
//! Workers take batches from the one source of files, the walker or a catalog, under a lock, so
//! batches are numbered in path order; a merger folds them in that order into the answer and says
//! when enough is known. Batches grow, so that an answer that fills early has looked at few files.
//! How many batches may be ahead of the merger is bounded.
//!
//! Nothing here depends on how many threads there are: outcomes are per file, and the fold is in
//! order.

use std::{
    collections::BTreeMap,
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use forge_search_core::{ToolError, collect::Item};

use crate::{
    account::Reservation,
    job::{Batches, Fold, Job, Scanner},
    walk::{Unread, WalkItem},
    worker::{BatchEnd, BatchOutcome, Worker},
};

/// Files in the first and in the largest batch, for the embedded backend.
const NATIVE_BATCH: (usize, usize) = (16, 128);
/// The same for one process per batch, whose start costs about as much as searching a hundred small
/// files.
const EXTERNAL_BATCH: (usize, usize) = (32, 8192);
/// The same if an index has excluded files: the remaining ones are likely to match, so few may be
/// enough.
const NARROWED_BATCH: (usize, usize) = (48, 1024);
const BATCH_GROWTH: usize = 4;
/// File bytes that fill a batch for the embedded backend, where sizes are known. Large files are
/// often adjacent, and one thread should not get them all.
const BATCH_FILE_BYTES: u64 = 1 << 20;
/// What a file costs that is known without reading, in bytes that are read.
const KNOWN_FILE_BYTES: u64 = 1 << 10;
/// Bytes of file names per process. Linux allows about 2 MiB of arguments, others less.
const ARGUMENT_BYTES: usize = if cfg!(target_os = "linux") { 1 << 20 } else { 24 << 10 };
/// Batches per thread that may be finished or in work ahead of the first unfinished one.
const BATCHES_AHEAD: usize = 4;

/// The source of files and problems, in order.
pub(crate) type Items<'s> = Box<dyn Iterator<Item = WalkItem> + Send + 's>;

/// A numbered run of walk items.
struct Batch {
    number: usize,
    items: Vec<WalkItem>,
    /// The deadline expired during the walk, after these items.
    deadline: bool,
}

/// The source of files, under one lock.
struct Source<'s> {
    items: Items<'s>,
    /// Eligible files handed out, excluded ones included.
    files: u64,
    next_number: usize,
    batch_size: usize,
    exhausted: bool,
    more_files: bool,
}

/// The fold, under the other lock.
struct Sink<'s, F: Fold> {
    fold: F,
    held: Reservation<'s>,
    waiting: BTreeMap<usize, BatchOutcome<F::Input>>,
    next_number: usize,
    ending: JobEnd,
    /// Why the backend's output cannot be trusted.
    malformed: Option<String>,
    over: bool,
}

struct Shared<'s, F: Fold> {
    source: Mutex<Source<'s>>,
    sink: Mutex<Sink<'s, F>>,
    merged: Condvar,
    stop: AtomicBool,
}

/// How a search ended, apart from its items.
#[derive(Clone, Debug, Default)]
pub(crate) struct JobEnd {
    /// Eligible files lie beyond `max_files`.
    pub(crate) more_files: bool,
    /// The deadline expired.
    pub(crate) timed_out: bool,
    /// A backend process failed after the folded files: exit code and standard error.
    pub(crate) backend_failure: Option<(Option<i32>, String)>,
}

impl Job<'_> {
    /// Runs the search and folds its outcomes. The error is a backend that failed before any
    /// outcome.
    pub(crate) fn run<S, F>(
        &self,
        items: Items<'_>,
        scanner: &S,
        fold: F,
    ) -> Result<(F, JobEnd), ToolError>
    where
        S: Scanner + Sync,
        F: Fold<Input = S::Output>,
    {
        let (first, _) = self.batch_sizes();
        let shared = Shared {
            source: Mutex::new(Source {
                items,
                files: 0,
                next_number: 0,
                batch_size: first,
                exhausted: false,
                more_files: false,
            }),
            sink: Mutex::new(Sink {
                fold,
                held: self.deadline.reservation(),
                waiting: BTreeMap::new(),
                next_number: 0,
                ending: JobEnd::default(),
                malformed: None,
                over: false,
            }),
            merged: Condvar::new(),
            stop: AtomicBool::new(false),
        };
        thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(|| self.work(&shared, scanner.clone()));
            }
            self.work(&shared, scanner.clone());
        });
        let source = shared.source.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut sink = shared.sink.into_inner().unwrap_or_else(PoisonError::into_inner);
        sink.ending.more_files = source.more_files;
        if let Some(why) = sink.malformed {
            return Err(ToolError::failed(
                "backend",
                format!("search backend cannot be trusted: {why}"),
            ));
        }
        if let Some((code, stderr)) = &sink.ending.backend_failure
            && sink.fold.is_empty()
        {
            let code = code.map_or_else(String::new, |code| format!(" with exit code {code}"));
            return Err(ToolError::failed(
                "backend",
                format!("search backend failed{code}: {}", stderr.trim()),
            ));
        }
        Ok((sink.fold, sink.ending))
    }

    fn batch_sizes(&self) -> (usize, usize) {
        match (self.batches, self.backend.is_external()) {
            (Batches::Single, _) => (1, 1),
            (_, false) => NATIVE_BATCH,
            (Batches::Narrowed, true) => NARROWED_BATCH,
            (Batches::Growing, true) => EXTERNAL_BATCH,
        }
    }

    /// One worker: takes batches until there are none or the answer is full.
    fn work<S: Scanner, F: Fold<Input = S::Output>>(&self, shared: &Shared<'_, F>, scanner: S) {
        let mut worker = Worker::new(self, scanner, &shared.stop);
        while let Some(batch) = self.next_batch(shared) {
            let mut done = worker.search(batch.items);
            if batch.deadline && matches!(done.end, BatchEnd::Whole) {
                done.end = BatchEnd::Deadline;
            }
            merge(shared, batch.number, done);
        }
    }

    fn next_batch<F: Fold>(&self, shared: &Shared<'_, F>) -> Option<Batch> {
        let mut source = shared.source.lock().unwrap_or_else(PoisonError::into_inner);
        {
            // The thread with the oldest batch never waits here, so the fold always advances.
            let mut sink = shared.sink.lock().unwrap_or_else(PoisonError::into_inner);
            while !sink.over
                && source.next_number >= sink.next_number + BATCHES_AHEAD * self.threads
            {
                sink = shared.merged.wait(sink).unwrap_or_else(PoisonError::into_inner);
            }
            if sink.over {
                return None;
            }
        }
        if source.exhausted {
            return None;
        }
        let batch = self.take(&mut source);
        if batch.items.is_empty() && !batch.deadline {
            return None;
        }
        source.next_number += 1;
        let (_, largest) = self.batch_sizes();
        source.batch_size = (source.batch_size * BATCH_GROWTH).min(largest);
        Some(batch)
    }

    /// The next batch of the walk. After the last permitted file the walk continues within one
    /// batch, to learn whether another exists: if none does, the problems after the last file
    /// belong to the answer.
    fn take(&self, source: &mut Source<'_>) -> Batch {
        let mut batch = Batch { number: source.next_number, items: Vec::new(), deadline: false };
        let most = if self.backend.is_external() { u64::MAX } else { BATCH_FILE_BYTES };
        let (mut bytes, mut to_read) = (0, 0_u64);
        loop {
            let room = self.max_files.saturating_sub(source.files);
            let capped = room == 0;
            let full = batch.items.len() >= source.batch_size
                || bytes >= ARGUMENT_BYTES
                || to_read >= most;
            if full && !capped {
                return batch;
            }
            batch.deadline = self.deadline.expired();
            if batch.deadline {
                source.exhausted = true;
                return batch;
            }
            match source.items.next() {
                None => {
                    source.exhausted = true;
                    return batch;
                }
                Some(WalkItem::File(_) | WalkItem::Unread(Unread { files: 1.., .. })) if capped => {
                    source.exhausted = true;
                    source.more_files = true;
                    batch.items.truncate(last_file(&batch.items));
                    return batch;
                }
                Some(WalkItem::Unread(unread)) => {
                    let files = unread.files;
                    let unread = unread.first(room);
                    source.files += unread.files;
                    to_read += unread.known.len() as u64 * KNOWN_FILE_BYTES;
                    batch.items.push(WalkItem::Unread(unread));
                    if files > room {
                        source.exhausted = true;
                        source.more_files = true;
                        return batch;
                    }
                }
                Some(WalkItem::Interrupted) => {
                    source.exhausted = true;
                    batch.deadline = true;
                    return batch;
                }
                Some(item) => {
                    if let WalkItem::File(file) = &item {
                        source.files += 1;
                        let size =
                            file.fingerprint.filter(|_| !file.binary).map_or(0, |found| found.size);
                        to_read = to_read.saturating_add(size);
                        // The name, its pointer and its terminator.
                        let elsewhere = file.opened_at.as_ref();
                        let longer = elsewhere
                            .map_or(0, |(root, path)| root.path().as_os_str().len() + path.len());
                        bytes += file.walked.len().max(longer) + 16;
                    }
                    batch.items.push(item);
                }
            }
        }
    }
}

/// The number of items up to the last file.
fn last_file(items: &[WalkItem]) -> usize {
    items
        .iter()
        .rposition(|item| matches!(item, WalkItem::File(_) | WalkItem::Unread(_)))
        .map_or(0, |at| at + 1)
}

/// Folds a finished batch, and those that waited for it.
fn merge<F: Fold>(shared: &Shared<'_, F>, number: usize, done: BatchOutcome<F::Input>) {
    let mut sink = shared.sink.lock().unwrap_or_else(PoisonError::into_inner);
    sink.waiting.insert(number, done);
    while !sink.over {
        let next = sink.next_number;
        let Some(done) = sink.waiting.remove(&next) else { break };
        sink.next_number += 1;
        let wants_more = done.items.into_iter().all(|item: Item<F::Input>| sink.fold.add(item));
        let held = sink.fold.held();
        let wants_more = sink.held.takes(held) && wants_more;
        if !wants_more {
            sink.over = true;
            continue;
        }
        match done.end {
            BatchEnd::Whole => {}
            BatchEnd::Deadline => {
                sink.ending.timed_out = true;
                sink.over = true;
            }
            BatchEnd::Malformed(why) => {
                sink.malformed = Some(why);
                sink.over = true;
            }
            BatchEnd::Failed(code, stderr) => {
                sink.ending.backend_failure = Some((code, stderr));
                sink.over = true;
            }
        }
    }
    if sink.over {
        sink.waiting.clear();
        shared.stop.store(true, Ordering::Relaxed);
    }
    shared.merged.notify_all();
}

#[cfg(test)]
mod tests;
