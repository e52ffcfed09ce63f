//! How well `keyword_search` finds the files that an issue or a question is about, on data that
//! others have published, beside plain rankings.
//!
//! `localisation MIRRORS` asks the parts that ranking may be chosen by; README.md has the rest.

use std::{collections::BTreeSet, process::ExitCode, time::Duration};

use mirrors::Mirrors;
use options::{Options, Terms};
use quality::{DEPTH, Quality, quality};
use rivals::Texts;
use tasks::{Set, Task};
use tool::{ToolOutcome, Tools};
use touchstone_benches::{plain::Plain, terms};
use trees::{Tree, Trees};

mod mirrors;
mod options;
mod quality;
mod report;
mod rivals;
mod semble;
mod sources;
mod swe;
mod tasks;
mod tool;
mod trees;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ranking {
    Plain(Plain),
    /// BM25 over identifiers and parts of what is neither test nor document.
    Sources,
    /// `search_text`, asked for symbols alone.
    Text,
    /// `keyword_search` without a model.
    Keywords,
}

impl Ranking {
    pub(crate) const ALL: [Self; 7] = [
        Self::Plain(Plain::Hits),
        Self::Plain(Plain::Characters),
        Self::Plain(Plain::Identifiers),
        Self::Plain(Plain::Parts),
        Self::Sources,
        Self::Text,
        Self::Keywords,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Plain(plain) => plain.name(),
            Self::Sources => "the same, sources alone",
            Self::Text => "search_text",
            Self::Keywords => "keyword_search",
        }
    }
}

/// A task and how each ranking did that was asked.
pub(crate) struct Outcome {
    pub(crate) task: Task,
    qualities: Vec<(Ranking, Quality)>,
}

impl Outcome {
    pub(crate) fn of(&self, ranking: Ranking) -> Option<Quality> {
        self.qualities.iter().find(|(of, _)| *of == ranking).map(|(_, quality)| *quality)
    }
}

fn main() -> ExitCode {
    match measured() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn measured() -> Result<(), String> {
    let options = Options::read(std::env::args().skip(1))?;
    let mirrors = Mirrors::new(&options.mirrors, options.fetch)?;
    let tasks = tasks::load(&options, &mirrors)?;
    let trees = Trees::new()?;
    if options.each {
        println!("{}\tset\ttask\ttruth", Ranking::ALL.map(Ranking::name).join("\t"));
    }
    let mut results = Vec::new();
    let mut times = Vec::new();
    for tasks in tasks.chunk_by(|a, b| a.repository == b.repository) {
        let Some(first) = tasks.first() else { continue };
        let commits: BTreeSet<&str> = tasks.iter().map(|task| task.commit.as_str()).collect();
        let commits: Vec<&str> = commits.into_iter().collect();
        let Some(mirror) = mirrors.holding(&first.repository, &commits)? else {
            eprintln!("no mirror of {}: {} tasks are left out", first.repository, tasks.len());
            continue;
        };
        let tree = trees.of(&first.repository, mirror)?;
        asked(tasks, &tree, &options, &mut |result, took| {
            if options.each {
                report::print_each(&result);
            }
            results.push(result);
            times.push(took.as_secs_f64());
        })?;
    }
    for (title, chosen) in groups(&results, options.by_repository) {
        report::print(&title, &chosen);
    }
    let [middle, p99] = [touchstone_benches::median(&times), touchstone_benches::p99(&times)];
    eprintln!("keyword_search took {middle:.2} s in the median, {p99:.2} s in the 99th percentile");
    Ok(())
}

/// Asks the tasks of one repository.
fn asked(
    tasks: &[Task],
    tree: &Tree,
    options: &Options,
    tell: &mut dyn FnMut(Outcome, Duration),
) -> Result<(), String> {
    let mut texts = Texts::default();
    // The commit and the directory that the texts are of.
    let mut standing: Option<(&str, Option<&str>)> = None;
    // The same task may stand in two sets.
    let mut last: Option<(&str, Vec<(Ranking, ToolOutcome)>)> = None;
    for asked in tasks {
        let told = |error: String| format!("{}: {error}", asked.id);
        let here = (asked.commit.as_str(), asked.below.as_deref());
        let directory = here.1.map_or(tree.root.clone(), |below| tree.root.join(below));
        let moved = standing != Some(here);
        if moved && tree.turn(&asked.commit).map_err(told)?.is_none() {
            eprintln!("{}: its mirror does not have {}", asked.id, asked.commit);
            continue;
        }
        let mut task = asked.clone();
        if task.set != Set::Semble {
            task.truth.retain(|path| tree.root.join(path).is_file());
        }
        if options.rivals && moved {
            if standing.is_some_and(|(_, below)| below != here.1) {
                texts = Texts::default();
            }
            texts.refresh(&directory).map_err(told)?;
        }
        standing = Some(here);
        if task.truth.is_empty() {
            eprintln!("{}: nothing right was there before", task.id);
            continue;
        }
        let found = match last.take_if(|(id, _)| *id == task.id) {
            Some((_, found)) => found,
            None => answers(&task, &Tools::new(&directory)?, &texts, options).map_err(told)?,
        };
        let qualities =
            found.iter().map(|(ranking, found)| (*ranking, quality(&task, found))).collect();
        let took = found.last().map_or(Duration::ZERO, |(_, found)| found.took);
        last = Some((asked.id.as_str(), found));
        tell(Outcome { task, qualities }, took);
    }
    Ok(())
}

/// What each ranking says to a task, `keyword_search` last.
fn answers(
    task: &Task,
    tools: &Tools,
    texts: &Texts,
    options: &Options,
) -> Result<Vec<(Ranking, ToolOutcome)>, String> {
    let terms = searched(&task.text);
    let mut found = Vec::new();
    if options.rivals {
        let files = texts.count(&terms);
        let ranked = |paths: Vec<String>| ToolOutcome { paths, ..ToolOutcome::default() };
        for plain in Plain::ALL {
            found.push((Ranking::Plain(plain), ranked(plain.ranked(&files, DEPTH))));
        }
        found.push((Ranking::Sources, ranked(rivals::sources(&files))));
    }
    if task.category.as_deref() == Some("symbol") {
        found.push((Ranking::Text, tools.search_text(&task.text)?));
    }
    let given = (options.terms == Terms::Rule).then_some(terms.as_slice());
    found.push((Ranking::Keywords, tools.keyword_search(&task.text, given)?));
    Ok(found)
}

/// The terms of a text by the rule, or its first words if the rule finds none worth looking for.
fn searched(text: &str) -> Vec<String> {
    let terms = terms::of(text);
    if !terms.is_empty() {
        return terms;
    }
    let words =
        text.split(|c: char| c != '_' && !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).take(12).collect()
}

/// What there is a table of: each set, its groups, and, if asked for, its repositories.
fn groups(results: &[Outcome], by_repository: bool) -> Vec<(String, Vec<&Outcome>)> {
    let mut groups = Vec::new();
    for set in Set::ALL {
        let of: Vec<&Outcome> = results.iter().filter(|result| result.task.set == set).collect();
        groups.push((set.title().to_owned(), of.clone()));
        let categories: BTreeSet<&str> =
            of.iter().filter_map(|result| result.task.category.as_deref()).collect();
        let repositories: BTreeSet<&str> = of
            .iter()
            .map(|result| result.task.repository.as_str())
            .filter(|_| by_repository)
            .collect();
        for name in categories.into_iter().chain(repositories) {
            let is = |result: &&&Outcome| {
                result.task.category.as_deref() == Some(name) || result.task.repository == name
            };
            groups.push((
                format!("{}, {name}", set.title()),
                of.iter().filter(is).copied().collect(),
            ));
        }
    }
    groups
}
