//! Approximate matching of a literal: the best match with at most N edits (section 4; FR-LS-SRC-11,
//! E-G01, E-G02).
//!
//! Characters are Unicode scalar values. The whole distance table is computed for every start.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fuzzy {
    pattern: Vec<char>,
    /// Permitted insertions, deletions and substitutions.
    level: u64,
    sensitive: bool,
    /// Whether the match must be a whole word.
    word: bool,
}

impl Fuzzy {
    pub(crate) fn new(pattern: &str, level: u64, sensitive: bool, word: bool) -> Fuzzy {
        Fuzzy { pattern: pattern.chars().collect(), level, sensitive, word }
    }

    /// The text before the match, and the match: the leftmost one; among its ends the one with the
    /// smallest distance, then the shortest.
    pub(crate) fn find(&self, line: &str) -> Option<(String, String)> {
        let line: Vec<char> = line.chars().collect();
        (0..line.len()).find_map(|start| {
            let (before, from_here) = line.split_at_checked(start)?;
            let length = self.best_length(before, from_here)?;
            Some((before.iter().collect(), from_here.iter().take(length).collect()))
        })
    }

    /// The length of the best match that starts right after `before`.
    fn best_length(&self, before: &[char], text: &[char]) -> Option<usize> {
        if !self.equal(*self.pattern.first()?, *text.first()?)
            || (self.word && ends_in_word(before))
        {
            return None;
        }
        self.distances(text)
            .into_iter()
            .zip(1..)
            .filter(|(distance, _)| *distance <= self.level)
            .filter(|(_, length)| {
                !self.word || !starts_with_word(text.get(*length..).unwrap_or_default())
            })
            .min()
            .map(|(_, length)| length)
    }

    /// The distances of the pattern to the prefixes of `text`, from one character to the longest
    /// that can match.
    fn distances(&self, text: &[char]) -> Vec<u64> {
        let longest =
            self.pattern.len().saturating_add(usize::try_from(self.level).unwrap_or(usize::MAX));
        // Distances of the pattern's prefixes, from the empty one to the whole, to the text read so
        // far.
        let mut column: Vec<u64> = (0..).take(self.pattern.len() + 1).collect();
        let mut distances = Vec::new();
        for character in text.iter().take(longest) {
            column = self.next_column(&column, *character);
            distances.extend(column.last());
        }
        distances
    }

    fn next_column(&self, column: &[u64], character: char) -> Vec<u64> {
        let mut next: Vec<u64> = column.iter().take(1).map(|distance| distance + 1).collect();
        let pairs = column.iter().zip(column.iter().skip(1));
        for (wanted, (diagonal, left)) in self.pattern.iter().zip(pairs) {
            let substituted = diagonal + u64::from(!self.equal(*wanted, character));
            let above = next.last().copied().unwrap_or_default();
            next.push(substituted.min(left + 1).min(above + 1));
        }
        next
    }

    fn equal(&self, one: char, other: char) -> bool {
        if self.sensitive { one == other } else { one.eq_ignore_ascii_case(&other) }
    }
}

fn ends_in_word(text: &[char]) -> bool {
    text.last().is_some_and(|character| is_word(*character))
}

fn starts_with_word(text: &[char]) -> bool {
    text.first().is_some_and(|character| is_word(*character))
}

/// Whether `\w` matches the character.
fn is_word(character: char) -> bool {
    regex_syntax::try_is_word_character(character).unwrap_or_default()
}

#[cfg(test)]
mod tests;
