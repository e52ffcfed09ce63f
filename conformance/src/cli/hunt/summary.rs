//! The summary of a hunt.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::hunt::campaign::Campaign;
use crate::hunt::outcome::State;
use crate::hunt::report::brief::brief;
use crate::hunt::report::class::{Class, affected};
use crate::hunt::results::{Cell, Results};

/// Most places with unexplained cases that are listed.
const MOST_PLACES: usize = 40;

/// Most errors, flakes and stale entries that are listed, of each kind.
const MOST_LISTED: usize = 40;

/// The matrix as text: a row for each group, a column for each subject. A cell has its worst
/// verdict and the number of its cases.
pub(super) fn table(results: &Results) -> String {
    let mut groups: Vec<_> = results.cells.iter().map(|cell| cell.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut out = format!("{:<18}", "group");
    for info in &results.subjects {
        // Writing to a string does not fail.
        let _ = write!(out, " {:>16}", info.subject);
    }
    out.push('\n');
    for group in groups {
        let _ = write!(out, "{:<18}", group.name());
        for info in &results.subjects {
            let cell = results
                .cells
                .iter()
                .find(|cell| cell.group == group && cell.subject == info.subject);
            let shown = cell.map_or_else(String::new, |cell| {
                let class = Class::of(cell);
                match class {
                    Class::Nothing => String::new(),
                    Class::Unsupported => "-".to_owned(),
                    wrong if wrong >= Class::Known => {
                        format!("{} {}", wrong.name(), wrong.count(cell))
                    }
                    other => other.name().to_owned(),
                }
            });
            let _ = write!(out, " {shown:>16}");
        }
        out.push('\n');
    }
    out
}

/// Totals, findings in three lines each, unexplained cases, and the next command.
pub(super) fn summary(ended: &Campaign, file: &Path) -> String {
    let results = &ended.results;
    let mut out = sums(ended);
    for (what, said) in [
        ("trouble", &results.troubles),
        ("not seen again", &results.flakes),
        ("does not fail any more", &results.stale),
    ] {
        for one in said.iter().take(MOST_LISTED) {
            let _ = writeln!(out, "{what}: {one}");
        }
        if said.len() > MOST_LISTED {
            let _ = writeln!(out, "{what}: and {} more", said.len() - MOST_LISTED);
        }
    }
    out.push_str(&findings(results));
    let places = results.unexplained();
    if !places.is_empty() {
        out.push('\n');
    }
    for one in places.iter().take(MOST_PLACES) {
        let by = if one.oracle == "model" { String::new() } else { format!(" by {}", one.oracle) };
        let (cases, group) = (one.cases, one.group.name());
        let _ = writeln!(out, "unexplained{by}: {cases} of {}, {group}", one.subject);
    }
    if places.len() > MOST_PLACES {
        let _ = writeln!(out, "unexplained: and {} more places", places.len() - MOST_PLACES);
    }
    let left: usize = results.left.iter().map(|left| left.sightings.len()).sum();
    if left > 0 {
        let _ = writeln!(out, "{left} sightings are left");
    }
    let owed: u64 = results.owed.iter().map(|owed| owed.to - owed.from).sum();
    if owed > 0 {
        let _ = writeln!(out, "{owed} batches are left");
    }
    let _ = writeln!(out, "\n{}", results.outcome.says);
    let _ = writeln!(out, "next: {}", next(results, file));
    out
}

/// Number of cases by outcome.
fn sums(ended: &Campaign) -> String {
    let results = &ended.results;
    let cost = results.cost;
    let unsupported: u64 = results.cells.iter().map(|cell| cell.unsupported).sum();
    let answered = cost.cases.saturating_sub(unsupported);
    let mut out = format!(
        "{} cases, {answered} of them answered, in {} asks, {:.1} s, {:.1} s of processor time",
        cost.cases, cost.asks, cost.seconds, cost.cpu_seconds
    );
    // The time of cases from another run is unknown.
    if ended.asked == cost.cases {
        #[expect(clippy::cast_precision_loss, reason = "a rate is told in three digits")]
        let rate = answered as f64 / ended.hunting_cpu_seconds.max(0.01);
        let _ = write!(out, "; {rate:.0} answered cases a second of processor time while hunting");
    }
    out.push('\n');
    for info in &results.subjects {
        let mine = || results.cells.iter().filter(|cell| cell.subject == info.subject);
        let sum = |count: fn(&Cell) -> u64| mine().map(count).sum::<u64>();
        let _ = writeln!(
            out,
            "{:<20} agree {} declared {} known {} diverge {} broken {} unreadable {} \
             (unexplained {}) unsupported {}",
            info.subject,
            sum(|cell| cell.agree),
            sum(|cell| cell.declared),
            sum(|cell| cell.known),
            sum(|cell| cell.diverge),
            sum(|cell| cell.broken),
            sum(|cell| cell.unreadable),
            sum(Cell::unexplained),
            sum(|cell| cell.unsupported)
        );
    }
    let relations = results
        .relations
        .iter()
        .map(|(name, tried)| format!("{name} {}/{}", tried.broken, tried.tried));
    let _ = writeln!(out, "relations (broken/tried): {}", relations.collect::<Vec<_>>().join(", "));
    out
}

/// Known bugs that were met in one line each, the others in one; new ones with expected and observed
/// output and the command that shows it.
fn findings(results: &Results) -> String {
    let mut out = String::new();
    let mut known: BTreeMap<&str, u64> = BTreeMap::new();
    for finding in &results.findings {
        if let Some(name) = &finding.known {
            *known.entry(name).or_default() += finding.met;
        }
    }
    for (name, met) in known.iter().filter(|(_, met)| **met > 0) {
        let _ =
            writeln!(out, "known: {name}, met {met} {}", if *met == 1 { "time" } else { "times" });
    }
    let rest: Vec<&str> =
        known.into_iter().filter(|(_, met)| *met == 0).map(|(name, _)| name).collect();
    if !rest.is_empty() {
        let _ = writeln!(out, "known of these releases and not met: {}", rest.join(" "));
    }
    for finding in results.findings.iter().filter(|finding| finding.is_new()) {
        let (want, got) = brief(finding);
        let _ = writeln!(
            out,
            "\n{}: {}; wrong in {}\n  want {want}\n  got  {got}\n  run  {}",
            finding.id,
            finding.title,
            affected(finding),
            finding.command
        );
        let variants = results.findings.iter();
        for one in variants.filter(|one| one.variant_of.as_ref() == Some(&finding.id)) {
            let _ = writeln!(out, "  variant {}: {}", one.id, one.title);
        }
    }
    out
}

/// The suggested next command.
fn next(results: &Results, file: &Path) -> String {
    let file = file.display();
    match results.state() {
        State::CouldNot(_) if !results.unreadable.is_empty() => {
            let subject = results.unreadable.first().map_or("", |one| one.subject.as_str());
            let adapter = subject.strip_suffix("@system").unwrap_or(subject);
            format!("touchstone adapter check {adapter}")
        }
        _ if !results.left.is_empty() || !results.owed.is_empty() || results.interrupted => {
            format!("touchstone hunt --resume {file}")
        }
        _ => format!("touchstone report {file} --html hunt.html"),
    }
}
