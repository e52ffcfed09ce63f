//! `touchstone hunt` and `touchstone matrix`: subjects are asked until the time is up, and what is wrong is told.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use touchstone_spec::Spec;

use super::{Outcome, Verdict};
use crate::golden;
use crate::hunt::cost::cpu_seconds;
use crate::hunt::draw::Theme;
use crate::hunt::finding::{Budget, Investigated, investigate};
use crate::hunt::groups::Groups;
use crate::hunt::results::{Results, SCHEMA};
use crate::hunt::run::{self, Options, Tally, Until};
use crate::hunt::searcher::Searcher;
use crate::hunt::subjects::{Adapters, Wanted, subject, sweep};

/// Most subjects of one run.
const MOST_SUBJECTS: usize = 64;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Who is asked: `ripgrep@14.1.0`, `ugrep` for the newest installed, `native`, `./mine.yaml`; may be repeated
    #[arg(long = "subject", required = true)]
    subjects: Vec<String>,
    /// How long, as in `30s`, `10m`, `2h`; a third of it is kept for making cases small
    #[arg(long, default_value = "1m", value_parser = duration, conflicts_with = "batches")]
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
    #[arg(long, default_value_t = 2)]
    jobs: usize,
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

fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match text.strip_prefix(digits) {
        Some("s" | "") => 1,
        Some("m") => 60,
        Some("h") => 3600,
        _ => return Err("expected a number and `s`, `m` or `h`".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "expected a number and `s`, `m` or `h`".to_owned())?;
    Ok(Duration::from_secs(number.saturating_mul(unit)))
}

/// `k/n`, as the residue and the modulus.
fn shard(text: &str) -> Result<(u64, u64), String> {
    let wrong = || "expected `k/n` with 1 <= k <= n".to_owned();
    let (k, n) = text.split_once('/').ok_or_else(wrong)?;
    let (k, n): (u64, u64) = (k.parse().map_err(|_| wrong())?, n.parse().map_err(|_| wrong())?);
    if k == 0 || k > n { Err(wrong()) } else { Ok((k % n, n)) }
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    if arguments.subjects.len() > MOST_SUBJECTS {
        bail!(
            "{} subjects, at most {MOST_SUBJECTS} are asked; make two runs of it",
            arguments.subjects.len()
        );
    }
    let spec = Spec::load(&golden::workspace().join("spec")).context("the specification cannot be used")?;
    let groups = Groups::of(&spec);
    let adapters = Adapters::shipped().context("the adapters cannot be used")?;
    let mut infos = Vec::new();
    for name in &arguments.subjects {
        infos.push(subject(name, &adapters)?.info);
    }
    let open_one = |name: &str| -> Result<Box<dyn Searcher>, String> {
        subject(name, &adapters).map(|subject| subject.searcher).map_err(|error| error.to_string())
    };
    let open = || arguments.subjects.iter().map(|name| open_one(name)).collect();
    let start = Instant::now();
    let until = match arguments.batches {
        Some(count) => Until::Batches(count),
        None => Until::Time(arguments.time * 2 / 3),
    };
    let theme = match arguments.theme {
        Kind::Listed => Theme::Listed,
        Kind::Walks => Theme::Walks,
        Kind::All => Theme::All,
    };
    let options =
        Options { seed: arguments.seed, shard: arguments.shard, until, theme, jobs: arguments.jobs };
    let tally = run::hunt(&options, &groups, &open).map_err(anyhow::Error::msg)?;
    let releases = |program: &str| {
        let name = arguments
            .subjects
            .iter()
            .map(String::as_str)
            .find(|name| subject(name, &adapters).is_ok_and(|subject| subject.info.program == program));
        let adapter = name
            .and_then(|name| subject(name, &adapters).ok())
            .map(|subject| subject.searcher.adapter().clone());
        match (adapter, name) {
            (Some(adapter), Some(name)) => sweep(&adapter, &Wanted::parse(name).adapter),
            _ => Vec::new(),
        }
    };
    let limit = arguments.batches.is_none().then(|| start + arguments.time);
    let budget = Budget { asks: arguments.asks, until: limit };
    let sightings = tally.sightings.values().flatten();
    let mut found = investigate(sightings, &groups, &open_one, &releases, budget).map_err(anyhow::Error::msg)?;
    let (flakes, left) = (std::mem::take(&mut found.flakes), found.left);
    let mut results = results(arguments, infos, &tally, found);
    results.cost.seconds = start.elapsed().as_secs_f64();
    results.cost.cpu_seconds = cpu_seconds();
    crate::hunt::merge::arrange(&mut results);
    if let Some(path) = &arguments.output {
        results.write(path).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    super::print(&told(&results, &tally, &flakes, left))?;
    Ok(Verdict::of(results.findings.iter().all(|finding| finding.known.is_some())))
}

fn results(
    arguments: &Arguments,
    subjects: Vec<crate::hunt::results::SubjectInfo>,
    tally: &Tally,
    found: Investigated,
) -> Results {
    let Investigated { findings, drawn, .. } = found;
    let findings = findings.into_values().collect();
    let mut cells: Vec<_> = tally.cells.values().cloned().collect();
    for (id, places) in &drawn {
        for cell in cells.iter_mut().filter(|cell| places.contains(&(cell.subject.clone(), cell.group))) {
            cell.findings.push(id.clone());
        }
    }
    let (k, n) = arguments.shard;
    let shards = if n == 1 { Vec::new() } else { vec![format!("{}/{n}", if k == 0 { n } else { k })] };
    Results {
        schema: SCHEMA,
        seed: arguments.seed,
        shards,
        subjects,
        cells,
        findings,
        features: tally.features.iter().map(|(feature, count)| (feature.name().to_owned(), *count)).collect(),
        relations: tally.relations.iter().map(|(name, tried)| ((*name).to_owned(), *tried)).collect(),
        cost: tally.cost,
    }
}

/// What is printed at the end.
fn told(results: &Results, tally: &Tally, flakes: &[String], left: usize) -> String {
    use std::fmt::Write as _;
    let mut out = String::new();
    let cost = results.cost;
    #[expect(clippy::cast_precision_loss, reason = "a rate is told in three digits")]
    let rate = tally.cost.cases as f64 / tally.cost.cpu_seconds.max(0.01);
    let _ = writeln!(
        out,
        "{} cases in {} asks, {:.1} s, {:.1} s of processor time; {rate:.0} cases a second of processor time while hunting",
        cost.cases, cost.asks, cost.seconds, cost.cpu_seconds
    );
    for info in &results.subjects {
        let mine = results.cells.iter().filter(|cell| cell.subject == info.subject);
        let sum = |count: fn(&crate::hunt::results::Cell) -> u64| mine.clone().map(count).sum::<u64>();
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
    let relations: Vec<String> = results
        .relations
        .iter()
        .map(|(name, tried)| format!("{name} {}/{}", tried.broken, tried.tried))
        .collect();
    let _ = writeln!(out, "relations (broken/tried): {}", relations.join(", "));
    for trouble in &tally.troubles {
        let _ = writeln!(out, "trouble: {trouble}");
    }
    for flake in flakes {
        let _ = writeln!(out, "not seen again: {flake}");
    }
    if left > 0 {
        let _ = writeln!(out, "{left} sightings were left for want of time");
    }
    for finding in &results.findings {
        let known = finding.known.as_ref().map_or_else(String::new, |entry| format!(" (known: {entry})"));
        let _ = writeln!(out, "\n{}{known}\n  {}\n  {}", finding.id, finding.title, finding.command);
        let wrong: Vec<&str> = finding
            .releases
            .iter()
            .filter(|one| {
                matches!(
                    one.verdict,
                    crate::hunt::verdict::Verdict::Diverge(_) | crate::hunt::verdict::Verdict::Broken(_)
                )
            })
            .map(|one| one.version.as_str())
            .collect();
        let _ = writeln!(
            out,
            "  wrong in {}; said by {}; met {} times",
            wrong.join(" "),
            finding.oracle,
            finding.met
        );
    }
    let new = results.findings.iter().filter(|finding| finding.known.is_none()).count();
    let _ = writeln!(out, "\n{} findings, {new} of them new", results.findings.len());
    out
}
