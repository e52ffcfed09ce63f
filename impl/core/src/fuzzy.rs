//! Approximate matching of a literal within N edits, bit-parallel (FR-LS-SRC-11, D14).
//!
//! A line matches at level N if it has a non-empty substring that starts with the pattern's first
//! character and whose Levenshtein distance to the pattern is at most N. This is what ugrep's `-Z`
//! does, stated so that every backend gives the same lines. The first character is equal on both
//! sides, so the rest is prefix matching with errors: one bit per pattern character and one row per
//! permitted error (Wu and Manber), run from each occurrence of the first character for at most
//! pattern length + N characters.
//!
//! A line can be as long as a file and contain the first character everywhere, so the search polls
//! `go_on`, and it stores nothing per character of the line.

use std::collections::BTreeMap;

use crate::error::Interrupted;

/// A literal and its permitted number of edits. Distances count Unicode scalar values of the
/// lossily decoded line.
#[derive(Clone, Debug)]
pub struct FuzzyMatcher {
    first: char,
    /// Pattern length in scalar values; greater than `level`.
    length: usize,
    level: usize,
    fold_ascii: bool,
    word: bool,
    /// For each character of the pattern (folded if `fold_ascii`), its positions.
    masks: BTreeMap<char, Bits>,
    /// The empty set of positions, and the full set.
    none: Bits,
    all: Bits,
}

/// A set of pattern positions; all sets have the same length.
type Bits = Vec<u64>;

/// Characters or steps between two calls of `go_on`.
const STRIDE: usize = 4096;

impl FuzzyMatcher {
    /// `pattern` has more than `level` scalar values.
    pub fn new(pattern: &str, level: u8, fold_ascii: bool, word: bool) -> Self {
        let fold = |c: char| if fold_ascii { c.to_ascii_lowercase() } else { c };
        let length = pattern.chars().count();
        let none = vec![0; length.div_ceil(64)];
        let (mut masks, mut all) = (BTreeMap::new(), none.clone());
        for (at, c) in pattern.chars().enumerate() {
            set(masks.entry(fold(c)).or_insert_with(|| none.clone()), at);
            set(&mut all, at);
        }
        let first = pattern.chars().next().map_or('\0', fold);
        Self { first, length, level: usize::from(level), fold_ascii, word, masks, none, all }
    }

    /// The leftmost match in byte offsets; of its ends the one with the smallest distance, then the
    /// shortest.
    pub fn find(
        &self,
        line: &[u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(usize, usize)>, Interrupted> {
        let (mut start, mut before, mut unasked) = (0, None, 0);
        while let Some((c, length)) = first_scalar(line.get(start..).unwrap_or_default()) {
            if unasked == 0 && !go_on() {
                return Err(Interrupted);
            }
            unasked = (unasked + 1) % STRIDE;
            let is_start =
                self.fold(c) == self.first && !(self.word && before.is_some_and(is_word));
            if is_start
                && let Some(bytes) =
                    self.best_end(line.get(start..).unwrap_or_default(), &mut unasked)
            {
                return Ok(Some((start, start + bytes)));
            }
            before = Some(c);
            start += length;
        }
        Ok(None)
    }

    fn fold(&self, c: char) -> char {
        if self.fold_ascii { c.to_ascii_lowercase() } else { c }
    }

    /// The length in bytes of the best match at the start of `text`. Adds the work done to
    /// `effort`.
    fn best_end(&self, text: &[u8], effort: &mut usize) -> Option<usize> {
        // Row d holds the pattern prefixes reachable with at most d errors. The first character
        // matched; row d may have skipped d more pattern characters.
        let mut rows: Vec<Bits> = (0..=self.level)
            .map(|errors| {
                let mut row = self.none.clone();
                (0..=errors.min(self.length - 1)).for_each(|at| set(&mut row, at));
                row
            })
            .collect();
        let mut next = rows.clone();
        let mut best: Option<(usize, usize)> = None;
        let (_, mut end) = first_scalar(text)?;
        for _ in 1..=self.length + self.level {
            let following = first_scalar(text.get(end..).unwrap_or_default());
            if !(self.word && following.is_some_and(|(c, _)| is_word(c))) {
                let distance = rows.iter().position(|row| is_set(row, self.length - 1));
                if let Some(distance) =
                    distance.filter(|&d| best.is_none_or(|(least, _)| d < least))
                {
                    best = Some((distance, end));
                }
            }
            let Some((c, length)) = following else { break };
            self.step(&rows, &mut next, self.masks.get(&self.fold(c)).unwrap_or(&self.none));
            std::mem::swap(&mut rows, &mut next);
            if rows.iter().flatten().all(|&word| word == 0) {
                break;
            }
            end += length;
            *effort += self.none.len();
        }
        // The next character polls `go_on`.
        if *effort >= STRIDE {
            *effort = 0;
        }
        best.map(|(_, end)| end)
    }

    /// Advances the rows by one character of the text, which occurs at the positions in `mask`.
    fn step(&self, rows: &[Bits], next: &mut [Bits], mask: &Bits) {
        for errors in 0..rows.len() {
            let (done, rest) = next.split_at_mut(errors);
            let (Some(new), Some(row)) = (rest.first_mut(), rows.get(errors)) else { return };
            for ((new, up), mask) in new.iter_mut().zip(one_up(row)).zip(mask) {
                *new = up & mask;
            }
            if let Some(fewer) = errors.checked_sub(1).and_then(|fewer| rows.get(fewer)) {
                for ((new, same), up) in new.iter_mut().zip(fewer).zip(one_up(fewer)) {
                    // An insertion or a substitution.
                    *new |= same | up;
                }
            }
            if let Some(skipped) = done.last() {
                // A deletion.
                new.iter_mut().zip(one_up(skipped)).for_each(|(new, up)| *new |= up);
            }
            new.iter_mut().zip(&self.all).for_each(|(new, all)| *new &= all);
        }
    }
}

/// Shifts every position by one.
fn one_up(bits: &Bits) -> impl Iterator<Item = u64> {
    let mut carry = 0;
    bits.iter().map(move |&word| {
        let up = word << 1 | carry;
        carry = word >> 63;
        up
    })
}

fn set(bits: &mut Bits, at: usize) {
    if let Some(word) = bits.get_mut(at / 64) {
        *word |= 1 << (at % 64);
    }
}

fn is_set(bits: &Bits, at: usize) -> bool {
    bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

fn is_word(c: char) -> bool {
    regex_syntax::is_word_character(c)
}

/// The first scalar value of lossily decoded bytes, and its length in bytes.
fn first_scalar(text: &[u8]) -> Option<(char, usize)> {
    let byte = *text.first()?;
    if byte.is_ascii() {
        return Some((char::from(byte), 1));
    }
    // Neither a character nor a sequence that is replaced as a whole is longer.
    let chunk = text.get(..4).unwrap_or(text).utf8_chunks().next()?;
    match chunk.valid().chars().next() {
        Some(c) => Some((c, c.len_utf8())),
        None => Some((char::REPLACEMENT_CHARACTER, chunk.invalid().len())),
    }
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "test strings are cut where their characters end")]
mod tests {
    use super::*;

    fn found(pattern: &str, level: u8, line: &str) -> Option<String> {
        let (start, end) = FuzzyMatcher::new(pattern, level, false, false)
            .find(line.as_bytes(), &mut || true)
            .unwrap()?;
        Some(line[start..end].to_owned())
    }

    #[test]
    fn one_edit_of_each_kind_is_found_at_level_one() {
        assert_eq!(found("hello", 1, "a hallo b").as_deref(), Some("hallo"));
        assert_eq!(found("hello", 1, "a helo b").as_deref(), Some("helo"));
        assert_eq!(found("hello", 1, "a heello b").as_deref(), Some("heello"));
        assert_eq!(found("hello", 1, "a hxllx b"), None);
    }

    #[test]
    fn the_first_character_of_a_fuzzy_match_is_fixed() {
        assert_eq!(found("hello", 4, "xello"), None);
    }

    #[test]
    fn a_rest_no_longer_than_the_level_may_be_deleted_entirely() {
        assert_eq!(found("abc", 2, "xxaxx").as_deref(), Some("a"));
    }

    #[test]
    fn the_leftmost_start_wins_then_the_smallest_distance() {
        assert_eq!(found("hello", 1, "hllo hello").as_deref(), Some("hllo"));
        assert_eq!(found("hello", 2, "helloo").as_deref(), Some("hello"));
    }

    #[test]
    fn distances_count_characters_not_bytes() {
        assert_eq!(found("naive", 1, "naïve!").as_deref(), Some("naïve"));
    }

    #[test]
    fn patterns_longer_than_a_machine_word_work() {
        let long = "ab".repeat(80);
        let line = long.replacen("ba", "b-a", 1);
        assert_eq!(found(&long, 1, &line), Some(line.clone()));
        assert_eq!(found(&long, 1, &line.replacen("ab", "", 2)), None);
    }

    #[test]
    fn word_mode_needs_boundaries_on_both_sides() {
        let word = FuzzyMatcher::new("hello", 1, false, true);
        assert_eq!(word.find(b"xhallo hallo", &mut || true), Ok(Some((7, 12))));
        assert_eq!(word.find(b"halloxx", &mut || true), Ok(None));
    }

    #[test]
    fn invalid_utf8_counts_as_one_character_per_replacement() {
        let matcher = FuzzyMatcher::new("axb", 1, false, false);
        assert_eq!(matcher.find(b"a\xe2\x82b", &mut || true), Ok(Some((0, 4))));
        assert_eq!(matcher.find(b"a\xff\xfe\xfdb", &mut || true), Ok(None));
    }

    #[test]
    fn fuzzy_matching_of_a_line_of_first_characters_can_be_cancelled() {
        let matcher = FuzzyMatcher::new(&"ab".repeat(500), 4, false, false);
        let mut asked = 0;
        let found = matcher.find(&vec![b'a'; 1 << 20], &mut || {
            asked += 1;
            asked < 3
        });
        assert_eq!((found, asked), (Err(Interrupted), 3));
    }

    #[test]
    fn fuzzy_distances_agree_with_the_textbook_recurrence() {
        let (pattern, alphabet) = ("abca", ['a', 'b', 'c']);
        for code in 0..3_usize.pow(6) {
            let line: String = (0..6).map(|at| alphabet[code / 3_usize.pow(at) % 3]).collect();
            for level in 1..=3 {
                let want =
                    (0..6).filter(|&start| line[start..].starts_with('a')).find_map(|start| {
                        (start + 1..=6)
                            .map(|end| (levenshtein(pattern, &line[start..end]), end))
                            .min()
                            .filter(|&(distance, _)| distance <= usize::from(level))
                            .map(|(_, end)| (start, end))
                    });
                let got = FuzzyMatcher::new(pattern, level, false, false)
                    .find(line.as_bytes(), &mut || true)
                    .unwrap();
                assert_eq!(got, want, "{pattern} in {line} at level {level}");
            }
        }
    }

    fn levenshtein(a: &str, b: &str) -> usize {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, y) in b.iter().enumerate() {
                let substituted = diagonal + usize::from(x != y);
                diagonal = row[j + 1];
                row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
            }
        }
        row[b.len()]
    }
}
