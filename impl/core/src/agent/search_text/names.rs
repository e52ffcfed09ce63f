//! The identifiers of a text, each with how surely it is defined where it stands: what an index of
//! words is built from ([`crate::index::words`]).

use crate::{
    agent::defining::{Definer, Sweep},
    identifier::identifiers,
    text::{decoded, line_after, line_at},
};

/// Goes through one text after the other; keeps what it has worked out of the shapes of lines.
#[derive(Default)]
pub struct Names(Sweep);

impl Names {
    /// Hands out the identifiers of a decoded text, each with the level of its definition, 0 to 3.
    pub fn of(&mut self, walked: &[u8], text: &[u8], mut each: impl FnMut(&str, u8)) {
        let definer = Definer::new(walked, text);
        let mut next = line_at(text, 0);
        while let Some(line) = next {
            let shown = decoded(line.visible(text), "");
            let places = identifiers(&shown).map(|name| {
                let left = name.as_ptr().addr() - shown.as_ptr().addr();
                (left, left + name.len())
            });
            self.0.line(&definer, line, &shown, places, |(left, right), level| {
                let name = shown.get(left..right).unwrap_or_default();
                each(name, u8::try_from(level).unwrap_or(0));
            });
            next = line_after(text, line);
        }
    }
}

#[cfg(test)]
mod tests;
