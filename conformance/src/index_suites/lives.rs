//! The suite `index`: scenarios that are written for a purpose, then lives drawn at random.
//!
//! Responsible for: how much is played, on how many threads; making failing lives small; which
//! cells were walked, and which had to be. Not here: one life ([`crate::index_live::play`]), the report
//! ([`crate::gate::suites`]). Invariants: a scenario has to walk the cells it is written for,
//! whatever random lives walk; a run without any exclusion is a failure.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::index_live::cells::{Cells, is_cell};
use crate::index_live::shrink::shrink;
use crate::index_live::{
    Life, Problem, Scenario, Tally, draw, draw_mounted, mounted_scenarios, scenarios,
};
use crate::limit::Limit;
use crate::runner::Runner;
use crate::subject::Broken;

/// Random lives after which every reachable cell must have been walked.
pub(super) const WHOLE: u64 = 2_000;

/// One of so many lives that are drawn has mounts of its own.
const MOUNTED: u64 = 8;

/// Failing lives after which no more are drawn.
const MAX_WRONG: usize = 12;

/// Lives that making one small may cost.
const TRIES: u32 = 120;

/// The extent of a run.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    pub threads: usize,
    /// The seed of what is drawn.
    pub seed: u64,
    /// When enough was drawn.
    pub limit: Limit,
    /// Whether failing lives are made small.
    pub shrinks: bool,
}

/// A violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// A short description.
    pub what: String,
    /// The life that shows it, and what it says.
    pub told: String,
}

/// The result of a run.
#[derive(Debug, Clone, Default)]
pub struct Lives {
    /// Counts.
    pub tally: Tally,
    /// The violations.
    pub wrong: Vec<Wrong>,
    /// Reachable cells that were not walked, for a run that need not walk all.
    pub unwalked: Vec<String>,
    /// Whether everything had to be walked.
    pub is_whole: bool,
    /// Why no life had mounts of its own; none if some had.
    pub no_mounts: Option<String>,
    pub took: Duration,
}

/// Plays scenarios and random lives. `unreachable` are the cells that the specification says cannot
/// be walked, with the reasons.
pub fn run(
    runner: &Runner,
    extent: Extent,
    unreachable: &BTreeMap<(String, String), String>,
    tick: &(dyn Fn(u64) + Sync),
) -> Lives {
    let started = Instant::now();
    let mut lives = Lives::default();
    let is_whole = matches!(extent.limit, Limit::Cases(cases) if cases >= WHOLE);
    let no_mounts = runner.no_own_mounts();
    let mut scenarios = scenarios(is_whole);
    if no_mounts.is_none() {
        scenarios.extend(mounted_scenarios(is_whole));
    }
    let scripted = many(extent.threads, &|number| number >= scenarios.len() as u64, |number| {
        let scenario = usize::try_from(number).ok().and_then(|number| scenarios.get(number));
        let outcome =
            scenario.map_or_else(Outcome::default, |scenario| directed(runner, extent, scenario));
        tick(1);
        outcome
    });
    lives.add(scripted);
    let enough = |number: u64| match extent.limit {
        Limit::Cases(cases) => number >= cases,
        Limit::Time(time) => started.elapsed() >= time,
    };
    let drawn = many(extent.threads, &enough, |number| {
        let mounts = no_mounts.is_none() && number % MOUNTED == MOUNTED - 1;
        let life =
            if mounts { draw_mounted(extent.seed, number) } else { draw(extent.seed, number) };
        let outcome = one(runner, extent, life);
        tick(1);
        outcome
    });
    lives.add(drawn);
    lives.account(unreachable, is_whole);
    lives.is_whole = is_whole;
    lives.no_mounts = no_mounts;
    lives.took = started.elapsed();
    lives
}

/// The result of some lives.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) tally: Tally,
    pub(super) wrong: Vec<Wrong>,
    played: u64,
}

impl Lives {
    fn add(&mut self, outcome: Outcome) {
        self.tally.add(&outcome.tally);
        for wrong in outcome.wrong {
            // One defect fails many lives; the first is reported.
            if !self.wrong.iter().any(|known| known.what == wrong.what) {
                self.wrong.push(wrong);
            }
        }
    }

    /// Judges what was walked and what was excluded.
    fn account(&mut self, unreachable: &BTreeMap<(String, String), String>, is_whole: bool) {
        let mut missing = Vec::new();
        for (trigger, state) in Cells::all() {
            let walked = self.tally.cells.get(trigger, state);
            match unreachable.get(&(trigger.to_owned(), state.to_owned())) {
                Some(because) if walked > 0 => self.wrong.push(Wrong {
                    what: format!(
                        "a cell was walked that is called unreachable: {trigger} in {state}"
                    ),
                    told: format!("walked {walked} time(s), called unreachable because {because}"),
                }),
                None if walked == 0 => missing.push(format!("{trigger} in {state}")),
                _ => {}
            }
        }
        if is_whole && !missing.is_empty() {
            self.wrong.push(Wrong {
                what: format!("{} reachable cells were not walked", missing.len()),
                told: missing.join("\n"),
            });
        }
        self.unwalked = missing;
        if self.tally.excluded == 0 {
            self.wrong.push(Wrong {
                what: "nothing was ever excluded, so that searches were compared with themselves"
                    .to_owned(),
                told: self.tally.lines().join("\n"),
            });
        }
    }
}

/// Runs numbers from 0 on, on several threads.
pub(super) fn many(
    threads: usize,
    enough: &(dyn Fn(u64) -> bool + Sync),
    play: impl Fn(u64) -> Outcome + Sync,
) -> Outcome {
    let next = AtomicU64::new(0);
    let whole: Mutex<(Outcome, BTreeMap<u64, Vec<Wrong>>)> = Mutex::default();
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let failed = whole.lock().unwrap_or_else(PoisonError::into_inner).1.len();
                    if enough(number) || failed >= MAX_WRONG {
                        return;
                    }
                    let outcome = play(number);
                    let mut whole = whole.lock().unwrap_or_else(PoisonError::into_inner);
                    whole.0.tally.add(&outcome.tally);
                    whole.0.played += 1;
                    if !outcome.wrong.is_empty() {
                        whole.1.insert(number, outcome.wrong);
                    }
                }
            });
        }
    });
    let (mut outcome, wrong) = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcome.wrong = wrong.into_values().flatten().collect();
    outcome
}

/// Plays one life; if it fails, a shrunk one is reported.
fn one(runner: &Runner, extent: Extent, life: Life) -> Outcome {
    let mut outcome = Outcome::default();
    let problem = match runner.play(&life) {
        Ok(played) => {
            outcome.tally = played.tally;
            played.problem
        }
        Err(broken) => Some(ended(&broken)),
    };
    if let Some(problem) = problem {
        // A worker that hangs costs its whole deadline each time.
        let hangs = problem.what == HUNG;
        let tries = if extent.shrinks && !hangs { TRIES } else { 0 };
        let (life, problem) = shrink(life, problem, tries, |life| match runner.play(life) {
            Ok(played) => played.problem,
            Err(broken) => Some(ended(&broken)),
        });
        // Lives of both kinds fail of different defects.
        let among = if life.own_mounts { "among mounts of its own: " } else { "" };
        let what = format!("{among}{}", problem.what);
        outcome.wrong.push(Wrong { what, told: description(&life, &problem) });
    }
    outcome
}

/// Plays a scenario, which has to walk its cells.
fn directed(runner: &Runner, extent: Extent, scenario: &Scenario) -> Outcome {
    let mut outcome = one(runner, extent, scenario.life.clone());
    let missed: Vec<String> = scenario
        .walks
        .iter()
        .filter(|(trigger, state)| {
            !is_cell(trigger, state) || outcome.tally.cells.get(trigger, state) == 0
        })
        .map(|(trigger, state)| format!("{trigger} in {state}"))
        .collect();
    for wrong in &mut outcome.wrong {
        wrong.what = format!("scenario `{}`: {}", scenario.life.name, wrong.what);
    }
    if outcome.wrong.is_empty() && !missed.is_empty() {
        outcome.wrong.push(Wrong {
            what: format!("scenario `{}` does not walk its cells", scenario.life.name),
            told: format!(
                "{}\nwalked instead:\n{}",
                missed.join("\n"),
                outcome.tally.cells.lines().join("\n")
            ),
        });
    }
    outcome
}

/// What a worker that hung is said to have done.
const HUNG: &str = "a life did not end in time";

/// A worker that gave no reply, as something that is wrong with the life.
pub(super) fn ended(broken: &Broken) -> Problem {
    let what = match broken {
        Broken::Hung { .. } => HUNG,
        Broken::Died { .. } => "the process ended",
        Broken::Panicked { .. } => "something panicked",
        Broken::Garbled { .. } | Broken::Tree { .. } | Broken::Unstartable { .. } => {
            "a life could not be played"
        }
    };
    Problem { at: None, what: what.to_owned(), told: broken.to_string() }
}

/// A life for people, and what is wrong with it.
pub(super) fn description(life: &Life, problem: &Problem) -> String {
    let yaml = serde_yaml::to_string(life).unwrap_or_else(|_| format!("{life:?}"));
    let at = problem.at.and_then(|at| life.acts.get(at));
    let at = at.map_or_else(String::new, |act| format!("at {act:?}\n"));
    format!("{yaml}\n{at}{}\n", problem.told)
}
