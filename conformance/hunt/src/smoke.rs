//! Whether an adapter fits its program: a dozen asks whose answers are written here by hand.
//!
//! Responsible for: telling a broken adapter from a broken program ([`smoke`]). An adapter is to
//! blame if the program refuses the
//! arguments, if an option changes nothing, or if what was printed holds the right lines and is
//! read wrongly; the program if it
//! crashes, hangs, floods, or prints other lines than those that are there.
//! Not here: everything subtle ([`super::judge`]).
//! Invariants: answers come from no model; a question that the adapter calls unsupported is passed
//! over, except the first.

use std::collections::BTreeMap;
use std::fs;
use std::io;

use touchstone_spec::adapter::{Aspect, Dialect};

use super::answer::{Answer, Status};
use super::command::{CommandSearcher, Output};
use super::protocol::ProtocolSearcher;
use super::question::{Ask, Case, Pack, Show};
use super::searcher::{PlacedPack, Searcher};
use super::verdict::NoAnswer;

/// The files. The last word of each line stands nowhere else, so that it tells which lines were
/// printed.
const FILES: [(&str, &str); 3] = [
    ("a.txt", "alpha one\nneedle two\nother three\nNeedle four\nneedles five\n"),
    ("b.txt", "nothing six\n"),
    ("sub/c.txt", "x needle seven\ny eight\nz needle nine\n"),
];

/// Why an adapter and a program do not work together.
#[derive(Debug, thiserror::Error)]
pub enum SmokeFailure {
    /// The program could not be started.
    #[error("cannot be run: {0}")]
    CannotBeRun(NoAnswer),
    /// What it says of itself is not what the adapter looks for.
    #[error("does not say its release as the adapter expects: {0}")]
    NotIdentified(NoAnswer),
    /// The adapter is wrong.
    #[error("the adapter is wrong: {name}: {reason}")]
    AdapterBroken {
        /// Which ask.
        name: &'static str,
        /// What gives it away.
        reason: String,
    },
    /// The program is wrong.
    #[error("the program is wrong: {name}: {reason}")]
    BackendBroken {
        /// Which ask.
        name: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// The files could not be written.
    #[error("cannot write the files to be searched")]
    Io(#[from] io::Error),
}

/// A program that can be held against its adapter.
pub trait Checked: Searcher {
    /// Its release, as it says itself.
    ///
    /// # Errors
    /// Why it did not say.
    fn release(&mut self) -> Result<String, NoAnswer>;

    /// What it prints when asked, unread; nothing for a program whose replies are its answers.
    fn prints(&self, placed: PlacedPack<'_>, ask: &Ask) -> Option<Result<Output, NoAnswer>>;

    /// The same program, as if it meant other things.
    fn meaning(&self, dialect: Dialect) -> Box<dyn Searcher>;
}

impl Checked for CommandSearcher {
    fn release(&mut self) -> Result<String, NoAnswer> {
        Self::release(self)
    }

    fn prints(&self, placed: PlacedPack<'_>, ask: &Ask) -> Option<Result<Output, NoAnswer>> {
        Some(self.run(placed, ask))
    }

    fn meaning(&self, dialect: Dialect) -> Box<dyn Searcher> {
        Box::new(Self::meaning(self, dialect))
    }
}

impl Checked for ProtocolSearcher {
    fn release(&mut self) -> Result<String, NoAnswer> {
        Self::release(self)
    }

    fn prints(&self, _: PlacedPack<'_>, _: &Ask) -> Option<Result<Output, NoAnswer>> {
        None
    }

    fn meaning(&self, dialect: Dialect) -> Box<dyn Searcher> {
        Box::new(Self::meaning(self, dialect))
    }
}

/// What was asked without being refused.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Smoked {
    /// Answered rightly.
    pub right: Vec<&'static str>,
    /// Not to be asked, and why.
    pub unsupported: BTreeMap<&'static str, String>,
}

/// An ask and its answer.
struct Example {
    name: &'static str,
    ask: Ask,
    /// `PATH:NUMBER` of selected lines, `PATH-NUMBER` of context, `PATH=COUNT`, `PATH` alone,
    /// `PATH:NUMBER:START-END` of a match.
    answer: &'static [&'static str],
}

fn examples() -> Vec<Example> {
    let needle = || Ask::new("needle");
    let example = |name, ask, answer| Example { name, ask, answer };
    let lines: &[&str] = &["a.txt:2", "a.txt:5", "sub/c.txt:1", "sub/c.txt:3"];
    vec![
        example("lines", needle(), lines),
        example("nothing", Ask::new("absent"), &[]),
        example("regex", Ask::new("e[aeiou]d.*two|eigh+t"), &["a.txt:2", "sub/c.txt:2"]),
        example("fixed", Ask { fixed: true, ..Ask::new("n.edle") }, &[]),
        example(
            "several",
            Ask { patterns: vec!["two".into(), "seven".into()], ..needle() },
            &["a.txt:2", "sub/c.txt:1"],
        ),
        example(
            "insensitive",
            Ask { case: Case::Insensitive, ..Ask::new("NEEDLE T|NEEDLE F") },
            &["a.txt:2", "a.txt:4"],
        ),
        example("smart", Ask { case: Case::Smart, ..Ask::new("needle f") }, &["a.txt:4"]),
        example("word", Ask { word: true, ..needle() }, &["a.txt:2", "sub/c.txt:1", "sub/c.txt:3"]),
        example("line", Ask { line: true, ..Ask::new("needle.*") }, &["a.txt:2", "a.txt:5"]),
        example(
            "invert",
            Ask { invert: true, ..needle() },
            &["a.txt:1", "a.txt:3", "a.txt:4", "b.txt:1", "sub/c.txt:2"],
        ),
        example("max_count", Ask { max_count: Some(1), ..needle() }, &["a.txt:2", "sub/c.txt:1"]),
        example("before", Ask { before: 1, ..Ask::new("Needle") }, &["a.txt-3", "a.txt:4"]),
        example("after", Ask { after: 1, ..Ask::new("Needle") }, &["a.txt:4", "a.txt-5"]),
        example(
            "context",
            Ask { before: 1, after: 1, ..Ask::new("two|eight") },
            &["a.txt-1", "a.txt:2", "a.txt-3", "sub/c.txt-1", "sub/c.txt:2", "sub/c.txt-3"],
        ),
        example(
            "spans",
            Ask { show: Show::Spans, ..Ask::new("eed|ght") },
            &[
                "a.txt:2:1-4",
                "a.txt:4:1-4",
                "a.txt:5:1-4",
                "sub/c.txt:1:3-6",
                "sub/c.txt:2:4-7",
                "sub/c.txt:3:3-6",
            ],
        ),
        example("count", Ask { show: Show::Count, ..needle() }, &["a.txt=2", "sub/c.txt=2"]),
        example("files", Ask { show: Show::Files, ..needle() }, &["a.txt", "sub/c.txt"]),
        example("files_without", Ask { show: Show::FilesWithout, ..needle() }, &["b.txt"]),
    ]
}

/// What one question came to.
#[derive(Debug)]
pub enum Came {
    /// Answered rightly.
    Right,
    /// Not to be asked, and why.
    Unsupported(String),
    /// Something does not fit.
    Wrong(SmokeFailure),
}

/// Asks all questions.
///
/// # Errors
/// The program cannot be run, does not say its release, or nothing can be written.
pub fn questions(searcher: &mut dyn Checked) -> Result<Vec<(&'static str, Came)>, SmokeFailure> {
    match searcher.release() {
        Ok(_) => {}
        Err(error @ NoAnswer::Unstartable(_)) => return Err(SmokeFailure::CannotBeRun(error)),
        Err(error) => return Err(SmokeFailure::NotIdentified(error)),
    }
    let place = tempfile::tempdir()?;
    for (path, text) in FILES {
        let path = place.path().join(path);
        fs::create_dir_all(path.parent().unwrap_or(place.path()))?;
        fs::write(path, text)?;
    }
    let pack = Pack::of(&FILES);
    let placed = PlacedPack { pack: &pack, root: place.path() };
    let mut all = Vec::new();
    for example in examples() {
        let name = example.name;
        let came = match searcher.ask(placed, &example.ask) {
            Err(NoAnswer::Unsupported(reason)) if !all.is_empty() => Came::Unsupported(reason),
            result => match judge(searcher, placed, &example, result) {
                Ok(()) => Came::Right,
                Err(failure) => Came::Wrong(failure),
            },
        };
        all.push((name, came));
    }
    Ok(all)
}

/// Holds an adapter and a program against each other.
///
/// # Errors
/// The first thing that does not fit, and whose fault it is.
pub fn smoke(searcher: &mut dyn Checked) -> Result<Smoked, SmokeFailure> {
    let mut smoked = Smoked::default();
    for (name, came) in questions(searcher)? {
        match came {
            Came::Right => smoked.right.push(name),
            Came::Unsupported(reason) => {
                smoked.unsupported.insert(name, reason);
            }
            Came::Wrong(failure) => return Err(failure),
        }
    }
    Ok(smoked)
}

fn judge(
    searcher: &mut dyn Checked,
    placed: PlacedPack<'_>,
    example: &Example,
    result: Result<Answer, NoAnswer>,
) -> Result<(), SmokeFailure> {
    let name = example.name;
    let adapter = |reason: String| SmokeFailure::AdapterBroken { name, reason };
    let backend = |reason: String| SmokeFailure::BackendBroken { name, reason };
    let answer = match result {
        Ok(answer) => answer,
        Err(NoAnswer::Unsupported(reason)) => {
            return Err(adapter(format!("a plain word cannot be searched for: {reason}")));
        }
        Err(error @ NoAnswer::Failed { .. }) => {
            return Err(adapter(format!("the program does not take what it is given: {error}")));
        }
        Err(error @ NoAnswer::Garbled { .. }) => {
            return Err(match printed(searcher, placed, example) {
                Ok(()) => adapter(format!("the right lines were printed, but {error}")),
                Err(reason) => backend(format!("{reason}; {error}")),
            });
        }
        Err(error) => return Err(backend(error.to_string())),
    };
    let precise = |aspect| searcher.adapter().precise.contains(&aspect);
    let told = shown_lines(&answer, example.ask.show, precise(Aspect::Context));
    let expected: Vec<String> = example
        .answer
        .iter()
        .filter(|one| precise(Aspect::Context) || !is_context(one))
        .map(ToString::to_string)
        .collect();
    let status = if expected.is_empty() { Status::None } else { Status::Matched };
    // Of counts and files, programs' statuses say many things.
    let status_fits =
        answer.status == status || !precise(Aspect::Status) || example.ask.show != Show::Lines;
    if told == expected && status_fits && texts_fit(&answer) {
        return Ok(());
    }
    let difference =
        format!("expected {expected:?} and {status:?}, read {told:?} and {:?}", answer.status);
    // An option that is there and changes nothing is not the option's.
    let plain = Ask {
        show: example.ask.show,
        ..Ask::new(example.ask.patterns.first().cloned().unwrap_or_default())
    };
    if plain != example.ask && searcher.ask(placed, &plain).is_ok_and(|without| without == answer) {
        return Err(adapter(format!("the option changes nothing: {difference}")));
    }
    Err(match printed(searcher, placed, example) {
        Ok(()) => adapter(format!("the right lines were printed: {difference}")),
        Err(reason) => backend(format!("{reason}: {difference}")),
    })
}

fn is_context(one: &str) -> bool {
    one.rsplit_once('-').is_some_and(|(path, _)| !path.contains(':'))
}

/// An answer as examples are written.
fn shown_lines(answer: &Answer, show: Show, with_context: bool) -> Vec<String> {
    let mut told = Vec::new();
    for (path, file) in &answer.files {
        let path = String::from_utf8_lossy(&path.0);
        if let Some(count) = file.count {
            told.push(format!("{path}={count}"));
        } else if file.lines.is_empty() {
            told.push(path.into_owned());
        } else {
            for line in &file.lines {
                match &line.spans {
                    Some(spans) if show == Show::Spans => {
                        told.extend(
                            spans.iter().map(|(start, end)| {
                                format!("{path}:{}:{start}-{end}", line.number)
                            }),
                        );
                    }
                    _ if line.selected => told.push(format!("{path}:{}", line.number)),
                    _ if with_context => told.push(format!("{path}-{}", line.number)),
                    _ => {}
                }
            }
        }
    }
    told
}

/// Whether each text shown is the line that its number says.
fn texts_fit(answer: &Answer) -> bool {
    answer.files.iter().all(|(path, file)| {
        file.lines.iter().all(|line| {
            let text = FILES
                .iter()
                .find(|(name, _)| name.as_bytes() == path.0)
                .map(|(_, text)| *text)
                .unwrap_or_default();
            let index = usize::try_from(line.number).unwrap_or(0).saturating_sub(1);
            line.text
                .as_ref()
                .is_none_or(|shown| text.lines().nth(index).map(str::as_bytes) == Some(&shown.0))
        })
    })
}

/// Whether what was printed holds what it has to and nothing else: names of files, last words of
/// lines.
fn printed(
    searcher: &dyn Checked,
    placed: PlacedPack<'_>,
    example: &Example,
) -> Result<(), String> {
    let Some(output) = searcher.prints(placed, &example.ask) else {
        return Err("the program answers otherwise".to_owned());
    };
    let output = output.map_err(|error| error.to_string())?;
    let output = String::from_utf8_lossy(&output.stdout).into_owned();
    let by_lines = example.ask.show == Show::Lines;
    for (path, text) in FILES {
        let of_file = |one: &&&str| {
            one.strip_prefix(path).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        let expected: Vec<&&str> = example.answer.iter().filter(of_file).collect();
        if by_lines {
            for (index, line) in text.lines().enumerate() {
                let word = line.rsplit(' ').next().unwrap_or(line);
                let number = index + 1;
                let wanted = expected.iter().any(|one| {
                    **one == format!("{path}:{number}") || **one == format!("{path}-{number}")
                });
                if output.contains(word) != wanted {
                    return Err(format!(
                        "line {number} of `{path}` is {}",
                        if wanted { "missing" } else { "printed" }
                    ));
                }
            }
        } else if example.ask.show != Show::Count && output.contains(path) == expected.is_empty() {
            return Err(format!(
                "`{path}` is {}",
                if expected.is_empty() { "printed" } else { "missing" }
            ));
        }
    }
    Ok(())
}
