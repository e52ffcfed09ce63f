//! `touchstone nfr`: what the last run of the bench has measured, held against the budgets.

use std::path::PathBuf;

use anyhow::bail;
use touchstone_spec::Spec;

use super::{Outcome, Verdict, print};
use crate::golden;
use crate::nfr::criterion::Run;
use crate::nfr::{Verdict as Kept, judge, table};
use crate::provision::build_directory;
use crate::records::{CheckKind, Recorder, results_directory};

/// Arguments of `touchstone nfr`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Show every question
    #[arg(long)]
    questions: bool,
    /// Where criterion has stored the run; in the build directory if absent
    #[arg(long, value_name = "DIR")]
    criterion: Option<PathBuf>,
}

/// Prints the table. The exit status is 1 if something is beyond its maximum, 2 if something was
/// not measured.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let spec = Spec::load(&golden::workspace().join("spec"))?;
    let directory = match &arguments.criterion {
        Some(directory) => directory.clone(),
        None => build_directory()?.join("criterion"),
    };
    let run = Run::read(&directory)?;
    let rows = judge(&spec.budgets.budgets, &run);
    let others = run.note.others.map_or_else(String::new, |share| {
        format!("; other processes took {:.0} % of the processors' time", share * 100.0)
    });
    print(&format!(
        "{}: {} files in its index{others}\n",
        run.note.tree.display(),
        run.note.files
    ))?;
    print(&table(&rows, arguments.questions))?;
    let results = results_directory();
    for row in &rows {
        let check = format!("nfr::{}", row.id);
        // Errata are verified by cases, not by time.
        let clauses = row.clauses.iter().filter(|clause| !clause.starts_with("E-")).cloned();
        let mut recorder = Recorder::begin(&results, &check, CheckKind::Suite, clauses);
        if !matches!(row.verdict(), Kept::Kept | Kept::Missed) {
            recorder.fail();
        }
    }
    if let Some(missing) = rows.iter().find(|row| row.verdict() == Kept::Missing) {
        bail!(
            "not everything was measured: {}",
            missing.found.as_ref().err().map_or("", String::as_str)
        );
    }
    Ok(Verdict::of(rows.iter().all(|row| row.verdict() != Kept::Beyond)))
}
