//! How long an answer may be, and the most of it that fits.

/// Bytes and tokens that an answer may have: its data and its text, each.
pub struct Budget<'b> {
    /// Most bytes.
    pub bytes: usize,
    /// Whether a text has no more tokens than allowed.
    pub tokens: &'b dyn Fn(&str) -> bool,
}

impl Budget<'_> {
    /// Whether a text is short enough.
    pub fn permits(&self, text: &str) -> bool {
        text.len() <= self.bytes && (self.tokens)(text)
    }
}

/// What `at` gives for the largest number up to `most` for which it gives anything, as it does for all smaller ones.
/// None if there is nothing for 0.
pub fn largest<T>(most: usize, at: impl Fn(usize) -> Option<T>) -> Option<T> {
    let (mut low, mut high) = (0, most);
    let mut found = at(0)?;
    while low < high {
        let middle = high - (high - low) / 2;
        match at(middle) {
            Some(larger) => (low, found) = (middle, larger),
            None => high = middle - 1,
        }
    }
    Some(found)
}
