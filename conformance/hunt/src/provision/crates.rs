//! Releases from the crate registry.
//!
//! Responsible for: building one release of a crate with its own lock file, into a directory of its
//! own. Not here: whether it is what was asked for, and putting it in place ([`super::releases`]).
//! Invariants: nothing of the outer build's configuration reaches this one; all releases of a crate
//! share the directory they are built in, which is gone when the command ends.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::install::{Partial, run};
use super::{Installation, ProvisionError};

/// Variables of the outer build that must not reach this one.
const NOT_OURS: [&str; 5] = [
    "CARGO_TARGET_DIR",
    "CARGO_BUILD_TARGET",
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTC_WRAPPER",
];

impl Installation {
    /// `cargo install` of one release into `root`, built in `build`.
    pub(super) fn cargo_install(
        &self,
        package: &str,
        version: &str,
        root: &Path,
        build: &Path,
    ) -> Command {
        let mut command = Command::new(&self.cargo);
        command.args(["install", package, "--version", version, "--locked", "--root"]);
        command.arg(root).arg("--target-dir").arg(build);
        without_outer_build(&mut command);
        command
    }

    /// Where all releases of a crate are built.
    pub(super) fn build_place(&self) -> PathBuf {
        self.directory.join("build")
    }

    /// Builds a release; the answer is where it came from.
    pub(super) fn fetch_crate(
        &self,
        package: &str,
        version: &str,
        partial: &Partial,
    ) -> Result<(), ProvisionError> {
        let build = self.build_place().join(package);
        let mut command = self.cargo_install(package, version, &partial.directory, &build);
        let way_out = "it may not build with this compiler; give a binary by `--path FILE`, or see whether the \
                       crate registry can be reached";
        run(&mut command, &format!("{package} {version}"), &partial.directory, way_out)
    }
}

/// Removes the outer build's configuration from `command`.
pub(super) fn without_outer_build(command: &mut Command) {
    for name in NOT_OURS {
        command.env_remove(name);
    }
}
