//! The two states that a review compares: two commits, or two directories.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, bail, ensure};

/// Most files that differ.
const MOST_CHANGES: usize = 4_000;
/// Most bytes of a file.
const MOST_FILE_BYTES: u64 = 4 << 20;

/// A file that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its path, which begins with `golden/`.
    pub path: String,
    /// None if it was not there.
    pub before: Option<String>,
    /// None if it is not there any more.
    pub after: Option<String>,
}

impl Change {
    pub fn is_snapshot(&self) -> bool {
        ending(&self.path) == Some("snap")
    }
}

/// The states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Two commits of the repository at a directory.
    Commits { repository: PathBuf, before: String, after: String },
    /// Two directories, each with `golden/` or itself one.
    Directories(PathBuf, PathBuf),
}

impl Sides {
    /// Two directories, or a range of commits as git writes it: with three dots, changes are those
    /// since the commits parted.
    pub fn new(repository: &Path, old: &str, new: Option<&str>) -> anyhow::Result<Self> {
        if let Some(new) = new {
            for directory in [old, new] {
                ensure!(Path::new(directory).is_dir(), "`{directory}` is no directory");
            }
            return Ok(Self::Directories(old.into(), new.into()));
        }
        let (range, parted) = match old.split_once("...") {
            Some(range) => (Some(range), true),
            None => (old.split_once(".."), false),
        };
        let Some((before, after)) = range else {
            bail!("`{old}` is no range of commits; give BASE..HEAD, or two directories");
        };
        let commit = |name: &str| {
            let name = if name.is_empty() { "HEAD" } else { name };
            let wanted = format!("{name}^{{commit}}");
            git(repository, &["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted])
                .map(|id| id.trim().to_owned())
                .with_context(|| format!("`{name}` is no commit of `{}`", repository.display()))
        };
        let (before, after) = (commit(before)?, commit(after)?);
        let base = parted.then(|| git(repository, &["merge-base", &before, &after])).transpose()?;
        let before = base.map_or(before, |base| base.trim().to_owned());
        Ok(Self::Commits { repository: repository.to_owned(), before, after })
    }

    /// The goldens that differ, by path.
    pub fn changes(&self) -> anyhow::Result<Vec<Change>> {
        match self {
            Self::Commits { repository, before, after } => commits(repository, before, after),
            Self::Directories(before, after) => directories(before, after),
        }
    }
}

fn is_golden(path: &str) -> bool {
    path.starts_with("golden/") && matches!(ending(path), Some("yaml" | "snap"))
}

fn ending(path: &str) -> Option<&str> {
    Path::new(path).extension()?.to_str()
}

fn commits(repository: &Path, before: &str, after: &str) -> anyhow::Result<Vec<Change>> {
    let listed = git(repository, &["diff", "--no-renames", "--name-status", "-z", before, after])?;
    let fields: Vec<&str> = listed.split_terminator('\0').collect();
    let pairs = fields.chunks(2).filter_map(|pair| pair.first().zip(pair.get(1)));
    let pairs: Vec<_> = pairs.filter(|(_, path)| is_golden(path)).collect();
    ensure!(
        pairs.len() <= MOST_CHANGES,
        "{} goldens differ, at most {MOST_CHANGES} are read",
        pairs.len()
    );
    let text = |commit: &str, path: &str| git(repository, &["show", &format!("{commit}:{path}")]);
    let change = |(status, path): (&&str, &&str)| {
        let before = (*status != "A").then(|| text(before, path)).transpose()?;
        let after = (*status != "D").then(|| text(after, path)).transpose()?;
        Ok(Change { path: (*path).to_owned(), before, after })
    };
    pairs.into_iter().map(change).collect()
}

fn git(repository: &Path, arguments: &[&str]) -> anyhow::Result<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(repository).args(arguments).stdin(Stdio::null());
    let output = command.output().context("git does not start; two directories need none")?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`git {}` ended with {}: {}", arguments.join(" "), output.status, said.trim());
    }
    String::from_utf8(output.stdout).context("git's output is no UTF-8")
}

fn directories(before: &Path, after: &Path) -> anyhow::Result<Vec<Change>> {
    let (mut before, mut after) = (below(before)?, below(after)?);
    let paths: BTreeSet<String> = before.keys().chain(after.keys()).cloned().collect();
    let mut changes = Vec::new();
    for path in paths {
        let (before, after) = (before.remove(&path), after.remove(&path));
        if before != after {
            changes.push(Change { path, before, after });
        }
    }
    Ok(changes)
}

/// The goldens below a directory, by path.
fn below(directory: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let within = directory.join("golden");
    let top = if within.is_dir() { within } else { directory.to_owned() };
    let mut found = BTreeMap::new();
    let mut waiting = vec![top.clone()];
    while let Some(directory) = waiting.pop() {
        let entries = fs::read_dir(&directory)
            .with_context(|| format!("cannot list `{}`", directory.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() && !path.is_symlink() {
                waiting.push(path);
                continue;
            }
            let name = path.strip_prefix(&top)?.to_string_lossy().replace('\\', "/");
            let name = format!("golden/{name}");
            if !is_golden(&name) {
                continue;
            }
            let unread = || format!("cannot read `{}`", path.display());
            let bytes = fs::metadata(&path).with_context(unread)?.len();
            ensure!(bytes <= MOST_FILE_BYTES, "`{}` has {bytes} bytes", path.display());
            found.insert(name, fs::read_to_string(&path).with_context(unread)?);
        }
    }
    Ok(found)
}
