//! Bytes made of the words of a language, with noise in between: random bytes alone are refused at
//! the first of them, and nothing behind it is ever tried.
//!
//! The engine and the command line take this file in as well: a crate of its own for it would be
//! one more edge between crates.

use std::ops::Bound::{Excluded, Included};

use bolero::{Driver, ValueGenerator};

/// How often a word may be repeated: deeper than any parser here goes.
const MOST_REPEATED: usize = 300;
/// Longest result, in bytes.
const MOST_BYTES: usize = 16 << 10;

/// Makes bytes of words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Soup {
    words: &'static [&'static str],
    most: usize,
}

/// Makes texts of words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text(Soup);

/// Bytes made of up to `most` of these words.
pub(crate) fn bytes(words: &'static [&'static str], most: usize) -> Soup {
    Soup { words, most }
}

/// The same as text.
pub(crate) fn text(words: &'static [&'static str], most: usize) -> Text {
    Text(bytes(words, most))
}

/// A number below `end`.
fn below<D: Driver>(driver: &mut D, end: usize) -> Option<usize> {
    driver.gen_usize(Included(&0), Excluded(&end))
}

impl ValueGenerator for Soup {
    type Output = Vec<u8>;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<Vec<u8>> {
        let mut made = Vec::new();
        for _ in 0..below(driver, self.most + 1)? {
            let kind = below(driver, 24)?;
            let word = self.words.get(below(driver, self.words.len())?)?.as_bytes();
            match kind {
                0 => made.push(driver.gen_u8(Included(&0), Included(&255))?),
                1 => {
                    let c = driver.gen_char(Included(&'\0'), Included(&char::MAX))?;
                    made.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                }
                2 => made.extend(word.repeat(below(driver, MOST_REPEATED)?)),
                _ => made.extend_from_slice(word),
            }
            if made.len() > MOST_BYTES {
                break;
            }
        }
        Some(made)
    }
}

impl ValueGenerator for Text {
    type Output = String;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<String> {
        Some(String::from_utf8_lossy(&self.0.generate(driver)?).into_owned())
    }
}
