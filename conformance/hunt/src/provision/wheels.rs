//! Releases from wheels that hold the executable.
//!
//! Responsible for: downloading one wheel and unpacking it. Not here: whether it is what was asked
//! for, and putting it in place ([`super::releases`]). Invariants: nothing is built, and nothing
//! that comes with a wheel is run to install it.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::install::{Partial, run};
use super::{Installation, ProvisionError};

impl Installation {
    /// Unpacks a release's wheel; `bin` becomes executable, for unpacking forgets that it was.
    pub(super) fn fetch_wheel(
        &self,
        package: &str,
        version: &str,
        bin: &str,
        partial: &Partial,
    ) -> Result<(), ProvisionError> {
        let what = format!("{package} {version}");
        let way_out =
            "give a binary by `--path FILE`, or see whether the package index can be reached";
        let mut download = Command::new(&self.python);
        download.args(["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--dest"]);
        download.arg(&partial.directory).arg(format!("{package}=={version}"));
        run(&mut download, &what, &partial.directory, way_out)?;
        let io = |source| ProvisionError::Io { path: partial.directory.clone(), source };
        let wheel = only_one(&partial.directory, "whl").map_err(io)?;
        let mut unpack = Command::new(&self.python);
        unpack.args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&partial.directory);
        run(&mut unpack, &what, &partial.directory, way_out)?;
        fs::remove_file(&wheel).map_err(io)?;
        let program = partial.directory.join(bin);
        fs::set_permissions(&program, Permissions::from_mode(0o755))
            .map_err(|source| ProvisionError::Io { path: program, source })
    }
}

/// The only file of `directory` with that extension.
fn only_one(directory: &Path, extension: &str) -> io::Result<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(directory)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension() == Some(OsStr::new(extension)))
        .collect();
    match (found.pop(), found.is_empty()) {
        (Some(path), true) => Ok(path),
        _ => Err(io::Error::other(format!("not exactly one `.{extension}` file was downloaded"))),
    }
}
