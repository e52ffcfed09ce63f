//! Shorter contents.
//!
//! Responsible for: fewer parts, fewer repetitions, fewer lines, fewer characters; plain characters
//! in place of odd ones.
//! Not here: what is needed only for its length ([`super::long`]); letters that patterns
//! know too ([`super::letters`]).
//! Invariants: a character is removed whole; so is one of UTF-16 behind its mark.

use touchstone_cases::case::{Part, Text};

use crate::question::Question;

use super::{Search, contents, contents_mut, long, part, set_part};

/// Pieces of a file that are looked at one by one; what has more is needed for its length.
const FINEST: usize = 64;

/// The same for characters, of which a line has more than a file has lines.
const FINEST_CHARACTERS: usize = 128;

impl<P: FnMut(&Question) -> bool> Search<P> {
    /// Contents of all files.
    pub(super) fn contents(&mut self) {
        for file in 0..self.best.tree.tree.len() {
            self.change(|question| {
                if let Some(contents) = contents_mut(question, file) {
                    contents.parts.clear();
                }
            });
            self.thin(
                FINEST,
                |question| {
                    contents(question, file)
                        .map(|contents| contents.parts.clone())
                        .unwrap_or_default()
                },
                |question, parts| {
                    if let Some(contents) = contents_mut(question, file) {
                        contents.parts = parts;
                    }
                },
            );
            for index in 0..count(&self.best, file) {
                self.repetitions(file, index);
                self.lines(file, index);
                self.characters(file, index);
            }
            self.long(file);
            for index in 0..count(&self.best, file) {
                self.repetitions(file, index);
                self.plain(file, index);
            }
            self.change(|question| merge(question, file));
        }
    }

    fn repetitions(&mut self, file: usize, index: usize) {
        self.lower(
            |question| part(question, file, index).map(|part| part.times),
            |question, times| {
                if let Some(part) =
                    contents_mut(question, file).and_then(|contents| contents.parts.get_mut(index))
                {
                    part.times = times;
                }
            },
        );
    }

    fn lines(&mut self, file: usize, index: usize) {
        self.thin(
            FINEST,
            |question| {
                let bytes = part(question, file, index).map(|part| part.bytes.0.as_slice());
                let lines = bytes.unwrap_or_default().split_inclusive(|byte| *byte == b'\n');
                lines.map(<[u8]>::to_vec).collect::<Vec<_>>()
            },
            |question, lines| set_part(question, file, index, lines.concat()),
        );
    }

    fn characters(&mut self, file: usize, index: usize) {
        let wide = is_wide(&self.best, file);
        self.thin(
            FINEST_CHARACTERS,
            |question| {
                part(question, file, index)
                    .map(|part| characters(&part.bytes.0, wide))
                    .unwrap_or_default()
            },
            |question, characters| set_part(question, file, index, characters.concat()),
        );
        if wide {
            self.change(|question| narrow(question, file));
        }
    }

    /// Each character as plain as can be.
    fn plain(&mut self, file: usize, index: usize) {
        if is_wide(&self.best, file)
            || part(&self.best, file, index).is_none_or(|part| part.bytes.0.len() > long::LONG)
        {
            return;
        }
        let read = |question: &Question| {
            part(question, file, index).map(|part| characters(&part.bytes.0, false))
        };
        let length = read(&self.best).map_or(0, |characters| characters.len());
        for at in 0..length {
            for plain in [b"a", b"b", b"A", b"0", b" "] {
                let Some(mut all) = read(&self.best) else { return };
                let Some(character) = all.get_mut(at) else { return };
                if character == plain {
                    break;
                }
                // A line feed that becomes a letter joins lines, which is seldom what makes it
                // simpler.
                if character == b"\n" {
                    break;
                }
                *character = plain.to_vec();
                if self.change(|question| set_part(question, file, index, all.concat())) {
                    break;
                }
            }
        }
    }
}

fn count(question: &Question, file: usize) -> usize {
    contents(question, file).map_or(0, |contents| contents.parts.len())
}

/// Whether a file begins with a mark of UTF-16.
fn is_wide(question: &Question, file: usize) -> bool {
    let first = part(question, file, 0).map(|part| part.bytes.0.as_slice()).unwrap_or_default();
    first.starts_with(b"\xff\xfe") || first.starts_with(b"\xfe\xff")
}

/// What is removed whole: a character, a byte that belongs to none, or a unit of UTF-16.
pub(super) fn characters(bytes: &[u8], wide: bool) -> Vec<Vec<u8>> {
    if wide {
        return bytes.chunks(2).map(<[u8]>::to_vec).collect();
    }
    let mut all = Vec::new();
    for chunk in bytes.utf8_chunks() {
        all.extend(chunk.valid().chars().map(|character| character.to_string().into_bytes()));
        all.extend(chunk.invalid().iter().map(|byte| vec![*byte]));
    }
    all
}

/// UTF-16 becomes UTF-8.
fn narrow(question: &mut Question, file: usize) {
    let Some(contents) = contents_mut(question, file) else { return };
    let bytes = contents.bytes();
    let Some((mark, rest)) = bytes.split_first_chunk::<2>() else { return };
    let units = rest.as_chunks::<2>().0.iter().map(|unit| {
        if mark == b"\xff\xfe" { u16::from_le_bytes(*unit) } else { u16::from_be_bytes(*unit) }
    });
    let text: String =
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    contents.parts = vec![Part { bytes: Text(text.into_bytes()), times: 1 }];
}

/// Parts of a file joined into one, unless it would grow long.
fn merge(question: &mut Question, file: usize) {
    if let Some(contents) = contents_mut(question, file)
        && contents.len() <= 64
    {
        let bytes = contents.bytes();
        contents.parts =
            if bytes.is_empty() { Vec::new() } else { vec![Part { bytes: Text(bytes), times: 1 }] };
    }
}
