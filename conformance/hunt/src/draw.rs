//! Random questions. Each batch turns other features on and off (swarm testing).
//!
//! Responsible for: [`Batch`], a pack and the asks about it, drawn from a seed and a number.
//! Not here: asking and judging ([`super::run`]), making failing questions small
//! ([`super::shrink`]).
//! Invariants: a batch depends on its seed and its number alone; alphabets are small, so that
//! things collide and match often; what is searched is made of what the patterns match, and of near
//! misses.

mod haystack;
mod options;
mod pattern;
mod swarm;
mod walk;

use serde::{Deserialize, Serialize};
use touchstone_cases::dice::Dice;

use super::question::{Ask, Pack};

use swarm::Swarm;

/// Asks of a batch about ordinary packs.
const ASKS: usize = 12;

/// Haystacks of an ordinary pack.
const HAYSTACKS: usize = 64;

/// One in so many batches is a walk.
const WALKS: usize = 5;

/// One in so many batches has haystacks longer than buffers.
const LONG: usize = 24;

/// One in so many of these has one much longer, about which little is asked.
const HUGE: usize = 8;
const HUGE_ASKS: usize = 3;

/// A pack and the asks about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The pack.
    pub pack: Pack,
    /// The asks.
    pub asks: Vec<Ask>,
}

/// What batches are of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// Files named one by one.
    Listed,
    /// Walks too.
    #[default]
    All,
    /// Walks only.
    Walks,
}

impl Batch {
    /// The batch with this number.
    pub fn draw(seed: u64, number: u64, theme: Theme) -> Self {
        let mut dice = Dice::new(seed, number);
        let walks = dice.once_in(WALKS);
        if theme == Theme::Walks || (walks && theme == Theme::All) {
            return walk::batch(&mut dice);
        }
        let is_long = dice.once_in(LONG);
        let is_huge = is_long && dice.once_in(HUGE);
        let count = if is_huge { HUGE_ASKS } else { ASKS };
        let mut swarm = Swarm::draw(&mut dice);
        if is_long {
            // The model reads every byte with an automaton of all patterns.
            swarm.many = false;
            swarm.depth = if is_huge { 1 } else { swarm.depth };
            swarm.brief &= !is_huge;
        }
        let patterns: Vec<pattern::Piece> = (0..count).map(|_| swarm.pattern(&mut dice)).collect();
        let asks = patterns
            .iter()
            .map(|piece| options::ask(&mut dice, &swarm, piece, &patterns))
            .collect();
        let pack = if is_long {
            haystack::long_pack(&mut dice, &swarm, &patterns, is_huge)
        } else {
            haystack::pack(&mut dice, &swarm, &patterns, HAYSTACKS)
        };
        Self { pack, asks }
    }
}

#[cfg(test)]
mod tests;
