//! `touchstone report`: a run's results as a page, a comment, or a document for continuous
//! integration.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::slice;

use anyhow::{Context as _, bail};
use touchstone_spec::Spec;

use super::{Outcome, Verdict, print};
use crate::clause_texts::cited;
use crate::golden;
use crate::hunt::museum;
use crate::hunt::report::{Report, groups};
use crate::hunt::results::Results;

/// Arguments of `touchstone report`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What `hunt`, `matrix` or `merge` wrote. Of several, the last is shown, with a trend over all
    #[arg(required = true)]
    results: Vec<PathBuf>,
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
    let read = |path: &PathBuf| Ok((path.display().to_string(), Results::read(path)?));
    let documents = arguments.results.iter().map(read).collect::<anyhow::Result<Vec<_>>>()?;
    let Some((_, results)) = documents.last() else { bail!("there is no document") };
    let groups = groups()?;
    let report =
        Report::new(results, &groups).with_clauses(clauses(results)).with_trend(&documents);
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

/// What the clauses of the findings say, and how errata read them. A specification that cannot be
/// used is no reason to write no report: then clauses are names alone.
fn clauses(results: &Results) -> BTreeMap<String, String> {
    let spec = match Spec::load(&golden::workspace().join("spec")) {
        Ok(spec) => spec,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "warning: clauses are shown by name: {error}");
            return BTreeMap::new();
        }
    };
    let ids: BTreeSet<&String> = results.findings.iter().flat_map(|one| &one.clauses).collect();
    let says = |id: &String| {
        let told = cited(&spec, slice::from_ref(id)).into_iter().map(|one| {
            if one.id == *id { one.text } else { format!("Read as {}: {}", one.id, one.text) }
        });
        (id.clone(), told.collect::<Vec<_>>().join(" "))
    };
    ids.into_iter().map(says).filter(|(_, says)| !says.is_empty()).collect()
}

/// Writes a file, or prints where it is called `-`.
pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if path == Path::new("-") {
        return print(text);
    }
    fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}
