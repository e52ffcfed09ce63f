//! The command line's shape: which forms of call there are.

use clap::{
    CommandFactory as _, Parser, Subcommand,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};

use crate::{
    args::{Budget, Common, Index, Names, Search},
    keyword::Keyword,
    metrics::Watch,
    stats::Stats,
};

/// Deterministic code search for agents and people.
#[derive(Debug, Parser)]
#[command(name = "forge-search", version, about)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// A form of call.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Call a tool with a JSON request; prints one JSON object
    Call {
        /// Tool name or alias
        tool: String,
        /// The request, or `-` to read it from standard input
        request: String,
        #[command(flatten)]
        names: Names,
        #[command(flatten)]
        budget: Budget,
    },
    /// Print the definitions of the tools, a JSON array
    Tools {
        #[command(flatten)]
        names: Names,
    },
    /// Serve the tools to an agent over the Model Context Protocol, on standard input and output
    Mcp {
        #[command(flatten)]
        names: Names,
        #[command(flatten)]
        watch: Watch,
    },
    /// Search and print matching lines
    Search(Box<Search>),
    /// Find files by concept: grep for terms, rank the files, let a language model choose among
    /// them
    Keyword(Keyword),
    /// Look after the indexes of the roots
    Index {
        #[command(subcommand)]
        command: Index,
    },
    /// Print the figures of servers: calls, results, errors, rate-limit hits, percentiles of the
    /// time they took
    Stats(Stats),
}

/// What flags of ripgrep and grep that are not taken here are for, and what does it.
const ELSEWHERE: [(&[&str], &str); 6] = [
    (
        &["-l", "--files-with-matches"],
        "files that match: forge-search call grep '{\"pattern\": \"...\", \"output\": \"files\"}'",
    ),
    (
        &["-c", "--count"],
        "numbers of lines: forge-search call grep '{\"pattern\": \"...\", \"output\": \"count\"}'",
    ),
    (
        &["-A", "-B", "--after-context", "--before-context"],
        "lines on one side: -C shows as many on both sides",
    ),
    (&["-t", "-T", "--type", "--type-not"], "types of files: use -g '*.rs', or --exclude '*.rs'"),
    (&["-n"], "numbers of lines are always shown; leave it out"),
    (
        &[
            "-v",
            "-x",
            "-o",
            "-U",
            "--invert-match",
            "--line-regexp",
            "--only-matching",
            "--multiline",
        ],
        "there is nothing like it here; ripgrep has it",
    ),
];

impl Args {
    /// The arguments of this process. Ends it if they are wrong, or ask for help.
    pub(crate) fn of_process() -> Self {
        Self::try_parse().unwrap_or_else(|error| with_way_out(error).exit())
    }
}

/// The error, with what does the work of a flag that is not taken.
fn with_way_out(error: Error) -> Error {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return error };
    let advice = ELSEWHERE.iter().find(|(flags, _)| flags.contains(&flag.as_str()));
    match advice {
        Some((_, advice)) if error.kind() == ErrorKind::UnknownArgument => Args::command()
            .error(ErrorKind::UnknownArgument, format!("unexpected argument '{flag}': {advice}")),
        _ => error,
    }
}
