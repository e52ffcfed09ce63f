//! What becomes of failures: each is made small, named, stored and told.
//!
//! Responsible for: shrinking a failure without slipping to another bug, naming and storing the
//! small case, and telling distinct findings from repeated ones. Left to neighbours: finding
//! failures ([`super::drive`]), the shrinker itself ([`crate::shrink`]). Invariants: failures are
//! settled from the smallest case number on, so that the same seed gives the same findings; a
//! stored case keeps its name, a drawn one gets one that depends on nothing but what it says.

use std::path::{Path, PathBuf};

use super::{Failure, Judge};
use crate::case::Case;
use crate::expected::Expected;
use crate::golden::{self, GoldenError};
use crate::report::{Finding, Group, Problem};
use crate::shrink::{Measure, shrink};
use crate::subject::Verdict;

/// How often a failing case is run again, at most, to make it small.
pub const SHRINK_BUDGET: usize = 1_500;

/// Distinct findings after which no more failures are settled.
pub const MAX_FINDINGS: usize = 5;

/// Findings of one subject that differ in the same fields; further ones are not told, for they are
/// likely the same fault, and will be told by the next run if they are not.
const MAX_LOOK_ALIKES: usize = 2;

/// Failures that are settled in the hope of finding a distinct one.
const MAX_SHRUNK: usize = 12;

/// Where findings go, and how many of them.
#[derive(Debug, Clone)]
pub struct FindingOptions {
    /// The directory that shrunk cases are stored in; `None` to store nothing.
    pub store: Option<PathBuf>,
    /// Distinct findings after which it is enough.
    pub findings: usize,
    /// How often a case is run again, at most, to make it small; 0 leaves it as it is.
    pub budget: usize,
}

/// Shrinks failures, the first first, until there are enough distinct ones. `home` is where the
/// case of this number is stored already; such a case is told as it is.
///
/// # Errors
/// [`GoldenError`] when a case cannot be stored.
pub fn collect(
    suite: &str,
    failures: &[Failure],
    judges: &[&dyn Judge],
    finding_options: &FindingOptions,
    home: &dyn Fn(u64) -> Option<PathBuf>,
) -> Result<Vec<Finding>, GoldenError> {
    let mut findings: Vec<Finding> = Vec::new();
    let mut settled = 0;
    for failure in failures {
        if findings.len() >= finding_options.findings || settled >= MAX_SHRUNK {
            break;
        }
        let Some(judge) = judges.get(failure.judge) else { continue };
        // What several subjects fail on is made small once, if it is one fault.
        let known = findings.iter_mut().find(|known| known.number == failure.number);
        if let Some(known) = known
            && !judge_alone(*judge, &known.case).is_fine()
        {
            known.also.push(judge.label());
            continue;
        }
        settled += 1;
        let finding = match home(failure.number) {
            Some(path) => finding(
                suite,
                failure,
                *judge,
                failure.case.clone(),
                failure.verdict.clone(),
                Some(path),
            ),
            None => shrunk_finding(suite, failure, *judge, finding_options, &findings)?,
        };
        let redundant = look_alikes(&findings, &finding) >= MAX_LOOK_ALIKES;
        match findings.iter_mut().find(|known| known.case.id == finding.case.id) {
            None if redundant => {}
            None => findings.push(finding),
            Some(known)
                if known.subject == finding.subject || known.also.contains(&finding.subject) => {}
            Some(known) => known.also.push(finding.subject),
        }
    }
    Ok(findings)
}

/// Findings of the same subject that differ in the same fields; very likely the same fault.
fn look_alikes(findings: &[Finding], finding: &Finding) -> usize {
    let alike = |other: &&Finding| {
        other.subject == finding.subject && look(&other.what) == look(&finding.what)
    };
    findings.iter().filter(alike).count()
}

/// The fields that differ, whatever the number of the event.
fn look(what: &Problem) -> Vec<String> {
    match what {
        Problem::Broken(_) => vec!["broken".to_owned()],
        Problem::Differs(differences) => {
            let mut fields: Vec<String> = differences
                .iter()
                .map(|difference| {
                    difference
                        .field
                        .chars()
                        .filter(|character| !character.is_ascii_digit())
                        .collect()
                })
                .collect();
            fields.sort_unstable();
            fields.dedup();
            fields
        }
    }
}

fn shrunk_finding(
    suite: &str,
    failure: &Failure,
    judge: &dyn Judge,
    finding_options: &FindingOptions,
    findings: &[Finding],
) -> Result<Finding, GoldenError> {
    let original = failure_kind(&failure.case, &failure.verdict);
    let shrunk = shrink(&failure.case, finding_options.budget, |case| {
        let verdict = judge_alone(judge, case);
        !verdict.is_fine() && failure_kind(case, &verdict).resembles(&original)
    });
    let mut case = shrunk.case;
    let verdict = if Measure::of(&case) == Measure::of(&failure.case) {
        failure.verdict.clone()
    } else {
        judge_alone(judge, &case)
    };
    case.id = golden::stable_name(failure_kind(&case, &verdict).name(), &case);
    case.title =
        format!("{}: found at random, case {} of the {suite} suite", judge.label(), failure.number);
    let mut finding = finding(suite, failure, judge, case, verdict, None);
    if let Some(directory) = &finding_options.store
        && look_alikes(findings, &finding) < MAX_LOOK_ALIKES
    {
        let path = golden::store(directory, &finding.case)?;
        finding.replay = Some(replay_command(&path, judge));
        finding.stored = Some(path.display().to_string());
    }
    Ok(finding)
}

fn finding(
    suite: &str,
    failure: &Failure,
    judge: &dyn Judge,
    case: Case,
    verdict: Verdict,
    path: Option<PathBuf>,
) -> Finding {
    let what = match verdict {
        Verdict::Diverge(differences) => Problem::Differs(differences),
        Verdict::Broken(how) => Problem::Broken(how),
        other => {
            Problem::Broken(format!("the failure did not come back: {other:?} at the second try"))
        }
    };
    Finding {
        suite: suite.to_owned(),
        number: failure.number,
        subject: judge.label(),
        also: Vec::new(),
        case,
        what,
        replay: path.as_deref().map(|path| replay_command(path, judge)),
        stored: path.map(|path| path.display().to_string()),
    }
}

/// How a person sees a stored case fail again.
fn replay_command(path: &Path, judge: &dyn Judge) -> String {
    let subjects: Vec<String> =
        judge.subjects().into_iter().map(|subject| format!("--subject {subject}")).collect();
    format!("touchstone replay {} {}", path.display(), subjects.join(" "))
}

/// The verdict on a case by itself.
pub fn judge_alone(judge: &dyn Judge, case: &Case) -> Verdict {
    match Expected::of(case) {
        Ok(expected) => judge.judge(case, &expected),
        Err(panic) => Verdict::Broken(panic),
    }
}

/// What kind of failure a verdict is, so that shrinking does not slip from one bug to another.
#[derive(Debug, Clone, PartialEq, Eq)]
enum FailureKind {
    Broken,
    Diverges(Vec<Group>),
}

fn failure_kind(case: &Case, verdict: &Verdict) -> FailureKind {
    match verdict {
        Verdict::Diverge(differences) => {
            let refused = Expected::of(case).is_ok_and(|expected| expected.canonical.is_err());
            FailureKind::Diverges(Group::of_differences(case, refused, differences))
        }
        _ => FailureKind::Broken,
    }
}

impl FailureKind {
    fn resembles(&self, original: &FailureKind) -> bool {
        match (self, original) {
            (FailureKind::Broken, FailureKind::Broken) => true,
            (FailureKind::Diverges(groups), FailureKind::Diverges(others)) => {
                groups.iter().any(|group| others.contains(group))
            }
            _ => false,
        }
    }

    fn name(&self) -> &'static str {
        match self {
            FailureKind::Broken => "broken",
            FailureKind::Diverges(groups) => {
                groups.first().map_or("matching", |group| group.name())
            }
        }
    }
}
