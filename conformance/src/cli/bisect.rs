//! `touchstone bisect`: which release of a program broke a case.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use serde_json::json;
use touchstone_spec::Adapter;
use touchstone_spec::yaml;

use super::{Outcome, Verdict, print};
use crate::hunt::bisect::{Bisection, Found, State, bisect, is_monotone, steady, stretches};
use crate::hunt::museum::{self, Exhibit, MODEL};
use crate::hunt::pack_directory::PackDirectory;
use crate::hunt::question::Question;
use crate::hunt::subjects::{Adapters, Wanted, subject};
use crate::hunt::verdict::Aspect;
use crate::provision::releases;

/// Arguments of `touchstone bisect`.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Arguments {
    /// A case of the museum, or a file with a question alone
    case: PathBuf,
    /// The program, or the file of its adapter. Default: the case's
    #[arg(long, value_name = "NAME")]
    subject: Option<String>,
    /// Ask every release, which also shows what was mended and broke again
    #[arg(long)]
    sweep: bool,
    /// A release that is known to be right
    #[arg(long, value_name = "VERSION")]
    good: Option<String>,
    /// A release that is known to be wrong
    #[arg(long, value_name = "VERSION")]
    bad: Option<String>,
    /// Install releases that are offered and not there, as they are needed
    #[arg(long)]
    install: bool,
    /// How often each release is asked; one that answers now so and now so is left out
    #[arg(long, default_value_t = 3, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=100))]
    times: u8,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

struct Case {
    question: Question,
    aspect: Option<Aspect>,
    oracle: String,
    program: Option<String>,
    /// Releases known to be wrong.
    bad: Vec<String>,
    /// Releases known to be right.
    good: Vec<String>,
}

/// A release with its answer.
struct Probe {
    version: String,
    state: State,
    told: String,
}

/// Bisects or sweeps; the exit status is 1 if a release is wrong.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let case = read(&arguments.case)?;
    let adapters = Adapters::shipped()?;
    let name = arguments
        .subject
        .clone()
        .or(case.program.clone())
        .context("`--subject` says of which program")?;
    let wanted = Wanted::parse(&name);
    if wanted.release.is_some() {
        bail!("`{name}` is one release; give `--subject {}`", wanted.adapter);
    }
    let adapter = wanted.adapter(&adapters)?;
    let versions = versions(&adapter, arguments.install);
    let bad = arguments.bad.clone().or_else(|| case.came_and_went(&versions));
    let arguments = &Arguments { bad, ..arguments.clone() };
    let versions = between(arguments, versions)?;
    if versions.is_empty() {
        bail!(
            "no release of {0} is installed; `touchstone backends install {0}@VERSION`, or `--install`",
            adapter.name
        );
    }
    let mut packs = PackDirectory::new()?;
    let mut probes: Vec<Probe> = Vec::new();
    let ask = |index: usize| -> anyhow::Result<State> {
        let Some(version) = versions.get(index) else { bail!("there is no release {index}") };
        let (state, told) =
            probe(arguments, &case, &adapters, &adapter, &wanted.adapter, version, &mut packs)?;
        if !arguments.json {
            print(&format!("{version:<12} {:<8} {told}\n", word(state)))?;
        }
        probes.push(Probe { version: version.clone(), state, told });
        Ok(state)
    };
    let mut start = Bisection::new(versions.len());
    for (given, state) in [(&arguments.good, State::Good), (&arguments.bad, State::Bad)] {
        if let Some(place) =
            given.as_ref().and_then(|given| versions.iter().position(|one| one == given))
        {
            start.given(place, state);
        }
    }
    let done = if arguments.sweep { every(start, ask)? } else { bisect(start, ask)? };
    if arguments.install {
        releases::tidy_up()?;
    }
    let states: Vec<State> =
        done.states().iter().map(|state| state.unwrap_or(State::Unknown)).collect();
    let result = done.found();
    if arguments.json {
        print(
            &(serde_json::to_string_pretty(&document(
                &adapter,
                &versions,
                &probes,
                &states,
                &result,
                arguments.sweep,
            ))? + "\n"),
        )?;
    } else {
        print(&summary(&versions, &states, &result, probes.len(), arguments.sweep))?;
    }
    Ok(Verdict::of(!states.contains(&State::Bad)))
}

/// Reads a museum case, or a question alone.
fn read(path: &std::path::Path) -> anyhow::Result<Case> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read `{}`", path.display()))?;
    if !text.lines().any(|line| line.starts_with("question:")) {
        let question: Question =
            yaml::read(&text).with_context(|| format!("`{}` is no question", path.display()))?;
        return Ok(Case {
            question,
            aspect: None,
            oracle: MODEL.to_owned(),
            program: None,
            bad: Vec::new(),
            good: Vec::new(),
        });
    }
    let exhibit = Exhibit::parse(path, &text)?;
    let (aspect, program) = (Some(exhibit.aspect), Some(exhibit.program));
    let (bad, good) = (exhibit.releases.bad, exhibit.releases.good);
    Ok(Case { question: exhibit.question, aspect, oracle: exhibit.oracle, program, bad, good })
}

impl Case {
    /// A release known to be wrong between an oldest and a newest one known to be right, which
    /// alone would not reveal it.
    fn came_and_went(&self, versions: &[String]) -> Option<String> {
        let (first, last) = (versions.first()?, versions.last()?);
        let bad = self.bad.iter().rev().find(|bad| versions.contains(bad))?;
        (self.good.contains(first) && self.good.contains(last)).then(|| bad.clone())
    }
}

/// The releases to look at, oldest first.
fn versions(adapter: &Adapter, offered_too: bool) -> Vec<String> {
    let there = releases::installed(&adapter.name).into_iter().map(|one| one.version);
    let mut versions: Vec<String> = there.collect();
    if offered_too {
        versions.extend(releases::offered(adapter));
        versions.sort_by(|a, b| releases::order(a, b));
        versions.dedup();
    }
    versions
}

/// The releases between the one given as right and the one given as wrong, in either order; up to
/// the wrong one if only that is given.
fn between(arguments: &Arguments, mut versions: Vec<String>) -> anyhow::Result<Vec<String>> {
    let place = |version: &Option<String>| -> anyhow::Result<Option<usize>> {
        let Some(version) = version else { return Ok(None) };
        let place = versions.iter().position(|one| one == version);
        place.map(Some).with_context(|| format!("`{version}` is none of {}", versions.join(", ")))
    };
    let (good, bad) = (place(&arguments.good)?, place(&arguments.bad)?);
    let Some(bad) = bad.filter(|_| !arguments.sweep) else { return Ok(versions) };
    versions.truncate(good.unwrap_or(bad).max(bad) + 1);
    Ok(versions.split_off(good.map_or(0, |good| good.min(bad))))
}

/// Runs one release. One that is not available counts as unknown and is reported.
fn probe(
    arguments: &Arguments,
    case: &Case,
    adapters: &Adapters,
    adapter: &Adapter,
    name: &str,
    version: &str,
    packs: &mut PackDirectory,
) -> anyhow::Result<(State, String)> {
    if arguments.install
        && let Err(error) = releases::install(adapter, version)
    {
        return Ok((State::Unknown, format!("{:#}", anyhow::Error::new(error))));
    }
    let mut searcher = match subject(&format!("{name}@{version}"), adapters) {
        Ok(subject) => subject.searcher,
        Err(error) => return Ok((State::Unknown, error.to_string())),
    };
    let mut said = Vec::new();
    let state = steady(usize::from(arguments.times), || {
        let asked =
            museum::ask(&case.question, case.aspect, &case.oracle, searcher.as_mut(), packs);
        said.push(asked.told);
        Ok::<_, anyhow::Error>(asked.state)
    })?;
    said.dedup();
    Ok((state, said.join(", then ")))
}

/// Asks every release.
fn every(
    mut bisection: Bisection,
    mut ask: impl FnMut(usize) -> anyhow::Result<State>,
) -> anyhow::Result<Bisection> {
    for release in 0..bisection.states().len() {
        let state = ask(release)?;
        bisection.answer(release, state);
    }
    Ok(bisection)
}

fn word(state: State) -> &'static str {
    match state {
        State::Good => "good",
        State::Bad => "bad",
        State::Unknown => "unknown",
    }
}

fn named(versions: &[String], release: usize) -> &str {
    versions.get(release).map_or("", String::as_str)
}

fn list(versions: &[String], releases: &[usize]) -> String {
    releases.iter().map(|release| named(versions, *release)).collect::<Vec<_>>().join(", ")
}

/// The result in words.
fn summary(
    versions: &[String],
    states: &[State],
    found: &Found,
    probes: usize,
    swept: bool,
) -> String {
    let name = |release: usize| named(versions, release);
    let beside = |unknown: &[usize], what: &str| {
        if unknown.is_empty() {
            String::new()
        } else {
            format!("; {what} could not be told: {}", list(versions, unknown))
        }
    };
    let mut text = match found {
        Found::Broke { last_good, first_bad, unknown } if unknown.is_empty() => {
            format!("first bad {}, last good {}", name(*first_bad), name(*last_good))
        }
        Found::Broke { last_good, first_bad, unknown } => {
            let between = format!("broke between {} and {}", name(*last_good), name(*first_bad));
            between + &beside(unknown, "those between")
        }
        Found::AlwaysBad { first_bad, unknown } => {
            format!("bad from {}, the oldest that could be told", name(*first_bad))
                + &beside(unknown, "older ones")
        }
        Found::Mended { last_bad, first_good, unknown } if unknown.is_empty() => {
            format!("last bad {}, mended in {}", name(*last_bad), name(*first_good))
        }
        Found::Mended { last_bad, first_good, unknown } => {
            let between = format!("mended between {} and {}", name(*last_bad), name(*first_good));
            between + &beside(unknown, "those between")
        }
        Found::NotBad { last_good, unknown } => {
            format!("good in {}, the newest that could be told", name(*last_good))
                + &beside(unknown, "newer ones")
        }
        Found::Nothing => "no release could be told".to_owned(),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "; {probes} of {} releases asked", versions.len());
    if swept {
        let parts: Vec<String> = stretches(states)
            .iter()
            .map(|one| match (name(one.from), name(one.to)) {
                (from, to) if from == to => format!("{} in {from}", word(one.state)),
                (from, to) => format!("{} from {from} to {to}", word(one.state)),
            })
            .collect();
        let history = if is_monotone(states) { "" } else { " (not just once)" };
        let _ = writeln!(text, "{}{history}", parts.join(", "));
    }
    text
}

fn document(
    adapter: &Adapter,
    versions: &[String],
    probes: &[Probe],
    states: &[State],
    found: &Found,
    swept: bool,
) -> serde_json::Value {
    let name = |release: &usize| named(versions, *release).to_owned();
    let (first_bad, last_good, unknown) = match found {
        Found::Broke { last_good, first_bad, unknown } => {
            (Some(first_bad), Some(last_good), unknown.as_slice())
        }
        Found::AlwaysBad { first_bad, unknown } => (Some(first_bad), None, unknown.as_slice()),
        Found::Mended { unknown, .. } => (None, None, unknown.as_slice()),
        Found::NotBad { last_good, unknown } => (None, Some(last_good), unknown.as_slice()),
        Found::Nothing => (None, None, [].as_slice()),
    };
    let (last_bad, first_good) = match found {
        Found::Mended { last_bad, first_good, .. } => (Some(last_bad), Some(first_good)),
        _ => (None, None),
    };
    let probes: Vec<_> = probes
        .iter()
        .map(|probe| json!({"version": probe.version, "state": probe.state, "told": probe.told}))
        .collect();
    json!({
        "program": adapter.name,
        "releases": versions,
        "first_bad": first_bad.map(name),
        "last_good": last_good.map(name),
        "last_bad": last_bad.map(name),
        "first_good": first_good.map(name),
        "unknown": unknown.iter().map(name).collect::<Vec<_>>(),
        "monotone": if swept { Some(is_monotone(states)) } else { None },
        "probes": probes,
    })
}
