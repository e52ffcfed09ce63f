//! `touchstone callers`.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};

use super::{Outcome, Verdict, print};
use crate::{callers, golden};

/// Rows asked side by side.
const THREADS: usize = 4;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Names of rows; all rows without one
    names: Vec<String>,
    /// The directory of rows, instead of `golden/callers`
    #[arg(long, value_name = "DIR")]
    rows: Option<PathBuf>,
    /// The program that is asked, instead of the `forge-search` beside this one
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let directory = arguments.rows.clone().unwrap_or_else(|| golden::directory("callers"));
    let mut rows = callers::load(&directory)?;
    if !arguments.names.is_empty() {
        rows.retain(|row| arguments.names.contains(&row.name));
        ensure!(!rows.is_empty(), "no row of `{}` has such a name", directory.display());
    }
    let program = match &arguments.program {
        Some(program) => program.clone(),
        None => std::env::current_exe()?.with_file_name("forge-search"),
    };
    let program = program
        .canonicalize()
        .with_context(|| format!("no program `{}`; name one by --program", program.display()))?;
    let failures = callers::run(&rows, &program, THREADS);
    for failure in &failures {
        print(&format!("{} ({})\n  {}\n", failure.row, failure.subject, failure.why.join("\n  ")))?;
    }
    print(&format!("{} rows, {} wrong answers\n", rows.len(), failures.len()))?;
    Ok(Verdict::of(failures.is_empty()))
}
