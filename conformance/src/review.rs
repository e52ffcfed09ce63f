//! What differs among the goldens between two states of a repository, as one page of Markdown for
//! the review of a change.
//!
//! Responsible for: the page. Not here: which files differ ([`Sides`]), the form of a golden
//! ([`crate::golden_form`]). Invariants: nothing is written; a page has a largest length, and names
//! what it leaves out.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use similar::TextDiff;
use touchstone_spec::Spec;

use crate::case::Case;
use crate::clause_texts::{ClauseText, cited};

mod sides;

pub use sides::{Change, Sides};

/// A comment on GitHub has at most 65,536 characters.
const MOST_BYTES: usize = 60_000;
/// Names of what is left out.
const MOST_NAMES: usize = 50;

/// The case and the snapshot of one golden, as far as they differ.
#[derive(Default)]
struct Golden<'c> {
    case: Option<&'c Change>,
    snapshot: Option<&'c Change>,
}

impl Golden<'_> {
    fn each(&self) -> impl Iterator<Item = &Change> {
        [self.case, self.snapshot].into_iter().flatten()
    }

    /// What differs of the files of a case: the question, and of its snapshot the answer alone, since
    /// it has the question too. Files of another form differ as they are.
    fn differences(&self, is_case: bool) -> [Option<(&str, &str)>; 2] {
        let answer = if is_case { answer_part } else { str::trim_end };
        [(self.case, str::trim_end as fn(&str) -> &str), (self.snapshot, answer)].map(
            |(change, part)| {
                let (before, after) = change.map(|change| (&change.before, &change.after))?;
                let before = before.as_deref().map_or("", part);
                let after = after.as_deref().map_or("", part);
                (before != after).then_some((before, after))
            },
        )
    }

    fn kind(&self, is_case: bool) -> &'static str {
        match self.differences(is_case) {
            _ if self.each().all(|change| change.before.is_none()) => "new",
            _ if self.each().all(|change| change.after.is_none()) => "gone",
            _ if !is_case => "changed",
            [Some(_), Some(_)] => "question and answer",
            [Some(_), None] => "question",
            [None, Some(_)] => "answer",
            [None, None] => "form",
        }
    }

    /// The case as it is now, or as it was; none if the files are of another form.
    fn read(&self) -> Option<Case> {
        let now = self.each().filter_map(|change| Some((change.after.as_ref()?, &change.path)));
        let before = self.each().filter_map(|change| Some((change.before.as_ref()?, &change.path)));
        let mut texts = now.chain(before);
        texts.find_map(|(text, path)| Case::parse(Case::part_of(text), Path::new(path)).ok())
    }
}

/// The page.
pub fn page(spec: &Spec, changes: &[Change]) -> String {
    let mut goldens: BTreeMap<&str, Golden<'_>> = BTreeMap::new();
    for change in changes {
        let name = change.path.strip_prefix("golden/").unwrap_or(&change.path);
        let name = name.rsplit_once('.').map_or(name, |(name, _)| name);
        let golden = goldens.entry(name).or_default();
        let place = if change.is_snapshot() { &mut golden.snapshot } else { &mut golden.case };
        *place = Some(change);
    }
    if goldens.is_empty() {
        return "No golden differs.\n".to_owned();
    }
    let sections: Vec<(&str, &str, String)> =
        goldens.iter().map(|(name, golden)| section(spec, name, golden)).collect();
    let count = |kind: &str| sections.iter().filter(|(_, own, _)| *own == kind).count();
    let (new, gone) = (count("new"), count("gone"));
    let others = sections.len() - new - gone;
    let mut text = format!("# Goldens: {others} changed, {new} new, {gone} gone\n");
    let mut omitted = Vec::new();
    for (name, kind, section) in sections {
        if text.len() + section.len() <= MOST_BYTES {
            text.push_str(&section);
        } else {
            omitted.push(format!("`{name}` ({kind})"));
        }
    }
    if !omitted.is_empty() {
        let count = omitted.len();
        omitted.truncate(MOST_NAMES);
        let list = omitted.join(", ");
        // Writing to a string does not fail.
        let _ = write!(text, "\n## {count} more, left out for their length\n\n{list}\n");
    }
    text
}

/// One golden: its name, what differs, and its part of the page.
fn section<'n>(spec: &Spec, name: &'n str, golden: &Golden<'_>) -> (&'n str, &'static str, String) {
    let case = golden.read();
    let is_case = case.is_some();
    let kind = golden.kind(is_case);
    let mut text = format!("\n## `{name}`: {kind}\n");
    if let Some(case) = case {
        let _ = write!(text, "\n{}\n\n", case.title);
        for ClauseText { id, about, text: says } in cited(spec, &case.clauses) {
            let _ = writeln!(text, "- **{id}** ({about}): {says}");
        }
        if golden.case.is_none() {
            let _ = write!(
                text,
                "\nThe question, which is the same:\n\n{}",
                fenced("yaml", &case.to_yaml())
            );
        }
    }
    for (before, after) in golden.differences(is_case).into_iter().flatten() {
        let diff = TextDiff::from_lines(before, after);
        let diff = diff.unified_diff().missing_newline_hint(false).to_string();
        let _ = write!(text, "\n{}", fenced("diff", &diff));
    }
    (name, kind, text)
}

/// What stands in a snapshot behind the case.
fn answer_part(snapshot: &str) -> &str {
    let case = Case::part_of(snapshot);
    let begins = case.as_ptr().addr() - snapshot.as_ptr().addr();
    snapshot.get(begins + case.len()..).unwrap_or_default().trim_start_matches('\n')
}

/// A block of code, whatever it holds.
fn fenced(language: &str, text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests;
