//! Writes `docs/assurance.md`: what a green run proves, from recorded figures.
//!
//! Responsible for: reading the files of `docs/assurance`, the intervals, and the page. Not here:
//! measuring; the page names the command beside each figure. Invariants: each figure is in a file
//! or computed from figures in files; a command without a record is listed as such.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context as _, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use touchstone_spec::{Decided, Spec, yaml};

use crate::trace::Citable;

/// The standard normal distribution's 0.975 quantile.
const Z: f64 = 1.959_964;

/// Stands for missing figures.
const NO_RECORD: &str = "No run is on record.";

/// `mutants.json`, as `touchstone-mutants --summary` writes it.
#[derive(Debug, Deserialize)]
struct Mutants {
    commit: String,
    seed: u64,
    tests: u32,
    /// Tests that fail or time out without a mutant; they are left out.
    red: Vec<String>,
    packages: Vec<PackageSample>,
    survivors: Vec<Survivor>,
}

#[derive(Debug, Deserialize)]
struct PackageSample {
    package: String,
    listed: u32,
    viable: u32,
    not_viable: u32,
    left_out: BTreeMap<String, u32>,
    killed: u32,
    timed_out: u32,
    survived: u32,
    undecided: u32,
}

#[derive(Debug, Deserialize)]
struct Survivor {
    name: String,
    package: String,
    verdict: String,
    ran: u32,
    reach: u32,
}

/// The analysis of a survivor: an entry of `survivors.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SurvivorNote {
    kind: Kind,
    why: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// No test can distinguish it from the original.
    Equivalent,
    /// It changes only what nothing specifies: time, memory, a limit's order of magnitude.
    Allowed,
    /// It is not compiled on this system.
    Elsewhere,
    /// A test added since fails with it.
    KilledSince,
    /// A test is missing.
    Open,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Equivalent => "equivalent",
            Self::Allowed => "allowed",
            Self::Elsewhere => "elsewhere",
            Self::KilledSince => "killed since",
            Self::Open => "open",
        }
    }
}

/// `check.json`, as `touchstone check --format json` prints it.
#[derive(Debug, Deserialize)]
struct Check {
    seed: u64,
    suites: Vec<Suite>,
    coverage: BTreeMap<String, u64>,
}

#[derive(Debug, Deserialize)]
struct Suite {
    name: String,
    cases: u32,
    subjects: BTreeMap<String, Subject>,
    facts: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Subject {
    all: Tally,
}

#[derive(Debug, Deserialize)]
struct Tally {
    agree: u32,
    allowed: u32,
    diverge: u32,
    broken: u32,
}

/// Wilson's 95 % interval of a rate, in hundredths.
fn wilson(hits: u32, of: u32) -> (f64, f64) {
    if of == 0 {
        return (0.0, 100.0);
    }
    let (n, rate) = (f64::from(of), f64::from(hits) / f64::from(of));
    let scale = 1.0 + Z * Z / n;
    let middle = rate + Z * Z / (2.0 * n);
    let half = Z * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
    (100.0 * ((middle - half) / scale).max(0.0), 100.0 * ((middle + half) / scale).min(1.0))
}

/// The largest rate of wrong cases at which a run of `cases` correct ones still has a probability
/// of 5 %: about 3/n.
fn bound(cases: u32) -> f64 {
    if cases == 0 { 1.0 } else { 1.0 - 0.05_f64.powf(1.0 / f64::from(cases)) }
}

/// The page.
///
/// # Errors A file of `docs/assurance` that is missing or malformed, or a reason for a mutant that
/// did not survive.
pub fn page(workspace: &Path) -> anyhow::Result<String> {
    let directory = workspace.join("docs/assurance");
    let text = |name: &str| {
        fs::read_to_string(directory.join(name)).with_context(|| format!("docs/assurance/{name}"))
    };
    let mutants: Mutants = json(&text("mutants.json")?)?;
    let check: Option<Check> =
        recorded(&directory, "check.json")?.map(|text| json(&text)).transpose()?;
    let spec_mutants = recorded(&directory, "spec-mutants.txt")?;
    let of_check = |section: fn(&Check) -> String| {
        check.as_ref().map_or_else(|| NO_RECORD.to_owned(), section)
    };
    let reasons: BTreeMap<String, SurvivorNote> = yaml::read(&text("survivors.yaml")?)?;
    for name in reasons.keys() {
        if !mutants.survivors.iter().any(|survivor| survivor.name == *name) {
            bail!("docs/assurance/survivors.yaml: `{name}` is no survivor");
        }
    }
    let mut page = text("page.md")?;
    for (mark, section) in [
        ("<!-- rows -->", rows(&Spec::load(&workspace.join("spec"))?)),
        (
            "<!-- spec mutants -->",
            spec_mutants
                .as_ref()
                .map_or_else(|| NO_RECORD.to_owned(), |text| of_spec_mutants(text)),
        ),
        ("<!-- mutants -->", of_mutants(&mutants)),
        ("<!-- survivors -->", survivors(&mutants, &reasons)),
        ("<!-- cases -->", of_check(cases)),
        ("<!-- enumerated -->", of_check(enumerated)),
        ("<!-- distribution -->", of_check(distribution)),
    ] {
        if !page.contains(mark) {
            bail!("docs/assurance/page.md: `{mark}` is missing");
        }
        page = page.replace(mark, section.trim_end());
    }
    Ok(page)
}

/// The runs of `touchstone spec mutate` that the page names.
const SPEC_RUNS: [&str; 5] =
    ["answers search.", "answers files.", "answers agent.", "answers keyword.", "index"];

/// What each run ended with, without the time that it took, and the changes that nothing noticed.
fn of_spec_mutants(text: &str) -> String {
    let ends = SPEC_RUNS.map(|run| {
        let of_run = |line: &&str| line.starts_with(&format!("{run}: killed "));
        let end = text.lines().find(of_run).and_then(|line| line.split_once(", after "));
        end.map_or_else(|| format!("{run}: no run is on record"), |(end, _)| end.to_owned())
    });
    let survivors = text.lines().filter(|line| line.starts_with("SURVIVED: ")).map(str::to_owned);
    let lines: Vec<String> = ends.into_iter().chain(survivors).collect();
    fenced(&lines.join("\n"))
}

/// The recorded output of a command, if there is one.
fn recorded(directory: &Path, name: &str) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(directory.join(name)) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("docs/assurance/{name}")),
    }
}

fn json<T: DeserializeOwned>(text: &str) -> anyhow::Result<T> {
    serde_json::from_str(text).context("a file of docs/assurance has another form")
}

/// Requirements by document, with the results of the audit of their checks.
fn rows(spec: &Spec) -> String {
    let clauses = Citable::of(spec).clauses;
    let mut table =
        "| document | rows | decided | in part | not decided | elsewhere | nothing to test |\n\
                     | --- | --: | --: | --: | --: | --: | --: |\n"
            .to_owned();
    let documents: BTreeSet<&str> = clauses.iter().map(|clause| clause.document.as_str()).collect();
    for document in documents.into_iter().map(Some).chain([None]) {
        let mine =
            || clauses.iter().filter(|clause| document.is_none_or(|name| name == clause.document));
        let _ = write!(table, "| {} | {}", document.unwrap_or("all"), mine().count());
        let gaps =
            [Decided::InPart, Decided::Not, Decided::Elsewhere, Decided::NothingToTest].map(Some);
        for gap in [None].into_iter().chain(gaps) {
            let count = mine()
                .filter(|clause| clause.gap.as_ref().map(|(decided, _)| *decided) == gap)
                .count();
            let _ = write!(table, " | {count}");
        }
        table.push_str(" |\n");
    }
    table
}

fn fenced(text: &str) -> String {
    format!("```text\n{}\n```", text.trim_end())
}

fn of_mutants(mutants: &Mutants) -> String {
    let mut table = format!(
        "Commit {}, seed {}, {} tests; {} more were red or too slow without a mutant and were not asked.\n\n\
         | package | listed | drawn, not viable | drawn, left out | tried | killed | of these by time | \
         survived | not decided | killed, 95 % interval |\n\
         | --- | --: | --: | --: | --: | --: | --: | --: | --: | --- |\n",
        mutants.commit.get(..12).unwrap_or(&mutants.commit),
        mutants.seed,
        mutants.tests,
        mutants.red.len(),
    );
    for one in &mutants.packages {
        let killed = one.killed + one.timed_out;
        let tried = killed + one.survived + one.undecided;
        let (low, high) = wilson(killed, tried);
        let rate = 100.0 * f64::from(killed) / f64::from(tried.max(1));
        let left_out: u32 = one.left_out.values().sum();
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "| {} | {} | {} | {left_out} | {tried} of {} | {killed} | {} | {} | {} | {rate:.1} % ({low:.1} to {high:.1}) |",
            one.package,
            one.listed,
            one.not_viable,
            one.viable,
            one.timed_out,
            one.survived,
            one.undecided,
        );
    }
    if !mutants.red.is_empty() {
        table.push_str("\nNot asked:\n\n");
    }
    for test in &mutants.red {
        let _ = writeln!(table, "- {test}");
    }
    table
}

/// Counts by module, then one line for each survivor.
fn survivors(mutants: &Mutants, reasons: &BTreeMap<String, SurvivorNote>) -> String {
    let mut modules: BTreeMap<&str, u32> = BTreeMap::new();
    let mut list = String::new();
    for one in &mutants.survivors {
        let file = one.name.split(':').next().unwrap_or_default();
        *modules
            .entry(file.rsplit_once('/').map_or(file, |(directory, _)| directory))
            .or_default() += 1;
        let what = match (reasons.get(&one.name), one.verdict.as_str()) {
            (Some(read), _) => format!("{}. {}", read.kind.name(), read.why),
            (None, "survived") if one.reach == 0 => {
                "open. No test that was asked reaches it.".to_owned()
            }
            (None, "survived") => format!("open. All {} tests that reach it pass.", one.reach),
            (None, _) => {
                format!("not decided. {} of {} tests that reach it have run.", one.ran, one.reach)
            }
        };
        let _ = writeln!(list, "- `{}` ({}): {what}", one.name, one.package);
    }
    let counts: Vec<String> =
        modules.iter().map(|(module, count)| format!("`{module}` {count}")).collect();
    format!(
        "By module: {}.\n\n{list}",
        if counts.is_empty() { "none".to_owned() } else { counts.join(", ") }
    )
}

fn cases(check: &Check) -> String {
    let mut table = format!(
        "Seed {}.\n\n| suite | subject | cases | wrong | at most wrong, of a million |\n| --- | --- | --: | --: | --: |\n",
        check.seed
    );
    for suite in &check.suites {
        for (name, subject) in &suite.subjects {
            let tally = &subject.all;
            let wrong = tally.diverge + tally.broken;
            let asked = tally.agree + tally.allowed + wrong;
            let most = if wrong == 0 {
                format!("{:.0}", 1e6 * bound(asked))
            } else {
                "not bounded".to_owned()
            };
            let _ = writeln!(table, "| {} | {name} | {asked} | {wrong} | {most} |", suite.name);
        }
        if suite.subjects.is_empty() {
            let _ = writeln!(table, "| {} | | {} | | see below |", suite.name, suite.cases);
        }
    }
    table
}

fn enumerated(check: &Check) -> String {
    let facts = check.suites.iter().filter(|suite| suite.subjects.is_empty());
    let lines = facts.flat_map(|suite| {
        suite.facts.iter().map(|fact| format!("{}: {}", suite.name, fact.trim()))
    });
    fenced(&lines.collect::<Vec<_>>().join("\n"))
}

fn distribution(check: &Check) -> String {
    let counts: Vec<String> =
        check.coverage.iter().map(|(what, count)| format!("{what}: {count}")).collect();
    fenced(&counts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_intervals_equal_published_values() {
        // Wilson (1927) for 95 of 100, as printed by `binom.test`-like tables: 88.8 to 97.8.
        let (low, high) = wilson(95, 100);
        assert!((low - 88.8).abs() < 0.1 && (high - 97.8).abs() < 0.1, "{low} {high}");
        let (low, high) = wilson(200, 200);
        assert!((low - 98.1).abs() < 0.1 && (high - 100.0).abs() < 1e-9, "{low} {high}");
        assert!((wilson(0, 0).1 - 100.0).abs() < 1e-9);
    }

    #[test]
    fn the_failure_bound_of_n_passing_cases_is_about_three_of_n() {
        assert!((bound(1_500) * 1_500.0 - 2.996).abs() < 0.01);
        assert!((bound(0) - 1.0).abs() < 1e-9);
    }
}
