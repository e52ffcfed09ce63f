//! `touchstone replay`: one stored case, its answer as a golden has it, and every difference.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use touchstone_spec::Spec;

use super::{Outcome, Verdict, backends, print};
use crate::case::Case;
use crate::clause_texts::{ClauseText, cited};
use crate::compare;
use crate::expected::Expected;
use crate::family::Family;
use crate::gate::{BudgetJudge, Judge, ModelJudge};
use crate::golden;
use crate::golden_form;
use crate::metamorphic::{Agreement, Extension, Invariance};
use crate::provision;
use crate::runner::{Runner, RunnerOptions};
use crate::subject::{Backend, SubjectSpec, Verdict as CaseVerdict};

/// Arguments of `touchstone replay`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The case file, or a snapshot
    case: PathBuf,
    /// A subject; repeatable. Default: the service over every backend that is found
    #[arg(long = "subject", value_name = "NAME")]
    subjects: Vec<SubjectSpec>,
    /// Print what the model allows as well
    #[arg(long)]
    expected: bool,
}

/// Runs the case on every subject, against the model and against itself.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let case = Case::load(&arguments.case)?;
    let expected = match Expected::of(&case) {
        Ok(expected) => expected,
        Err(panic) => bail!("{panic}"),
    };
    let found = provision::find();
    let (subjects, lines) = backends::subjects(&arguments.subjects, &found);
    for line in &lines {
        if let Err(why) = &line.found {
            if !arguments.subjects.is_empty() {
                bail!("`{}` cannot be run: {why}", line.name);
            }
            print(&format!("{}: not run: {why}\n", line.name))?;
        }
    }
    let runner = Runner::new(RunnerOptions { backends: found, ..RunnerOptions::default() })
        .context("cannot start workers")?;
    if arguments.expected {
        for outcome in expected.shown() {
            print(&(serde_json::to_string_pretty(&outcome)? + "\n"))?;
        }
    }
    let spec = Spec::load(&golden::workspace().join("spec"))?;
    print(&told(&spec, &case, &runner)?)?;
    let mut fine = true;
    for judge in judges(&case, &runner, &subjects) {
        let verdict = judge.judge(&case, &expected);
        fine &= verdict.is_fine();
        print(&verdict_text(&judge.label(), &verdict))?;
    }
    Ok(Verdict::of(fine))
}

/// The case and its answer as a golden has them, and what the clauses say that it cites.
fn told(spec: &Spec, case: &Case, runner: &Runner) -> anyhow::Result<String> {
    let mut text = match runner.run(case, &SubjectSpec::forge(Backend::Native)) {
        Ok(observation) => golden_form::shown(case, &observation)?,
        Err(broken) => format!("{}\nbroken: {broken}\n", case.to_yaml()),
    };
    text.push('\n');
    for ClauseText { id, about, text: says } in cited(spec, &case.clauses) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{id} ({about}): {says}");
    }
    text.push('\n');
    Ok(text)
}

fn judges<'a>(
    case: &Case,
    runner: &'a Runner,
    subjects: &[SubjectSpec],
) -> Vec<Box<dyn Judge + 'a>> {
    let mut judges: Vec<Box<dyn Judge + 'a>> = Vec::new();
    for subject in subjects {
        judges.push(Box::new(ModelJudge { runner, subject: subject.clone() }));
    }
    for subject in subjects {
        if case.family() == Family::Search {
            judges.push(Box::new(Extension { runner, subject: subject.clone() }));
        }
        judges.push(Box::new(Invariance { runner, subject: subject.clone() }));
    }
    if case.family() == Family::Files {
        judges.push(Box::new(BudgetJudge::new(runner)));
    }
    for pair in subjects.windows(2) {
        if let [first, second] = pair {
            judges.push(Box::new(Agreement {
                runner,
                first: first.clone(),
                second: second.clone(),
            }));
        }
    }
    judges
}

fn verdict_text(label: &str, verdict: &CaseVerdict) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match verdict {
        CaseVerdict::Agree => writeln!(text, "{label}: agrees"),
        CaseVerdict::Allowed => writeln!(text, "{label}: allowed"),
        CaseVerdict::Unsupported(reason) => writeln!(text, "{label}: unsupported: {reason}"),
        CaseVerdict::Broken(how) => writeln!(text, "{label}: broken: {how}"),
        CaseVerdict::Diverge(differences) => {
            write!(text, "{label}: diverges\n{}", compare::render(differences))
        }
    };
    text
}
