//! One text to what occurs in it: whether it holds all terms, what it is ranked by, and the line
//! that shows it best (docs/agent-tools.md, section 6).

use memchr::memchr_iter;

use super::{
    needle::Looks,
    path::PathReader,
    places::Places,
    pool::Pool,
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
    identifier::{Coverage, Demand, Word},
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
    demand: Demand,
    /// In the query's order.
    seekers: Vec<Seeker>,
    /// Words of the other terms, if a file has to hold all.
    within: Vec<Term>,
    coverage: Coverage,
    places: Places,
    /// The one that is likely to be in the fewest texts.
    rarest: usize,
    /// The text at hand, folded.
    folded: Vec<u8>,
    path: PathReader,
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
    /// The header of the definition around the line, unless it is among the lines above.
    pub(super) inside: Option<(u64, Cut)>,
    pub(super) match_count: u64,
    pub(super) match_lines: Vec<u64>,
}

impl Finder {
    /// The number of terms.
    pub(super) fn terms(&self) -> usize {
        self.seekers.len()
    }

    /// Finds files that hold all of these terms.
    pub fn all(terms: Vec<Term>) -> Self {
        let places = Places::of(terms.iter());
        Self::new(terms, Demand::All, places)
    }

    /// Finds files that hold one of these terms, or more. Where `is_question`, terms may ask for a
    /// place: a long text names tests and documents without asking for them.
    pub fn any(terms: Vec<Term>, is_question: bool) -> Self {
        let places = if is_question { Places::of(terms.iter()) } else { Places::default() };
        Self::new(terms, Demand::Any, places)
    }

    fn new(terms: Vec<Term>, demand: Demand, places: Places) -> Self {
        let coverage = Coverage::of(terms.iter().filter_map(Term::word), demand);
        let within = match demand {
            Demand::All => terms.iter().filter_map(Term::word_within).collect(),
            Demand::Any => Vec::new(),
        };
        let seekers: Vec<Seeker> = terms.into_iter().map(Seeker::new).collect();
        let length = |at: &usize| seekers.get(*at).map(Seeker::length);
        let rarest = (0..seekers.len()).max_by_key(length).unwrap_or(0);
        let seen = vec![false; seekers.len()];
        Self {
            demand,
            seekers,
            within,
            coverage,
            places,
            rarest,
            folded: Vec::new(),
            path: PathReader::default(),
            seen,
        }
    }

    /// What a text must hold to be found.
    pub fn need(&self, fold: Fold, ngram: usize) -> Need {
        let each = self.seekers.iter().map(|seeker| seeker.need(fold, ngram));
        match self.demand {
            Demand::All => Need::all(each),
            Demand::Any => Need::one_of(each),
        }
    }

    /// Whether, with these lines, a file's lines so far may hold what it has to.
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
        match self.demand {
            Demand::All => seen.iter().all(|seen| *seen),
            Demand::Any => seen.contains(&true),
        }
    }

    /// What a file is ranked by; nothing if it does not hold what it has to.
    pub fn measure(
        &mut self,
        text: &[u8],
        walked: &[u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Measures>, Interrupted> {
        let mut measures = self.begin(text, walked);
        let looks = &mut Looks::new(go_on);
        let defined = Defined { definer: Definer::new(walked, text), coverage: &self.coverage };
        let Some(streams) = self.streams(text, &defined, looks)? else { return Ok(None) };
        for mut stream in streams {
            let Some(term) = measures.terms.get_mut(stream.at) else { continue };
            while let Some(hit) = stream.next {
                term.add(hit);
                stream.advance(text, &self.folded, &defined, looks)?;
            }
        }
        Ok(Some(measures))
    }

    /// Takes the next text. What the path says.
    fn begin(&mut self, text: &[u8], walked: &[u8]) -> Measures {
        self.seen.fill(false);
        fold(text, &mut self.folded);
        Measures { bytes: text.len() as u64, ..self.path_measures(walked) }
    }

    /// The terms that occur, at their first lines; nothing if too few do.
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
            match (stream.next, self.demand) {
                (Some(_), _) => streams.push(stream),
                (None, Demand::All) => return Ok(None),
                (None, Demand::Any) => {}
            }
        }
        Ok((!streams.is_empty()).then_some(streams))
    }

    /// The words by which an index can tell which files may be found: terms, and where a file has to
    /// hold all of them, words within the others.
    pub fn words(&self) -> Vec<Word<'_>> {
        let terms = self.seekers.iter().map(Seeker::term);
        terms.chain(&self.within).filter_map(Term::word).collect()
    }

    /// Whether a file need not be read of which it is known what the words count there.
    pub fn is_told_by_words(&self) -> bool {
        self.demand == Demand::Any
            || self.seekers.iter().all(|seeker| seeker.term().word().is_some())
    }

    /// What a text must hold to be found without a word; none if words are found in all.
    pub fn need_beside_words(&self, fold: Fold, ngram: usize) -> Option<Need> {
        if self.demand == Demand::All {
            return None;
        }
        let others = self.seekers.iter().filter(|seeker| seeker.term().word().is_none());
        let needs: Vec<Need> = others.map(|seeker| seeker.need(fold, ngram)).collect();
        (!needs.is_empty()).then(|| Need::one_of(needs))
    }

    /// Which terms a file has to hold.
    pub const fn demand(&self) -> Demand {
        self.demand
    }

    /// Adds a file to a pool whose text has so many bytes, and these words.
    pub fn add_known(&mut self, pool: &mut Pool, walked: &[u8], bytes: u64, found: &[Found]) {
        let hundredths = self.read_path(walked);
        let mut found = found.iter();
        let terms = self.seekers.iter().map(|seeker| {
            let path = self.path_units(seeker, walked);
            let found = seeker.term().word().and_then(|_| found.next()).copied();
            let Found { units, identifiers: occurrences, strength, .. } = found.unwrap_or_default();
            TermMeasures { units, path, occurrences, strength }
        });
        pool.add(walked, terms, bytes, hundredths);
    }

    /// What a path says, of a file without bytes.
    pub fn path_measures(&mut self, walked: &[u8]) -> Measures {
        let hundredths = self.read_path(walked);
        let of = |seeker| {
            let path = self.path_units(seeker, walked);
            TermMeasures { path, ..TermMeasures::default() }
        };
        Measures { terms: self.seekers.iter().map(of).collect(), bytes: 0, hundredths }
    }

    /// Takes the next path. What the file counts by it.
    fn read_path(&mut self, walked: &[u8]) -> u64 {
        self.path.read(walked);
        self.places.hundredths(self.path.spoken, self.path.name())
    }

    fn path_units(&self, seeker: &Seeker, walked: &[u8]) -> u32 {
        match self.demand {
            Demand::All => seeker.path_units(walked, &self.path.folded, &self.coverage),
            Demand::Any => seeker.loose_path_units(&self.path),
        }
    }

    /// Goes through the lines with terms, in order, and hands out each; what the file is ranked by.
    /// Nothing if it does not hold what it has to.
    pub(in crate::agent) fn lines(
        &mut self,
        text: &[u8],
        walked: &[u8],
        go_on: &mut dyn FnMut() -> bool,
        each: &mut dyn FnMut(TermLine),
    ) -> Result<Option<Measures>, Interrupted> {
        let mut measures = self.begin(text, walked);
        let looks = &mut Looks::new(go_on);
        let defined = Defined { definer: Definer::new(walked, text), coverage: &self.coverage };
        let Some(mut streams) = self.streams(text, &defined, looks)? else { return Ok(None) };
        let (mut counted, mut number) = (0, 1_u64);
        while let Some(line) = streams
            .iter()
            .filter_map(|stream| stream.next)
            .map(|hit| hit.line)
            .min_by_key(|line| line.start)
        {
            let between = text.get(counted..line.start).unwrap_or_default();
            number += memchr_iter(b'\n', between).count() as u64;
            counted = line.start;
            let mut found = TermLine { line, number, terms: 0, weight: 0, at: usize::MAX };
            for stream in &mut streams {
                let Some(hit) = stream.next.filter(|hit| hit.line.start == line.start) else {
                    continue;
                };
                found.terms += 1;
                found.weight += u64::from(hit.most);
                found.at = found.at.min(hit.at);
                if let Some(term) = measures.terms.get_mut(stream.at) {
                    term.add(hit);
                }
                stream.advance(text, &self.folded, &defined, looks)?;
            }
            each(found);
        }
        Ok(Some(measures))
    }

    /// The line that shows a file best, with so many lines around it, and what the file is ranked
    /// by; nothing if it does not hold what it has to.
    pub fn show(
        &mut self,
        text: &[u8],
        walked: &[u8],
        context: usize,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<(Measures, FileLines)>, Interrupted> {
        let mut lines = FileLines::default();
        let mut best: Option<TermLine> = None;
        let measures = self.lines(text, walked, go_on, &mut |line| {
            lines.match_count += 1;
            if lines.match_lines.len() < LISTED_LINES {
                lines.match_lines.push(line.number);
            }
            if best.is_none_or(|best| line.worth() > best.worth()) {
                best = Some(line);
            }
        })?;
        if let Some(TermLine { line, number, at, .. }) = best {
            lines.line = number;
            lines.snippet = shown(text, line, Anchor::At(at));
            lines.around = Excerpt::of(text, line, context);
            lines.inside = Definer::new(walked, text).header(line).and_then(|header| {
                let between = text.get(header.start..line.start).unwrap_or_default();
                let above = memchr_iter(b'\n', between).count();
                let cut = || shown(text, header, Anchor::Start);
                (above > context).then(|| (number - above as u64, cut()))
            });
        }
        Ok(measures.map(|measures| (measures, lines)))
    }
}

/// A line with terms.
#[derive(Clone, Copy, Debug)]
pub(in crate::agent) struct TermLine {
    pub(in crate::agent) line: Span,
    /// From 1.
    pub(in crate::agent) number: u64,
    /// How many terms occur.
    pub(in crate::agent) terms: u64,
    /// Of each term the units and strength of its weightiest occurrence, added up.
    pub(in crate::agent) weight: u64,
    /// Where the first occurrence starts, in the decoded line.
    pub(in crate::agent) at: usize,
}

impl TermLine {
    /// How well the line shows the file.
    pub(in crate::agent) const fn worth(&self) -> (u64, u64) {
        (self.terms, self.weight)
    }
}

/// Folds a text letter for letter, so that places are the same in both.
fn fold(text: &[u8], folded: &mut Vec<u8>) {
    folded.clear();
    folded.extend_from_slice(text);
    folded.make_ascii_lowercase();
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
        let mut finder = Finder::all(terms(&"a".repeat(10_000)).unwrap());
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
        let mut finder = Finder::all(terms("page fault").unwrap());
        assert!(!finder.may_match(b"the default page\n"));
        assert!(!finder.may_match(b"defaults\n"));
        assert!(finder.may_match(b"a Fault\n") && finder.may_match(b"more\n"));
        assert_eq!(finder.measure(b"", b"a", &mut || true), Ok(None));
        assert!(!finder.may_match(b"a Fault\n"), "another file's page");
    }

    #[test]
    fn a_scan_of_a_long_text_checks_cancellation_regularly() {
        let mut finder = Finder::all(terms("page").unwrap());
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
