//! Decoding of files and splitting into lines.
//!
//! The engine decodes UTF-16, since it has the library; the tests for it are here.

use std::borrow::Cow;

use memchr::{memchr, memrchr};

/// Leading bytes of the text that are searched for a NUL (D5, E-E15).
pub const BINARY_WINDOW: usize = 8192;

/// The encoding by the byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Searched as it is, after `skip` bytes.
    Utf8 {
        /// 3 for a UTF-8 byte order mark, else 0.
        skip: usize,
    },
    /// UTF-16, little endian.
    Utf16Le,
    /// UTF-16, big endian.
    Utf16Be,
}

/// Reads the byte order mark (E-A03, E-E16).
pub fn encoding(start: &[u8]) -> Encoding {
    match start {
        [0xff, 0xfe, ..] => Encoding::Utf16Le,
        [0xfe, 0xff, ..] => Encoding::Utf16Be,
        [0xef, 0xbb, 0xbf, ..] => Encoding::Utf8 { skip: 3 },
        _ => Encoding::Utf8 { skip: 0 },
    }
}

/// Whether decoded text counts as binary: a NUL in its first 8 KiB.
pub fn is_binary(text: &[u8]) -> bool {
    memchr(0, text.get(..BINARY_WINDOW).unwrap_or(text)).is_some()
}

/// Which files a tool calls binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryRule {
    /// Those with a NUL in their first 8 KiB (D5, E-E15).
    EarlyNul,
    /// Those with a NUL anywhere, or with invalid UTF-8 (FR-SF-SRC-04).
    NotText,
}

/// What the whole of a file was seen to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextKind {
    /// Not read whole, or must be decoded first.
    #[default]
    Unknown,
    /// Text.
    Text,
    /// Has a NUL in its first 8 KiB.
    EarlyNul,
    /// Has a later NUL, or invalid UTF-8: only [`BinaryRule::NotText`] calls it binary.
    Invalid,
}

impl TextKind {
    /// The kind of a whole file's bytes. Unknown for UTF-16 until it is decoded.
    pub fn of(bytes: &[u8]) -> Self {
        match encoding(bytes) {
            Encoding::Utf8 { skip } => match utf8_text(bytes.get(skip..).unwrap_or_default()) {
                Some(_) => Self::Text,
                None if is_binary(bytes.get(skip..).unwrap_or_default()) => Self::EarlyNul,
                None => Self::Invalid,
            },
            Encoding::Utf16Le | Encoding::Utf16Be => Self::Unknown,
        }
    }

    /// Whether the file is binary by this rule.
    pub fn is_binary(self, rule: BinaryRule) -> bool {
        match rule {
            BinaryRule::EarlyNul => self == Self::EarlyNul,
            BinaryRule::NotText => matches!(self, Self::EarlyNul | Self::Invalid),
        }
    }
}

/// Decoded text as UTF-8; `None` if it has a NUL or is invalid (FR-SF-SRC-04, D5).
pub fn utf8_text(text: &[u8]) -> Option<&str> {
    if memchr(0, text).is_some() {
        return None;
    }
    std::str::from_utf8(text).ok()
}

/// Decodes bytes for a search of `sought`. Invalid bytes (U+FFFD in answers) become a character of
/// the same length that is neither in `sought` nor part of a word, so they match nothing.
pub fn decoded<'t>(bytes: &'t [u8], sought: &str) -> Cow<'t, str> {
    let lossy = String::from_utf8_lossy(bytes);
    if matches!(lossy, Cow::Borrowed(_)) || !sought.contains(char::REPLACEMENT_CHARACTER) {
        return lossy;
    }
    // There are more of these than characters in any query.
    let other = ('\u{e000}'..='\u{f8ff}').find(|c| !sought.contains(*c)).unwrap_or_default();
    let mut text = String::with_capacity(lossy.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(other);
        }
    }
    Cow::Owned(text)
}

/// The byte range of a line without its LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset of the LF, or the length of the text.
    pub end: usize,
}

impl Span {
    /// The bytes that are matched and shown: without LF and without one CR before it (E-E03). A
    /// last line without LF keeps its CR.
    pub fn visible<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        let line = text.get(self.start..self.end).unwrap_or_default();
        match line {
            [rest @ .., b'\r'] if self.end < text.len() => rest,
            _ => line,
        }
    }
}

/// The line that contains offset `at`; `None` at the end of a text that ends with LF or is empty.
pub fn line_at(text: &[u8], at: usize) -> Option<Span> {
    let start = text.get(..at).and_then(|head| memrchr(b'\n', head)).map_or(0, |lf| lf + 1);
    let tail = text.get(start..)?;
    if tail.is_empty() {
        return None;
    }
    Some(Span { start, end: start + memchr(b'\n', tail).unwrap_or(tail.len()) })
}

/// The line after `line`.
pub fn line_after(text: &[u8], line: Span) -> Option<Span> {
    line_at(text, line.end + 1).filter(|next| next.start > line.end)
}

/// The line before `line`.
pub fn line_before(text: &[u8], line: Span) -> Option<Span> {
    line_at(text, line.start.checked_sub(1)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<&[u8]> {
        let mut all = Vec::new();
        let mut next = line_at(text, 0);
        while let Some(line) = next {
            all.push(line.visible(text));
            next = line_after(text, line);
        }
        all
    }

    #[test]
    fn a_line_loses_its_lf_and_one_cr_before_it_only() {
        assert_eq!(lines(b"a\r\nb\r\r\nc\r"), [&b"a"[..], b"b\r", b"c\r"]);
        assert_eq!(lines(b"a\rb\n"), [&b"a\rb"[..]]);
    }

    #[test]
    fn the_last_line_counts_only_if_it_is_not_empty() {
        assert_eq!(lines(b"").len(), 0);
        assert_eq!(lines(b"\n").len(), 1);
        assert_eq!(lines(b"a\n\nb").len(), 3);
        assert_eq!(lines(b"a\n").len(), 1);
    }

    #[test]
    fn lines_are_found_backwards() {
        let text = b"one\n\nthree";
        let last = line_at(text, 7).unwrap();
        assert_eq!(last, Span { start: 5, end: 10 });
        let blank = line_before(text, last).unwrap();
        assert_eq!(blank, Span { start: 4, end: 4 });
        let first = line_before(text, blank).unwrap();
        assert_eq!((first, line_before(text, first)), (Span { start: 0, end: 3 }, None));
    }

    #[test]
    fn a_nul_makes_a_file_binary_only_within_the_window() {
        let mut text = vec![b'x'; BINARY_WINDOW];
        text.push(0);
        assert!(!is_binary(&text));
        text[BINARY_WINDOW - 1] = 0;
        assert!(is_binary(&text));
    }

    #[test]
    fn the_kind_of_a_file_depends_on_its_whole_content() {
        let late =
            |end: &[u8]| TextKind::of(&[b"x".repeat(BINARY_WINDOW * 2), end.to_vec()].concat());
        assert_eq!(["é".as_bytes(), b"", b"\xef\xbf\xbd"].map(late), [TextKind::Text; 3]);
        assert_eq!([&b"\0"[..], b"\xff", b"\xe2\x82"].map(late), [TextKind::Invalid; 3]);
        assert_eq!([&b""[..], b"\xef\xbb\xbfx"].map(TextKind::of), [TextKind::Text; 2]);
        assert_eq!([&b"\xff\xfea\0"[..], b"\xfe\xff\0a"].map(TextKind::of), [TextKind::Unknown; 2]);
        assert_eq!(TextKind::of(b"\0\0\xfe\xff"), TextKind::EarlyNul);
        let [early, late] = [TextKind::EarlyNul, TextKind::Invalid];
        assert!(early.is_binary(BinaryRule::EarlyNul) && early.is_binary(BinaryRule::NotText));
        assert!(!late.is_binary(BinaryRule::EarlyNul) && late.is_binary(BinaryRule::NotText));
    }

    #[test]
    fn decoding_replaces_invalid_bytes_by_a_character_not_in_the_query() {
        let bytes = b"a\xff\xef\xbf\xbd\xe2\x82b";
        assert_eq!(decoded(bytes, "b"), "a\u{fffd}\u{fffd}\u{fffd}b");
        for sought in ["\u{fffd}", "\u{e000}\u{fffd}"] {
            let text = decoded(bytes, sought);
            assert_eq!(text.matches('\u{fffd}').count(), 1, "{text:?}");
            assert_eq!((text.find('\u{fffd}'), text.find('b')), (Some(4), Some(10)));
            assert!(!text.chars().any(|c| c == '\u{e000}' && sought.contains(c)));
        }
    }
}
