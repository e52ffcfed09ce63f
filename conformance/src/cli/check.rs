//! `touchstone check`: the gate.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::ValueEnum;

use super::progress::TerminalProgress;
use super::{Outcome, Verdict, backends, print};
use crate::gate::findings::{FindingOptions, MAX_FINDINGS, SHRINK_BUDGET};
use crate::gate::suite::{Options, Suite};
use crate::gate::suites::run as run_suites;
use crate::gate::{DEFAULT_SEED, Limit, processors};
use crate::report::{Report, discrepancy_text, finding_text};
use crate::runner::{Runner, RunnerOptions};
use crate::subject::SubjectSpec;
use crate::{golden, mcp, provision, records};

/// Random cases per subject when nothing else is asked for.
const DEFAULT_CASES: u64 = 1_500;

/// Random cases for an MCP server, which is started for each.
const SERVED_CASES: u64 = 400;

/// Most starts of such a server to shrink a failing case.
const SERVED_SHRINK_BUDGET: usize = 60;

/// Arguments of `touchstone check`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A subject, such as `forge:native`; repeatable. Default: the service over every backend that
    /// is found
    #[arg(long = "subject", value_name = "NAME")]
    subjects: Vec<SubjectSpec>,
    /// A suite; repeatable. Default: all
    #[arg(long = "suite", value_name = "NAME")]
    suites: Vec<Suite>,
    /// Instead of the suites: a command that starts a server of the Model Context Protocol, whose
    /// tools grep, search_text and find_files are held against the model; it is started in the tree
    /// of each case, by the shell
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["subjects", "suites"])]
    mcp: Option<String>,
    /// Random cases per subject
    #[arg(long, value_name = "N", conflicts_with = "time")]
    cases: Option<u64>,
    /// How long random cases are drawn, such as `90s` or `10m`
    #[arg(long, value_name = "DURATION", value_parser = super::duration)]
    time: Option<Duration>,
    /// Seed of the random cases: a number, or `random`
    #[arg(long, value_name = "S", default_value_t = Seed(DEFAULT_SEED))]
    seed: Seed,
    /// How the summary is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Directory that shrunk cases are stored in. Default: golden/regressions
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Threads that run cases. Default: one per processor
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Directory that records of what was verified go to
    #[arg(long, value_name = "DIR", hide = true)]
    results: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table
    Text,
    /// One JSON object
    Json,
    /// JUnit's XML
    Junit,
}

/// A seed: fixed, or taken from the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seed(u64);

impl std::fmt::Display for Seed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.0)
    }
}

impl FromStr for Seed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "random" {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let mixed =
                xxhash_rust::xxh3::xxh3_64(&now.map_or(0, |now| now.as_nanos()).to_le_bytes());
            // Short enough to be typed again.
            return Ok(Seed(mixed >> 32));
        }
        text.parse().map(Seed).map_err(|_| format!("`{text}` is neither a number nor `random`"))
    }
}

/// Runs the suites and prints what they found.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    if let Some(command) = &arguments.mcp {
        return served(command, arguments);
    }
    let suites = match arguments.suites.as_slice() {
        [] => Suite::value_variants().to_vec(),
        chosen => chosen.to_vec(),
    };
    let found = provision::available()?;
    let (subjects, lines) = backends::subjects(&arguments.subjects, &found);
    if let Some(missing) = lines.iter().find(|line| line.found.is_err())
        && suites.iter().any(|suite| suite.drives_cases())
        && (!arguments.subjects.is_empty() || subjects.is_empty())
    {
        let reason = missing.found.as_ref().err().map_or("", String::as_str);
        bail!("`{}` cannot be run: {reason}", missing.name);
    }
    let runner = Runner::new(RunnerOptions { backends: found, ..RunnerOptions::default() })
        .context("cannot start workers")?;
    let limit = match (arguments.cases, arguments.time) {
        (_, Some(time)) => Limit::Time(time),
        (cases, None) => Limit::Cases(cases.unwrap_or(DEFAULT_CASES)),
    };
    let store = arguments.out.clone().unwrap_or_else(|| golden::directory("regressions"));
    let options = Options {
        subjects,
        lines,
        suites,
        limit,
        asked: arguments.cases.is_some() || arguments.time.is_some(),
        seed: arguments.seed.0,
        threads: arguments.threads.unwrap_or_else(processors),
        finding_options: FindingOptions {
            store: Some(store),
            findings: MAX_FINDINGS,
            budget: SHRINK_BUDGET,
        },
        results: Some(arguments.results.clone().unwrap_or_else(records::results_directory)),
    };
    let report = run_suites(&options, &runner, &TerminalProgress::new())?;
    print(&rendered(&report, arguments.format)?)?;
    Ok(Verdict::of(report.conforms()))
}

/// Checks an MCP server.
fn served(command: &str, arguments: &Arguments) -> Outcome {
    let asked = mcp::Server::new(command).context("there is no place for trees")?;
    let limit = match (arguments.cases, arguments.time) {
        (_, Some(time)) => Limit::Time(time),
        (cases, None) => Limit::Cases(cases.unwrap_or(SERVED_CASES)),
    };
    let options = mcp::Options {
        limit,
        seed: arguments.seed.0,
        threads: arguments.threads.unwrap_or_else(processors),
        // A server has no subject name, so its cases are stored only on request.
        finding_options: FindingOptions {
            store: arguments.out.clone(),
            findings: MAX_FINDINGS,
            budget: SERVED_SHRINK_BUDGET,
        },
    };
    let report = mcp::check(&asked, &options, &|_| ())?;
    print(&rendered(&report, arguments.format)?)?;
    let tables = report.suites.iter().flat_map(|suite| suite.tables.values());
    if tables.map(|table| table.total.total() - table.total.unsupported).sum::<u64>() == 0 {
        bail!(
            "`{command}` could be asked nothing; it needs a tool `grep`, `search_text` or `find_files`"
        );
    }
    Ok(Verdict::of(report.conforms()))
}

fn rendered(report: &Report, format: Format) -> anyhow::Result<String> {
    Ok(match format {
        Format::Json => serde_json::to_string_pretty(&report.json())? + "\n",
        Format::Junit => report.junit(),
        Format::Text => {
            let findings = report.findings.iter().map(finding_text);
            let discrepancies = report.discrepancies.iter().map(discrepancy_text);
            let mut text: String = findings.chain(discrepancies).map(|told| told + "\n").collect();
            text.push_str(&report.text());
            text
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_number_or_random() {
        assert_eq!("17".parse(), Ok(Seed(17)));
        assert!("random".parse::<Seed>().is_ok());
        assert!("0x17".parse::<Seed>().is_err());
    }
}
