//! Tasks from this repository's own history.

use std::{collections::BTreeSet, process::Command};

use super::{FEWEST_TERMS, LONGEST, MOST_FILES, counts};
use crate::{
    tasks::{Set, Task, Tree},
    terms, trees,
};

/// Generated or recorded files.
const MADE: [&str; 3] = ["golden/", "docs/tables/", "target/"];

/// A task for each commit up to `last` that changed few files and added to what was there.
pub(crate) fn history(last: &str) -> Result<Vec<Task>, String> {
    let log = git(&["log", "--no-merges", "--first-parent", "--reverse", "--format=%h %p", last])?;
    let mut tasks = Vec::new();
    for line in log.lines() {
        let Some((commit, parent)) = line.split_once(' ').filter(|(_, parent)| !parent.is_empty())
        else {
            continue;
        };
        let message = git(&["show", "--no-patch", "--format=%B", commit])?;
        let text = message.trim().to_owned();
        let changed =
            git(&["diff", "--name-only", "--no-renames", "--diff-filter=MD", parent, commit])?;
        let before: BTreeSet<String> =
            git(&["ls-tree", "-r", "--name-only", parent])?.lines().map(str::to_owned).collect();
        let truth: Vec<String> = changed
            .lines()
            .filter(|path| {
                !MADE.iter().any(|made| path.starts_with(made))
                    && !path.split('/').any(|name| name.starts_with('.'))
            })
            .filter(|path| {
                counts(path) && !path.split('/').any(trees::is_changelog) && before.contains(*path)
            })
            .map(str::to_owned)
            .collect();
        let formatting = ["formatting", "lint", "clippy", "merge", "Revert"]
            .iter()
            .any(|word| text.contains(word));
        let enough = terms::of(&text).len() >= FEWEST_TERMS && text.len() <= LONGEST;
        if enough && !formatting && (1..=MOST_FILES).contains(&truth.len()) {
            let tree = Tree::Commit { commit: commit.to_owned(), parent: parent.to_owned() };
            tasks.push(Task { set: Set::History, tree, text, truth });
        }
    }
    Ok(tasks)
}

fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").arg("-C").arg(trees::workspace()).args(arguments).output();
    let output = output.map_err(|error| format!("git: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "git {}: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
