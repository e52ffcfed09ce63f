//! What a text must hold for a pattern to match in it.
//!
//! A [`Need`] is implied by every match, so a file that does not meet it has none. It says nothing
//! about files that do.

use super::gram::Gram;

/// Which of a file's two filters (FR-LSI-BLOOM-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Of the text as it is.
    Sensitive,
    /// Of the folded text.
    Insensitive,
}

impl Variant {
    /// The name in the store.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Sensitive => "SENSITIVE",
            Variant::Insensitive => "INSENSITIVE",
        }
    }
}

/// A condition on a text's grams.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// None: every file is a candidate.
    Nothing,
    /// This gram.
    Gram(Variant, Gram),
    /// All of these. Never empty, and none of them is [`Need::Nothing`] or [`Need::All`].
    All(Vec<Need>),
    /// One of these. Never empty, and none of them is [`Need::Nothing`] or [`Need::OneOf`].
    OneOf(Vec<Need>),
}

impl Need {
    /// All of `needs`, in its simplest form.
    pub fn all(needs: impl IntoIterator<Item = Need>) -> Self {
        let mut parts = Vec::new();
        for need in needs {
            match need {
                Need::Nothing => {}
                Need::All(more) => parts.extend(more),
                other => parts.push(other),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        match parts.pop() {
            None => Need::Nothing,
            Some(only) if parts.is_empty() => only,
            Some(last) => {
                parts.push(last);
                Need::All(parts)
            }
        }
    }

    /// One of `needs`, in its simplest form. Of no needs at all, nothing is needed: what can never
    /// match is not worth an exclusion that would have to be trusted.
    pub fn one_of(needs: impl IntoIterator<Item = Need>) -> Self {
        let mut parts = Vec::new();
        for need in needs {
            match need {
                Need::Nothing => return Need::Nothing,
                Need::OneOf(more) => parts.extend(more),
                other => parts.push(other),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        // What all branches have in common is needed whichever is taken.
        let shared: Vec<Need> = parts.split_first().map_or(Vec::new(), |(first, others)| {
            let mut shared = first.conjuncts().to_vec();
            shared.retain(|part| others.iter().all(|other| other.conjuncts().contains(part)));
            shared
        });
        if !shared.is_empty() {
            let rest =
                |part: Need| Need::all(part.into_conjuncts().filter(|part| !shared.contains(part)));
            let rests: Vec<Need> = parts.into_iter().map(rest).collect();
            let branches = Need::one_of(rests);
            return Need::all(shared.iter().cloned().chain([branches]));
        }
        match parts.pop() {
            None => Need::Nothing,
            Some(only) if parts.is_empty() => only,
            Some(last) => {
                parts.push(last);
                Need::OneOf(parts)
            }
        }
    }

    /// What it is all of.
    fn conjuncts(&self) -> &[Need] {
        match self {
            Need::All(parts) => parts,
            one => std::slice::from_ref(one),
        }
    }

    fn into_conjuncts(self) -> impl Iterator<Item = Need> {
        match self {
            Need::All(parts) => parts,
            one => vec![one],
        }
        .into_iter()
    }

    /// Whether a text meets it, given which grams pass its filters.
    pub fn met(&self, passes: &mut dyn FnMut(Variant, Gram) -> bool) -> bool {
        match self {
            Need::Nothing => true,
            Need::Gram(variant, gram) => passes(*variant, *gram),
            Need::All(parts) => parts.iter().all(|part| part.met(passes)),
            Need::OneOf(parts) => parts.iter().any(|part| part.met(passes)),
        }
    }

    /// Grams it speaks of.
    pub fn size(&self) -> usize {
        match self {
            Need::Nothing => 0,
            Need::Gram(..) => 1,
            Need::All(parts) | Need::OneOf(parts) => parts.iter().map(Need::size).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gram(text: &str) -> Need {
        let scalars: Vec<char> = text.chars().collect();
        Need::Gram(Variant::Sensitive, Gram::new(&scalars).expect("three scalars"))
    }

    #[test]
    fn needs_are_flat_sorted_and_without_duplicates() {
        let all = Need::all([gram("b__"), Need::Nothing, Need::all([gram("a__"), gram("b__")])]);
        assert_eq!(all, Need::All(vec![gram("a__"), gram("b__")]));
        assert_eq!(Need::all([gram("a__"), gram("a__")]), gram("a__"));
        assert_eq!(Need::one_of([gram("a__"), Need::Nothing]), Need::Nothing);
        assert_eq!(Need::one_of([]), Need::Nothing);
        let ab = Need::all([gram("a__"), gram("b__")]);
        let ac = Need::all([gram("a__"), gram("c__")]);
        let factored = Need::all([gram("a__"), Need::one_of([gram("b__"), gram("c__")])]);
        assert_eq!(Need::one_of([ab, ac.clone()]), factored);
        assert_eq!(Need::one_of([gram("a__"), ac]), gram("a__"));
    }

    #[test]
    fn a_need_is_met_by_all_or_by_one_of_its_parts() {
        let a_or_b = Need::one_of([gram("a__"), gram("b__")]);
        let need = Need::all([a_or_b, gram("c__")]);
        let holds = |held: &str| {
            need.met(&mut |_, gram| gram.scalars().next().is_some_and(|c| held.contains(c)))
        };
        assert!(holds("ac") && holds("bc") && !holds("ab") && !holds("c"));
    }
}
