//! The window of a line that resembles a query most: production's against the model's, on random
//! pairs.
//!
//! Responsible for: drawing queries with lines that resemble them more or less, and comparing, for
//! every line, the window and its score bit for bit, and whether a line that has a window is ever
//! passed over. Not here: what a window is (docs/search-files.md, section 4), and everything around
//! a line (`touchstone::gate`). Invariants: what is drawn depends on seed and number alone; the
//! model's part is the plain definition, so that lines stay short enough for it.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use forge_search_core::scan::Proposer as _;
use forge_search_core::similarity::Similarity;
use touchstone_model::search_files::best_window;

mod draw;

pub use draw::{Text, text};

/// A window: its first byte, the byte behind its last, its score.
pub type Window = (usize, usize, f64);

/// Finds windows.
pub trait Finder: Sync {
    /// The best window of a line, if it reaches the threshold.
    fn window(&self, text: &Text, line: &str) -> Option<Window>;

    /// The lines of the text that are examined, by number from 0.
    fn looked_at(&self, text: &Text) -> BTreeSet<usize>;
}

/// The service's.
#[derive(Debug, Clone, Copy)]
pub struct Production;

/// The result of a comparison.
#[derive(Debug, Clone, Default)]
pub struct WindowComparison {
    /// Pairs of a line and a query.
    pub pairs: u64,
    /// Those with a window at the threshold.
    pub reached: u64,
    /// Those whose window is not the query itself.
    pub partial: u64,
    /// Those whose window begins or ends beside a character wider than a byte.
    pub wide: u64,
    /// Those with a query longer than a machine word has bits.
    pub long: u64,
    /// Lines that were passed over unread.
    pub passed_over: u64,
    /// The differences, each with its input.
    pub faults: Vec<String>,
}

/// Faults after which no more texts are drawn.
const ENOUGH: usize = 5;

impl Finder for Production {
    fn window(&self, text: &Text, line: &str) -> Option<Window> {
        let similarity = Similarity::new(&text.query, text.threshold, text.fold_ascii);
        let found = similarity.best_window(line, &mut || true).ok().flatten();
        found.map(|window| (window.start, window.end, window.score))
    }

    fn looked_at(&self, text: &Text) -> BTreeSet<usize> {
        let similarity = Similarity::new(&text.query, text.threshold, text.fold_ascii);
        let (mut proposer, bytes) = (similarity.proposer(), text.joined().into_bytes());
        let mut found = BTreeSet::new();
        let mut from = 0;
        while let Some(at) = proposer
            .next(&bytes, from, &mut || true)
            .unwrap_or_default()
            .filter(|at| *at >= from && *at < bytes.len())
        {
            let before = bytes.get(..at).unwrap_or_default();
            found.insert(before.split(|byte| *byte == b'\n').count().saturating_sub(1));
            let rest = bytes.get(at..).unwrap_or_default();
            from =
                at + rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |end| end + 1);
        }
        found
    }
}

/// Compares on at least so many pairs, on `threads` threads. `tick` is called with how many more
/// are done.
pub fn compare(
    finder: &dyn Finder,
    seed: u64,
    pairs: u64,
    threads: usize,
    tick: &(dyn Fn(u64) + Sync),
) -> WindowComparison {
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let whole: Mutex<Vec<(u64, WindowComparison)>> = Mutex::default();
    let work = || {
        let mut parts = Vec::new();
        let mut faults = 0;
        while done.load(Ordering::Relaxed) < pairs && faults < ENOUGH {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let part = one(finder, &text(seed, number));
            done.fetch_add(part.pairs, Ordering::Relaxed);
            tick(part.pairs);
            faults += part.faults.len();
            parts.push((number, part));
        }
        whole.lock().unwrap_or_else(PoisonError::into_inner).extend(parts);
    };
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    let mut parts = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    parts.sort_by_key(|(number, _)| *number);
    let mut sum = WindowComparison::default();
    for (_, part) in parts {
        // The last texts may have been drawn by more threads than needed: what is counted is the
        // same for any number.
        if sum.pairs >= pairs {
            break;
        }
        sum.add(part);
    }
    sum
}

impl WindowComparison {
    fn add(&mut self, part: WindowComparison) {
        self.pairs += part.pairs;
        self.reached += part.reached;
        self.partial += part.partial;
        self.wide += part.wide;
        self.long += part.long;
        self.passed_over += part.passed_over;
        self.faults.extend(part.faults);
    }

    /// What was looked at, in words.
    pub fn lines(&self) -> Vec<String> {
        vec![
            format!("windows: {} pairs of a line and a query", self.pairs),
            format!(
                "  {} reach the threshold, {} of them without being the query",
                self.reached, self.partial
            ),
            format!(
                "  {} beside characters beyond ASCII, {} with a query of over 64",
                self.wide, self.long
            ),
            format!("  {} lines passed over unread", self.passed_over),
        ]
    }
}

fn one(finder: &dyn Finder, text: &Text) -> WindowComparison {
    let mut compared = WindowComparison::default();
    let looked_at = finder.looked_at(text);
    let is_long = text.query.chars().count() > 64;
    for (number, line) in text.lines.iter().enumerate() {
        let expected = best_window(&text.query, text.threshold, text.fold_ascii, line);
        let got = finder.window(text, line);
        compared.pairs += 1;
        compared.long += u64::from(is_long);
        compared.passed_over += u64::from(!looked_at.contains(&number));
        if let Some((start, end, score)) = expected {
            compared.reached += 1;
            compared.partial += u64::from(score < 1.0);
            let beside = |at: usize| line.get(..at).and_then(|before| before.chars().next_back());
            let is_wide =
                |character: Option<char>| character.is_some_and(|character| !character.is_ascii());
            compared.wide += u64::from(is_wide(beside(start)) || is_wide(beside(end)));
            if !looked_at.contains(&number) {
                compared.faults.push(format!(
                    "passed over, though it has {expected:?}\n{}",
                    text.description(line)
                ));
            }
        }
        let bits = |window: Option<Window>| {
            window.map(|(start, end, score)| (start, end, score.to_bits()))
        };
        if bits(expected) != bits(got) {
            compared
                .faults
                .push(format!("expected {expected:?}, got {got:?}\n{}", text.description(line)));
        }
    }
    compared
}

#[cfg(test)]
mod tests;
