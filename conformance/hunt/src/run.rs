//! The loop: batches are drawn, asked and judged; what differs is kept, a few cases of each kind.
//!
//! Responsible for: which batches ([`Options`]), the tally of verdicts by subject and group, and
//! sightings of divergences ([`Sighting`]).
//! Not here: making sightings small and telling what they are ([`super::finding`]).
//! Invariants: what a given set of batches comes to does not depend on threads or time: of each
//! kind of sighting those with the plainest asks are kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::cost::cpu_seconds;
use super::draw::Batch;
use super::features::{Haystack, tree_features};
use super::groups::{Groups, Set};
use super::pack_directory::{PackDirectory, PackError};
use super::question::{Ask, Feature, Pack, Question};
use super::results::Cell;
use super::searcher::Searcher;
use super::tally::{Kind, Share, Sighting, Tally};
use super::verdict::{Aspect, Verdict};
use super::watch::{Counts, Watch};

pub use batches::{Options, Until};

use batches::{is_over, nth};
use turns::Turns;

mod ask;
mod batches;
mod relate;
mod turns;

/// One ask in so many is tried by a relation.
const RELATIONS: u64 = 32;

/// Subjects to ask, made anew for each thread.
pub type Open<'a> = &'a (dyn Fn() -> Result<Vec<Box<dyn Searcher>>, String> + Sync);

/// Hunts until all is asked, the time is up, somebody ends it, or a program cannot be read.
///
/// # Errors
/// If subjects cannot be opened or nothing can be laid.
pub fn hunt(
    options: &Options,
    groups: &Groups,
    open: Open<'_>,
    watch: &dyn Watch,
) -> Result<Tally, String> {
    let start = Instant::now();
    let batches = options.batches();
    let next = AtomicU64::new(0);
    let unreadable = AtomicBool::new(false);
    let whole = Mutex::new(Tally::default());
    let work = || -> Result<(), String> {
        let searchers = open()?;
        let mut worker = Worker {
            options,
            groups,
            watch,
            turns: Turns::of(searchers.iter().map(|one| one.adapter().name.as_str())),
            hung: BTreeSet::new(),
            searchers,
            packs: PackDirectory::new().map_err(|error| error.to_string())?,
            tally: Tally::default(),
        };
        loop {
            let is_late = |time: Duration| {
                let whole = whole.lock().unwrap_or_else(PoisonError::into_inner);
                let asks = whole.cost.asks / options.jobs.max(1) as u64;
                is_over(time, start.elapsed(), asks, whole.seen())
            };
            if matches!(options.until, Until::Time(time) if is_late(time))
                || watch.is_over()
                || unreadable.load(Ordering::Relaxed)
            {
                break;
            }
            let Some(batch) = nth(&batches, next.fetch_add(1, Ordering::Relaxed)) else { break };
            let whole_batch =
                worker.batch(batch.number(batch.from)).map_err(|error| error.to_string())?;
            let asked = std::mem::take(&mut worker.tally);
            let mut whole = whole.lock().unwrap_or_else(PoisonError::into_inner);
            if whole_batch {
                whole.add(asked);
                unreadable.fetch_or(!whole.unreadable().is_empty(), Ordering::Relaxed);
            } else {
                whole.owed.push(batch);
            }
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
    let mut begun = next.into_inner();
    let never = batches.iter().map(|one| one.behind(&mut begun)).filter(|one| one.from < one.to);
    tally.owed.extend(never);
    tally.owed.sort_unstable();
    let is_timed = matches!(options.until, Until::Time(_));
    tally.interrupted = watch.is_over() && (is_timed || !tally.owed.is_empty());
    if is_timed || !tally.interrupted {
        // Batches that were not asked, for want of time or through the adapter's fault, are not
        // left for another run.
        tally.owed.clear();
    }
    tally.cost.seconds = start.elapsed().as_secs_f64();
    tally.cost.cpu_seconds = cpu_seconds();
    Ok(tally)
}

struct Worker<'a> {
    options: &'a Options,
    groups: &'a Groups,
    watch: &'a dyn Watch,
    turns: Turns,
    /// Programs of which a release hung in this batch.
    hung: BTreeSet<String>,
    searchers: Vec<Box<dyn Searcher>>,
    packs: PackDirectory,
    tally: Tally,
}

/// What the subjects made of one ask.
struct Asked<'a> {
    place: (u64, usize),
    pack: &'a Pack,
    ask: &'a Ask,
    /// Verdicts by subject, file by file; the last is of the pack as a whole. None of one that was
    /// not asked.
    verdicts: Vec<Vec<Verdict>>,
    files: &'a [Haystack],
    groups: Vec<Feature>,
}

/// Who is wrong about what: the kind for each subject and column, and for each kind the first
/// column and subject.
type Kinds = (BTreeMap<(usize, usize), Kind>, BTreeMap<Kind, (usize, usize)>);

impl Worker<'_> {
    /// Asks one batch; whether all of it.
    fn batch(&mut self, number: u64) -> Result<bool, PackError> {
        let mut batch = Batch::draw(self.options.seed, number, self.options.theme);
        self.hung.clear();
        let mut index = 0;
        batch.asks.retain(|ask| {
            index += 1;
            !self.options.spares(ask, (number, index))
        });
        let files = Haystack::all(&batch.pack);
        let mut packs = std::mem::replace(&mut self.packs, PackDirectory::new()?);
        let written = packs.write(&batch.pack)?;
        for (index, ask) in batch.asks.iter().enumerate() {
            if self.watch.is_over() {
                return Ok(false);
            }
            let walks = ask.walk.is_some();
            let asked = Set::of(&ask.features()).with(Set::of(&tree_features(&batch.pack, walks)));
            // A walk is one case: what it finds depends on the tree as a whole.
            let sets: Vec<Set> = if walks {
                vec![asked]
            } else {
                files.iter().map(|file| file.features.with(asked)).collect()
            };
            for feature in sets.iter().flat_map(|set| set.features()) {
                *self.tally.features.entry(feature).or_default() += 1;
            }
            let groups: Vec<Feature> = sets.iter().map(|set| self.groups.group(*set)).collect();
            self.ask_git((number, index), written.placed(), ask, &files);
            let verdicts = self.ask((number, index), written.placed(), ask, &files);
            let asked = Asked {
                place: (number, index),
                pack: &batch.pack,
                ask,
                verdicts,
                files: &files,
                groups,
            };
            let (kinds, firsts) = self.kinds(&asked);
            self.count(&asked, &kinds);
            self.sight(&asked, firsts);
        }
        drop(written);
        self.packs = packs;
        for (index, ask) in batch.asks.iter().enumerate() {
            if (number + index as u64).is_multiple_of(RELATIONS) {
                if self.watch.is_over() {
                    return Ok(false);
                }
                self.relate((number, index), &batch.pack, ask);
            }
        }
        Ok(true)
    }

    fn count(&mut self, asked: &Asked<'_>, kinds: &BTreeMap<(usize, usize), Kind>) {
        let last = asked.files.len();
        for (subject, (searcher, verdicts)) in
            self.searchers.iter().zip(&asked.verdicts).enumerate()
        {
            let first = asked.groups.first().copied();
            let columns = verdicts.iter().enumerate();
            let cases: Vec<(Feature, usize, &Verdict)> = if asked.ask.walk.is_some() {
                let worst = columns.max_by_key(|(_, verdict)| gravity(verdict));
                let group = first.unwrap_or(Feature::Walk);
                worst.map(|(column, verdict)| (group, column, verdict)).into_iter().collect()
            } else {
                // What is wrong with the pack as a whole counts as one case more.
                let whole = !is_common(verdicts)
                    && verdicts.last().is_some_and(|verdict| *verdict != Verdict::Agree);
                let groups = asked.groups.iter().copied().chain([first.unwrap_or(Feature::Regex)]);
                groups
                    .zip(columns)
                    .map(|(group, (column, verdict))| (group, column, verdict))
                    .filter(|(_, column, _)| *column < last || whole)
                    .collect()
            };
            let mut counts = Counts::default();
            for (group, column, verdict) in cases {
                counts.add(verdict);
                let name = searcher.name().to_owned();
                let cells = self.tally.cells.entry((name.clone(), group));
                cells.or_insert_with(|| Cell::empty(&name, group)).add(verdict);
                // A pack without an answer is one kind, as a whole.
                let seen = if verdict.is_silent() { last } else { column };
                let diverges = matches!(verdict, Verdict::Diverge(_));
                if let Some(kind) = kinds.get(&(subject, seen))
                    && (diverges || verdict.is_silent())
                {
                    let is_broken = matches!(verdict, Verdict::Broken(_));
                    let is_unreadable = matches!(verdict, Verdict::Unreadable(_));
                    let share = Share {
                        subject: name,
                        group,
                        diverge: u64::from(diverges),
                        broken: u64::from(is_broken),
                        unreadable: u64::from(is_unreadable),
                    };
                    self.tally.share(kind.clone(), share);
                }
            }
            self.tally.cost.cases += counts.cases;
            self.watch.asked(searcher.name(), counts);
        }
    }

    /// The program that a subject is a release of.
    fn program(&self, subject: usize) -> String {
        self.searchers.get(subject).map(|one| one.adapter().name.clone()).unwrap_or_default()
    }

    /// What differs: one kind for each set of subjects of one program that are wrong together.
    fn kinds(&self, asked: &Asked<'_>) -> Kinds {
        let columns = asked.files.len() + 1;
        let mut kinds = Kinds::default();
        for column in 0..columns {
            let mut wrong: BTreeMap<(String, Aspect), Vec<usize>> = BTreeMap::new();
            for (index, verdicts) in asked.verdicts.iter().enumerate() {
                let aspect = match verdicts.get(column) {
                    Some(Verdict::Diverge(aspect)) => *aspect,
                    // A pack without an answer is seen once, as a whole.
                    Some(verdict) if verdict.is_silent() && column + 1 == columns => Aspect::Status,
                    _ => continue,
                };
                wrong.entry((self.program(index), aspect)).or_default().push(index);
            }
            for ((program, aspect), subjects) in wrong {
                let group = asked.groups.get(column).or(asked.groups.first()).copied();
                let names = subjects
                    .iter()
                    .filter_map(|index| self.searchers.get(*index))
                    .map(|one| one.name().to_owned());
                let kind = Kind {
                    program,
                    oracle: "model".to_owned(),
                    aspect,
                    group: group.unwrap_or(Feature::Regex),
                    wrong: names.collect(),
                };
                kinds.0.extend(subjects.iter().map(|one| ((*one, column), kind.clone())));
                let first = subjects.first().copied().unwrap_or(0);
                kinds.1.entry(kind).or_insert((column, first));
            }
        }
        kinds
    }

    /// Keeps what differs.
    fn sight(&mut self, asked: &Asked<'_>, kinds: BTreeMap<Kind, (usize, usize)>) {
        for (kind, (column, subject)) in kinds {
            let right = self.right(&kind, asked, column);
            let Some(searcher) = self.searchers.get(subject) else { continue };
            let verdict = asked.verdicts.get(subject).and_then(|verdicts| verdicts.get(column));
            let walks = asked.ask.walk.is_some();
            let file = asked.files.get(column).filter(|_| !walks);
            let tree = match file {
                Some(file) => {
                    let one = asked.pack.tree.iter().filter(|entry| entry.path == file.path.0);
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
                oracle: kind.oracle.clone(),
                hangs: verdict.is_some_and(Verdict::hangs),
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
}

/// Whether one verdict stands for all files, the whole pack having no answer.
fn is_common(verdicts: &[Verdict]) -> bool {
    verdicts.iter().all(|verdict| verdict.is_silent() || matches!(verdict, Verdict::Unsupported(_)))
}

fn gravity(verdict: &Verdict) -> u8 {
    match verdict {
        Verdict::Agree => 0,
        Verdict::Declared(_) => 1,
        Verdict::Unsupported(_) => 2,
        Verdict::Known(_) => 3,
        Verdict::Broken(_) | Verdict::Unreadable(_) => 4,
        Verdict::Diverge(_) => 5,
    }
}
