//! The trace as text.

use std::fmt::Write as _;

use touchstone_spec::{Keyword, Spec};

use super::{Status, Traced, counts, failing};

/// Counts by document, then the rows that fail the gate.
pub fn text(traced: &[Traced], strict: bool) -> String {
    let mut text = format!("{:<9}", "document");
    for status in Status::ALL {
        // Writing to a string does not fail.
        let _ = write!(text, " {:>width$}", status.name(), width = width(status));
    }
    text.push_str("    all\n");
    for (document, counts) in counts(traced) {
        let _ = write!(text, "{document:<9}");
        for status in Status::ALL {
            let count = counts.get(&status).copied().unwrap_or(0);
            let _ = write!(text, " {count:>width$}", width = width(status));
        }
        let _ = writeln!(text, " {:>6}", counts.values().sum::<usize>());
    }
    let failing = failing(traced, strict);
    if failing.is_empty() {
        text.push_str("\nno row is open; `touchstone trace ROW` says what is missing to one\n");
    }
    for one in failing {
        let why = one.missing.clone().unwrap_or_else(|| one.checks.join(", "));
        let _ =
            writeln!(text, "  {:<12} {:<6} {:<24} {why}", one.status.name(), one.keyword, one.id);
    }
    text
}

/// As wide as the heading, and as a number.
fn width(status: Status) -> usize {
    status.name().len().max(4)
}

/// Everything that is known of one row; none if there is no such row.
pub fn one(spec: &Spec, traced: &[Traced], id: &str) -> Option<String> {
    let one = traced.iter().find(|one| one.id == id)?;
    let document =
        spec.documents.iter().find(|document| document.document.value == one.document)?;
    let row = document.requirements.iter().find(|row| row.id.value == id)?;
    let verify: Vec<&str> = row.verify.iter().map(|kind| kind.name()).collect();
    let mut text = format!(
        "{id}  {} of document {}, {}\n  {}\n  {}\n  to be verified by: {}\n",
        Keyword::name(row.keyword),
        one.document,
        document.title,
        document.source,
        row.text,
        verify.join(", ")
    );
    if let Some(reason) = &row.reason {
        let _ = writeln!(text, "  {reason}");
    }
    for erratum in &row.resolved_by {
        let found = spec.errata.errata.iter().find(|found| found.id.value == erratum.value);
        let chosen = found.map_or("", |found| found.chosen.as_str());
        let _ = writeln!(text, "read as {}: {chosen}", erratum.value);
    }
    for check in &one.checks {
        let _ = writeln!(text, "claimed by {check}");
    }
    let _ = writeln!(
        text,
        "{}{}",
        one.status.name(),
        one.missing.as_ref().map_or_else(String::new, |why| format!(": {why}"))
    );
    if let Some(way_out) = one.status.way_out() {
        let _ = writeln!(text, "to change that: {way_out}");
    }
    Some(text)
}
