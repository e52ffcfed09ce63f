//! Reads one file into searched text: opened, measured, read within the size cap, decoded.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read, Seek},
};

use forge_search_core::{
    collect::{Outcome, problem},
    text::{self, BINARY_WINDOW, Encoding},
};

use memchr::memrchr;

use crate::{account::Reservation, root::Root};

/// Larger files are checked block by block before they are read whole, in bytes. Most hold no
/// match, and a block stays in the processor's cache.
const BLOCK_BYTES: usize = 128 << 10;

/// A scanner may hold a second copy of the text, case-folded.
const COPIES: u64 = 2;

/// Reads files one after the other into one buffer, which grows to the largest file read whole,
/// within the cap and the call's account.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    buffer: Vec<u8>,
    filled: usize,
    held: Reservation<'a>,
    /// Binary files are searched like text.
    pub(crate) all_is_text: bool,
}

/// A file's decoded text.
#[derive(Debug)]
pub(crate) struct Loaded<'b> {
    pub(crate) text: Cow<'b, [u8]>,
    /// The text differs from the file's bytes, so line numbers of a backend do not apply.
    pub(crate) transcoded: bool,
}

/// Why a file has no text to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsearchable {
    /// Larger than `max_file_size_bytes`.
    Oversized,
    Binary,
    /// The message says why.
    Failed(&'static str),
}

impl<Found> From<Unsearchable> for Outcome<Found> {
    fn from(unread: Unsearchable) -> Self {
        match unread {
            Unsearchable::Oversized => Self::Oversized,
            Unsearchable::Binary => Self::Binary,
            Unsearchable::Failed(why) => Self::Failed(why),
        }
    }
}

/// Whether some line of a text may match.
pub(crate) type MayMatch<'p> = &'p mut dyn FnMut(&[u8]) -> bool;

impl<'a> Reader<'a> {
    pub(crate) fn new(held: Reservation<'a>) -> Self {
        Self { buffer: Vec::new(), filled: 0, held, all_is_text: false }
    }

    /// Reads a file of at most `cap` bytes. A large file without a promising line gives an empty
    /// text. If the file does not fit into the account, the call is over and the result is void.
    pub(crate) fn load(
        &mut self,
        root: &Root,
        path: &[u8],
        cap: u64,
        may_match: MayMatch<'_>,
    ) -> Result<Loaded<'_>, Unsearchable> {
        let (mut file, size) = root.open_file(path).map_err(|err| match root.size(path) {
            // The size cap is checked before the file is opened.
            Ok(size) if size > cap => Unsearchable::Oversized,
            _ => failed(&err),
        })?;
        if size > cap {
            return Err(Unsearchable::Oversized);
        }
        if size > BLOCK_BYTES as u64 {
            if !self.scan_blocks(&mut file, cap, may_match)? {
                return Ok(Loaded { text: Cow::Borrowed(b""), transcoded: false });
            }
            file.rewind().map_err(|err| failed(&err))?;
        }
        self.fill(file, size, cap)?;
        let bytes = self.buffer.get(..self.filled).unwrap_or_default();
        let encoding = match text::encoding(bytes) {
            Encoding::Utf8 { skip } => {
                let text = bytes.get(skip..).unwrap_or_default();
                if !self.all_is_text && text::is_binary(text) {
                    return Err(Unsearchable::Binary);
                }
                return Ok(Loaded { text: Cow::Borrowed(text), transcoded: false });
            }
            Encoding::Utf16Le => encoding_rs::UTF_16LE,
            Encoding::Utf16Be => encoding_rs::UTF_16BE,
        };
        // Two bytes of UTF-16 become at most three of UTF-8.
        let decoded = bytes.len() as u64 / 2 * 3;
        if !self.held.takes((self.buffer.len() as u64 + decoded) * COPIES) {
            return Err(Unsearchable::Failed(problem::READ));
        }
        let (decoded, _) = encoding.decode_without_bom_handling(bytes.get(2..).unwrap_or_default());
        let text = decoded.into_owned().into_bytes();
        if !self.all_is_text && text::is_binary(&text) {
            return Err(Unsearchable::Binary);
        }
        Ok(Loaded { text: Cow::Owned(text), transcoded: true })
    }

    /// Whether a file must be read whole: a line may match, or blocks of whole lines cannot tell.
    fn scan_blocks(
        &mut self,
        file: &mut File,
        cap: u64,
        may_match: MayMatch<'_>,
    ) -> Result<bool, Unsearchable> {
        if self.buffer.len() < BLOCK_BYTES {
            self.buffer.resize(BLOCK_BYTES, 0);
        }
        let (mut filled, mut total, mut start) = (0, 0_u64, None);
        loop {
            let space = self.buffer.get_mut(filled..BLOCK_BYTES).unwrap_or_default();
            let count = match file.read(space) {
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(|err| failed(&err))?,
            };
            filled += count;
            total += count as u64;
            if total > cap {
                return Err(Unsearchable::Oversized);
            }
            let ended = count == 0;
            if filled < BLOCK_BYTES && !ended {
                continue;
            }
            let block = self.buffer.get(..filled).unwrap_or_default();
            // The first block decides the kind of file.
            let skip = match start {
                Some(()) => 0,
                None => match text::encoding(block) {
                    Encoding::Utf8 { skip } => skip,
                    Encoding::Utf16Le | Encoding::Utf16Be => return Ok(true),
                },
            };
            let text = block.get(skip..).unwrap_or_default();
            let first = start.replace(()).is_none();
            if first && !self.all_is_text && text::is_binary(text) {
                return Err(Unsearchable::Binary);
            }
            if ended {
                return Ok(may_match(text));
            }
            // A line that is longer than a block is checked with the whole file.
            let Some(end) = memrchr(b'\n', text).map(|lf| lf + 1) else { return Ok(true) };
            if may_match(text.get(..end).unwrap_or_default()) {
                return Ok(true);
            }
            self.buffer.copy_within(skip + end..filled, 0);
            filled -= skip + end;
        }
    }

    fn fill(&mut self, mut file: File, size: u64, cap: u64) -> Result<(), Unsearchable> {
        self.filled = 0;
        // One byte more than expected, to detect the end without another read. A file that grows is
        // read up to the cap.
        let mut wanted = usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1);
        loop {
            if self.buffer.len() < wanted {
                if !self.held.takes(wanted as u64 * COPIES) {
                    return Err(Unsearchable::Failed(problem::READ));
                }
                self.buffer.resize(wanted, 0);
            }
            let space = self.buffer.get_mut(self.filled..).unwrap_or_default();
            match file.read(space) {
                Ok(0) => return Ok(()),
                Ok(count) => {
                    let short = count < space.len();
                    self.filled += count;
                    // A regular file of the measured size ends here; another read would cost a
                    // system call per file.
                    if short && self.filled as u64 == size && size <= cap {
                        return Ok(());
                    }
                }
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) => return Err(failed(&err)),
            }
            if self.filled as u64 > cap {
                return Err(Unsearchable::Oversized);
            }
            if self.is_plainly_binary() {
                return Err(Unsearchable::Binary);
            }
            if self.filled == self.buffer.len() {
                wanted = self.filled.saturating_mul(2);
            }
        }
    }

    /// Whether the file is binary by what has been read, so that the rest need not be read.
    fn is_plainly_binary(&self) -> bool {
        if self.all_is_text {
            return false;
        }
        let bytes = self.buffer.get(..self.filled).unwrap_or_default();
        match text::encoding(bytes) {
            Encoding::Utf8 { skip } => {
                bytes.len() >= skip + BINARY_WINDOW
                    && text::is_binary(bytes.get(skip..).unwrap_or_default())
            }
            Encoding::Utf16Le | Encoding::Utf16Be => false,
        }
    }
}

fn failed(err: &io::Error) -> Unsearchable {
    Unsearchable::Failed(reason(err))
}

/// Why a file could not be read, from the closed list of messages.
pub(crate) fn reason(err: &io::Error) -> &'static str {
    match err.kind() {
        io::ErrorKind::PermissionDenied => problem::PERMISSION,
        io::ErrorKind::NotFound => problem::NOT_FOUND,
        _ => problem::READ,
    }
}

#[cfg(test)]
mod tests;
