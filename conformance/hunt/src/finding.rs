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
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use touchstone_cases::case::{Node, Part};

use super::adapter::shell;
use super::baseline::Baselines;
use super::cluster;
use super::groups::{Groups, Set};
use super::judge::{Judged, judge};
use super::pack_directory::{PackDirectory, PackError};
use super::question::{Ask, Feature, Question};
use super::relations::Relation;
use super::results::{Finding, Sweep};
use super::searcher::Searcher;
use super::shrink::{Measure, shrink};
use super::tally::{Kind, Sighting};
use super::verdict::{Aspect, Verdict};
use super::watch::Watch;

mod instance;

/// Longest time for making one case small: where programs hang, every ask takes their deadline.
const SHRINKING: Duration = Duration::from_secs(60);

/// Opens the subject of a name.
pub type OpenOne<'a> = &'a dyn Fn(&str) -> Result<Box<dyn Searcher>, String>;

/// The names of all installed releases of a program, oldest first, each with its version.
pub type Releases<'a> = &'a dyn Fn(&str) -> Vec<(String, String)>;

/// How much may be spent.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Asks to make one sighting small.
    pub asks: usize,
    /// Nothing is begun after that.
    pub until: Option<Instant>,
}

/// What sightings came to.
#[derive(Debug, Default)]
pub struct Investigated {
    /// One for each bug as far as is known, by id.
    pub findings: BTreeMap<String, Finding>,
    /// The subjects and groups in which cases of each finding were drawn.
    pub drawn: BTreeMap<String, BTreeSet<(String, Feature)>>,
    /// Sightings that were not wrong when asked again, in words.
    pub flakes: Vec<String>,
    /// What became of each kind.
    pub fates: BTreeMap<Kind, Fate>,
}

/// What became of the sightings of one kind.
#[derive(Debug, Default)]
pub struct Fate {
    /// The findings they came to, by id.
    pub findings: BTreeSet<String>,
    /// Those for which there was no time.
    pub left: Vec<Sighting>,
    /// Those that were not wrong when asked again.
    pub flaked: Vec<Sighting>,
}

/// Makes sightings small and separates bugs; those of another run that is taken up are `earlier`.
///
/// # Errors
/// If subjects cannot be opened or nothing can be laid.
pub fn investigate<'s>(
    sightings: impl IntoIterator<Item = (&'s Kind, &'s Sighting)>,
    (groups, baselines, earlier): (&Groups, &Baselines, &[Finding]),
    open: OpenOne<'_>,
    releases: Releases<'_>,
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
    };
    let mut known: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    let mut causes: BTreeMap<String, Finding> =
        earlier.iter().map(|finding| (finding.id.clone(), finding.clone())).collect();
    for (kind, sighting) in sightings {
        let fate = found.fates.entry(kind.clone()).or_default();
        let is_late = budget.until.is_some_and(|until| Instant::now() >= until);
        if is_late || watch.is_over() {
            fate.left.push(sighting.clone());
            continue;
        }
        if !known.contains_key(&kind.program) {
            known.insert(kind.program.clone(), bench.known(&kind.program, baselines)?);
        }
        let finding = match bench.still_wrong(sighting)? {
            None => None,
            Some(start) => {
                let listed = known.get(&kind.program).into_iter().flatten();
                let causes = listed.clone().chain(causes.values());
                Some(if let Some(cause) = bench.instance((kind, sighting), &start, causes)? {
                    cause
                } else {
                    let finding = bench.finding((kind, sighting), &start, budget.asks)?;
                    cluster::named(finding, listed)
                })
            }
        };
        if watch.is_over() {
            // What was being made small is not small yet.
            fate.left.push(sighting.clone());
            continue;
        }
        watch.looked(finding.as_ref());
        match finding {
            None => {
                found.flakes.push(format!(
                    "{} ({}) in batch {} ask {}",
                    sighting.subject,
                    sighting.aspect.name(),
                    sighting.place.0,
                    sighting.place.1
                ));
                fate.flaked.push(sighting.clone());
            }
            Some(finding) => {
                fate.findings.insert(finding.id.clone());
                let drawn = found.drawn.entry(finding.id.clone()).or_default();
                drawn.insert((sighting.subject.clone(), sighting.group));
                drawn.insert((finding.subject.clone(), finding.group));
                add(&mut causes, finding.clone());
                add(&mut found.findings, finding);
            }
        }
    }
    Ok(found)
}

/// Keeps the smallest case of each finding.
fn add(findings: &mut BTreeMap<String, Finding>, finding: Finding) {
    match findings.get_mut(&finding.id) {
        None => {
            findings.insert(finding.id.clone(), finding);
        }
        Some(kept) => {
            let met = kept.met + finding.met;
            let first = kept.cpu_seconds.min(finding.cpu_seconds);
            let known = kept.known.take().or_else(|| finding.known.clone());
            if Measure::of(&finding.question) < Measure::of(&kept.question) {
                *kept = finding;
            }
            kept.known = known;
            kept.met = met;
            kept.cpu_seconds = first;
        }
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
}

impl Bench<'_> {
    /// Asks one subject and judges.
    fn judge(&mut self, name: &str, question: &Question) -> Result<Judged, String> {
        if !self.opened.contains_key(name) {
            self.opened.insert(name.to_owned(), (self.open)(name)?);
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
        // Opens it.
        self.judge(name, question)?;
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

    /// Makes a case small: wrong with these subjects, and right with another if there is one.
    fn shrink(
        &mut self,
        start: &Question,
        wrong: &[&str],
        right: Option<&str>,
        aspect: Aspect,
        oracle: &str,
        asks: usize,
    ) -> Question {
        let until = Instant::now() + SHRINKING;
        shrink(start, asks, |candidate| {
            if Instant::now() >= until || self.watch.is_over() {
                return false;
            }
            is_question(candidate)
                && wrong
                    .iter()
                    .all(|one| self.is_wrong(one, candidate, aspect, oracle).unwrap_or(false))
                && right
                    .is_none_or(|right| self.is_right(right, candidate, oracle).unwrap_or(false))
        })
        .question
    }

    /// Makes a sighting small, and judges what it is.
    fn finding(
        &mut self,
        (kind, sighting): (&Kind, &Sighting),
        start: &Question,
        asks: usize,
    ) -> Result<Finding, String> {
        let (subject, aspect) = (sighting.subject.as_str(), sighting.aspect);
        let mut oracle = sighting.oracle.as_str();
        let mut right = sighting.right.clone();
        if let Some(name) = &right
            && !self.is_right(name, start, oracle)?
        {
            right = None;
        }
        // All that were wrong together stay wrong, so that no other bug takes the place of this
        // one.
        let mut wrong = vec![subject];
        for other in kind.wrong.iter().filter(|other| *other != subject) {
            if self.is_wrong(other, start, aspect, oracle)? {
                wrong.push(other);
            }
        }
        let mut question = self.shrink(start, &wrong, right.as_deref(), aspect, oracle, asks);
        if oracle != "model" && self.is_wrong(subject, &question, aspect, "model")? {
            oracle = "model";
        }
        let named = (self.releases)(&kind.program);
        let mut sweep = self.sweep(&named, &question, oracle)?;
        if right.is_none()
            && let Some(good) = neighbour(&named, &sweep, subject)
        {
            // Dated: from here on it has to stay right where it was.
            question = self.shrink(&question, &wrong, Some(&good), aspect, oracle, asks);
            sweep = self.sweep(&named, &question, oracle)?;
        }
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
            title: cluster::title(&program, group, aspect, &question.ask),
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
/// directory, and without a repository
/// ignore files mean something else to each.
fn is_question(question: &Question) -> bool {
    match &question.ask.walk {
        None => question.tree.files().next().is_some(),
        Some(_) => question.tree.tree.iter().any(|entry| entry.path == b".git/HEAD"),
    }
}

fn is_right(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Agree | Verdict::Declared(_))
}

/// The release nearest to the subject's that is right.
fn neighbour(names: &[(String, String)], sweep: &[Sweep], subject: &str) -> Option<String> {
    let here = names.iter().position(|(name, _)| name == subject)?;
    let right =
        sweep.iter().enumerate().filter(|(_, one)| is_right(&one.verdict)).map(|(index, _)| index);
    let nearest = right.min_by_key(|index| index.abs_diff(here))?;
    names.get(nearest).map(|(name, _)| name.clone())
}

/// Shell commands that make the files of a question.
pub fn creation_script(question: &Question) -> String {
    let mut commands = Vec::new();
    let mut made: BTreeSet<&[u8]> = BTreeSet::new();
    for entry in &question.tree.tree {
        if let Some(slash) = entry.path.iter().rposition(|byte| *byte == b'/')
            && let Some(directory) = entry.path.get(..slash)
            && made.insert(directory)
        {
            commands.push(format!("mkdir -p {}", shell::quote(directory)));
        }
        let path = shell::quote(&entry.path);
        commands.push(match &entry.node {
            Node::File { contents, .. } => match contents.parts.as_slice() {
                [] => format!(": > {path}"),
                [part] if part.times == 1 => format!("{} > {path}", printf(part)),
                parts => {
                    format!(
                        "{{ {}; }} > {path}",
                        parts.iter().map(printf).collect::<Vec<_>>().join("; ")
                    )
                }
            },
            Node::Dir { .. } => format!("mkdir -p {path}"),
            Node::Link { target } => format!("ln -s {} {path}", shell::quote(target)),
            Node::Fifo => format!("mkfifo {path}"),
        });
    }
    commands.push(String::new());
    commands.join(" && ")
}

/// Bytes as `printf` writes them.
fn printf(part: &Part) -> String {
    let mut format = String::new();
    for byte in &part.bytes.0 {
        match byte {
            b'\n' => format.push_str("\\n"),
            b'\r' => format.push_str("\\r"),
            b'\t' => format.push_str("\\t"),
            b'\\' => format.push_str("\\\\"),
            b'%' => format.push_str("%%"),
            b'\'' => format.push_str("'\\''"),
            b' '..=b'~' => format.push(char::from(*byte)),
            other => {
                // Writing to a string does not fail.
                let _ = write!(format, "\\{other:03o}");
            }
        }
    }
    if part.times == 1 {
        format!("printf -- '{format}'")
    } else {
        format!("printf -- '{format}%.0s' $(seq {})", part.times)
    }
}

#[cfg(test)]
mod tests;
