//! A whole hunt: subjects opened, hunted, sightings made into findings, known ones recognised,
//! results put in order.
//!
//! Responsible for: [`campaign`] and [`resume`], which commands and tests call. Not here: each of
//! the steps; printing (`touchstone::cli`). Invariants: a divergence is known only by an entry that
//! still fails; a baseline's entry that does not fail any more is reported.

use std::time::{Duration, Instant};

use super::baseline::Baselines;
use super::cost::cpu_seconds;
use super::draw::Theme;
use super::explain;
use super::finding::{Budget, OpenOne, Releases, investigate};
use super::groups::Groups;
use super::outcome::State;
use super::pack_directory::PackDirectory;
use super::results::{Results, SubjectInfo};
use super::run::{self, Options, Until};
use super::searcher::Searcher;
use super::subjects::{Adapters, Wanted, subject, sweep};
use super::watch::Watch;

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
    /// This many batches, whatever time their sightings take; results are then the same on every
    /// machine.
    Batches(u64),
    /// So much time. Up to half of it is kept for making cases small.
    Time(Duration),
    /// What another run left, in so much time.
    Owed(Option<Duration>),
}

/// What a campaign came to.
#[derive(Debug)]
pub struct Campaign {
    /// The document.
    pub results: Results,
    /// Cases that were asked in this run.
    pub asked: u64,
    /// Processor time of asking them, in seconds.
    pub hunting_cpu_seconds: f64,
}

impl Campaign {
    /// Whether nothing new is wrong, nothing is unexplained, and nothing that was known has become
    /// right.
    pub fn is_fine(&self) -> bool {
        self.results.state() == State::Fine
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
    watch: &dyn Watch,
) -> Result<Campaign, String> {
    let shards = match plan.shard {
        (_, 1) => Vec::new(),
        (0, n) => vec![format!("{n}/{n}")],
        (k, n) => vec![format!("{k}/{n}")],
    };
    let nothing = Results { shards, ..Results::empty(plan.seed, plan.theme) };
    hunt(plan, nothing, adapters, groups, baselines, watch)
}

/// Takes up what another run left: the batches it was to ask, and the sightings it did not make
/// small. Of the plan only the length, threads and asks count.
///
/// # Errors
/// As [`campaign`]; or a subject is another release by now.
pub fn resume(
    plan: &Plan,
    before: Results,
    adapters: &Adapters,
    groups: &Groups,
    baselines: &Baselines,
    watch: &dyn Watch,
) -> Result<Campaign, String> {
    let plan = Plan {
        subjects: before.subjects.iter().map(|info| info.subject.clone()).collect(),
        seed: before.seed,
        theme: before.theme,
        ..plan.clone()
    };
    hunt(&plan, before, adapters, groups, baselines, watch)
}

/// Goes on from what is there.
fn hunt(
    plan: &Plan,
    mut before: Results,
    adapters: &Adapters,
    groups: &Groups,
    baselines: &Baselines,
    watch: &dyn Watch,
) -> Result<Campaign, String> {
    if plan.subjects.is_empty() || plan.subjects.len() > MOST_SUBJECTS {
        let count = plan.subjects.len();
        return Err(format!("{count} subjects; 1 to {MOST_SUBJECTS} are asked in one run"));
    }
    let mut infos: Vec<SubjectInfo> = Vec::new();
    for name in &plan.subjects {
        infos.push(subject(name, adapters).map_err(|error| error.to_string())?.info);
    }
    for (was, is) in before.subjects.iter().zip(&infos) {
        if was != is {
            return Err(format!(
                "`{}` was {} {} and is {} now; hunt anew",
                was.subject, was.program, was.version, is.version
            ));
        }
    }
    let open_one = |name: &str| -> Result<Box<dyn Searcher>, String> {
        subject(name, adapters).map(|subject| subject.searcher).map_err(|error| error.to_string())
    };
    let open = || plan.subjects.iter().map(|name| open_one(name)).collect();
    let start = Instant::now();
    let (until, deadline) = match plan.length {
        Length::Batches(count) => (Until::Batches(count), None),
        Length::Time(time) => (Until::Time(time), Some(start + time)),
        Length::Owed(time) => {
            (Until::Owed(std::mem::take(&mut before.owed)), time.map(|time| start + time))
        }
    };
    let options = Options {
        seed: plan.seed,
        shard: plan.shard,
        until,
        theme: plan.theme,
        jobs: plan.jobs,
        spare: baselines.spare(&infos),
    };
    let names: Vec<&str> = infos.iter().map(|info| info.subject.as_str()).collect();
    watch.begin(&names);
    let mut tally = run::hunt(&options, groups, &open, watch)?;
    let (asked, hunting_cpu_seconds) = (tally.cost.cases, tally.cost.cpu_seconds);
    let earlier = explain::take_up(&mut tally, std::mem::take(&mut before.left));
    before.unreadable = tally.unreadable();
    let releases = |program: &str| releases(&plan.subjects, &infos, adapters, program);
    // Of a program that cannot be read, nothing is worth making small.
    let until = if before.unreadable.is_empty() { deadline } else { Some(start) };
    let budget = Budget { asks: plan.asks, until };
    let sightings = tally.in_turn();
    if before.unreadable.is_empty() && !watch.is_over() {
        watch.settle(sightings.len());
    }
    let known = (groups, baselines, before.findings.as_slice());
    let subjects = if before.unreadable.is_empty() { infos.as_slice() } else { &[] };
    let subjects = (subjects, &releases as Releases<'_>);
    let found = investigate(sightings, known, &open_one, subjects, budget, watch)?;
    before.stale = stale(&infos, baselines, &open_one, watch)?;
    before.subjects = infos;
    let mut results = explain::explained(before, tally, found, earlier);
    results.interrupted |= watch.is_over();
    results.cost.seconds += start.elapsed().as_secs_f64();
    results.cost.cpu_seconds += cpu_seconds();
    super::merge::arrange(&mut results);
    results.outcome = results.outcome();
    Ok(Campaign { results, asked, hunting_cpu_seconds })
}

/// What baselines claim of these subjects and is not so.
fn stale(
    subjects: &[SubjectInfo],
    baselines: &Baselines,
    open: OpenOne<'_>,
    watch: &dyn Watch,
) -> Result<Vec<String>, String> {
    let mut packs = PackDirectory::new().map_err(|error| error.to_string())?;
    let mut stale = Vec::new();
    for SubjectInfo { subject, program, version } in subjects {
        if watch.is_over() {
            break;
        }
        let mut searcher = open(subject)?;
        stale.extend(baselines.stale(program, version, searcher.as_mut(), &mut packs));
    }
    Ok(stale)
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
