//! Whether what came back is right.
//!
//! Responsible for: the verdict on each file of a pack ([`Judge::file`]) and on what concerns the
//! pack as a whole
//! ([`Judge::whole`]); the verdict on one stored question ([`judge`]).
//! Not here: what should have come ([`super::expect`]); which divergences are known
//! ([`super::baseline`]).
//! Invariants: a declared difference excuses the aspects it concerns and no others; what cannot be
//! compared precisely is not compared.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use touchstone_cases::case::Text;
use touchstone_spec::adapter::{Adapter, Dialect, Difference, Feature, Spans};

use super::answer::{Answer, FileAnswer, Line, Status};
use super::expect::{Expectation, begins_at_left_out, globs_fit_a_directory};
use super::features::{Haystack, is_ignore_file};
use super::groups::Set;
use super::pack_directory::{PackDirectory, PackError};
use super::question::{Ask, Pack, Question, Show, Walk};
use super::searcher::Searcher;
use super::verdict::{Aspect, NoAnswer, Verdict};

/// One ask on one pack, ready to judge answers of programs with one adapter.
#[derive(Debug)]
pub struct Judge<'a> {
    adapter: &'a Adapter,
    ask: &'a Ask,
    asked: BTreeSet<Feature>,
    /// What the documents mean.
    canonical: &'a Expectation,
    /// What the program means.
    own: &'a Expectation,
    /// Whether an ignore file of the tree takes something back.
    takes_back: bool,
}

/// The verdict on one question, with what it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// What should have come; nothing if the model refuses the question.
    pub expected: Option<Answer>,
    /// What came.
    pub actual: Option<Answer>,
    /// Why nothing came.
    pub no_answer: Option<NoAnswer>,
}

impl<'a> Judge<'a> {
    /// A judge of answers to `ask`.
    pub fn new(
        adapter: &'a Adapter,
        (pack, ask): (&Pack, &'a Ask),
        canonical: &'a Expectation,
        own: &'a Expectation,
    ) -> Self {
        let takes_back = ask.walk.is_some() && takes_back(pack);
        Self { adapter, ask, asked: ask.features(), canonical, own, takes_back }
    }

    /// The verdict on one file.
    pub fn file(&self, haystack: &Haystack, actual: Option<&FileAnswer>) -> Verdict {
        if self.is_refused(haystack) {
            return Verdict::Unsupported(
                "it holds what the program cannot be asked about".to_owned(),
            );
        }
        if let Some(reason) = self.undecided(haystack) {
            return Verdict::Unsupported(reason.to_owned());
        }
        let nothing = FileAnswer::default();
        let said = actual.is_some();
        let actual = actual.unwrap_or(&nothing);
        let differs = |expectation: &Expectation| {
            let expected = expectation.files.get(&haystack.path);
            self.differences(expected, actual, said)
        };
        let own = differs(self.own);
        if own.is_empty() {
            let as_written = self.own == self.canonical || differs(self.canonical).is_empty();
            return if as_written {
                Verdict::Agree
            } else {
                Verdict::Declared("dialect".to_owned())
            };
        }
        let mut excuse = None;
        for aspect in own {
            match self.excuse(aspect, haystack.features) {
                Some(difference) => excuse = Some(difference),
                None => return Verdict::Diverge(aspect),
            }
        }
        excuse.map_or(Verdict::Agree, |difference: Difference| {
            Verdict::Declared(difference.name().to_owned())
        })
    }

    /// The verdict on what concerns the pack as a whole: order and exit status. Only meaningful if
    /// every file agrees.
    pub fn whole(&self, haystacks: &[Haystack], actual: &Answer) -> Verdict {
        // Files behind links are seen here only: they have no entry of their own.
        let is_walk = self.ask.walk.is_some() && self.ask.show != Show::Count;
        let other = if is_walk {
            self.own.said().map(|(path, _)| path).ne(actual.files.keys())
        } else {
            actual.files.keys().any(|path| !self.own.files.contains_key(path))
        };
        if other && self.is_precise(Aspect::Files) {
            return match self.excuse(Aspect::Files, Set::default()) {
                Some(difference) => Verdict::Declared(difference.name().to_owned()),
                None => Verdict::Diverge(Aspect::Files),
            };
        }
        let sorted = self.ask.walk.as_ref().filter(|walk| walk.sort);
        let in_order = sorted.is_none_or(|walk| is_in_order(walk, &actual.order));
        if self.is_precise(Aspect::Order) && !in_order {
            return Verdict::Diverge(Aspect::Order);
        }
        // What the status of a search for files without a match says is another matter with every
        // program.
        let undecided = haystacks.iter().any(|haystack| self.undecided(haystack).is_some());
        let has_status =
            self.is_precise(Aspect::Status) && self.ask.show != Show::FilesWithout && !undecided;
        if has_status && actual.status != self.status(haystacks) {
            return Verdict::Diverge(Aspect::Status);
        }
        Verdict::Agree
    }

    /// What the exit status should say: whether something is selected in the files that the program
    /// was given.
    fn status(&self, haystacks: &[Haystack]) -> Status {
        let refused: BTreeSet<&Text> = haystacks
            .iter()
            .filter(|haystack| self.is_refused(haystack))
            .map(|haystack| &haystack.path)
            .collect();
        let matched = self.own.said().any(|(path, _)| !refused.contains(path));
        if matched { Status::Matched } else { Status::None }
    }

    /// Whether a file is not named to the program because of what it holds.
    fn is_refused(&self, haystack: &Haystack) -> bool {
        let mut refused = self.adapter.unsupported.keys().filter(|feature| feature.is_content());
        refused.any(|feature| haystack.features.has(*feature))
    }

    /// Why no answer is expected: neither the documents nor any manual defines what makes a word
    /// beside bytes that are not UTF-8, or half a unit of UTF-16.
    fn undecided(&self, haystack: &Haystack) -> Option<&'static str> {
        let words = self.asked.contains(&Feature::Word) || self.asked.contains(&Feature::Boundary);
        let holds = |feature| haystack.features.has(feature);
        if words && holds(Feature::InvalidUtf8) {
            return Some("what makes a word beside bytes that are not UTF-8");
        }
        let is_cut = holds(Feature::Utf16) && !haystack.bytes.len().is_multiple_of(2);
        is_cut.then_some("half a unit of UTF-16 at the end")
    }

    fn is_precise(&self, aspect: Aspect) -> bool {
        self.adapter.precise.contains(&aspect)
    }

    /// In what an answer about a file differs from what was expected, the gravest first.
    fn differences(
        &self,
        expected: Option<&FileAnswer>,
        actual: &FileAnswer,
        said: bool,
    ) -> Vec<Aspect> {
        let mut found = Vec::new();
        let mut note = |aspect: Aspect, differs: bool| {
            if differs && self.is_precise(aspect) {
                found.push(aspect);
            }
        };
        let nothing = FileAnswer::default();
        let expected = expected.unwrap_or(&nothing);
        let actual = self.without_cr(expected, actual);
        let actual = actual.as_ref();
        let selected = |file: &FileAnswer| -> Vec<u64> {
            file.lines.iter().filter(|line| line.selected).map(|line| line.number).collect()
        };
        let wanted = selected(expected);
        match self.ask.show {
            Show::Files => note(Aspect::Files, said == wanted.is_empty()),
            Show::FilesWithout => note(Aspect::Files, said != wanted.is_empty()),
            Show::Count => {
                note(Aspect::Count, expected.count.unwrap_or(0) != actual.count.unwrap_or(0));
            }
            Show::Spans => {
                let with_spans: Vec<&Line> =
                    expected.lines.iter().filter(|line| has_spans(line)).collect();
                let numbers: Vec<u64> = with_spans.iter().map(|line| line.number).collect();
                let found: Vec<&Line> = actual
                    .lines
                    .iter()
                    .filter(|line| line.spans.is_none() || has_spans(line))
                    .collect();
                let came: Vec<u64> = found.iter().map(|line| line.number).collect();
                note(Aspect::Files, numbers.is_empty() != came.is_empty());
                note(Aspect::Lines, numbers != came);
                note(
                    Aspect::Spans,
                    numbers == came
                        && with_spans
                            .iter()
                            .zip(&found)
                            .any(|(one, other)| spans_differ(one, other)),
                );
            }
            Show::Lines => {
                let came = selected(actual);
                note(Aspect::Files, wanted.is_empty() != came.is_empty());
                note(Aspect::Lines, wanted != came);
                let numbers = |file: &FileAnswer| -> Vec<(u64, bool)> {
                    file.lines.iter().map(|line| (line.number, line.selected)).collect()
                };
                let same_lines = numbers(expected) == numbers(actual);
                note(Aspect::Context, wanted == came && !same_lines);
                let mut pairs = expected.lines.iter().zip(&actual.lines);
                note(
                    Aspect::Text,
                    same_lines && pairs.any(|(one, other)| text_differs(one, other)),
                );
                let mut pairs = expected.lines.iter().zip(&actual.lines);
                note(
                    Aspect::Spans,
                    same_lines && pairs.any(|(one, other)| spans_differ(one, other)),
                );
            }
        }
        found
    }

    /// The answer with matches cut off before the CR where CR LF ends a line: no manual says
    /// whether a match has it.
    fn without_cr<'f>(&self, expected: &FileAnswer, actual: &'f FileAnswer) -> Cow<'f, FileAnswer> {
        if !self.ask.crlf {
            return Cow::Borrowed(actual);
        }
        let ends: BTreeMap<u64, u64> = expected
            .lines
            .iter()
            .filter_map(|line| {
                let seen = line.text.as_ref()?.0.strip_suffix(b"\r")?;
                Some((line.number, u64::try_from(seen.len()).ok()?))
            })
            .collect();
        let mut cut = actual.clone();
        for line in &mut cut.lines {
            let Some(last) = ends.get(&line.number) else { continue };
            for (start, end) in line.spans.iter_mut().flatten() {
                *end = (*end).min(*last).max(*start);
            }
        }
        Cow::Owned(cut)
    }

    /// The declared difference that excuses this aspect, if one does.
    fn excuse(&self, aspect: Aspect, content: Set) -> Option<Difference> {
        let asked = |feature: Feature| self.asked.contains(&feature);
        let holds = |feature: Feature| content.has(feature);
        let beyond_ascii = holds(Feature::NonAscii)
            || holds(Feature::InvalidUtf8)
            || asked(Feature::NonAsciiPattern);
        let applies = |difference: &Difference| match difference {
            Difference::ComplementsJoinLines => asked(Feature::NegatedClass),
            Difference::AnchorNearCr => {
                holds(Feature::Cr)
                    && [Feature::Anchor, Feature::Line, Feature::Boundary, Feature::Word]
                        .into_iter()
                        .any(asked)
            }
            Difference::SpansNotFirst => aspect == Aspect::Spans && !is_plain(self.ask),
            Difference::BoundaryBeyondAscii => {
                beyond_ascii && (asked(Feature::Boundary) || asked(Feature::Word))
            }
            Difference::CaseBeyondAscii => {
                beyond_ascii
                    && [Feature::Insensitive, Feature::Smart, Feature::InlineFlags]
                        .into_iter()
                        .any(asked)
            }
            Difference::PatternsOnInvalidUtf8 => holds(Feature::InvalidUtf8),
            Difference::ContextAfterMax => {
                asked(Feature::MaxCount)
                    && asked(Feature::After)
                    && matches!(aspect, Aspect::Context | Aspect::Lines)
            }
            Difference::EmptyMatches => asked(Feature::EmptyMatch),
            Difference::HiddenBroughtBack => {
                self.takes_back
                    && self.ask.walk.as_ref().is_some_and(|walk| !walk.hidden && !walk.no_ignore)
            }
            Difference::LinesWithNul => holds(Feature::Nul),
            Difference::CharactersAreBytes => {
                beyond_ascii && (!self.ask.fixed || asked(Feature::Insensitive))
            }
        };
        // That the longest alternative wins says as much.
        let longest =
            (self.adapter.dialect.spans == Spans::Longest).then_some(Difference::SpansNotFirst);
        self.adapter.declared.keys().copied().chain(longest).find(applies)
    }
}

/// Whether a rule in the tree takes back what another ignores.
fn takes_back(pack: &Pack) -> bool {
    let mut rules = pack.files().filter(|(path, _)| is_ignore_file(path));
    rules.any(|(_, text)| text.split(|byte| *byte == b'\n').any(|rule| rule.starts_with(b"!")))
}

/// Whether the patterns are one plain literal, of which there is one span only.
fn is_plain(ask: &Ask) -> bool {
    let [pattern] = ask.patterns.as_slice() else { return false };
    ask.fixed || regex_syntax::escape(pattern) == *pattern
}

fn has_spans(line: &Line) -> bool {
    line.spans.iter().flatten().any(|(start, end)| start < end)
}

fn text_differs(expected: &Line, actual: &Line) -> bool {
    matches!((&expected.text, &actual.text), (Some(expected), Some(actual)) if expected != actual)
}

/// Empty matches are not compared.
fn spans_differ(expected: &Line, actual: &Line) -> bool {
    let (Some(expected), Some(actual)) = (&expected.spans, &actual.spans) else { return false };
    let full = |spans: &[(u64, u64)]| -> Vec<(u64, u64)> {
        spans.iter().copied().filter(|(start, end)| start < end).collect()
    };
    full(expected) != full(actual)
}

/// Programs that sort do so name by name: the entries of one directory, then of the next. What is
/// found below one root is sorted; which root comes first, no manual says.
fn is_in_order(walk: &Walk, order: &[Text]) -> bool {
    let below = |root: &[u8]| {
        let paths = order.iter().map(|path| path.0.as_slice());
        paths
            .filter(|path| path.starts_with(root))
            .is_sorted_by_key(|path| path.split(|byte| *byte == b'/').collect::<Vec<_>>())
    };
    if walk.roots.is_empty() {
        return below(b"");
    }
    walk.roots.iter().all(|root| below(format!("{root}/").as_bytes()))
}

/// What cannot be judged in any program's answer, for the model has no exact word on it.
pub fn beyond_the_model(ask: &Ask, pack: &Pack, haystacks: &[Haystack]) -> Option<&'static str> {
    let lone_cr = |bytes: &[u8]| {
        let mut pairs = bytes.windows(2);
        pairs.any(|pair| matches!(pair, [b'\r', next] if *next != b'\n')) || bytes.ends_with(b"\r")
    };
    if ask.crlf && haystacks.iter().any(|haystack| lone_cr(&haystack.bytes)) {
        return Some("a CR on its own where CR LF ends lines");
    }
    if ask.walk.as_ref().is_some_and(|walk| begins_at_left_out(pack, walk)) {
        return Some("a walk that begins at a directory that rules or its name leave out");
    }
    if ask.walk.as_ref().is_some_and(|walk| globs_fit_a_directory(pack, walk)) {
        return Some("a glob for names that fits a directory");
    }
    None
}

/// Asks one stored question and judges the answer as a whole.
///
/// # Errors
/// If the pack cannot be laid.
pub fn judge(
    searcher: &mut dyn Searcher,
    packs: &mut PackDirectory,
    question: &Question,
) -> Result<Judged, PackError> {
    let (pack, ask) = (&question.tree, &question.ask);
    let dialect = searcher.adapter().dialect;
    let haystacks = Haystack::all(pack);
    let own = Expectation::of(pack, &haystacks, ask, dialect);
    let canonical = Expectation::of(pack, &haystacks, ask, Dialect::default());
    let (Some(own), Some(canonical)) = (own, canonical) else {
        let verdict = Verdict::Unsupported("the model refuses the pattern".to_owned());
        return Ok(Judged { verdict, expected: None, actual: None, no_answer: None });
    };
    if let Some(reason) = beyond_the_model(ask, pack, &haystacks) {
        let verdict = Verdict::Unsupported(reason.to_owned());
        return Ok(Judged { verdict, expected: None, actual: None, no_answer: None });
    }
    let written = packs.write(pack)?;
    let answered = searcher.ask(written.placed(), ask);
    let expected = Some(own.answer());
    let actual = match answered {
        Ok(actual) => actual,
        Err(no_answer) => {
            let verdict = Verdict::without(&no_answer);
            let no_answer = Some(no_answer).filter(|_| verdict.is_silent());
            return Ok(Judged { verdict, expected, actual: None, no_answer });
        }
    };
    let judge = Judge::new(searcher.adapter(), (pack, ask), &canonical, &own);
    let mut verdict = Verdict::Agree;
    for haystack in &haystacks {
        let one = judge.file(haystack, actual.files.get(&haystack.path));
        match one {
            Verdict::Diverge(_) => {
                verdict = one;
                break;
            }
            Verdict::Agree | Verdict::Unsupported(_) => {}
            _ => verdict = one,
        }
    }
    if verdict == Verdict::Agree {
        verdict = judge.whole(&haystacks, &actual);
    }
    Ok(Judged { verdict, expected, actual: Some(actual), no_answer: None })
}

#[cfg(test)]
mod tests;
