//! The loop: batches are drawn, asked and judged; what differs is kept, a few cases of each kind.
//!
//! Responsible for: which batches ([`Options`]), the tally of verdicts by subject and group, and
//! the first sightings of
//! divergences ([`Sighting`]).
//! Left to neighbours: making sightings small and telling what they are ([`super::finding`]).
//! Invariants: what a given set of batches comes to does not depend on threads or time: of each
//! kind of sighting those with the
//! lowest numbers are kept.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use touchstone_spec::adapter::Dialect;

use super::cost::cpu_seconds;
use super::draw::{Batch, Theme};
use super::expect::Expectation;
use super::features::{content_features, tree_features};
use super::git;
use super::groups::{Groups, Set};
use super::judge::{Judge, beyond_the_model};
use super::lay::{Ground, GroundError};
use super::question::{Ask, Feature, Pack, Question};
use super::relations::{NotTried, Relation};
use super::results::Cell;
use super::searcher::{Laid, Searcher};
use super::tally::{Kind, Sighting, Tally};
use super::verdict::{Aspect, NoAnswer, Verdict};
use crate::case::Text;

/// One ask in so many is tried by a relation.
const RELATIONS: u64 = 8;

/// Subjects to ask, made anew for each thread.
pub type Open<'a> = &'a (dyn Fn() -> Result<Vec<Box<dyn Searcher>>, String> + Sync);

/// What is to be hunted.
#[derive(Debug, Clone)]
pub struct Options {
    /// What batches are drawn from.
    pub seed: u64,
    /// Batches whose number is the first modulo the second.
    pub shard: (u64, u64),
    /// Until then.
    pub until: Until,
    /// What batches are of.
    pub theme: Theme,
    /// Threads.
    pub jobs: usize,
}

/// When a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// After so many batches.
    Batches(u64),
    /// After so much time.
    Time(Duration),
}

/// Hunts.
///
/// # Errors
/// If subjects cannot be opened or nothing can be laid.
pub fn hunt(options: &Options, groups: &Groups, open: Open<'_>) -> Result<Tally, String> {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let whole = Mutex::new(Tally::default());
    let work = || -> Result<(), String> {
        let mut worker = Worker {
            options,
            groups,
            searchers: open()?,
            ground: Ground::new().map_err(|error| error.to_string())?,
            tally: Tally::default(),
        };
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let over = match options.until {
                Until::Batches(count) => index >= count,
                Until::Time(time) => start.elapsed() >= time,
            };
            if over {
                break;
            }
            worker
                .batch(index * options.shard.1 + options.shard.0)
                .map_err(|error| error.to_string())?;
        }
        if let Ok(mut whole) = whole.lock() {
            whole.add(worker.tally);
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err("a thread panicked".to_owned()))
        })
    })?;
    let mut tally = whole.into_inner().map_err(|_| "a thread panicked".to_owned())?;
    tally.cost.seconds = start.elapsed().as_secs_f64();
    tally.cost.cpu_seconds = cpu_seconds();
    Ok(tally)
}

struct Worker<'a> {
    options: &'a Options,
    groups: &'a Groups,
    searchers: Vec<Box<dyn Searcher>>,
    ground: Ground,
    tally: Tally,
}

/// What the subjects made of one ask.
struct Asked<'a> {
    place: (u64, usize),
    pack: &'a Pack,
    ask: &'a Ask,
    /// Verdicts by subject, file by file; the last is of the pack as a whole.
    verdicts: Vec<Vec<Verdict>>,
    files: &'a [(Text, Vec<u8>)],
    groups: Vec<Feature>,
}

impl Worker<'_> {
    fn batch(&mut self, number: u64) -> Result<(), GroundError> {
        let batch = Batch::draw(self.options.seed, number, self.options.theme);
        let files: Vec<(Text, Vec<u8>)> =
            batch.pack.files().map(|(path, bytes)| (Text(path.to_vec()), bytes)).collect();
        let contents: Vec<Set> =
            files.iter().map(|(path, bytes)| Set::of(&content_features(&path.0, bytes))).collect();
        let mut ground = std::mem::replace(&mut self.ground, Ground::new()?);
        let lies = ground.lay(&batch.pack)?;
        for (index, ask) in batch.asks.iter().enumerate() {
            let walks = ask.walk.is_some();
            let mut asked = Set::of(&ask.features());
            if walks {
                asked = asked.with(Set::of(&tree_features(&batch.pack)));
            }
            // A walk is one case: what it finds depends on the tree as a whole.
            let sets: Vec<Set> = if walks {
                vec![asked]
            } else {
                contents.iter().map(|content| content.with(asked)).collect()
            };
            for feature in sets.iter().flat_map(|set| set.features()) {
                *self.tally.features.entry(feature).or_default() += 1;
            }
            let groups: Vec<Feature> = sets.iter().map(|set| self.groups.group(*set)).collect();
            self.ask_git((number, index), lies.laid(), ask);
            let verdicts = self.ask(lies.laid(), ask, &files);
            let asked = Asked {
                place: (number, index),
                pack: &batch.pack,
                ask,
                verdicts,
                files: &files,
                groups,
            };
            self.count(&asked);
            self.sight(&asked);
        }
        drop(lies);
        self.ground = ground;
        for (index, ask) in batch.asks.iter().enumerate() {
            if (number + index as u64).is_multiple_of(RELATIONS) {
                self.relate((number, index), &batch.pack, ask);
            }
        }
        Ok(())
    }

    /// Asks every subject. The expectation of a dialect is computed once.
    fn ask(&mut self, laid: Laid<'_>, ask: &Ask, files: &[(Text, Vec<u8>)]) -> Vec<Vec<Verdict>> {
        let mut known: Vec<(Dialect, Option<Expectation>)> = Vec::new();
        let mut expectation = |dialect: Dialect| {
            if let Some((_, found)) = known.iter().find(|(one, _)| *one == dialect) {
                return found.clone();
            }
            let found = Expectation::of(laid.pack, ask, dialect);
            known.push((dialect, found.clone()));
            found
        };
        let canonical = expectation(Dialect::default());
        let beyond = beyond_the_model(ask, laid.pack);
        let mut all = Vec::with_capacity(self.searchers.len());
        for searcher in &mut self.searchers {
            let own = expectation(searcher.adapter().dialect);
            let same = |verdict: Verdict| vec![verdict; files.len() + 1];
            let (Some(canonical), Some(own), None) = (&canonical, &own, beyond) else {
                all.push(same(Verdict::Unsupported(
                    beyond.unwrap_or("the model refuses the pattern").to_owned(),
                )));
                continue;
            };
            self.tally.cost.asks += 1;
            let answer = match searcher.ask(laid, ask) {
                Ok(answer) => answer,
                Err(NoAnswer::Unsupported(reason)) => {
                    all.push(same(Verdict::Unsupported(reason)));
                    continue;
                }
                Err(NoAnswer::Unstartable(reason)) => {
                    self.tally.troubles.insert(format!("{}: {reason}", searcher.name()));
                    all.push(same(Verdict::Broken(reason)));
                    continue;
                }
                Err(no_answer) => {
                    all.push(same(Verdict::Broken(no_answer.reason())));
                    continue;
                }
            };
            let judge = Judge::new(searcher.adapter(), (laid.pack, ask), canonical, own);
            let mut verdicts: Vec<Verdict> = files
                .iter()
                .map(|(path, bytes)| judge.file(path, bytes, answer.files.get(path)))
                .collect();
            let fine = verdicts
                .iter()
                .all(|verdict| matches!(verdict, Verdict::Agree | Verdict::Unsupported(_)));
            verdicts.push(if fine { judge.whole(laid.pack, &answer) } else { Verdict::Agree });
            all.push(verdicts);
        }
        all
    }

    /// Holds the model's word on a walk against git's. Where they differ, no verdict on that walk
    /// means anything.
    fn ask_git(&mut self, (number, index): (u64, usize), laid: Laid<'_>, ask: &Ask) {
        if !git::applies(laid.pack, ask) {
            return;
        }
        let Some(model) = Expectation::of(laid.pack, ask, Dialect::default()) else { return };
        let ours = |path: &[u8]| path.starts_with(b".git/");
        match git::files(laid) {
            Ok(files) => {
                let tried = self.tally.relations.entry("git").or_default();
                tried.tried += 1;
                let model: Vec<&[u8]> = model
                    .files
                    .keys()
                    .map(|path| path.0.as_slice())
                    .filter(|path| !ours(path))
                    .collect();
                if !files.iter().map(Vec::as_slice).eq(model) {
                    tried.broken += 1;
                    self.tally
                        .troubles
                        .insert(format!("the model and git differ on batch {number}, ask {index}"));
                }
            }
            Err(error) => {
                self.tally.troubles.insert(format!("git was not asked: {error}"));
            }
        }
    }

    fn count(&mut self, asked: &Asked<'_>) {
        for (searcher, verdicts) in self.searchers.iter().zip(&asked.verdicts) {
            let walks = asked.ask.walk.is_some();
            let worst = |verdicts: &[Verdict]| {
                verdicts.iter().max_by_key(|verdict| gravity(verdict)).cloned()
            };
            let cases: Vec<(Feature, Verdict)> = if walks {
                let group = asked.groups.first().copied().unwrap_or(Feature::Walk);
                worst(verdicts).map(|verdict| (group, verdict)).into_iter().collect()
            } else {
                // What is wrong with the pack as a whole counts as one case more.
                let whole = verdicts
                    .last()
                    .filter(|verdict| **verdict != Verdict::Agree && !is_common(verdicts));
                let first = asked.groups.first().copied().unwrap_or(Feature::Regex);
                let files = asked.groups.iter().copied().zip(verdicts.iter().cloned());
                files.chain(whole.map(|verdict| (first, verdict.clone()))).collect()
            };
            for (group, verdict) in cases {
                self.tally.cost.cases += 1;
                let key = (searcher.name().to_owned(), group);
                let cell = self
                    .tally
                    .cells
                    .entry(key)
                    .or_insert_with(|| Cell::empty(searcher.name(), group));
                cell.add(&verdict);
            }
        }
    }

    /// Keeps what differs: one sighting for each set of subjects of one program that are wrong
    /// together.
    fn sight(&mut self, asked: &Asked<'_>) {
        let columns = asked.files.len() + 1;
        let mut kinds: BTreeMap<Kind, (usize, usize)> = BTreeMap::new();
        for column in 0..columns {
            let mut wrong: BTreeMap<(String, Aspect), Vec<usize>> = BTreeMap::new();
            for (index, verdicts) in asked.verdicts.iter().enumerate() {
                let aspect = match verdicts.get(column) {
                    Some(Verdict::Diverge(aspect)) => *aspect,
                    // A pack without an answer is seen once, as a whole.
                    Some(Verdict::Broken(_)) if column + 1 == columns => Aspect::Status,
                    _ => continue,
                };
                let program = self
                    .searchers
                    .get(index)
                    .map(|one| one.adapter().name.clone())
                    .unwrap_or_default();
                wrong.entry((program, aspect)).or_default().push(index);
            }
            for ((program, aspect), subjects) in wrong {
                let group = asked
                    .groups
                    .get(column)
                    .or(asked.groups.first())
                    .copied()
                    .unwrap_or(Feature::Regex);
                let names = subjects
                    .iter()
                    .filter_map(|index| self.searchers.get(*index))
                    .map(|one| one.name().to_owned());
                let kind = Kind { program, oracle: "model", aspect, group, wrong: names.collect() };
                kinds.entry(kind).or_insert((column, subjects.first().copied().unwrap_or(0)));
            }
        }
        for (kind, (column, subject)) in kinds {
            let right = self.right(&kind, asked, column);
            let Some(searcher) = self.searchers.get(subject) else { continue };
            let walks = asked.ask.walk.is_some();
            let file = asked.files.get(column).filter(|_| !walks);
            let tree = match file {
                Some((path, _)) => {
                    let one = asked.pack.tree.iter().filter(|entry| entry.path == path.0);
                    Pack { tree: one.cloned().collect() }
                }
                None => asked.pack.clone(),
            };
            let sighting = Sighting {
                place: asked.place,
                subject: searcher.name().to_owned(),
                right,
                aspect: kind.aspect,
                group: kind.group,
                oracle: kind.oracle,
                question: Question { tree, ask: asked.ask.clone() },
                among: file.is_some().then(|| asked.pack.clone()),
                cpu_seconds: cpu_seconds(),
                met: 1,
            };
            self.tally.keep(kind, sighting);
        }
    }

    /// A subject of the same program that agrees, for the same case.
    fn right(&self, kind: &Kind, asked: &Asked<'_>, column: usize) -> Option<String> {
        let mut subjects = self.searchers.iter().zip(&asked.verdicts);
        let agrees = |verdicts: &Vec<Verdict>| {
            matches!(verdicts.get(column), Some(Verdict::Agree | Verdict::Declared(_)))
        };
        subjects
            .find(|(searcher, verdicts)| {
                searcher.adapter().name == kind.program && agrees(verdicts)
            })
            .map(|(searcher, _)| searcher.name().to_owned())
    }

    fn relate(&mut self, place: (u64, usize), pack: &Pack, ask: &Ask) {
        let applying: Vec<Relation> =
            Relation::ALL.into_iter().filter(|relation| relation.applies(ask)).collect();
        let Ok(chosen) = usize::try_from(place.0 / RELATIONS) else { return };
        let Some(relation) =
            chosen.checked_rem(applying.len()).and_then(|index| applying.get(index)).copied()
        else {
            return;
        };
        // Alone takes one ask a file.
        let few = if relation == Relation::Alone { 8 } else { usize::MAX };
        let question = Question {
            tree: Pack { tree: pack.tree.iter().take(few).cloned().collect() },
            ask: ask.clone(),
        };
        let mut wrong: BTreeMap<String, Vec<(String, Text)>> = BTreeMap::new();
        for searcher in &mut self.searchers {
            let tried = self.tally.relations.entry(relation.name()).or_default();
            match relation.broken(searcher.as_mut(), &mut self.ground, &question) {
                Ok(broken) => {
                    tried.tried += question.tree.tree.len() as u64;
                    tried.broken += broken.len() as u64;
                    if let Some(path) = broken.into_iter().next() {
                        let name = searcher.name().to_owned();
                        wrong
                            .entry(searcher.adapter().name.clone())
                            .or_default()
                            .push((name, path));
                    }
                }
                // What cannot be asked, or breaks, has been seen by the model.
                Err(NotTried::NoAnswer(_)) => {}
                Err(NotTried::Ground(error)) => {
                    self.tally.troubles.insert(error.to_string());
                }
            }
        }
        for (program, subjects) in wrong {
            let Some((first, path)) = subjects.first() else { continue };
            let tree = question
                .tree
                .tree
                .iter()
                .filter(|entry| entry.path == path.0 || relation == Relation::Alone);
            let group = self.groups.group(Set::of(&ask.features()));
            let names: Vec<String> = subjects.iter().map(|(name, _)| name.clone()).collect();
            let kind = Kind {
                program: program.clone(),
                oracle: relation.name(),
                aspect: Aspect::Lines,
                group,
                wrong: names.clone(),
            };
            let right = self.searchers.iter().find(|one| {
                one.adapter().name == program && !names.contains(&one.name().to_owned())
            });
            let sighting = Sighting {
                place,
                subject: first.clone(),
                right: right.map(|one| one.name().to_owned()),
                aspect: Aspect::Lines,
                group,
                oracle: relation.name(),
                question: Question {
                    tree: Pack { tree: tree.cloned().collect() },
                    ask: ask.clone(),
                },
                among: None,
                cpu_seconds: cpu_seconds(),
                met: 1,
            };
            self.tally.keep(kind, sighting);
        }
    }
}

/// Whether one verdict stands for all files, the whole pack having no answer.
fn is_common(verdicts: &[Verdict]) -> bool {
    verdicts.iter().all(|verdict| matches!(verdict, Verdict::Broken(_) | Verdict::Unsupported(_)))
}

fn gravity(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Agree => 0,
        Verdict::Declared(_) => 1,
        Verdict::Unsupported(_) => 2,
        Verdict::Known(_) => 3,
        Verdict::Broken(_) => 4,
        Verdict::Diverge(_) => 5,
    }
}
