//! Queries, and lines that resemble them.
//!
//! Responsible for: texts of a few lines, of which some hold the query with edits, others what is
//! made of the same letters. Not here: what is found in them ([`super`]). Invariants: a text
//! depends on seed and number alone; no line holds a line feed; the work of the plain definition,
//! which grows with the square of a line's length times the query's, stays small.

use touchstone_cases::dice::Dice;

/// A query and lines to look for it in.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The query; not blank.
    pub query: String,
    /// The least score.
    pub threshold: f64,
    /// Whether ASCII letters equal their other case.
    pub fold_ascii: bool,
    /// The lines, without their ends.
    pub lines: Vec<String>,
}

impl Text {
    /// The lines as a file holds them.
    pub fn joined(&self) -> String {
        self.lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
    }

    /// A line with everything it takes to look again.
    pub(super) fn description(&self, line: &str) -> String {
        let Self { query, threshold, fold_ascii, .. } = self;
        format!("query {query:?}, threshold {threshold:?}, fold {fold_ascii}, line {line:?}")
    }
}

/// Letters that a text is made of: few, so that there are ties, or of every width and kind.
const ALPHABETS: [&str; 6] = [
    "ab",
    "abc ",
    "aAbBkK",
    "fo bar_x",
    "a\u{e9}\u{65e5}\u{1f600}b",
    "e\u{301}\u{e9}kK\u{212a}\u{17f}sS\u{df} \t",
];

const THRESHOLDS: [f64; 12] = [0.0, 0.1, 0.3, 0.5, 0.6, 2.0 / 3.0, 0.75, 0.8, 0.8, 0.9, 0.95, 1.0];

fn word(dice: &mut Dice, letters: &[char], length: usize) -> Vec<char> {
    (0..length).map(|_| dice.pick(letters, 'a')).collect()
}

pub fn text(seed: u64, number: u64) -> Text {
    let mut dice = Dice::new(seed, number);
    let letters: Vec<char> = dice.pick(&ALPHABETS, "ab").chars().collect();
    // Around the widths of a machine word, where a scan bit by bit has its seams; seldom, since the
    // definition is slow.
    let length = match dice.below(40) {
        0 => 60 + dice.below(10),
        1 => 120 + dice.below(16),
        2..=9 => 10 + dice.below(20),
        _ => 1 + dice.below(9),
    };
    let mut query = word(&mut dice, &letters, length);
    if query.iter().all(|letter| letter.is_whitespace()) {
        query.insert(0, 'a');
    }
    let threshold = if dice.once_in(6) {
        f64::from(u32::try_from(dice.below(1_001)).unwrap_or(0)) / 1_000.0
    } else {
        dice.pick(&THRESHOLDS, 0.8)
    };
    let fold_ascii = dice.once_in(2);
    let lines = (0..=dice.below(4)).map(|_| line(&mut dice, &query, &letters)).collect();
    Text { query: query.into_iter().collect(), threshold, fold_ascii, lines }
}

/// A line that holds the query with so many edits, between letters of the same kind; or such
/// letters alone.
fn line(dice: &mut Dice, query: &[char], letters: &[char]) -> String {
    let around = if query.len() > 40 { 20 } else { 14 };
    let (before, behind) = (dice.below(around), dice.below(around));
    let mut line = word(dice, letters, before);
    match dice.below(8) {
        0 => {}
        1 => line.extend(query),
        _ => {
            let edits = dice.below(query.len() / 2 + 2);
            let mut edited = query.to_vec();
            for _ in 0..edits {
                edit(dice, &mut edited, letters);
            }
            line.extend(edited);
            // A second one, not quite the same, so that there are ties and better ones further on.
            if dice.once_in(4) && query.len() < 30 {
                let mut other = query.to_vec();
                for _ in 0..edits.max(1) {
                    edit(dice, &mut other, letters);
                }
                line.extend(other);
            }
        }
    }
    line.extend(word(dice, letters, behind));
    line.into_iter().collect()
}

fn edit(dice: &mut Dice, text: &mut Vec<char>, letters: &[char]) {
    let place = dice.below(text.len());
    let new = if dice.once_in(3) { 'z' } else { dice.pick(letters, 'a') };
    match dice.below(4) {
        0 if text.len() > 1 => {
            text.remove(place);
        }
        1 => text.insert(dice.below(text.len() + 1), new),
        2 => {
            if let Some(letter) = text.get_mut(place) {
                *letter = if letter.is_ascii_lowercase() {
                    letter.to_ascii_uppercase()
                } else {
                    letter.to_ascii_lowercase()
                };
            }
        }
        _ => {
            if let Some(letter) = text.get_mut(place) {
                *letter = new;
            }
        }
    }
}
