//! The suite `keyword`, as a part of a report.
//!
//! Responsible for: its parts: calls of `keyword_search` against the model, without an index and
//! with one; how many cases each gets, and what each vouches for. Left to neighbours: the cases
//! ([`crate::generate`]), driving and settling ([`super`]). Invariants: the parts draw different
//! cases; the language model is the case's own, so that nobody is asked over a network.

use std::time::Instant;

use super::agent::{Indexed, subjects};
use super::files::Suited;
use super::suite::{Options, Progress, Suite};
use super::{Against, Judge, Limit, vouch};
use crate::generate::Mix;
use crate::golden::GoldenError;
use crate::report::{Report, SuiteReport};
use crate::runner::Runner;

/// Random cases against the model when nothing else is asked for.
const CASES: u64 = 400;

/// An index is built for every case, so one case for so many gets one.
const INDEXED: u64 = 5;

/// Runs the suite.
pub(super) fn called(
    options: &Options,
    runner: &Runner,
    progress: &dyn Progress,
    report: &mut Report,
) -> Result<(), GoldenError> {
    let started = Instant::now();
    let (cases, indexed) = match options.limit {
        Limit::Cases(cases) => {
            let cases = if options.asked { cases } else { CASES };
            (Limit::Cases(cases), Limit::Cases((cases / INDEXED).max(1)))
        }
        Limit::Time(time) => (Limit::Time(time / 2), Limit::Time(time / 8)),
    };
    let total = match (cases, indexed) {
        (Limit::Cases(cases), Limit::Cases(indexed)) => Some(cases + indexed),
        _ => None,
    };
    progress.begin(Suite::Keyword, total);
    let name = Suite::Keyword.name().to_owned();
    let done = SuiteReport { name, totals_only: true, ..SuiteReport::default() };
    let mut suited = Suited::new(options, progress, done);

    let subjects = subjects(options);
    let against: Vec<Against<'_>> =
        subjects.iter().map(|subject| Against { runner, subject: subject.clone() }).collect();
    let judges: Vec<&dyn Judge> = against.iter().map(|judge| judge as &dyn Judge).collect();
    let run = suited.part((Mix::Keyword, options.seed, cases), &judges, &vouch::keyword)?;
    for (trap, count) in &run.coverage.counts {
        *report.coverage.entry(trap).or_default() += count;
    }

    let with_index: Vec<Indexed<'_>> =
        subjects.iter().map(|subject| Indexed::new(runner, subject)).collect();
    let judges: Vec<&dyn Judge> = with_index.iter().map(|judge| judge as &dyn Judge).collect();
    suited.part((Mix::Keyword, options.seed.rotate_left(9), indexed), &judges, &|_| {
        vouch::keyword_indexed()
    })?;

    suited.finish(started, report);
    Ok(())
}
