//! The lines of a run, or of several shards, added up for `docs/assurance/mutants.json`.
//!
//! Invariants: the last line about a mutant counts; runs of different commits or seeds are not
//! added up.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

/// Adds up the lines of a file of results.
pub fn of(results: &Path) -> anyhow::Result<Value> {
    let text = std::fs::read_to_string(results).with_context(|| results.display().to_string())?;
    let (mut runs, mut verdicts) = (Vec::new(), BTreeMap::new());
    for line in text.lines() {
        let line: Value = serde_json::from_str(line)?;
        match line["name"].as_str() {
            None => runs.push(line),
            Some(name) => drop(verdicts.insert(name.to_owned(), line)),
        }
    }
    let last = runs.last().context("there is no run in this file")?;
    let key = |run: &Value| (run["run"]["commit"].clone(), run["run"]["seed"].clone());
    ensure!(runs.iter().all(|run| key(run) == key(last)), "these are runs of different commits or seeds");
    // A shard that was begun twice says the same twice.
    let shards: BTreeMap<String, &Value> =
        runs.iter().map(|run| (run["run"]["shard"].to_string(), &run["run"]["packages"])).collect();
    let mut packages: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    let mut left_out: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    for (package, counts) in shards.values().flat_map(|shard| shard.as_object().into_iter().flatten()) {
        for (name, count) in counts.as_object().into_iter().flatten() {
            match count.as_object() {
                None => {
                    *packages.entry(package).or_default().entry(name).or_default() +=
                        count.as_u64().unwrap_or(0)
                }
                Some(reasons) => {
                    for (reason, count) in reasons {
                        *left_out.entry(package).or_default().entry(reason).or_default() +=
                            count.as_u64().unwrap_or(0);
                    }
                }
            }
        }
    }
    let mut survivors = Vec::new();
    let mut by: BTreeMap<&str, BTreeMap<&str, u64>> = BTreeMap::new();
    for (name, line) in &verdicts {
        let package = line["package"].as_str().unwrap_or_default();
        let verdict = line["verdict"].as_str().unwrap_or_default();
        *packages.entry(package).or_default().entry(verdict).or_default() += 1;
        if let Some(test) = line["by"].as_str() {
            let target = test.split(' ').next().unwrap_or_default();
            *by.entry(package).or_default().entry(target).or_default() += 1;
        } else {
            let (ran, reach) = (&line["ran"], &line["reach"]);
            survivors.push(
                json!({ "name": name, "package": package, "verdict": verdict, "ran": ran, "reach": reach }),
            );
        }
    }
    let packages: Vec<Value> = packages
        .iter()
        .map(|(package, counts)| {
            let mut one = json!({
                "package": package, "left_out": left_out.get(package).cloned().unwrap_or_default(),
                "killed_by": by.get(package).cloned().unwrap_or_default(),
            });
            for name in ["listed", "viable", "not_viable", "killed", "timed_out", "survived", "undecided"] {
                one[name] = json!(counts.get(name).copied().unwrap_or(0));
            }
            one
        })
        .collect();
    Ok(json!({
        "commit": last["run"]["commit"], "seed": last["run"]["seed"], "tests": last["tests"], "red": last["red"],
        "packages": packages, "survivors": survivors,
    }))
}
