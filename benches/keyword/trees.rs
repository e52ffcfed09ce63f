//! Trees on disk, one at a time: unpacked where the corpora are, changelogs removed, and which of
//! their files a search looks at.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use forge_search_engine::Call;
use forge_search_engine::json::Json;
use serde_json::json;
pub(crate) use touchstone_benches::tools::{is_changelog, toolbox};

use crate::tasks::Tree;

/// Where fetched trees lie.
pub(crate) fn corpus() -> Result<PathBuf, String> {
    Ok(touchstone::place::build_directory().map_err(|error| error.to_string())?.join("corpus"))
}

/// The workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// A tree while it is needed. There are many, and they are made again in no time.
#[derive(Debug)]
pub(crate) struct Standing {
    pub(crate) root: PathBuf,
}

impl Drop for Standing {
    fn drop(&mut self) {
        // What stays is removed by the next run that needs the place.
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// A task's tree, without changelogs.
pub(crate) fn tree(tree: &Tree) -> Result<Standing, String> {
    let standing = match tree {
        Tree::Crate { name, version, .. } => unpacked(name, version)?,
        Tree::Commit { parent, .. } => archived(parent)?,
    };
    remove_changelogs(&standing.root)
        .map_err(|error| format!("{}: {error}", standing.root.display()))?;
    Ok(standing)
}

/// Where the archive of a published crate lies.
pub(crate) fn archive(name: &str, version: &str) -> Result<PathBuf, String> {
    Ok(corpus()?.join("crates").join(format!("{name}-{version}.crate")))
}

/// A published crate.
pub(crate) fn unpacked(name: &str, version: &str) -> Result<Standing, String> {
    let archive = archive(name, version)?;
    if !archive.is_file() {
        return Err(format!(
            "{} is not there; run benches/keyword/fetch-crates.sh",
            archive.display()
        ));
    }
    made(&format!("{name}-{version}"), |into| {
        let mut tar = Command::new("tar");
        tar.arg("-xzf").arg(&archive).arg("-C").arg(into).args(["--strip-components", "1"]);
        run(&mut tar)
    })
}

fn archived(commit: &str) -> Result<Standing, String> {
    made(&format!("commit-{commit}"), |into| {
        let mut git = Command::new("git");
        git.arg("-C")
            .arg(workspace())
            .args(["archive", "--format=tar", commit])
            .stdout(Stdio::piped());
        let mut git = git.spawn().map_err(|error| format!("git: {error}"))?;
        let mut tar = Command::new("tar");
        tar.arg("-xf").arg("-").arg("-C").arg(into);
        tar.stdin(git.stdout.take().map_or_else(Stdio::null, Into::into));
        run(&mut tar)?;
        git.wait().map_err(|error| format!("git: {error}")).map(drop)
    })
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}

/// A tree of this name, and in it what `fill` puts there.
fn made(label: &str, fill: impl FnOnce(&Path) -> Result<(), String>) -> Result<Standing, String> {
    let root = corpus()?.join("keyword").join(label);
    let told = |error: std::io::Error| format!("{}: {error}", root.display());
    if root.is_dir() {
        fs::remove_dir_all(&root).map_err(told)?;
    }
    fs::create_dir_all(&root).map_err(told)?;
    let standing = Standing { root: root.clone() };
    fill(&root)?;
    // A repository of its own: rules of the one around it do not concern it.
    fs::create_dir_all(root.join(".git")).map_err(told)?;
    Ok(standing)
}

/// Leaves no changelog in a tree: they hold the answers.
pub(crate) fn remove_changelogs(directory: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let name = entry.file_name();
        let code = path.extension().is_some_and(|extension| extension == "rs");
        if !code && is_changelog(&name.to_string_lossy()) {
            if kind.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        } else if kind.is_dir() {
            remove_changelogs(&path)?;
        }
    }
    Ok(())
}

/// The files that a search looks at, in path order.
pub(crate) fn eligible(tree: &Path) -> Result<Vec<String>, String> {
    let toolbox = toolbox(tree)?;
    let session = toolbox.session();
    let mut files = Vec::new();
    loop {
        let request = json!({ "pattern": "*", "max_results": 200, "offset": files.len() });
        let answer =
            toolbox.call(&session, "find_files", &Json(&request), &Call::default()).structured;
        let results = answer.get("results").and_then(|results| results.as_array());
        let results = results.ok_or_else(|| answer.to_string())?;
        files.extend(
            results.iter().filter_map(|found| Some(found.get("path")?.as_str()?.to_owned())),
        );
        if answer.get("next_offset").is_none() {
            return Ok(files);
        }
    }
}

/// Text files that a search looks at, with their texts.
pub(crate) fn texts(tree: &Path) -> Result<Vec<(String, String)>, String> {
    let read = |path: String| {
        let bytes = fs::read(tree.join(&path)).ok()?;
        (!bytes.contains(&0)).then(|| (path, String::from_utf8_lossy(&bytes).into_owned()))
    };
    Ok(eligible(tree)?.into_iter().filter_map(read).collect())
}
