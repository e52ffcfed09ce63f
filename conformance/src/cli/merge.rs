//! `touchstone merge`: the results of shards added up.

use std::path::PathBuf;

use super::{Outcome, Verdict, print};
use crate::hunt::merge::merge;
use crate::hunt::results::Results;

/// Arguments of `touchstone merge`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What the shards wrote, in any order
    #[arg(required = true)]
    results: Vec<PathBuf>,
    /// Where the sum is written
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Add up what is there, even if shards or subjects are missing
    #[arg(long)]
    partial: bool,
}

/// Adds up and says what came of it.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let all =
        arguments.results.iter().map(|path| Results::read(path)).collect::<Result<Vec<_>, _>>()?;
    let count = all.len();
    let merged = merge(all, arguments.partial)?;
    merged.write(&arguments.output)?;
    print(&format!(
        "{count} documents, {} cases; {}: `{}`\n",
        merged.cost.cases,
        merged.outcome().says,
        arguments.output.display()
    ))?;
    Ok(Verdict::Fine)
}
