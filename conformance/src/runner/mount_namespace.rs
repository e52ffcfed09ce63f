//! Workers with mounts of their own.
//!
//! Responsible for: how `unshare(1)` starts a worker, and whether the system permits it.
//! Invariants: mounts of such a worker are seen by no other process, and go when it does.

use std::path::Path;
use std::process::{Command, Stdio};

use super::work_dir::WorkDir;

/// The way a process gets a mount namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MountNamespace {
    /// In a user namespace, as the workers' user.
    Users,
    /// As the privileged user of this process.
    Mounts,
}

impl MountNamespace {
    /// The first way that the system permits.
    ///
    /// # Errors
    /// What it says of the last one.
    pub(super) fn permitted(place: &WorkDir) -> Result<Self, String> {
        Self::Users.tried(place).or_else(|users| {
            if place.drop_to.is_none() {
                return Err(users);
            }
            Self::Mounts.tried(place).map_err(|mounts| format!("{users}; {mounts}"))
        })
    }

    fn tried(self, place: &WorkDir) -> Result<Self, String> {
        let mut command = self.command(place, Path::new("mount"));
        command.args(["-t", "tmpfs", "touchstone"]).arg(&place.work).stdin(Stdio::null());
        match command.output() {
            Ok(output) if output.status.success() => Ok(self),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()),
            Err(error) => Err(format!("unshare: {error}")),
        }
    }

    /// A program with mounts of its own.
    pub(super) fn command(self, place: &WorkDir, program: &Path) -> Command {
        let unshare = Path::new("unshare");
        let mut command = match self {
            Self::Users => place.command(unshare),
            Self::Mounts => WorkDir::privileged(unshare),
        };
        if self == Self::Users {
            command.args(["--user", "--map-root-user"]);
        }
        command.args(["--mount", "--propagation", "private", "--"]).arg(program);
        command
    }
}
