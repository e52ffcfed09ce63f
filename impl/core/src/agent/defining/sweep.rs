//! The levels of all identifiers of a line, one after the other: what stands before them is read
//! once, by one automaton for all shapes of a family, and not once for each identifier and shape.

use regex_automata::{
    Anchored, Input, MatchKind,
    hybrid::{
        LazyStateID,
        dfa::{Cache, DFA},
    },
};

use super::{Definer, LINE_BYTES, Shapes, begins};
use crate::text::Span;

/// What all shapes of a family have before the name, as one automaton.
pub(super) fn automaton(shapes: &Shapes) -> Option<DFA> {
    let before: Vec<&str> = shapes.each.iter().map(|compiled| compiled.shape.before).collect();
    let config = DFA::config().match_kind(MatchKind::All).unicode_word_boundary(true);
    DFA::builder().configure(config).build_many(&before).ok()
}

/// Finds definitions in one line after the other; keeps what it has worked out of the automata.
#[derive(Default)]
pub(in crate::agent) struct Sweep {
    caches: Vec<(&'static Shapes, Cache)>,
    /// The shapes of what stands before the identifier at hand.
    found: Vec<usize>,
}

impl Sweep {
    /// Hands out the levels of identifiers of a decoded line, given by where they begin and end, in
    /// order.
    pub(in crate::agent) fn line(
        &mut self,
        definer: &Definer<'_>,
        line: Span,
        shown: &str,
        places: impl Iterator<Item = (usize, usize)>,
        mut each: impl FnMut((usize, usize), u64),
    ) {
        let mut places = places.peekable();
        if places.peek().is_none() {
            return;
        }
        let Self { caches, found } = self;
        let judged = definer.family.filter(|(family, _)| {
            shown.len() <= LINE_BYTES && !family.is_comment(shown.trim_start().as_bytes())
        });
        let Some((_, shapes)) = judged else {
            places.for_each(|place| each(place, 0));
            return;
        };
        let automaton = shapes.automaton.get_or_init(|| automaton(shapes)).as_ref();
        let mut reader = automaton.and_then(|dfa| Reader::new(dfa, shapes, caches));
        for (left, right) in places {
            found.clear();
            let read = reader.as_mut().and_then(|reader| reader.shapes(shown, left, found));
            let level = match read {
                Some(()) if found.is_empty() => 0,
                Some(()) => {
                    let after = shown.get(right..).unwrap_or_default();
                    definer.level_by(line, shown, right, found.iter().copied(), |shape| {
                        shape.after.as_ref().is_none_or(|regex| begins(regex, after))
                    })
                }
                None => {
                    reader = None;
                    definer.level(line, shown, left, right)
                }
            };
            each((left, right), level);
        }
    }
}

/// An automaton on its way through a line.
struct Reader<'s> {
    dfa: &'s DFA,
    cache: &'s mut Cache,
    state: LazyStateID,
    at: usize,
}

impl<'s> Reader<'s> {
    fn new(
        dfa: &'s DFA,
        shapes: &'static Shapes,
        caches: &'s mut Vec<(&'static Shapes, Cache)>,
    ) -> Option<Self> {
        let known = caches.iter().position(|(of, _)| std::ptr::eq(*of, shapes));
        let known = known.unwrap_or_else(|| {
            caches.push((shapes, dfa.create_cache()));
            caches.len() - 1
        });
        let (_, cache) = caches.get_mut(known)?;
        let start = Input::new("").anchored(Anchored::Yes);
        let state = dfa.start_state_forward(cache, &start).ok()?;
        Some(Self { dfa, cache, state, at: 0 })
    }

    /// The shapes of what stands before a place; none if the automaton cannot tell.
    fn shapes(&mut self, shown: &str, left: usize, found: &mut Vec<usize>) -> Option<()> {
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
