//! One file from disk to searched text: opened, measured, read whole within the size cap, decoded.

use std::{borrow::Cow, fs::File, io, io::Read};

use forge_search_core::{
    collect::{Outcome, problem},
    text::{self, BINARY_WINDOW, Encoding},
};

use crate::root::Root;

/// Reads files one after the other into one buffer, which grows to the largest file seen, within the cap.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    buffer: Vec<u8>,
    filled: usize,
}

/// A file's text, ready to be searched.
#[derive(Debug)]
pub(crate) struct Loaded<'b> {
    pub(crate) text: Cow<'b, [u8]>,
    /// The text is not the file's own bytes: what a backend says about lines does not apply.
    pub(crate) transcoded: bool,
}

impl Reader {
    /// Reads a file of at most `cap` bytes. The error is what becomes of the file instead.
    pub(crate) fn load(&mut self, root: &Root, path: &[u8], cap: u64) -> Result<Loaded<'_>, Outcome> {
        let (file, size) = root.open_file(path).map_err(|err| Outcome::Failed(reason(&err)))?;
        if size > cap {
            return Err(Outcome::Oversized);
        }
        self.fill(file, size, cap)?;
        let bytes = self.buffer.get(..self.filled).unwrap_or_default();
        let encoding = match text::encoding(bytes) {
            Encoding::Utf8 { skip } => {
                let text = bytes.get(skip..).unwrap_or_default();
                if text::is_binary(text) {
                    return Err(Outcome::Binary);
                }
                return Ok(Loaded { text: Cow::Borrowed(text), transcoded: false });
            }
            Encoding::Utf16Le => encoding_rs::UTF_16LE,
            Encoding::Utf16Be => encoding_rs::UTF_16BE,
        };
        let (decoded, _) = encoding.decode_without_bom_handling(bytes.get(2..).unwrap_or_default());
        let text = decoded.into_owned().into_bytes();
        if text::is_binary(&text) {
            return Err(Outcome::Binary);
        }
        Ok(Loaded { text: Cow::Owned(text), transcoded: true })
    }

    fn fill(&mut self, mut file: File, size: u64, cap: u64) -> Result<(), Outcome> {
        self.filled = 0;
        // One byte more than expected, so that the end shows without another look; a file that grows is followed up to the cap.
        let mut wanted = usize::try_from(size).unwrap_or(usize::MAX).saturating_add(1);
        loop {
            if self.buffer.len() < wanted {
                self.buffer.resize(wanted, 0);
            }
            let space = self.buffer.get_mut(self.filled..).unwrap_or_default();
            match file.read(space) {
                Ok(0) => return Ok(()),
                Ok(count) => {
                    let short = count < space.len();
                    self.filled += count;
                    // A regular file of the size it was measured at ends here; asking again costs a system call a file.
                    if short && self.filled as u64 == size && size <= cap {
                        return Ok(());
                    }
                }
                Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
                Err(err) => return Err(Outcome::Failed(reason(&err))),
            }
            if self.filled as u64 > cap {
                return Err(Outcome::Oversized);
            }
            if self.is_plainly_binary() {
                return Err(Outcome::Binary);
            }
            if self.filled == self.buffer.len() {
                wanted = self.filled.saturating_mul(2);
            }
        }
    }

    /// Whether what has been read settles the question, so that the rest of an archive need not be read.
    fn is_plainly_binary(&self) -> bool {
        let bytes = self.buffer.get(..self.filled).unwrap_or_default();
        match text::encoding(bytes) {
            Encoding::Utf8 { skip } => {
                bytes.len() >= skip + BINARY_WINDOW && text::is_binary(bytes.get(skip..).unwrap_or_default())
            }
            Encoding::Utf16Le | Encoding::Utf16Be => false,
        }
    }
}

/// Why a file could not be read, from the closed list of messages.
pub(crate) fn reason(err: &io::Error) -> &'static str {
    match err.kind() {
        io::ErrorKind::PermissionDenied => problem::PERMISSION,
        io::ErrorKind::NotFound => problem::NOT_FOUND,
        _ => problem::READ,
    }
}
