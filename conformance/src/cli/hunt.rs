//! `touchstone hunt` and `touchstone matrix`: subjects are asked until the time is up, and what is
//! wrong is told.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use touchstone_spec::Spec;

use super::{Outcome, Verdict};
use crate::golden;
use crate::hunt::baseline::Baselines;
use crate::hunt::campaign::{Campaign, Length, Plan, campaign};
use crate::hunt::draw::Theme;
use crate::hunt::groups::Groups;
use crate::hunt::results::{Cell, Results};
use crate::hunt::subjects::{Adapters, installed};
use crate::hunt::verdict::Verdict as Came;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Who is asked: `ripgrep@14.1.0`, `ugrep` for the newest installed, `native`, `./mine.yaml`;
    /// may be repeated
    #[arg(long = "subject", required = true)]
    subjects: Vec<String>,
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
    /// How long, as in `30s`, `10m`, `2h`; a third of it is kept for making cases small
    #[arg(long, default_value = "1m", value_parser = super::duration, conflicts_with = "batches")]
    time: Duration,
    /// So many batches instead, which come to the same on every machine
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
    /// Where the results go, as JSON
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
    let ended = hunt(&arguments.how, arguments.subjects.clone(), &adapters)?;
    super::print(&told(&ended))?;
    Ok(Verdict::of(ended.is_fine()))
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
    let ended = hunt(&arguments.how, subjects, &adapters)?;
    super::print(&format!("{}\n{}", table(&ended.results), told(&ended)))?;
    Ok(Verdict::of(ended.is_fine()))
}

fn hunt(how: &How, subjects: Vec<String>, adapters: &Adapters) -> anyhow::Result<Campaign> {
    let spec = Spec::load(&golden::workspace().join("spec"))
        .context("the specification cannot be used")?;
    let baselines = Baselines::shipped().context("the baselines cannot be used")?;
    let plan = Plan {
        subjects,
        seed: how.seed,
        shard: how.shard,
        length: how.batches.map_or(Length::Time(how.time), Length::Batches),
        theme: match how.theme {
            Kind::Listed => Theme::Listed,
            Kind::Walks => Theme::Walks,
            Kind::All => Theme::All,
        },
        jobs: usize::try_from(how.jobs).unwrap_or(1),
        asks: how.asks,
    };
    let ended =
        campaign(&plan, adapters, &Groups::of(&spec), &baselines).map_err(anyhow::Error::msg)?;
    if let Some(path) = &how.output {
        ended.results.write(path).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    Ok(ended)
}

/// The matrix as text: a row for each group, a column for each subject.
fn table(results: &Results) -> String {
    let mark =
        |cell: &Cell| match (cell.broken, cell.diverge, cell.known, cell.declared, cell.agree) {
            (1.., ..) => "broken",
            (_, 1.., ..) => "diverge",
            (_, _, 1.., ..) => "known",
            (_, _, _, 1.., _) => "declared",
            (.., 1..) => "agree",
            _ => "-",
        };
    let mut groups: Vec<_> = results.cells.iter().map(|cell| cell.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut out = format!("{:<18}", "group");
    for info in &results.subjects {
        let _ = write!(out, " {:>16}", info.subject);
    }
    out.push('\n');
    for group in groups {
        let _ = write!(out, "{:<18}", group.name());
        for info in &results.subjects {
            let cell = results
                .cells
                .iter()
                .find(|cell| cell.group == group && cell.subject == info.subject);
            let shown = cell.map_or_else(String::new, |cell| {
                let wrong = cell.diverge + cell.broken + cell.known;
                if wrong > 0 { format!("{} {wrong}", mark(cell)) } else { mark(cell).to_owned() }
            });
            let _ = write!(out, " {shown:>16}");
        }
        out.push('\n');
    }
    out
}

/// What is printed at the end.
fn told(ended: &Campaign) -> String {
    let results = &ended.results;
    let mut out = String::new();
    let cost = results.cost;
    let unsupported: u64 = results.cells.iter().map(|cell| cell.unsupported).sum();
    let answered = cost.cases.saturating_sub(unsupported);
    #[expect(clippy::cast_precision_loss, reason = "a rate is told in three digits")]
    let rate = answered as f64 / ended.hunting_cpu_seconds.max(0.01);
    let _ = writeln!(
        out,
        "{} cases, {answered} of them answered, in {} asks, {:.1} s, {:.1} s of processor time; {rate:.0} answered cases a second of processor time while hunting",
        cost.cases, cost.asks, cost.seconds, cost.cpu_seconds
    );
    for info in &results.subjects {
        let mine = || results.cells.iter().filter(|cell| cell.subject == info.subject);
        let sum = |count: fn(&Cell) -> u64| mine().map(count).sum::<u64>();
        let _ = writeln!(
            out,
            "{:<20} agree {} declared {} known {} diverge {} unsupported {} broken {}",
            info.subject,
            sum(|cell| cell.agree),
            sum(|cell| cell.declared),
            sum(|cell| cell.known),
            sum(|cell| cell.diverge),
            sum(|cell| cell.unsupported),
            sum(|cell| cell.broken)
        );
    }
    let features: Vec<String> =
        results.features.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let _ = writeln!(out, "features: {}", features.join(", "));
    let relations = results
        .relations
        .iter()
        .map(|(name, tried)| format!("{name} {}/{}", tried.broken, tried.tried));
    let _ = writeln!(out, "relations (broken/tried): {}", relations.collect::<Vec<_>>().join(", "));
    for trouble in &ended.troubles {
        let _ = writeln!(out, "trouble: {trouble}");
    }
    for flake in &ended.flakes {
        let _ = writeln!(out, "not seen again: {flake}");
    }
    for stale in &ended.stale {
        let _ = writeln!(out, "does not fail any more: {stale}");
    }
    if ended.left > 0 {
        let _ = writeln!(out, "{} sightings were left for want of time", ended.left);
    }
    for finding in &results.findings {
        let known =
            finding.known.as_ref().map_or_else(String::new, |entry| format!(" (known: {entry})"));
        let _ =
            writeln!(out, "\n{}{known}\n  {}\n  {}", finding.id, finding.title, finding.command);
        let is_wrong = |verdict: &Came| matches!(verdict, Came::Diverge(_) | Came::Broken(_));
        let wrong = finding
            .releases
            .iter()
            .filter(|one| is_wrong(&one.verdict))
            .map(|one| one.version.as_str());
        let wrong: Vec<&str> = wrong.collect();
        let _ = writeln!(
            out,
            "  wrong in {}; said by {}; met {} times, first after {:.1} s of processor time",
            wrong.join(" "),
            finding.oracle,
            finding.met,
            finding.cpu_seconds
        );
    }
    let new = results.findings.iter().filter(|finding| finding.known.is_none()).count();
    let _ = writeln!(out, "\n{} findings, {new} of them new", results.findings.len());
    out
}
