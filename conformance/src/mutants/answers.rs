//! Mutants of the tables that answers are made by: a model that goes by a wrong table has to give
//! another answer to some case of the suites.
//!
//! Responsible for: the cases, stored ones first, then drawn ones of every tool, what the model
//! says of them as it is, and the first case of which it says something else by changed tables. The
//! suites hold the model as it is against production by the same cases, so that such a change would
//! be a divergence. Left to neighbours: the changes (`tables`), the reasons of those that are
//! equivalent (`equivalent`). Invariants: the cases are the same on every machine.

use serde_json::Value;

use super::equivalent::EQUIVALENT;
use super::{Outcome, Sample, tables};
use crate::case::{Case, Tables};
use crate::expected::Expected;
use crate::generate::many::many;
use crate::generate::{Generator, Mix};
use crate::golden::{self, GoldenError};
use crate::tool::Family;

/// The directories of stored cases.
const STORED: [&str; 6] =
    ["search", "search_files", "agent_tools", "keyword", "errata", "regressions"];

/// What is drawn.
const DRAWN: [Mix; 4] =
    [Mix::Of(Family::Search), Mix::SmallFiles, Mix::Of(Family::Agent), Mix::Of(Family::Keyword)];

/// On what mutants are run.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// How many cases of every kind are drawn.
    pub drawn: u64,
    /// For the numbers that cases are drawn by.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
}

/// A case with everything that the model says of it.
struct Asked {
    by: String,
    case: Case,
    says: Vec<Value>,
}

/// Runs mutants of the tables that answers are made by.
///
/// # Errors
/// [`GoldenError`] when stored cases cannot be read.
pub fn run(
    sample: Sample,
    extent: Extent,
    tick: &(dyn Fn(u64) + Sync),
) -> Result<Outcome, GoldenError> {
    let asked = cases(extent)?;
    let mutants = tables::all();
    let names: Vec<&str> = mutants.iter().map(|mutant| mutant.name.as_str()).collect();
    Ok(super::run(&names, EQUIVALENT, sample, extent.threads, tick, |number| {
        let tables = mutants.get(number)?.tables;
        let noticed = asked.iter().find(|asked| says(&asked.case, tables) != asked.says);
        noticed.map(|asked| asked.by.clone())
    }))
}

fn cases(extent: Extent) -> Result<Vec<Asked>, GoldenError> {
    let mut asked = Vec::new();
    let mut add = |by: &str, case: Case| {
        let says = says(&case, Tables::CURRENT);
        asked.push(Asked { by: by.to_owned(), case, says });
    };
    for name in STORED {
        for (_, case) in golden::cases(&golden::directory(name))? {
            add(name, case);
        }
    }
    for case in many() {
        add("many", case);
    }
    for mix in DRAWN {
        let generator = Generator::of(mix, extent.seed);
        for number in 0..extent.drawn {
            add(&format!("{mix:?}, drawn"), generator.case(number));
        }
    }
    Ok(asked)
}

/// Everything that the model says of a case by these tables; its own words if it panics.
fn says(case: &Case, tables: Tables) -> Vec<Value> {
    Expected::by(case, tables)
        .map_or_else(|panic| vec![Value::String(panic)], |expected| expected.shown())
}
