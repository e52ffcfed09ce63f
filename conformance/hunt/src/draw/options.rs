//! Options of an ask.

use touchstone_cases::dice::Dice;

use super::pattern::Piece;
use super::swarm::Swarm;
use crate::question::{Ask, Case, Show};

/// From so many patterns on, programs match sets in another way than a few.
const MANY: usize = 40;

/// An ask with options that the batch turns on.
pub(super) fn ask(dice: &mut Dice, swarm: &Swarm, piece: &Piece, others: &[Piece]) -> Ask {
    let fixed = swarm.fixed && dice.once_in(2);
    let text = |dice: &mut Dice, piece: &Piece| {
        // Literals are made of what patterns match, so that they match too.
        if fixed { piece.sample(dice, swarm).replace('\n', "") } else { piece.write() }
    };
    let mut patterns = vec![text(dice, piece)];
    if swarm.many && dice.once_in(6) {
        let more = MANY + dice.below(4 * MANY);
        for _ in 0..more {
            let piece = swarm.pattern(dice);
            patterns.push(text(dice, &piece));
        }
    } else if swarm.several && dice.once_in(2) {
        for _ in 0..=dice.below(2) {
            if let Some(other) = others.get(dice.below(others.len())) {
                patterns.push(text(dice, other));
            }
        }
    }
    let mut ask = Ask { patterns, fixed, ..Ask::new("") };
    if swarm.case && dice.once_in(2) {
        ask.case = if dice.once_in(2) { Case::Smart } else { Case::Insensitive };
    }
    ask.word = swarm.word && dice.once_in(2);
    ask.line = swarm.line && !ask.word && dice.once_in(2);
    ask.invert = swarm.invert && dice.once_in(2);
    let number = |dice: &mut Dice| u64::try_from(dice.below(4)).unwrap_or(0);
    if swarm.max_count && dice.once_in(2) {
        ask.max_count = Some(1 + number(dice));
    }
    if swarm.shows && dice.once_in(2) {
        ask.show =
            dice.pick(&[Show::Spans, Show::Count, Show::Files, Show::FilesWithout], Show::Spans);
    }
    if ask.show == Show::Spans {
        ask.invert = false;
    }
    // What inverted searches select is seen by its context.
    if (swarm.context || ask.invert) && ask.show == Show::Lines && dice.once_in(2) {
        ask.before = number(dice);
        ask.after = number(dice);
    }
    if swarm.mmap && dice.once_in(2) {
        ask.mmap = Some(dice.once_in(2));
    }
    ask.crlf = swarm.crlf && dice.once_in(2);
    ask
}
