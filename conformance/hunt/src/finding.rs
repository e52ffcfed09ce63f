//! From a sighting to a finding.
//!
//! Responsible for: making sightings small ([`investigate`]), asking all installed releases about
//! the small case, telling one bug
//! from another, and the command that shows it. A sighting of a bug that has a finding, or that is
//! known, is recognised before it is made small (`instance`).
//! Not here: how questions are made smaller ([`super::shrink`]); what is known
//! ([`super::baseline`]); what makes two findings one bug ([`super::cluster`]).
//! Invariants: a finding's case is wrong when it is asked again; a case that is not is a flake, and
//! counted as one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use touchstone_cases::case::{Entry, Node};

use super::baseline::Baselines;
use super::cluster;
use super::command::Limits;
use super::groups::{Groups, Set};
use super::judge::{Judged, judge};
use super::merge::add_finding;
use super::pack_directory::{PackDirectory, PackError};
use super::plainer::{Part, parts};
use super::question::{Ask, Feature, Pack, Question};
use super::relations::{Relation, is_excused};
use super::results::{Finding, SubjectInfo, Sweep};
use super::searcher::Searcher;
use super::shrink::shrink;
use super::tally::{Kind, Sighting};
use super::verdict::{Aspect, Verdict};
use super::watch::Watch;

mod instance;
mod investigated;
mod script;

pub use investigated::{Fate, Investigated};
pub use script::creation_script;

/// Longest time for making one case small: where programs hang, every ask takes their deadline.
const SHRINKING: Duration = Duration::from_secs(60);

/// A question made of a sighting is waited for at least so long, and at least so many times as long
/// as the sighting takes.
const LEAST_PATIENCE: Duration = Duration::from_secs(1);
const SLOWER: u32 = 5;

/// Opens the subject of a name.
pub type OpenOne<'a> = &'a dyn Fn(&str) -> Result<Box<dyn Searcher>, String>;

/// The names of all installed releases of a program, oldest first, each with its version.
pub type Releases<'a> = &'a dyn Fn(&str) -> Vec<(String, String)>;

/// How much may be spent.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Asks to make one sighting small.
    pub asks: usize,
    /// When it ends; what is not small by then is left.
    pub until: Option<Instant>,
}

/// Names what is known of the subjects that are asked, makes sightings small and separates bugs;
/// those of another run that is taken up are `earlier`.
///
/// # Errors
/// If subjects cannot be opened or nothing can be laid.
pub fn investigate<'s>(
    sightings: impl IntoIterator<Item = (&'s Kind, &'s Sighting)>,
    (groups, baselines, earlier): (&Groups, &Baselines, &[Finding]),
    open: OpenOne<'_>,
    (asked, releases): (&[SubjectInfo], Releases<'_>),
    budget: Budget,
    watch: &dyn Watch,
) -> Result<Investigated, String> {
    let mut found = Investigated::default();
    let mut bench = Bench {
        opened: BTreeMap::new(),
        open,
        packs: PackDirectory::new().map_err(|error| error.to_string())?,
        groups,
        releases,
        watch,
        until: budget.until,
        patience: Limits::default().deadline,
    };
    let known = bench.known(asked, baselines, &mut found)?;
    let pending = bench.recognised(sightings, (&known, earlier), &mut found, budget)?;
    let mut causes: BTreeMap<String, Finding> = BTreeMap::new();
    for (seen, start, patience) in pending {
        bench.wait_at_most(patience);
        if budget.is_spent(watch) {
            found.leave(seen);
            continue;
        }
        let listed = || known.get(&seen.0.program).into_iter().flatten();
        let finding = if let Some(cause) = bench.instance(seen, &start, causes.values())? {
            cause
        } else {
            let explained = bench.explained(seen, &start, listed().chain(causes.values()))?;
            let finding = bench.finding(seen, &start, &explained, budget.asks)?;
            // A small case holds less that keeps it from being cut down to a known one.
            let causes = listed().chain(causes.values());
            match bench.instance(seen, &finding.question, causes)? {
                Some(cause) => cause,
                None => cluster::named(finding, listed()),
            }
        };
        if budget.is_spent(watch) {
            // What was being made small is not small yet.
            found.leave(seen);
            continue;
        }
        add_finding(&mut causes, finding.clone());
        found.settle(seen, finding, watch);
    }
    Ok(found)
}

/// A sighting and its kind.
type Seen<'s> = (&'s Kind, &'s Sighting);

/// What is known of each program.
type Known = BTreeMap<String, Vec<Finding>>;

impl Budget {
    fn is_spent(self, watch: &dyn Watch) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until) || watch.is_over()
    }
}

/// What subjects are asked on.
struct Bench<'a> {
    opened: BTreeMap<String, Box<dyn Searcher>>,
    open: OpenOne<'a>,
    packs: PackDirectory,
    groups: &'a Groups,
    releases: Releases<'a>,
    watch: &'a dyn Watch,
    /// When the time is over.
    until: Option<Instant>,
    /// How long an answer is waited for.
    patience: Duration,
}

impl Bench<'_> {
    fn wait_at_most(&mut self, patience: Duration) {
        self.patience = patience;
        self.opened.values_mut().for_each(|searcher| searcher.wait_at_most(patience));
    }

    /// Recognises what is known, and says what else is still wrong when asked again. That takes a
    /// few asks, and is done before anything is made small, which takes most of the time.
    fn recognised<'s>(
        &mut self,
        sightings: impl IntoIterator<Item = Seen<'s>>,
        (known, earlier): (&Known, &[Finding]),
        found: &mut Investigated,
        budget: Budget,
    ) -> Result<Vec<(Seen<'s>, Question, Duration)>, String> {
        let most = self.patience;
        let mut pending = Vec::new();
        for seen in sightings {
            let program = &seen.0.program;
            if budget.is_spent(self.watch) {
                found.leave(seen);
                continue;
            }
            self.wait_at_most(most);
            let asked = Instant::now();
            let start = self.still_wrong(seen.1)?;
            // A program that hangs with some questions would take all the time of those that it
            // answers.
            let patience = (LEAST_PATIENCE + asked.elapsed() * SLOWER).min(most);
            self.wait_at_most(patience);
            let listed = known.get(program).into_iter().flatten().chain(earlier);
            let finding = match &start {
                Some(start) => self.instance(seen, start, listed)?,
                None => None,
            };
            match (finding, start) {
                _ if self.watch.is_over() => found.leave(seen),
                (Some(finding), _) => found.settle(seen, finding, self.watch),
                (None, Some(start)) => pending.push((seen, start, patience)),
                (None, None) => found.flake(seen, self.watch),
            }
        }
        Ok(pending)
    }

    /// Asks one subject and judges.
    fn judge(&mut self, name: &str, question: &Question) -> Result<Judged, String> {
        if !self.opened.contains_key(name) {
            let mut searcher = (self.open)(name)?;
            searcher.wait_at_most(self.patience);
            self.opened.insert(name.to_owned(), searcher);
        }
        let Some(searcher) = self.opened.get_mut(name) else {
            return Err(format!("`{name}` is not open"));
        };
        judge(searcher.as_mut(), &mut self.packs, question)
            .map_err(|error: PackError| error.to_string())
    }

    /// Whether a relation is broken.
    fn breaks(
        &mut self,
        name: &str,
        question: &Question,
        relation: Relation,
    ) -> Result<bool, String> {
        if !relation.applies(&question.ask) {
            return Ok(false);
        }
        if is_excused(&self.judge(name, question)?.verdict) {
            return Ok(false);
        }
        let Some(searcher) = self.opened.get_mut(name) else { return Ok(false) };
        Ok(relation
            .broken(searcher.as_mut(), &mut self.packs, question)
            .is_ok_and(|broken| !broken.is_empty()))
    }

    /// Whether a subject is wrong about a question in this aspect, or one like it.
    fn is_wrong(
        &mut self,
        name: &str,
        question: &Question,
        aspect: Aspect,
        oracle: &str,
    ) -> Result<bool, String> {
        if let Some(relation) = Relation::by_name(oracle) {
            return self.breaks(name, question, relation);
        }
        Ok(self.judge(name, question)?.verdict.is_like(aspect))
    }

    fn is_right(&mut self, name: &str, question: &Question, oracle: &str) -> Result<bool, String> {
        if let Some(relation) = Relation::by_name(oracle) {
            return Ok(!self.breaks(name, question, relation)?);
        }
        Ok(is_right(&self.judge(name, question)?.verdict))
    }

    /// Makes a case small: wrong with these subjects, and right with those.
    fn shrink(
        &mut self,
        start: &Question,
        wrong: &[&str],
        right: &[String],
        aspect: Aspect,
        oracle: &str,
        asks: usize,
    ) -> Question {
        let most = Instant::now() + SHRINKING;
        let until = self.until.map_or(most, |until| until.min(most));
        let has = parts(start);
        shrink(start, asks, |candidate| {
            if Instant::now() >= until || self.watch.is_over() {
                return false;
            }
            is_question(candidate)
                && gains_nothing(candidate, &has)
                && wrong
                    .iter()
                    .all(|one| self.is_wrong(one, candidate, aspect, oracle).unwrap_or(false))
                && right.iter().all(|one| self.is_right(one, candidate, oracle).unwrap_or(false))
        })
        .question
    }

    /// Makes a sighting small, and judges what it is.
    fn finding(
        &mut self,
        (kind, sighting): (&Kind, &Sighting),
        start: &Question,
        explained: &BTreeSet<String>,
        asks: usize,
    ) -> Result<Finding, String> {
        // What another bug explains need not stay wrong, so that two bugs do not become one.
        let mut left = kind.wrong.iter().filter(|name| !explained.contains(*name));
        let subject = if explained.contains(&sighting.subject) { left.next() } else { None };
        let (subject, aspect) = (subject.unwrap_or(&sighting.subject).as_str(), sighting.aspect);
        let mut oracle = sighting.oracle.as_str();
        let named = (self.releases)(&kind.program);
        let mut right: Vec<String> = Vec::new();
        if let Some(name) = &sighting.right
            && self.is_right(name, start, oracle)?
        {
            right.push(name.clone());
        }
        // All that were wrong together stay wrong, so that no other bug takes the place of this
        // one.
        let mut wrong = vec![subject];
        let others = kind.wrong.iter().filter(|one| *one != subject && !explained.contains(*one));
        for other in others {
            if self.is_wrong(other, start, aspect, oracle)? {
                wrong.push(other);
            }
        }
        let mut large = (start.clone(), self.sweep(&named, start, "model")?);
        let (question, sweep) = loop {
            let question = self.shrink(&large.0, &wrong, &right, aspect, oracle, asks);
            if oracle != "model" && self.is_wrong(subject, &question, aspect, "model")? {
                oracle = "model";
                // What it was made from need not be wrong by the model.
                large = (question.clone(), self.sweep(&named, &question, oracle)?);
            }
            let sweep = self.sweep(&named, &question, oracle)?;
            let strays = strays(&named, &large.1, &sweep);
            if oracle == "model" && strays.iter().any(|one| !right.contains(one)) {
                // Another bug came in where this one is not: there it has to stay right.
                right.extend(strays);
            } else if right.is_empty()
                && let Some(good) = neighbour(&named, &sweep, subject)
            {
                // Dated: from here on it has to stay right where it was.
                right.push(good);
                large = (question, sweep);
            } else {
                break (question, sweep);
            }
        };
        let told = self.describe(subject, aspect, oracle, question, sweep)?;
        Ok(Finding { met: sighting.met.max(1), cpu_seconds: sighting.cpu_seconds, ..told })
    }

    /// What there is to tell of a small case.
    fn describe(
        &mut self,
        subject: &str,
        aspect: Aspect,
        oracle: &str,
        question: Question,
        sweep: Vec<Sweep>,
    ) -> Result<Finding, String> {
        let judged = self.judge(subject, &question)?;
        let aspect = match judged.verdict {
            Verdict::Diverge(found) if judged.verdict.is_like(aspect) => found,
            _ => aspect,
        };
        let program =
            self.opened.get(subject).map(|one| one.adapter().name.clone()).unwrap_or_default();
        let group = self.groups.group(Set::of(&cluster::features(&question)));
        let first_bad =
            sweep.iter().find(|one| one.verdict.is_like(aspect)).map(|one| one.version.clone());
        let dated = (first_bad.as_deref(), sweep.iter().any(|one| is_right(&one.verdict)));
        let (_, clauses) = self.groups.about(group);
        Ok(Finding {
            id: cluster::id(&program, group, aspect, &question, dated),
            title: cluster::title(
                &program,
                group,
                aspect,
                &question.ask,
                judged.no_answer.as_ref(),
            ),
            group,
            aspect,
            clauses: clauses.to_vec(),
            shape: cluster::shape(&question),
            oracle: oracle.to_owned(),
            expected: judged.expected,
            actual: judged.actual,
            broken: judged.no_answer.map(|no_answer| no_answer.reason()),
            command: self.command(subject, &question)?,
            subject: subject.to_owned(),
            releases: sweep,
            known: None,
            variant_of: None,
            met: 0,
            cpu_seconds: 0.0,
            program,
            question,
        })
    }

    /// The question that is still wrong when asked again: of the one file that showed it; of that
    /// file without a map, for programs
    /// map few files and read many; or of all that were asked about together, for one file may
    /// spoil another.
    fn still_wrong(&mut self, sighting: &Sighting) -> Result<Option<Question>, String> {
        let alone = &sighting.question;
        let unmapped =
            Question { ask: Ask { mmap: Some(false), ..alone.ask.clone() }, ..alone.clone() };
        let among = sighting
            .among
            .iter()
            .map(|pack| Question { tree: pack.clone(), ask: alone.ask.clone() });
        for question in [alone.clone(), unmapped].into_iter().chain(among) {
            if self.is_wrong(&sighting.subject, &question, sighting.aspect, &sighting.oracle)? {
                return Ok(Some(question));
            }
        }
        Ok(None)
    }

    /// Asks every release.
    fn sweep(
        &mut self,
        releases: &[(String, String)],
        question: &Question,
        oracle: &str,
    ) -> Result<Vec<Sweep>, String> {
        let mut sweep = Vec::with_capacity(releases.len());
        for (name, version) in releases {
            let verdict = match Relation::by_name(oracle) {
                Some(relation) if self.breaks(name, question, relation)? => {
                    Verdict::Diverge(Aspect::Lines)
                }
                Some(_) => Verdict::Agree,
                None => self.judge(name, question)?.verdict,
            };
            sweep.push(Sweep { version: version.clone(), verdict });
        }
        Ok(sweep)
    }

    /// One line for a shell in an empty directory.
    fn command(&mut self, subject: &str, question: &Question) -> Result<String, String> {
        let Some(searcher) = self.opened.get(subject) else { return Ok(String::new()) };
        let written = self.packs.write(&question.tree).map_err(|error| error.to_string())?;
        let asked = searcher.shell(written.placed(), &question.ask);
        Ok(asked.map(|asked| format!("{}{asked}", creation_script(question))).unwrap_or_default())
    }
}

/// Whether it can still be asked: without files a program takes its standard input or its
/// directory, what a link that is named leads to would be searched, and without a repository
/// ignore files mean something else to each. The model shows the names that a walk finds as text.
fn is_question(question: &Question) -> bool {
    let tree = &question.tree;
    if question.ask.walk.is_none() {
        return tree.files().next().is_some() && !tree.tree.iter().any(|one| leads_on(one, tree));
    }
    tree.tree.iter().any(|entry| entry.path == b".git/HEAD")
        && tree.tree.iter().all(|entry| std::str::from_utf8(&entry.path).is_ok())
}

/// Whether a case that is made small has nothing that the start does not have: an empty match alone
/// may be another bug. Beside a part that tells it is permitted, and so is `-i` for smart case.
fn gains_nothing(candidate: &Question, has: &BTreeSet<Part>) -> bool {
    let parts = parts(candidate);
    let smart = has.contains(&Part::Feature(Feature::Smart));
    let tells = parts.iter().any(|part| cluster::distinguishes(*part));
    parts.difference(has).all(|part| match part {
        Part::Feature(Feature::EmptyMatch) => tells,
        Part::Feature(Feature::Insensitive) => smart,
        _ => false,
    })
}

/// Whether a link leads to something that is there; what lies outside the pack counts as there.
fn leads_on(entry: &Entry, pack: &Pack) -> bool {
    let Node::Link { target } = &entry.node else { return false };
    let below = [target.as_slice(), b"/"].concat();
    let leaves_the_pack = matches!(target.first(), None | Some(b'.' | b'/'));
    leaves_the_pack
        || pack.tree.iter().any(|one| one.path == *target || one.path.starts_with(&below))
}

fn is_right(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Agree | Verdict::Declared(_))
}

/// The releases that were right about a case and are wrong about the small one.
fn strays(names: &[(String, String)], before: &[Sweep], after: &[Sweep]) -> Vec<String> {
    let bad = |verdict: &Verdict| verdict.is_silent() || matches!(verdict, Verdict::Diverge(_));
    let pairs = names.iter().zip(before.iter().zip(after));
    let strays = pairs.filter(|(_, (one, other))| is_right(&one.verdict) && bad(&other.verdict));
    strays.map(|((name, _), _)| name.clone()).collect()
}

/// The release nearest to the subject's that is right.
fn neighbour(names: &[(String, String)], sweep: &[Sweep], subject: &str) -> Option<String> {
    let here = names.iter().position(|(name, _)| name == subject)?;
    let right =
        sweep.iter().enumerate().filter(|(_, one)| is_right(&one.verdict)).map(|(index, _)| index);
    let nearest = right.min_by_key(|index| index.abs_diff(here))?;
    names.get(nearest).map(|(name, _)| name.clone())
}

#[cfg(test)]
mod tests;
