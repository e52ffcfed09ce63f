//! `touchstone adapter`: a first draft of an adapter, and whether it fits its program.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Subcommand;

use super::{Outcome, Verdict, print};
use crate::hunt::meanings::meanings;
use crate::hunt::scaffold::{ask_itself, draft};
use crate::hunt::smoke::{Came, questions};
use crate::hunt::subjects::{Adapters, checked};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write a draft from what a program says of itself, with every key explained
    New {
        /// The file; it must not be there yet
        file: PathBuf,
        /// The program and words that always follow it; called as the file is, if none is given
        #[arg(last = true)]
        command: Vec<String>,
    },
    /// Ask a dozen questions with known answers, and tell what does not fit
    Check {
        /// The adapter's file, or the name of one that is shipped, as for `hunt --subject`
        subject: String,
    },
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.action {
        Action::New { file, command } => new(file, command),
        Action::Check { subject } => check(subject),
    }
}

fn new(file: &Path, command: &[String]) -> Outcome {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name: String = stem
        .to_ascii_lowercase()
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .collect();
    let command = if command.is_empty() { vec![stem] } else { command.to_vec() };
    let said = ask_itself(&command).map_err(anyhow::Error::msg)?;
    let text = draft(&name, &command, &said);
    let mut written =
        fs::File::create_new(file).with_context(|| format!("cannot make `{}`", file.display()))?;
    written
        .write_all(text.as_bytes())
        .with_context(|| format!("cannot write `{}`", file.display()))?;
    let file = file.display();
    print(&format!("{file}: a draft\nnext: touchstone adapter check {file}\n"))?;
    Ok(Verdict::Fine)
}

fn check(subject: &str) -> Outcome {
    let adapters = Adapters::shipped().context("the adapters cannot be used")?;
    let (mut searcher, info) = checked(subject, &adapters)?;
    print(&format!("{} {}\n", info.program, info.version))?;
    let (mut right, mut cannot, mut wrong) = (0, 0, 0);
    for (name, came) in questions(searcher.as_mut())? {
        let line = match came {
            Came::Right => {
                right += 1;
                format!("right   {name}")
            }
            Came::Unsupported(reason) => {
                cannot += 1;
                // Some reasons begin with the name.
                let start = format!("{name}: ");
                format!("cannot  {start}{}", reason.strip_prefix(&start).unwrap_or(&reason))
            }
            Came::Wrong(failure) => {
                wrong += 1;
                format!("wrong   {failure}")
            }
        };
        print(&(line + "\n"))?;
    }
    let mut otherwise = Vec::new();
    if wrong == 0 {
        for (key, value) in meanings(searcher.as_ref())? {
            match value {
                Some(value) => otherwise.push(format!("{key}: {value}")),
                None => print(&format!("unclear dialect.{key}: no single value fits\n"))?,
            }
        }
    }
    if !otherwise.is_empty() {
        print(&format!("looks like dialect: {{{}}}\n", otherwise.join(", ")))?;
    }
    print(&format!("{right} right, {cannot} cannot be asked, {wrong} wrong\n"))?;
    if wrong == 0 {
        print(&format!("next: touchstone hunt --subject {subject} --time 1m\n"))?;
    }
    Ok(Verdict::of(wrong == 0))
}
