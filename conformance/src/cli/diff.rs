//! `touchstone diff`: what changed between two runs.

use std::path::PathBuf;

use super::{Outcome, Verdict, print};
use crate::hunt::diff::Changes;
use crate::hunt::report::groups;
use crate::hunt::results::Results;

/// Arguments of `touchstone diff`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What an earlier run wrote
    old: PathBuf,
    /// What a later run wrote
    new: PathBuf,
    /// As a comment for a pull request
    #[arg(long)]
    markdown: bool,
}

/// Prints the changes; the exit status is 1 if there are any.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let (old, new) = (Results::read(&arguments.old)?, Results::read(&arguments.new)?);
    let groups = groups()?;
    let changes = Changes::between(&old, &new, &groups);
    print(&if arguments.markdown { changes.markdown() } else { changes.text() })?;
    Ok(Verdict::of(changes.is_empty()))
}
