//! The identifiers of a text, each with how surely it is defined where it stands: what an index of
//! words is built from ([`crate::index::words`]).

use crate::{
    agent::defining::{self, Definer},
    identifier::identifier_places,
    text::{Span, decoded, line_after, line_at},
};

/// A number that changes with what [`names`] says of a text: stored words of another are not used.
pub fn names_version() -> u64 {
    /// Raised when identifiers or levels change otherwise than by the shapes.
    const VERSION: u64 = 1;
    defining::shapes_hash().wrapping_add(VERSION)
}

/// Which bytes identifiers of ASCII have.
const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 0x80 {
        #[expect(clippy::indexing_slicing, reason = "a table has a place for each byte")]
        {
            table[byte as usize] = byte == b'_' || byte.is_ascii_alphanumeric();
        }
        byte += 1;
    }
    table
};

fn is_word(byte: u8) -> bool {
    WORD.get(usize::from(byte)).copied().unwrap_or(false)
}

/// The identifiers of a line of ASCII, by where they begin and end.
fn ascii_places(line: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let left = at + line.get(at..)?.iter().position(|byte| is_word(*byte))?;
        let rest = line.get(left..)?;
        at = left + rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len());
        Some((left, at))
    })
}

/// Hands out the identifiers of a decoded text, each with the level of its definition, 0 to 3.
pub fn names(walked: &[u8], text: &[u8], mut each: impl FnMut(&str, u8)) {
    let definer = Definer::new(walked, text);
    let ascii = std::str::from_utf8(text).ok().filter(|text| text.is_ascii());
    let mut next = line_at(text, 0);
    while let Some(line) = next {
        next = line_after(text, line);
        let visible = line.visible(text);
        let shown = match ascii {
            Some(text) => text.get(line.start..line.start + visible.len()),
            None if visible.is_ascii() => std::str::from_utf8(visible).ok(),
            None => None,
        };
        let Some(shown) = shown else {
            other(&definer, line, visible, &mut each);
            continue;
        };
        definer.levels(line, shown, ascii_places(visible), |(left, right), level| {
            each(shown.get(left..right).unwrap_or_default(), level);
        });
    }
}

/// A line that is not of ASCII.
fn other(definer: &Definer<'_>, line: Span, visible: &[u8], each: &mut impl FnMut(&str, u8)) {
    let shown = decoded(visible, "");
    definer.levels(line, &shown, identifier_places(&shown), |(left, right), level| {
        each(shown.get(left..right).unwrap_or_default(), level);
    });
}

#[cfg(test)]
mod tests;
