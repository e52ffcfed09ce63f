//! Contents of a file as pieces with counts.
//!
//! Responsible for: [`Contents`], which keeps a file of a million bytes as short as what it
//! repeats. Not here: the written form ([`super::yaml`]), and what a shrinker removes first.
//! Invariants: [`Contents::len`] never overflows (it saturates), so that a size is known before
//! anything is built.

use crate::escapes::Text;
use serde::{Deserialize, Serialize};

/// A piece of a file with its number of repetitions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub bytes: Text,
    /// Repetitions, 1 if absent; 0 leaves the piece out.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub times: u64,
}

/// The contents of one file, as a list of parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contents {
    pub parts: Vec<Part>,
}

impl Contents {
    /// Contents without repetition.
    pub fn plain(bytes: impl Into<Vec<u8>>) -> Self {
        Self::of([(bytes.into(), 1)])
    }

    /// Contents of pieces, each with its number of repetitions.
    pub fn of(pieces: impl IntoIterator<Item = (Vec<u8>, u64)>) -> Self {
        let parts =
            pieces.into_iter().map(|(bytes, times)| Part { bytes: Text(bytes), times }).collect();
        Self { parts }
    }

    /// Length in bytes of what [`Self::bytes`] would build.
    pub fn len(&self) -> u64 {
        self.parts.iter().fold(0, |sum: u64, part| {
            let piece = u64::try_from(part.bytes.0.len()).unwrap_or(u64::MAX);
            sum.saturating_add(piece.saturating_mul(part.times))
        })
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of the file. The caller bounds [`Self::len`] first ([`super::MAX_TREE_BYTES`]).
    pub fn bytes(&self) -> Vec<u8> {
        let repeated = self
            .parts
            .iter()
            .map(|part| part.bytes.0.repeat(usize::try_from(part.times).unwrap_or(usize::MAX)));
        repeated.collect::<Vec<_>>().concat()
    }

    /// The piece, if there is one part without repetition.
    pub fn single(&self) -> Option<&[u8]> {
        match self.parts.as_slice() {
            [] => Some(&[]),
            [part] if part.times == 1 => Some(&part.bytes.0),
            _ => None,
        }
    }
}

fn once() -> u64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_once(times: &u64) -> bool {
    *times == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_contents_is_that_of_their_bytes() {
        let contents =
            Contents::of([(b"ab".to_vec(), 3), (b"c".to_vec(), 0), (b"d\n".to_vec(), 1)]);
        assert_eq!(contents.bytes(), b"abababd\n");
        assert_eq!(contents.len(), 8);
    }

    #[test]
    fn the_length_of_an_absurd_repetition_saturates() {
        assert_eq!(Contents::of([(b"abc".to_vec(), u64::MAX), (b"x".to_vec(), 1)]).len(), u64::MAX);
    }
}
