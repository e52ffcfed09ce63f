//! Parses `name NUL line : text LF`, which both external programs print (FR-LS-EXE-02).
//!
//! Names may hold line feeds and texts may hold NULs. The framing is still unambiguous: a name ends
//! at its first NUL, a text at the next LF.

use memchr::memchr;

/// A record of another shape: nothing after it can be trusted (FR-LS-ERR-04.untrusted).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// Longest name plus number, in bytes.
const HEAD_BYTES: usize = 64 << 10;

/// Splits a stream of pieces into records. At most one unfinished head is kept.
#[derive(Debug, Default)]
pub(super) struct Frames {
    head: Vec<u8>,
    /// Inside a record's text, which is not read.
    skipping: bool,
}

impl Frames {
    /// Calls `record` with each name and line number.
    pub(super) fn push(
        &mut self,
        mut piece: &[u8],
        record: &mut dyn FnMut(&[u8], u64),
    ) -> Result<(), Malformed> {
        while !piece.is_empty() {
            if self.skipping {
                let Some(lf) = memchr(b'\n', piece) else { return Ok(()) };
                self.skipping = false;
                piece = piece.get(lf + 1..).unwrap_or_default();
                continue;
            }
            // The head ends at the first `:` after the NUL; names hold colons too.
            let searched = memchr(0, &self.head);
            let end = match searched {
                Some(_) => memchr(b':', piece),
                None => memchr(0, piece)
                    .and_then(|nul| Some(nul + 1 + memchr(b':', piece.get(nul + 1..)?)?)),
            };
            let Some(end) = end else {
                self.head.extend_from_slice(piece);
                return if self.head.len() > HEAD_BYTES { Err(Malformed) } else { Ok(()) };
            };
            self.head.extend_from_slice(piece.get(..end).unwrap_or_default());
            if self.head.len() > HEAD_BYTES {
                return Err(Malformed);
            }
            piece = piece.get(end + 1..).unwrap_or_default();
            let nul = memchr(0, &self.head).ok_or(Malformed)?;
            let (name, number) = self.head.split_at(nul);
            let number = std::str::from_utf8(number.get(1..).unwrap_or_default()).ok();
            let line = number
                // `parse` accepts a sign.
                .filter(|digits| !digits.starts_with('+'))
                .and_then(|digits| digits.parse().ok())
                .filter(|&line: &u64| line > 0)
                .ok_or(Malformed)?;
            record(name, line);
            self.head.clear();
            self.skipping = true;
        }
        Ok(())
    }

    /// Whether the stream ended between records.
    pub(super) fn finish(&self) -> Result<(), Malformed> {
        if self.head.is_empty() && !self.skipping { Ok(()) } else { Err(Malformed) }
    }
}

#[cfg(test)]
mod fuzz;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(stream: &[u8], piece: usize) -> Result<Vec<(Vec<u8>, u64)>, Malformed> {
        let mut frames = Frames::default();
        let mut records = Vec::new();
        for piece in stream.chunks(piece) {
            frames.push(piece, &mut |name, line| records.push((name.to_vec(), line)))?;
        }
        frames.finish().map(|()| records)
    }

    #[test]
    fn records_with_odd_names_and_texts_are_parsed_at_any_split() {
        let stream = b"./a:b\x001:x\0y:z\n./n\nl\x0012:\n./c\x003:[Omitted]\n";
        let want = [(b"./a:b".to_vec(), 1), (b"./n\nl".to_vec(), 12), (b"./c".to_vec(), 3)];
        for piece in 1..stream.len() {
            assert_eq!(read(stream, piece).as_deref(), Ok(&want[..]), "pieces of {piece}");
        }
    }

    #[test]
    fn a_stream_that_is_not_records_is_malformed() {
        let words = [&b"no records here\n"[..], b"a\0x:t\n", b"a\x000:t\n", b"a\0+1:t\n"];
        for stream in [&words[..], &[b"a\x001:unfinished"]].concat() {
            assert_eq!(read(stream, 64), Err(Malformed), "{}", String::from_utf8_lossy(stream));
        }
    }

    #[test]
    fn the_length_limit_of_a_name_holds_at_any_split() {
        for (length, fits) in [(HEAD_BYTES - 2, true), (HEAD_BYTES - 1, false)] {
            let stream = [&vec![b'a'; length], &b"\x001:t\n"[..]].concat();
            for piece in [stream.len(), 4096, length + 1, length + 2] {
                assert_eq!(read(&stream, piece).is_ok(), fits, "{length} in pieces of {piece}");
            }
        }
    }
}
