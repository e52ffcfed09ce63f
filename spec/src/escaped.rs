//! Bytes written as text: names and contents that need not be UTF-8.
//!
//! The escapes are those of the cases below `golden/`: `\xNN` is that byte; `\n`, `\r`, `\t`, `\0`
//! and `\\` as usual; everything else is UTF-8.

use serde::{Deserialize, Deserializer, de};

/// Bytes with their spelling in the specification.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Escaped {
    pub bytes: Vec<u8>,
    /// The spelling.
    pub written: String,
}

/// Why a spelling is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EscapeError {
    /// A backslash before a character that is no escape.
    #[error("`\\{0}` is not an escape; write `\\\\` for a backslash")]
    Unknown(char),
    /// `\x` without two hexadecimal digits.
    #[error("`\\x` needs two hexadecimal digits")]
    Hexadecimal,
    /// A backslash at the end.
    #[error("a lone `\\` stands at the end; write `\\\\` for a backslash")]
    Unfinished,
}

impl Escaped {
    /// Parses the escapes.
    pub fn parse(written: &str) -> Result<Self, EscapeError> {
        let mut bytes = Vec::with_capacity(written.len());
        let mut rest = written.chars();
        while let Some(next) = rest.next() {
            if next == '\\' {
                bytes.push(escape(&mut rest)?);
            } else {
                bytes.extend_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        Ok(Self { bytes, written: written.to_owned() })
    }
}

fn escape(rest: &mut std::str::Chars<'_>) -> Result<u8, EscapeError> {
    match rest.next().ok_or(EscapeError::Unfinished)? {
        'n' => Ok(b'\n'),
        'r' => Ok(b'\r'),
        't' => Ok(b'\t'),
        '0' => Ok(0),
        '\\' => Ok(b'\\'),
        'x' => Ok(digit(rest)? << 4 | digit(rest)?),
        other => Err(EscapeError::Unknown(other)),
    }
}

fn digit(rest: &mut std::str::Chars<'_>) -> Result<u8, EscapeError> {
    rest.next()
        .and_then(|next| next.to_digit(16))
        .and_then(|value| u8::try_from(value).ok())
        .ok_or(EscapeError::Hexadecimal)
}

impl<'de> Deserialize<'de> for Escaped {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_single_bytes_and_the_rest_is_utf8() {
        let read = Escaped::parse(r"é\xff\n\r\t\0\\x").unwrap();
        assert_eq!(read.bytes, b"\xc3\xa9\xff\n\r\t\0\\x");
    }

    #[test]
    fn an_invalid_escape_is_refused() {
        assert_eq!(Escaped::parse(r"\q"), Err(EscapeError::Unknown('q')));
        assert_eq!(Escaped::parse(r"\x4"), Err(EscapeError::Hexadecimal));
        assert_eq!(Escaped::parse("a\\"), Err(EscapeError::Unfinished));
    }
}
