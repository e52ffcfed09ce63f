//! Tasks from published crates and from this repository's own history, by rules that leave nothing
//! to choose by hand.
//!
//! A release of few points is a task: its entry in the changelog is the text, the files of the
//! version before it that it changed are the truth. A commit is one too: its message is the text.
//! Files that every release touches do not count. Sets are dealt to crates in turn along the
//! alphabet.

use std::{collections::BTreeMap, fs, path::Path};

use crate::{
    published::{self, Published, Role},
    tasks::{Set, Task, Tree},
    terms, trees,
};

mod changelog;
mod history;
mod version;

pub(crate) use history::history;
pub(crate) use version::Version;

/// Most points of a release that is a task.
const MOST_POINTS: usize = 3;
/// Most bytes of a text.
const LONGEST: usize = 800;
/// Most files of a task's truth.
const MOST_FILES: usize = 12;
/// Fewest files of a tree: among fewer, ten are no choice.
const FEWEST_FILES: usize = 40;
/// Fewest terms of a text.
const FEWEST_TERMS: usize = 2;
/// Pairs of versions of a crate that are looked at.
const PAIRS: usize = 10;

/// Two versions that follow each other, and what the changelog says of the later one.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) old: Version,
    pub(crate) new: Version,
    text: String,
}

/// The pairs of each crate, by the changelog of its newest version that is listed; one after the
/// other along the alphabet.
pub(crate) fn pairs(listed: &[Published]) -> Result<Vec<Vec<Pair>>, String> {
    let mut newest: BTreeMap<&str, (Version, &str)> = BTreeMap::new();
    for Published { name, version, .. } in listed {
        let Some(parsed) = Version::parse(version) else { continue };
        let slot = newest.entry(name).or_insert((parsed, version));
        *slot = (*slot).max((parsed, version));
    }
    let pairs = |(name, (_, version)): (&str, (Version, &str))| {
        let tree = trees::unpacked(name, version)?;
        Ok(changelog_of(&tree.root).map_or_else(Vec::new, |text| of_changelog(name, &text)))
    };
    newest.into_iter().map(pairs).collect()
}

fn of_changelog(name: &str, text: &str) -> Vec<Pair> {
    let releases = changelog::releases(text);
    let mut pairs = Vec::new();
    for release in &releases {
        let before = releases
            .iter()
            .map(|other| other.version)
            .filter(|other| *other < release.version)
            .max();
        let text = release.points.join("\n");
        let few = (1..=MOST_POINTS).contains(&release.points.len()) && text.len() <= LONGEST;
        if let (Some(old), true) = (before, few && terms::of(&text).len() >= FEWEST_TERMS) {
            pairs.push(Pair { name: name.to_owned(), old, new: release.version, text });
        }
    }
    pairs.truncate(PAIRS);
    pairs
}

fn changelog_of(tree: &Path) -> Option<String> {
    let mut found: Vec<_> = fs::read_dir(tree).ok()?.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| {
        path.is_file()
            && path.file_name().is_some_and(|name| trees::is_changelog(&name.to_string_lossy()))
    });
    found.sort();
    found.into_iter().filter_map(|path| fs::read_to_string(path).ok()).max_by_key(String::len)
}

/// The tasks of all crates.
pub(crate) fn tasks(pairs: &[Vec<Pair>]) -> Result<Vec<Task>, String> {
    let mut sets = [Set::Development, Set::HeldOut].into_iter().cycle();
    let mut tasks = Vec::new();
    for pairs in pairs {
        let found: Vec<Option<Task>> = pairs.iter().map(task).collect::<Result<_, _>>()?;
        let found: Vec<Task> = found.into_iter().flatten().collect();
        if let Some(set) = (!found.is_empty()).then(|| sets.next()).flatten() {
            tasks.extend(found.into_iter().map(|task| Task { set, ..task }));
        }
    }
    Ok(tasks)
}

/// The task that a pair is, unless it is none, or its versions have not been published.
fn task(pair: &Pair) -> Result<Option<Task>, String> {
    let (old, new) = (pair.old.to_string(), pair.new.to_string());
    if !trees::archive(&pair.name, &old)?.is_file() || !trees::archive(&pair.name, &new)?.is_file()
    {
        return Ok(None);
    }
    let tree = Tree::Crate { name: pair.name.clone(), version: old.clone(), next: new.clone() };
    let before = trees::texts(&trees::tree(&tree)?.root)?;
    let after = trees::texts(&trees::unpacked(&pair.name, &new)?.root)?;
    let after: BTreeMap<&str, &str> =
        after.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let leveled = |text: &str| text.replace(&new, &old).replace('\r', "");
    let changed = |(path, text): &&(String, String)| {
        after
            .get(path.as_str())
            .is_none_or(|later| *later != text && leveled(later) != leveled(text))
    };
    let changed = before.iter().filter(changed).map(|(path, _)| path.clone());
    let truth: Vec<String> = changed.filter(|path| counts(path)).collect();
    let is_task = before.len() >= FEWEST_FILES && (1..=MOST_FILES).contains(&truth.len());
    Ok(is_task.then(|| Task { set: Set::Development, tree, text: pair.text.clone(), truth }))
}

/// The versions that tasks need, and those needed to derive them.
pub(crate) fn published(
    tasks: &[Task],
    pairs: &[Vec<Pair>],
    listed: &[Published],
) -> Result<Vec<Published>, String> {
    let mut roles: BTreeMap<(String, Version), Role> = BTreeMap::new();
    for one in listed {
        if let Some(version) = Version::parse(&one.version) {
            roles.insert((one.name.clone(), version), Role::Deriving);
        }
    }
    for pair in pairs.iter().flatten() {
        for version in [pair.old, pair.new] {
            roles.insert((pair.name.clone(), version), Role::Deriving);
        }
    }
    for task in tasks {
        if let Tree::Crate { name, version, .. } = &task.tree
            && let Some(version) = Version::parse(version)
        {
            roles.insert((name.clone(), version), Role::Ranking);
        }
    }
    let mut all = Vec::new();
    for ((name, version), role) in roles {
        all.extend(published::at_hand(&name, &version.to_string(), role)?);
    }
    Ok(all)
}

/// Whether a changed file says something about what was changed. Every release touches the others,
/// for its number, or another's.
fn counts(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    !["CARGO.", "README"].iter().any(|made| name.to_ascii_uppercase().starts_with(made))
}
