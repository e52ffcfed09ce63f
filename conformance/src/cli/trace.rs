//! `touchstone trace`: which requirement is vouched for by which check.

use std::path::PathBuf;

use clap::ValueEnum;
use touchstone_spec::Spec;

use super::{Outcome, Verdict, print};
use crate::claims::{Freshness, read_records, results_directory};
use crate::golden;
use crate::trace::{Citable, html, join, open_musts, text};

/// Arguments of `touchstone trace`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// How the trace is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Directory that records are read from
    #[arg(long, value_name = "DIR", hide = true)]
    results: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Counts, and what is open in documents that have been worked through
    Text,
    /// An array with every requirement
    Json,
    /// One page
    Html,
}

/// Prints the trace; the exit status is 1 if a MUST of a document that has been worked through is open.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let spec = Spec::load(&golden::workspace().join("spec"))?;
    let directory = arguments.results.clone().unwrap_or_else(results_directory);
    let records = read_records(&directory)?;
    let freshness = Freshness::default();
    let traced = join(&Citable::of(&spec), &records, |record| freshness.of(record))?;
    let rendered = match arguments.format {
        Format::Text => text(&traced),
        Format::Json => serde_json::to_string_pretty(&traced)? + "\n",
        Format::Html => html(&traced),
    };
    print(&rendered)?;
    Ok(Verdict::of(open_musts(&traced).is_empty()))
}
