//! The service's own matcher, in this process.
//!
//! Responsible for: an ask made into a request of `Search`, and its matcher and scanner run over a
//! pack's bytes as the service's
//! embedded backend does.
//! Not here: walking, limits, the shape of answers: the gate holds the whole service
//! against the model (`touchstone::gate`).
//! Invariants: nothing is read from the disk, and no process is started.

use std::sync::Arc;

use forge_search_core::pattern::Pattern;
use forge_search_core::request::{Builder as _, CaseMode};
use forge_search_core::scan::{FileEvents, Interrupted, Proposer, ScanLimits, scan};
use forge_search_core::{Limits, Request};
use grep_matcher::{LineMatchKind, Matcher as _};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use touchstone_cases::case::Text;
use touchstone_spec::Adapter;

use super::adapter::arguments::refuse;
use super::adapter::records::decoded;
use super::answer::{Answer, FileAnswer, Line, Status};
use super::question::{Ask, Case, Show};
use super::searcher::{PlacedPack, Searcher};
use super::verdict::NoAnswer;

/// The matcher, ready to be asked.
#[derive(Debug)]
pub struct NativeSearcher {
    adapter: Arc<Adapter>,
    name: String,
}

impl NativeSearcher {
    /// The matcher of this build.
    pub fn new(adapter: Arc<Adapter>) -> Self {
        let name = adapter.name.clone();
        Self { adapter, name }
    }
}

impl Searcher for NativeSearcher {
    fn name(&self) -> &str {
        &self.name
    }

    fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    fn ask(&mut self, placed: PlacedPack<'_>, ask: &Ask) -> Result<Answer, NoAnswer> {
        refuse(&self.adapter, None, &ask.features()).map_err(NoAnswer::Unsupported)?;
        if !self.adapter.show.contains_key(&ask.show) {
            return Err(NoAnswer::Unsupported(format!(
                "`{}` cannot be asked for",
                ask.show.name()
            )));
        }
        let with_context = ask.show == Show::Lines;
        if with_context && ask.before != ask.after {
            return Err(NoAnswer::Unsupported("as much context before as behind".to_owned()));
        }
        let pattern = compile(ask)?;
        let mut proposer = Native::new(&pattern)?;
        let limits = ScanLimits {
            context: if with_context {
                usize::try_from(ask.before).unwrap_or(usize::MAX)
            } else {
                0
            },
            max_matches: ask.max_count.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
            max_events: usize::MAX,
            max_bytes: u64::MAX,
        };
        let mut answer = Answer::default();
        for (path, bytes) in placed.pack.files() {
            let text = decoded(bytes, self.adapter.dialect.bom);
            let found = scan(&text, &pattern, &mut proposer, limits, &mut || true)
                .map_err(|_| NoAnswer::Unstartable("interrupted".to_owned()))?;
            if let Some(said) = file_answer(ask.show, found) {
                answer.files.insert(Text(path.to_vec()), said);
            }
        }
        if !answer.files.is_empty() {
            answer.status = Status::Matched;
        }
        Ok(answer)
    }

    fn shell(&self, _laid: PlacedPack<'_>, _ask: &Ask) -> Option<String> {
        None
    }
}

fn compile(ask: &Ask) -> Result<Pattern, NoAnswer> {
    let [pattern] = ask.patterns.as_slice() else {
        return Err(NoAnswer::Unsupported("one pattern".to_owned()));
    };
    let case = match ask.case {
        Case::Sensitive => CaseMode::Sensitive,
        Case::Insensitive => CaseMode::Insensitive,
        Case::Smart => CaseMode::Smart,
    };
    let limits = Limits {
        default_timeout_ms: 1000,
        default_max_results: 1,
        max_matches_per_file: None,
        max_files: 1,
        max_file_size_bytes: 1,
        max_output_bytes: 1,
        reading: forge_search_core::request::Reading::Documents,
    };
    // What the service refuses, it refuses by its documents: the gate holds that against the model.
    let refused = |error: forge_search_core::ToolError| NoAnswer::Unsupported(error.to_string());
    let request = Request::builder(pattern, &limits).case(case).fixed_strings(ask.fixed);
    let request = request.word_regexp(ask.word).build().map_err(refused)?;
    Ok(request.matcher)
}

/// What is said of a file, if anything is.
fn file_answer(show: Show, found: FileEvents) -> Option<FileAnswer> {
    let count = found.events.iter().filter(|event| event.matched.is_some()).count() as u64;
    match show {
        Show::Files => (count > 0).then(FileAnswer::default),
        Show::FilesWithout => (count == 0).then(FileAnswer::default),
        Show::Count => (count > 0).then(|| FileAnswer { lines: Vec::new(), count: Some(count) }),
        Show::Lines | Show::Spans => {
            let lines = found.events.into_iter().map(|event| Line {
                number: event.line,
                selected: event.matched.is_some(),
                // The service shows text, in which bytes that are none are replaced.
                text: (!event.text.contains(char::REPLACEMENT_CHARACTER))
                    .then(|| Text(event.text.into_bytes())),
                spans: None,
            });
            (count > 0).then(|| FileAnswer { lines: lines.collect(), count: None })
        }
    }
}

/// Lines that may match, found as the service's embedded backend finds them.
struct Native(RegexMatcher);

impl Native {
    fn new(pattern: &Pattern) -> Result<Self, NoAnswer> {
        let matcher = RegexMatcherBuilder::new()
            .multi_line(true)
            .line_terminator(Some(b'\n'))
            .build(&pattern.buffer_expression())
            .map_err(|error| NoAnswer::Failed { status: 2, stderr: error.to_string() })?;
        Ok(Self(matcher))
    }
}

impl Proposer for Native {
    fn next(
        &mut self,
        text: &[u8],
        from: usize,
        _go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<usize>, Interrupted> {
        Ok(match self.0.find_candidate_line(text.get(from..).unwrap_or_default()) {
            Ok(Some(LineMatchKind::Confirmed(offset) | LineMatchKind::Candidate(offset))) => {
                Some(from + offset)
            }
            // The matcher's error type has no values.
            Ok(None) | Err(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::question::Pack;

    fn ask(text: &str, ask: &Ask) -> Result<Answer, NoAnswer> {
        let yaml = include_str!("../../../spec/backends/native.yaml");
        let adapter = Arc::new(Adapter::parse("backends/native.yaml", yaml).unwrap());
        let pack = Pack::of(&[("a", text)]);
        NativeSearcher::new(adapter)
            .ask(PlacedPack { pack: &pack, root: Path::new("/nowhere") }, ask)
    }

    #[test]
    fn matching_lines_are_shown_with_their_context() {
        let answer =
            ask("x\nfoo\ny\nz\n", &Ask { before: 1, after: 1, ..Ask::new("fo+") }).unwrap();
        let lines = &answer.files.values().next().unwrap().lines;
        let shown: Vec<_> = lines.iter().map(|line| (line.number, line.selected)).collect();
        assert_eq!(shown, [(1, false), (2, true), (3, false)]);
        assert_eq!(answer.status, Status::Matched);
        assert_eq!(ask("x\n", &Ask::new("foo")).unwrap(), Answer::default());
    }

    #[test]
    fn a_question_that_the_service_does_not_support_is_refused() {
        for refused in [
            Ask { invert: true, ..Ask::new("a") },
            Ask { before: 1, ..Ask::new("a") },
            Ask { patterns: vec!["a".to_owned(), "b".to_owned()], ..Ask::new("") },
            Ask { show: Show::Spans, ..Ask::new("a") },
            Ask::new("("),
        ] {
            assert!(matches!(ask("a\n", &refused), Err(NoAnswer::Unsupported(_))), "{refused:?}");
        }
    }
}
