//! Texts that a pattern of the specification matches.
//!
//! Not here: where they stand in a case ([`super::edges`]). Invariants: the same dice give the same
//! text; anchors and boundaries add nothing, so that a text may fail to match where they matter.

use std::cell::RefCell;
use std::collections::HashMap;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::dice::Dice;

/// One text; an empty one if the pattern is none.
pub(super) fn example(pattern: &str, dice: &mut Dice) -> String {
    thread_local! {
        /// Patterns are asked for again and again, and take longer to parse than to follow.
        static PARSED: RefCell<HashMap<String, Option<Hir>>> = RefCell::default();
    }
    let mut text = Vec::new();
    PARSED.with_borrow_mut(|parsed| {
        if !parsed.contains_key(pattern) {
            let hir = ParserBuilder::new().utf8(false).build().parse(pattern).ok();
            parsed.insert(pattern.to_owned(), hir);
        }
        if let Some(Some(hir)) = parsed.get(pattern) {
            grow(hir, dice, &mut text);
        }
    });
    String::from_utf8_lossy(&text).into_owned()
}

fn grow(hir: &Hir, dice: &mut Dice, text: &mut Vec<u8>) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.extend_from_slice(&literal.0),
        HirKind::Class(class) => text.push(one_of(class, dice)),
        HirKind::Repetition(repeated) => {
            let least = usize::try_from(repeated.min).unwrap_or(usize::MAX);
            let most = repeated.max.and_then(|most| usize::try_from(most).ok());
            let times = (least + dice.below(3)).min(most.unwrap_or(usize::MAX));
            (0..times).for_each(|_| grow(&repeated.sub, dice, text));
        }
        HirKind::Capture(capture) => grow(&capture.sub, dice, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| grow(part, dice, text)),
        HirKind::Alternation(parts) => {
            if let Some(part) = parts.get(dice.below(parts.len())) {
                grow(part, dice, text);
            }
        }
    }
}

/// A byte of ASCII that can be seen, or a space; an `x` if the class has none.
fn one_of(class: &Class, dice: &mut Dice) -> u8 {
    let ranges: Vec<(u32, u32)> = match class {
        Class::Unicode(class) => {
            // A class of letters has hundreds of them, in order.
            let low = class.ranges().iter().take_while(|range| range.start() <= '~');
            low.map(|range| (range.start().into(), range.end().into())).collect()
        }
        Class::Bytes(class) => {
            class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect()
        }
    };
    let seen = ranges.into_iter().flat_map(|(start, end)| start.max(0x20)..=end.min(0x7e));
    let all: Vec<u8> = seen.filter_map(|code| u8::try_from(code).ok()).collect();
    let plain: Vec<u8> = all.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
    let among = if plain.is_empty() || dice.once_in(8) { &all } else { &plain };
    dice.pick(among, b'x')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generated_example_matches_its_pattern() {
        for pattern in ["a(?:b|c)+[0-9]{3}\\s*$", "^(?i:Ab)?x*[^a-z]y{2,}"] {
            let matcher = regex_automata::meta::Regex::new(pattern).unwrap();
            for number in 0..100 {
                let text = example(pattern, &mut Dice::new(0, number));
                assert!(matcher.is_match(text.as_bytes()), "{pattern}: {text:?}");
                assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{text:?}");
            }
        }
    }
}
