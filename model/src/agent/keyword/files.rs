//! Eligible files with the occurrences of terms in their texts, and what is sent of them (section
//! 3).
//!
//! Invariants: occurrences are those of `search_text` for a query that covers no identifier.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Config;
use super::request::Call;
use super::secrets::{Clean, Secrets};
use crate::agent::definition::Definer;
use crate::agent::files::{FileText, Files};
use crate::agent::lines;
use crate::agent::occurrence::{self, Occurrence};
use crate::content;
use crate::order;
use crate::place::{self, Name};

/// The prefix of paths outside the working directory, which stands for the sandbox root.
const ROOT: &str = "{root}";

/// An eligible file.
pub(super) struct SearchedFile<'a> {
    /// Index among the eligible files, which are in path order.
    pub(super) number: usize,
    /// Position where files are sorted.
    pub(super) place: order::Value,
    pub(super) below_root: &'a [Name],
    /// Path as shown.
    pub(super) path: String,
    pub(super) lines: Vec<&'a [u8]>,
    /// Length of its text in bytes.
    pub(super) length: usize,
    /// The occurrences by line and term.
    pub(super) occurrences: Vec<Vec<Vec<Occurrence>>>,
}

/// The eligible files, in path order.
pub(super) fn searched<'a>(
    config: &Config,
    call: &Call,
    files: &'a Files<'_>,
    readings: &'a [FileText<'_>],
) -> Vec<SearchedFile<'a>> {
    let both = files.eligible.iter().zip(readings).enumerate();
    both.map(|(number, (file, reading))| {
        let lines = reading.lines();
        SearchedFile {
            number,
            place: files.place(number),
            below_root: &file.below_root,
            path: shown_path(&file.path, &config.root),
            length: reading.length(),
            occurrences: occurrences(config, call, &file.below_root, &lines),
            lines,
        }
    })
    .collect()
}

/// The occurrences in these lines, by line and term.
fn occurrences(
    config: &Config,
    call: &Call,
    below_root: &[Name],
    lines: &[&[u8]],
) -> Vec<Vec<Vec<Occurrence>>> {
    let tables = config.agent.tables;
    let definer = Definer::new(&tables.definitions, below_root, lines);
    let in_line = |(number, line): (usize, &&[u8])| {
        let line = occurrence::characters(line);
        let level = |place: &Range<usize>| definer.level(number, place);
        let terms = call.terms.iter();
        terms.map(|term| occurrence::in_line(&term.sought, &[], &line, tables, level)).collect()
    };
    lines.iter().enumerate().map(in_line).collect()
}

impl SearchedFile<'_> {
    /// The occurrences of a term.
    pub(super) fn of_term(&self, term: usize) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter_map(move |line| line.get(term)).flatten()
    }

    pub(super) fn has_occurrence(&self) -> bool {
        self.occurrences.iter().flatten().any(|found| !found.is_empty())
    }

    /// The first line of its block: the path below the search root.
    pub(super) fn heading(&self, config: &Config) -> Clean {
        let secrets = Secrets::of(config.tables);
        let heading = secrets.clean(&place::lossy(&place::join(self.below_root)));
        let text = content::escaped(config.agent.search.tables, &heading.text, false);
        Clean { text, ..heading }
    }

    /// Some of its lines as sent, by index.
    pub(super) fn sent(
        &self,
        config: &Config,
        is_sent: impl Fn(usize) -> bool,
    ) -> BTreeMap<usize, Clean> {
        let secrets = Secrets::of(config.tables);
        let texts: Vec<String> = self.lines.iter().map(|line| place::lossy(line)).collect();
        let numbered = texts.iter().zip(secrets.of_keys(&texts)).enumerate();
        numbered
            .filter(|(number, _)| is_sent(*number))
            .map(|(number, (line, of_key))| (number, sent_line(config, &secrets, line, of_key)))
            .collect()
    }
}

/// A line as sent.
fn sent_line(config: &Config, secrets: &Secrets, line: &str, of_key: bool) -> Clean {
    let looked_at = usize::try_from(config.tables.limits.redacted_bytes).unwrap_or(usize::MAX);
    let head = line.get(..lines::boundary_before(line, looked_at)).unwrap_or_default();
    let clean = if of_key { secrets.of_key() } else { secrets.clean(head) };
    let cut = lines::shown(&clean.text, 0, &config.agent.tables.limits).text;
    Clean { text: content::escaped(config.agent.search.tables, &cut, true), ..clean }
}

/// Replaces the prefix of a path outside the working directory by the sandbox root.
pub(super) fn shown_path(path: &str, root: &str) -> String {
    match path.strip_prefix(ROOT) {
        Some(below) if below.is_empty() || below.starts_with('/') => format!("{root}{below}"),
        _ => path.to_owned(),
    }
}
