//! How well `keyword_search` ranks without a model, beside a count of hits and BM25, over tasks
//! with known answers; and how long it takes.
//!
//! `keyword-ranking` prints the tables; `benches/keyword/fetch-crates.sh` fetches what it needs.
//! `keyword-ranking each` adds a line for each task. `keyword-ranking latency` times the tool on
//! the kernel tree with a warm index.
//!
//! Tasks are derived anew so: `fetch-crates.sh all`, or, for newer versions, `fetch-crates.sh new
//! NAME...` and a line of `crates.tsv` for each newest one; `keyword-ranking wanted` prints the
//! versions whose differences are looked at, a name and its versions a line, for `fetch-crates.sh
//! new` again; `keyword-ranking derive FIRST..LAST` writes `tasks.yaml` and `crates.tsv`, own
//! history taken from those commits.

use std::{collections::BTreeSet, path::PathBuf};

use rankings::{DEPTH, Ranking};
use report::Quality;
use tasks::{Set, Task};
use touchstone_benches::{counts, terms};

mod derive;
mod latency;
mod published;
mod rankings;
mod report;
mod tasks;
mod trees;

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] => ranked(false),
        ["each"] => ranked(true),
        ["latency"] => latency::measured(),
        ["wanted"] => wanted(),
        ["derive", commits] => derived(commits),
        _ => Err("nothing, or one of: each, latency, wanted, derive FIRST..LAST".to_owned()),
    }
}

fn directory() -> PathBuf {
    trees::workspace().join("benches").join("keyword")
}

/// Prints a table for each set and for all tasks together. An error if a plain ranking is as good
/// as the tool over all of them, or over all of a set.
fn ranked(each: bool) -> Result<(), String> {
    let tasks = tasks::load(&directory().join("tasks.yaml"))?;
    let mut results = Vec::new();
    for task in &tasks {
        let result = qualities(task)?;
        if each {
            let recalls: Vec<String> =
                result.iter().map(|quality| format!("{:.2}", quality.recall)).collect();
            println!("{}\t{}", recalls.join("\t"), task.name());
        }
        results.push((task.set, result));
    }
    let mut beaten = Vec::new();
    for set in [None].into_iter().chain(Set::ALL.map(Some)) {
        let chosen = results.iter().filter(|(of, _)| set.is_none_or(|set| set == *of));
        let chosen: Vec<_> = chosen.map(|(_, result)| *result).collect();
        let name = set.map_or("all tasks", Set::name);
        println!(
            "\n| {name} ({}) | recall@10 | reciprocal rank | keyword_search finds more by |",
            chosen.len()
        );
        println!("| --- | --- | --- | --- |");
        for line in report::lines(&chosen) {
            println!("{line}");
        }
        let tool = report::recall(&chosen, Ranking::Tool);
        let rivals = Ranking::ALL.into_iter().filter(|ranking| *ranking != Ranking::Tool);
        beaten.extend(
            rivals
                .filter(|rival| report::recall(&chosen, *rival) >= tool)
                .map(|rival| format!("{} ({name})", rival.name())),
        );
    }
    if beaten.is_empty() {
        Ok(())
    } else {
        Err(format!("as good as keyword_search: {}", beaten.join(", ")))
    }
}

fn qualities(task: &Task) -> Result<[Quality; Ranking::ALL.len()], String> {
    let tree = trees::tree(&task.tree)?;
    let terms = terms::of(&task.text);
    let files = counts::count(&trees::texts(&tree.root)?, &terms);
    let mut qualities = [Quality::default(); Ranking::ALL.len()];
    for (quality, ranking) in qualities.iter_mut().zip(Ranking::ALL) {
        let ranked = match ranking {
            Ranking::Tool => rankings::tool(&tree.root, &task.text, &terms)?,
            Ranking::Plain(plain) => plain.ranked(&files, DEPTH),
        };
        *quality = report::quality(&ranked, &task.truth);
    }
    Ok(qualities)
}

/// Prints what has to be fetched in order to derive tasks.
fn wanted() -> Result<(), String> {
    for pairs in derive::pairs(&published::load(&directory().join("crates.tsv"))?)? {
        let versions: BTreeSet<String> =
            pairs.iter().flat_map(|pair| [pair.old.to_string(), pair.new.to_string()]).collect();
        if let Some(pair) = pairs.first() {
            println!("{} {}", pair.name, versions.into_iter().collect::<Vec<_>>().join(" "));
        }
    }
    Ok(())
}

fn derived(commits: &str) -> Result<(), String> {
    let listed = published::load(&directory().join("crates.tsv"))?;
    let pairs = derive::pairs(&listed)?;
    let mut tasks = derive::tasks(&pairs)?;
    published::store(
        &directory().join("crates.tsv"),
        &derive::published(&tasks, &pairs, &listed)?,
    )?;
    tasks.extend(derive::history(commits)?);
    tasks::store(&directory().join("tasks.yaml"), &tasks)
}
