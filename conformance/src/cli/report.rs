//! `touchstone report`: a run's results as a page, a comment, or a document for continuous
//! integration.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::{Outcome, Verdict, print};
use crate::hunt::museum;
use crate::hunt::report::{Report, groups};
use crate::hunt::results::Results;

/// Arguments of `touchstone report`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What `hunt`, `matrix` or `merge` wrote
    results: PathBuf,
    /// One page that needs nothing but itself; `-` for standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// A comment for a pull request; printed if nothing else is asked for
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// The text of an issue on one finding, for the program's maintainers; its id, or the beginning
    #[arg(long, value_name = "FINDING", conflicts_with_all = ["html", "markdown", "junit"])]
    issue: Option<String>,
    /// `JUnit`'s XML: a suite per release, a test case per group
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// Writes what is asked for. Whatever the results say, the exit status is 0: `hunt` and `diff`
/// judge.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let results = Results::read(&arguments.results)?;
    let groups = groups()?;
    let report = Report::new(&results, &groups);
    let Arguments { html, markdown, junit, issue, .. } = arguments;
    if let Some(id) = issue {
        let finding = results.finding(id).map_err(anyhow::Error::msg)?;
        let known = finding.known.as_deref();
        let exhibits = museum::all(&museum::directory())?;
        let exhibit = exhibits.iter().find(|exhibit| Some(exhibit.id.as_str()) == known);
        let says = exhibit.map(|exhibit| exhibit.confirmed.says.as_str());
        print(&report.issue(finding, says))?;
        return Ok(Verdict::Fine);
    }
    if let Some(path) = html {
        write(path, &report.html())?;
    }
    if let Some(path) = junit {
        write(path, &report.junit())?;
    }
    match markdown {
        Some(path) => write(path, &report.markdown())?,
        None if html.is_none() && junit.is_none() => print(&report.markdown())?,
        None => {}
    }
    Ok(Verdict::Fine)
}

/// Writes a file, or prints where it is called `-`.
pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return print(text);
    }
    fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}
