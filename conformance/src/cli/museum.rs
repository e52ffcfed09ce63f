//! `touchstone museum`: the confirmed bugs, asked again; and how one joins them.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Subcommand;

use super::{Outcome, Verdict, print};
use crate::hunt::bisect::State;
use crate::hunt::museum::replay::replay;
use crate::hunt::museum::{self, Confirmed, Exhibit, Releases, Witness};
use crate::hunt::pack_directory::PackDirectory;
use crate::hunt::results::{Finding, Results};
use crate::hunt::subjects::{Adapters, subject, sweep};

/// Arguments of `touchstone museum`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    act: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Store a finding that somebody has confirmed
    Add(Add),
}

#[derive(Debug, clap::Args)]
struct Add {
    /// What `touchstone hunt` wrote
    results: PathBuf,
    /// The finding's id, or its beginning
    finding: String,
    /// The name it gets: lower-case letters, digits and hyphens, the program's name first
    #[arg(long)]
    id: String,
    /// What is wrong, in a sentence. Default: the finding's
    #[arg(long)]
    title: Option<String>,
    /// What confirms it
    #[arg(long, value_enum)]
    by: Witness,
    /// What that says, and where
    #[arg(long)]
    says: String,
}

/// Replays the museum, or adds to it.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.act {
        None => replayed(),
        Some(Action::Add(arguments)) => add(arguments),
    }
}

fn replayed() -> Outcome {
    let exhibits = museum::all(&museum::directory())?;
    let replay = replay(&exhibits, &Adapters::shipped()?)?;
    for exhibit in &exhibits {
        let Exhibit { id, title, releases, .. } = exhibit;
        print(&format!("{id}: {title}; wrong in {}\n", releases.bad.join(" ")))?;
    }
    for wrong in &replay.wrong {
        print(&format!("wrong: {wrong}\n"))?;
    }
    if !replay.missing.is_empty() {
        let missing: Vec<&str> = replay.missing.iter().map(String::as_str).collect();
        print(&format!("not installed, and so not asked: {}\n", missing.join(" ")))?;
    }
    print(&format!(
        "{} cases, {} answers, {} wrong\n",
        exhibits.len(),
        replay.asked,
        replay.wrong.len()
    ))?;
    Ok(Verdict::of(replay.wrong.is_empty()))
}

fn add(arguments: &Add) -> Outcome {
    let results = Results::read(&arguments.results)?;
    let finding = results.finding(&arguments.finding).map_err(anyhow::Error::msg)?;
    let confirmed = Confirmed { by: arguments.by, says: arguments.says.clone() };
    let title = arguments.title.as_deref().unwrap_or(&finding.title);
    let mut exhibit = Exhibit::of(finding, results.seed, &arguments.id, title, confirmed);
    ask_again(&mut exhibit, finding)?;
    let path = museum::store(&exhibit, &museum::directory())?;
    let Releases { bad, good } = &exhibit.releases;
    print(&format!(
        "{}: wrong in {}, right in {}\n",
        path.display(),
        bad.join(" "),
        good.join(" ")
    ))?;
    Ok(Verdict::Fine)
}

/// Asks all installed releases again, so that what is stored is what they say today.
fn ask_again(exhibit: &mut Exhibit, finding: &Finding) -> anyhow::Result<()> {
    let adapters = Adapters::shipped()?;
    let adapter = adapters
        .get(&exhibit.program)
        .with_context(|| format!("there is no adapter `{}`", exhibit.program))?;
    let mut packs = PackDirectory::new()?;
    let mut releases = Releases::default();
    for (name, version) in sweep(&adapter, &exhibit.program) {
        let mut subject = subject(&name, &adapters)?;
        let asked = exhibit.ask(subject.searcher.as_mut(), &mut packs);
        match asked.state {
            State::Good => releases.good.push(version),
            State::Unknown => {}
            State::Bad => {
                if releases.bad.is_empty() {
                    exhibit.actual = asked.judged.and_then(|judged| judged.actual);
                }
                releases.bad.push(version);
            }
        }
    }
    if releases.bad.is_empty() {
        bail!("no installed release is wrong about `{}`", finding.id);
    }
    exhibit.releases = releases;
    Ok(())
}
