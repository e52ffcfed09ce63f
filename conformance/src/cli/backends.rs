//! `touchstone backends`: what there is to run against, and releases to hunt in.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::bail;
use clap::Subcommand;
use touchstone_spec::Adapter;

use super::{Outcome, Verdict, print};
use crate::backend::Backends;
use crate::hunt::subjects::{Adapters, Wanted};
use crate::provision::{self, releases};
use crate::report::SubjectLine;
use crate::subject::{Backend, SubjectSpec};

/// Arguments of `touchstone backends`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    /// Install what is missing into the build directory; takes minutes once
    #[arg(long)]
    provision: bool,
    #[command(subcommand)]
    act: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Put releases of search programs below the build directory; nothing is installed into the
    /// system
    Install(Install),
    /// Show the releases that are installed, and those that could be
    List,
}

#[derive(Debug, clap::Args)]
struct Install {
    /// `NAME@VERSION`, or `FILE.yaml@VERSION`; `NAME` alone with `--all` or `--path`
    #[arg(required = true, value_name = "NAME@VERSION")]
    names: Vec<String>,
    /// Every release that the adapters offer
    #[arg(long, conflicts_with = "path")]
    all: bool,
    /// A binary, or a directory of sources to build
    #[arg(long, value_name = "FILE|DIR")]
    path: Option<PathBuf>,
    /// Keep what was built with and downloaded, for the next installation
    #[arg(long)]
    keep: bool,
}

/// Shows the backends, or does what is asked with releases; the exit status is 1 if something is
/// missing.
pub(super) fn run(arguments: &Arguments) -> Outcome {
    match &arguments.act {
        None => show(arguments),
        Some(Action::Install(arguments)) => install(arguments),
        Some(Action::List) => list(),
    }
}

/// Installs releases. One that is not available is reported and does not stop the others.
fn install(arguments: &Install) -> Outcome {
    let adapters = Adapters::shipped()?;
    let mut fine = true;
    for name in &arguments.names {
        let wanted = Wanted::parse(name);
        let adapter = wanted.adapter(&adapters)?;
        for version in versions(arguments, &wanted, &adapter)? {
            let begun = std::time::Instant::now();
            let outcome = match (&arguments.path, &version) {
                (Some(path), version) => releases::install_from(&adapter, version.as_deref(), path),
                (None, Some(version)) => releases::install(&adapter, version),
                (None, None) => bail!("`{name}` names no release; `{name}@VERSION`, or `--all`"),
            };
            match outcome {
                Ok(release) => {
                    let seconds = begun.elapsed().as_secs_f64();
                    let (program, version) = (&release.program, &release.version);
                    print(&format!("{program}@{version}: {}, in {seconds:.1} s\n", release.from))?;
                }
                Err(error) => {
                    fine = false;
                    let version = version.map(|version| format!("@{version}")).unwrap_or_default();
                    let error = anyhow::Error::new(error);
                    let _ = writeln!(std::io::stderr(), "{}{version}: {error:#}", adapter.name);
                }
            }
        }
    }
    if !arguments.keep {
        releases::tidy_up()?;
    }
    Ok(Verdict::of(fine))
}

/// The releases that are meant by one name.
fn versions(
    arguments: &Install,
    wanted: &Wanted,
    adapter: &Adapter,
) -> anyhow::Result<Vec<Option<String>>> {
    let Some(version) = &wanted.release else {
        return match (&arguments.path, arguments.all) {
            (None, true) => Ok(releases::offered(adapter).into_iter().map(Some).collect()),
            (Some(_), _) => Ok(vec![None]),
            (None, false) => {
                bail!("`{0}` names no release; give `{0}@VERSION`, or `--all`", wanted.adapter)
            }
        };
    };
    if arguments.all {
        bail!("`--all` installs every release; `{}` names one", wanted.adapter);
    }
    if arguments.path.is_some() && arguments.names.len() > 1 {
        bail!("`--path` is one release; name one");
    }
    Ok(vec![Some(version.clone())])
}

/// Shows the releases that are installed, and those that are offered beside them.
fn list() -> Outcome {
    for one in releases::all_installed() {
        let command: Vec<_> =
            one.command.iter().map(|word: &OsString| word.to_string_lossy()).collect();
        let program = command.last().map(ToString::to_string).unwrap_or_default();
        print(&format!(
            "{:<24} {}  {program}\n",
            format!("{}@{}", one.program, one.version),
            one.from
        ))?;
    }
    for adapter in Adapters::shipped()?.iter() {
        let there: Vec<String> =
            releases::installed(&adapter.name).into_iter().map(|one| one.version).collect();
        let more: Vec<String> = releases::offered(adapter)
            .into_iter()
            .filter(|version| !there.contains(version))
            .collect();
        if !more.is_empty() {
            print(&format!("{}: could be installed: {}\n", adapter.name, more.join(" ")))?;
        }
    }
    Ok(Verdict::Fine)
}

/// Shows the backends; the exit status is 1 if one is missing.
fn show(arguments: &Arguments) -> Outcome {
    let backends = if arguments.provision { provision::provision()? } else { provision::find() };
    for backend in Backend::ALL {
        let found = describe(backend, &backends).unwrap_or_else(|why| format!("missing: {why}"));
        print(&format!("{:<10} {found}\n", backend.name()))?;
    }
    Ok(Verdict::of(backends.missing().is_empty()))
}

/// The subjects to run: those asked for, or else the service over every backend that is there. A
/// subject that was left out has a line that says why.
pub(super) fn subjects(
    asked: &[SubjectSpec],
    backends: &Backends,
) -> (Vec<SubjectSpec>, Vec<SubjectLine>) {
    let all: Vec<SubjectSpec> = Backend::ALL.into_iter().map(SubjectSpec::forge).collect();
    let wanted = if asked.is_empty() { &all } else { asked };
    let mut found = Vec::new();
    let mut lines = Vec::new();
    for subject in wanted {
        let line =
            SubjectLine { name: subject.to_string(), found: describe(subject.backend, backends) };
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
    let version = version(executable)
        .map_err(|error| format!("`{}` does not run: {error}", executable.display()))?;
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
