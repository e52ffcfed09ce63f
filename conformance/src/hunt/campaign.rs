//! A whole hunt: subjects opened, hunted, sightings made into findings, known ones told apart,
//! results put in order.
//!
//! Responsible for: [`campaign`], which commands and tests call.
//! Left to neighbours: each of the steps; printing ([`crate::cli`]).
//! Invariants: a divergence is known only by an entry that still fails; a baseline's entry that
//! does not fail any more is told.

use std::time::{Duration, Instant};

use super::baseline::Baselines;
use super::cost::cpu_seconds;
use super::draw::Theme;
use super::finding::{Budget, Investigated, investigate};
use super::groups::Groups;
use super::lay::Ground;
use super::results::{Cell, Finding, Results, SCHEMA, SubjectInfo};
use super::run::{self, Options, Until};
use super::searcher::Searcher;
use super::subjects::{Adapters, Wanted, subject, sweep};
use super::tally::Tally;

/// Most subjects of one campaign.
pub const MOST_SUBJECTS: usize = 64;

/// What is to be done.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Who is asked, by name.
    pub subjects: Vec<String>,
    /// What batches are drawn from.
    pub seed: u64,
    /// The residue and the modulus of batches that are asked.
    pub shard: (u64, u64),
    /// How much.
    pub length: Length,
    /// What is drawn.
    pub theme: Theme,
    /// Threads.
    pub jobs: usize,
    /// Asks spent on making one case small.
    pub asks: usize,
}

/// How long a campaign is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// So many batches, which come to the same on every machine, and whatever time their sightings
    /// take.
    Batches(u64),
    /// So much time, a third of which is kept for making cases small.
    Time(Duration),
}

/// What a campaign came to.
#[derive(Debug)]
pub struct Campaign {
    /// The document.
    pub results: Results,
    /// Processor time of the hunting alone, in seconds.
    pub hunting_cpu_seconds: f64,
    /// What could not be done, once for each reason.
    pub troubles: Vec<String>,
    /// Sightings that were not wrong when asked again.
    pub flakes: Vec<String>,
    /// Sightings for which there was no time.
    pub left: usize,
    /// Entries of baselines that do not fail any more.
    pub stale: Vec<String>,
}

impl Campaign {
    /// Whether nothing new is wrong, and nothing that was known has become right.
    pub fn is_fine(&self) -> bool {
        let known = self.results.findings.iter().all(|finding| finding.known.is_some());
        known && self.stale.is_empty() && self.troubles.is_empty()
    }
}

/// Hunts.
///
/// # Errors
/// If a subject cannot be opened, or nothing can be laid on the disk.
pub fn campaign(
    plan: &Plan,
    adapters: &Adapters,
    groups: &Groups,
    baselines: &Baselines,
) -> Result<Campaign, String> {
    if plan.subjects.is_empty() || plan.subjects.len() > MOST_SUBJECTS {
        let count = plan.subjects.len();
        return Err(format!("{count} subjects; 1 to {MOST_SUBJECTS} are asked in one run"));
    }
    let mut infos: Vec<SubjectInfo> = Vec::new();
    for name in &plan.subjects {
        infos.push(subject(name, adapters).map_err(|error| error.to_string())?.info);
    }
    let open_one = |name: &str| -> Result<Box<dyn Searcher>, String> {
        subject(name, adapters).map(|subject| subject.searcher).map_err(|error| error.to_string())
    };
    let open = || plan.subjects.iter().map(|name| open_one(name)).collect();
    let start = Instant::now();
    let until = match plan.length {
        Length::Batches(count) => Until::Batches(count),
        Length::Time(time) => Until::Time(time * 2 / 3),
    };
    let options =
        Options { seed: plan.seed, shard: plan.shard, until, theme: plan.theme, jobs: plan.jobs };
    let tally = run::hunt(&options, groups, &open)?;
    let releases = |program: &str| releases(&plan.subjects, &infos, adapters, program);
    let until = match plan.length {
        Length::Batches(_) => None,
        Length::Time(time) => Some(start + time),
    };
    let budget = Budget { asks: plan.asks, until };
    let mut found = investigate(tally.in_turn(), groups, &open_one, &releases, budget)?;
    let version = |name: &str| {
        infos.iter().find(|info| info.subject == name).map(|info| info.version.as_str())
    };
    for finding in found.findings.values_mut() {
        finding.known =
            version(&finding.subject).and_then(|version| baselines.name(finding, version));
    }
    let mut stale = Vec::new();
    let mut ground = Ground::new().map_err(|error| error.to_string())?;
    for info in &infos {
        let mut searcher = open_one(&info.subject)?;
        stale.extend(baselines.stale(&info.program, &info.version, searcher.as_mut(), &mut ground));
    }
    let (flakes, left) = (std::mem::take(&mut found.flakes), found.left);
    let hunting_cpu_seconds = tally.cost.cpu_seconds;
    let troubles = tally.troubles.iter().cloned().collect();
    let mut results = results(plan, infos, tally, found);
    results.cost.seconds = start.elapsed().as_secs_f64();
    results.cost.cpu_seconds = cpu_seconds();
    super::merge::arrange(&mut results);
    Ok(Campaign { results, hunting_cpu_seconds, troubles, flakes, left, stale })
}

/// The names of all installed releases of a program, or of the subjects that are it where none is
/// installed.
fn releases(
    subjects: &[String],
    infos: &[SubjectInfo],
    adapters: &Adapters,
    program: &str,
) -> Vec<(String, String)> {
    let mine: Vec<(&String, &SubjectInfo)> =
        subjects.iter().zip(infos).filter(|(_, info)| info.program == program).collect();
    let Some((name, _)) = mine.first() else { return Vec::new() };
    let installed = subject(name, adapters)
        .map(|subject| sweep(subject.searcher.adapter(), &Wanted::parse(name).adapter))
        .unwrap_or_default();
    if installed.is_empty() {
        mine.iter().map(|(name, info)| ((*name).clone(), info.version.clone())).collect()
    } else {
        installed
    }
}

fn results(plan: &Plan, subjects: Vec<SubjectInfo>, tally: Tally, found: Investigated) -> Results {
    let Investigated { findings, drawn, .. } = found;
    let mut cells: Vec<Cell> = tally.cells.into_values().collect();
    for (id, places) in &drawn {
        for cell in
            cells.iter_mut().filter(|cell| places.contains(&(cell.subject.clone(), cell.group)))
        {
            cell.findings.push(id.clone());
        }
    }
    let is_known =
        |id: &String| findings.get(id).is_some_and(|finding: &Finding| finding.known.is_some());
    for cell in &mut cells {
        // What all findings of a cell explain is known; where one is new, nobody can tell which
        // case is whose.
        if !cell.findings.is_empty() && cell.findings.iter().all(is_known) {
            cell.known += std::mem::take(&mut cell.diverge);
        }
    }
    let (k, n) = plan.shard;
    let shards =
        if n == 1 { Vec::new() } else { vec![format!("{}/{n}", if k == 0 { n } else { k })] };
    Results {
        schema: SCHEMA,
        seed: plan.seed,
        shards,
        subjects,
        cells,
        findings: findings.into_values().collect(),
        features: tally
            .features
            .iter()
            .map(|(feature, count)| (feature.name().to_owned(), *count))
            .collect(),
        relations: tally
            .relations
            .iter()
            .map(|(name, tried)| ((*name).to_owned(), *tried))
            .collect(),
        cost: tally.cost,
    }
}
