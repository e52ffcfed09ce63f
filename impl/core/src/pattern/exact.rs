//! Searches a regular expression in one line and can be interrupted, however long the line is.
//!
//! [`Regex`] cannot be interrupted, so it gets only lines that its slowest engine finishes in time:
//! that engine may visit all states of the automaton at every byte. Other lines go to the lazy
//! automaton ([`automaton`]), piece by piece. If that gives up (Unicode word boundaries next to
//! non-ASCII bytes, or more states than its cache holds), the simulation ([`simulation`]) searches.
//! [`prefix`] skips text in which no match starts.
//!
//! Invariant: every engine finds what [`Regex`] finds.

mod automaton;
mod prefix;
mod simulation;

use std::sync::{Arc, Mutex, OnceLock};

use regex_automata::{
    Anchored, Input,
    meta::{Config, Regex},
    nfa::thompson::{NFA, State, Transition, WhichCaptures},
};
use regex_syntax::hir::Hir;

use self::{
    automaton::{Automaton, Caches, Poller},
    prefix::Prefix,
    simulation::Simulation,
};
use super::AUTOMATON_BYTES;
use crate::error::Interrupted;

/// State visits that [`Regex`] may need for one line. A visit takes 5 to 30 ns.
const WORK: usize = 1 << 20;
/// State visits between two calls of `go_on`, as a divisor of [`WORK`].
const STEPS: usize = 16;
/// Longest line given to [`Regex`], in bytes: reading memory takes time too.
pub(super) const MOST_BYTES: usize = 1 << 18;

/// A compiled expression.
#[derive(Debug)]
pub(super) struct Exact {
    expression: Hir,
    regex: Regex,
    nfa: NFA,
    /// State visits that [`Regex`] may need.
    work: usize,
    /// Bytes that need no more than `work` visits.
    stride: usize,
    /// Bytes skipped between two calls of `go_on`.
    skip: usize,
    /// Built for the first long line.
    engines: Arc<OnceLock<Engines>>,
    /// Reused by later searches of long lines.
    scratch: Mutex<Option<Box<Scratch>>>,
}

/// The engines for long lines, besides the simulation.
#[derive(Debug)]
struct Engines {
    prefix: Option<Prefix>,
    automaton: Option<Automaton>,
}

/// The memory of searches of long lines.
#[derive(Debug, Default)]
struct Scratch {
    caches: Option<Caches>,
    simulation: Simulation,
}

/// Why an engine ends without an answer.
enum Stop {
    Interrupted,
    /// Another engine has to search.
    GaveUp,
}

/// Returns whether to continue.
type GoOn<'g> = &'g mut dyn FnMut() -> bool;

impl Clone for Exact {
    /// A clone has its own scratch memory, so searches with it do not wait for the original.
    fn clone(&self) -> Self {
        Self {
            expression: self.expression.clone(),
            regex: self.regex.clone(),
            nfa: self.nfa.clone(),
            work: self.work,
            stride: self.stride,
            skip: self.skip,
            engines: Arc::clone(&self.engines),
            scratch: Mutex::default(),
        }
    }
}

impl Exact {
    /// `None` if the expression compiles to more than [`AUTOMATON_BYTES`].
    pub(super) fn new(expression: Hir) -> Option<Self> {
        // Offsets are bytes of lines that need not be UTF-8, hence `utf8_empty(false)`.
        let config = Config::new().utf8_empty(false).nfa_size_limit(Some(AUTOMATON_BYTES));
        let regex = Regex::builder().configure(config).build_from_hir(&expression).ok()?;
        let nfa = nfa(&expression, false)?;
        let stride = (WORK / visits(&nfa)).min(MOST_BYTES);
        Some(Self {
            expression,
            regex,
            nfa,
            work: WORK,
            stride,
            skip: MOST_BYTES,
            engines: Arc::default(),
            scratch: Mutex::default(),
        })
    }

    pub(super) fn expression(&self) -> &Hir {
        &self.expression
    }

    /// Bytes that every engine searches in a few milliseconds.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The leftmost match that starts at `from` or later. Assertions see the text before `from`.
    pub(super) fn find(
        &self,
        line: &[u8],
        from: usize,
        go_on: GoOn<'_>,
    ) -> Result<Option<(usize, usize)>, Interrupted> {
        if line.len().saturating_sub(from) <= self.stride {
            let found = self.regex.find(Input::new(line).range(from..).anchored(Anchored::No));
            return Ok(found.map(|found| (found.start(), found.end())));
        }
        // A concurrent search allocates its own.
        let kept = self.scratch.lock().ok().and_then(|mut kept| kept.take());
        let mut scratch = kept.unwrap_or_default();
        let found = self.find_by_steps(line, from, &mut scratch, go_on);
        if let Ok(mut kept) = self.scratch.lock() {
            *kept = Some(scratch);
        }
        found
    }

    fn find_by_steps(
        &self,
        line: &[u8],
        from: usize,
        scratch: &mut Scratch,
        go_on: GoOn<'_>,
    ) -> Result<Option<(usize, usize)>, Interrupted> {
        let Engines { prefix, automaton } = self.engines.get_or_init(|| self.engines());
        let prefix = prefix.as_ref();
        if let Some(automaton) = automaton {
            let caches = scratch.caches.get_or_insert_with(|| automaton.caches());
            let mut poller = Poller { stride: (self.stride / STEPS).max(1), go_on };
            match automaton.find(line, from, prefix, caches, &mut poller) {
                Ok(found) => return Ok(found),
                Err(Stop::Interrupted) => return Err(Interrupted),
                Err(Stop::GaveUp) => {}
            }
        }
        scratch.simulation.find(&self.nfa, line, from, prefix, self.work / STEPS, go_on)
    }

    fn engines(&self) -> Engines {
        let prefix = Prefix::new(&self.expression, self.skip);
        let reverse = nfa(&self.expression, true);
        let automaton =
            reverse.and_then(|reverse| Automaton::new(&self.nfa, &reverse, prefix.is_some()));
        Engines { prefix, automaton }
    }
}

/// The NFA of an expression or of its reverse, as [`Regex`] compiles it, but without captures.
fn nfa(expression: &Hir, reverse: bool) -> Option<NFA> {
    let config = NFA::config()
        .utf8(false)
        .reverse(reverse)
        .which_captures(WhichCaptures::None)
        .nfa_size_limit(Some(AUTOMATON_BYTES));
    NFA::compiler().configure(config).build_from_hir(expression).ok()
}

/// The largest number of states visited at one byte.
fn visits(nfa: &NFA) -> usize {
    // A class is one state that reads the first byte of a character, and a tree of states that read
    // the later bytes. A byte is one or the other, so of each class at most one state counts.
    let later = |transition: &Transition| transition.start >= 0x80 && transition.end <= 0xbf;
    let is_later = |state: &State| match state {
        State::ByteRange { trans } => later(trans),
        State::Sparse(sparse) => sparse.transitions.iter().all(later),
        _ => false,
    };
    nfa.states().iter().filter(|state| !is_later(state)).count().max(1)
}

#[cfg(test)]
mod tests;
