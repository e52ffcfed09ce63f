//! Decoding of files: byte order marks, UTF-16, binary files, and lines (section 4).
//!
//! Except for UTF-16 the bytes stay as they are, valid or not.

use std::borrow::Cow;

/// The text of a file: without its byte order mark, decoded from UTF-16 if that says so (E-A03,
/// E-E16).
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Some(text) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        Cow::Borrowed(text)
    } else if let Some(text) = bytes.strip_prefix(b"\xff\xfe") {
        Cow::Owned(decode_utf16(text, u16::from_le_bytes).into_bytes())
    } else if let Some(text) = bytes.strip_prefix(b"\xfe\xff") {
        Cow::Owned(decode_utf16(text, u16::from_be_bytes).into_bytes())
    } else {
        Cow::Borrowed(bytes)
    }
}

/// Unpaired surrogates and an odd last byte become U+FFFD, one each.
fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let (pairs, odd) = bytes.as_chunks::<2>();
    let units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
    let mut text = String::new();
    let mut at = 0;
    while let Some(one) = units.get(at) {
        let pair = units.get(at + 1).and_then(|other| surrogate_pair(*one, *other));
        let (character, used) = match pair {
            Some(character) => (character, 2),
            None => (char::from_u32(u32::from(*one)).unwrap_or(char::REPLACEMENT_CHARACTER), 1),
        };
        text.push(character);
        at += used;
    }
    if !odd.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    text
}

/// The character of a high and a low surrogate.
fn surrogate_pair(high: u16, low: u16) -> Option<char> {
    let high = u32::from(high.checked_sub(0xd800)?);
    let low = u32::from(low.checked_sub(0xdc00)?);
    (high < 0x400 && low < 0x400).then(|| char::from_u32(0x1_0000 + high * 0x400 + low)).flatten()
}

/// Whether a text is binary: a NUL in its first `probe` bytes (E-E15).
pub(crate) fn is_binary(text: &[u8], probe: u64) -> bool {
    let probe = usize::try_from(probe).unwrap_or(usize::MAX);
    text.iter().take(probe).any(|byte| *byte == 0)
}

/// The lines of a text, without their LF and one CR directly before it. The text after the last LF
/// is a line if it is not empty, and keeps its CR (E-E03).
pub(crate) fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n')
        .map(|line| match line.strip_suffix(b"\n") {
            Some(ended) => ended.strip_suffix(b"\r").unwrap_or(ended),
            None => line,
        })
        .collect()
}

#[cfg(test)]
mod tests;
