//! `touchstone spec mutate`: whether the checks would notice a wrong table.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::anyhow;

use super::{Outcome, Verdict, print};
use crate::gate::{DEFAULT_SEED, processors};
use crate::index_model::mutants as index;
use crate::index_model::{Extent, Reading};
use crate::mutants::{self, Sample, answers};

/// Arguments of `touchstone spec mutate`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// How many changes are tried. Default: all
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Which ones, if not all
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Threads. Default: one per processor
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Only changes of the tables that answers are made by, not those of the index's
    #[arg(long)]
    answers: bool,
    /// Only changes of the index's tables
    #[arg(long, conflicts_with = "answers")]
    index: bool,
    /// Only changes whose names begin so: `search.caps` for instance, or `agent.limits`
    #[arg(long, value_name = "TABLE", requires = "answers", default_value = "")]
    table: String,
    /// Cases of every tool that answers are drawn for, beside stored ones
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    cases: u64,
}

/// Runs the changes and prints those that nothing noticed.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let started = Instant::now();
    let threads = arguments.threads.unwrap_or_else(processors);
    let seed = DEFAULT_SEED;
    let sample = Sample { size: arguments.sample, seed: arguments.seed };
    let done = AtomicU64::new(0);
    let tick = |more| {
        let now = done.fetch_add(more, Ordering::Relaxed) + more;
        if now.is_multiple_of(2_000) {
            let _ = writeln!(std::io::stderr(), "{now} changes tried");
        }
    };
    let mut is_clean = true;
    if !arguments.index {
        let table = &*arguments.table;
        let extent = answers::Extent { drawn: arguments.cases, seed, threads, table };
        let of_answers = answers::run(sample, extent, &tick)?;
        print_outcome(&format!("answers {table}"), &of_answers, started)?;
        is_clean &= of_answers.is_clean();
    }
    if !arguments.answers {
        let extent = Extent { threads, seed, ..Extent::WHOLE };
        let of_index = index::run(&Reading::current()?, sample, extent, &tick)
            .map_err(|fault| anyhow!("{fault}"))?;
        print_outcome("index", &of_index, started)?;
        is_clean &= of_index.is_clean();
    }
    Ok(Verdict::of(is_clean))
}

fn print_outcome(tables: &str, outcome: &mutants::Outcome, started: Instant) -> anyhow::Result<()> {
    for (by, times) in &outcome.noticed {
        print(&format!("{times:>7} noticed by {by}\n"))?;
    }
    let mut equivalent: BTreeMap<_, usize> = BTreeMap::new();
    for entry in &outcome.equivalent {
        *equivalent.entry(entry).or_default() += 1;
    }
    for ((name, reason), times) in equivalent {
        print(&format!("{times:>7} equivalent: {name}: {reason}\n"))?;
    }
    for name in &outcome.survivors {
        print(&format!("SURVIVED: {name}\n"))?;
    }
    for what in &outcome.stale {
        print(&format!("STALE: {what}\n"))?;
    }
    print(&format!(
        "{}: killed {} / {}, {} equivalent, {} survived, {} stale, after {:.1} s\n",
        tables.trim_end(),
        outcome.killed(),
        outcome.total,
        outcome.equivalent.len(),
        outcome.survivors.len(),
        outcome.stale.len(),
        started.elapsed().as_secs_f64()
    ))
}
