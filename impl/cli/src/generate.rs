//! Completions and manual pages, made of the declarations of the flags.

use std::{fs, io::Write as _, path::Path, process::ExitCode};

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::{command::Args, errors::Failure};

/// Prints what a shell has to know to complete words.
pub(crate) fn completions(shell: Shell) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "forge-search", &mut text);
    match std::io::stdout().write_all(&text) {
        Ok(()) => ExitCode::SUCCESS,
        // A reader that went away wants no more.
        Err(_) => ExitCode::from(2),
    }
}

/// Prints the manual page, or writes that and one for each command into a directory.
pub(crate) fn man(output: Option<&Path>) -> ExitCode {
    let written = match output {
        None => page(&mut std::io::stdout().lock()).map_err(Failure::from),
        Some(directory) => pages(directory),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}

fn page(out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let mut text = Vec::new();
    clap_mangen::Man::new(Args::command()).render(&mut text)?;
    out.write_all(&text)
}

fn pages(directory: &Path) -> Result<(), Failure> {
    let failed = |err| {
        let shown = directory.display();
        Failure::new(format!("cannot write manual pages into `{shown}`: {err}"))
    };
    fs::create_dir_all(directory).map_err(failed)?;
    clap_mangen::generate_to(Args::command(), directory).map_err(failed)
}
