//! `touchstone review`: the goldens that differ, for the review of a change.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use touchstone_spec::Spec;

use super::{Outcome, Verdict, report};
use crate::golden;
use crate::review::{Sides, page};

/// Arguments of `touchstone review`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A range of commits, such as `main..HEAD` or `main...HEAD`; or the directory as it was
    #[arg(value_name = "RANGE|OLD")]
    old: String,
    /// The directory as it is
    #[arg(value_name = "NEW")]
    new: Option<String>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes the page. The exit status is 0 whatever differs: a person judges.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let Arguments { old, new, output } = arguments;
    let here = std::env::current_dir().context("there is no current directory")?;
    let changes = Sides::new(&here, old, new.as_deref())?.changes()?;
    let spec = Spec::load(&golden::workspace().join("spec"))?;
    let text = page(&spec, &changes);
    report::write(output.as_deref().unwrap_or(Path::new("-")), &text)?;
    Ok(Verdict::Fine)
}
