//! One text to what occurs in it: whether it holds all terms, what it is ranked by, and the line
//! that shows it best (docs/agent-tools.md, section 6).

use memchr::memchr_iter;

use super::{
    needle::Looks,
    path,
    places::Places,
    query::Term,
    rank::{Measures, TermMeasures},
    seeker::{Defined, Hit, Seeker},
};
use crate::{
    agent::{
        cut::{Anchor, Cut},
        defining::Definer,
        excerpt::{Excerpt, shown},
    },
    error::Interrupted,
    identifier::{Coverage, Word},
    index::{fold::Fold, need::Need, words::Found},
    text::{self, Span},
};

/// Lines whose numbers a result lists.
const LISTED_LINES: usize = 10;
/// How often it is looked how much a block costs, until it is taken for one that may hold a term.
const BLOCK_LOOKS: usize = 16;

/// Finds the terms of a query in one text after the other.
#[derive(Clone, Debug)]
pub struct Finder {
    /// In the query's order.
    seekers: Vec<Seeker>,
    coverage: Coverage,
    places: Places,
    /// The one that is likely to be in the fewest texts.
    rarest: usize,
    context: usize,
    /// The text at hand, folded.
    folded: Vec<u8>,
    /// For each term, whether it may be in the blocks of the file at hand. What is left here of a
    /// file that was not scanned in the end makes the next one promising too early, and nothing
    /// worse.
    seen: Vec<bool>,
}

/// The lines of a file that holds all terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileLines {
    pub(super) line: u64,
    pub(super) snippet: Cut,
    pub(super) around: Excerpt,
    pub(super) match_count: u64,
    pub(super) match_lines: Vec<u64>,
}

impl Finder {
    /// Finds these terms.
    pub fn new(terms: Vec<Term>, context: usize) -> Self {
        let coverage = Coverage::of(terms.iter().filter_map(Term::word));
        let places = Places::of(terms.iter());
        let seekers: Vec<Seeker> = terms.into_iter().map(Seeker::new).collect();
        let length = |at: &usize| seekers.get(*at).map(Seeker::length);
        let rarest = (0..seekers.len()).max_by_key(length).unwrap_or(0);
        let seen = vec![false; seekers.len()];
        Self { seekers, coverage, places, rarest, context, folded: Vec::new(), seen }
    }

    /// What a text must hold for all terms to occur in it.
    pub fn need(&self, fold: Fold, ngram: usize) -> Need {
        Need::all(self.seekers.iter().map(|seeker| seeker.need(fold, ngram)))
    }

    /// Whether, with these lines, there may be all terms in a file's lines so far.
    pub fn may_match(&mut self, lines: &[u8]) -> bool {
        let Self { seekers, folded, seen, .. } = self;
        fold(lines, folded);
        for (seeker, seen) in seekers.iter().zip(seen.iter_mut()) {
            // What takes too long here is looked at again when the whole file is scanned, which can
            // be interrupted.
            let mut looks = 0;
            let mut go_on = || {
                looks += 1;
                looks < BLOCK_LOOKS
            };
            *seen = *seen || seeker.find(lines, folded, 0, &mut Looks::new(&mut go_on)) != Ok(None);
        }
        seen.iter().all(|seen| *seen)
    }

    /// What a file is ranked by; nothing if a term does not occur in its text.
    pub fn measure(
        &mut self,
        text: &[u8],
        walked: &[u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Measures>, Interrupted> {
        self.begin(text);
        let looks = &mut Looks::new(go_on);
        let defined = Defined { definer: Definer::new(walked, text), coverage: &self.coverage };
        let Some(streams) = self.streams(text, &defined, looks)? else { return Ok(None) };
        let mut measures = self.path_measures(walked);
        measures.bytes = text.len() as u64;
        for mut stream in streams {
            let Some(term) = measures.terms.get_mut(stream.at) else { continue };
            while let Some(hit) = stream.next {
                term.add(hit);
                stream.advance(text, &self.folded, &defined, looks)?;
            }
        }
        Ok(Some(measures))
    }

    /// Takes the next text.
    fn begin(&mut self, text: &[u8]) {
        self.seen.fill(false);
        fold(text, &mut self.folded);
    }

    /// The terms at their first lines; nothing if one does not occur.
    fn streams(
        &self,
        text: &[u8],
        defined: &Defined<'_>,
        looks: &mut Looks<'_>,
    ) -> Result<Option<Vec<Stream<'_>>>, Interrupted> {
        let Self { seekers, rarest, .. } = self;
        let mut streams: Vec<Stream<'_>> = Vec::with_capacity(seekers.len());
        // The rarest decides soonest.
        let order = std::iter::once(*rarest).chain((0..seekers.len()).filter(|at| at != rarest));
        for at in order {
            let Some(seeker) = seekers.get(at) else { continue };
            let mut stream = Stream { seeker, at, from: 0, next: None };
            stream.advance(text, &self.folded, defined, looks)?;
            if stream.next.is_none() {
                return Ok(None);
            }
            streams.push(stream);
        }
        Ok(Some(streams))
    }

    /// The terms, if an index of words can tell all that a file counts for them; else none.
    pub fn words(&self) -> Vec<Word<'_>> {
        let words = self.seekers.iter().map(|seeker| seeker.term().word());
        words.collect::<Option<Vec<_>>>().unwrap_or_default()
    }

    /// What a file is ranked by whose text has so many bytes, and these words.
    pub fn known_measures(&self, walked: &[u8], bytes: u64, found: &[Found]) -> Measures {
        let mut measures = self.path_measures(walked);
        measures.bytes = bytes;
        for (term, found) in measures.terms.iter_mut().zip(found) {
            term.units += found.units;
            (term.occurrences, term.strength) = (found.identifiers, found.strength);
        }
        measures
    }

    /// What a path says, of a file without bytes.
    fn path_measures(&self, walked: &[u8]) -> Measures {
        let Self { seekers, coverage, places, .. } = self;
        let folded = walked.to_ascii_lowercase();
        let of = |seeker: &Seeker| {
            let units = seeker.path_units(walked, &folded, coverage);
            TermMeasures { units, stem: units == path::STEM, ..TermMeasures::default() }
        };
        Measures {
            terms: seekers.iter().map(of).collect(),
            bytes: 0,
            hundredths: places.hundredths(walked, &folded),
        }
    }

    /// The lines that show a file, and what it is ranked by; nothing if a term does not occur in its
    /// text.
    pub fn show(
        &mut self,
        text: &[u8],
        walked: &[u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(Measures, FileLines)>, Interrupted> {
        self.begin(text);
        let looks = &mut Looks::new(go_on);
        let defined = Defined { definer: Definer::new(walked, text), coverage: &self.coverage };
        let Some(mut streams) = self.streams(text, &defined, looks)? else { return Ok(None) };
        let mut measures = self.path_measures(walked);
        measures.bytes = text.len() as u64;
        let mut lines = FileLines::default();
        let (mut counted, mut number) = (0, 1_u64);
        let mut best: Option<((u64, u64), Span, u64, usize)> = None;
        while let Some(line) = streams
            .iter()
            .filter_map(|stream| stream.next)
            .map(|hit| hit.line)
            .min_by_key(|line| line.start)
        {
            let between = text.get(counted..line.start).unwrap_or_default();
            number += memchr_iter(b'\n', between).count() as u64;
            counted = line.start;
            let (mut terms, mut weight, mut first) = (0, 0, usize::MAX);
            for stream in &mut streams {
                let Some(hit) = stream.next.filter(|hit| hit.line.start == line.start) else {
                    continue;
                };
                terms += 1;
                weight += hit.most;
                first = first.min(hit.at);
                if let Some(term) = measures.terms.get_mut(stream.at) {
                    term.add(hit);
                }
                stream.advance(text, &self.folded, &defined, looks)?;
            }
            lines.match_count += 1;
            if lines.match_lines.len() < LISTED_LINES {
                lines.match_lines.push(number);
            }
            if best.is_none_or(|(worth, ..)| (terms, weight) > worth) {
                best = Some(((terms, weight), line, number, first));
            }
        }
        if let Some((_, line, number, first)) = best {
            lines.line = number;
            lines.snippet = shown(text, line, Anchor::At(first));
            lines.around = Excerpt::of(text, line, self.context);
        }
        Ok(Some((measures, lines)))
    }
}

/// Folds a text letter for letter, so that places are the same in both.
fn fold(text: &[u8], folded: &mut Vec<u8>) {
    folded.clear();
    folded.extend(text.iter().map(u8::to_ascii_lowercase));
}

/// The lines of a text on which one term occurs.
struct Stream<'f> {
    seeker: &'f Seeker,
    /// Which term.
    at: usize,
    from: usize,
    next: Option<Hit>,
}

impl Stream<'_> {
    fn advance(
        &mut self,
        text: &[u8],
        folded: &[u8],
        defined: &Defined<'_>,
        looks: &mut Looks<'_>,
    ) -> Result<(), Interrupted> {
        self.next = None;
        while let Some(start) = self.seeker.find(text, folded, self.from, looks)? {
            let Some(line) = text::line_at(text, start) else { break };
            self.from = (line.end + 1).min(text.len());
            self.next = self.seeker.on_line(text, folded, line, start, defined, looks)?;
            if self.next.is_some() {
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::search_text::{needle::LOOK_EVERY, terms};

    #[test]
    fn scanning_a_long_line_for_a_long_frequent_term_can_be_cancelled() {
        let mut finder = Finder::new(terms(&"a".repeat(10_000)).unwrap(), 0);
        let text = b"a".repeat(1 << 20);
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            asked < 10
        };
        assert_eq!(finder.measure(&text, b"x", &mut go_on), Err(Interrupted));
        assert!(finder.may_match(&text), "what is not known may be");
    }

    #[test]
    fn a_block_may_match_once_all_terms_have_occurred() {
        let mut finder = Finder::new(terms("page fault").unwrap(), 0);
        assert!(!finder.may_match(b"the default page\n"));
        assert!(!finder.may_match(b"defaults\n"));
        assert!(finder.may_match(b"a Fault\n") && finder.may_match(b"more\n"));
        assert_eq!(finder.measure(b"", b"a", &mut || true), Ok(None));
        assert!(!finder.may_match(b"a Fault\n"), "another file's page");
    }

    #[test]
    fn a_scan_of_a_long_text_checks_cancellation_regularly() {
        let mut finder = Finder::new(terms("page").unwrap(), 0);
        let text = b"page\n".repeat(LOOK_EVERY);
        let asked = |finder: &mut Finder, most: usize| {
            let mut asked = 0;
            let mut go_on = || {
                asked += 1;
                asked <= most
            };
            let scanned = finder.measure(&text, b"a", &mut go_on).map(|_| ());
            (scanned, asked)
        };
        let (scanned, all) = asked(&mut finder, 2_000);
        // 65,536 lines of 5 bytes, on each of which it costs 1,024 to tell whether something is
        // defined.
        assert!(scanned.is_ok() && (1_024..=1_040).contains(&all), "once for so many bytes: {all}");
        assert_eq!(asked(&mut finder, 2), (Err(Interrupted), 3));
    }
}
