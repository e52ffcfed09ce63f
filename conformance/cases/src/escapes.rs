//! Bytes as text that a person can read and YAML can hold.
//!
//! Responsible for: the escaped form of names and contents in case files, in both directions, and
//! [`Text`], the value that is escaped wherever it is serialised. The form knows `\n`, `\r`, `\t`,
//! `\0`, `\\` and `\xNN` (one raw byte); everything else stands for its own UTF-8. Not here:
//! quoting for YAML ([`crate::case`]). Invariants: every byte string has exactly one written form,
//! and reading that form gives the bytes back; a written form has no control character, no line
//! separator and nothing an editor might normalise or hide.

use std::fmt::{self, Write as _};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Text in the escaped form that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EscapeError {
    /// A backslash before something that needs none.
    #[error("unknown escape `\\{found}`; known are \\n \\r \\t \\0 \\\\ and \\xNN")]
    Unknown {
        /// The character after the backslash.
        found: char,
    },
    /// `\x` without two hexadecimal digits.
    #[error("`\\x` needs two hexadecimal digits, got `{found}`")]
    Hex {
        /// The characters after `\x`.
        found: String,
    },
    /// The text ends in the middle of an escape.
    #[error("lone backslash at the end; write `\\\\` for a backslash")]
    Lone,
}

/// Bytes that are serialised in the escaped form.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Text(pub Vec<u8>);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&escape(&self.0))
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Escaped;
        impl de::Visitor<'_> for Escaped {
            type Value = Text;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("text in the escaped form")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Text, E> {
                unescape(text).map(Text).map_err(E::custom)
            }
        }
        deserializer.deserialize_str(Escaped)
    }
}

/// The escaped form of `bytes`.
pub fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => text.push_str("\\n"),
                '\r' => text.push_str("\\r"),
                '\t' => text.push_str("\\t"),
                '\0' => text.push_str("\\0"),
                '\\' => text.push_str("\\\\"),
                plain if is_plain(plain) => text.push(plain),
                hidden => push_hex(&mut text, hidden.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        push_hex(&mut text, chunk.invalid());
    }
    text
}

/// The bytes of an escaped text.
pub fn unescape(text: &str) -> Result<Vec<u8>, EscapeError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        match characters.next().ok_or(EscapeError::Lone)? {
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            '0' => bytes.push(0),
            '\\' => bytes.push(b'\\'),
            'x' => {
                let digits: String = characters.by_ref().take(2).collect();
                let is_hex =
                    digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                let byte = u8::from_str_radix(&digits, 16).ok().filter(|_| is_hex);
                bytes.push(byte.ok_or(EscapeError::Hex { found: digits })?);
            }
            found => return Err(EscapeError::Unknown { found }),
        }
    }
    Ok(bytes)
}

/// Whether a character is unambiguous in print: no control or format character, no blank but the
/// space, no combining mark or conjoining letter, no noncharacter.
fn is_plain(character: char) -> bool {
    let code = u32::from(character);
    let fuses = matches!(code, 0x0300..=0x036f | 0x1100..=0x11ff | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x20d0..=0x20ff
        | 0xfe00..=0xfe0f | 0xfe20..=0xfe2f);
    let hides = matches!(code, 0xad | 0x061c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f | 0xfeff
        | 0xfff0..=0xffff | 0xfdd0..=0xfdef | 0xe000..=0xf8ff | 0xe_0000..=0x10_ffff)
        || code & 0xfffe == 0xfffe;
    !character.is_control() && !fuses && !hides && (character == ' ' || !character.is_whitespace())
}

fn push_hex(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "\\x{byte:02x}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_escaping() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(unescape(&escape(&all)).unwrap(), all);
    }

    #[test]
    fn every_character_survives_escaping_and_hidden_ones_are_escaped() {
        for character in (0..=0x10_ffff).filter_map(char::from_u32) {
            let text = character.to_string();
            let written = escape(text.as_bytes());
            assert_eq!(unescape(&written).unwrap(), text.as_bytes());
            assert!(
                written.chars().all(|c| !c.is_control() && !('\u{300}'..='\u{36f}').contains(&c))
            );
        }
    }

    #[test]
    fn ordinary_text_stays_and_controls_and_invalid_bytes_are_escaped() {
        assert_eq!(escape("caf\u{e9} 日本 it's".as_bytes()), "caf\u{e9} 日本 it's");
        assert_eq!(escape(b"a\tb\r\nc\0\\"), "a\\tb\\r\\nc\\0\\\\");
        assert_eq!(escape(b"\xff\xc3("), "\\xff\\xc3(");
        assert_eq!(escape("e\u{301}".as_bytes()), "e\\xcc\\x81");
    }

    #[test]
    fn an_invalid_escape_is_refused_with_the_found_text() {
        assert_eq!(unescape("a\\"), Err(EscapeError::Lone));
        assert_eq!(unescape("\\u"), Err(EscapeError::Unknown { found: 'u' }));
        assert_eq!(unescape("\\x+1"), Err(EscapeError::Hex { found: "+1".to_owned() }));
        assert_eq!(unescape("\\x4"), Err(EscapeError::Hex { found: "4".to_owned() }));
    }
}
