//! Which requirement is decided by which check.
//!
//! Responsible for: joining the specification's requirements with the records of the checks and
//! with what a reading of the checks has found, the status that gives each requirement, and the
//! renderings of it. Not here: the records themselves ([`crate::records`]), the reading
//! (`spec/audit.yaml`). Invariants: a requirement is `verified` only by a fresh passing record with
//! no fresh failing one beside it, if the reading found no gap; a stale record counts for nothing,
//! either way; a fresh record that cites an unknown clause is an error, never ignored.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use touchstone_spec::{Audit, Decided, Keyword, Spec, Verify};

use crate::nfr::record::CHECK;
use crate::records::{Record, Status as Result};

mod html;
mod text;

pub use text::{one, text};

/// The status of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Fresh checks decide it, and none failed.
    Verified,
    /// Fresh checks decide a part of it.
    InPart,
    /// It needs a measurement, and there is no fresh one.
    NotRun,
    /// No check decides it, which the reading of the checks says.
    NotDecided,
    /// Only a run on another system decides it.
    Elsewhere,
    /// It says nothing testable.
    NothingToTest,
    /// A check failed, or no check that ran claims it.
    Open,
}

impl Status {
    /// All statuses, in the order of the tables' columns.
    pub const ALL: [Self; 7] = [
        Self::Verified,
        Self::InPart,
        Self::NotRun,
        Self::NotDecided,
        Self::Elsewhere,
        Self::NothingToTest,
        Self::Open,
    ];

    /// The name in the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Verified => "verified",
            Self::InPart => "in part",
            Self::NotRun => "not run",
            Self::NotDecided => "not decided",
            Self::Elsewhere => "elsewhere",
            Self::NothingToTest => "nothing to test",
            Self::Open => "open",
        }
    }

    /// What would change it, if it should change.
    pub fn way_out(self) -> Option<&'static str> {
        match self {
            Self::Verified | Self::NothingToTest => None,
            Self::InPart | Self::NotDecided => {
                Some("add the test that is missing, and take the row out of spec/audit.yaml")
            }
            Self::NotRun => {
                Some("touchstone nfr --run, on a quiet machine, and commit docs/benches.json")
            }
            Self::Elsewhere => Some("run the gate on that system"),
            Self::Open => {
                Some("cargo nextest run and touchstone check, then see which check failed")
            }
        }
    }
}

/// A requirement of the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    pub id: String,
    /// The number of its document.
    pub document: String,
    /// Its keyword, `MUST` for instance.
    pub keyword: &'static str,
    /// What it says.
    pub text: String,
    /// Whether it demands a measurement.
    pub measured: bool,
    /// What the reading of its checks has found, if that is a gap, and what is missing.
    pub gap: Option<(Decided, String)>,
}

/// One requirement with what is known about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Traced {
    pub id: String,
    /// The number of its document.
    pub document: String,
    pub keyword: &'static str,
    /// How it stands.
    pub status: Status,
    /// The fresh checks that cite it; those that failed carry a mark.
    pub checks: Vec<String>,
    /// What it says.
    #[serde(skip)]
    pub text: String,
    /// What is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// Fresh records that cite unknown clauses.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("claims cite unknown clauses: {}", .citations.join(", "))]
pub struct UnknownClauses {
    /// `check: clause`, ordered.
    pub citations: Vec<String>,
}

/// The ids that checks may cite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Citable {
    /// The requirements, in the documents' order.
    pub clauses: Vec<Clause>,
    /// Ids that may be cited but need no check of their own: errata.
    pub others: BTreeSet<String>,
}

impl Citable {
    /// What the specification lets a check cite.
    pub fn of(spec: &Spec) -> Self {
        let gaps = gaps(&spec.audit);
        let clauses = spec.documents.iter().flat_map(|document| {
            let gaps = &gaps;
            document.requirements.iter().map(move |requirement| Clause {
                id: requirement.id.value.clone(),
                document: document.document.value.clone(),
                keyword: Keyword::name(requirement.keyword),
                text: requirement.text.clone(),
                measured: requirement.verify.contains(&Verify::Bench),
                gap: gaps
                    .get(requirement.id.value.as_str())
                    .map(|(decided, why)| (*decided, (*why).to_owned())),
            })
        });
        let others = spec.errata.errata.iter().map(|erratum| erratum.id.value.clone());
        Self { clauses: clauses.collect(), others: others.collect() }
    }

    /// Whether a check may cite this id.
    pub fn knows(&self, id: &str) -> bool {
        self.others.contains(id) || self.clauses.iter().any(|clause| clause.id == id)
    }
}

fn gaps(audit: &Audit) -> BTreeMap<&str, (Decided, &str)> {
    audit
        .rows()
        .map(|(decided, gap)| (gap.row.value.as_str(), (decided, gap.why.as_str())))
        .collect()
}

/// Joins requirements and records. `fresh` tells the records that count.
pub fn join(
    citable: &Citable,
    records: &[Record],
    fresh: impl Fn(&Record) -> bool,
) -> std::result::Result<Vec<Traced>, UnknownClauses> {
    let mut cited: BTreeMap<&str, Vec<&Record>> = BTreeMap::new();
    for record in records.iter().filter(|record| fresh(record)) {
        for clause in &record.clauses {
            cited.entry(clause).or_default().push(record);
        }
    }
    let known: BTreeSet<&str> = citable
        .clauses
        .iter()
        .map(|clause| clause.id.as_str())
        .chain(citable.others.iter().map(String::as_str))
        .collect();
    let citations: Vec<String> = cited
        .iter()
        .filter(|(clause, _)| !known.contains(*clause))
        .flat_map(|(clause, records)| {
            records.iter().map(move |record| format!("{}: `{clause}`", record.check))
        })
        .collect();
    if !citations.is_empty() {
        return Err(UnknownClauses { citations });
    }
    let records = |clause: &Clause| cited.get(clause.id.as_str()).map_or(&[][..], Vec::as_slice);
    Ok(citable.clauses.iter().map(|clause| traced(clause, records(clause))).collect())
}

fn status(clause: &Clause, records: &[&Record]) -> Status {
    if records.iter().any(|record| record.status == Result::Fail) {
        return Status::Open;
    }
    match clause.gap {
        Some((Decided::NothingToTest, _)) => return Status::NothingToTest,
        Some((Decided::Elsewhere, _)) => return Status::Elsewhere,
        Some((Decided::Not, _)) => return Status::NotDecided,
        Some((Decided::InPart, _)) | None => {}
    }
    let measured = !clause.measured || records.iter().any(|record| record.check.starts_with(CHECK));
    match (records.is_empty(), measured, &clause.gap) {
        (_, false, _) => Status::NotRun,
        (true, true, _) => Status::Open,
        (false, true, Some(_)) => Status::InPart,
        (false, true, None) => Status::Verified,
    }
}

fn traced(clause: &Clause, records: &[&Record]) -> Traced {
    let checks = records.iter().map(|record| match record.status {
        Result::Pass => record.check.clone(),
        Result::Fail => format!("{} (failed)", record.check),
    });
    Traced {
        id: clause.id.clone(),
        document: clause.document.clone(),
        keyword: clause.keyword,
        status: status(clause, records),
        checks: checks.collect(),
        text: clause.text.clone(),
        missing: clause.gap.as_ref().map(|(_, why)| why.clone()),
    }
}

/// The requirements that fail the gate: open ones, and with `strict` all that are not decided here.
/// What a document only permits fails nothing.
pub fn failing(traced: &[Traced], strict: bool) -> Vec<&Traced> {
    let fails = |status| match status {
        Status::Open => true,
        Status::InPart | Status::NotRun | Status::NotDecided => strict,
        Status::Verified | Status::Elsewhere | Status::NothingToTest => false,
    };
    traced.iter().filter(|one| one.keyword != Keyword::May.name() && fails(one.status)).collect()
}

/// One self-contained page.
pub fn html(traced: &[Traced]) -> String {
    html::page(traced, &counts(traced))
}

fn counts(traced: &[Traced]) -> BTreeMap<&str, BTreeMap<Status, usize>> {
    let mut counts: BTreeMap<&str, BTreeMap<Status, usize>> = BTreeMap::new();
    for one in traced {
        *counts.entry(&one.document).or_default().entry(one.status).or_default() += 1;
    }
    counts
}

#[cfg(test)]
mod tests;
