//! `touchstone backends`: what there is to run against.

use std::path::Path;
use std::process::{Command, Stdio};

use super::{Outcome, Verdict, print};
use crate::provision::{self, Backends};
use crate::report::SubjectLine;
use crate::subject::{Backend, SubjectSpec};

/// Arguments of `touchstone backends`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Install what is missing into the build directory; takes minutes once
    #[arg(long)]
    provision: bool,
}

/// Shows the backends; the exit status is 1 if one is missing.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    let backends = if arguments.provision { provision::provision()? } else { provision::find() };
    for backend in Backend::ALL {
        let found = describe(backend, &backends).unwrap_or_else(|why| format!("missing: {why}"));
        print(&format!("{:<10} {found}\n", backend.name()))?;
    }
    Ok(Verdict::of(backends.missing().is_empty()))
}

/// The subjects to run: those asked for, or else the service over every backend that is there. A subject that was
/// left out has a line that says why.
pub(super) fn subjects(asked: &[SubjectSpec], backends: &Backends) -> (Vec<SubjectSpec>, Vec<SubjectLine>) {
    let all: Vec<SubjectSpec> = Backend::ALL.into_iter().map(SubjectSpec::forge).collect();
    let wanted = if asked.is_empty() { &all } else { asked };
    let mut found = Vec::new();
    let mut lines = Vec::new();
    for subject in wanted {
        let line = SubjectLine { name: subject.to_string(), found: describe(subject.backend, backends) };
        if line.found.is_ok() {
            found.push(subject.clone());
        }
        lines.push(line);
    }
    (found, lines)
}

/// What a backend is, with its version; or what is missing.
fn describe(backend: Backend, backends: &Backends) -> Result<String, String> {
    if backend == Backend::Native {
        return Ok(format!("embedded, {}", env!("CARGO_PKG_VERSION")));
    }
    let executable = backends.executable(backend).ok_or_else(|| {
        "neither in the build directory nor on PATH; `touchstone backends --provision` installs it".to_owned()
    })?;
    let version =
        version(executable).map_err(|error| format!("`{}` does not run: {error}", executable.display()))?;
    Ok(format!("{version} ({})", executable.display()))
}

/// The first line that `--version` prints.
fn version(executable: &Path) -> std::io::Result<String> {
    let output = Command::new(executable).arg("--version").stdin(Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next().filter(|_| output.status.success());
    line.map(str::to_owned)
        .ok_or_else(|| std::io::Error::other(format!("`--version` ended with {}", output.status)))
}
