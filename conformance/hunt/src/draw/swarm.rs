//! What one batch turns on.

use touchstone_cases::dice::Dice;

/// Small alphabets: what is in one collides with itself, and with what its letters fold to.
const ALPHABETS: &[&[char]] = &[
    &['a', 'b', 'c'],
    &['a', 'A', 'b', 'B'],
    &['e', 'x', 'f', 'o', 'b', 'r'],
    &['a', 'b', ' ', '_', '-'],
    &['a', '.', '/', ' ', '0', '1'],
    &['k', 'K', 's', 'S', '\u{212a}', '\u{17f}'],
    &['a', 'é', 'É', 'ñ', 'Ñ', ' '],
    &['σ', 'ς', 'Σ', 'a', ' '],
    &['ß', 'ẞ', 's', 'i', 'I', 'İ', 'ı'],
    &['日', '本', 'a', '😀', ' '],
    &['a', 'b', '$', '^', '(', '*', '\\'],
    &['1', '2', 'a', ' ', ':', '-'],
];

/// Words that share their letters.
const WORDS: &[&[&str]] = &[
    &["foo", "foobar", "bar", "o", "fo"],
    &["a", "ab", "abc", "b", "bc", "c"],
    &["sam", "samwise", "wise", "am"],
    &["ex", "e", "x", "exe", "text"],
    &["foo_bar", "foo", "_", "bar", "foo bar"],
    &["aaa", "aa", "aaaa", "a"],
    &["fn", "func", "function", "n", "nf"],
    &["Foo", "foo", "FOO", "fOO"],
];

/// One in so many batches has brief patterns, and options so much more rarely: most bugs show
/// with a few characters and one option, and with all of them at once one bug hides another.
const BRIEF: usize = 2;
const RARER: usize = 2;

/// What one batch turns on.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that a batch turns on or off")]
pub(super) struct Swarm {
    pub(super) letters: &'static [char],
    pub(super) words: &'static [&'static str],
    /// Whether words are used where letters could be.
    pub(super) wordy: bool,
    /// Whether patterns are a few characters, repeated or not.
    pub(super) brief: bool,
    pub(super) alternation: bool,
    pub(super) repetition: bool,
    pub(super) bounded: bool,
    pub(super) lazy: bool,
    pub(super) class: bool,
    pub(super) negated: bool,
    pub(super) perl: bool,
    pub(super) property: bool,
    pub(super) anchor: bool,
    pub(super) boundary: bool,
    pub(super) flags: bool,
    pub(super) empty: bool,
    pub(super) depth: usize,
    pub(super) fixed: bool,
    pub(super) case: bool,
    pub(super) word: bool,
    pub(super) line: bool,
    pub(super) invert: bool,
    pub(super) max_count: bool,
    pub(super) context: bool,
    pub(super) several: bool,
    /// Sets of many patterns.
    pub(super) many: bool,
    pub(super) shows: bool,
    pub(super) mmap: bool,
    pub(super) crlf: bool,
    pub(super) nul: bool,
    pub(super) invalid: bool,
    pub(super) marks: bool,
    pub(super) unended: bool,
    /// One of the files that are named is not there.
    pub(super) inaccessible: bool,
    pub(super) many_lines: bool,
}

impl Swarm {
    pub(super) fn draw(dice: &mut Dice) -> Self {
        let letters = dice.pick(ALPHABETS, &['a', 'b']);
        let words = dice.pick(WORDS, &["foo"]);
        let brief = dice.once_in(BRIEF);
        let depth = 1 + dice.below(3);
        let rarely = |dice: &mut Dice, few| dice.once_in(if brief { few * RARER } else { few });
        Self {
            letters,
            words,
            depth,
            brief,
            wordy: dice.once_in(2),
            alternation: dice.once_in(2),
            repetition: dice.once_in(2),
            bounded: dice.once_in(4),
            lazy: dice.once_in(5),
            class: dice.once_in(2),
            negated: dice.once_in(4),
            perl: dice.once_in(3),
            property: dice.once_in(12),
            anchor: dice.once_in(3),
            boundary: dice.once_in(4),
            flags: dice.once_in(5),
            empty: dice.once_in(6),
            fixed: rarely(dice, 4),
            case: rarely(dice, 2),
            word: rarely(dice, 3),
            line: rarely(dice, 4),
            invert: rarely(dice, 5),
            max_count: rarely(dice, 4),
            context: rarely(dice, 4),
            several: rarely(dice, 4),
            many: rarely(dice, 24),
            shows: rarely(dice, 3),
            mmap: rarely(dice, 4),
            crlf: rarely(dice, 8),
            nul: rarely(dice, 10),
            invalid: rarely(dice, 8),
            marks: rarely(dice, 10),
            unended: dice.once_in(2),
            inaccessible: dice.once_in(30),
            many_lines: dice.once_in(3),
        }
    }

    /// A short text: a word, or some letters.
    pub(super) fn text(&self, dice: &mut Dice) -> String {
        if self.wordy && !dice.once_in(4) {
            return dice.pick(self.words, "foo").to_owned();
        }
        (0..=dice.below(3)).map(|_| self.letter(dice)).collect()
    }

    pub(super) fn letter(&self, dice: &mut Dice) -> char {
        dice.pick(self.letters, 'a')
    }
}
