//! Which cases of a run are known, explained by something new, or left.
//!
//! Responsible for: the kinds that another run left, put back ([`take_up`]), and the document of
//! what is known of all ([`explained`]).
//! Not here: making sightings small ([`super::finding`]); what is green
//! ([`super::outcome`]).
//! Invariants: a kind is explained once every sighting of it that was kept has been looked at and
//! one of them is a finding; it is known if all of these findings are.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Fate, Investigated};
use super::merge::{add_cell, add_finding};
use super::question::Feature;
use super::results::{Cell, Finding, Left, Results};
use super::tally::{Kind, Share, Tally};

/// The findings that the sightings of each kind have come to in earlier runs.
pub(super) type Earlier = BTreeMap<Kind, BTreeSet<String>>;

/// Puts back what another run left.
pub(super) fn take_up(tally: &mut Tally, left: Vec<Left>) -> Earlier {
    let mut earlier = Earlier::new();
    for Left { kind, shares, sightings, findings } in left {
        for share in shares {
            tally.share(kind.clone(), share);
        }
        for sighting in sightings {
            tally.keep(kind.clone(), sighting);
        }
        earlier.entry(kind).or_default().extend(findings);
    }
    earlier
}

/// What was there before, with what was asked and found since.
pub(super) fn explained(
    before: Results,
    tally: Tally,
    found: Investigated,
    mut earlier: Earlier,
) -> Results {
    let Investigated { findings, drawn, flakes, mut fates } = found;
    let mut results = before;
    let mut all: BTreeMap<String, Finding> = BTreeMap::new();
    for finding in std::mem::take(&mut results.findings).into_iter().chain(findings.into_values()) {
        add_finding(&mut all, finding);
    }
    let mut cells: BTreeMap<(String, Feature), Cell> = BTreeMap::new();
    for cell in std::mem::take(&mut results.cells).into_iter().chain(tally.cells.into_values()) {
        add_cell(&mut cells, cell);
    }
    for (id, places) in drawn {
        for place in places {
            if let Some(cell) = cells.get_mut(&place) {
                cell.findings.push(id.clone());
            }
        }
    }
    let is_known = |id: &String| all.get(id).is_some_and(|finding| finding.known.is_some());
    let mut shares = tally.shares;
    let kinds: BTreeSet<Kind> = shares.keys().chain(fates.keys()).cloned().collect();
    for kind in kinds {
        let Fate { mut findings, left, flaked } = fates.remove(&kind).unwrap_or_default();
        findings.extend(earlier.remove(&kind).unwrap_or_default());
        let shares: Vec<Share> = shares.remove(&kind).unwrap_or_default().into_values().collect();
        if left.is_empty() && !findings.is_empty() {
            let known = findings.iter().all(is_known);
            for share in shares {
                if let Some(cell) = cells.get_mut(&(share.subject.clone(), share.group)) {
                    cell.explain(&share, known);
                }
            }
            continue;
        }
        // Where others of its kind are a finding, one that is not seen again is only reported.
        let flaked = if findings.is_empty() { flaked } else { Vec::new() };
        let sightings = left.into_iter().chain(flaked).collect();
        let findings = findings.into_iter().collect();
        results.left.push(Left { kind, shares, sightings, findings });
    }
    results.cells = cells.into_values().collect();
    results.findings = all.into_values().collect();
    results.flakes.extend(flakes);
    for (feature, count) in tally.features {
        *results.features.entry(feature.name().to_owned()).or_default() += count;
    }
    for (name, tried) in tally.relations {
        let sum = results.relations.entry(name.to_owned()).or_default();
        sum.tried += tried.tried;
        sum.broken += tried.broken;
    }
    results.troubles.extend(tally.troubles);
    (results.owed, results.interrupted) = (tally.owed, tally.interrupted);
    results.cost.cases += tally.cost.cases;
    results.cost.asks += tally.cost.asks;
    results
}

impl Cell {
    /// Attributes the cases of a kind that is explained.
    fn explain(&mut self, share: &Share, known: bool) {
        let cases = share.diverge + share.broken + share.unreadable;
        if known {
            self.known += cases;
            self.diverge = self.diverge.saturating_sub(share.diverge);
            self.broken = self.broken.saturating_sub(share.broken);
            self.unreadable = self.unreadable.saturating_sub(share.unreadable);
        } else {
            self.explained += cases;
        }
    }
}
