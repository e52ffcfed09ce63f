//! Whether a sighting is a bug that is known already, before it is made small.
//!
//! Responsible for: the findings that baselines and the museum stand for in the installed releases,
//! and the trial of a sighting as one of them ([`Bench::instance`]).
//! Not here: which findings could be the same at all ([`crate::cluster`]).
//! Invariants: a sighting is a known bug only if it can be cut down to the parts of that bug's
//! small case, is then wrong in the same releases and in no other, and is right without any one of
//! them.

use std::collections::BTreeSet;

use crate::baseline::Baselines;
use crate::cluster::{Cause, wrong};
use crate::merge::add_finding;
use crate::plainer::{Part, parts, without};
use crate::question::Question;
use crate::results::{Finding, SubjectInfo, Sweep};
use crate::tally::{Kind, Sighting};
use crate::verdict::{NoAnswer, Verdict};

use super::{Bench, Investigated, Known};

/// A finding, as it was met this time. The known finding was first seen in another release, which
/// need not have been asked.
fn met_as(finding: &Finding, sighting: &Sighting) -> Finding {
    let known = finding.known.is_some();
    Finding {
        met: sighting.met.max(1),
        cpu_seconds: sighting.cpu_seconds,
        subject: if known { &sighting.subject } else { &finding.subject }.clone(),
        ..finding.clone()
    }
}

impl Bench<'_> {
    /// What is known of the programs that are asked. Those that a subject has are found, whether
    /// one that was drawn meets them or none.
    pub(super) fn known(
        &mut self,
        asked: &[SubjectInfo],
        baselines: &Baselines,
        found: &mut Investigated,
    ) -> Result<Known, String> {
        let mut known = Known::new();
        for SubjectInfo { program, .. } in asked {
            if !known.contains_key(program) {
                known.insert(program.clone(), self.known_of(program, baselines)?);
            }
        }
        for finding in known.values().flatten() {
            let cause = Cause::of(finding);
            let mut mine = asked.iter().filter(|one| one.program == finding.program);
            if let Some(first) = mine.find(|one| cause.is_wrong(&one.version)) {
                let subject = first.subject.clone();
                add_finding(&mut found.findings, Finding { subject, ..finding.clone() });
            }
        }
        Ok(known)
    }

    /// The findings that are known of a program, as its installed releases have them. An entry that
    /// is wrong in a release that it does not list explains nothing.
    fn known_of(&mut self, program: &str, baselines: &Baselines) -> Result<Vec<Finding>, String> {
        let named = (self.releases)(program);
        let mut findings = Vec::new();
        for known in baselines.known(program) {
            if self.watch.is_over() {
                break;
            }
            let sweep = self.sweep(&named, known.question, known.oracle)?;
            let is_bad = |one: &Sweep| one.verdict.is_like(known.aspect);
            let strays = sweep.iter().any(|one| is_bad(one) && !known.holds(&one.version));
            let first = sweep.iter().position(is_bad).and_then(|at| named.get(at));
            let Some((subject, _)) = first.filter(|_| !strays) else { continue };
            let question = known.question.clone();
            let told = self.describe(subject, known.aspect, known.oracle, question, sweep)?;
            let (id, name) = (known.id.to_owned(), Some(known.name.to_owned()));
            findings.push(Finding { id, known: name, ..told });
        }
        Ok(findings)
    }

    /// The finding that a sighting is, met as often as it was.
    pub(super) fn instance<'f>(
        &mut self,
        (kind, sighting): (&Kind, &Sighting),
        start: &Question,
        causes: impl Iterator<Item = &'f Finding>,
    ) -> Result<Option<Finding>, String> {
        let has = parts(start);
        let named = (self.releases)(&kind.program);
        // Those that were asked together are as wrong as the cause, each of them.
        let seen = |cause: &Cause| {
            let bad = |name: &String| named.iter().find(|(one, _)| one == name);
            kind.wrong.iter().filter_map(bad).all(|(_, version)| cause.is_wrong(version))
        };
        for finding in causes {
            let cause = Cause::of(finding);
            let fits = cause.is_about(&kind.program, sighting.aspect);
            if fits && cause.hangs() && seen(&cause) && self.hangs(&sighting.subject, start)? {
                return Ok(Some(met_as(finding, sighting)));
            }
            if !fits || !cause.can_be_tried() || !cause.parts.is_subset(&has) || !seen(&cause) {
                continue;
            }
            if self.is_instance(sighting, start, &cause, &named)? {
                return Ok(Some(met_as(finding, sighting)));
            }
        }
        Ok(None)
    }

    /// The subjects that a sighting is wrong in for something of which the case is an instance
    /// there, though others are wrong in it too.
    pub(super) fn explained<'f>(
        &mut self,
        (kind, sighting): (&Kind, &Sighting),
        start: &Question,
        causes: impl Iterator<Item = &'f Finding>,
    ) -> Result<BTreeSet<String>, String> {
        let has = parts(start);
        let named = (self.releases)(&kind.program);
        let mut explained = BTreeSet::new();
        for cause in causes.map(Cause::of) {
            let is_bad = |name: &&String| {
                let release = named.iter().find(|(one, _)| one == *name);
                release.is_some_and(|(_, version)| cause.is_wrong(version))
            };
            let there: Vec<String> = kind.wrong.iter().filter(is_bad).cloned().collect();
            let fits = cause.is_about(&kind.program, sighting.aspect) && cause.is_dated();
            let Some(first) = there.first().filter(|_| fits && cause.parts.is_subset(&has)) else {
                continue;
            };
            let alone = Sighting { subject: first.clone(), ..sighting.clone() };
            if self.is_instance(&alone, start, &cause, &named)? {
                explained.extend(there);
            }
        }
        Ok(explained)
    }

    fn hangs(&mut self, subject: &str, question: &Question) -> Result<bool, String> {
        Ok(matches!(self.judge(subject, question)?.no_answer, Some(NoAnswer::Hung { .. })))
    }

    fn is_instance(
        &mut self,
        sighting: &Sighting,
        start: &Question,
        cause: &Cause,
        named: &[(String, String)],
    ) -> Result<bool, String> {
        let Sighting { subject, aspect, oracle, .. } = sighting;
        let has = parts(start);
        let more: Vec<&Part> = has.difference(&cause.parts).collect();
        for reduced in without(start, more) {
            let left = parts(&reduced);
            let fits = cause.parts.is_subset(&left)
                && left.difference(&cause.parts).all(|part| !part.comes_out());
            if !fits || !self.is_wrong(subject, &reduced, *aspect, oracle)? {
                continue;
            }
            let sweep = self.sweep(named, &reduced, oracle)?;
            if !cause.could_be(&wrong(&sweep, *aspect)) {
                return Ok(false);
            }
            let mut tried = false;
            for part in cause.parts.iter().filter(|part| part.comes_out()) {
                for without in without(&reduced, [part]) {
                    tried = true;
                    if matches!(self.judge(subject, &without)?.verdict, Verdict::Unsupported(_))
                        || self.is_wrong(subject, &without, *aspect, oracle)?
                    {
                        return Ok(false);
                    }
                }
            }
            return Ok(tried);
        }
        Ok(false)
    }
}
