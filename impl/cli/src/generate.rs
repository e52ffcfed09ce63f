//! Completions and manual pages, made of the declarations of the flags.

use std::{fs, io::Write as _, path::Path, process::ExitCode};

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::{
    command::Args,
    errors::{Failure, ended},
};

/// Prints what a shell has to know to complete words.
pub(crate) fn completions(shell: Shell) -> ExitCode {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "forge-search", &mut text);
    ended(std::io::stdout().write_all(&text), ExitCode::SUCCESS)
}

/// Prints the manual page, or writes that and one for each command into a directory.
pub(crate) fn man(output: Option<&Path>) -> ExitCode {
    let Some(directory) = output else {
        return ended(page(&mut std::io::stdout().lock()), ExitCode::SUCCESS);
    };
    pages(directory).map_or_else(|failure| failure.tell(), |()| ExitCode::SUCCESS)
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
