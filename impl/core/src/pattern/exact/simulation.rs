//! The simulation of an automaton: all its states that a match can be in, byte by byte, in the
//! order in which alternatives are preferred. It takes any expression and any bytes.

use regex_automata::{
    nfa::thompson::{NFA, State},
    util::primitives::StateID,
};

use super::{GoOn, prefix::Prefix};
use crate::error::Interrupted;

/// Bytes that are skipped in the time of a visit.
const SKIPPED_PER_VISIT: usize = 16;

/// Memory of simulations of one automaton.
#[derive(Debug, Default)]
pub(super) struct Simulation {
    reached: VisitedSet,
    /// What matches there may be before the next byte, the preferred ones first.
    current: Vec<Thread>,
    next: Vec<Thread>,
}

/// A match that there may be: where it starts, and what it is in.
#[derive(Clone, Copy, Debug)]
struct Thread {
    state: StateID,
    start: usize,
}

/// Which states have been visited. Only the first visit counts: later ones are of matches less
/// preferred.
#[derive(Debug, Default)]
struct VisitedSet {
    /// For each state, the round in which it was last visited.
    rounds: Vec<u64>,
    /// One for every place in a line, never used twice.
    round: u64,
    /// States still to be visited, the preferred ones last.
    stack: Vec<StateID>,
    /// Visits since the last question whether to go on.
    visits: usize,
}

impl Simulation {
    /// The leftmost match that starts at `from` or later. `go_on` is asked after `work` visits of a
    /// state.
    pub(super) fn find(
        &mut self,
        nfa: &NFA,
        line: &[u8],
        from: usize,
        prefix: Option<&Prefix>,
        work: usize,
        go_on: GoOn<'_>,
    ) -> Result<Option<(usize, usize)>, Interrupted> {
        let Self { reached, current, next } = self;
        reached.begin(nfa);
        reached.visits = work;
        current.clear();
        let only_here = nfa.is_always_start_anchored();
        let mut found = None;
        let mut at = from;
        while at <= line.len() {
            if reached.visits >= work {
                reached.visits = 0;
                if !go_on() {
                    return Err(Interrupted);
                }
            }
            if current.is_empty() && (found.is_some() || only_here && at > from) {
                break;
            }
            if let Some(prefix) = prefix.filter(|_| current.is_empty() && at < line.len()) {
                let next = prefix.skip(line, at);
                reached.visits += (next - at) / SKIPPED_PER_VISIT;
                if next > at {
                    at = next;
                    continue;
                }
            }
            // A match that starts later is never preferred.
            if found.is_none() && (at == from || !only_here) {
                reached.enter(
                    nfa,
                    line,
                    at,
                    Thread { state: nfa.start_anchored(), start: at },
                    current,
                );
            }
            reached.begin(nfa);
            next.clear();
            for thread in current.iter() {
                reached.visits += 1;
                let state = match nfa.state(thread.state) {
                    // What follows is less preferred.
                    State::Match { .. } => {
                        found = Some((thread.start, at));
                        break;
                    }
                    State::ByteRange { trans } => trans.matches(line, at).then_some(trans.next),
                    State::Sparse(transitions) => transitions.matches(line, at),
                    State::Dense(transitions) => transitions.matches(line, at),
                    _ => None,
                };
                if let Some(state) = state {
                    reached.enter(nfa, line, at + 1, Thread { state, ..*thread }, next);
                }
            }
            std::mem::swap(current, next);
            at += 1;
        }
        Ok(found)
    }
}

impl VisitedSet {
    /// Nothing has been visited yet.
    fn begin(&mut self, nfa: &NFA) {
        self.rounds.resize(nfa.states().len(), 0);
        self.round += 1;
    }

    /// Adds to `threads` what can be reached from a thread without another byte.
    fn enter(
        &mut self,
        nfa: &NFA,
        line: &[u8],
        at: usize,
        thread: Thread,
        threads: &mut Vec<Thread>,
    ) {
        self.stack.push(thread.state);
        while let Some(state) = self.stack.pop() {
            self.visits += 1;
            match self.rounds.get_mut(state.as_usize()) {
                Some(round) if *round != self.round => *round = self.round,
                _ => continue,
            }
            match nfa.state(state) {
                State::Look { look, next } => {
                    if nfa.look_matcher().matches(*look, line, at) {
                        self.stack.push(*next);
                    }
                }
                State::Union { alternates } => self.stack.extend(alternates.iter().rev()),
                State::BinaryUnion { alt1, alt2 } => self.stack.extend([*alt2, *alt1]),
                State::Capture { next, .. } => self.stack.push(*next),
                State::Fail => {}
                State::ByteRange { .. }
                | State::Sparse(_)
                | State::Dense(_)
                | State::Match { .. } => {
                    threads.push(Thread { state, ..thread });
                }
            }
        }
    }
}
