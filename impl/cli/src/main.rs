//! `forge-search`: the service on the command line.
//!
//! Exit status of both forms of search (docs/cli.md): 0 events found, 1 complete and none, 2 an error, or incomplete and none.

mod args;
mod call;
mod human;
mod index;
mod json;
mod mcp;
mod setup;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};

fn main() -> ExitCode {
    let args = Args::parse();
    match &args.command {
        Command::Call { tool, request, budget } => call::run(&args.common, tool, request, *budget),
        Command::Tools => call::tools(),
        Command::Mcp { budget } => mcp::run(&args.common, *budget),
        Command::Search(search) => human::run(&args.common, search),
        Command::Index { command } => index::run(&args.common, command),
    }
}
