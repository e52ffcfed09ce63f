//! Published crates that are fetched, and by what they are known to be the right ones:
//! `crates.tsv`.

use std::{fs, path::Path, process::Command};

use crate::trees;

/// The role of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// It is the tree of a task.
    Ranking,
    /// It says what was changed: the version behind that of a task, or the one whose changelog is
    /// read.
    Deriving,
}

/// A version of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Published {
    pub(crate) name: String,
    pub(crate) version: String,
    sha256: String,
    role: Role,
}

/// Reads a list: a version a line, with its checksum and role, tabs between.
pub(crate) fn load(path: &Path) -> Result<Vec<Published>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, version, sha256, role] = fields.as_slice() else {
            return Err(format!("{}: `{line}` is no version", path.display()));
        };
        let role = if *role == "ranking" { Role::Ranking } else { Role::Deriving };
        Ok(Published {
            name: (*name).to_owned(),
            version: (*version).to_owned(),
            sha256: (*sha256).to_owned(),
            role,
        })
    };
    text.lines().map(line).collect()
}

/// Writes a list.
pub(crate) fn store(path: &Path, all: &[Published]) -> Result<(), String> {
    let line = |one: &Published| {
        let role = if one.role == Role::Ranking { "ranking" } else { "deriving" };
        format!("{}\t{}\t{}\t{role}\n", one.name, one.version, one.sha256)
    };
    let text: String = all.iter().map(line).collect();
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// A version that has been fetched; none if it has not.
pub(crate) fn at_hand(name: &str, version: &str, role: Role) -> Result<Option<Published>, String> {
    let archive = trees::archive(name, version)?;
    if !archive.is_file() {
        return Ok(None);
    }
    let output = Command::new("sha256sum")
        .arg(&archive)
        .output()
        .map_err(|error| format!("sha256sum: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let sha256 = text
        .split_whitespace()
        .next()
        .ok_or_else(|| format!("{}: no checksum", archive.display()))?;
    Ok(Some(Published {
        name: name.to_owned(),
        version: version.to_owned(),
        sha256: sha256.to_owned(),
        role,
    }))
}
