//! Which requirement is vouched for by which check.
//!
//! Responsible for: joining the specification's requirements with the records of the checks, the status that gives
//! each requirement, and three renderings of it.
//! Left to neighbours: the records themselves ([`crate::claims`]).
//! Invariants: a requirement is `verified` only by a fresh passing record with no fresh failing one beside it; a
//! stale record counts for nothing, either way; a fresh record that cites an unknown clause is an error, never
//! ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;
use touchstone_spec::{Keyword, Spec};

use crate::claims::{Record, Status as Result};

mod html;

/// How a requirement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// A fresh check vouches for it, and none speaks against it.
    Verified,
    /// No check, but the specification says why it needs none.
    Reasoned,
    /// Nothing vouches for it, or a check speaks against it.
    Open,
}

impl Status {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Status::Verified => "verified",
            Status::Reasoned => "reasoned",
            Status::Open => "open",
        }
    }
}

/// A requirement, as far as tracing goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Its id.
    pub id: String,
    /// The number of its document.
    pub document: String,
    /// Its keyword, `MUST` for instance.
    pub keyword: &'static str,
    /// What it says.
    pub text: String,
    /// Why no check is needed, if the specification says so.
    pub reason: Option<String>,
}

/// One requirement with what is known about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Traced {
    /// Its id.
    pub id: String,
    /// The number of its document.
    pub document: String,
    /// Its keyword.
    pub keyword: &'static str,
    /// How it stands.
    pub status: Status,
    /// The fresh checks that cite it; those that failed carry a mark.
    pub checks: Vec<String>,
    /// What it says.
    #[serde(skip)]
    pub text: String,
    /// Why no check is needed, if the specification says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Fresh records that cite clauses nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("claims cite unknown clauses: {}", .citations.join(", "))]
pub struct UnknownClauses {
    /// `check: clause`, ordered.
    pub citations: Vec<String>,
}

/// Everything that can be cited and everything that wants to be.
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
        let clauses = spec.documents.iter().flat_map(|document| {
            document.requirements.iter().map(|requirement| Clause {
                id: requirement.id.value.clone(),
                document: document.document.value.clone(),
                keyword: Keyword::name(requirement.keyword),
                text: requirement.text.clone(),
                reason: requirement.reason.clone(),
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

/// Joins requirements and records. `fresh` tells the records that count.
pub fn join(
    citable: &Citable,
    records: &[Record],
    fresh: impl Fn(&Record) -> bool,
) -> std::result::Result<Vec<Traced>, UnknownClauses> {
    let mut cited: BTreeMap<&str, Vec<(&str, Result)>> = BTreeMap::new();
    for record in records.iter().filter(|record| fresh(record)) {
        for clause in &record.clauses {
            cited.entry(clause).or_default().push((&record.check, record.status));
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
        .flat_map(|(clause, checks)| checks.iter().map(move |(check, _)| format!("{check}: `{clause}`")))
        .collect();
    if !citations.is_empty() {
        return Err(UnknownClauses { citations });
    }
    Ok(citable
        .clauses
        .iter()
        .map(|clause| traced(clause, cited.get(clause.id.as_str()).map_or(&[][..], Vec::as_slice)))
        .collect())
}

fn traced(clause: &Clause, checks: &[(&str, Result)]) -> Traced {
    let failed = checks.iter().any(|(_, status)| *status == Result::Fail);
    let status = match (checks.is_empty(), failed, &clause.reason) {
        (false, false, _) => Status::Verified,
        (true, _, Some(_)) => Status::Reasoned,
        _ => Status::Open,
    };
    let checks = checks.iter().map(|(check, status)| match status {
        Result::Pass => (*check).to_owned(),
        Result::Fail => format!("{check} (failed)"),
    });
    Traced {
        id: clause.id.clone(),
        document: clause.document.clone(),
        keyword: clause.keyword,
        status,
        checks: checks.collect(),
        text: clause.text.clone(),
        reason: clause.reason.clone(),
    }
}

/// The documents that have been worked through: nothing that binds may be open in them.
pub const WORKED_THROUGH: [&str; 5] = ["000", "001", "002", "003", "004"];

/// The binding requirements of documents that have been worked through, as far as they are open.
pub fn open_musts(traced: &[Traced]) -> Vec<&Traced> {
    traced.iter().filter(|one| one.keyword == "MUST" && is_open_where_none_may_be(one)).collect()
}

fn is_open_where_none_may_be(one: &Traced) -> bool {
    WORKED_THROUGH.contains(&one.document.as_str()) && one.status == Status::Open
}

/// Counts per document, then what is open in those that have been worked through.
pub fn text(traced: &[Traced]) -> String {
    let mut text =
        format!("{:<10} {:>9} {:>9} {:>6} {:>6}\n", "document", "verified", "reasoned", "open", "all");
    for (document, counts) in counts(traced) {
        let of = |status: Status| counts.get(&status).copied().unwrap_or(0);
        let all: usize = counts.values().sum();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{document:<10} {:>9} {:>9} {:>6} {all:>6}",
            of(Status::Verified),
            of(Status::Reasoned),
            of(Status::Open)
        );
    }
    let open: Vec<&Traced> = traced.iter().filter(|one| is_open_where_none_may_be(one)).collect();
    let documents = WORKED_THROUGH.join(", ");
    if open.is_empty() {
        let _ = writeln!(text, "\nnothing in documents {documents} is open");
    } else {
        let _ = writeln!(text, "\nopen in documents {documents}");
        for one in open {
            let _ = writeln!(text, "  {:<6} {:<24} {}", one.keyword, one.id, one.checks.join(", "));
        }
    }
    text
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
