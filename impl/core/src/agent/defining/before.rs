//! What stands before an identifier, read once by one automaton for all shapes of a family, and not
//! once for each identifier and shape.

use std::panic::{RefUnwindSafe, UnwindSafe};

use regex_automata::{
    Anchored, Input, MatchKind,
    hybrid::{
        LazyStateID,
        dfa::{Cache, DFA},
    },
    util::pool::{Pool, PoolGuard},
};

use super::shapes::Family;

type NewCache = Box<dyn Fn() -> Cache + Send + Sync + UnwindSafe + RefUnwindSafe>;
/// What one thread has worked out of an automaton.
pub(super) type Worked = PoolGuard<'static, Cache, NewCache>;

/// What all shapes of a family have before the name.
pub(super) struct Before {
    dfa: DFA,
    caches: Pool<Cache, NewCache>,
}

impl Before {
    pub(super) fn new(family: &Family) -> Option<Self> {
        let before: Vec<&str> = family.shapes.iter().map(|shape| shape.before).collect();
        let config = DFA::config().match_kind(MatchKind::All).unicode_word_boundary(true);
        let dfa = DFA::builder().configure(config).build_many(&before).ok()?;
        let same = dfa.clone();
        let new: NewCache = Box::new(move || same.create_cache());
        Some(Self { dfa, caches: Pool::new(new) })
    }

    pub(super) fn worked(&'static self) -> Worked {
        self.caches.get()
    }

    /// Starts to read a line.
    pub(super) fn reader<'b>(&'b self, cache: &'b mut Cache) -> Option<Reader<'b>> {
        let start = Input::new("").anchored(Anchored::Yes);
        let state = self.dfa.start_state_forward(cache, &start).ok()?;
        Some(Reader { dfa: &self.dfa, cache, state, at: 0 })
    }
}

/// An automaton on its way through a line.
pub(super) struct Reader<'b> {
    dfa: &'b DFA,
    cache: &'b mut Cache,
    state: LazyStateID,
    at: usize,
}

impl Reader<'_> {
    /// The shapes of what stands before a place behind those before; none if the automaton cannot
    /// tell.
    pub(super) fn shapes(
        &mut self,
        shown: &str,
        left: usize,
        found: &mut Vec<usize>,
    ) -> Option<()> {
        for byte in shown.as_bytes().get(self.at..left)? {
            if self.state.is_tagged() && self.state.is_dead() {
                break;
            }
            self.state = self.dfa.next_state(self.cache, self.state, *byte).ok()?;
            if self.state.is_tagged() && self.state.is_quit() {
                return None;
            }
        }
        self.at = left;
        if self.state.is_tagged() && self.state.is_dead() {
            return Some(());
        }
        let end = self.dfa.next_eoi_state(self.cache, self.state).ok()?;
        if end.is_tagged() && end.is_match() {
            let count = self.dfa.match_len(self.cache, end);
            found.extend(
                (0..count).map(|at| self.dfa.match_pattern(self.cache, end, at).as_usize()),
            );
        }
        Some(())
    }
}
