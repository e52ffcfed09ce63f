//! One file from disk to searched text: opened, measured, read whole within the size cap, decoded.

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

/// Files larger than this are looked through block by block before they are read whole, in bytes:
/// most hold nothing that is looked for, and a block stays in the processor's cache.
const BLOCK_BYTES: usize = 128 << 10;

/// Whoever scans a text may hold it a second time, its letters folded.
const COPIES: u64 = 2;

/// Reads files one after the other into one buffer, which grows to the largest file read whole,
/// within the cap and as far as there is room for it.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    buffer: Vec<u8>,
    filled: usize,
    held: Reservation<'a>,
}

/// A file's text, ready to be searched.
#[derive(Debug)]
pub(crate) struct Loaded<'b> {
    pub(crate) text: Cow<'b, [u8]>,
    /// The text is not the file's own bytes: what a backend says about lines does not apply.
    pub(crate) transcoded: bool,
}

/// Why a file has no text to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It is larger than permitted.
    Oversized,
    /// It is no text.
    Binary,
    /// It could not be read.
    Failed(&'static str),
}

impl<Found> From<Unread> for Outcome<Found> {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Oversized => Self::Oversized,
            Unread::Binary => Self::Binary,
            Unread::Failed(why) => Self::Failed(why),
        }
    }
}

/// Whether some line of a text may match.
pub(crate) type Promising<'p> = &'p mut dyn FnMut(&[u8]) -> bool;

impl<'a> Reader<'a> {
    /// Nothing has been read yet.
    pub(crate) fn new(held: Reservation<'a>) -> Self {
        Self { buffer: Vec::new(), filled: 0, held }
    }

    /// Reads a file of at most `cap` bytes. A large file in which no line is promising comes back
    /// without text. Where there is no room for it, the call is over, and what comes back is void.
    pub(crate) fn load(
        &mut self,
        root: &Root,
        path: &[u8],
        cap: u64,
        promising: Promising<'_>,
    ) -> Result<Loaded<'_>, Unread> {
        let (mut file, size) = root.open_file(path).map_err(|err| match root.size(path) {
            // What is too large would not have been opened.
            Ok(size) if size > cap => Unread::Oversized,
            _ => failed(&err),
        })?;
        if size > cap {
            return Err(Unread::Oversized);
        }
        if size > BLOCK_BYTES as u64 {
            if !self.look_through(&mut file, cap, promising)? {
                return Ok(Loaded { text: Cow::Borrowed(b""), transcoded: false });
            }
            file.rewind().map_err(|err| failed(&err))?;
        }
        self.fill(file, size, cap)?;
        let bytes = self.buffer.get(..self.filled).unwrap_or_default();
        let encoding = match text::encoding(bytes) {
            Encoding::Utf8 { skip } => {
                let text = bytes.get(skip..).unwrap_or_default();
                if text::is_binary(text) {
                    return Err(Unread::Binary);
                }
                return Ok(Loaded { text: Cow::Borrowed(text), transcoded: false });
            }
            Encoding::Utf16Le => encoding_rs::UTF_16LE,
            Encoding::Utf16Be => encoding_rs::UTF_16BE,
        };
        // Two bytes become three at most.
        let decoded = bytes.len() as u64 / 2 * 3;
        if !self.held.takes((self.buffer.len() as u64 + decoded) * COPIES) {
            return Err(Unread::Failed(problem::READ));
        }
        let (decoded, _) = encoding.decode_without_bom_handling(bytes.get(2..).unwrap_or_default());
        let text = decoded.into_owned().into_bytes();
        if text::is_binary(&text) {
            return Err(Unread::Binary);
        }
        Ok(Loaded { text: Cow::Owned(text), transcoded: true })
    }

    /// Whether a file has to be read whole: a line may match, or it cannot be told by blocks of
    /// whole lines.
    fn look_through(
        &mut self,
        file: &mut File,
        cap: u64,
        promising: Promising<'_>,
    ) -> Result<bool, Unread> {
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
                return Err(Unread::Oversized);
            }
            let ended = count == 0;
            if filled < BLOCK_BYTES && !ended {
                continue;
            }
            let block = self.buffer.get(..filled).unwrap_or_default();
            // The first block tells what kind of file it is.
            let skip = match start {
                Some(()) => 0,
                None => match text::encoding(block) {
                    Encoding::Utf8 { skip } => skip,
                    Encoding::Utf16Le | Encoding::Utf16Be => return Ok(true),
                },
            };
            let text = block.get(skip..).unwrap_or_default();
            if start.replace(()).is_none() && text::is_binary(text) {
                return Err(Unread::Binary);
            }
            if ended {
                return Ok(promising(text));
            }
            // A line longer than a block is looked at as part of the whole.
            let Some(end) = memrchr(b'\n', text).map(|lf| lf + 1) else { return Ok(true) };
            if promising(text.get(..end).unwrap_or_default()) {
                return Ok(true);
            }
            self.buffer.copy_within(skip + end..filled, 0);
            filled -= skip + end;
        }
    }

    fn fill(&mut self, mut file: File, size: u64, cap: u64) -> Result<(), Unread> {
        self.filled = 0;
        // One byte more than expected, so that the end shows without another look; a file that
        // grows is followed up to the cap.
        let mut wanted = usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1);
        loop {
            if self.buffer.len() < wanted {
                if !self.held.takes(wanted as u64 * COPIES) {
                    return Err(Unread::Failed(problem::READ));
                }
                self.buffer.resize(wanted, 0);
            }
            let space = self.buffer.get_mut(self.filled..).unwrap_or_default();
            match file.read(space) {
                Ok(0) => return Ok(()),
                Ok(count) => {
                    let short = count < space.len();
                    self.filled += count;
                    // A regular file of the size it was measured at ends here; asking again costs a
                    // system call a file.
                    if short && self.filled as u64 == size && size <= cap {
                        return Ok(());
                    }
                }
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) => return Err(failed(&err)),
            }
            if self.filled as u64 > cap {
                return Err(Unread::Oversized);
            }
            if self.is_plainly_binary() {
                return Err(Unread::Binary);
            }
            if self.filled == self.buffer.len() {
                wanted = self.filled.saturating_mul(2);
            }
        }
    }

    /// Whether what has been read settles the question, so that the rest of an archive need not be
    /// read.
    fn is_plainly_binary(&self) -> bool {
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

fn failed(err: &io::Error) -> Unread {
    Unread::Failed(reason(err))
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
