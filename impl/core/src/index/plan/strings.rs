//! What is known of the texts that an expression matches: all of them, or how they begin, how they
//! end, and what they hold.
//!
//! Responsible for the algebra of [`Found`]: one after the other, one or the other, several times.
//! Invariants: every operation keeps the statement true of every match, while bounding its size.

use std::collections::BTreeSet;

use super::Reader;
use crate::index::need::Need;

/// Most texts that are kept side by side.
const MOST: usize = 24;

/// Most scalars in all texts that are kept side by side.
const MOST_SCALARS: usize = 4_096;

/// Most conditions that all have to hold.
const MOST_NEEDS: usize = 512;

/// Most grams of which one has to be there.
const MOST_GRAMS: usize = 8_192;

/// A set of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Strings(BTreeSet<Vec<char>>);

impl Strings {
    /// No text.
    pub(super) fn none() -> Self {
        Self(BTreeSet::new())
    }

    /// This text.
    pub(super) fn of(text: Vec<char>) -> Self {
        Self(BTreeSet::from([text]))
    }

    /// The empty text.
    pub(super) fn of_empty() -> Self {
        Self::of(Vec::new())
    }

    pub(super) fn insert(&mut self, text: Vec<char>) {
        self.0.insert(text);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Vec<char>> {
        self.0.iter()
    }

    fn scalars(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    fn is_too_much(&self) -> bool {
        self.0.len() > MOST || self.scalars() > MOST_SCALARS
    }

    fn union(mut self, other: &Self) -> Self {
        self.0.extend(other.0.iter().cloned());
        self
    }

    /// Every text of this before every text of the other; `None` if that is too much.
    fn cross(&self, other: &Self) -> Option<Self> {
        let longest = self.scalars() * other.0.len() + other.scalars() * self.0.len();
        if self.0.len() * other.0.len() > MOST || longest > MOST_SCALARS {
            return None;
        }
        let pairs =
            self.0.iter().flat_map(|first| other.0.iter().map(move |second| (first, second)));
        Some(Self(pairs.map(|(first, second)| [first.as_slice(), second].concat()).collect()))
    }

    /// The first `length` scalars of each, fewer if there are too many texts.
    fn heads(&self, length: usize) -> Self {
        self.cut(length, |text, length| text.get(..length).unwrap_or(text).to_vec())
    }

    /// The last `length` scalars of each, fewer if there are too many texts.
    fn tails(&self, length: usize) -> Self {
        self.cut(length, |text, length| {
            text.get(text.len().saturating_sub(length)..).unwrap_or(text).to_vec()
        })
    }

    fn cut(&self, length: usize, one: impl Fn(&Vec<char>, usize) -> Vec<char>) -> Self {
        let mut length = length;
        loop {
            let cut: BTreeSet<_> = self.0.iter().map(|text| one(text, length)).collect();
            // At length zero there is one text, the empty one.
            if cut.len() <= MOST || length == 0 {
                return Self(cut);
            }
            length -= 1;
        }
    }
}

/// What is known of an expression's matches.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// Each is one of these.
    Exactly(Strings),
    /// Something less.
    Roughly(Rough),
}

/// Each match begins with one of `heads`, ends with one of `tails`, and meets all of `needs`.
#[derive(Clone, Debug)]
pub(super) struct Rough {
    heads: Strings,
    tails: Strings,
    needs: Vec<Need>,
}

impl Rough {
    fn needing(heads: Strings, tails: Strings, needs: impl IntoIterator<Item = Need>) -> Self {
        // Forgetting some of what is needed is always sound.
        let needs =
            needs.into_iter().filter(|need| *need != Need::Nothing).take(MOST_NEEDS).collect();
        Self { heads, tails, needs }
    }
}

impl Found {
    pub(super) fn exactly(strings: Strings) -> Self {
        Found::Exactly(strings)
    }

    /// Nothing is known.
    pub(super) fn anything() -> Self {
        Found::Roughly(Rough::needing(Strings::of_empty(), Strings::of_empty(), []))
    }

    /// What all matches have in common.
    pub(super) fn into_need(self, reader: Reader) -> Need {
        match self {
            Found::Exactly(strings) => reader.one_of(&strings),
            Found::Roughly(rough) => Need::all(rough.needs),
        }
    }

    /// Too many or too long exact texts become a rough statement.
    pub(super) fn simplified(self, reader: Reader) -> Self {
        match &self {
            Found::Exactly(strings) if strings.is_too_much() => Found::Roughly(self.rough(reader)),
            _ => self,
        }
    }

    fn rough(self, reader: Reader) -> Rough {
        match self {
            Found::Exactly(strings) => {
                let edge = reader.ngram - 1;
                Rough::needing(strings.heads(edge), strings.tails(edge), [reader.one_of(&strings)])
            }
            Found::Roughly(rough) => rough,
        }
    }

    /// One match of this, then one of the other.
    pub(super) fn then(self, after: Self, reader: Reader) -> Self {
        if let (Found::Exactly(first), Found::Exactly(second)) = (&self, &after)
            && let Some(both) = first.cross(second)
        {
            return Found::Exactly(both);
        }
        let edge = reader.ngram - 1;
        let whole = |found: &Self| match found {
            Found::Exactly(strings) => Some(strings.clone()),
            Found::Roughly(_) => None,
        };
        let (first, second) = (whole(&self), whole(&after));
        let (before, after) = (self.rough(reader), after.rough(reader));
        // What stands across the seam.
        let seam = before.tails.cross(&after.heads);
        let seam = seam.map_or(Need::Nothing, |seam| reader.one_of(&seam));
        // A whole text that is shorter than an edge goes on into its neighbour.
        let heads = first.and_then(|whole| whole.cross(&after.heads)).map(|both| both.heads(edge));
        let tails =
            second.and_then(|whole| before.tails.cross(&whole)).map(|both| both.tails(edge));
        Found::Roughly(Rough::needing(
            heads.unwrap_or(before.heads),
            tails.unwrap_or(after.tails),
            before.needs.into_iter().chain([seam]).chain(after.needs),
        ))
    }

    /// A match of one of these.
    pub(super) fn any_of(branches: Vec<Self>, reader: Reader) -> Self {
        let exact = branches.iter().try_fold(Strings::none(), |union, branch| match branch {
            Found::Exactly(strings) => {
                Some(union.union(strings)).filter(|union| !union.is_too_much())
            }
            Found::Roughly(_) => None,
        });
        if let Some(strings) = exact {
            // Of no branches nothing is known: what can never match is not worth an exclusion.
            return if strings.is_empty() { Self::anything() } else { Found::Exactly(strings) };
        }
        let edge = reader.ngram - 1;
        let (mut heads, mut tails, mut needs) = (Strings::none(), Strings::none(), Vec::new());
        for branch in branches {
            let branch = branch.rough(reader);
            heads = heads.union(&branch.heads).heads(edge);
            tails = tails.union(&branch.tails).tails(edge);
            needs.push(Need::all(branch.needs));
        }
        let size: usize = needs.iter().map(Need::size).sum();
        let need = if size > MOST_GRAMS { Need::Nothing } else { Need::one_of(needs) };
        Found::Roughly(Rough::needing(heads, tails, [need]))
    }

    /// This, and then perhaps more of the same: it begins as this does and ends as this does.
    pub(super) fn repeated(self, reader: Reader) -> Self {
        Found::Roughly(self.rough(reader))
    }
}

#[cfg(test)]
mod tests;
