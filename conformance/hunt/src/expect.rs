//! What the model says should come back.
//!
//! Responsible for: [`Expectation`], the model's answer to one ask on one pack, in the canonical
//! reading and in a program's own
//! dialect; which files of a walk are eligible.
//! Not here: comparing with what came ([`super::judge`]).
//! Invariants: nothing here asks a program.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use touchstone_cases::case::{self, Entry, Node, Text};
use touchstone_model::lines::{self, Query, Reader};
use touchstone_model::{Event, search};
use touchstone_spec::adapter::{AfterMax, Alphabet, Bom, Cr, Dialect, Empty};

use super::answer::{Answer, FileAnswer, Line, Status};
use super::command::Limits;
use super::features::Haystack;
use super::question::{Ask, Case, Feature, Pack, Show, Walk};

/// What the model says of each file of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    /// By path; every file that is asked about, whether anything is shown of it or not.
    pub files: BTreeMap<Text, FileAnswer>,
    /// What is shown.
    pub show: Show,
}

/// Bytes that programs print for a line or a match, beside its text.
const RECORD_BYTES: usize = 160;
/// The same for a byte of text, if it is a control character in JSON.
const BYTE_BYTES: usize = 6;

impl Expectation {
    /// The model's answer; nothing if it refuses the ask, would take too long, or is longer than
    /// what is read of a program.
    pub fn of(pack: &Pack, haystacks: &[Haystack], ask: &Ask, dialect: Dialect) -> Option<Self> {
        let mut reader = Reader::new(&query(ask), in_model(dialect))?;
        let mut read = |path: &[u8], bytes: &[u8]| {
            Some((Text(path.to_vec()), shown(ask, reader.read(bytes)?)))
        };
        let files: BTreeMap<Text, FileAnswer> = if let Some(walk) = &ask.walk {
            // What is found behind links has no entry of its own.
            let found = eligible(pack, walk);
            found.iter().map(|(path, bytes)| read(path, bytes)).collect::<Option<_>>()?
        } else {
            let all = haystacks.iter();
            all.map(|one| read(&one.path.0, &one.bytes)).collect::<Option<_>>()?
        };
        // Programs may show empty matches, of which the model tells nothing, between any bytes.
        let is_empty = ask.features().contains(&Feature::EmptyMatch);
        let matches = |line: &Line| match (&line.spans, &line.text) {
            (Some(_), Some(text)) if is_empty => text.0.len(),
            (spans, _) => spans.as_ref().map_or(0, Vec::len),
        };
        let lines = files.values().flat_map(|file| &file.lines);
        let printed = lines.map(|line| {
            let text = line.text.as_ref().map_or(0, |text| text.0.len());
            RECORD_BYTES * (1 + matches(line)) + BYTE_BYTES * text
        });
        let fits = printed.sum::<usize>() as u64 <= Limits::default().output_bytes;
        fits.then_some(Self { files, show: ask.show })
    }

    /// The files of which something is said.
    pub fn said(&self) -> impl Iterator<Item = (&Text, &FileAnswer)> {
        self.files.iter().filter(|(_, file)| is_said(self.show, file))
    }

    /// As an answer: only what is shown.
    pub fn answer(&self) -> Answer {
        let files: BTreeMap<Text, FileAnswer> =
            self.said().map(|(path, file)| (path.clone(), normal(self.show, file))).collect();
        // The status depends on selected lines, even if nothing can be shown of them.
        let status = if files.is_empty() { Status::None } else { Status::Matched };
        Answer { files, order: Vec::new(), status }
    }
}

/// Whether anything is said of a file that came to this.
fn is_said(show: Show, file: &FileAnswer) -> bool {
    let selected = file.lines.iter().any(|line| line.selected);
    match show {
        Show::FilesWithout => !selected,
        Show::Files | Show::Lines | Show::Spans => selected,
        Show::Count => file.count.is_some_and(|count| count > 0),
    }
}

/// What is shown of a file.
fn normal(show: Show, file: &FileAnswer) -> FileAnswer {
    match show {
        Show::Files | Show::FilesWithout => FileAnswer::default(),
        Show::Count => FileAnswer { lines: Vec::new(), count: file.count },
        Show::Lines => file.clone(),
        // A line of which only empty matches could be shown is not there.
        Show::Spans => {
            let has_spans =
                |line: &&Line| line.spans.as_ref().is_some_and(|spans| !spans.is_empty());
            FileAnswer {
                lines: file.lines.iter().filter(has_spans).cloned().collect(),
                count: None,
            }
        }
    }
}

fn shown(ask: &Ask, lines: Vec<lines::OutputLine>) -> FileAnswer {
    let count = lines.iter().filter(|line| line.selected).count();
    let lines = lines
        .into_iter()
        .map(|line| Line {
            number: line.number,
            selected: line.selected,
            text: Some(Text(line.text)),
            spans: (line.selected && !ask.invert).then_some(line.spans),
        })
        .collect();
    let count = (ask.show == Show::Count).then(|| u64::try_from(count).unwrap_or(u64::MAX));
    FileAnswer { lines, count }
}

/// The question as the model is asked it. Where lines are not shown, context is not asked for.
fn query(ask: &Ask) -> Query {
    let with_context = ask.show == Show::Lines;
    Query {
        patterns: ask.patterns.clone(),
        fixed: ask.fixed,
        case: match ask.case {
            Case::Sensitive => lines::Case::Sensitive,
            Case::Insensitive => lines::Case::Insensitive,
            Case::Smart => lines::Case::Smart,
        },
        word: ask.word,
        line: ask.line,
        invert: ask.invert,
        max_count: ask.max_count,
        before: if with_context { ask.before } else { 0 },
        after: if with_context { ask.after } else { 0 },
        crlf: ask.crlf,
    }
}

fn in_model(dialect: Dialect) -> lines::Dialect {
    lines::Dialect {
        unicode_fold: dialect.fold == Alphabet::Unicode,
        ascii_words: dialect.word == Alphabet::Ascii,
        ascii_classes: dialect.classes == Alphabet::Ascii,
        cr: match dialect.cr {
            Cr::Dropped => lines::Cr::Dropped,
            Cr::Kept => lines::Cr::Kept,
            Cr::End => lines::Cr::End,
        },
        bom: match dialect.bom {
            Bom::Decoded => lines::Bom::Decoded,
            Bom::Stripped => lines::Bom::Stripped,
            Bom::Kept => lines::Bom::Kept,
        },
        empty: match dialect.empty {
            Empty::Shown => lines::Empty::Shown,
            Empty::Hidden => lines::Empty::Hidden,
            Empty::Everywhere => lines::Empty::Everywhere,
        },
        after_max: match dialect.after_max {
            AfterMax::Stops => lines::AfterMax::Stops,
            AfterMax::Window => lines::AfterMax::Window,
            AfterMax::Context => lines::AfterMax::Context,
            AfterMax::None => lines::AfterMax::None,
        },
    }
}

/// The globs for names that choose files, or those that leave files out, as the documents write
/// them.
fn globs(walk: &Walk, out: bool) -> Vec<String> {
    let globs = walk.globs.iter().map(|glob| (glob.trim_start_matches('!'), glob.starts_with('!')));
    globs.filter(|(_, is_out)| *is_out == out).map(|(glob, _)| format!("**/{glob}")).collect()
}

/// Whether a glob for names fits a directory: whether that speaks of what lies in it is another
/// matter with every program.
pub fn globs_fit_a_directory(pack: &Pack, walk: &Walk) -> bool {
    let directories = pack.tree.iter().flat_map(|entry| {
        let names: Vec<&[u8]> = entry.path.split(|byte| *byte == b'/').collect();
        let is_directory = matches!(entry.node, Node::Dir { .. });
        let count = names.len() - usize::from(!is_directory);
        names.into_iter().take(count)
    });
    let names: BTreeSet<&[u8]> = directories.collect();
    let tree = names.iter().map(|name| Entry::file(*name, "x\n")).collect();
    let globs = walk.globs.iter().map(|glob| glob.trim_start_matches('!').to_owned()).collect();
    let chosen = Walk { hidden: true, no_ignore: true, globs, ..Walk::default() };
    !walk.globs.is_empty() && !eligible(&Pack { tree }, &chosen).is_empty()
}

/// Whether a walk begins at a directory of which a walk of everything would find nothing: what
/// rules say of a directory that is named is another matter with every program.
pub fn begins_at_left_out(pack: &Pack, walk: &Walk) -> bool {
    let all = Walk { hidden: walk.hidden, no_ignore: walk.no_ignore, ..Walk::default() };
    let alone = |root: &String| Walk { roots: vec![root.clone()], ..all.clone() };
    walk.roots.iter().any(|root| eligible(pack, &alone(root)).is_empty())
}

/// The files that a walk of the pack finds, by docs/search.md, section 3, each with its text: those
/// in which a search for any line
/// finds one, so that files without a line do not count.
fn eligible(pack: &Pack, walk: &Walk) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let request = json!({
        "pattern": "^",
        "hidden": walk.hidden,
        "no_ignore": walk.no_ignore,
        "follow": walk.follow,
        "include_glob": globs(walk, false),
        "exclude_glob": globs(walk, true),
    });
    let case = case::Case { tree: pack.tree.clone(), ..case::Case::new("walk", "walk", request) };
    let mut config = case.model_config();
    config.max_file_size_bytes = walk.max_filesize.unwrap_or(config.max_file_size_bytes);
    let allowed = search(&case.world(), &config, &case.tool, &case.request);
    let events =
        allowed.canonical().as_ref().map(|answer| answer.events.as_slice()).unwrap_or_default();
    let is_deep = |path: &[u8]| {
        let names = path.split(|byte| *byte == b'/').count();
        walk.max_depth.is_some_and(|most| u64::try_from(names).is_ok_and(|names| names > most))
    };
    let mut files: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
    for event in events {
        let (Event::Match { path, text, .. } | Event::Context { path, text, .. }) = event;
        if walk.below(path.as_bytes()).is_some_and(|path| !is_deep(path)) {
            let file = files.entry(path.as_bytes().to_vec()).or_default();
            file.extend_from_slice(text.as_bytes());
            file.push(b'\n');
        }
    }
    files
}
