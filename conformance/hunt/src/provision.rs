//! Real backends on this machine.
//!
//! Responsible for: finding ripgrep and ugrep ([`find`]), installing the pinned ones into the build
//! directory ([`provision`]), installing any release of any program beside them ([`releases`]), and
//! saying exactly what is missing when one cannot be had. Not here: which subject needs which
//! backend (`touchstone::runner`), how a release is asked ([`crate`]). Invariants: what is
//! installed is put in place as a whole, by one process at a time, and kept; nothing is written
//! outside the build directory, or the user's data directory; every program that is run for it has
//! a time limit.

mod crates;
mod debian;
mod install;
mod local;
mod release;
pub mod releases;
mod wheels;

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use touchstone_cases::backend::Backend;
pub use touchstone_cases::backend::Backends;
use touchstone_cases::place::{NoBuildDirectory, home, on_path};

/// The release of ripgrep that cases are held against.
pub const RIPGREP_VERSION: &str = "15.2.0";

/// Why a backend is not available.
#[derive(Debug, thiserror::Error)]
pub enum ProvisionError {
    /// There is no place to install into.
    #[error(transparent)]
    NoPlace(#[from] NoBuildDirectory),
    /// The place for backends cannot be used.
    #[error("cannot use `{}`", path.display())]
    Io {
        /// The path that failed.
        path: PathBuf,
        source: io::Error,
    },
    /// Another process did not finish in time.
    #[error("another process has held `{}` for {seconds} s; end it or remove the file", path.display())]
    Locked {
        /// The lock.
        path: PathBuf,
        /// How long was waited.
        seconds: u64,
    },
    /// A program that installs a backend failed.
    #[error("cannot install {backend}: `{command}` {outcome}; {way_out}")]
    Install {
        backend: String,
        /// The command.
        command: String,
        /// The exit status and the end of the output.
        outcome: String,
        /// A manual remedy.
        way_out: String,
    },
    /// The installed program does not run.
    #[error("`{}` does not run: {reason}", executable.display())]
    Unusable {
        executable: PathBuf,
        /// Why, with the names of missing shared libraries.
        reason: String,
    },
    /// A release that no source offers.
    #[error("no release `{version}` of {program} is offered; {offered}, or give `--path FILE|DIR`")]
    Unoffered {
        program: String,
        /// The release.
        version: String,
        /// The offered releases.
        offered: String,
    },
    /// The installed release differs from the requested one.
    #[error("asked for {program} {version}, but what came from {from} says that it is {reported}")]
    Another {
        program: String,
        /// The requested release.
        version: String,
        /// The installed release.
        reported: String,
        /// Its source.
        from: String,
    },
    /// A release that cannot be the name of a directory.
    #[error("`{0}` is no release: letters, digits and `._+~-`, a letter or digit first")]
    Unnameable(String),
    /// Required backends are missing.
    #[error("there is no {names} here and CI is set; run `touchstone backends --provision` first")]
    Missing {
        /// Names of the backends.
        names: String,
    },
}

/// The available backends: installed ones first, then those on PATH. Installs nothing.
pub fn find() -> Backends {
    let Ok(place) = Installation::here() else {
        return Backends { ripgrep: on_path(&["rg"]), ugrep: on_path(&["ugrep", "ug"]) };
    };
    Backends {
        ripgrep: place.installed_ripgrep().or_else(|| on_path(&["rg"])),
        ugrep: place.installed_ugrep().or_else(|| on_path(&["ugrep", "ug"])),
    }
}

/// What [`find`] finds; where the environment says `CI`, nothing may be missing.
pub fn available() -> Result<Backends, ProvisionError> {
    let backends = find();
    let missing = backends.missing();
    if missing.is_empty() || env::var_os("CI").is_none() {
        return Ok(backends);
    }
    let names: Vec<&str> = missing.into_iter().map(Backend::name).collect();
    Err(ProvisionError::Missing { names: names.join(" and no ") })
}

/// Every backend, installed into the build directory if need be. Takes minutes once, and no time
/// afterwards.
pub fn provision() -> Result<Backends, ProvisionError> {
    Installation::here()?.provision()
}

/// Every backend, for tests, which all need them: the error is the message to fail with.
pub fn required_backends() -> Result<Backends, &'static ProvisionError> {
    static BACKENDS: OnceLock<Result<Backends, ProvisionError>> = OnceLock::new();
    BACKENDS.get_or_init(provision).as_ref().cloned()
}

/// The place and the programs of an installation.
#[derive(Debug, Clone)]
struct Installation {
    /// The directory for all backends.
    directory: PathBuf,
    cargo: PathBuf,
    apt_get: PathBuf,
    dpkg_deb: PathBuf,
    python: PathBuf,
    /// Whether a program on PATH is accepted.
    takes_system: bool,
}

impl Installation {
    /// Below the build directory of the running executable.
    fn here() -> Result<Self, ProvisionError> {
        let directory = home()?.join("backends");
        let cargo = env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from);
        Ok(Self {
            directory,
            cargo,
            apt_get: "apt-get".into(),
            dpkg_deb: "dpkg-deb".into(),
            python: "python3".into(),
            takes_system: true,
        })
    }

    fn provision(&self) -> Result<Backends, ProvisionError> {
        // What is there is found without the lock: it is put in place as a whole.
        let (ripgrep, ugrep) = (self.ripgrep(), self.ugrep());
        if ripgrep.is_some() && ugrep.is_some() {
            return Ok(Backends { ripgrep, ugrep });
        }
        let _lock = install::lock(&self.directory)?;
        let ripgrep = self.ripgrep().map_or_else(|| self.install_ripgrep(), Ok)?;
        let ugrep = self.ugrep().map_or_else(|| self.install_ugrep(), Ok)?;
        Ok(Backends { ripgrep: Some(ripgrep), ugrep: Some(ugrep) })
    }

    fn ripgrep(&self) -> Option<PathBuf> {
        let is_pinned = |path: &PathBuf| {
            version(path).is_ok_and(|line| line.split(' ').nth(1) == Some(RIPGREP_VERSION))
        };
        self.installed_ripgrep().or_else(|| self.system(&["rg"]).filter(is_pinned))
    }

    fn ugrep(&self) -> Option<PathBuf> {
        self.installed_ugrep()
            .or_else(|| self.system(&["ugrep"]).filter(|path| version(path).is_ok()))
    }

    fn system(&self, names: &[&str]) -> Option<PathBuf> {
        if self.takes_system { on_path(names) } else { None }
    }

    fn ripgrep_directory(&self) -> PathBuf {
        self.directory.join(format!("ripgrep-{RIPGREP_VERSION}"))
    }

    fn ugrep_directory(&self) -> PathBuf {
        self.directory.join("ugrep-debian")
    }

    fn installed_ripgrep(&self) -> Option<PathBuf> {
        Some(self.ripgrep_directory().join("bin/rg")).filter(|path| path.is_file())
    }

    fn installed_ugrep(&self) -> Option<PathBuf> {
        Some(self.ugrep_directory().join("usr/bin/ugrep")).filter(|path| path.is_file())
    }
}

/// The first line that `--version` prints.
fn version(executable: &Path) -> io::Result<String> {
    let output =
        Command::new(executable).arg("--version").env_clear().stdin(Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().next().filter(|_| output.status.success()) {
        Some(line) => Ok(line.to_owned()),
        None => Err(io::Error::other(format!(
            "`--version` ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim_end()
        ))),
    }
}

#[cfg(test)]
mod tests;
