//! One text to what occurs in it: whether it holds all terms, what it is ranked by, and the line that shows it best
//! (docs/agent-tools.md, section 6).

use memchr::memchr_iter;

use super::{
    definition_like::looks_defined,
    identifier::{Extent, around, occurs},
    needle::Needle,
    path,
    query::Term,
    rank::Measures,
};
use crate::{
    agent::{
        cut::{Anchor, Cut},
        excerpt::{Around, shown},
    },
    error::Interrupted,
    index::{fold::Fold, need::Need},
    text::{self, Span},
};

/// Lines whose numbers a result lists.
const LISTED_LINES: usize = 10;
/// Bytes between two looks at whether to go on.
const LOOK_EVERY: usize = 1 << 20;

/// A term, ready to be looked for.
#[derive(Clone, Debug)]
struct Seeker {
    term: Term,
    /// Stands wherever the term occurs, and elsewhere.
    needle: Needle,
}

/// Finds the terms of a query in one text after the other.
#[derive(Clone, Debug)]
pub struct Finder {
    /// In the query's order.
    seekers: Vec<Seeker>,
    /// The one that is likely to be in the fewest texts.
    rarest: usize,
    context: usize,
}

/// A file that holds all terms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileHits {
    pub(super) measures: Measures,
    pub(super) line: u64,
    pub(super) snippet: Cut,
    pub(super) around: Around,
    pub(super) match_count: u64,
    pub(super) match_lines: Vec<u64>,
}

/// What occurs of one term on one line.
#[derive(Clone, Copy, Debug)]
struct Hit {
    line: Span,
    /// Units of all occurrences.
    sum: u64,
    /// Units of the weightiest.
    most: u64,
    /// Where the first one starts, in the decoded line.
    at: usize,
}

impl Finder {
    /// Finds these terms.
    pub fn new(terms: Vec<Term>, context: usize) -> Self {
        let seeker = |term| Seeker { needle: Needle::new(&term), term };
        let seekers: Vec<Seeker> = terms.into_iter().map(seeker).collect();
        let length = |at: &usize| seekers.get(*at).map(|seeker| seeker.needle.length());
        let rarest = (0..seekers.len()).max_by_key(length).unwrap_or(0);
        Self { seekers, rarest, context }
    }

    /// What a text must hold for all terms to occur in it.
    pub fn need(&self, fold: Fold, ngram: usize) -> Need {
        Need::all(self.seekers.iter().map(|seeker| seeker.term.need(fold, ngram)))
    }

    /// Of how many terms a path has units.
    pub fn path_terms(&self, path: &str) -> usize {
        self.seekers.iter().filter(|seeker| seeker.path_units(path) > 0).count()
    }

    /// Whether a line of these may hold the rarest term.
    pub fn promising(&self, lines: &[u8]) -> bool {
        let folded = lines.to_ascii_lowercase();
        self.seekers.get(self.rarest).is_some_and(|seeker| seeker.needle.find(&folded, 0).is_some())
    }

    /// What occurs in a text; nothing if a term does not.
    pub fn scan(
        &self,
        text: &[u8],
        walked: &[u8],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<FileHits>, Interrupted> {
        // Letter for letter, so that places are the same in both.
        let folded = text.to_ascii_lowercase();
        let mut streams: Vec<Stream<'_>> = Vec::with_capacity(self.seekers.len());
        // The rarest decides soonest.
        let order =
            std::iter::once(self.rarest).chain((0..self.seekers.len()).filter(|at| *at != self.rarest));
        for at in order {
            let Some(seeker) = self.seekers.get(at) else { continue };
            let mut stream = Stream { seeker, at, from: 0, next: None };
            stream.advance(text, &folded, go_on)?;
            if stream.next.is_none() {
                return Ok(None);
            }
            streams.push(stream);
        }
        let path = String::from_utf8_lossy(walked);
        let units = self.seekers.iter().map(|seeker| seeker.path_units(&path)).collect();
        let measures =
            Measures { units, lines_with: vec![0; self.seekers.len()], lines: 0, bytes: text.len() as u64 };
        let mut file = FileHits { measures, ..FileHits::default() };
        let (mut counted, mut number) = (0, 1_u64);
        let mut best: Option<((u64, u64), Span, u64, usize)> = None;
        while let Some(line) =
            streams.iter().filter_map(|stream| stream.next).map(|hit| hit.line).min_by_key(|line| line.start)
        {
            number += memchr_iter(b'\n', text.get(counted..line.start).unwrap_or_default()).count() as u64;
            counted = line.start;
            let (mut terms, mut weight, mut first) = (0, 0, usize::MAX);
            for stream in &mut streams {
                let Some(hit) = stream.next.filter(|hit| hit.line.start == line.start) else { continue };
                terms += 1;
                weight += hit.most;
                first = first.min(hit.at);
                if let Some(units) = file.measures.units.get_mut(stream.at) {
                    *units += hit.sum;
                }
                if let Some(lines) = file.measures.lines_with.get_mut(stream.at) {
                    *lines += 1;
                }
                stream.advance(text, &folded, go_on)?;
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
            file.around = Around::of(text, line, self.context);
        }
        Ok(Some(file))
    }
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
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), Interrupted> {
        let mut looked = self.from;
        self.next = None;
        while let Some((start, end)) = self.seeker.needle.find(folded, self.from) {
            if start >= looked + LOOK_EVERY {
                looked = start;
                if !go_on() {
                    return Err(Interrupted);
                }
            }
            if self.seeker.is_inside_word(text, start, end) {
                self.from = start + 1;
                continue;
            }
            let Some(line) = text::line_at(text, start) else { break };
            self.from = (line.end + 1).min(text.len());
            self.next = self.seeker.on_line(text, line);
            if self.next.is_some() {
                break;
            }
        }
        if go_on() { Ok(()) } else { Err(Interrupted) }
    }
}

impl Seeker {
    /// What a path says of the term; most do not hold it at all, which is soon seen.
    fn path_units(&self, path: &str) -> u64 {
        if self.needle.find(path.to_ascii_lowercase().as_bytes(), 0).is_none() {
            0
        } else {
            path::units(&self.term, path)
        }
    }

    /// Whether a match is certainly no run of parts: a letter stands right before or behind it that is no capital. Most matches that are none
    /// are seen here, without looking at their line.
    fn is_inside_word(&self, text: &[u8], start: usize, end: usize) -> bool {
        let joined = |a: Option<&u8>, b: Option<&u8>| {
            a.is_some_and(u8::is_ascii_alphabetic) && b.is_some_and(u8::is_ascii_lowercase)
        };
        let before = start.checked_sub(1).and_then(|before| text.get(before));
        matches!(self.term, Term::Word(_))
            && (joined(before, text.get(start))
                || joined(end.checked_sub(1).and_then(|last| text.get(last)), text.get(end)))
    }

    fn on_line(&self, text: &[u8], line: Span) -> Option<Hit> {
        let decoded = String::from_utf8_lossy(line.visible(text));
        let folded = decoded.to_ascii_lowercase();
        let mut hit = Hit { line, sum: 0, most: 0, at: usize::MAX };
        let mut from = 0;
        while let Some((start, end)) = self.needle.find(folded.as_bytes(), from) {
            let (units, begins);
            (units, begins, from) = match &self.term {
                Term::Literal(_) => (2, start, end),
                Term::Word(word) => {
                    let (left, right) = around(&decoded, start, end);
                    let part = |from: usize, to: usize| decoded.get(from..to).unwrap_or_default();
                    let units = match occurs(word, part(left, right)) {
                        None => 0,
                        Some(extent) => {
                            let base = if extent == Extent::Whole { 2 } else { 1 };
                            let defined = looks_defined(part(0, left), part(right, decoded.len()));
                            if defined { 3 * base } else { base }
                        }
                    };
                    (units, left, right)
                }
            };
            if units > 0 {
                hit.sum += units;
                hit.most = hit.most.max(units);
                hit.at = hit.at.min(begins);
            }
        }
        (hit.sum > 0).then_some(hit)
    }
}
