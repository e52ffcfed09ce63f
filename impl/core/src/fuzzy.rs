//! Approximate matching of a literal within N edits, bit-parallel (FR-LS-SRC-11, D14).
//!
//! A line matches at level N if it holds a non-empty substring that starts with the pattern's first character and
//! whose Levenshtein distance to the pattern is at most N. This is what ugrep's `-Z` does, stated so that every backend
//! gives the same lines. Both strings start with the same character, so that character costs nothing and what remains is prefix matching with
//! errors: one bit per pattern character and one row per permitted error (Wu and Manber), run from each
//! occurrence of the first character for at most pattern length + N characters.

use std::collections::BTreeMap;

/// A literal and the number of edits it tolerates. Distances count Unicode scalar values of the lossily decoded line.
#[derive(Clone, Debug)]
pub struct FuzzyMatcher {
    first: char,
    /// Pattern length in scalar values; at least 1, and more than `level`.
    length: usize,
    level: usize,
    fold_ascii: bool,
    word: bool,
    /// For each character of the pattern (folded if `fold_ascii`), the positions it occurs at.
    masks: BTreeMap<char, Bits>,
}

/// One scalar value of the decoded line and where its bytes start.
type Decoded = (char, usize);

impl FuzzyMatcher {
    /// A matcher for a validated request: `pattern` is not empty and longer than `level` scalar values.
    pub fn new(pattern: &str, level: u8, fold_ascii: bool, word: bool) -> Self {
        let fold = |c: char| if fold_ascii { c.to_ascii_lowercase() } else { c };
        let mut masks = BTreeMap::new();
        let mut length = 0;
        for (at, c) in pattern.chars().enumerate() {
            masks.entry(fold(c)).or_insert_with(Bits::default).set(at);
            length = at + 1;
        }
        let first = pattern.chars().next().map_or('\0', fold);
        Self { first, length, level: usize::from(level), fold_ascii, word, masks }
    }

    /// The match that starts leftmost; of its ends the one at the smallest distance, then the shortest. Byte offsets.
    pub fn find(&self, line: &[u8]) -> Option<(usize, usize)> {
        let text = decode(line);
        for (at, &(c, start)) in text.iter().enumerate() {
            if self.fold(c) != self.first || (self.word && word_before(&text, at)) {
                continue;
            }
            if let Some(end) = self.best_end(&text, at) {
                let end = text.get(end).map_or(line.len(), |&(_, offset)| offset);
                return Some((start, end));
            }
        }
        None
    }

    fn fold(&self, c: char) -> char {
        if self.fold_ascii { c.to_ascii_lowercase() } else { c }
    }

    /// The best end (exclusive, in characters) of a match that starts at `start`.
    fn best_end(&self, text: &[Decoded], start: usize) -> Option<usize> {
        // Row d holds the pattern prefixes reachable with at most d errors. The first character matched; row d
        // may have skipped d more pattern characters.
        let mut rows: Vec<Bits> = (0..=self.level)
            .map(|errors| {
                let mut row = Bits::default();
                (0..=errors.min(self.length - 1)).for_each(|at| row.set(at));
                row
            })
            .collect();
        let mut best: Option<(usize, usize)> = None;
        let mut end = start + 1;
        loop {
            if !(self.word && word_at(text, end)) {
                let distance = rows.iter().position(|row| row.get(self.length - 1));
                if let Some(distance) = distance.filter(|&d| best.is_none_or(|(least, _)| d < least)) {
                    best = Some((distance, end));
                }
            }
            let Some(&(c, _)) = text.get(end).filter(|_| end - start < self.length + self.level) else {
                break;
            };
            rows = self.step(&rows, self.masks.get(&self.fold(c)));
            if rows.iter().all(Bits::is_zero) {
                break;
            }
            end += 1;
        }
        best.map(|(_, end)| end)
    }

    fn step(&self, rows: &[Bits], mask: Option<&Bits>) -> Vec<Bits> {
        let mut next: Vec<Bits> = Vec::with_capacity(rows.len());
        let mut fewer: Option<&Bits> = None;
        for row in rows {
            let mut new = mask.map_or_else(Bits::default, |mask| row.shifted(self.length).and(mask));
            if let Some(fewer) = fewer {
                new.or(fewer); // a character of the text too many
                new.or(&fewer.shifted(self.length)); // one character in place of another
            }
            if let Some(skipped) = next.last() {
                new.or(&skipped.shifted(self.length)); // a character of the pattern left out
            }
            next.push(new);
            fewer = Some(row);
        }
        next
    }
}

fn decode(line: &[u8]) -> Vec<Decoded> {
    let mut text = Vec::with_capacity(line.len());
    let mut offset = 0;
    for chunk in line.utf8_chunks() {
        text.extend(chunk.valid().char_indices().map(|(at, c)| (c, offset + at)));
        offset += chunk.valid().len();
        if !chunk.invalid().is_empty() {
            text.push((char::REPLACEMENT_CHARACTER, offset));
            offset += chunk.invalid().len();
        }
    }
    text
}

fn word_at(text: &[Decoded], at: usize) -> bool {
    text.get(at).is_some_and(|&(c, _)| regex_syntax::is_word_character(c))
}

fn word_before(text: &[Decoded], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|at| word_at(text, at))
}

/// A bit set over pattern positions, as long as it needs to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn set(&mut self, at: usize) {
        if self.0.len() <= at / 64 {
            self.0.resize(at / 64 + 1, 0);
        }
        if let Some(word) = self.0.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }

    fn get(&self, at: usize) -> bool {
        self.0.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn is_zero(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn or(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    fn and(mut self, other: &Self) -> Self {
        self.0.truncate(other.0.len());
        self.0.iter_mut().zip(&other.0).for_each(|(word, mask)| *word &= mask);
        self
    }

    /// Every bit one position up, within `length` positions.
    fn shifted(&self, length: usize) -> Self {
        let mut carry = 0;
        let mut words: Vec<u64> = self
            .0
            .iter()
            .map(|&word| {
                let up = word << 1 | carry;
                carry = word >> 63;
                up
            })
            .collect();
        words.push(carry);
        words.truncate(length.div_ceil(64));
        Self(words)
    }
}

#[cfg(test)]
#[expect(clippy::string_slice, reason = "test strings are cut where their characters end")]
mod tests {
    use super::*;

    fn found(pattern: &str, level: u8, line: &str) -> Option<String> {
        let (start, end) = FuzzyMatcher::new(pattern, level, false, false).find(line.as_bytes())?;
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
    fn the_first_character_is_fixed() {
        assert_eq!(found("hello", 4, "xello"), None);
    }

    #[test]
    fn a_short_enough_rest_matches_on_the_first_character_alone() {
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
    fn words_need_boundaries_on_both_sides() {
        let word = FuzzyMatcher::new("hello", 1, false, true);
        assert_eq!(word.find(b"xhallo hallo"), Some((7, 12)));
        assert_eq!(word.find(b"halloxx"), None);
    }

    #[test]
    fn agreement_with_the_textbook_recurrence() {
        let (pattern, alphabet) = ("abca", ['a', 'b', 'c']);
        for code in 0..3_usize.pow(6) {
            let line: String = (0..6).map(|at| alphabet[code / 3_usize.pow(at) % 3]).collect();
            for level in 1..=3 {
                let want = (0..6).filter(|&start| line[start..].starts_with('a')).find_map(|start| {
                    (start + 1..=6)
                        .map(|end| (levenshtein(pattern, &line[start..end]), end))
                        .min()
                        .filter(|&(distance, _)| distance <= usize::from(level))
                        .map(|(_, end)| (start, end))
                });
                let got = FuzzyMatcher::new(pattern, level, false, false).find(line.as_bytes());
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
