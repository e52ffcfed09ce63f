//! NFA simulation (Pike VM): all threads in parallel, byte by byte, in order of preference. It
//! handles any expression and any bytes.

use regex_automata::{
    nfa::thompson::{NFA, State},
    util::primitives::StateID,
};

use super::{GoOn, prefix::Prefix};
use crate::error::Interrupted;

/// Bytes that are skipped in the time of one visit.
const SKIPPED_PER_VISIT: usize = 16;

/// Memory of simulations of one NFA.
#[derive(Debug, Default)]
pub(super) struct Simulation {
    reached: VisitedSet,
    /// Threads before the next byte, preferred ones first.
    current: Vec<Thread>,
    next: Vec<Thread>,
}

/// A potential match: its start and its state.
#[derive(Clone, Copy, Debug)]
struct Thread {
    state: StateID,
    start: usize,
}

/// The states visited at one position. Later visits belong to less preferred matches and are
/// dropped.
#[derive(Debug, Default)]
struct VisitedSet {
    /// The last round in which each state was visited.
    rounds: Vec<u64>,
    /// A number per position in a line, never reused.
    round: u64,
    /// States to visit, preferred ones last.
    stack: Vec<StateID>,
    /// Visits since the last call of `go_on`.
    visits: usize,
}

impl Simulation {
    /// The leftmost match that starts at `from` or later. Calls `go_on` after `work` visits.
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
            // Matches that start later are never preferred.
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
                    // Later threads are less preferred.
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
    /// Starts a new position.
    fn begin(&mut self, nfa: &NFA) {
        self.rounds.resize(nfa.states().len(), 0);
        self.round += 1;
    }

    /// Adds to `threads` what is reachable from a thread without consuming a byte.
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
