//! N-grams: k consecutive scalar values, packed into one word.

use super::fold::Fold;

/// Bits of one scalar value.
const BITS: u32 = 21;
const SCALAR: u64 = (1 << BITS) - 1;
/// Set in a gram of three scalars, so that one of two with the same bits is another gram.
const THREE: u64 = 1 << 63;

/// The smallest and the largest k there is (`bloom_ngram_k`).
pub const SIZES: std::ops::RangeInclusive<usize> = 2..=3;

/// A gram of two or three scalars. Grams of one size are ordered by their scalars (FR-LSI-TOK-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gram(u64);

impl Gram {
    /// The gram of these scalars; `None` unless there are two or three.
    pub fn new(scalars: &[char]) -> Option<Self> {
        if !SIZES.contains(&scalars.len()) {
            return None;
        }
        let word = scalars.iter().fold(0, |word, &c| (word << BITS) | u64::from(u32::from(c)));
        Some(Self::from_word(word, scalars.len()))
    }

    /// The gram of the `size` last scalars that were shifted into `word`, 21 bits each.
    pub(super) const fn from_word(word: u64, size: usize) -> Self {
        if size == 3 {
            Self((word & ((SCALAR << (2 * BITS)) | (SCALAR << BITS) | SCALAR)) | THREE)
        } else {
            Self(word & ((SCALAR << BITS) | SCALAR))
        }
    }

    /// Its scalars.
    pub fn scalars(self) -> impl Iterator<Item = char> {
        let skip = usize::from(self.0 & THREE == 0);
        [2 * BITS, BITS, 0].into_iter().skip(skip).map(move |shift| {
            // Packed from scalars, so that there is always one.
            u32::try_from((self.0 >> shift) & SCALAR)
                .ok()
                .and_then(char::from_u32)
                .unwrap_or(char::REPLACEMENT_CHARACTER)
        })
    }

    /// Its image under a fold, scalar by scalar.
    #[must_use]
    pub fn fold(self, fold: Fold) -> Self {
        let size = if self.0 & THREE == 0 { 2 } else { 3 };
        let word =
            self.scalars().fold(0, |word, c| (word << BITS) | u64::from(u32::from(fold.char(c))));
        Self::from_word(word, size)
    }

    /// The word it is stored as; words are ordered as grams are.
    pub const fn word(self) -> u64 {
        self.0
    }

    /// The gram of a stored word; none if it is no gram's.
    pub fn from_stored(word: u64) -> Option<Self> {
        let gram = Self(word);
        let size = if word & THREE == 0 { 2 } else { 3 };
        let bits = word & !THREE;
        let is_scalar =
            |shift| u32::try_from((word >> shift) & SCALAR).ok().and_then(char::from_u32).is_some();
        (bits >> (BITS * size) == 0 && [2 * BITS, BITS, 0].into_iter().all(is_scalar))
            .then_some(gram)
    }

    /// Its scalars, seven bits each, if all are ASCII.
    #[expect(clippy::cast_possible_truncation, reason = "three times seven bits")]
    pub const fn ascii_window(self) -> Option<u32> {
        const OTHER: u64 = !THREE & !(0x7F | 0x7F << BITS | 0x7F << (2 * BITS));
        if self.0 & OTHER != 0 {
            return None;
        }
        let (first, second, third) =
            (self.0 >> (2 * BITS) & 0x7F, self.0 >> BITS & 0x7F, self.0 & 0x7F);
        Some((first << 14 | second << 7 | third) as u32)
    }

    /// The gram of `size` ASCII scalars of a window; none if they do not fit.
    #[expect(clippy::cast_possible_truncation, reason = "sizes are two and three")]
    pub const fn from_ascii_window(window: u32, size: usize) -> Option<Self> {
        if window >> (7 * size as u32) != 0 {
            return None;
        }
        let window = window as u64;
        let word = (window >> 14) << (2 * BITS) | (window >> 7 & 0x7F) << BITS | window & 0x7F;
        Some(Self::from_word(word, size))
    }

    /// Well-mixed low bits, for small tables.
    pub(super) fn mix(self) -> usize {
        usize::try_from(self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40).unwrap_or_default()
    }

    /// The UTF-8 bytes of its scalars, which are what is hashed (E-A19): the buffer, and how many
    /// of it count.
    pub(super) fn utf8(self) -> ([u8; 12], usize) {
        let mut buffer = [0; 12];
        let mut length = 0;
        for c in self.scalars() {
            if let Some(rest) = buffer.get_mut(length..) {
                length += c.encode_utf8(rest).len();
            }
        }
        (buffer, length)
    }
}

/// Shifts one more scalar into a word of scalars.
pub(super) const fn shift(word: u64, scalar: u32) -> u64 {
    (word << BITS) | scalar as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gram_returns_its_scalars_and_sorts_by_them() {
        for scalars in
            [vec!['a', 'b', 'c'], vec!['\0', '\0', '\0'], vec!['\u{10ffff}', 'é'], vec!['\0', 'x']]
        {
            let gram = Gram::new(&scalars).expect("two or three");
            assert_eq!(gram.scalars().collect::<Vec<_>>(), scalars);
        }
        assert!(Gram::new(&['a', 'b', '\u{ffff}']) < Gram::new(&['a', 'c', '\0']));
        assert_ne!(Gram::new(&['a', 'b']), Gram::new(&['\0', 'a', 'b']));
        assert_eq!(Gram::new(&['a']), None);
        assert_eq!(Gram::new(&['a'; 4]), None);
    }

    #[test]
    fn the_hashed_bytes_of_a_gram_are_utf8() {
        let (buffer, length) = Gram::new(&['a', 'é', '\u{1f600}']).expect("three").utf8();
        assert_eq!(buffer.get(..length), Some("aé\u{1f600}".as_bytes()));
    }
}
