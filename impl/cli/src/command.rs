//! The command line's shape: which forms of call there are.

use std::{io::Write as _, path::PathBuf};

use clap::{
    CommandFactory as _, Parser, Subcommand,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};

use clap_complete::Shell;
use forge_search_engine::escape_line;

use crate::{
    args::{Budget, Common, Index, Names},
    clients::Client,
    consent::Consent,
    keyword::Keyword,
    metrics::Watch,
    search::{flags::Search, ripgrep},
    stats::Stats,
};

/// The command line.
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
        #[command(flatten)]
        consent: Consent,
    },
    /// Print the definitions of the tools, a JSON array
    Tools {
        #[command(flatten)]
        names: Names,
    },
    /// Serve the tools to an agent over the Model Context Protocol, on standard input and output
    Mcp {
        /// Say what to add to a client's configuration, instead of serving
        #[arg(long, value_enum, value_name = "CLIENT")]
        install: Option<Client>,
        /// Add it
        #[arg(long, requires = "install")]
        write: bool,
        #[command(flatten)]
        names: Names,
        #[command(flatten)]
        watch: Watch,
        #[command(flatten)]
        consent: Consent,
    },
    /// Search and print matching lines
    #[command(version)]
    Search(Box<Search>),
    /// Find files by concept: grep for terms, rank the files, let a language model choose among
    /// them if that is allowed
    Keyword(Keyword),
    /// Look after the indexes of the roots
    Index {
        #[command(subcommand)]
        command: Index,
    },
    /// Print the figures of servers: calls, results, errors, rate-limit hits, percentiles of the
    /// time they took
    Stats(Stats),
    /// Look at configuration, roots, backend, index and clients, and say what to mend
    Doctor {
        #[command(flatten)]
        consent: Consent,
    },
    /// Print completions of the command line for a shell
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page
    Man {
        /// Write it, and a page for each command, into this directory
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

impl Args {
    /// The arguments of this process. Ends it if they are wrong, or ask for help.
    pub(crate) fn of_process() -> Self {
        Self::try_parse().unwrap_or_else(|error| end(&with_way_out(error)))
    }
}

/// Says the error and ends. What was typed may hold characters that a terminal obeys; then all is
/// escaped, and nothing coloured.
fn end(error: &Error) -> ! {
    let text = error.render().to_string();
    let escaped: String = text.lines().map(|line| escape_line(line) + "\n").collect();
    if escaped.trim_end() == text.trim_end() {
        error.exit();
    }
    // Nobody reads an error that cannot be written.
    let _ = std::io::stderr().write_all(escaped.as_bytes());
    std::process::exit(error.exit_code());
}

/// The error, with what does the work of a flag that is not taken.
fn with_way_out(error: Error) -> Error {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else { return error };
    // Only `search` has flags that people know from elsewhere.
    let searches = std::env::args_os().any(|word| word == "search");
    let advice = ripgrep::advice(flag).filter(|_| searches);
    let mut command = Args::command();
    command.build();
    match (advice, command.find_subcommand_mut("search")) {
        (Some(advice), Some(search)) if error.kind() == ErrorKind::UnknownArgument => search
            .error(ErrorKind::UnknownArgument, format!("unexpected argument '{flag}': {advice}")),
        _ => error,
    }
}
