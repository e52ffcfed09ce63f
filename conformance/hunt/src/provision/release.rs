//! What is written down of an installed release, in the directory that it makes one.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::ProvisionError;

/// Placeholder of the release's directory in its command.
pub(super) const HERE: &str = "{here}";

/// The description of a release, in its directory.
const NOTE: &str = "release.json";

/// A release that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// The adapter's name.
    pub program: String,
    /// The release, as the program itself reports it.
    pub version: String,
    /// The program to run, with the arguments of its loader if it has its own.
    pub command: Vec<OsString>,
    /// Its source.
    pub from: String,
}

/// The description of a release.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Release {
    pub(super) program: String,
    pub(super) version: String,
    pub(super) command: Vec<String>,
    pub(super) from: String,
}

impl Release {
    /// A release that was built from a crate.
    pub(super) fn of_crate(program: &str, package: &str, version: &str, bin: &str) -> Self {
        Self {
            program: program.to_owned(),
            version: version.to_owned(),
            command: vec![format!("{HERE}/{bin}")],
            from: format!("crate {package} {version}"),
        }
    }

    /// Writes it down in a directory.
    pub(super) fn write(&self, directory: &Path) -> Result<(), ProvisionError> {
        let path = directory.join(NOTE);
        let text = serde_json::to_string_pretty(self).map_err(io::Error::from);
        let written = text.and_then(|text| fs::write(&path, text + "\n"));
        written.map_err(|source| ProvisionError::Io { path, source })
    }

    pub(super) fn read(directory: &Path) -> Option<Self> {
        let release: Self = serde_json::from_slice(&fs::read(directory.join(NOTE)).ok()?).ok()?;
        // One that was copied or is still being prepared lies elsewhere.
        let named =
            directory.file_name()? == format!("{}-{}", release.program, release.version).as_str();
        named.then_some(release)
    }

    pub(super) fn at(&self, directory: &Path) -> Installed {
        Installed {
            program: self.program.clone(),
            version: self.version.clone(),
            command: placed(&self.command, directory),
            from: self.from.clone(),
        }
    }
}

pub(super) fn placed(command: &[String], directory: &Path) -> Vec<OsString> {
    let here = directory.to_string_lossy();
    command.iter().map(|word| word.replace(HERE, &here).into()).collect()
}
