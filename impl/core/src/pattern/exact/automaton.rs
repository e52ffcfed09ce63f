//! Steps through the lazy DFA and carries its state from piece to piece of a line.
//!
//! Invariant: matches are those of `regex_automata::hybrid::regex::Regex`, whose two searches these
//! are.

use std::ops::Range;

use regex_automata::{
    Anchored, Input, MatchKind,
    hybrid::dfa::{Builder, Cache, Config, DFA},
    nfa::thompson::NFA,
};

use super::{GoOn, Stop, prefix::Prefix};

/// A forward automaton for a match's end, and a reverse automaton for its start.
#[derive(Debug)]
pub(super) struct Automaton {
    forward: DFA,
    reverse: DFA,
}

/// The states of both that exist so far.
#[derive(Debug)]
pub(super) struct Caches {
    forward: Cache,
    reverse: Cache,
}

/// How often a search calls `go_on`.
pub(super) struct Poller<'g> {
    /// Bytes between two calls; not 0.
    pub(super) stride: usize,
    pub(super) go_on: GoOn<'g>,
}

impl Poller<'_> {
    fn ask(&mut self) -> Result<(), Stop> {
        if (self.go_on)() { Ok(()) } else { Err(Stop::Interrupted) }
    }
}

impl Automaton {
    /// `skips` says whether a prefix will be given. `None` if the states exceed the cache.
    pub(super) fn new(forward: &NFA, reverse: &NFA, skips: bool) -> Option<Self> {
        let build = |nfa: &NFA, kind, skips: bool| {
            // The settings of `meta::Regex`, so that both give up in the same cases.
            let config = Config::new()
                .match_kind(kind)
                .unicode_word_boundary(true)
                // Only start states allow skipping.
                .specialize_start_states(skips)
                .minimum_cache_clear_count(Some(3))
                .minimum_bytes_per_state(Some(10));
            Builder::new().configure(config).build_from_nfa(nfa.clone()).ok()
        };
        let forward = build(forward, MatchKind::LeftmostFirst, skips)?;
        // The leftmost start is the last one that the reverse search meets.
        let reverse = build(reverse, MatchKind::All, false)?;
        Some(Self { forward, reverse })
    }

    pub(super) fn caches(&self) -> Caches {
        Caches { forward: self.forward.create_cache(), reverse: self.reverse.create_cache() }
    }

    /// The leftmost match that starts at `from` or later.
    pub(super) fn find(
        &self,
        line: &[u8],
        from: usize,
        prefix: Option<&Prefix>,
        caches: &mut Caches,
        poller: &mut Poller<'_>,
    ) -> Result<Option<(usize, usize)>, Stop> {
        let Some(end) = self.end(line, from, prefix, &mut caches.forward, poller)? else {
            return Ok(None);
        };
        let start = self.start(line, from..end, &mut caches.reverse, poller)?;
        Ok(Some((start, end)))
    }

    /// The end of the leftmost match.
    fn end(
        &self,
        line: &[u8],
        from: usize,
        prefix: Option<&Prefix>,
        cache: &mut Cache,
        poller: &mut Poller<'_>,
    ) -> Result<Option<usize>, Stop> {
        let dfa = &self.forward;
        let start = |cache: &mut Cache, at: usize| {
            let input = Input::new(line).range(at..);
            dfa.start_state_forward(cache, &input).map_err(|_| Stop::GaveUp)
        };
        let mut state = start(cache, from)?;
        let (mut at, mut asked, mut found) = (from, None, None);
        cache.search_start(at);
        while at < line.len() {
            // Pieces end early where a prefix skips text.
            if asked.is_none_or(|asked| at - asked >= poller.stride) {
                asked = Some(at);
                poller.ask()?;
            }
            if let Some(prefix) = prefix.filter(|_| state.is_start() && found.is_none()) {
                let next = prefix.skip(line, at);
                if next > at {
                    at = next;
                    state = start(cache, at)?;
                    continue;
                }
            }
            let end = at.saturating_add(poller.stride).min(line.len());
            for &byte in line.get(at..end).unwrap_or_default() {
                if !state.is_tagged() {
                    let next = dfa.next_state_untagged(cache, state, byte);
                    if !next.is_tagged() {
                        state = next;
                        at += 1;
                        continue;
                    }
                }
                state = dfa.next_state(cache, state, byte).map_err(|_| Stop::GaveUp)?;
                if state.is_match() {
                    // A match is known one byte late.
                    found = Some(at);
                } else if state.is_dead() {
                    cache.search_finish(at);
                    return Ok(found);
                } else if state.is_quit() {
                    return Err(Stop::GaveUp);
                }
                at += 1;
                if state.is_start() && found.is_none() {
                    break;
                }
            }
            cache.search_update(at);
        }
        cache.search_finish(at);
        state = dfa.next_eoi_state(cache, state).map_err(|_| Stop::GaveUp)?;
        Ok(if state.is_match() { Some(line.len()) } else { found })
    }

    /// The earliest start of the match that ends at the end of `within`.
    fn start(
        &self,
        line: &[u8],
        within: Range<usize>,
        cache: &mut Cache,
        poller: &mut Poller<'_>,
    ) -> Result<usize, Stop> {
        let dfa = &self.reverse;
        let input = Input::new(line).range(within.clone()).anchored(Anchored::Yes);
        let mut state = dfa.start_state_reverse(cache, &input).map_err(|_| Stop::GaveUp)?;
        let (mut at, mut found) = (within.end, None);
        cache.search_start(at);
        for piece in line.get(within.clone()).unwrap_or_default().rchunks(poller.stride) {
            poller.ask()?;
            for &byte in piece.iter().rev() {
                state = dfa.next_state(cache, state, byte).map_err(|_| Stop::GaveUp)?;
                if state.is_tagged() {
                    if state.is_match() {
                        found = Some(at);
                    } else if state.is_dead() {
                        cache.search_finish(at);
                        return found.ok_or(Stop::GaveUp);
                    } else if state.is_quit() {
                        return Err(Stop::GaveUp);
                    }
                }
                at -= 1;
            }
            cache.search_update(at);
        }
        cache.search_finish(at);
        let before = within.start.checked_sub(1).and_then(|before| line.get(before));
        let last = match before {
            Some(&byte) => dfa.next_state(cache, state, byte),
            None => dfa.next_eoi_state(cache, state),
        };
        state = last.map_err(|_| Stop::GaveUp)?;
        if state.is_match() {
            found = Some(within.start);
        }
        // A match without start contradicts the forward search, so its result is not used.
        found.ok_or(Stop::GaveUp)
    }
}
