//! What changed between two runs, and nothing else.
//!
//! Responsible for: cells whose worst verdict is another one, findings that are new, gone, or wrong
//! in other releases, and
//! subjects that came or went ([`Changes`]); as text and as Markdown, by group with its clauses.
//! Not here: what a class is ([`super::report::class`]); how often something was met is
//! no change.
//! Invariants: two equal runs have no changes; a cell of a subject that only one run asked is no
//! change of that cell.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use touchstone_cases::case::escape;
use touchstone_spec::adapter::Groups;

use super::question::Feature;
use super::report::class::{Class, Release, affected, bad_releases, release_order, version_of};
use super::report::{beginning, code, command, prose, summary, titled};
use super::results::{Finding, Results};

/// Most characters of a title or a command in a change.
const MAX_TEXT: usize = 600;
/// Most changes of one group that are listed; the others are counted.
const MAX_TOLD: usize = 200;

/// What changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Changes<'a> {
    /// Subjects that only the new run asked.
    pub came: Vec<&'a str>,
    /// Subjects that only the old run asked.
    pub went: Vec<&'a str>,
    /// By group, in the order of `spec/hunt.yaml`; groups without a change are absent.
    pub groups: Vec<GroupChanges<'a>>,
    /// Whether both drew the same questions. If not, a finding may be gone because nobody asked.
    pub same_seed: bool,
}

/// What changed in one group.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupChanges<'a> {
    /// The group.
    pub group: Feature,
    /// What it stands on.
    pub clauses: Vec<&'a str>,
    /// Subjects whose worst verdict is another one: from, to, and who.
    pub cells: BTreeMap<(Class, Class), Vec<&'a str>>,
    /// Findings, new ones first.
    pub findings: Vec<(FindingChange<'a>, &'a Finding)>,
}

/// What happened to a finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingChange<'a> {
    /// The old run does not have it, and nobody knew of it.
    New,
    /// It is wrong in other releases than before.
    Releases {
        /// Wrong now.
        gained: Vec<&'a str>,
        /// Right now.
        lost: Vec<&'a str>,
    },
    /// It is on the list of known ones and was not, or was not met; or it has left that list.
    Listed {
        /// Whether it is on the list now.
        now: bool,
    },
    /// The new run does not have it.
    Gone,
}

impl<'a> Changes<'a> {
    /// Compares two runs.
    pub fn between(old: &'a Results, new: &'a Results, groups: &'a Groups) -> Self {
        let names = |results: &'a Results| -> BTreeSet<&'a str> {
            results.subjects.iter().map(|one| one.subject.as_str()).collect()
        };
        let (before, after) = (names(old), names(new));
        let both = |subject: &str| before.contains(subject) && after.contains(subject);
        let mut changed: BTreeMap<Feature, GroupChanges<'a>> = BTreeMap::new();
        let (old_cells, new_cells) = (classes(old), classes(new));
        let places: BTreeSet<_> = old_cells.keys().chain(new_cells.keys()).copied().collect();
        for (group, subject) in places.into_iter().filter(|(_, subject)| both(subject)) {
            let class = |cells: &Classes<'a>| {
                cells.get(&(group, subject)).copied().unwrap_or(Class::Nothing)
            };
            let (from, to) = (class(&old_cells), class(&new_cells));
            if from != to {
                entry(&mut changed, groups, group)
                    .cells
                    .entry((from, to))
                    .or_default()
                    .push(subject);
            }
        }
        for (change, finding) in findings(old, new) {
            entry(&mut changed, groups, finding.group).findings.push((change, finding));
        }
        for group in changed.values_mut() {
            group
                .findings
                .sort_by(|(a, one), (b, other)| a.cmp(b).then_with(|| one.id.cmp(&other.id)));
            for subjects in group.cells.values_mut() {
                subjects.sort_by(|a, b| {
                    let program = |subject: &'a str| {
                        subject.split_once('@').map_or(subject, |(program, _)| program)
                    };
                    program(a)
                        .cmp(program(b))
                        .then_with(|| release_order(version_of(a), version_of(b)))
                });
            }
        }
        let rank = |group: Feature| {
            groups.groups.iter().position(|row| row.feature == group).unwrap_or(usize::MAX)
        };
        let mut changed: Vec<GroupChanges<'a>> = changed.into_values().collect();
        changed.sort_by_key(|group| (rank(group.group), group.group));
        Self {
            came: after.difference(&before).copied().collect(),
            went: before.difference(&after).copied().collect(),
            groups: changed,
            same_seed: old.seed == new.seed,
        }
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.came.is_empty() && self.went.is_empty() && self.groups.is_empty()
    }

    /// The changes for a terminal.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (word, subjects) in [("asked now", &self.came), ("asked no more", &self.went)] {
            if !subjects.is_empty() {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{word}: {}", plain(&subjects.join(", ")));
            }
        }
        for group in &self.groups {
            let clauses = if group.clauses.is_empty() {
                String::new()
            } else {
                format!(" ({})", group.clauses.join(", "))
            };
            let _ = writeln!(text, "{}{}", group.group.name(), plain(&clauses));
            for ((from, to), subjects) in &group.cells {
                let _ = writeln!(
                    text,
                    "  {} -> {}: {}",
                    from.name(),
                    to.name(),
                    plain(&subjects.join(", "))
                );
            }
            for (change, finding) in group.findings.iter().take(MAX_TOLD) {
                let _ = writeln!(
                    text,
                    "  {}: {} [{}]",
                    plain(&change.description(finding)),
                    plain(&finding.title),
                    plain(&finding.id)
                );
                if *change != FindingChange::Gone {
                    let _ = writeln!(text, "    {}", plain(&finding.command));
                }
            }
            if group.findings.len() > MAX_TOLD {
                let _ = writeln!(text, "  and {} more findings", group.findings.len() - MAX_TOLD);
            }
        }
        if text.is_empty() {
            text.push_str("nothing changed\n");
        } else if !self.same_seed {
            text.push_str(NOTE);
        }
        text
    }

    /// The changes as a comment for a pull request.
    pub fn markdown(&self) -> String {
        let findings = || self.groups.iter().flat_map(|group| &group.findings);
        let count = |wanted: fn(&FindingChange<'_>) -> bool| {
            findings().filter(|(change, _)| wanted(change)).count()
        };
        if self.is_empty() {
            return "### Hunt: nothing changed\n".to_owned();
        }
        let mut text = format!(
            "### Hunt: {} new, {} gone, {} otherwise changed\n\n",
            count(|change| *change == FindingChange::New),
            count(|change| *change == FindingChange::Gone),
            count(|change| matches!(
                change,
                FindingChange::Releases { .. } | FindingChange::Listed { .. }
            )),
        );
        for (word, subjects) in [("Asked now", &self.came), ("Asked no more", &self.went)] {
            if !subjects.is_empty() {
                let _ = writeln!(text, "{word}: {}.\n", codes(subjects));
            }
        }
        let mut left_out = 0;
        for group in &self.groups {
            let part = group.markdown();
            // Hosting services take 65,536 characters.
            if text.len() + part.len() > 60_000 {
                left_out += 1;
            } else {
                text.push_str(&part);
            }
        }
        if left_out > 0 {
            let _ = writeln!(
                text,
                "… and {left_out} more groups with changes, for the size of this comment.\n"
            );
        }
        if !self.same_seed {
            let _ = writeln!(text, "_{}_", NOTE.trim_end());
        }
        text
    }
}

/// What is said where two runs asked different questions.
const NOTE: &str = "the seeds differ: what is gone may only not have been met\n";

/// The class of each cell.
type Classes<'a> = BTreeMap<(Feature, &'a str), Class>;

fn classes(results: &Results) -> Classes<'_> {
    results
        .cells
        .iter()
        .map(|cell| ((cell.group, cell.subject.as_str()), Class::of(cell)))
        .collect()
}

fn entry<'m, 'a>(
    changed: &'m mut BTreeMap<Feature, GroupChanges<'a>>,
    groups: &'a Groups,
    group: Feature,
) -> &'m mut GroupChanges<'a> {
    changed.entry(group).or_insert_with(|| {
        let row = groups.groups.iter().find(|row| row.feature == group);
        let clauses =
            row.map(|row| row.clauses.iter().map(String::as_str).collect()).unwrap_or_default();
        GroupChanges { group, clauses, cells: BTreeMap::new(), findings: Vec::new() }
    })
}

fn findings<'a>(old: &'a Results, new: &'a Results) -> Vec<(FindingChange<'a>, &'a Finding)> {
    let before: BTreeMap<&str, &Finding> =
        old.findings.iter().map(|one| (one.id.as_str(), one)).collect();
    let after: BTreeMap<&str, &Finding> =
        new.findings.iter().map(|one| (one.id.as_str(), one)).collect();
    let mut changes = Vec::new();
    for (id, finding) in &after {
        match before.get(id) {
            None if finding.known.is_some() => {
                changes.push((FindingChange::Listed { now: true }, *finding));
            }
            None => changes.push((FindingChange::New, *finding)),
            Some(earlier) => {
                let (was, is) = (bad_releases(earlier), bad_releases(finding));
                let right = |version: &str| {
                    let sweep = finding.releases.iter().find(|sweep| sweep.version == version);
                    sweep.is_some_and(|sweep| Release::of(&sweep.verdict) == Release::Good)
                };
                let gained: Vec<&str> =
                    is.iter().copied().filter(|version| !was.contains(version)).collect();
                let lost: Vec<&str> = was.into_iter().filter(|version| right(version)).collect();
                if !gained.is_empty() || !lost.is_empty() {
                    changes.push((FindingChange::Releases { gained, lost }, *finding));
                }
                if earlier.known.is_some() != finding.known.is_some() {
                    changes
                        .push((FindingChange::Listed { now: finding.known.is_some() }, *finding));
                }
            }
        }
    }
    changes.extend(
        before
            .iter()
            .filter(|(id, _)| !after.contains_key(*id))
            .map(|(_, finding)| (FindingChange::Gone, *finding)),
    );
    changes
}

impl FindingChange<'_> {
    /// What happened, in a few words.
    fn description(&self, finding: &Finding) -> String {
        match self {
            FindingChange::New => format!("new, wrong in {}", affected(finding)),
            FindingChange::Gone => "gone".to_owned(),
            FindingChange::Listed { now: true } => "known now".to_owned(),
            FindingChange::Listed { now: false } => "known no more".to_owned(),
            FindingChange::Releases { gained, lost } => {
                let gained =
                    (!gained.is_empty()).then(|| format!("now wrong in {}", gained.join(", ")));
                let lost = (!lost.is_empty()).then(|| format!("now right in {}", lost.join(", ")));
                gained.into_iter().chain(lost).collect::<Vec<_>>().join("; ")
            }
        }
    }
}

impl GroupChanges<'_> {
    fn markdown(&self) -> String {
        let clauses = if self.clauses.is_empty() {
            String::new()
        } else {
            format!(" ({})", codes(&self.clauses))
        };
        let mut text = format!("**{}**{clauses}\n\n", prose(self.group.name()));
        for ((from, to), subjects) in &self.cells {
            let _ = writeln!(
                text,
                "- {} {} → {} {}: {}",
                from.sign(),
                from.name(),
                to.sign(),
                to.name(),
                codes(subjects)
            );
        }
        for (change, finding) in self.findings.iter().take(MAX_TOLD) {
            let told = cut(&change.description(finding));
            let title = cut(&finding.title);
            if *change == FindingChange::New {
                let block = command(&cut(&finding.command)).replace('\n', "\n  ");
                let _ = write!(
                    text,
                    "- <details><summary>{}: {}</summary>\n\n  {block}\n  </details>\n",
                    summary(&told),
                    summary(&title)
                );
            } else {
                let _ = writeln!(
                    text,
                    "- {}: {} ({})",
                    prose(&told),
                    titled(&title),
                    code(&finding.id)
                );
            }
        }
        if self.findings.len() > MAX_TOLD {
            let _ = writeln!(text, "- and {} more findings", self.findings.len() - MAX_TOLD);
        }
        text.push('\n');
        text
    }
}

fn codes(texts: &[&str]) -> String {
    texts.iter().map(|text| code(text)).collect::<Vec<_>>().join(", ")
}

/// One line that a terminal shows as it is.
fn plain(text: &str) -> String {
    let text = cut(text);
    // Backslashes in commands stay what they are.
    text.split('\\').map(|part| escape(part.as_bytes())).collect::<Vec<_>>().join("\\")
}

fn cut(text: &str) -> String {
    beginning(text, MAX_TEXT)
}

#[cfg(test)]
mod tests;
