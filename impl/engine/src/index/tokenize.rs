//! Reading files for their n-grams, in batches, on as many threads as the settings leave
//! (FR-LSI-BG-20, FR-LSI-BG-30..32, E-C11, E-C40).

use std::{
    fs::File,
    io::{self, Read},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use forge_search_core::{
    index::{
        gram::Gram,
        segment::{Fault, Fingerprint, Inverter},
        tokens::{TokenStatus, Tokenizer},
    },
    text::TextKind,
};

use forge_search_sys::{Writers, writers};

use super::{
    catalog::UnindexedFile,
    fault::{Point, Sabotage},
    root_index::RootIndex,
    segment::{Batch, TokenizedFile, pack},
    spill::Spill,
};
use crate::root::{Root, of_file};

/// Limits of a batch in files and bytes, so that its n-grams take some tens of megabytes at most.
const BATCH_FILES: usize = 512;
const BATCH_BYTES: u64 = 8 << 20;
/// Of files larger than this, one is in memory at a time, over all threads.
const LARGE_BYTES: u64 = 64 << 20;
/// Most bytes of a buffer that a thread keeps for the next file.
const KEPT_BUFFER: usize = 1 << 20;
/// How long a file must be unchanged if the system cannot report writers.
const PAUSE_NS: i64 = 2_000_000_000;
/// Added to the nice value of the indexer's threads.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Cuts files into batches.
pub(crate) fn batches(files: &[UnindexedFile]) -> Vec<&[UnindexedFile]> {
    let mut batches = Vec::new();
    let (mut from, mut bytes) = (0, 0);
    for (at, file) in files.iter().enumerate() {
        let size = file.fingerprint().size;
        if at > from && (at - from >= BATCH_FILES || bytes + size > BATCH_BYTES) {
            batches.extend(files.get(from..at));
            (from, bytes) = (at, 0);
        }
        bytes += size;
    }
    batches.extend(files.get(from..).filter(|rest| !rest.is_empty()));
    batches
}

/// How fast batches are processed.
pub(crate) struct Pace<'p> {
    pub(crate) threads: usize,
    /// The pause after a batch, by its duration.
    pub(crate) rest: Box<dyn Fn(Duration) -> Duration + Sync + 'p>,
}

/// Tokenizes batches; results are in order. `went_on` is called after each batch with its files and
/// bytes; after it returned `false` the remaining batches are empty.
pub(crate) fn tokenize(
    index: &RootIndex,
    batches: &[&[UnindexedFile]],
    pace: &Pace<'_>,
    spill: &Spill,
    went_on: &(dyn Fn(u64, u64) -> bool + Sync),
) -> Result<Vec<Batch>, Fault> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Batch>>> = Mutex::new(batches.iter().map(|_| None).collect());
    let failed: Mutex<Option<Fault>> = Mutex::new(None);
    let stop = std::sync::atomic::AtomicBool::new(false);
    let large = Mutex::new(());
    let work = || {
        let mut worker = match Worker::new(index, &large) {
            Ok(worker) => worker,
            Err(err) => {
                *failed.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(Fault::Unreadable(err.to_string()));
                return;
            }
        };
        while !stop.load(Ordering::Relaxed) && !index.halted() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(batch) = batches.get(number) else { return };
            let started = Instant::now();
            match worker.batch(batch, spill) {
                Ok((learnt, bytes)) => {
                    if let Some(slot) =
                        done.lock().unwrap_or_else(PoisonError::into_inner).get_mut(number)
                    {
                        *slot = Some(learnt);
                    }
                    if !went_on(batch.len() as u64, bytes) {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
                Err(fault) => {
                    *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault);
                    stop.store(true, Ordering::Relaxed);
                }
            }
            // A pause that outlasts the time of a shutdown would cost what has been read.
            index.rest((pace.rest)(started.elapsed()));
        }
    };
    if pace.threads <= 1 {
        work();
    } else {
        thread::scope(|scope| {
            for _ in 0..pace.threads.min(batches.len()) {
                scope.spawn(|| {
                    lower_priority();
                    work();
                });
            }
        });
    }
    if let Some(fault) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(fault);
    }
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let done = done.into_iter().zip(batches);
    Ok(done.map(|(done, batch)| done.unwrap_or_else(|| Batch::unread(batch.len()))).collect())
}

/// Lowers the priority of this thread.
pub(crate) fn lower_priority() {
    // If the user's limits forbid it, the priority stays.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, NICE);
}

/// The state of one thread.
struct Worker<'i> {
    index: &'i RootIndex,
    /// Held while a large file is in memory.
    large: &'i Mutex<()>,
    reader: ProvedReader<'i>,
    tokenizer: Tokenizer,
    inverter: Inverter,
}

impl<'i> Worker<'i> {
    fn new(index: &'i RootIndex, large: &'i Mutex<()>) -> io::Result<Self> {
        Ok(Self {
            index,
            large,
            reader: ProvedReader::new(index, Point::ReadFile)?,
            tokenizer: Tokenizer::new(index.key.tokens),
            inverter: Inverter::new(index.key.tokens.ngram),
        })
    }

    /// Tokenizes a batch. Also returns the bytes of the tokenized files. Files that changed since
    /// the view are skipped.
    fn batch(&mut self, batch: &[UnindexedFile], spill: &Spill) -> Result<(Batch, u64), Fault> {
        let mut files = vec![None; batch.len()];
        let mut filters = Vec::new();
        let (mut read, mut bytes) = (0, 0);
        for (file, learnt) in batch.iter().zip(&mut files) {
            if !self.index.may_continue() {
                break;
            }
            let seen = file.fingerprint();
            let Some((new, mut grams)) = self.alone_if_large(file.path(), seen) else { continue };
            if self.index.is_sabotaged(Sabotage::LastGram) {
                grams.pop();
            }
            if self.index.key.packed {
                filters.push(pack(&grams, &self.index.key));
            } else {
                self.inverter.add(read, &grams);
            }
            read += 1;
            bytes += if new.status == Some(TokenStatus::Full) { seen.size } else { 0 };
            *learnt = Some(new);
        }
        if self.index.key.packed {
            return Ok((Batch::packed(files, filters), bytes));
        }
        let blocks = self.inverter.finish(read)?;
        Ok((Batch::held(files, blocks, spill), bytes))
    }

    /// One file. A large one leaves no buffers behind.
    fn alone_if_large(
        &mut self,
        path: &[u8],
        seen: Fingerprint,
    ) -> Option<(TokenizedFile, Vec<Gram>)> {
        if seen.size <= LARGE_BYTES {
            return self.file(path, seen);
        }
        let _alone = self.large.lock().unwrap_or_else(PoisonError::into_inner);
        let found = self.file(path, seen);
        self.reader.buffer = Vec::new();
        found
    }

    /// One file; `None` if it differs from the view, which its event will report, or has a writer.
    fn file(&mut self, path: &[u8], seen: Fingerprint) -> Option<(TokenizedFile, Vec<Gram>)> {
        let racy = match self.reader.read(path, seen) {
            ReadFile::Whole { racy } => racy,
            ReadFile::Unread(learnt) => return Some((learnt, Vec::new())),
            ReadFile::Differs => return None,
        };
        let tokens = self.tokenizer.tokenize(&self.reader.buffer);
        let (status, complete) = (Some(tokens.status), tokens.complete);
        let kind = TextKind::of(&self.reader.buffer);
        Some((TokenizedFile { status, kind, complete, racy }, tokens.grams))
    }
}

/// What reading a file came to.
pub(super) enum ReadFile {
    /// Its bytes are in the buffer. `racy` if its times prove nothing.
    Whole { racy: bool },
    /// It is not to be read, or cannot be.
    Unread(TokenizedFile),
    /// It differs from what was seen, or has a writer.
    Differs,
}

/// Reads files of which it is proved that what is read is what was seen.
pub(super) struct ProvedReader<'i> {
    index: &'i RootIndex,
    /// Where reading is made to fail.
    point: Point,
    root: Root,
    pub(super) buffer: Vec<u8>,
}

impl<'i> ProvedReader<'i> {
    pub(super) fn new(index: &'i RootIndex, point: Point) -> io::Result<Self> {
        Ok(Self { index, point, root: index.coverage.open()?, buffer: Vec::new() })
    }

    /// Reads a file that had this fingerprint.
    pub(super) fn read(&mut self, path: &[u8], seen: Fingerprint) -> ReadFile {
        let unread = |status, racy| {
            let (kind, complete) = (TextKind::Unknown, false);
            ReadFile::Unread(TokenizedFile { status, kind, complete, racy })
        };
        // A name with a line break has no postings, so the file stays a candidate (FR-LSI-BE-UG-03,
        // E-B05).
        if path.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
            return unread(None, false);
        }
        if seen.size > self.index.key.tokens.max_bytes {
            let racy = seen.is_racy(self.index.options.clock.stamp_ns());
            return unread(Some(TokenStatus::SkippedTooLarge), racy);
        }
        if self.index.options.faults.at(self.point).is_err() {
            return ReadFile::Differs;
        }
        let started = self.index.options.clock.stamp_ns();
        let (mut file, _) = match self.root.open_file(path) {
            Ok(opened) => opened,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return ReadFile::Differs,
            // A file that cannot be read cannot be excluded.
            Err(_) => return unread(None, false),
        };
        let is_seen = |file: &File| of_file(file).is_ok_and(|now| now == seen);
        let writers_before = writers(&file);
        if !is_seen(&file) || writers_before == Writers::Some {
            // One that has a writer is tried again.
            return ReadFile::Differs;
        }
        self.buffer.clear();
        self.buffer.shrink_to(KEPT_BUFFER);
        let limit = self.index.key.tokens.max_bytes.saturating_add(1);
        if (&mut file).take(limit).read_to_end(&mut self.buffer).is_err() {
            return unread(None, false);
        }
        if !is_seen(&file) || self.buffer.len() as u64 != seen.size {
            return ReadFile::Differs;
        }
        match writers(&file) {
            Writers::Some => ReadFile::Differs,
            Writers::None if writers_before == Writers::None => {
                ReadFile::Whole { racy: seen.is_racy(started) }
            }
            // The system may not report writers; then only times that are old enough prove the
            // content.
            Writers::None | Writers::Unknown => {
                ReadFile::Whole { racy: seen.is_racy(started.saturating_sub(PAUSE_NS)) }
            }
        }
    }
}

#[cfg(test)]
mod tests;
