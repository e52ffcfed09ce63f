//! Adding up what shards found.
//!
//! Responsible for: refusing what cannot be added ([`MergeError`]), the sums, and the order in
//! which everything stands
//! ([`arrange`]).
//! Not here: reading and writing ([`super::stored`]).
//! Invariants: the results of all shards make what one machine would have found, but for costs; the
//! order of the documents
//! does not matter, and neither does adding them up in steps.

use std::collections::{BTreeMap, BTreeSet};

use super::cluster::fold;
use super::draw::Theme;
use super::question::Feature;
use super::report::class::{release_order, version_of};
use super::results::{Cell, Finding, Left, Results, SCHEMA, SubjectInfo};
use super::shrink::Measure;
use super::tally::{Kind, add_share, insert};

/// Results that cannot be added up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There are none.
    #[error("nothing to merge")]
    Nothing,
    /// They have another shape.
    #[error(
        "schema {found} beside schema {expected}; make all shards with one release of this program"
    )]
    Schema {
        /// The first document's.
        expected: u32,
        /// Another's.
        found: u32,
    },
    /// They were drawn from another seed.
    #[error("seed {found} beside seed {expected}; shards of one run have one `--seed`")]
    Seed {
        /// The first document's.
        expected: u64,
        /// Another's.
        found: u64,
    },
    /// A shard is not named `k/n`.
    #[error("`{shard}` is no shard; shards are named `k/n`")]
    Shard {
        /// What it is named.
        shard: String,
    },
    /// Two runs were cut up in different ways.
    #[error("shard `{one}` beside shard `{other}`; shards of one run have one `n`")]
    Cut {
        /// One.
        one: String,
        /// The other.
        other: String,
    },
    /// A shard is there twice.
    #[error("shard `{shard}` is there twice")]
    Doubled {
        /// Which.
        shard: String,
    },
    /// Shards are not there.
    #[error("missing shards: {}; give `--partial` to do without", .shards.join(", "))]
    Missing {
        /// Which.
        shards: Vec<String>,
    },
    /// A shard did not ask everyone.
    #[error("`{subject}` was not asked by every shard; install it everywhere, or give `--partial`")]
    Unasked {
        /// Who was left out.
        subject: String,
    },
    /// One name for two programs.
    #[error("`{subject}` is {one} in one shard and {other} in another")]
    Subject {
        /// The name.
        subject: String,
        /// What it is.
        one: String,
        /// What else it is.
        other: String,
    },
}

/// Adds results up; `partial` allows missing shards and subjects.
///
/// # Errors
/// They are not shards of one run, one is there twice, or some are missing.
pub fn merge(all: Vec<Results>, partial: bool) -> Result<Results, MergeError> {
    let shards = shards(&all, partial)?;
    let subjects = subjects(&all, partial)?;
    let seed = all.first().map_or(0, |first| first.seed);
    let theme = all.first().map_or(Theme::All, |first| first.theme);
    let mut merged = Results { shards, subjects, ..Results::empty(seed, theme) };
    let mut left: BTreeMap<Kind, Left> = BTreeMap::new();
    let mut cells: BTreeMap<(String, Feature), Cell> = BTreeMap::new();
    let mut findings: BTreeMap<String, Finding> = BTreeMap::new();
    for results in all {
        for cell in results.cells {
            add_cell(&mut cells, cell);
        }
        for finding in results.findings {
            add_finding(&mut findings, finding);
        }
        for one in results.left {
            match left.get_mut(&one.kind) {
                Some(sum) => sum.merge(one),
                None => {
                    left.insert(one.kind.clone(), one);
                }
            }
        }
        merged.owed.extend(results.owed);
        merged.interrupted |= results.interrupted;
        merged.unreadable.extend(results.unreadable);
        merged.troubles.extend(results.troubles);
        merged.flakes.extend(results.flakes);
        merged.stale.extend(results.stale);
        for (feature, cases) in results.features {
            *merged.features.entry(feature).or_default() += cases;
        }
        for (relation, tried) in results.relations {
            let sum = merged.relations.entry(relation).or_default();
            sum.tried += tried.tried;
            sum.broken += tried.broken;
        }
        merged.cost.cases += results.cost.cases;
        merged.cost.asks += results.cost.asks;
        merged.cost.cpu_seconds += results.cost.cpu_seconds;
        // Shards run side by side: the longest is how long it took.
        merged.cost.seconds = merged.cost.seconds.max(results.cost.seconds);
    }
    merged.cells = cells.into_values().collect();
    merged.findings = findings.into_values().collect();
    merged.left = left.into_values().collect();
    arrange(&mut merged);
    Ok(merged)
}

/// Adds a cell to those that are there.
pub(super) fn add_cell(cells: &mut BTreeMap<(String, Feature), Cell>, cell: Cell) {
    match cells.get_mut(&(cell.subject.clone(), cell.group)) {
        Some(sum) => sum.merge(&cell),
        None => {
            cells.insert((cell.subject.clone(), cell.group), cell);
        }
    }
}

/// Adds a finding to those that are there.
pub(super) fn add_finding(findings: &mut BTreeMap<String, Finding>, finding: Finding) {
    let both = match findings.remove(&finding.id) {
        Some(other) => smaller(other, finding),
        None => finding,
    };
    findings.insert(both.id.clone(), both);
}

impl Left {
    /// Adds what another run left of the same kind.
    fn merge(&mut self, other: Self) {
        let mut shares = BTreeMap::new();
        for share in std::mem::take(&mut self.shares).into_iter().chain(other.shares) {
            add_share(&mut shares, share);
        }
        self.shares = shares.into_values().collect();
        for sighting in other.sightings {
            insert(&mut self.sightings, sighting);
        }
        self.findings.extend(other.findings);
        self.findings.sort();
        self.findings.dedup();
    }
}

/// Puts results in the order in which they are written: subjects by program and release, cells by
/// subject and group,
/// findings by id, those of a cell the smallest first.
pub fn arrange(results: &mut Results) {
    results.subjects.sort_by(|a, b| {
        (a.program.cmp(&b.program))
            .then_with(|| release_order(version_of(&a.subject), version_of(&b.subject)))
            .then_with(|| a.subject.cmp(&b.subject))
    });
    results.subjects.dedup();
    let ranks: BTreeMap<&str, usize> =
        results.subjects.iter().enumerate().map(|(at, one)| (one.subject.as_str(), at)).collect();
    let rank = |cell: &Cell| ranks.get(cell.subject.as_str()).copied().unwrap_or(usize::MAX);
    results.cells.sort_by(|a, b| {
        rank(a)
            .cmp(&rank(b))
            .then_with(|| a.subject.cmp(&b.subject))
            .then_with(|| a.group.cmp(&b.group))
    });
    results.findings.sort_by(|a, b| a.id.cmp(&b.id));
    fold(&mut results.findings);
    results.left.sort_by(|a, b| a.kind.cmp(&b.kind));
    results.owed.sort_unstable();
    results.unreadable.sort();
    results.unreadable.dedup();
    for said in [&mut results.troubles, &mut results.flakes, &mut results.stale] {
        said.sort();
        said.dedup();
    }
    let sizes: BTreeMap<&str, Size> =
        results.findings.iter().map(|finding| (finding.id.as_str(), size(finding))).collect();
    for cell in &mut results.cells {
        cell.findings.sort_by(|a, b| {
            sizes.get(a.as_str()).cmp(&sizes.get(b.as_str())).then_with(|| a.cmp(b))
        });
        cell.findings.dedup();
    }
}

/// What makes one question smaller than another; of two that are as small, the text of it.
type Size = (Measure, String);

fn size(finding: &Finding) -> Size {
    let text = serde_json::to_string(&finding.question).unwrap_or_default();
    (Measure::of(&finding.question), text)
}

/// One of two that are the same bug: the one with the smaller question, met by both.
fn smaller(one: Finding, other: Finding) -> Finding {
    let met = one.met + other.met;
    // What is named without being met has no time of its own.
    let first = [&one, &other].into_iter().filter(|finding| finding.met > 0);
    let first = first.map(|finding| finding.cpu_seconds).min_by(f64::total_cmp);
    let cpu_seconds = first.unwrap_or_default();
    // Where even the questions are the same, everything else decides, but for what is added up
    // below.
    let rest = |finding: &Finding| {
        let same = Finding { met: 0, cpu_seconds: 0.0, ..finding.clone() };
        serde_json::to_string(&same).unwrap_or_default()
    };
    let first = size(&one).cmp(&size(&other)).then_with(|| rest(&one).cmp(&rest(&other))).is_le();
    let (kept, dropped) = if first { (one, other) } else { (other, one) };
    Finding { met, cpu_seconds, known: kept.known.or(dropped.known), ..kept }
}

/// The shards that are there, in order.
fn shards(all: &[Results], partial: bool) -> Result<Vec<String>, MergeError> {
    let first = all.first().ok_or(MergeError::Nothing)?;
    let mut found: BTreeMap<u64, String> = BTreeMap::new();
    let mut cut: Option<(u64, String)> = None;
    let whole = ["1/1".to_owned()];
    for results in all {
        if results.schema != SCHEMA {
            return Err(MergeError::Schema { expected: SCHEMA, found: results.schema });
        }
        if results.seed != first.seed {
            return Err(MergeError::Seed { expected: first.seed, found: results.seed });
        }
        let named = if results.shards.is_empty() { &whole[..] } else { &results.shards };
        for shard in named {
            let (k, n) = parse(shard).ok_or_else(|| MergeError::Shard { shard: shard.clone() })?;
            if let Some((other_n, other)) = &cut
                && *other_n != n
            {
                return Err(MergeError::Cut { one: other.clone(), other: shard.clone() });
            }
            cut = Some((n, shard.clone()));
            // `k` counts from 1 or from 0; either way a shard takes the batches of one remainder.
            if found.insert(k % n, shard.clone()).is_some() {
                return Err(MergeError::Doubled { shard: shard.clone() });
            }
        }
    }
    let n = cut.map_or(1, |(n, _)| n);
    let from_zero = found.values().any(|shard| shard.starts_with("0/"));
    let named = |k: u64| format!("{}/{n}", if k == 0 && !from_zero { n } else { k });
    let missing: Vec<String> =
        (0..n).filter(|k| !found.contains_key(k)).take(64).map(named).collect();
    if !missing.is_empty() && !partial {
        return Err(MergeError::Missing { shards: in_order(missing) });
    }
    if n == 1 {
        // A run that was never cut has no shards.
        return Ok(first.shards.clone());
    }
    Ok(in_order(found.into_values().collect()))
}

/// `k/n`, with `k` from 0 or 1, and at most a million shards.
fn parse(shard: &str) -> Option<(u64, u64)> {
    let (k, n) = shard.split_once('/')?;
    let (k, n): (u64, u64) = (k.parse().ok()?, n.parse().ok()?);
    (k <= n && (1..=1_000_000).contains(&n)).then_some((k, n))
}

fn in_order(mut shards: Vec<String>) -> Vec<String> {
    shards.sort_by_key(|shard| parse(shard));
    shards
}

/// Everyone who was asked, by every shard unless `partial`.
fn subjects(all: &[Results], partial: bool) -> Result<Vec<SubjectInfo>, MergeError> {
    let mut subjects: BTreeMap<&str, &SubjectInfo> = BTreeMap::new();
    for one in all.iter().flat_map(|results| &results.subjects) {
        if let Some(other) = subjects.insert(&one.subject, one)
            && other != one
        {
            let told = |one: &SubjectInfo| format!("{} {}", one.program, one.version);
            return Err(MergeError::Subject {
                subject: one.subject.clone(),
                one: told(other),
                other: told(one),
            });
        }
    }
    for results in all.iter().filter(|_| !partial) {
        let asked: BTreeSet<&str> =
            results.subjects.iter().map(|one| one.subject.as_str()).collect();
        if let Some(subject) = subjects.keys().find(|subject| !asked.contains(**subject)) {
            return Err(MergeError::Unasked { subject: (*subject).to_owned() });
        }
    }
    Ok(subjects.into_values().cloned().collect())
}

#[cfg(test)]
mod tests;
