//! The command line: arguments in, exit status out.
//!
//! Responsible for: the subcommands, what they print, and the exit status: 0 conforming, 1 not, 2
//! could not run. Not here: everything that decides anything. Invariants: results go to
//! standard output, progress and complaints to standard error.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

mod adapter;
mod assurance;
mod backends;
mod bisect;
mod callers;
mod check;
mod diff;
mod doctor;
mod hunt;
mod merge;
mod museum;
mod mutate;
mod nfr;
mod progress;
mod replay;
mod report;
mod review;
mod spec;
mod trace;

/// Holds the executable reference model in lockstep against the search service and its backends.
#[derive(Debug, Parser)]
#[command(name = "touchstone", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the suites: stored cases, random cases against the model, and relations between runs
    Check(check::Arguments),
    /// Ask the server, the command line and the model what callers ask
    Callers(callers::Arguments),
    /// Run one stored case and show every difference
    Replay(replay::Arguments),
    /// Write a page of the goldens that differ between two commits or directories
    Review(review::Arguments),
    /// Show which requirement is verified by which check
    Trace(trace::Arguments),
    /// Hold what the last run of the bench has measured against the budgets of time
    Nfr(nfr::Arguments),
    /// Write the page that says what a green run is worth
    Assurance(assurance::Arguments),
    /// Look after the specification data
    Spec(spec::Arguments),
    /// Ask search programs until the time is up, and tell what they get wrong
    Hunt(hunt::Arguments),
    /// The same for every installed release, as a table of releases and groups of clauses
    Matrix(hunt::MatrixArguments),
    /// Draft an adapter for a search program, or hold one against its program
    Adapter(adapter::Arguments),
    /// Make a page, a comment or JUnit's XML of what a hunt found
    Report(report::Arguments),
    /// Show what changed between two hunts
    Diff(diff::Arguments),
    /// Add up the results of shards
    Merge(merge::Arguments),
    /// Ask every installed release the questions of confirmed bugs, or confirm another one
    Museum(museum::Arguments),
    /// Find the release of a program that broke a case
    Bisect(bisect::Arguments),
    /// Show what there is on this machine, and how to get the rest
    Doctor,
    /// Show the backends found on this machine, or install them
    Backends(backends::Arguments),
    /// Serve cases over standard input and output; started by the other commands
    #[command(hide = true)]
    Worker,
    /// Search with a bug; started by tests
    #[command(hide = true)]
    Fake {
        /// Which bug
        kind: String,
        /// As its adapter gives them
        #[arg(last = true)]
        arguments: Vec<std::ffi::OsString>,
    },
}

type Outcome = anyhow::Result<Verdict>;

/// The result that decides the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Exit status 0.
    Fine,
    /// Exit status 1.
    Wrong,
}

impl Verdict {
    fn of(fine: bool) -> Self {
        if fine { Verdict::Fine } else { Verdict::Wrong }
    }
}

/// Runs the command that the arguments ask for.
pub fn main() -> ExitCode {
    let command = Arguments::parse().command;
    if matches!(command, Command::Worker) {
        return crate::worker::main();
    }
    if let Command::Fake { kind, arguments } = &command {
        return crate::hunt::fake::main(kind, arguments);
    }
    // A panic here is a bug of the harness: it could not run, which differs from a divergence.
    match catch_unwind(AssertUnwindSafe(|| run(&command))) {
        Err(_) => ExitCode::from(2),
        Ok(Ok(Verdict::Fine)) => ExitCode::SUCCESS,
        Ok(Ok(Verdict::Wrong)) => ExitCode::FAILURE,
        Ok(Err(error)) => {
            // With the sources, for they name the file or the way out.
            let _ = writeln!(std::io::stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: &Command) -> Outcome {
    match command {
        Command::Check(arguments) => check::run(arguments),
        Command::Callers(arguments) => callers::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Review(arguments) => review::run(arguments),
        Command::Trace(arguments) => trace::run(arguments),
        Command::Nfr(arguments) => nfr::run(arguments),
        Command::Assurance(arguments) => assurance::run(arguments),
        Command::Spec(arguments) => spec::run(arguments),
        Command::Hunt(arguments) => hunt::run(arguments),
        Command::Matrix(arguments) => hunt::matrix(arguments),
        Command::Adapter(arguments) => adapter::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Museum(arguments) => museum::run(arguments),
        Command::Bisect(arguments) => bisect::run(arguments),
        Command::Doctor => doctor::run(),
        Command::Backends(arguments) => backends::run(arguments),
        Command::Worker | Command::Fake { .. } => Ok(Verdict::Fine),
    }
}

/// Prints to standard output. A closed pipe is not an error.
fn print(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Parses `90s`, `10m` or `1h 30m`; a number alone is seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let with_unit = if is_number { format!("{text}s") } else { text.to_owned() };
    humantime::parse_duration(&with_unit)
        .map_err(|error| format!("{error}; write `90s`, `10m` or `1h`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_parsed_with_its_unit() {
        let reads = [("90", 90), ("90s", 90), ("2m", 120), ("1h", 3_600), ("1h 30m", 5_400)];
        for (text, seconds) in reads {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for bad in ["", "s", "1 parsec", "-1s", "99999999999999999h"] {
            assert!(duration(bad).is_err_and(|why| why.contains("`90s`")), "{bad}");
        }
    }
}
