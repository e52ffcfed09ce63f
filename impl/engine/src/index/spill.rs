//! Postings of a build, spilled to disk until they are merged, so that memory does not grow with
//! the tree.
//!
//! Invariant: the file has no name, so it disappears with the process.

use std::{
    fs::File,
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use forge_search_core::index::segment::{Block, Blocks, Fault};

/// Bytes of postings that a build keeps in memory before it writes the next ones to disk.
const KEPT_BYTES: u64 = 8 << 20;

/// Holds the postings of a build's batches.
#[derive(Debug)]
pub(crate) struct Spill {
    /// `None` if there is no directory.
    file: Option<Arc<File>>,
    /// Bytes written or reserved.
    end: AtomicU64,
    kept: AtomicU64,
    most: u64,
}

/// The blocks of one batch in the file.
#[derive(Debug)]
struct Spilled {
    file: Arc<File>,
    /// The offsets of the blocks, and the end of the last.
    bounds: Vec<u64>,
}

impl Spill {
    /// Everything stays in memory.
    pub(crate) fn none() -> Self {
        Self::above(u64::MAX, None)
    }

    /// Postings stay in memory up to `KEPT_BYTES`; what comes after goes to a file in `directory`.
    pub(crate) fn in_directory(directory: &Path) -> Self {
        Self::above(KEPT_BYTES, Some(directory))
    }

    fn above(most: u64, directory: Option<&Path>) -> Self {
        // Without the file the build only takes more memory.
        let file =
            directory.and_then(|directory| tempfile::tempfile_in(directory).ok()).map(Arc::new);
        Self { file, end: AtomicU64::new(0), kept: AtomicU64::new(0), most }
    }

    /// Bytes of postings in memory so far.
    pub(crate) fn kept(&self) -> u64 {
        self.kept.load(Ordering::Relaxed)
    }

    /// The blocks of a batch, in memory or in the file, and their bytes in memory.
    pub(crate) fn hold(&self, blocks: Vec<Block>) -> (Arc<dyn Blocks>, u64) {
        let bytes = blocks.iter().map(|block| block.bytes.len() as u64).sum();
        if self.kept.fetch_add(bytes, Ordering::Relaxed) + bytes > self.most
            && let Some(file) = &self.file
        {
            // If the disk is full, the blocks stay in memory.
            if let Ok(spilled) = self.write(file, &blocks, bytes) {
                self.kept.fetch_sub(bytes, Ordering::Relaxed);
                return (Arc::new(spilled), 0);
            }
        }
        let kept: Vec<Arc<[u8]>> = blocks.into_iter().map(|block| Arc::from(block.bytes)).collect();
        (Arc::new(kept), bytes)
    }

    fn write(&self, file: &Arc<File>, blocks: &[Block], bytes: u64) -> io::Result<Spilled> {
        let mut bounds = Vec::with_capacity(blocks.len() + 1);
        let mut at = self.end.fetch_add(bytes, Ordering::Relaxed);
        for block in blocks {
            bounds.push(at);
            write_at(file, &block.bytes, at)?;
            at += block.bytes.len() as u64;
        }
        bounds.push(at);
        Ok(Spilled { file: Arc::clone(file), bounds })
    }
}

impl Blocks for Spilled {
    fn block(&self, number: usize) -> Result<Arc<[u8]>, Fault> {
        let (Some(from), Some(to)) = (self.bounds.get(number), self.bounds.get(number + 1)) else {
            return Err(Fault::Malformed("a directory of blocks"));
        };
        let length =
            usize::try_from(to - from).map_err(|_| Fault::Malformed("a block's length"))?;
        let mut bytes = vec![0; length];
        read_at(&self.file, &mut bytes, *from).map_err(|err| Fault::Unreadable(err.to_string()))?;
        Ok(Arc::from(bytes))
    }
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(not(unix))]
fn write_at(_file: &File, _bytes: &[u8], _at: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn read_at(_file: &File, _bytes: &mut [u8], _at: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use forge_search_core::index::segment::Inverter;

    use super::*;

    fn blocks() -> Vec<Block> {
        let mut inverter = Inverter::new(3);
        let grams: Vec<_> = (0..20_000_u64)
            .filter_map(|word| forge_search_core::index::gram::Gram::from_stored(word * 31))
            .collect();
        for file in 0..10 {
            inverter.add(file, &grams);
        }
        inverter.finish(10).unwrap()
    }

    #[test]
    fn blocks_beyond_the_limit_are_read_back_from_an_unnamed_file() {
        let directory = tempfile::tempdir().unwrap();
        let all = blocks();
        let bytes: u64 = all.iter().map(|block| block.bytes.len() as u64).sum();
        let spill = Spill::above(bytes, Some(directory.path()));
        let held = [1, 2, 3].map(|_| spill.hold(all.clone()));
        assert_eq!(held.each_ref().map(|(_, kept)| *kept), [bytes, 0, 0]);
        let less = Spill::above(bytes - 1, Some(directory.path()));
        assert_eq!(less.hold(all.clone()).1, 0, "one batch is too much");
        for (blocks, _) in &held {
            for (number, block) in all.iter().enumerate() {
                assert_eq!(*blocks.block(number).unwrap(), *block.bytes);
            }
            assert!(blocks.block(all.len()).is_err());
        }
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
    }

    #[test]
    fn blocks_stay_in_memory_without_a_directory() {
        let all = blocks();
        let bytes: u64 = all.iter().map(|block| block.bytes.len() as u64).sum();
        let (held, kept) = Spill::above(0, None).hold(all.clone());
        assert_eq!((held.block(0).unwrap().to_vec(), kept), (all[0].bytes.clone(), bytes));
    }
}
