//! The budget of an answer, and the largest answer that fits it.

use serde_json::Value;

/// Counts tokens the way the reader of an answer does.
pub trait TokenCounter {
    /// Number of tokens of a text.
    fn count(&self, text: &str) -> u64;

    /// Whether a text has at most `limit` tokens.
    fn fits(&self, text: &str, limit: u64) -> bool {
        self.count(text) <= limit
    }
}

impl<F: Fn(&str) -> u64> TokenCounter for F {
    fn count(&self, text: &str) -> u64 {
        self(text)
    }
}

/// Limits on an answer's length. They apply to its data and to its text separately.
pub struct Budget<'b> {
    /// Bytes.
    pub bytes: u64,
    /// Tokens.
    pub tokens: u64,
    /// The tokenizer.
    pub tokenizer: &'b dyn TokenCounter,
}

impl Budget<'_> {
    /// Whether a text is within the budget.
    pub fn permits(&self, text: &str) -> bool {
        text.len() as u64 <= self.bytes && self.tokenizer.fits(text, self.tokens)
    }

    /// Estimates how many results fit into a frame by counting each alone.
    pub fn about(&self, frame: &str, results: &[String]) -> usize {
        let (mut bytes, mut tokens) = (frame.len() as u64, self.tokenizer.count(frame));
        let fitting = results.iter().take_while(|result| {
            bytes += result.len() as u64 + 1;
            if bytes <= self.bytes {
                tokens += self.tokenizer.count(result) + 1;
            }
            bytes <= self.bytes && tokens <= self.tokens
        });
        fitting.count()
    }
}

/// `frame` as JSON, with `items` (serialised) in its empty list `list`.
pub fn filled(frame: &Value, list: &str, items: &[String]) -> String {
    let frame = frame.to_string();
    // Quotes inside a JSON string are escaped, so this text occurs once.
    let empty = format!("\"{list}\":[]");
    match frame.split_once(&empty) {
        Some((head, tail)) => format!("{head}\"{list}\":[{}]{tail}", items.join(",")),
        None => frame,
    }
}

/// `at(n)` for the largest `n` up to `most` for which it returns a value; `None` if `at(0)` does
/// not. `at` must return a value for every smaller number too. A good guess `near` needs few
/// trials.
pub fn largest<T>(most: usize, near: usize, at: impl Fn(usize) -> Option<T>) -> Option<T> {
    // The smallest number known to be too large, and a step that doubles in both directions.
    let (mut beyond, mut step) = (most.saturating_add(1), 1);
    let mut tried = near.min(most);
    let mut found = loop {
        if let Some(found) = at(tried) {
            break found;
        }
        if tried == 0 {
            return None;
        }
        beyond = tried;
        tried = tried.saturating_sub(step);
        step *= 2;
    };
    let mut low = tried;
    step = 1;
    while low + 1 < beyond {
        let middle = if beyond > most { (low + step).min(most) } else { low + (beyond - low) / 2 };
        step *= 2;
        match at(middle) {
            Some(larger) => (low, found) = (middle, larger),
            None => beyond = middle,
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_largest_fitting_number_is_found_from_any_start() {
        for most in 0..12 {
            for near in 0..14 {
                for limit in 0..14 {
                    let found = largest(most, near, |number| (number <= limit).then_some(number));
                    assert_eq!(found, Some(most.min(limit)), "{most} {near} {limit}");
                }
                assert_eq!(largest(most, near, |_| None::<()>), None);
            }
        }
    }

    #[test]
    fn a_good_first_guess_takes_two_trials() {
        let trials = Cell::new(0);
        let at = |number| {
            trials.set(trials.get() + 1);
            (number <= 73).then_some(number)
        };
        assert_eq!(largest(200, 73, at), Some(73));
        assert_eq!(trials.get(), 2);
    }

    #[test]
    fn results_are_counted_by_bytes_and_by_tokens() {
        let words = |text: &str| text.split(' ').count() as u64;
        let results = ["a b", "c d e", "f"].map(str::to_owned);
        let about =
            |bytes, tokens| Budget { bytes, tokens, tokenizer: &words }.about("x", &results);
        assert_eq!(
            [about(100, 100), about(5, 100), about(11, 100), about(100, 4), about(0, 0)],
            [3, 1, 2, 1, 0]
        );
    }
}
