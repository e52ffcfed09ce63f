//! The command line's shape: which forms of call there are.

use clap::{Parser, Subcommand};

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
        #[arg(allow_hyphen_values = true)]
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
    /// Find files by concept: grep for terms, rank the files, let a language model choose among them
    Keyword(Keyword),
    /// Look after the indexes of the roots
    Index {
        #[command(subcommand)]
        command: Index,
    },
    /// Print the figures of servers: calls, results, errors, rate-limit hits, percentiles of the time they took
    Stats(Stats),
}
