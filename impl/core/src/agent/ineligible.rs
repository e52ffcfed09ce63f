//! Explains an empty answer where no file is eligible: which rules excluded files, and where they
//! stand (E-I32; docs/agent-tools.md, section 3). The engine walks the tree.

use super::{
    cut::{Anchor, cut},
    find_files::Alternatives,
    notice::{Notice, NoticeKind},
    request::Filters,
};
use crate::{
    cancellation::Cancellation,
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
    /// The first of them as shown.
    pub first: String,
}

/// A symbolic link, which is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its path as shown.
    pub path: String,
    /// What it leads to as shown, if that lies inside the roots.
    pub target: Option<String>,
}

impl Link {
    fn told(&self) -> String {
        let path = cut(&self.path, Anchor::Start).text;
        match &self.target {
            None => format!("`{path}`"),
            Some(target) => format!("`{path}` to `{}`", cut(target, Anchor::Start).text),
        }
    }
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
    /// Names excluded for their leading dot alone.
    pub hidden: u64,
    /// Names excluded for their leading dot and by an ignore rule.
    pub hidden_and_ignored: u64,
    /// Symbolic links.
    pub links: u64,
    /// The link that the request names, or else the first.
    pub link: Option<Link>,
    /// Whether the tool has the fields `hidden` and `no_ignore`.
    pub has_fields: bool,
    /// Whether the walk was incomplete.
    pub is_partial: bool,
    /// What else the pattern of the path search may mean.
    pub alternatives: Alternatives,
}

impl Ineligible {
    /// Adds a file that is neither ignored nor hidden. Void if `cancellation` was triggered.
    pub fn add(&mut self, path: &[u8], scope: &Scope, cancellation: &Cancellation<'_>) {
        let passes = [
            covers(path, |part, is_dir| scope.includes(part, is_dir, cancellation)),
            !covers(path, |part, is_dir| scope.excludes(part, is_dir, cancellation)),
            scope.admits(path, cancellation),
        ];
        self.files += 1;
        for (sum, passes) in self.passing.iter_mut().zip(passes) {
            *sum += u64::from(passes);
        }
        if passes == [true; 3] {
            self.eligible += 1;
            self.alternatives.try_on(path, cancellation);
        }
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
            self.sort();
            self.by_rules(scope)
        };
        Some(Notice::new(NoticeKind::NothingEligible, why))
    }

    /// Puts the rules that exclude most first.
    pub fn sort(&mut self) {
        self.rules.sort_by(|a, b| {
            b.entries.cmp(&a.entries).then_with(|| (&a.file, a.line).cmp(&(&b.file, b.line)))
        });
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
    pub fn left_out(&self) -> Vec<String> {
        let entries = |number: u64| if number == 1 { "entry" } else { "entries" };
        let rules = self.rules.iter().take(NAMED).map(|rule| {
            let RuleMatch { file, line, text, entries: number, first } = rule;
            let file = cut(file, Anchor::Start).text;
            let text = text.as_ref().map(|text| format!(" `{}`", cut(text, Anchor::Start).text));
            let text = text.unwrap_or_default();
            let what = if *number == 1 && !first.is_empty() {
                format!("`{}`", cut(first, Anchor::Start).text)
            } else {
                format!("{number} {}", entries(*number))
            };
            format!("`{file}` line {line}{text} leaves out {what}")
        });
        let mut all: Vec<String> = rules.collect();
        let more = self.rules.len().saturating_sub(NAMED);
        if more > 0 {
            let number = self.rules.iter().skip(NAMED).map(|rule| rule.entries).sum();
            all.push(format!("{more} more rules leave out {number} {}", entries(number)));
        }
        if let Some(last) = all.last_mut() {
            last.push_str(&self.remedy("`no_ignore`: true"));
        }
        let counted = |number: u64, what: &str| match number {
            0 => None,
            1 => Some(format!("1 {what}")),
            number => Some(format!("{number} {what}s")),
        };
        let hidden = counted(self.hidden, "hidden name");
        all.extend(hidden.map(|told| told + &self.remedy("`hidden`: true")));
        let both = counted(self.hidden_and_ignored, "hidden and ignored name");
        all.extend(both.map(|told| told + &self.remedy("both `hidden` and `no_ignore`: true")));
        let links = counted(self.links, "symbolic link").map(|told| {
            let link = self.link.as_ref().map(Link::told).unwrap_or_default();
            let link = match self.links {
                1 => format!(" ({link})"),
                _ => format!(" (such as {link})"),
            };
            format!("{told}{link}, not followed")
        });
        all.extend(links);
        all
    }

    /// What includes entries that are left out.
    fn remedy(&self, fields: &str) -> String {
        if self.has_fields {
            format!(" (include them with {fields})")
        } else {
            format!(" (`grep` includes them with {fields})")
        }
    }
}

/// Whether globs match a file or a directory above it.
fn covers(path: &[u8], matches: impl Fn(&[u8], bool) -> bool) -> bool {
    let mut above = memchr::memchr_iter(b'/', path).filter_map(|at| path.get(..at));
    matches(path, false) || above.any(|above| matches(above, true))
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
