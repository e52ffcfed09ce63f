//! `touchstone trace`: which requirement is decided by which check.

use std::path::PathBuf;

use anyhow::bail;
use clap::ValueEnum;
use touchstone_spec::Spec;

use super::{Outcome, Verdict, print};
use crate::golden;
use crate::nfr::record::{CHECK, Document, FILE, sources, today};
use crate::records::{Freshness, Record, read_records, results_directory};
use crate::trace::{Citable, failing, html, join, one, text};

/// Arguments of `touchstone trace`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Show this row alone: text, errata, checks, and what is missing
    #[arg(value_name = "ROW", conflicts_with = "format")]
    row: Option<String>,
    /// Fail for rows that are decided in part, not decided or not measured, too
    #[arg(long)]
    strict: bool,
    /// How the trace is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Directory that records are read from
    #[arg(long, value_name = "DIR", hide = true)]
    results: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Counts, and the rows that fail
    Text,
    /// An array with every requirement
    Json,
    /// One page
    Html,
}

/// Prints the trace. The exit status is 1 if a row is open that is more than a permission.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let spec = Spec::load(&golden::workspace().join("spec"))?;
    let directory = arguments.results.clone().unwrap_or_else(results_directory);
    let records = read_records(&directory)?;
    let (measured, warning) = measured(&spec)?;
    let freshness = Freshness::default();
    // Records of benches count as long as their document is current.
    let tested = records.into_iter().filter(|record| !record.check.starts_with(CHECK));
    let records: Vec<Record> =
        tested.filter(|record| freshness.of(record)).chain(measured).collect();
    let traced = join(&Citable::of(&spec), &records, |_| true)?;
    if let Some(id) = &arguments.row {
        let Some(shown) = one(&spec, &traced, id) else {
            bail!(
                "no requirement has the id `{id}`; `touchstone trace --format json` lists them all"
            );
        };
        print(&shown)?;
        return Ok(Verdict::of(
            !failing(&traced, arguments.strict).iter().any(|one| one.id == *id),
        ));
    }
    let rendered = match arguments.format {
        Format::Text => {
            let warning = warning
                .map(|why| format!("warning: {why}; rows that demand a measurement are not run\n"));
            text(&traced, arguments.strict) + &warning.unwrap_or_default()
        }
        Format::Json => serde_json::to_string_pretty(&traced)? + "\n",
        Format::Html => html(&traced),
    };
    print(&rendered)?;
    Ok(Verdict::of(failing(&traced, arguments.strict).is_empty()))
}

/// Records from the committed figures of the benches, or why there are none.
fn measured(spec: &Spec) -> anyhow::Result<(Vec<Record>, Option<String>)> {
    let workspace = golden::workspace();
    let Some(document) = Document::read(&workspace)? else {
        return Ok((Vec::new(), Some(format!("there is no {FILE}"))));
    };
    Ok(match document.stale(today(), &sources(&workspace)?) {
        Some(why) => (Vec::new(), Some(why)),
        None => (document.records(&spec.budgets.budgets), None),
    })
}
