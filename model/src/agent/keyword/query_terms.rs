//! The words of a query, and the terms derived from them (section 1, Terms from the query).
//!
//! Invariants: terms are distinct, and each is the form of a word.

use crate::agent::identifier::is_word_character;
use crate::fields::exceeds;
use crate::tables::keyword::KeywordTables;

/// A maximal run of word characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// Folded, without `_` at both ends.
    pub(super) text: String,
    /// The text, without a plural ending unless the word is a name.
    pub(super) form: String,
    pub(super) is_name: bool,
    /// Whether it begins in the query's first line.
    pub(super) in_first_line: bool,
}

/// The words of one form, as a candidate term.
struct FormGroup<'q> {
    form: &'q str,
    is_name: bool,
    in_first_line: bool,
    words: usize,
}

/// All words of a query, including stop words and short ones.
pub(super) fn words(query: &str) -> Vec<Word> {
    let leading = query.len() - query.trim_start().len();
    let first_line_ends = leading + query.trim_start().find('\n').unwrap_or(query.len());
    let mut words = Vec::new();
    let mut quotes = 0_usize;
    let mut word = String::new();
    let mut start = 0;
    for (at, one) in query.char_indices().chain([(query.len(), '\n')]) {
        if is_word_character(one) {
            if word.is_empty() {
                start = at;
            }
            word.push(one);
            continue;
        }
        if !word.is_empty() {
            words.push(Word::of(&word, quotes % 2 == 1, start < first_line_ends));
            word.clear();
        }
        quotes += usize::from(one == '`');
    }
    words
}

/// The terms of these words, most important first.
pub(super) fn terms(words: &[Word], tables: &KeywordTables) -> Vec<String> {
    let mut forms: Vec<FormGroup<'_>> = Vec::new();
    let some_count = words.iter().any(|word| word.counts(tables));
    let taken =
        |word: &&Word| if some_count { word.counts(tables) } else { word.could_count(tables) };
    for word in words.iter().filter(taken) {
        if !forms.iter().any(|known| known.form == word.form) {
            forms.push(FormGroup {
                form: &word.form,
                is_name: false,
                in_first_line: false,
                words: 0,
            });
        }
        for known in forms.iter_mut().filter(|known| known.form == word.form) {
            known.is_name |= word.is_name;
            known.in_first_line |= word.in_first_line;
            known.words += 1;
        }
    }
    // The sort is stable: equal forms stay in the order of their first words.
    forms.sort_by_key(|form| std::cmp::Reverse((form.is_name, form.in_first_line, form.words)));
    let most = usize::try_from(tables.limits.terms).unwrap_or(usize::MAX);
    forms.into_iter().take(most).map(|form| form.form.to_owned()).collect()
}

/// Whether a word is a name by its spelling.
pub(super) fn is_name(word: &str) -> bool {
    let word = word.trim_matches('_');
    let capital = word.chars().skip(1).any(char::is_uppercase);
    word.contains('_') || capital && word.chars().any(char::is_lowercase)
}

/// A text without a plural ending.
pub(super) fn singular(text: &str) -> String {
    if let Some(before) = text.strip_suffix("ies").filter(|_| text.len() > 4) {
        return format!("{before}y");
    }
    let is_kept = ["ss", "us", "is"].iter().any(|ending| text.ends_with(ending));
    let before = text.strip_suffix('s').filter(|_| text.len() > 3 && !is_kept);
    before.unwrap_or(text).to_owned()
}

impl Word {
    fn of(word: &str, is_quoted: bool, in_first_line: bool) -> Word {
        let text = word.trim_matches('_').to_ascii_lowercase();
        let is_name = is_quoted || is_name(word);
        let form = if is_name { text.clone() } else { singular(&text) };
        Word { text, form, is_name, in_first_line }
    }

    /// Whether the form becomes a term.
    fn counts(&self, tables: &KeywordTables) -> bool {
        let length = self.text.len();
        let is_long = u64::try_from(length).is_ok_and(|length| length >= tables.limits.word_bytes);
        is_long
            && self.could_count(tables)
            && (self.is_name || !tables.everyday.contains(&self.text.as_str()))
    }

    /// Whether the form becomes a term if no other does.
    fn could_count(&self, tables: &KeywordTables) -> bool {
        let has_letter = self.text.chars().any(char::is_alphabetic);
        has_letter && !exceeds(self.text.len(), tables.limits.term_bytes)
    }
}

#[cfg(test)]
mod tests;
