//! `touchstone assurance`: the page that says what a green run is worth.

use std::fs;

use anyhow::Context as _;

use super::{Outcome, Verdict, print};
use crate::{assurance, golden};

/// Arguments of `touchstone assurance`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Print the page and write nothing
    #[arg(long)]
    print: bool,
}

/// Writes `docs/assurance.md` from the files of `docs/assurance`.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let workspace = golden::workspace();
    let page = assurance::page(&workspace)?;
    if arguments.print {
        print(&page)?;
    } else {
        let path = workspace.join("docs/assurance.md");
        fs::write(&path, &page).with_context(|| path.display().to_string())?;
        print("docs/assurance.md is written\n")?;
    }
    Ok(Verdict::Fine)
}
