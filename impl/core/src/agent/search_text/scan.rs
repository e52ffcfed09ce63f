//! One text to what occurs in it: whether it holds all terms, what it is ranked by, and the line
//! that shows it best (docs/agent-tools.md, section 6).

use memchr::memchr_iter;

use super::{
    needle::Looks,
    path,
    query::Term,
    rank::Measures,
    seeker::{Defined, Hit, Seeker},
};
use crate::{
    agent::{
        cut::{Anchor, Cut},
        defining::Definer,
        excerpt::{Excerpt, shown},
    },
    error::Interrupted,
    identifier::Coverage,
    index::{fold::Fold, need::Need},
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

/// A file that holds all terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileHits {
    pub(crate) measures: Measures,
    pub(super) line: u64,
    pub(super) snippet: Cut,
    pub(super) around: Excerpt,
    pub(super) match_count: u64,
    pub(super) match_lines: Vec<u64>,
    /// The file's path below the search root.
    pub(super) walked: Vec<u8>,
}

impl Finder {
    /// Finds these terms.
    pub fn new(terms: Vec<Term>, context: usize) -> Self {
        let coverage = Coverage::of(terms.iter().filter_map(Term::word));
        let seekers: Vec<Seeker> = terms.into_iter().map(Seeker::new).collect();
        let length = |at: &usize| seekers.get(*at).map(Seeker::length);
        let rarest = (0..seekers.len()).max_by_key(length).unwrap_or(0);
        let seen = vec![false; seekers.len()];
        Self { seekers, coverage, rarest, context, folded: Vec::new(), seen }
    }

    /// What a text must hold for all terms to occur in it.
    pub fn need(&self, fold: Fold, ngram: usize) -> Need {
        Need::all(self.seekers.iter().map(|seeker| seeker.need(fold, ngram)))
    }

    /// Of how many terms a path has units.
    pub fn path_terms(&self, walked: &[u8]) -> usize {
        let folded = walked.to_ascii_lowercase();
        let holds = |seeker: &&Seeker| seeker.path_units(walked, &folded, &self.coverage) > 0;
        self.seekers.iter().filter(holds).count()
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

    /// What occurs in a text; nothing if a term does not.
    #[expect(clippy::too_many_lines, reason = "one pass over the lines, whose state it keeps")]
    pub fn scan(
        &mut self,
        text: &[u8],
        walked: &[u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<FileHits>, Interrupted> {
        self.seen.fill(false);
        fold(text, &mut self.folded);
        let Self { seekers, coverage, rarest, folded, .. } = &*self;
        let looks = &mut Looks::new(go_on);
        let defined = Defined { definer: Definer::new(walked, text), coverage };
        let mut streams: Vec<Stream<'_>> = Vec::with_capacity(seekers.len());
        // The rarest decides soonest.
        let order = std::iter::once(*rarest).chain((0..seekers.len()).filter(|at| at != rarest));
        for at in order {
            let Some(seeker) = seekers.get(at) else { continue };
            let mut stream = Stream { seeker, at, from: 0, next: None };
            stream.advance(text, folded, &defined, looks)?;
            if stream.next.is_none() {
                return Ok(None);
            }
            streams.push(stream);
        }
        let folded_path = walked.to_ascii_lowercase();
        let units: Vec<u64> = seekers
            .iter()
            .map(|seeker| seeker.path_units(walked, &folded_path, coverage))
            .collect();
        let measures = Measures {
            stems: units.iter().map(|units| *units == path::STEM).collect(),
            units,
            strengths: vec![0; seekers.len()],
            lines_with: vec![0; seekers.len()],
            lines: 0,
            bytes: text.len() as u64,
            hundredths: path::hundredths(walked, seekers.iter().map(Seeker::term)),
        };
        let mut file = FileHits { measures, walked: walked.to_owned(), ..FileHits::default() };
        let (mut counted, mut number) = (0, 1_u64);
        let mut best: Option<((u64, u64), Span, u64, usize)> = None;
        while let Some(line) = streams
            .iter()
            .filter_map(|stream| stream.next)
            .map(|hit| hit.line)
            .min_by_key(|line| line.start)
        {
            number += memchr_iter(b'\n', text.get(counted..line.start).unwrap_or_default()).count()
                as u64;
            counted = line.start;
            let (mut terms, mut weight, mut first) = (0, 0, usize::MAX);
            for stream in &mut streams {
                let Some(hit) = stream.next.filter(|hit| hit.line.start == line.start) else {
                    continue;
                };
                terms += 1;
                weight += hit.most;
                first = first.min(hit.at);
                if let Some(units) = file.measures.units.get_mut(stream.at) {
                    *units += hit.sum;
                }
                if let Some(lines) = file.measures.lines_with.get_mut(stream.at) {
                    *lines += 1;
                }
                if let Some(strength) = file.measures.strengths.get_mut(stream.at) {
                    *strength = (*strength).max(hit.strength);
                }
                stream.advance(text, folded, &defined, looks)?;
            }
            file.match_count += 1;
            if file.match_lines.len() < LISTED_LINES {
                file.match_lines.push(number);
            }
            if best.is_none_or(|(worth, ..)| (terms, weight) > worth) {
                best = Some(((terms, weight), line, number, first));
            }
        }
        let rest = text.get(counted..).unwrap_or_default();
        let last = u64::from(!rest.is_empty() && !rest.ends_with(b"\n"));
        file.measures.lines = number - 1 + memchr_iter(b'\n', rest).count() as u64 + last;
        if let Some((_, line, number, first)) = best {
            file.line = number;
            file.snippet = shown(text, line, Anchor::At(first));
            file.around = Excerpt::of(text, line, self.context);
        }
        Ok(Some(file))
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
        assert_eq!(finder.scan(&text, b"x", &mut go_on), Err(Interrupted));
        assert!(finder.may_match(&text), "what is not known may be");
    }

    #[test]
    fn a_block_may_match_once_all_terms_have_occurred() {
        let mut finder = Finder::new(terms("page fault").unwrap(), 0);
        assert!(!finder.may_match(b"the default page\n"));
        assert!(!finder.may_match(b"defaults\n"));
        assert!(finder.may_match(b"a Fault\n") && finder.may_match(b"more\n"));
        assert_eq!(finder.scan(b"", b"a", &mut || true), Ok(None));
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
            let scanned = finder.scan(&text, b"a", &mut go_on).map(|_| ());
            (scanned, asked)
        };
        let (scanned, all) = asked(&mut finder, 2_000);
        // 65,536 lines of 5 bytes, on each of which it costs 1,024 to tell whether something is
        // defined.
        assert!(scanned.is_ok() && (1_024..=1_040).contains(&all), "once for so many bytes: {all}");
        assert_eq!(asked(&mut finder, 2), (Err(Interrupted), 3));
    }
}
