//! `forge-search`: the service on the command line.
//!
//! Exit status of both forms of search (docs/cli.md): 0 events found, 1 complete and none, 2 an
//! error, or incomplete and none.

mod args;
mod call;
mod clients;
mod command;
mod consent;
mod doctor;
mod errors;
mod generate;
mod index;
mod keyword;
mod log;
mod metrics;
mod progress;
mod search;
mod serve;
mod setup;
mod stats;

use std::process::ExitCode;

use command::{Args, Command};

fn main() -> ExitCode {
    let args = Args::of_process();
    // All children of this program are started by the engine.
    forge_search_engine::adopt_orphans();
    match &args.command {
        Command::Call { tool, request, names, budget, consent } => {
            call::run(&args.common, tool, request, *names, *budget, *consent)
        }
        Command::Tools { names } => call::tools(*names),
        Command::Mcp { install: Some(client), write, consent, .. } => {
            clients::install(&args.common, *client, *write, *consent)
        }
        Command::Mcp { names, watch, consent, .. } => {
            serve::run(&args.common, *names, *watch, *consent)
        }
        Command::Search(search) => search::run(&args.common, search),
        Command::Keyword(keyword) => keyword::run(&args.common, keyword),
        Command::Index { command } => index::run(&args.common, command),
        Command::Stats(stats) => stats::run(&args.common, *stats),
        Command::Doctor { consent } => doctor::run(&args.common, *consent),
        Command::Completions { shell } => generate::completions(*shell),
        Command::Man { output } => generate::man(output.as_deref()),
    }
}
