//! What a run of the gate found, for people and for machines.
//!
//! Responsible for: the counts of verdicts by groups of clauses, and three renderings of them: a
//! table, JSON, and JUnit's XML. Not here: running the suites (`touchstone::gate`). Invariants:
//! every case of every subject is counted once in the row of totals, and once in each group that it
//! exercises; a divergence is counted in the groups whose fields differ; nothing is left out of the
//! sums.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use touchstone_cases::case::Case;

use crate::compare::{FieldDiff, Group, Outcome};
use crate::subject::Verdict;

mod junit;
mod text;

pub use text::{discrepancy_text, finding_text};

/// Counts of the five verdicts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// The observation is the model's canonical answer.
    pub agree: u64,
    /// It is another answer that the documents permit.
    pub allowed: u64,
    /// It is wrong.
    pub diverge: u64,
    /// The subject cannot do what the case asks, and said why.
    pub unsupported: u64,
    /// The subject crashed, hung, or said something unparsable.
    pub broken: u64,
}

impl Tally {
    /// Counts one verdict.
    pub fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Agree => self.agree += 1,
            Verdict::Allowed => self.allowed += 1,
            Verdict::Diverge(_) => self.diverge += 1,
            Verdict::Unsupported(_) => self.unsupported += 1,
            Verdict::Broken(_) => self.broken += 1,
        }
    }

    /// Adds the counts of another tally.
    pub fn add(&mut self, other: &Tally) {
        self.agree += other.agree;
        self.allowed += other.allowed;
        self.diverge += other.diverge;
        self.unsupported += other.unsupported;
        self.broken += other.broken;
    }

    /// How many verdicts were counted.
    pub fn total(&self) -> u64 {
        self.agree + self.allowed + self.diverge + self.unsupported + self.broken
    }

    /// Whether nothing diverged and nothing broke.
    pub fn conforms(&self) -> bool {
        self.diverge == 0 && self.broken == 0
    }

    fn json(&self) -> Value {
        json!({
            "agree": self.agree,
            "allowed": self.allowed,
            "diverge": self.diverge,
            "unsupported": self.unsupported,
            "broken": self.broken,
        })
    }
}

/// The counts of one suite and subject: the totals, and one row per group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Every case once.
    pub total: Tally,
    /// Every case once per group that it exercises.
    pub groups: BTreeMap<Group, Tally>,
    /// Why cases were unsupported, and how often.
    pub reasons: BTreeMap<String, u64>,
}

impl Table {
    /// Counts the verdict on one case, whose canonical outcome is given; none if the model gave
    /// none.
    pub fn count(&mut self, case: &Case, outcome: Option<&Outcome>, verdict: &Verdict) {
        self.total.count(verdict);
        if let Verdict::Unsupported(reason) = verdict {
            *self.reasons.entry(reason.clone()).or_default() += 1;
        }
        let groups = match verdict {
            Verdict::Diverge(differences) => {
                let refused = outcome.is_none_or(Result::is_err);
                Group::of_differences(case, refused, differences)
            }
            _ => outcome
                .map_or_else(|| vec![Group::Request], |outcome| Group::exercised(case, outcome)),
        };
        for group in groups {
            self.groups.entry(group).or_default().count(verdict);
        }
    }

    /// Adds the counts of another table.
    pub fn add(&mut self, other: &Table) {
        self.total.add(&other.total);
        for (group, tally) in &other.groups {
            self.groups.entry(*group).or_default().add(tally);
        }
        for (reason, times) in &other.reasons {
            *self.reasons.entry(reason.clone()).or_default() += times;
        }
    }
}

/// One subject as it was found, or not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubjectLine {
    /// Its name.
    pub name: String,
    /// What it is, with its version; or why it was left out.
    pub found: Result<String, String>,
}

/// A case that a subject answered wrongly, or broke on.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The suite that found it.
    pub suite: String,
    /// The number of the case in the suite.
    pub number: u64,
    /// The subject, or whatever else was judged.
    pub subject: String,
    /// Others that fail on what shrinks to the same case.
    pub also: Vec<String>,
    /// The case, shrunk.
    pub case: Case,
    /// What is wrong: the differences, or how it broke.
    pub what: Problem,
    /// Where the case was stored, if it was.
    pub stored: Option<String>,
    /// The command that runs it again.
    pub replay: Option<String>,
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// It differs.
    Differs(Vec<FieldDiff>),
    /// There is none: a crash, a hang, or something unparsable.
    Broken(String),
}

/// Something wrong that no case shows: what an enumeration came upon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discrepancy {
    /// The suite that found it.
    pub suite: String,
    /// What was compared.
    pub area: String,
    /// What is wrong, in a few words.
    pub what: String,
    /// The smallest input that shows it, with what both sides say.
    pub told: String,
}

/// One suite's part of a report.
#[derive(Debug, Clone, Default)]
pub struct SuiteReport {
    /// The suite's name.
    pub name: String,
    /// Its counts by subject.
    pub tables: BTreeMap<String, Table>,
    /// How long it took.
    pub took: Duration,
    /// How many cases it drew or read, before subjects.
    pub cases: u64,
    /// What could not be run at all, with the reason; reported, never silent.
    pub notes: Vec<String>,
    /// What was looked at, for suites whose cases are counted and not kept.
    pub facts: Vec<String>,
    /// Whether the printed table shows groups of clauses only where something is wrong.
    pub totals_only: bool,
}

/// Everything a run found.
#[derive(Debug, Clone)]
pub struct Report {
    /// The seed of the random cases.
    pub seed: u64,
    /// The subjects asked for.
    pub subjects: Vec<SubjectLine>,
    /// The suites, in the order they ran.
    pub suites: Vec<SuiteReport>,
    /// What the random cases covered: a trap's name, and in how many cases it occurred.
    pub coverage: BTreeMap<&'static str, u64>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What is wrong and has no case.
    pub discrepancies: Vec<Discrepancy>,
    /// Wall-clock time of everything.
    pub took: Duration,
}

impl Report {
    /// Whether nothing was wrong.
    pub fn conforms(&self) -> bool {
        self.findings.is_empty()
            && self.discrepancies.is_empty()
            && self
                .suites
                .iter()
                .all(|suite| suite.tables.values().all(|table| table.total.conforms()))
    }

    /// The report as one JSON object.
    pub fn json(&self) -> Value {
        let subjects: Vec<Value> = self
            .subjects
            .iter()
            .map(|subject| match &subject.found {
                Ok(what) => json!({ "name": subject.name, "found": true, "version": what }),
                Err(why) => json!({ "name": subject.name, "found": false, "reason": why }),
            })
            .collect();
        json!({
            "conforms": self.conforms(),
            "seed": self.seed,
            "seconds": self.took.as_secs_f64(),
            "subjects": subjects,
            "suites": self.suites.iter().map(suite_json).collect::<Vec<_>>(),
            "coverage": self.coverage,
            "findings": self.findings.iter().map(finding_json).collect::<Vec<_>>(),
            "discrepancies": self.discrepancies.iter().map(discrepancy_json).collect::<Vec<_>>(),
        })
    }

    /// The report as JUnit's XML: one test suite per suite, one test case per subject and group.
    pub fn junit(&self) -> String {
        junit::render(self)
    }

    /// The summary for people. Findings are printed when they are found, so only their number
    /// stands here.
    pub fn text(&self) -> String {
        text::summary(self)
    }
}

fn suite_json(suite: &SuiteReport) -> Value {
    let subjects: BTreeMap<&String, Value> = suite
        .tables
        .iter()
        .map(|(subject, table)| {
            let groups: BTreeMap<&str, Value> =
                table.groups.iter().map(|(group, tally)| (group.name(), tally.json())).collect();
            (subject, json!({ "all": table.total.json(), "groups": groups, "unsupported": table.reasons }))
        })
        .collect();
    json!({
        "name": suite.name,
        "cases": suite.cases,
        "seconds": suite.took.as_secs_f64(),
        "subjects": subjects,
        "notes": suite.notes,
        "facts": suite.facts,
    })
}

fn discrepancy_json(discrepancy: &Discrepancy) -> Value {
    json!({
        "suite": discrepancy.suite,
        "area": discrepancy.area,
        "what": discrepancy.what,
        "told": discrepancy.told,
    })
}

fn finding_json(finding: &Finding) -> Value {
    let what = match &finding.what {
        Problem::Differs(differences) => {
            let differences: Vec<Value> = differences
                .iter()
                .map(|one| json!({ "field": one.field, "expected": one.expected, "got": one.got }))
                .collect();
            json!({ "differences": differences })
        }
        Problem::Broken(how) => json!({ "broken": how }),
    };
    json!({
        "suite": finding.suite,
        "number": finding.number,
        "subject": finding.subject,
        "also": finding.also,
        "case": finding.case.id,
        "yaml": finding.case.to_yaml(),
        "what": what,
        "stored": finding.stored,
        "replay": finding.replay,
    })
}

#[cfg(test)]
mod tests;
