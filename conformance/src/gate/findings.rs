//! Turns failures into findings: shrunk, named, stored and reported.
//!
//! Responsible for: shrinking a failure without drifting to another bug, naming and storing the
//! small case, and separating distinct findings from repeated ones. Not here: finding failures
//! ([`super::drive`]), the shrinker itself ([`crate::shrink`]). Invariants: failures are handled
//! from the smallest case number on, so the same seed gives the same findings; a stored case keeps
//! its name, and the name of a drawn one depends only on its contents.

use std::path::{Path, PathBuf};

use super::{Failure, Judge};
use crate::case::Case;
use crate::compare::Group;
use crate::expected::Expected;
use crate::golden::{self, GoldenError};
use crate::report::{Finding, Problem};
use crate::shrink::{Measure, shrink};
use crate::subject::Verdict;

/// Most runs of a failing case to shrink it.
pub const SHRINK_BUDGET: usize = 1_500;

/// Distinct findings after which the rest of the failures is dropped.
pub const MAX_FINDINGS: usize = 5;

/// Most findings of one subject that differ in the same fields. Further ones are likely the same
/// fault; if not, the next run reports them.
const MAX_LOOK_ALIKES: usize = 2;

/// Most failures that are shrunk in search of a distinct one.
const MAX_SHRUNK: usize = 12;

/// Limits and destination of findings.
#[derive(Debug, Clone)]
pub struct FindingOptions {
    /// The directory for shrunk cases; `None` stores nothing.
    pub store: Option<PathBuf>,
    /// Most distinct findings.
    pub findings: usize,
    /// Most runs of a case to shrink it; 0 leaves it as it is.
    pub budget: usize,
}

/// Shrinks failures in order until there are enough distinct findings. `home` is the file of a case
/// that is stored already, which is reported unshrunk.
///
/// # Errors / [`GoldenError`] when a case cannot be stored.
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
        // A fault of several subjects is shrunk once.
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

/// Findings of the same subject that differ in the same fields: very likely the same fault.
fn look_alikes(findings: &[Finding], finding: &Finding) -> usize {
    let alike = |other: &&Finding| {
        other.subject == finding.subject && look(&other.what) == look(&finding.what)
    };
    findings.iter().filter(alike).count()
}

/// The differing fields, without event numbers.
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

/// The command that replays a stored case.
fn replay_command(path: &Path, judge: &dyn Judge) -> String {
    let subjects: Vec<String> =
        judge.subjects().into_iter().map(|subject| format!("--subject {subject}")).collect();
    format!("touchstone replay {} {}", path.display(), subjects.join(" "))
}

/// The verdict on a single case.
pub fn judge_alone(judge: &dyn Judge, case: &Case) -> Verdict {
    match Expected::of(case) {
        Ok(expected) => judge.judge(case, &expected),
        Err(panic) => Verdict::Broken(panic),
    }
}

/// The kind of a failure, by which shrinking stays on one bug.
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
