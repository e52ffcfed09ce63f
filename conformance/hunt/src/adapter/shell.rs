//! A command for people to paste into a shell.
//!
//! Responsible for: quoting words so that a shell gives back exactly their bytes.
//! Not here: which words ([`super::arguments`]).
//! Invariants: what is printed is one line of printable UTF-8; `bash` and `zsh` read it back as it
//! was.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;

/// Words as one command.
pub fn join<'a>(words: impl IntoIterator<Item = &'a OsStr>) -> String {
    words.into_iter().map(|word| quote(word.as_bytes())).collect::<Vec<_>>().join(" ")
}

/// One word.
pub fn quote(word: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./=:,+@%".contains(byte);
    if !word.is_empty() && word.iter().all(plain) {
        return String::from_utf8_lossy(word).into_owned();
    }
    match std::str::from_utf8(word) {
        Ok(text) if text.chars().all(is_visible) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => escaped(word),
    }
}

fn is_visible(character: char) -> bool {
    character == ' '
        || (!character.is_control()
            && !character.is_whitespace()
            && touchstone_cases::case::escape(character.encode_utf8(&mut [0; 4]).as_bytes()).len()
                < 5)
}

/// `$'…'`, with octal escapes, which need exactly three digits and so never run into what follows.
fn escaped(word: &[u8]) -> String {
    let mut quoted = String::from("$'");
    for byte in word {
        match byte {
            b'\n' => quoted.push_str("\\n"),
            b'\r' => quoted.push_str("\\r"),
            b'\t' => quoted.push_str("\\t"),
            b'\'' | b'\\' => {
                quoted.push('\\');
                quoted.push(char::from(*byte));
            }
            b' '..=b'~' => quoted.push(char::from(*byte)),
            other => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\{other:03o}");
            }
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_words_are_quoted_only_where_needed() {
        assert_eq!(quote(b"--max-count=2"), "--max-count=2");
        assert_eq!(quote(b""), "''");
        assert_eq!(quote(b"a b"), "'a b'");
        assert_eq!(quote(b"it's"), r"'it'\''s'");
        assert_eq!(quote("é|\\w".as_bytes()), r"'é|\w'");
        assert_eq!(quote(b"a\n\xff'"), r"$'a\n\377\''");
        assert_eq!(quote("\u{200b}".as_bytes()), r"$'\342\200\213'");
    }
}
