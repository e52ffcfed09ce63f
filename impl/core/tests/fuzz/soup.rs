//! Random texts made of the words of a language, with noise in between. Random bytes alone fail at
//! the first byte and test nothing behind it.
//!
//! The engine and the command line include this file by path: a crate of its own would add an edge
//! between crates.

use std::ops::Bound::{Excluded, Included};

use bolero::{Driver, ValueGenerator};

/// Maximum number of repetitions of a word: deeper than any nest limit here.
const MOST_REPEATED: usize = 300;
/// Longest result, in bytes.
const MOST_BYTES: usize = 16 << 10;

/// Generates bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Soup {
    words: &'static [&'static str],
    most: usize,
}

/// Generates texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text(Soup);

/// Bytes of up to `most` of these words.
pub(crate) fn bytes(words: &'static [&'static str], most: usize) -> Soup {
    Soup { words, most }
}

/// A text of up to `most` of these words.
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
