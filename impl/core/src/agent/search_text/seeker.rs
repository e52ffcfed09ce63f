//! One term in folded texts: where it occurs, and what that counts (docs/agent-tools.md, section
//! 6).
//!
//! Responsible for: which matches are occurrences, and their units. Not here: where a
//! term may stand ([`Needle`]), texts and their lines ([`super::scan`]). Invariants: the way for
//! lines of ASCII, which takes no parts and no copies, says what the way for any line says.

use std::borrow::Cow;

use super::{
    needle::{JUDGING, Looks, Needle},
    path::{self, Loose, PathReader},
    query::Term,
    rank::TermMeasures,
};
use crate::{
    agent::defining::Definer,
    error::Interrupted,
    identifier::{Coverage, Extent, around, ascii_around, occurs, stands_alone, weight},
    index::{fold::Fold, need::Need},
    text::{self, Span},
};

/// A term, ready to be looked for.
#[derive(Clone, Debug)]
pub(super) struct Seeker {
    term: Term,
    /// Stands wherever the term occurs, and elsewhere.
    needle: Needle,
    loose: Loose,
}

/// What occurs of one term on one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) line: Span,
    pub(super) occurrences: u32,
    /// Units of all occurrences.
    pub(super) sum: u32,
    /// Units and strength of the weightiest.
    pub(super) most: u32,
    /// How surely it is what is defined here, of the surest.
    pub(super) strength: u32,
    /// Where the first one starts, in the decoded line.
    pub(super) at: usize,
}

impl TermMeasures {
    /// Adds what occurs on a line.
    pub(super) fn add(&mut self, hit: Hit) {
        self.units = self.units.saturating_add(hit.sum);
        self.occurrences = self.occurrences.saturating_add(hit.occurrences);
        self.strength = self.strength.max(hit.strength);
    }
}

impl Seeker {
    pub(super) fn new(term: Term) -> Self {
        Self { needle: Needle::new(&term), loose: Loose::new(&term), term }
    }

    pub(super) const fn term(&self) -> &Term {
        &self.term
    }

    /// Bytes the term has at least.
    pub(super) fn length(&self) -> usize {
        self.needle.length()
    }

    /// What a text must hold for the term to occur in it.
    pub(super) fn need(&self, fold: Fold, ngram: usize) -> Need {
        self.term.need(fold, ngram)
    }

    /// What a path, folded as well, says of the term; most do not hold it at all, which is soon
    /// seen.
    pub(super) fn path_units(&self, path: &[u8], folded: &[u8], coverage: &Coverage) -> u32 {
        let found = self.needle.find(folded, 0, &mut Looks::new(&mut || true));
        if found == Ok(None) {
            return 0;
        }
        path::units(&self.term, &self.decoded(path), coverage)
    }

    /// The same, of a query of which a file has to hold one term only.
    pub(super) fn loose_path_units(&self, path: &PathReader) -> u32 {
        self.loose.units(path)
    }

    /// Bytes as text in which the term stands only where it stands in the bytes.
    fn decoded<'t>(&self, bytes: &'t [u8]) -> Cow<'t, str> {
        // Words hold no character that could stand for bytes that are none.
        let sought = if let Term::Literal(literal) = &self.term { literal } else { "" };
        text::decoded(bytes, sought)
    }

    /// The first place at or after `from` where it may occur: most that are none, inside other
    /// words, are seen here, without looking at their line.
    pub(super) fn find(
        &self,
        text: &[u8],
        folded: &[u8],
        mut from: usize,
        looks: &mut Looks<'_>,
    ) -> Result<Option<usize>, Interrupted> {
        let is_word = matches!(self.term, Term::Word { .. });
        while let Some((start, end)) = self.needle.find(folded, from, looks)? {
            if !is_word || stands_alone(text, start, end) != Some(false) {
                return Ok(Some(start));
            }
            from = start + 1;
        }
        Ok(None)
    }

    /// What occurs on a line; nothing does before `first`.
    pub(super) fn on_line(
        &self,
        text: &[u8],
        folded: &[u8],
        line: Span,
        first: usize,
        defined: &Defined<'_>,
        looks: &mut Looks<'_>,
    ) -> Result<Option<Hit>, Interrupted> {
        let visible = line.visible(text);
        let mut hit = Hit { line, occurrences: 0, sum: 0, most: 0, strength: 0, at: usize::MAX };
        let mut add = |units: u32, strength: u32, begins: usize| {
            hit.occurrences = hit.occurrences.saturating_add(1);
            hit.sum = hit.sum.saturating_add(units);
            hit.most = hit.most.max(units.saturating_add(strength));
            hit.strength = hit.strength.max(strength);
            hit.at = hit.at.min(begins);
        };
        let strength = |shown: &str, place: (usize, usize), eighths: u32| {
            defined.strength(line, shown, place, eighths)
        };
        match std::str::from_utf8(visible).ok().filter(|visible| visible.is_ascii()) {
            Some(visible) => {
                let folded = folded.get(line.start..line.start + visible.len()).unwrap_or_default();
                self.in_ascii(visible, folded, first - line.start, &strength, looks, &mut add)?;
            }
            None => self.in_text(&self.decoded(visible), &strength, looks, &mut add)?,
        }
        Ok((hit.sum > 0).then_some(hit))
    }

    /// What occurs in a line of ASCII: what is found there and stands alone, since underscores are
    /// in it only where parts of the word meet.
    fn in_ascii(
        &self,
        line: &str,
        folded: &[u8],
        mut from: usize,
        strength: Strength<'_>,
        looks: &mut Looks<'_>,
        add: Add<'_>,
    ) -> Result<(), Interrupted> {
        let bytes = line.as_bytes();
        while let Some((start, end)) = self.needle.find(folded, from, looks)? {
            if matches!(self.term, Term::Literal(_)) {
                add(2, 0, start);
                from = end;
                continue;
            }
            if stands_alone(bytes, start, end) != Some(true) {
                from = start + 1;
                continue;
            }
            let (left, right) = ascii_around(bytes, start, end);
            let underscores = |from: usize, to: usize| {
                bytes.get(from..to).unwrap_or_default().iter().all(|byte| *byte == b'_')
            };
            let extent = if underscores(left, start) && underscores(end, right) {
                Extent::Whole
            } else {
                Extent::Part
            };
            looks.take(JUDGING)?;
            self.add(extent, line, (left, right), strength, add);
            from = right;
        }
        Ok(())
    }

    /// What occurs in any line, decoded.
    fn in_text(
        &self,
        line: &str,
        strength: Strength<'_>,
        looks: &mut Looks<'_>,
        add: Add<'_>,
    ) -> Result<(), Interrupted> {
        let folded = line.to_ascii_lowercase();
        let mut from = 0;
        while let Some((start, end)) = self.needle.find(folded.as_bytes(), from, looks)? {
            let Term::Word { parts: word, .. } = &self.term else {
                add(2, 0, start);
                from = end;
                continue;
            };
            let (left, right) = around(line, start, end);
            if let Some(extent) = occurs(word, line.get(left..right).unwrap_or_default()) {
                looks.take(JUDGING)?;
                self.add(extent, line, (left, right), strength, add);
            }
            from = right;
        }
        Ok(())
    }

    /// Adds an occurrence in this identifier of a line.
    fn add(
        &self,
        extent: Extent,
        line: &str,
        place: (usize, usize),
        strength: Strength<'_>,
        add: Add<'_>,
    ) {
        let (left, right) = place;
        let is_exact = matches!(&self.term, Term::Word { spelled, .. } if line.get(left..right) == Some(spelled));
        let (units, eighths) = weight(extent, is_exact);
        add(units, strength(line, place, eighths), left);
    }
}

/// How surely what a query names is what is defined at a place of one text.
pub(super) struct Defined<'f> {
    pub(super) definer: Definer<'f>,
    pub(super) coverage: &'f Coverage,
}

impl Defined<'_> {
    /// The strength of an identifier, in eighths, of which a term on its own has so many.
    fn strength(
        &self,
        line: Span,
        shown: &str,
        (left, right): (usize, usize),
        eighths: u32,
    ) -> u32 {
        let mut level = 0;
        let place = std::iter::once((left, right));
        self.definer.levels(line, shown, place, |_, found| level = found);
        if level == 0 {
            return 0;
        }
        let identifier = shown.get(left..right).unwrap_or_default();
        u32::from(level).saturating_mul(self.coverage.eighths(identifier).unwrap_or(eighths))
    }
}

/// The strength of the identifier at these bytes of a line, of which a term has so many eighths.
type Strength<'l> = &'l dyn Fn(&str, (usize, usize), u32) -> u32;

/// Takes an occurrence: its units, its strength, and where it starts.
type Add<'a> = &'a mut dyn FnMut(u32, u32, usize);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::search_text::terms;

    /// What both ways say of a line.
    fn both(query: &str, line: &str) -> [Vec<(u32, usize)>; 2] {
        let seeker = Seeker::new(terms(query).unwrap().remove(0));
        let folded = line.to_ascii_lowercase();
        let [mut ascii, mut any] = [Vec::new(), Vec::new()];
        let mut free = || true;
        let looks = &mut Looks::new(&mut free);
        let strength =
            |_: &str, (left, _): (usize, usize), eighths: u32| u32::from(left == 6) * eighths;
        let mut add = |units, strength, at| ascii.push((units + strength, at));
        seeker.in_ascii(line, folded.as_bytes(), 0, &strength, looks, &mut add).unwrap();
        let mut add = |units, strength, at| any.push((units + strength, at));
        seeker.in_text(line, &strength, looks, &mut add).unwrap();
        [ascii, any]
    }

    #[test]
    fn the_example_of_the_contract_has_the_specified_occurrences() {
        let [ascii, any] = both(
            "UserService",
            "class IUserService user_service USERSERVICE users_ervice userServices",
        );
        assert_eq!(ascii, [(2, 6), (2, 19), (2, 32)]);
        assert_eq!(ascii, any);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn ascii_lines_are_read_like_any_line(query in "[aAbB1_]{1,6}|\"[aAb ]{1,2}[ab]\"", line in "(fn |[aAbB1_]{1,12}|[ (;:]){0,6}") {
            prop_assume!(terms(&query).is_ok());
            let [ascii, any] = both(&query, &line);
            prop_assert_eq!(ascii, any);
        }

        #[test]
        fn the_seeker_finds_every_text_that_has_an_occurrence(word in "[aAbB1]{1,4}", text in "([aAbB1_]{1,8}|ä|[ \n]){0,8}") {
            let seeker = Seeker::new(terms(&word).unwrap().remove(0));
            let folded = text.to_ascii_lowercase();
            let mut free = || true;
            let looks = &mut Looks::new(&mut free);
            let found = seeker.find(text.as_bytes(), folded.as_bytes(), 0, looks).unwrap();
            let mut occurs = false;
            seeker.in_text(&text, &|_, _, _| 0, looks, &mut |_, _, _| occurs = true).unwrap();
            prop_assert!(found.is_some() || !occurs);
        }
    }
}
