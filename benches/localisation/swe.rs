//! SWE-bench and Multi-SWE-bench: an issue, the commit before its fix, and the patch that fixed it.

use serde::Deserialize;
use touchstone_benches::tools::is_changelog;

use crate::{
    mirrors::Mirrors,
    options::Parts,
    sources::Source,
    tasks::{Set, Task},
};

/// The repositories of SWE-bench that ranking may be chosen by.
const TUNING: [&str; 6] = [
    "astropy/astropy",
    "django/django",
    "pallets/flask",
    "psf/requests",
    "pytest-dev/pytest",
    "sympy/sympy",
];
/// The languages of Multi-SWE-bench that it may be chosen by.
const TUNING_LANGUAGES: [&str; 2] = ["java", "rust"];

#[derive(Deserialize)]
struct Python {
    instance_id: String,
    repo: String,
    base_commit: String,
    problem_statement: String,
    patch: String,
}

#[derive(Deserialize)]
struct Multi {
    instance_id: String,
    org: String,
    repo: String,
    base: Base,
    resolved_issues: Vec<Issue>,
    fix_patch: String,
}

#[derive(Deserialize)]
struct Base {
    sha: String,
}

#[derive(Deserialize)]
struct Issue {
    title: Option<String>,
    body: Option<String>,
}

/// Tasks of SWE-bench.
pub(crate) fn python(
    sources: &[Source],
    mirrors: &Mirrors,
    parts: Parts,
) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for source in sources {
        for line in lines(&source.read(mirrors)?) {
            let read: Python = parsed(source, line)?;
            if parts.hold(TUNING.contains(&read.repo.as_str())) {
                tasks.push(Task {
                    set: source.set,
                    id: read.instance_id,
                    repository: read.repo,
                    commit: read.base_commit,
                    below: None,
                    text: read.problem_statement,
                    truth: changed(&read.patch),
                    category: None,
                });
            }
        }
    }
    Ok(tasks)
}

/// Tasks of Multi-SWE-bench; the directory of a file is its language.
pub(crate) fn multi(
    sources: &[Source],
    mirrors: &Mirrors,
    parts: Parts,
) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for source in sources {
        let language = source.path.rsplit('/').nth(1).unwrap_or_default();
        if !parts.hold(TUNING_LANGUAGES.contains(&language)) {
            continue;
        }
        for line in lines(&source.read(mirrors)?) {
            let read: Multi = parsed(source, line)?;
            let issues = read.resolved_issues.into_iter();
            let issues = issues.flat_map(|issue| [issue.title, issue.body]).flatten();
            tasks.push(Task {
                set: Set::Multi,
                id: read.instance_id,
                repository: format!("{}/{}", read.org, read.repo),
                commit: read.base.sha,
                below: None,
                text: issues.collect::<Vec<_>>().join("\n\n"),
                truth: changed(&read.fix_patch),
                category: Some(language.to_owned()),
            });
        }
    }
    Ok(tasks)
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty())
}

fn parsed<'t, T: Deserialize<'t>>(source: &Source, line: &'t str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| format!("{}: {error}", source.path))
}

/// The files that a patch changes or removes, changelogs apart: no issue speaks of those.
fn changed(patch: &str) -> Vec<String> {
    let mut files: Vec<String> = Vec::new();
    // What a patch says of a file ends where its first hunk begins.
    let mut heading = false;
    for line in patch.lines() {
        if line.starts_with("diff --git ") {
            heading = true;
        } else if line.starts_with("@@") {
            heading = false;
        }
        let file = line.strip_prefix("--- a/").or_else(|| line.strip_prefix("rename from "));
        if let (true, Some(file)) = (heading, file) {
            let file = file.trim_end().to_owned();
            if !files.contains(&file) && !speaks_of_changes(&file) {
                files.push(file);
            }
        }
    }
    files
}

fn speaks_of_changes(path: &str) -> bool {
    let prose = std::path::Path::new(path).extension().is_none_or(|ending| {
        ["md", "rst", "txt", "adoc"].iter().any(|prose| ending.eq_ignore_ascii_case(prose))
    });
    prose && path.split('/').any(is_changelog)
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn the_truth_is_the_changed_existing_files_without_changelogs() {
        let patch = "diff --git a/src/a.py b/src/a.py\nindex 1..2 100644\n--- a/src/a.py\n\
            +++ b/src/a.py\n@@ -1,2 +1 @@\n--- a/not/this.py\n-two\n+one\n\
            diff --git a/new.py b/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/new.py\n\
            diff --git a/old.py b/moved.py\nrename from old.py\nrename to moved.py\n\
            diff --git a/CHANGES.rst b/CHANGES.rst\n--- a/CHANGES.rst\n+++ b/CHANGES.rst\n\
            diff --git a/release-notes/VERSION b/release-notes/VERSION\n--- a/release-notes/VERSION\n";
        assert_eq!(changed(patch), ["src/a.py", "old.py"]);
    }
}
