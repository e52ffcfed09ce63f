//! What becomes of failures: each is made small, named, stored and told.
//!
//! Responsible for: shrinking a failure without slipping to another bug, naming and storing the small case, and
//! telling distinct findings from repeated ones.
//! Left to neighbours: finding failures ([`super::drive`]), the shrinker itself ([`crate::shrink`]).
//! Invariants: failures are settled from the smallest case number on, so that the same seed gives the same findings;
//! a stored case keeps its name, a drawn one gets one that depends on nothing but what it says.

use std::path::{Path, PathBuf};

use super::{Failure, Judge, allowed};
use crate::case::Case;
use crate::golden::{self, GoldenError};
use crate::report::{Finding, Group, Problem};
use crate::shrink::{Measure, shrink};
use crate::subject::Verdict;

/// How often a failing case is run again, at most, to make it small.
pub const SHRINK_BUDGET: usize = 1_500;

/// Distinct findings after which no more failures are settled.
pub const MAX_FINDINGS: usize = 5;

/// Failures that are settled in the hope of finding a distinct one.
const MAX_SETTLED: usize = 12;

/// Where findings go, and how many of them.
#[derive(Debug, Clone)]
pub struct Settling {
    /// The directory that shrunk cases are stored in; `None` to store nothing.
    pub store: Option<PathBuf>,
    /// Distinct findings after which it is enough.
    pub findings: usize,
    /// How often a case is run again, at most, to make it small; 0 leaves it as it is.
    pub budget: usize,
}

/// Shrinks failures, the first first, until there are enough distinct ones.
///
/// # Errors
/// [`GoldenError`] when a case cannot be stored.
pub fn settle(
    suite: &str,
    failures: &[Failure],
    judges: &[&dyn Judge],
    settling: &Settling,
) -> Result<Vec<Finding>, GoldenError> {
    let mut findings: Vec<Finding> = Vec::new();
    for failure in failures.iter().take(MAX_SETTLED) {
        if findings.len() >= settling.findings {
            break;
        }
        let Some(judge) = judges.get(failure.judge) else { continue };
        let finding = settle_one(suite, failure, *judge, settling)?;
        match findings.iter_mut().find(|known| known.case.id == finding.case.id) {
            None => findings.push(finding),
            Some(known) if known.subject == finding.subject || known.also.contains(&finding.subject) => {}
            Some(known) => known.also.push(finding.subject),
        }
    }
    Ok(findings)
}

fn settle_one(
    suite: &str,
    failure: &Failure,
    judge: &dyn Judge,
    settling: &Settling,
) -> Result<Finding, GoldenError> {
    let original = nature(&failure.case, &failure.verdict);
    let shrunk = shrink(&failure.case, settling.budget, |case| {
        let verdict = judge_alone(judge, case);
        !verdict.is_fine() && nature(case, &verdict).resembles(&original)
    });
    // Stored cases keep their names; a drawn one gets one that says what it is about.
    let mut case = shrunk.case;
    let verdict = if Measure::of(&case) == Measure::of(&failure.case) {
        failure.verdict.clone()
    } else {
        judge_alone(judge, &case)
    };
    let label = judge.label();
    let mut stored = None;
    if failure.case.id.starts_with("random-") {
        case.id = golden::stable_name(original.name(), &case);
        case.title = format!("{label}: found at random, case {} of the {suite} suite", failure.number);
        if let Some(directory) = &settling.store {
            stored = Some(golden::store(directory, &case)?);
        }
    }
    let what = match verdict {
        Verdict::Diverge(differences) => Problem::Differs(differences),
        Verdict::Broken(how) => Problem::Broken(how),
        other => Problem::Broken(format!("the failure did not come back: {other:?} at the second try")),
    };
    let replay = stored.as_deref().map(|path| replay_command(path, judge));
    let stored = stored.map(|path| path.display().to_string());
    Ok(Finding { suite: suite.to_owned(), subject: label, also: Vec::new(), case, what, stored, replay })
}

/// How a person sees a stored case fail again.
fn replay_command(path: &Path, judge: &dyn Judge) -> String {
    let subjects: Vec<String> =
        judge.subjects().into_iter().map(|subject| format!("--subject {subject}")).collect();
    format!("touchstone replay {} {}", path.display(), subjects.join(" "))
}

/// The verdict on a case by itself.
pub fn judge_alone(judge: &dyn Judge, case: &Case) -> Verdict {
    match allowed(case) {
        Ok(allowed) => judge.judge(case, &allowed),
        Err(panic) => Verdict::Broken(panic),
    }
}

/// What kind of failure a verdict is, so that shrinking does not slip from one bug to another.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Nature {
    Broken,
    Diverges(Vec<Group>),
}

fn nature(case: &Case, verdict: &Verdict) -> Nature {
    match verdict {
        Verdict::Diverge(differences) => {
            let refused = allowed(case).is_ok_and(|allowed| allowed.canonical().is_err());
            Nature::Diverges(Group::of_differences(case, refused, differences))
        }
        _ => Nature::Broken,
    }
}

impl Nature {
    fn resembles(&self, original: &Nature) -> bool {
        match (self, original) {
            (Nature::Broken, Nature::Broken) => true,
            (Nature::Diverges(groups), Nature::Diverges(others)) => {
                groups.iter().any(|group| others.contains(group))
            }
            _ => false,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Nature::Broken => "broken",
            Nature::Diverges(groups) => groups.first().map_or("matching", |group| group.name()),
        }
    }
}
