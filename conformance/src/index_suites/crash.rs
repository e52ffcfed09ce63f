//! The crash campaign: processes that index are killed, their files are damaged, and the next
//! process has to answer correctly.
//!
//! Responsible for: the suite `index-crash`. A worker plays a life in which it kills itself at a
//! named point of the engine, or is killed after some time; another one opens the remaining files,
//! searches, continues indexing, searches again, and compares the index with the tree. Not here:
//! processes ([`crate::runner`]), one life ([`crate::index_live::play`]). Invariants: a process
//! that is to be killed at a point ends by SIGKILL or at the end of its life, everything else is a
//! violation; the next life begins with the files as they were left.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use forge_search_engine::index::Point;
use serde_json::{Value, json};

use super::lives::{Extent, Outcome, Wrong, description, ended, many};
use crate::case::CaseConfig;
use crate::dice::Dice;
use crate::index_live::damage::files;
use crate::index_live::life::{part, text};
use crate::index_live::{Act, Damage, Edit, Fault, Life, Played, Tally, Trap, Use, draw, faults};
use crate::index_model::names::snake;
use crate::limit::Limit;
use crate::runner::Runner;
use crate::subject::Broken;

/// Longest life, in which a process has to answer or to be dead.
const DEADLINE: Duration = Duration::from_secs(30);

/// Attempts for each kill that is wanted; some points lie beyond the end of some lives.
const ATTEMPTS: u64 = 5;

/// Kills after which each point that is passed with a store on disk must have been one's last.
const WHOLE: u64 = 1_000;

/// When a process is killed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kill {
    /// At a point, when it is passed for this time.
    At(String, u32),
    /// After this many milliseconds.
    After(u64),
}

/// The result of a campaign.
#[derive(Debug, Clone, Default)]
pub struct KillReport {
    /// Counts, as far as they were reported before the end.
    pub tally: Tally,
    /// Processes that were killed.
    pub kills: u64,
    /// Those, by where or how they were.
    pub by: BTreeMap<String, u64>,
    /// The violations.
    pub wrong: Vec<Wrong>,
    pub took: Duration,
}

/// Kills until `extent.limit` is reached.
pub fn campaign(runner: &Runner, extent: Extent, tick: &(dyn Fn(u64) + Sync)) -> KillReport {
    let started = Instant::now();
    let kills = AtomicU64::new(0);
    let by: std::sync::Mutex<BTreeMap<String, u64>> = std::sync::Mutex::default();
    let killed = |how: String| {
        kills.fetch_add(1, Ordering::Relaxed);
        *by.lock().unwrap_or_else(std::sync::PoisonError::into_inner).entry(how).or_default() += 1;
        tick(1);
    };
    let enough = |number: u64| match extent.limit {
        Limit::Cases(cases) => kills.load(Ordering::Relaxed) >= cases || number >= cases * ATTEMPTS,
        Limit::Time(time) => started.elapsed() >= time,
    };
    let outcome = many(extent.threads, &enough, |number| {
        let (life, kill) = doomed(extent.seed, number);
        one(runner, &life, &kill, &heir(extent.seed, number, &life), &killed)
    });
    let kills = kills.load(Ordering::Relaxed);
    let by = by.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut done =
        KillReport { tally: outcome.tally, kills, by, wrong: Vec::new(), took: Duration::ZERO };
    for wrong in outcome.wrong {
        if !done.wrong.iter().any(|known| known.what == wrong.what) {
            done.wrong.push(wrong);
        }
    }
    done.account(extent.limit);
    done.took = started.elapsed();
    done
}

impl KillReport {
    fn account(&mut self, limit: Limit) {
        let mut wrong =
            |what: &str, told: String| self.wrong.push(Wrong { what: what.to_owned(), told });
        if let Limit::Cases(cases) = limit
            && self.kills < cases
            && self.tally.lives > 0
        {
            wrong(
                "fewer processes were killed than had to be",
                format!("{} of {cases}: {:?}", self.kills, self.by),
            );
        }
        let missing: Vec<String> = points().filter(|point| !self.by.contains_key(point)).collect();
        if self.kills >= WHOLE && !missing.is_empty() {
            wrong("no process was killed at some points", missing.join("\n"));
        }
        if self.tally.excluded == 0 {
            wrong(
                "nothing was ever excluded, so that searches were compared with themselves",
                self.tally.lines().join("\n"),
            );
        }
    }
}

/// Points at which a process can be killed that keeps its index on disk.
fn points() -> impl Iterator<Item = String> {
    faults::points().filter(|point| *point != snake(Point::OpenMemory))
}

/// One killed process, and the one that comes after it.
fn one(runner: &Runner, life: &Life, kill: &Kill, heir: &Life, killed: &dyn Fn(String)) -> Outcome {
    let shared = runner.shared();
    let mut outcome = Outcome::default();
    let deadline = match kill {
        Kill::At(..) => DEADLINE,
        Kill::After(milliseconds) => Duration::from_millis(*milliseconds),
    };
    match (runner.play_in(life, &shared, true, deadline), kill) {
        (Ok(played), _) => {
            // It got to its end; it has to have lived rightly.
            outcome.tally.add(&played.tally);
            if let Some(problem) = played.problem {
                outcome
                    .wrong
                    .push(Wrong { what: problem.what.clone(), told: description(life, &problem) });
            }
        }
        (Err(Broken::Died { status, .. }), Kill::At(point, _)) if status.contains("signal: 9") => {
            killed(point.clone());
        }
        (Err(Broken::Hung { .. }), Kill::After(_)) => killed("some moment".to_owned()),
        (Err(broken), _) => {
            let problem = ended(&broken);
            outcome
                .wrong
                .push(Wrong { what: problem.what.clone(), told: description(life, &problem) });
        }
    }
    // Killed before there was a tree: nothing was inherited.
    if !outcome.wrong.is_empty() || !shared.path().join("tree/root").is_dir() {
        return outcome;
    }
    let left = inventory(&shared.path().join("cache"));
    let (tally, problem) = match runner.play_in(heir, &shared, false, DEADLINE) {
        Ok(Played { tally, problem }) => (tally, problem),
        Err(broken) => (Tally::default(), Some(ended(&broken))),
    };
    outcome.tally.add(&tally);
    if let Some(problem) = problem {
        let what = format!("after a kill: {}", problem.what);
        let told = format!(
            "{kill:?}, of\n{}left: {left}\nand then\n{}",
            told_life(life),
            description(heir, &problem)
        );
        outcome.wrong.push(Wrong { what, told });
    }
    outcome
}

fn told_life(life: &Life) -> String {
    serde_yaml::to_string(life).unwrap_or_else(|_| format!("{life:?}"))
}

fn inventory(cache: &Path) -> String {
    let told = files(cache, "").into_iter().map(|path| {
        let length = path.metadata().map_or(0, |metadata| metadata.len());
        format!("{} {length}", path.file_name().unwrap_or_default().to_string_lossy())
    });
    told.collect::<Vec<_>>().join(", ")
}

/// A life that will be killed, and when.
fn doomed(seed: u64, number: u64) -> (Life, Kill) {
    let mut dice = Dice::new(!seed, number);
    let mut acts = vec![Act::Search(draw::request(&mut dice)), Act::Settle];
    for _ in 0..2 + dice.below(5) {
        work(&mut dice, &mut acts);
    }
    let points: Vec<String> = points().collect();
    let kill = if dice.once_in(5) {
        Kill::After(5 + dice.below(120) as u64)
    } else {
        let at = usize::try_from(number).unwrap_or(0) % points.len().max(1);
        let point = points.get(at).cloned().unwrap_or_default();
        let far = if dice.once_in(3) { 12 } else { 3 };
        Kill::At(point, u32::try_from(dice.below(far)).unwrap_or(0))
    };
    if let Kill::At(point, after) = &kill {
        // From the first act on, or from a later one, so that what comes late is met as well.
        let from = if dice.once_in(2) { 0 } else { dice.below(acts.len()) };
        let trap =
            Trap { point: point.clone(), after: *after, times: 1, fault: Fault::Kill, errno: None };
        acts.insert(from, Act::Arm(trap));
    }
    let mut settings = BTreeMap::from([("index_max_tokenized_bytes".to_owned(), json!(4_096))]);
    if dice.once_in(4) {
        settings.insert("index_build_max_files".to_owned(), json!(1 + dice.below(4)));
    }
    if dice.once_in(6) {
        settings.insert("index_filter_layout".to_owned(), json!("packed"));
    }
    if dice.once_in(4) {
        // So that a scan has slices.
        settings.insert("reconcile_max_files".to_owned(), json!(1));
    }
    let life = Life {
        name: format!("doomed-{seed:x}-{number}"),
        config: CaseConfig::default(),
        settings,
        using: if dice.once_in(5) { Use::Background } else { Use::Stepped },
        own_mounts: false,
        beside: false,
        sabotage: None,
        damage: Vec::new(),
        tree: draw::tree(&mut dice),
        acts,
    };
    (life, kill)
}

/// An edit; none that closes a directory, whose contents the next process could not know.
fn open_edit(dice: &mut Dice) -> Option<Act> {
    Some(draw::edit(dice)).filter(|edit| !matches!(edit, Edit::Chmod(..))).map(Act::Edit)
}

/// Acts that write the store.
fn work(dice: &mut Dice, acts: &mut Vec<Act>) {
    match dice.below(8) {
        0..=2 => {
            for _ in 0..=dice.below(4) {
                acts.extend(open_edit(dice));
            }
            acts.push(Act::Search(draw::request(dice)));
            acts.push(Act::Settle);
        }
        3 => {
            let name = dice.pick(&["m", "src/m", "docs/n"], "m");
            acts.extend([
                Act::Edit(Edit::Many(text(name), 40, part("needle of many\n"))),
                Act::Settle,
            ]);
        }
        4 => acts.extend([Act::Rebuild, Act::Settle]),
        5 => acts.extend([Act::Rebuild, Act::Turns(2), Act::Restart { clean: true }, Act::Settle]),
        6 => {
            // Another key, and room for one index only.
            acts.push(Act::Set("bloom_ngram_k".to_owned(), json!(2 + dice.below(2))));
            acts.push(Act::Set("index_max_indexes".to_owned(), json!(1)));
            acts.extend([Act::Restart { clean: !dice.once_in(3) }, Act::Settle]);
        }
        _ => acts.extend([Act::Clear, Act::Settle]),
    }
}

/// The life of the next process.
fn heir(seed: u64, number: u64, of: &Life) -> Life {
    let mut dice = Dice::new(seed ^ 0x4845_4952, number);
    let at = dice.below(1_000) as u64;
    let damages = [
        Damage::Truncate(at),
        Damage::Zero(at),
        Damage::Flip(at),
        Damage::TruncateLog(at),
        Damage::ZeroLog(at),
        Damage::FlipLog(at),
        Damage::RemoveLog,
        Damage::Garbage,
    ];
    let damage =
        if dice.once_in(2) { vec![dice.pick(&damages, Damage::RemoveLog)] } else { Vec::new() };
    let using = if dice.once_in(3) { Use::Existing } else { Use::Stepped };
    let mut settings: BTreeMap<String, Value> = of.settings.clone();
    settings.remove("index_build_max_files");
    let mut acts: Vec<Act> = (0..3).map(|_| Act::Search(draw::request(&mut dice))).collect();
    acts.push(Act::find("needle"));
    if using == Use::Existing {
        acts.extend([Act::Use(Use::Stepped), Act::Restart { clean: true }]);
    }
    acts.extend([
        Act::Edit(draw::edit(&mut dice)),
        Act::find("needle"),
        Act::Settle,
        Act::find("nowhere at all"),
    ]);
    acts.extend((0..3).map(|_| Act::Search(draw::request(&mut dice))));
    acts.extend([
        Act::Verify,
        Act::Restart { clean: true },
        Act::find("needle"),
        Act::Settle,
        Act::find("zebra"),
        Act::Verify,
    ]);
    Life {
        name: format!("heir-{seed:x}-{number}"),
        using,
        damage,
        settings,
        acts,
        tree: Vec::new(),
        ..of.clone()
    }
}
