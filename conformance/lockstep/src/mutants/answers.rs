//! Mutants of the tables that determine answers: with a wrong table the model must give another
//! answer to some case of the suites, or differ from production's own values (`facts`).
//!
//! Responsible for: the cases, those at the edges of the tables first, then stored ones, then drawn
//! ones of every tool; the model's answers; and the first case whose answer a changed table
//! changes. The suites compare the model with production on the same cases, so such a change would
//! be a divergence. Not here: the changes (`tables`), the reasons of equivalent ones
//! (`equivalent`). Invariants: the cases are the same on every machine; a table of one tool is
//! tried on cases of that tool only.

use std::sync::OnceLock;

use serde_json::{Value, json};
use touchstone_cases::case::{Case, ROOT_MARK, Tables};
use touchstone_cases::generate::edges::edges;
use touchstone_cases::generate::many::many;
use touchstone_cases::generate::{Generator, Mix};
use touchstone_cases::golden::{self, GoldenError};
use touchstone_model::agent::keyword::boundary;

use super::equivalent::EQUIVALENT;
use super::{Outcome, Sample, facts, tables};
use crate::expected::Expected;
use crate::tool::{self, Family};

/// The directories of stored cases.
const STORED: [&str; 6] =
    ["search", "search_files", "agent_tools", "keyword", "errata", "regressions"];

const DRAWN: [Mix; 4] =
    [Mix::Of(Family::Search), Mix::SmallFiles, Mix::Of(Family::Agent), Mix::Of(Family::Keyword)];

/// The extent of a run.
#[derive(Debug, Clone, Copy)]
pub struct Extent<'a> {
    /// How many cases of every kind are drawn.
    pub drawn: u64,
    /// For the numbers that cases are drawn by.
    pub seed: u64,
    pub threads: usize,
    /// What the names of the changes begin with that are tried, `search.caps` for instance; all if
    /// it is empty.
    pub table: &'a str,
}

/// A case with the model's answer, cached.
struct ModelledCase {
    by: String,
    case: Case,
    answers: OnceLock<Vec<Value>>,
}

impl ModelledCase {
    /// Whether the model's answer differs by these tables.
    fn differs(&self, tables: Tables) -> bool {
        answers(&self.case, tables)
            != *self.answers.get_or_init(|| answers(&self.case, Tables::CURRENT))
    }

    /// Whether the case is drawn for the family of languages that a change of this name is in.
    fn is_of(&self, name: &str) -> bool {
        let family = name.split_once("families[").and_then(|(_, rest)| rest.split_once(']'));
        let is_of = |(number, _)| self.case.id.starts_with(&format!("family-{number}-"));
        self.by == "edges" && family.is_some_and(is_of)
    }

    /// Whether the case can show a change of this name.
    fn sees(&self, name: &str) -> bool {
        match name.split_once('.').map_or(name, |(table, _)| table) {
            "files" => self.case.family() == Family::Files,
            "agent" => matches!(self.case.family(), Family::Agent | Family::Keyword),
            "keyword" => self.case.family() == Family::Keyword,
            // The edges of one tool say nothing of what all tools share.
            _ => self.by != "edges" || matches!(self.case.family(), Family::Search | Family::Files),
        }
    }
}

/// Runs mutants of the tables that determine answers.
///
/// # Errors
/// [`GoldenError`] when stored cases cannot be read.
pub fn run(
    sample: Sample,
    extent: Extent<'_>,
    tick: &(dyn Fn(u64) + Sync),
) -> Result<Outcome, GoldenError> {
    let asked = cases(extent)?;
    let mut mutants = tables::all();
    mutants.retain(|mutant| mutant.name.starts_with(extent.table));
    let mut equivalent = EQUIVALENT.to_vec();
    equivalent.retain(|(name, _)| name.starts_with(extent.table));
    let facts = facts::of_tables(Tables::CURRENT);
    let names: Vec<&str> = mutants.iter().map(|mutant| mutant.name.as_str()).collect();
    Ok(super::run(&names, &equivalent, sample, extent.threads, tick, |number| {
        let mutant = mutants.get(number)?;
        if facts::of_tables(mutant.tables) != facts {
            return Some("facts".to_owned());
        }
        // First the cases that are made for the family that the change is in.
        let seeing = || asked.iter().filter(|asked| asked.sees(&mutant.name));
        let (of_its_own, others) = (|one: &&ModelledCase| one.is_of(&mutant.name), seeing());
        let mut ordered = seeing().filter(of_its_own).chain(others.filter(|one| !of_its_own(one)));
        ordered.find(|asked| asked.differs(mutant.tables)).map(|asked| asked.by.clone())
    }))
}

fn cases(extent: Extent<'_>) -> Result<Vec<ModelledCase>, GoldenError> {
    let mut asked = Vec::new();
    let mut add = |by: &str, case: Case| {
        asked.push(ModelledCase { by: by.to_owned(), case, answers: OnceLock::new() });
    };
    for case in edges() {
        add("edges", case);
    }
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

/// Everything that the model answers to a case by these tables, the shortest page and the boundary
/// of the data included; the panic message if it panics.
fn answers(case: &Case, tables: Tables) -> Vec<Value> {
    let mut answers = match Expected::by(case, tables) {
        Ok(expected) => expected.shown(),
        Err(panic) => return vec![Value::String(panic)],
    };
    match case.family() {
        Family::Agent => {
            if let Ok(Ok(answer)) = tool::agent::model(case, tables) {
                answers.push(answer.page(0));
            }
        }
        Family::Keyword => {
            if let Ok(Ok(answer)) = tool::keyword::model(case, tables, ROOT_MARK) {
                answers.push(answer.page(0));
                let digits = tables.keyword.limits.boundary_digits;
                answers.push(json!(answer.data().map(|data| boundary(data, digits))));
            }
        }
        Family::Search | Family::Files => {}
    }
    answers
}
