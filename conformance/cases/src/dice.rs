//! Choices that depend on a seed and a number, and on nothing else.
//!
//! Not here: what is chosen. The strategies of [`crate::generate`] draw whole cases; what is drawn
//! here is bytes by the hundred thousand, for which they are too slow.

/// A sequence of choices.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// The sequence with this number.
    pub fn new(seed: u64, number: u64) -> Self {
        let mut dice = Self(seed ^ number.wrapping_mul(0xd134_2543_de82_ef95));
        dice.word();
        dice
    }

    /// 64 bits (splitmix64).
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `bound`; 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        let word = self.word();
        word.checked_rem(bound as u64).and_then(|rest| usize::try_from(rest).ok()).unwrap_or(0)
    }

    /// One of `choices`; the fallback if there are none.
    pub fn pick<T: Copy>(&mut self, choices: &[T], fallback: T) -> T {
        choices.get(self.below(choices.len())).copied().unwrap_or(fallback)
    }

    /// True once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
