//! Which release broke it: a search over releases in order.
//!
//! Responsible for: which release to try next and when enough is known ([`Bisection`]), what is
//! known then ([`Found`]), and what asking every release shows ([`stretches`]). Not here:
//! what "bad" means, installing and asking (`cli/bisect.rs`, [`super::judge`]). Invariants: at most
//! ceil(log2 n) + 2 releases are tried where every one of them answers and history is monotone; a
//! release that gives no answer is never taken for good or bad: it widens the result.

use serde::{Deserialize, Serialize};

/// What a release came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Right.
    Good,
    /// Wrong.
    Bad,
    /// Unknown: it does not build, it cannot be asked, or it answers now so and now so.
    Unknown,
}

/// What a bisection found. Releases are numbers: their places in the order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "found")]
pub enum Found {
    /// It broke between these two: `first_bad` is the next known release after `last_good`.
    Broke {
        /// The last good one.
        last_good: usize,
        /// The first bad one.
        first_bad: usize,
        /// Those between them, which are unknown.
        unknown: Vec<usize>,
    },
    /// The oldest known one is bad: it is older than the releases.
    AlwaysBad {
        /// The first bad one.
        first_bad: usize,
        /// Older ones, which are unknown.
        unknown: Vec<usize>,
    },
    /// It was bad once and is mended since `first_good`, the next known release after `last_bad`.
    Mended {
        /// The last bad one.
        last_bad: usize,
        /// The first good one behind it.
        first_good: usize,
        /// Those between them, which are unknown.
        unknown: Vec<usize>,
    },
    /// The newest and the oldest known ones are good.
    NotBad {
        /// The newest good one.
        last_good: usize,
        /// Newer ones, which are unknown.
        unknown: Vec<usize>,
    },
    /// None is known.
    Nothing,
}

/// A search for the first bad of so many releases.
#[derive(Debug, Clone)]
pub struct Bisection {
    states: Vec<Option<State>>,
    /// The order in which they were tried.
    probes: Vec<usize>,
}

impl Bisection {
    /// Of `count` releases, oldest first, of which nothing is known.
    pub fn new(count: usize) -> Self {
        Self { states: vec![None; count], probes: Vec::new() }
    }

    /// Takes for granted what somebody says of one release; it is not a probe.
    pub fn given(&mut self, release: usize, state: State) {
        if let Some(known) = self.states.get_mut(release) {
            *known = Some(state);
        }
    }

    /// What a release that was tried came to.
    pub fn answer(&mut self, release: usize, state: State) {
        self.given(release, state);
        self.probes.push(release);
    }

    /// The releases that were tried, in that order.
    pub fn probes(&self) -> &[usize] {
        &self.probes
    }

    /// What is known of each release.
    pub fn states(&self) -> &[Option<State>] {
        &self.states
    }

    /// The release to try next; nothing if enough is known.
    pub fn next(&self) -> Option<usize> {
        // The newest says whether it broke or was mended, the oldest whether there is anything
        // else; between them the
        // space is halved.
        let (below, above) = match self.newest_told() {
            None => return self.untried(0, self.states.len()).last(),
            Some((release, State::Bad)) => {
                let first = self.first_bad_of(release);
                match self.last_before(first, State::Good) {
                    Some(good) => (good, first),
                    None => return self.untried(0, first).next(),
                }
            }
            Some((release, _)) => match self.mend(release) {
                Some(edge) => edge,
                None if self.states.iter().find(|state| **state != Some(State::Unknown))
                    == Some(&None) =>
                {
                    return self.untried(0, release).next();
                }
                None => return None,
            },
        };
        // The one in the middle of the space, or, around unknown ones, the nearest to it.
        let middle = below + (above - below) / 2;
        self.untried(below + 1, above).min_by_key(|release| release.abs_diff(middle))
    }

    /// What is known.
    pub fn found(&self) -> Found {
        let unknown = |from: usize, to: usize| -> Vec<usize> { (from..to).collect() };
        match self.newest_told() {
            None => Found::Nothing,
            Some((release, State::Bad)) => {
                let first_bad = self.first_bad_of(release);
                match self.last_before(first_bad, State::Good) {
                    Some(last_good) => Found::Broke {
                        last_good,
                        first_bad,
                        unknown: unknown(last_good + 1, first_bad),
                    },
                    None => Found::AlwaysBad { first_bad, unknown: unknown(0, first_bad) },
                }
            }
            Some((last_good, _)) => match self.mend(last_good) {
                Some((last_bad, first_good)) => Found::Mended {
                    last_bad,
                    first_good,
                    unknown: unknown(last_bad + 1, first_good),
                },
                None => {
                    Found::NotBad { last_good, unknown: unknown(last_good + 1, self.states.len()) }
                }
            },
        }
    }

    /// The last bad release known before a good one, and the first good one known behind it.
    fn mend(&self, good: usize) -> Option<(usize, usize)> {
        let bad = self.last_before(good, State::Bad)?;
        let behind = self.states.iter().enumerate().skip(bad + 1);
        let first = behind
            .filter(|(_, state)| **state == Some(State::Good))
            .map(|(release, _)| release)
            .next();
        Some((bad, first.unwrap_or(good)))
    }

    /// The newest release that is good or bad, if all newer ones were tried.
    fn newest_told(&self) -> Option<(usize, State)> {
        for (release, state) in self.states.iter().enumerate().rev() {
            match state {
                Some(State::Unknown) => {}
                Some(state) => return Some((release, *state)),
                None => return None,
            }
        }
        None
    }

    /// The first bad one known, reached from `bad` downwards without passing a good one.
    fn first_bad_of(&self, bad: usize) -> usize {
        let good = self.last_before(bad, State::Good).map_or(0, |good| good + 1);
        let known = self.states.iter().enumerate().skip(good).take(bad + 1 - good);
        known
            .filter(|(_, state)| **state == Some(State::Bad))
            .map(|(release, _)| release)
            .next()
            .unwrap_or(bad)
    }

    fn last_before(&self, release: usize, wanted: State) -> Option<usize> {
        self.states.iter().take(release).rposition(|state| *state == Some(wanted))
    }

    fn untried(&self, from: usize, to: usize) -> impl DoubleEndedIterator<Item = usize> {
        (from..to).filter(|release| self.states.get(*release).is_some_and(Option::is_none))
    }
}

/// Tries releases until enough is known.
///
/// # Errors
/// The first error of `ask`.
pub fn bisect<E>(
    mut bisection: Bisection,
    mut ask: impl FnMut(usize) -> Result<State, E>,
) -> Result<Bisection, E> {
    while let Some(release) = bisection.next() {
        let state = ask(release)?;
        bisection.answer(release, state);
    }
    Ok(bisection)
}

/// Asks the same thing `times` times; an answer that changes is none.
///
/// # Errors
/// The first error of `ask`.
pub fn steady<E>(times: usize, mut ask: impl FnMut() -> Result<State, E>) -> Result<State, E> {
    let first = ask()?;
    for _ in 1..times {
        if ask()? != first {
            return Ok(State::Unknown);
        }
    }
    Ok(first)
}

/// A stretch of releases with the same state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// The state.
    pub state: State,
    /// The first release of it.
    pub from: usize,
    /// The last one.
    pub to: usize,
}

/// What asking every release showed, as stretches: broke, fixed, broke.
pub fn stretches(states: &[State]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    for (release, state) in states.iter().enumerate() {
        match stretches.last_mut() {
            Some(last) if last.state == *state => last.to = release,
            _ => stretches.push(Stretch { state: *state, from: release, to: release }),
        }
    }
    stretches
}

/// Whether history, as far as it is known, breaks once and stays broken.
pub fn is_monotone(states: &[State]) -> bool {
    let told: Vec<State> =
        states.iter().copied().filter(|state| *state != State::Unknown).collect();
    let first = told.iter().position(|state| *state == State::Bad).unwrap_or(told.len());
    told.iter().skip(first).all(|state| *state == State::Bad)
}

#[cfg(test)]
mod tests;
