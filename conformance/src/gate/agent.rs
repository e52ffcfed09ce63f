//! The suite `agent-tools`, as a part of a report.
//!
//! Responsible for: its parts: calls against the model, without an index and with one; pages
//! against the whole, and runs against runs; how many cases each gets, and what each vouches for.
//! Left to neighbours: the cases ([`crate::generate`]), driving and settling ([`super`]), relations
//! between runs ([`crate::metamorphic`]). Invariants: the parts draw different cases, so that each
//! adds something; the tools read files themselves, so that one subject for each simulated bug, and
//! one without, is enough, whatever backends there are.

use std::time::Instant;

use serde_json::{Value, json};

use super::files::Suited;
use super::suite::{Options, Progress, Suite};
use super::{Against, Judge, Limit, vouch};
use crate::case::Case;
use crate::compare::agent::{STRUCTURED, between};
use crate::expected::Expected;
use crate::generate::Mix;
use crate::golden::GoldenError;
use crate::metamorphic::Indifferent;
use crate::report::{Report, SuiteReport};
use crate::runner::Runner;
use crate::subject::{Broken, SubjectSpec, Verdict};

/// Random cases against the model when nothing else is asked for.
const CASES: u64 = 800;

/// An index is built for every case, so one case for so many gets one.
const INDEXED: u64 = 4;

/// Relations between runs take many runs a case, so they get one case for so many.
const RELATED: u64 = 12;

/// Pages that are turned of one case at most.
const MAX_PAGES: usize = 40;

/// The most results that a request can ask for.
const MOST_RESULTS: u64 = 200;

/// Calls on a tree that has an index.
#[derive(Debug)]
pub struct Indexed<'a>(pub Against<'a>);

impl<'a> Indexed<'a> {
    /// With the index ready before the call.
    pub fn new(runner: &'a Runner, subject: &SubjectSpec) -> Self {
        Self(Against { runner, subject: subject.clone().with_index() })
    }
}

impl Judge for Indexed<'_> {
    fn label(&self) -> String {
        format!("{} with an index", self.0.subject)
    }

    fn judge(&self, case: &Case, expected: &Expected) -> Verdict {
        self.0.judge(case, expected)
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        self.0.subjects()
    }
}

/// The pages of a search are the whole of it.
#[derive(Debug)]
pub struct Pages<'a> {
    /// Where the subject runs.
    pub runner: &'a Runner,
    /// The subject.
    pub subject: SubjectSpec,
}

impl Judge for Pages<'_> {
    fn label(&self) -> String {
        format!("{} page by page", self.subject)
    }

    fn judge(&self, case: &Case, _: &Expected) -> Verdict {
        match self.compared(case) {
            Ok(Some(verdict)) => verdict,
            Ok(None) => {
                Verdict::Unsupported("the request is refused, so it has no pages".to_owned())
            }
            Err(broken) => Verdict::Broken(broken.to_string()),
        }
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        vec![&self.subject]
    }
}

impl Pages<'_> {
    fn compared(&self, case: &Case) -> Result<Option<Verdict>, Broken> {
        let Some(whole) = self.page(case, MOST_RESULTS, 0)? else { return Ok(None) };
        let wanted = results(&whole);
        // One, two or three results a page; which, depends on the case.
        let size = 1 + u64::try_from(case.request.to_string().len() % 3).unwrap_or(0);
        let mut offset = 0;
        let mut turned: Vec<Value> = Vec::new();
        for _ in 0..MAX_PAGES {
            let Some(page) = self.page(case, size, offset)? else { return Ok(None) };
            turned.extend(results(&page));
            let next = page
                .get(STRUCTURED)
                .and_then(|page| page.get("next_offset"))
                .and_then(Value::as_u64);
            match next {
                Some(next) if next > offset => offset = next,
                _ => break,
            }
        }
        // Where the whole does not fit into one answer, or there are too many pages, both are
        // beginnings of the same.
        let shared = wanted.len().min(turned.len());
        let ended_early = turned.len() < wanted.len() && turned.len() < MAX_PAGES;
        let beginning =
            |all: &[Value]| json!({ STRUCTURED: all.get(..shared).unwrap_or_default() });
        let (first, second) = if ended_early {
            (json!({ STRUCTURED: wanted }), json!({ STRUCTURED: turned }))
        } else {
            (beginning(&wanted), beginning(&turned))
        };
        let found = between(&first, &second);
        Ok(Some(if found.is_empty() { Verdict::Agree } else { Verdict::Diverge(found) }))
    }

    /// A page of a case; nothing if the request is refused.
    fn page(&self, case: &Case, size: u64, offset: u64) -> Result<Option<Value>, Broken> {
        let mut case = case.clone();
        if let Some(fields) = case.request.as_object_mut() {
            fields.insert("max_results".to_owned(), json!(size));
            fields.insert("offset".to_owned(), json!(offset));
        }
        Ok(self.runner.run(&case, &self.subject)?.ok())
    }
}

fn results(observation: &Value) -> Vec<Value> {
    let page = observation.get(STRUCTURED);
    page.and_then(|page| page.get("results")).and_then(Value::as_array).cloned().unwrap_or_default()
}

/// Runs the suite.
pub(super) fn called(
    options: &Options,
    runner: &Runner,
    progress: &dyn Progress,
    report: &mut Report,
) -> Result<(), GoldenError> {
    let started = Instant::now();
    let extent = Extent::of(options);
    progress.begin(Suite::AgentTools, extent.total());
    let name = Suite::AgentTools.name().to_owned();
    let done = SuiteReport { name, totals_only: true, ..SuiteReport::default() };
    let mut suited = Suited::new(options, progress, done);

    let subjects = subjects(options);
    let against: Vec<Against<'_>> =
        subjects.iter().map(|subject| Against { runner, subject: subject.clone() }).collect();
    let judges: Vec<&dyn Judge> = against.iter().map(|judge| judge as &dyn Judge).collect();
    let run = suited.part((Mix::Agent, options.seed, extent.cases), &judges, &vouch::agent)?;
    for (trap, count) in &run.coverage.counts {
        *report.coverage.entry(trap).or_default() += count;
    }

    let indexed: Vec<Indexed<'_>> =
        subjects.iter().map(|subject| Indexed::new(runner, subject)).collect();
    let judges: Vec<&dyn Judge> = indexed.iter().map(|judge| judge as &dyn Judge).collect();
    suited.part((Mix::Agent, options.seed.rotate_left(9), extent.indexed), &judges, &|_| {
        vouch::agent_indexed()
    })?;

    let pages: Vec<Pages<'_>> =
        subjects.iter().map(|subject| Pages { runner, subject: subject.clone() }).collect();
    let indifferent: Vec<Indifferent<'_>> =
        subjects.iter().map(|subject| Indifferent { runner, subject: subject.clone() }).collect();
    let judges = pages.iter().map(|judge| judge as &dyn Judge);
    let judges: Vec<&dyn Judge> =
        judges.chain(indifferent.iter().map(|judge| judge as &dyn Judge)).collect();
    suited
        .part((Mix::Agent, !options.seed, extent.related), &judges, &|_| vouch::agent_related())?;

    suited.finish(started, report);
    Ok(())
}

/// The subjects that differ in more than their backend.
pub(super) fn subjects(options: &Options) -> Vec<SubjectSpec> {
    let mut subjects: Vec<SubjectSpec> = Vec::new();
    for subject in &options.subjects {
        if !subjects.iter().any(|known| known.sabotage == subject.sabotage) {
            subjects.push(subject.clone());
        }
    }
    subjects
}

/// How much each part of the suite is given.
struct Extent {
    cases: Limit,
    indexed: Limit,
    related: Limit,
}

impl Extent {
    fn of(options: &Options) -> Self {
        let of = |cases: u64| Self {
            cases: Limit::Cases(cases),
            indexed: Limit::Cases((cases / INDEXED).max(1)),
            related: Limit::Cases((cases / RELATED).max(1)),
        };
        match options.limit {
            Limit::Cases(cases) if options.asked => of(cases),
            Limit::Cases(_) => of(CASES),
            Limit::Time(time) => Self {
                cases: Limit::Time(time / 4),
                indexed: Limit::Time(time / 8),
                related: Limit::Time(time / 8),
            },
        }
    }

    fn total(&self) -> Option<u64> {
        let number = |limit: &Limit| match limit {
            Limit::Cases(cases) => Some(*cases),
            Limit::Time(_) => None,
        };
        Some(number(&self.cases)? + number(&self.indexed)? + number(&self.related)?)
    }
}
