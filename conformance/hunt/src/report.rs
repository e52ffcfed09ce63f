//! A run's results for people and for other programs: a page, Markdown, JUnit's XML.
//!
//! Responsible for: what stands where ([`Report`]): columns by program and release, rows by the
//! order of `spec/hunt.yaml`,
//! findings with the new ones first, and which findings a cell opens. The page is the work of
//! `page`, `matrix`, `releases`, `finding` and `style`, `trend` of page and comment; the others are
//! `markdown` and `junit`.
//! Not here: the JSON document, which is the input itself ([`super::stored`]); what
//! changed between two ([`super::diff`]).
//! Invariants: the same results give the same bytes; nothing a finding holds is markup; every
//! finding is opened by a cell;
//! whatever is left out for the size of a page is counted and said.

use std::collections::{BTreeMap, BTreeSet};

use touchstone_spec::adapter::Groups;
use touchstone_spec::yaml::{self, YamlError};

use self::class::{Class, Release, release_order};
use super::question::Feature;
use super::results::{Cell, Finding, Results};

pub mod brief;
pub mod class;
mod contrast;
mod finding;
mod issue;
mod junit;
mod markdown;
mod matrix;
mod page;
mod releases;
mod style;
mod trend;
mod written;

pub use markdown::{code, command, prose, summary, titled};
pub(crate) use written::beginning;

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

/// What the groups mean: `spec/hunt.yaml` alone, for a report shall not fail because of an adapter.
///
/// # Errors
/// The file was no list of groups when this program was built.
pub fn groups() -> Result<Groups, YamlError> {
    yaml::read(include_str!("../../../spec/hunt.yaml"))
}

/// Results in the order in which they are shown.
#[derive(Debug)]
pub struct Report<'a> {
    /// What is shown.
    results: &'a Results,
    /// The columns of the matrix.
    columns: Vec<Column<'a>>,
    /// Its rows.
    rows: Vec<Row<'a>>,
    /// Findings: new ones first, then by group, program and id.
    findings: Vec<&'a Finding>,
    /// What is in the matrix, by row and column.
    places: BTreeMap<(usize, usize), Place<'a>>,
    /// What clauses say, by name.
    clauses: BTreeMap<String, String>,
    /// A row for each document, if there are several.
    trend: Vec<trend::Row>,
}

/// How large a page may get.
#[derive(Debug, Clone)]
struct Limits {
    /// Columns of the matrix.
    columns: usize,
    /// Rows of the table of releases.
    releases: usize,
    /// Rows of the table of findings.
    findings: usize,
    /// Bytes of all cases; those of the last findings are left out.
    cases: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { columns: 160, releases: 400, findings: 3000, cases: 8 << 20 }
    }
}

/// One subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Column<'a> {
    subject: &'a str,
    program: &'a str,
    version: &'a str,
}

/// One group.
#[derive(Debug, Clone, Copy)]
struct Row<'a> {
    group: Feature,
    says: &'a str,
    clauses: &'a [String],
}

/// One cell, with the findings that it opens, as places in [`Report::findings`].
#[derive(Debug, Clone, Default)]
struct Place<'a> {
    cell: Option<&'a Cell>,
    findings: Vec<usize>,
}

impl Place<'_> {
    /// The worst that is known of it: a finding counts even where the counts of cases do not show
    /// it.
    fn class(&self, findings: &[&Finding]) -> Class {
        let counted = self.cell.map_or(Class::Nothing, Class::of);
        let found = self.findings.iter().filter_map(|at| findings.get(*at)).map(|finding| {
            match (&finding.known, &finding.broken) {
                (Some(_), _) => Class::Known,
                (None, Some(_)) => Class::Broken,
                (None, None) => Class::Diverge,
            }
        });
        found.fold(counted, Class::max)
    }
}

impl<'a> Report<'a> {
    /// Puts results in order; `groups` says what the groups mean.
    pub fn new(results: &'a Results, groups: &'a Groups) -> Self {
        let columns = columns(results);
        let rows = rows(results, groups);
        let mut findings: Vec<&Finding> = results.findings.iter().collect();
        let rank = |group: Feature| rows.iter().position(|row| row.group == group);
        let by_id: BTreeMap<&str, &Finding> =
            results.findings.iter().map(|finding| (finding.id.as_str(), finding)).collect();
        let key = |finding: &Finding| (rank(finding.group), finding.program.clone());
        findings.sort_by_cached_key(|finding| {
            // A variant stands behind the finding that it is a variant of.
            let root = finding.variant_of.as_deref().and_then(|id| by_id.get(id));
            let root = root.copied().unwrap_or(finding);
            let place = (key(root), root.id.clone(), finding.variant_of.is_some());
            (finding.known.is_some(), place, key(finding), finding.id.clone())
        });
        let places = places(results, &rows, &columns, &findings);
        let (clauses, trend) = (BTreeMap::new(), Vec::new());
        Self { results, columns, rows, findings, places, clauses, trend }
    }

    /// Adds what clauses say, by name; the page shows it beside a name.
    #[must_use]
    pub fn with_clauses(mut self, clauses: BTreeMap<String, String>) -> Self {
        self.clauses = clauses;
        self
    }

    /// The variants of a finding.
    fn variants(&self, finding: &Finding) -> Vec<&'a Finding> {
        let mine = |one: &&Finding| one.variant_of.as_ref() == Some(&finding.id);
        self.findings.iter().copied().filter(mine).collect()
    }

    /// One page that needs nothing but itself.
    pub fn html(&self) -> String {
        page::render(self, &Limits::default())
    }

    /// A comment for a pull request.
    pub fn markdown(&self) -> String {
        markdown::render(self)
    }

    /// JUnit's XML: a suite per subject, a test case per group.
    pub fn junit(&self) -> String {
        junit::render(self)
    }

    /// The programs, in order of their columns.
    fn programs(&self) -> Vec<&'a str> {
        let mut programs: Vec<&str> = self.columns.iter().map(|column| column.program).collect();
        programs.dedup();
        programs
    }

    /// All cases of one column.
    fn total(&self, column: usize) -> Tally {
        let places = self.places.iter().filter(|((_, at), _)| column == *at);
        Tally::of_cells(places.filter_map(|(_, place)| place.cell))
    }
}

/// All cases.
fn cases(results: &Results) -> u64 {
    results.cost.cases.max(Tally::of_cells(&results.cells).all())
}

/// Sums of cells.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Tally(BTreeMap<Class, u64>);

impl Tally {
    fn of_cells<'a>(cells: impl IntoIterator<Item = &'a Cell>) -> Self {
        let mut tally = Self::default();
        for cell in cells {
            for class in Class::WORST_FIRST {
                *tally.0.entry(class).or_default() += class.count(cell);
            }
        }
        tally
    }

    fn of(&self, class: Class) -> u64 {
        self.0.get(&class).copied().unwrap_or_default()
    }

    fn all(&self) -> u64 {
        self.0.values().sum()
    }

    /// The worst class that occurs.
    fn class(&self) -> Class {
        Class::WORST_FIRST.into_iter().find(|class| self.of(*class) > 0).unwrap_or(Class::Nothing)
    }
}

/// Everyone who was asked, and everyone a cell or a finding is about.
fn columns(results: &Results) -> Vec<Column<'_>> {
    let told = results.subjects.iter().map(|one| Column {
        subject: &one.subject,
        program: &one.program,
        version: class::version_of(&one.subject),
    });
    let cells = results.cells.iter().map(|cell| cell.subject.as_str());
    let others = cells.chain(results.findings.iter().map(|finding| finding.subject.as_str()));
    let others = others.map(|subject| Column {
        subject,
        program: subject.split_once('@').map_or(subject, |(program, _)| program),
        version: class::version_of(subject),
    });
    let mut known = BTreeSet::new();
    let mut columns: Vec<Column<'_>> =
        told.chain(others).filter(|column| known.insert(column.subject)).collect();
    columns.sort_by(|a, b| {
        (a.program.cmp(b.program))
            .then_with(|| release_order(a.version, b.version))
            .then(a.subject.cmp(b.subject))
    });
    columns
}

fn rows<'a>(results: &'a Results, groups: &'a Groups) -> Vec<Row<'a>> {
    let occur: BTreeSet<Feature> = (results.cells.iter().map(|cell| cell.group))
        .chain(results.findings.iter().map(|finding| finding.group))
        .collect();
    let listed = groups.groups.iter().filter(|group| occur.contains(&group.feature));
    let mut rows: Vec<Row<'_>> = listed
        .map(|group| Row { group: group.feature, says: &group.says, clauses: &group.clauses })
        .collect();
    for group in occur {
        if !rows.iter().any(|row| row.group == group) {
            rows.push(Row { group, says: "", clauses: &[] });
        }
    }
    rows
}

/// A cell opens the findings it names, those met with its subject, and those whose sweep is wrong
/// there.
fn places<'a>(
    results: &'a Results,
    rows: &[Row<'_>],
    columns: &[Column<'_>],
    findings: &[&Finding],
) -> BTreeMap<(usize, usize), Place<'a>> {
    let mut places: BTreeMap<(usize, usize), Place<'a>> = BTreeMap::new();
    let row_of: BTreeMap<Feature, usize> =
        rows.iter().enumerate().map(|(at, row)| (row.group, at)).collect();
    let by_subject: BTreeMap<&str, usize> =
        columns.iter().enumerate().map(|(at, column)| (column.subject, at)).collect();
    let by_release: BTreeMap<(&str, &str), usize> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| ((column.program, column.version), at))
        .collect();
    let by_id: BTreeMap<&str, usize> =
        findings.iter().enumerate().map(|(at, finding)| (finding.id.as_str(), at)).collect();
    for cell in &results.cells {
        if let (Some(row), Some(column)) =
            (row_of.get(&cell.group), by_subject.get(cell.subject.as_str()))
        {
            let place = places.entry((*row, *column)).or_default();
            place.cell = Some(cell);
            place.findings.extend(cell.findings.iter().filter_map(|id| by_id.get(id.as_str())));
        }
    }
    for (at, finding) in findings.iter().enumerate() {
        let bad =
            finding.releases.iter().filter(|sweep| Release::of(&sweep.verdict) == Release::Bad);
        let swept = bad.filter_map(|sweep| {
            by_release.get(&(finding.program.as_str(), sweep.version.as_str()))
        });
        for column in by_subject.get(finding.subject.as_str()).into_iter().chain(swept) {
            if let Some(row) = row_of.get(&finding.group) {
                let place = places.entry((*row, *column)).or_default();
                if !place.findings.contains(&at) {
                    place.findings.push(at);
                }
            }
        }
    }
    places
}
