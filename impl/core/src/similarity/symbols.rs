//! The symbols of a query.

/// Numbers the distinct characters of a query from 1; all other characters are 0, which equals
/// nothing.
#[derive(Clone, Debug)]
pub(super) struct Alphabet {
    ascii: [u16; 128],
    /// The non-ASCII characters, sorted.
    beyond: Vec<(char, u16)>,
}

impl Alphabet {
    /// The alphabet of a query. With `fold_ascii`, ASCII letters equal their other case.
    pub(super) fn of(query: &str, fold_ascii: bool) -> Self {
        let mut alphabet = Self { ascii: [0; 128], beyond: Vec::new() };
        let mut number = 0;
        for c in query.chars() {
            if alphabet.symbol(c) == 0 {
                number += 1;
                alphabet.add(c, number);
                if fold_ascii {
                    alphabet.add(c.to_ascii_lowercase(), number);
                    alphabet.add(c.to_ascii_uppercase(), number);
                }
            }
        }
        alphabet
    }

    fn add(&mut self, c: char, number: u16) {
        if let Some(symbol) = self.ascii.get_mut(c as usize) {
            *symbol = number;
        } else if let Err(at) = self.beyond.binary_search_by_key(&c, |&(c, _)| c) {
            self.beyond.insert(at, (c, number));
        }
    }

    pub(super) fn symbol(&self, c: char) -> u16 {
        if let Some(&symbol) = self.ascii.get(c as usize) {
            return symbol;
        }
        let found = self.beyond.binary_search_by_key(&c, |&(c, _)| c);
        found.ok().and_then(|at| self.beyond.get(at)).map_or(0, |&(_, number)| number)
    }
}
