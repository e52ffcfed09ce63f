//! Terms that a text does not contain. A scan for one term also looks for the later terms, so that
//! the file is not read again for them: most files that may hold a rare term by their n-grams hold
//! none of the others.
//!
//! Invariant: a term is absent only if all lines of the text were searched for it.

use memchr::memmem;
use regex_automata::{MatchKind, util::prefilter::Prefilter};

use super::MAX_TERMS;

/// Indices of terms that a text does not contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AbsentTerms(u32);

const _: () = assert!(MAX_TERMS <= u32::BITS as usize, "each term has a bit");

impl AbsentTerms {
    /// Whether no term is known to be absent.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the term at index `number` is absent.
    pub fn contains(self, number: usize) -> bool {
        u32::try_from(number)
            .ok()
            .and_then(|number| 1_u32.checked_shl(number))
            .is_some_and(|bit| self.0 & bit > 0)
    }

    #[must_use]
    fn with(self, number: usize) -> Self {
        let bit = u32::try_from(number).ok().and_then(|number| 1_u32.checked_shl(number));
        Self(self.0 | bit.unwrap_or(0))
    }
}

/// Looks for the terms after one term in consecutive parts of a text.
#[derive(Clone, Debug)]
pub(super) struct LaterTerms {
    each: Vec<LaterTerm>,
    /// Matches any of the terms; `None` if each is searched for alone.
    any: Option<Prefilter>,
}

#[derive(Clone, Debug)]
struct LaterTerm {
    number: usize,
    finder: memmem::Finder<'static>,
    met: bool,
}

impl LaterTerms {
    /// The terms after index `number`.
    pub(super) fn new(terms: &[String], number: usize) -> Self {
        let folded = |term: &String| term.to_ascii_lowercase().into_bytes();
        let behind: Vec<Vec<u8>> = terms.iter().skip(number + 1).map(folded).collect();
        let any = Prefilter::new(MatchKind::LeftmostFirst, &behind);
        let sought = |(at, term): (usize, Vec<u8>)| {
            let finder = memmem::Finder::new(&term).into_owned();
            LaterTerm { number: number + 1 + at, finder, met: false }
        };
        Self { each: behind.into_iter().enumerate().map(sought).collect(), any }
    }

    /// Starts a new text.
    pub(super) fn begin(&mut self) {
        for sought in &mut self.each {
            sought.met = false;
        }
    }

    /// Searches whole lines, folded.
    pub(super) fn look(&mut self, folded: &[u8]) {
        if let Some(any) = &self.any
            && any.find(folded, (0..folded.len()).into()).is_none()
        {
            return;
        }
        for sought in self.each.iter_mut().filter(|sought| !sought.met) {
            sought.met = sought.finder.find(folded).is_some();
        }
    }

    /// The absent terms, once all of the text was searched.
    pub(super) fn absent(&self) -> AbsentTerms {
        let lacking = self.each.iter().filter(|sought| !sought.met);
        lacking.fold(AbsentTerms::default(), |absent, sought| absent.with(sought.number))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lacking(terms: &[String], number: usize, parts: &[String]) -> Vec<usize> {
        let mut behind = LaterTerms::new(terms, number);
        // The state of an earlier text must not remain.
        for term in terms {
            behind.look(term.to_ascii_lowercase().as_bytes());
        }
        behind.begin();
        for part in parts {
            behind.look(part.to_ascii_lowercase().as_bytes());
        }
        let absent = behind.absent();
        (0..MAX_TERMS).filter(|number| absent.contains(*number)).collect()
    }

    proptest! {
        #[test]
        fn a_term_is_absent_if_no_part_holds_it(
            terms in prop::collection::vec("[aAbü]{1,4}", 1..=MAX_TERMS),
            parts in prop::collection::vec("[aAbcü\n]{0,40}", 0..4),
            number in 0..MAX_TERMS,
        ) {
            let held = |term: &String| {
                parts.iter().any(|part| part.to_ascii_lowercase().contains(&term.to_ascii_lowercase()))
            };
            let expected: Vec<usize> =
                (number + 1..terms.len()).filter(|number| !terms.get(*number).is_some_and(held)).collect();
            prop_assert_eq!(lacking(&terms, number, &parts), expected);
        }
    }

    #[test]
    fn absent_terms_hold_a_bit_for_the_last_term_and_none_beyond() {
        let terms: Vec<String> = (0..MAX_TERMS).map(|number| format!("t{number}")).collect();
        assert_eq!(lacking(&terms, MAX_TERMS - 2, &[]), [MAX_TERMS - 1]);
        assert!(LaterTerms::new(&terms, MAX_TERMS - 1).absent().is_empty());
        assert!(!AbsentTerms(u32::MAX).contains(MAX_TERMS));
    }
}
