//! The words of a query: terms where the request has none, and the weights of terms
//! (docs/keyword-search.md, sections 1 and 4).

use std::collections::HashMap;

use super::{MAX_TERM_BYTES, MAX_TERMS, stop_words::STOP_WORDS};
use crate::{agent::search_text::singular, identifier::word_character};

/// Shortest word that counts, in bytes.
const LEAST_BYTES: usize = 3;

/// A word of a query.
struct Word {
    /// Folded, without `_` at both ends.
    text: String,
    /// The text without a plural ending, unless the word is a name.
    form: String,
    /// Whether it looks like an identifier or is in backticks.
    is_name: bool,
    in_first_line: bool,
}

impl Word {
    fn can_be_sought(&self) -> bool {
        self.text.len() <= MAX_TERM_BYTES && self.text.chars().any(char::is_alphabetic)
    }

    fn counts(&self) -> bool {
        self.can_be_sought()
            && self.text.len() >= LEAST_BYTES
            && (self.is_name || STOP_WORDS.binary_search(&self.text.as_str()).is_err())
    }
}

/// The words of a query, including stop words.
pub(super) struct Words(Vec<Word>);

impl Words {
    pub(super) fn of(query: &str) -> Self {
        let query = query.trim_start();
        let first_line = query.find('\n').unwrap_or(query.len());
        let mut words = Vec::new();
        let (mut rest, mut at, mut in_quotes) = (query, 0, false);
        while let Some(start) = rest.find(word_character) {
            let (gap, from) = rest.split_at(start);
            in_quotes ^= gap.matches('`').count() % 2 == 1;
            let (run, behind) =
                from.split_at(from.find(|c| !word_character(c)).unwrap_or(from.len()));
            words.push(Self::word(run, in_quotes, at + start < first_line));
            at += start + run.len();
            rest = behind;
        }
        Self(words)
    }

    fn word(run: &str, in_quotes: bool, in_first_line: bool) -> Word {
        let run = run.trim_matches('_');
        let text = run.to_ascii_lowercase();
        let is_name = in_quotes || looks_like_a_name(run);
        let form = if is_name { text.clone() } else { singular(&text) };
        Word { text, form, is_name, in_first_line }
    }

    /// The terms of the query, most important first.
    pub(super) fn terms(&self) -> Vec<String> {
        struct Form<'w> {
            text: &'w str,
            is_name: bool,
            in_first_line: bool,
            words: usize,
        }
        let none_counts = !self.0.iter().any(Word::counts);
        let mut forms: Vec<Form<'_>> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for word in self
            .0
            .iter()
            .filter(|word| if none_counts { word.can_be_sought() } else { word.counts() })
        {
            let place = *places.entry(&word.form).or_insert(forms.len());
            let Some(form) = forms.get_mut(place) else {
                let Word { form, is_name, in_first_line, .. } = word;
                let (is_name, in_first_line) = (*is_name, *in_first_line);
                forms.push(Form { text: form, is_name, in_first_line, words: 1 });
                continue;
            };
            form.is_name |= word.is_name;
            form.in_first_line |= word.in_first_line;
            form.words += 1;
        }
        // The sort is stable: earlier words come first.
        forms.sort_by_key(|form| std::cmp::Reverse((form.is_name, form.in_first_line, form.words)));
        forms.into_iter().take(MAX_TERMS).map(|form| form.text.to_owned()).collect()
    }

    /// Whether a term is a name, and whether it is in the first line.
    pub(super) fn have(&self, term: &str) -> (bool, bool) {
        let folded = term.to_ascii_lowercase();
        let same = self.0.iter().filter(|word| word.text == folded || word.form == folded);
        let start = (is_word(term) && looks_like_a_name(term.trim_matches('_')), false);
        same.fold(start, |(name, first), word| (name || word.is_name, first || word.in_first_line))
    }
}

fn is_word(term: &str) -> bool {
    term.chars().all(word_character)
}

/// Whether the capitals of a word are those of an identifier of several parts.
fn looks_like_a_name(word: &str) -> bool {
    word.contains('_')
        || (word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(query: &str) -> Vec<String> {
        Words::of(query).terms()
    }

    #[test]
    fn query_terms_are_names_then_the_first_line_then_frequent_words() {
        let query = "Crash in read_buf when\n\nthe `codec` of HeaderMap has many bodies, many bodies, and panics";
        assert_eq!(terms(query), ["read_buf", "codec", "headermap", "crash", "body", "panic"]);
    }

    #[test]
    fn stop_words_are_terms_only_as_names() {
        assert_eq!(terms("how does this get the value"), ["value"]);
        assert_eq!(terms("what does `get` with thisThing"), ["get", "thisthing"]);
        assert_eq!(terms("is it so?"), ["is", "it", "so"]);
        assert_eq!((terms("g"), terms("a lock")), (vec!["g".to_owned()], vec!["lock".to_owned()]));
        assert!(terms("1234 == 5678; __").is_empty());
    }

    #[test]
    fn a_plural_ends_in_s_behind_three_letters_or_in_ies_behind_two() {
        for (word, expected) in [
            ("ids", "ids"),
            ("jobs", "job"),
            ("ties", "tie"),
            ("flies", "fly"),
            ("class", "class"),
            ("status", "status"),
            ("axis", "axis"),
            ("lock", "lock"),
        ] {
            assert_eq!(singular(word), expected);
        }
    }

    #[test]
    fn a_plural_loses_its_ending_and_a_name_does_not() {
        assert_eq!(
            terms("queries locks class status ties bus"),
            ["query", "lock", "class", "status", "tie", "bus"]
        );
        assert_eq!(terms("`locks` user_locks"), ["locks", "user_locks"]);
    }

    #[test]
    fn a_given_term_is_classified_by_its_form_and_by_the_query() {
        let words = Words::of(" \nshow locks\nof `get` and THIS");
        assert_eq!(words.have("lock"), (false, true));
        assert_eq!(words.have("LOCKS"), (false, true));
        assert_eq!(words.have("get"), (true, false));
        assert_eq!(words.have("thi"), (false, false));
        assert_eq!(words.have("userLock"), (true, false));
        assert_eq!(words.have("a.userLock"), (false, false));
    }

    #[test]
    fn a_query_has_at_most_32_terms() {
        let many: Vec<String> = (10..50).map(|n| format!("word{n}")).collect();
        assert_eq!(terms(&many.join(" ")).len(), MAX_TERMS);
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }
}
