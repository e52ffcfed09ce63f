//! Explains an empty answer where no file is eligible: which rules excluded files, and where they
//! stand (E-I32; docs/agent-tools.md, section 3). The engine walks the tree.

use super::{
    cut::{Anchor, cut},
    notice::{Notice, NoticeKind},
    request::Filters,
};
use crate::{
    cancellation::Cancellation,
    glob::{self, Glob},
    scope::{PathCondition, Scope},
};

/// Rules, globs or types named in one message.
const NAMED: usize = 3;

/// A line of an ignore file, and how much it excludes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleMatch {
    /// The ignore file as shown.
    pub file: String,
    /// Line number, 1-based.
    pub line: usize,
    /// The line; none of a file outside the roots.
    pub text: Option<String>,
    /// Directory entries that it excludes. Entries below them are not counted.
    pub entries: u64,
}

/// What a walk found in a search root without eligible files.
#[derive(Clone, Debug, Default)]
pub struct Ineligible {
    /// The search root as shown.
    pub directory: String,
    /// Files excluded only by `include_path`, `exclude_path` or `file_type`.
    pub files: u64,
    /// Of `files`, those that pass `include_path`, `exclude_path` and `file_type` respectively.
    pub passing: [u64; 3],
    /// Of `files`, those that pass all three.
    pub eligible: u64,
    /// Ignore rules that exclude something.
    pub rules: Vec<RuleMatch>,
    /// Names excluded for their leading dot.
    pub hidden: u64,
    /// Symbolic links.
    pub links: u64,
    /// Whether the walk was incomplete.
    pub is_partial: bool,
}

impl Ineligible {
    /// Adds a file that is neither ignored nor hidden. Void if `cancellation` was triggered.
    pub fn add(&mut self, path: &[u8], scope: &Scope, cancellation: &Cancellation<'_>) {
        let passes = [
            scope.include.is_empty() || covers(&scope.include, path, cancellation),
            !covers(&scope.exclude, path, cancellation),
            scope.admits(path, cancellation),
        ];
        self.files += 1;
        for (sum, passes) in self.passing.iter_mut().zip(passes) {
            *sum += u64::from(passes);
        }
        self.eligible += u64::from(passes == [true; 3]);
    }

    /// The notice, or `None` if a file is eligible. `scope` is the request's scope without the
    /// pattern of the path search.
    pub fn notice(mut self, scope: &Scope, filters: &Filters) -> Option<Notice> {
        if self.eligible > 0 {
            return None;
        }
        let why = if self.files > 0 {
            self.by_filters(scope, filters)
        } else {
            self.rules.sort_by(|a, b| {
                b.entries.cmp(&a.entries).then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line)))
            });
            self.by_rules(scope)
        };
        Some(Notice::new(NoticeKind::NothingEligible, why))
    }

    /// The message where the request's globs and types exclude every file.
    fn by_filters(&self, scope: &Scope, filters: &Filters) -> String {
        let files = match (self.is_partial, self.files) {
            (true, files) => format!("the first {files} eligible files"),
            (false, 1) => "the 1 eligible file".to_owned(),
            (false, files) => format!("the {files} eligible files"),
        };
        let types = scope.conditions.iter().find_map(|names| match names {
            PathCondition::Suffix(ends) => Some(listed(ends)),
            _ => None,
        });
        match self.passing {
            [0, ..] => {
                let globs = listed(&filters.include);
                format!("`include_path` {globs} matches none of {files}{}", self.beside())
            }
            [_, 0, _] => {
                format!("`exclude_path` {} leaves out all of {files}", listed(&filters.exclude))
            }
            [_, _, 0] => {
                format!("`file_type` {} is that of none of {files}", types.unwrap_or_default())
            }
            _ => format!(
                "none of {files} satisfies all of `include_path`, `exclude_path`, `file_type`"
            ),
        }
    }

    /// The message where rules and hidden names exclude every file.
    fn by_rules(&self, scope: &Scope) -> String {
        let place = cut(&self.directory, Anchor::Start).text;
        let left_out = self.left_out();
        let within = if scope.recursive() { "below" } else { "directly in" };
        let limit = if scope.recursive() { "" } else { " (`recursive` is false)" };
        if left_out.is_empty() {
            return format!("there is no file {within} `{place}` that may be searched{limit}");
        }
        let (rules, least) = (left_out.join(", "), if self.is_partial { "at least " } else { "" });
        format!("no file {within} `{place}` is eligible{limit}: {least}{rules}")
    }

    /// What ignore rules exclude in addition.
    fn beside(&self) -> String {
        let left_out = self.left_out();
        if left_out.is_empty() { String::new() } else { format!("; {}", left_out.join(", ")) }
    }

    /// What excludes how many entries, largest first.
    fn left_out(&self) -> Vec<String> {
        let entries = |number: u64| if number == 1 { "entry" } else { "entries" };
        let rules = self.rules.iter().take(NAMED).map(|rule| {
            let RuleMatch { file, line, text, entries: number } = rule;
            let file = cut(file, Anchor::Start).text;
            let text = text.as_ref().map(|text| format!(" `{}`", cut(text, Anchor::Start).text));
            let text = text.unwrap_or_default();
            format!("`{file}` line {line}{text} leaves out {number} {}", entries(*number))
        });
        let mut all: Vec<String> = rules.collect();
        let more = self.rules.len().saturating_sub(NAMED);
        if more > 0 {
            let number = self.rules.iter().skip(NAMED).map(|rule| rule.entries).sum();
            all.push(format!("{more} more rules leave out {number} {}", entries(number)));
        }
        let counted = |number: u64, one: &str, several: &str| match number {
            0 => None,
            1 => Some(format!("1 {one} is left out")),
            number => Some(format!("{number} {several} are left out")),
        };
        all.extend(counted(self.hidden, "hidden name", "hidden names"));
        all.extend(counted(self.links, "symbolic link", "symbolic links"));
        all
    }
}

/// Whether a glob matches a file or a directory above it.
fn covers(globs: &[Glob], path: &[u8], cancellation: &Cancellation<'_>) -> bool {
    let mut above = memchr::memchr_iter(b'/', path).filter_map(|at| path.get(..at));
    glob::any_matches(globs, path, false, cancellation)
        || above.any(|above| glob::any_matches(globs, above, true, cancellation))
}

/// The first [`NAMED`] of some texts.
fn listed(texts: &[String]) -> String {
    let mut shown: Vec<String> = texts
        .iter()
        .take(NAMED)
        .map(|text| format!("`{}`", cut(text, Anchor::Start).text))
        .collect();
    let more = texts.len().saturating_sub(NAMED);
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests;
