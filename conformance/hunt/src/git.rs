//! Git as an outside oracle: what it leaves out of a tree, held against what the model finds
//! eligible there.
//!
//! Responsible for: walks that git can judge ([`applies`]), and what it lists ([`files`]).
//! Not here: what the model says ([`super::expect`]); counting ([`super::run`]).
//! Invariants: git gets no configuration but the tree's own; output is bounded by the tree, which
//! is small.

use std::collections::BTreeSet;
use std::io;
use std::process::{Command, Stdio};

use touchstone_cases::case::Node;

use super::question::{Ask, Pack};
use super::searcher::PlacedPack;

/// Whether git can judge what this walk finds: everything but ignored files of one repository,
/// without links, which git lists as files, and without the ignore files that git does not know.
pub fn applies(pack: &Pack, ask: &Ask) -> bool {
    let Some(walk) = &ask.walk else { return false };
    let plain = walk.hidden
        && !walk.no_ignore
        && walk.max_depth.is_none()
        && walk.max_filesize.is_none()
        && walk.roots.is_empty();
    let repositories = pack.tree.iter().filter(|entry| entry.path.ends_with(b".git/HEAD")).count();
    let known = pack.tree.iter().all(|entry| {
        let name = entry.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        !matches!(entry.node, Node::Link { .. }) && name != b".ignore"
    });
    plain && repositories == 1 && known
}

/// The files that git does not ignore, but for its own.
///
/// # Errors
/// If there is no git, or it fails.
pub fn files(placed: PlacedPack<'_>) -> io::Result<BTreeSet<Vec<u8>>> {
    let mut command = Command::new("git");
    command.args([
        "-c",
        "core.excludesFile=",
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "-z",
    ]);
    if let Some(path) = std::env::var_os("PATH") {
        command.env_clear().env("PATH", path);
    }
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CEILING_DIRECTORIES", placed.root)
        .env("HOME", placed.root);
    let output =
        command.current_dir(placed.root).stdin(Stdio::null()).stderr(Stdio::null()).output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("`git ls-files` ended with {}", output.status)));
    }
    let paths = output.stdout.split(|byte| *byte == 0).filter(|path| !path.is_empty());
    Ok(paths.map(<[u8]>::to_vec).collect())
}
