//! `touchstone nfr`: what the benches have measured, held against the budgets.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context as _, bail};
use touchstone_spec::Spec;

use super::{Outcome, Verdict, print};
use crate::golden;
use crate::nfr::criterion::{Functions, Run};
use crate::nfr::record::{Document, FILE, sources, today};
use crate::nfr::{Row, Verdict as Kept, judge, table};
use crate::place::{build_directory, cargo};

/// What makes the tree of a bench run. An up-to-date one is not made again.
const TREE: [&str; 2] = ["benches/fetch-corpus.sh", "benches/make-100k.sh"];
/// The bench. As part of the workspace, so that `.ci/run` has built it already.
const BENCH: [&str; 4] = ["bench", "--workspace", "--bench", "agent"];
/// The part of it that needs no tree, as [`PART`] names it.
const RATIOS: &str = "growth";
/// The variable that names the only part of the bench to run.
const PART: &str = "TOUCHSTONE_BENCH";

/// Arguments of `touchstone nfr`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Run the bench first, and write what it has measured to docs/benches.json
    #[arg(long, conflicts_with = "criterion")]
    run: bool,
    /// Write what the last run has measured, which criterion has stored here
    #[arg(long, value_name = "DIR")]
    criterion: Option<PathBuf>,
    /// Measure, in a minute, what is bounded by something measured beside it, and judge only that
    #[arg(long, conflicts_with_all = ["run", "criterion"])]
    ratios: bool,
    /// Show every question
    #[arg(long)]
    questions: bool,
}

/// Prints the table of the committed figures. The exit status is 1 if something is beyond its
/// maximum, 2 if something was not measured; stale figures are reported without failing.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let workspace = golden::workspace();
    let spec = Spec::load(&workspace.join("spec"))?;
    if arguments.ratios {
        return ratios(&workspace, &spec, arguments.questions);
    }
    if arguments.run {
        for script in TREE {
            finish(Command::new(workspace.join(script)).current_dir(&workspace))?;
        }
        bench(&workspace, None)?;
    }
    if arguments.run || arguments.criterion.is_some() {
        let stored = match &arguments.criterion {
            Some(directory) => directory.clone(),
            None => build_directory()?.join("criterion"),
        };
        let commit = commit(&workspace)?;
        let run = Run::read(&stored)?;
        let sources = sources(&workspace)?;
        let budgets = &spec.budgets.budgets;
        Document::of(budgets, &run, &commit, &machine(), &sources).write(&workspace)?;
    }
    let Some(document) = Document::read(&workspace)? else {
        bail!("there is no {FILE}; `touchstone nfr --run` measures and writes it");
    };
    let rows = document.judge(&spec.budgets.budgets);
    let others = document.others.map_or_else(String::new, |share| {
        format!("; other processes took {:.0} % of the processors' time", share * 100.0)
    });
    print(&format!(
        "commit {}, {}, {} files{others}\n",
        document.commit, document.machine, document.files
    ))?;
    print(&table(&rows, arguments.questions))?;
    if let Some(why) = document.stale(today(), &sources(&workspace)?) {
        print(&format!("stale: {why}; `touchstone nfr --run` measures anew\n"))?;
        return Ok(Verdict::Fine);
    }
    verdict(&rows)
}

/// Runs the part of the bench that needs no tree, and judges it. Nothing is written but criterion's
/// files.
fn ratios(workspace: &Path, spec: &Spec, questions: bool) -> Outcome {
    let started = SystemTime::now();
    bench(workspace, Some(RATIOS))?;
    let measured = Functions::since(&build_directory()?.join("criterion"), started)?;
    let budgets = spec.budgets.budgets.iter();
    let rows = judge(budgets.filter(|it| it.latency.ratio_at_most.is_some()), &measured);
    print(&table(&rows, questions))?;
    verdict(&rows)
}

fn verdict(rows: &[Row]) -> Outcome {
    if let Some(missing) = rows.iter().find(|row| row.verdict() == Kept::Missing) {
        bail!(
            "not everything was measured: {}",
            missing.found.as_ref().err().map_or("", String::as_str)
        );
    }
    Ok(Verdict::of(rows.iter().all(|row| row.verdict() != Kept::Beyond)))
}

/// Runs the bench, or only the named part of it.
fn bench(workspace: &Path, part: Option<&str>) -> anyhow::Result<()> {
    let mut command = cargo();
    command.args(BENCH).current_dir(workspace);
    match part {
        Some(part) => command.env(PART, part),
        None => command.env_remove(PART),
    };
    finish(&mut command)
}

/// Runs a program to its end.
fn finish(command: &mut Command) -> anyhow::Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("`{program}` does not start"))?;
    if !status.success() {
        bail!("`{program}` ended with {status}");
    }
    Ok(())
}

/// The commit that is measured.
fn commit(workspace: &Path) -> anyhow::Result<String> {
    let mut command = Command::new("git");
    command.args(["rev-parse", "HEAD"]).current_dir(workspace);
    let output = command.output().context("`git` does not start")?;
    if !output.status.success() {
        bail!("`git rev-parse HEAD` ended with {}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Processor and system, as far as they are known.
fn machine() -> String {
    let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("an unknown processor", |(_, model)| model);
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{count} x {model}, {}", std::env::consts::OS)
}
