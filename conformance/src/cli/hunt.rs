//! `touchstone hunt` and `touchstone matrix`: run subjects until the time is up, and report what is
//! wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use touchstone_spec::Spec;

use super::{Outcome, Verdict};
use crate::golden;
use crate::hunt::baseline::Baselines;
use crate::hunt::campaign::{Length, Plan, campaign, resume};
use crate::hunt::draw::Theme;
use crate::hunt::groups::Groups;
use crate::hunt::outcome::State;
use crate::hunt::results::Results;
use crate::hunt::subjects::{Adapters, Wanted, installed};
use crate::place::home;

use progress::HuntProgress;
use summary::{summary, table};

mod progress;
mod summary;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Who is asked: `ripgrep@14.1.0`, `ugrep` for the newest installed, `native`, `./mine.yaml`;
    /// may be repeated
    #[arg(long = "subject", required_unless_present = "resume")]
    subjects: Vec<String>,
    /// Continue an interrupted hunt from its result file: remaining batches and cases not yet
    /// shrunk
    #[arg(long, value_name = "FILE", conflicts_with_all = ["subjects", "batches", "seed", "shard",
        "theme"])]
    resume: Option<PathBuf>,
    #[command(flatten)]
    how: How,
}

#[derive(Debug, Args)]
pub(super) struct MatrixArguments {
    /// Programs, of which every installed release is asked; every program that has one, if none is
    /// named
    programs: Vec<String>,
    #[command(flatten)]
    how: How,
}

#[derive(Debug, Args)]
struct How {
    /// How long, as in `30s`, `10m`, `2h`; up to half is kept for making cases small. A minute
    /// unless said otherwise; with `--resume`, as long as it takes
    #[arg(long, value_parser = super::duration, conflicts_with = "batches")]
    time: Option<Duration>,
    /// Run this many batches instead of a time limit; results are then the same on every machine
    #[arg(long)]
    batches: Option<u64>,
    /// What batches are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only the batches of one machine of several: `2/5` is the second of five
    #[arg(long, default_value = "1/1", value_parser = shard)]
    shard: (u64, u64),
    /// What is drawn
    #[arg(long, value_enum, default_value_t = Kind::All)]
    theme: Kind,
    /// Threads
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    jobs: u64,
    /// Asks spent on making one case small
    #[arg(long, default_value_t = 1500)]
    asks: usize,
    /// Known bugs of one program, in place of those that are shipped for it
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Where the results go, as JSON; where hunts are kept unless said otherwise
    #[arg(long, short)]
    output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    /// Files named one by one
    Listed,
    /// Walks with ignore files
    Walks,
    /// Both
    All,
}

/// `k/n`, as the residue and the modulus.
fn shard(text: &str) -> Result<(u64, u64), String> {
    let wrong = || "expected `k/n` with 1 <= k <= n".to_owned();
    let (k, n) = text.split_once('/').ok_or_else(wrong)?;
    let (k, n): (u64, u64) = (k.parse().map_err(|_| wrong())?, n.parse().map_err(|_| wrong())?);
    if k == 0 || k > n { Err(wrong()) } else { Ok((k % n, n)) }
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let adapters = Adapters::shipped().context("the adapters cannot be used")?;
    let (how, subjects) = (&arguments.how, arguments.subjects.clone());
    hunt(how, subjects, arguments.resume.as_deref(), &adapters, |_| String::new())
}

pub(super) fn matrix(arguments: &MatrixArguments) -> Outcome {
    let adapters = Adapters::shipped().context("the adapters cannot be used")?;
    let mut subjects = Vec::new();
    for program in &arguments.programs {
        if adapters.get(program).is_none() {
            let known: Vec<&str> = adapters.iter().map(|adapter| adapter.name.as_str()).collect();
            bail!("there is no adapter `{program}`; there are {}", known.join(", "));
        }
    }
    for adapter in adapters.iter() {
        if arguments.programs.is_empty() || arguments.programs.contains(&adapter.name) {
            subjects.extend(
                installed(&adapter.name)
                    .iter()
                    .map(|one| format!("{}@{}", one.program, one.version)),
            );
        }
    }
    if subjects.is_empty() {
        bail!("no release is installed; `touchstone backends install NAME@VERSION` does it");
    }
    hunt(&arguments.how, subjects, None, &adapters, |results| table(results) + "\n")
}

/// Hunts, writes the document, and prints what the head makes of it and what it came to.
fn hunt(
    how: &How,
    subjects: Vec<String>,
    resumed: Option<&Path>,
    adapters: &Adapters,
    head: impl Fn(&Results) -> String,
) -> Outcome {
    let spec = Spec::load(&golden::workspace().join("spec"))
        .context("the specification cannot be used")?;
    let mut baselines = Baselines::shipped().context("the baselines cannot be used")?;
    if let Some(file) = &how.baseline {
        let unusable = || format!("the baseline `{}` cannot be used", file.display());
        baselines = baselines.with(file).with_context(unusable)?;
    }
    let before = resumed.map(Results::read).transpose()?;
    let file = match (&how.output, resumed) {
        (Some(file), _) => file.clone(),
        (None, Some(file)) => file.to_owned(),
        (None, None) => default_place(how, &subjects)?,
    };
    let plan = Plan {
        subjects,
        seed: how.seed,
        shard: how.shard,
        length: match (how.batches, how.time) {
            (Some(batches), _) => Length::Batches(batches),
            (None, time) if before.is_some() => Length::Owed(time),
            (None, time) => Length::Time(time.unwrap_or(Duration::from_secs(60))),
        },
        theme: match how.theme {
            Kind::Listed => Theme::Listed,
            Kind::Walks => Theme::Walks,
            Kind::All => Theme::All,
        },
        jobs: usize::try_from(how.jobs).unwrap_or(1),
        asks: how.asks,
    };
    let shown = HuntProgress::new()?;
    let groups = Groups::of(&spec);
    let ended = match before {
        Some(before) => resume(&plan, before, adapters, &groups, &baselines, &shown),
        None => campaign(&plan, adapters, &groups, &baselines, &shown),
    };
    let ended = ended.map_err(anyhow::Error::msg)?;
    drop(shown);
    ended.results.write(&file)?;
    super::print(&format!("{}{}", head(&ended.results), summary(&ended, &file)))?;
    match ended.results.state() {
        State::Fine => Ok(Verdict::Fine),
        State::Wrong => Ok(Verdict::Wrong),
        State::CouldNot(why) => bail!(why),
    }
}

/// A file where hunts are kept, called after the first program, the seed and the shard.
fn default_place(how: &How, subjects: &[String]) -> anyhow::Result<PathBuf> {
    let directory = home()?.join("hunts");
    fs::create_dir_all(&directory)
        .with_context(|| format!("cannot make `{}`; name a file by `-o`", directory.display()))?;
    let first = subjects.first().map_or("hunt", String::as_str);
    let adapter = Wanted::parse(first).adapter;
    let stem = Path::new(&adapter).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let shard = match how.shard {
        (_, 1) => String::new(),
        (k, n) => format!("-{}-of-{n}", if k == 0 { n } else { k }),
    };
    Ok(directory.join(format!("{stem}-{}{shard}.json", how.seed)))
}
