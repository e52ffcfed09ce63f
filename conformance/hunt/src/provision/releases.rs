//! Releases of search programs, side by side below the build directory.
//!
//! Responsible for: which releases are installed ([`installed`]), installing an offered or local
//! one ([`install`]), identifying a program ([`identify`]), and the order of releases ([`order`]).
//! Not here: fetching and building (`crates`, `wheels`, `debian`, `local`), running
//! ([`crate`]). Invariants: a release is below `touchstone/backends/NAME-VERSION` as a whole
//! or not at all; its `release.json` has its command and source; the version is the one that the
//! program itself reports.

use std::cmp::Ordering;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use touchstone_cases::materialise;
use touchstone_spec::adapter::{Adapter, Identity, Source};

use super::install::{self, Partial};
pub use super::release::Installed;
use super::release::{HERE, Release, placed};
use super::{Installation, ProvisionError};

/// Time limit for identifying a program.
const IDENTIFY_TIME: Duration = Duration::from_secs(10);

/// Most bytes of its output that are read.
const IDENTIFY_BYTES: u64 = 64 << 10;

/// How long the lock stays free between two releases; longer than others wait between two looks at
/// it.
const TURN: Duration = Duration::from_millis(50);

/// Interval of polling.
const INTERVAL: Duration = Duration::from_millis(5);

/// The releases of a program that are installed, oldest first.
pub fn installed(program: &str) -> Vec<Installed> {
    let mut found = all_installed();
    found.retain(|one| one.program == program);
    found
}

/// All releases that are installed, by program, oldest first.
pub fn all_installed() -> Vec<Installed> {
    Installation::here().map(|place| place.releases()).unwrap_or_default()
}

/// The releases that an adapter offers, oldest first.
pub fn offered(adapter: &Adapter) -> Vec<String> {
    let mut versions: Vec<String> = Vec::new();
    for source in &adapter.releases {
        match source {
            Source::Crate { versions: some, .. } | Source::Wheel { versions: some, .. } => {
                versions.extend(some.iter().cloned());
            }
            Source::Debian { versions: some, .. } => versions.extend(some.keys().cloned()),
        }
    }
    versions.sort_by(|a, b| order(a, b));
    versions.dedup();
    versions
}

/// Installs one release that the adapter offers, unless it is there.
///
/// # Errors
/// No source offers it, none of those that do gives it, or what came is something else.
pub fn install(adapter: &Adapter, version: &str) -> Result<Installed, ProvisionError> {
    let installed = Installation::here()?.install(adapter, version);
    // Lets other processes take the lock before the next release of a long list.
    thread::park_timeout(TURN);
    installed
}

/// Installs what lies at `path`, a binary or a directory of sources; without a version, as what it
/// says it is.
///
/// # Errors
/// It does not build or run, or it is another release than `version`.
pub fn install_from(
    adapter: &Adapter,
    version: Option<&str>,
    path: &Path,
) -> Result<Installed, ProvisionError> {
    Installation::here()?.install_from(adapter, version, path)
}

/// Removes what was only needed to install: directories of builds, what suites have, what was
/// killed half-way.
///
/// # Errors
/// They cannot be removed.
pub fn tidy_up() -> Result<(), ProvisionError> {
    Installation::here()?.tidy_up()
}

impl Installation {
    pub(super) fn releases(&self) -> Vec<Installed> {
        let entries = fs::read_dir(&self.directory).into_iter().flatten();
        let directories = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        let mut found: Vec<Installed> = directories
            .filter_map(|path| Release::read(&path).map(|release| release.at(&path)))
            .collect();
        found.sort_by(|a, b| a.program.cmp(&b.program).then_with(|| order(&a.version, &b.version)));
        found
    }

    pub(super) fn install(
        &self,
        adapter: &Adapter,
        version: &str,
    ) -> Result<Installed, ProvisionError> {
        let place = self.place(&adapter.name, version)?;
        if let Some(release) = Release::read(&place) {
            return Ok(release.at(&place));
        }
        let _lock = install::lock(&self.directory)?;
        // Another process may have been faster.
        if let Some(release) = Release::read(&place) {
            return Ok(release.at(&place));
        }
        if let Some(release) = adopt(adapter, version, &place)? {
            return Ok(release.at(&place));
        }
        let mut failed = None;
        for source in &adapter.releases {
            match self.prepare(adapter, source, version, &place) {
                None => {}
                Some(Ok(installed)) => return Ok(installed),
                Some(Err(error)) => failed = Some(error),
            }
        }
        Err(failed.unwrap_or_else(|| {
            let versions = offered(adapter);
            ProvisionError::Unoffered {
                program: adapter.name.clone(),
                version: version.to_owned(),
                offered: if versions.is_empty() {
                    "none is".to_owned()
                } else {
                    format!("there are {}", versions.join(", "))
                },
            }
        }))
    }

    pub(super) fn install_from(
        &self,
        adapter: &Adapter,
        version: Option<&str>,
        path: &Path,
    ) -> Result<Installed, ProvisionError> {
        let _lock = install::lock(&self.directory)?;
        let bin = adapter.command.first().map_or(adapter.name.as_str(), String::as_str);
        let bin = Path::new(bin).file_name().unwrap_or_default().to_string_lossy();
        let partial = Partial::new(&self.directory.join(&adapter.name))?;
        let program = self.take_path(path, &bin, &partial)?;
        let command = vec![format!("{HERE}/{}", program.display())];
        let from = format!("`{}`", path.display());
        let reported = reported(adapter, &command, &partial)?;
        let place = self.place(&adapter.name, version.unwrap_or(&reported))?;
        let release = Release { program: adapter.name.clone(), version: reported, command, from };
        finish(release, version, partial, &place)
    }

    /// Prepares and places a release from one source; nothing if the source does not have it.
    fn prepare(
        &self,
        adapter: &Adapter,
        source: &Source,
        version: &str,
        place: &Path,
    ) -> Option<Result<Installed, ProvisionError>> {
        let has = |versions: &[String]| versions.iter().any(|one| one == version);
        match source {
            Source::Crate { package, bin, versions } if has(versions) => {
                let from = format!("crate {package} {version}");
                let command = [format!("{HERE}/{bin}")];
                Some(put(adapter, version, place, from, |partial| {
                    self.fetch_crate(package, version, partial).map(|()| command.to_vec())
                }))
            }
            Source::Wheel { package, bin, versions } if has(versions) => {
                let bin = bin.replace("{version}", version);
                let from = format!("wheel {package} {version}");
                Some(put(adapter, version, place, from, |partial| {
                    self.fetch_wheel(package, version, &bin, partial)
                        .map(|()| vec![format!("{HERE}/{bin}")])
                }))
            }
            Source::Debian { package, bin, versions } => versions.get(version).map(|suite| {
                let from = format!("package {package} of Debian {suite}");
                put(adapter, version, place, from, |partial| {
                    self.fetch_debian(package, suite, bin, partial)
                })
            }),
            Source::Crate { .. } | Source::Wheel { .. } => None,
        }
    }

    /// The directory of a release.
    fn place(&self, program: &str, version: &str) -> Result<PathBuf, ProvisionError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._+~-".contains(&byte);
        let first = version.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
        if !first || !version.bytes().all(plain) || version.len() > 100 {
            return Err(ProvisionError::Unnameable(version.to_owned()));
        }
        Ok(self.directory.join(format!("{program}-{version}")))
    }

    fn tidy_up(&self) -> Result<(), ProvisionError> {
        let _lock = install::lock(&self.directory)?;
        // No installation is in progress under the lock: what is partial was left by a killed one.
        let entries = fs::read_dir(&self.directory).into_iter().flatten();
        let partial = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
        let partial =
            partial.filter(|path| path.extension().is_some_and(|extension| extension == "partial"));
        for path in partial.chain([self.build_place(), self.directory.join("suites")]) {
            materialise::remove(&path).map_err(|source| ProvisionError::Io { path, source })?;
        }
        Ok(())
    }
}

/// Prepares a release beside its place, and puts it there if it is what was asked for.
fn put(
    adapter: &Adapter,
    version: &str,
    place: &Path,
    from: String,
    prepare: impl FnOnce(&Partial) -> Result<Vec<String>, ProvisionError>,
) -> Result<Installed, ProvisionError> {
    let partial = Partial::new(place)?;
    let command = prepare(&partial)?;
    let reported = reported(adapter, &command, &partial)?;
    let release = Release { program: adapter.name.clone(), version: reported, command, from };
    finish(release, Some(version), partial, place)
}

/// The release that a prepared program reports.
fn reported(
    adapter: &Adapter,
    command: &[String],
    partial: &Partial,
) -> Result<String, ProvisionError> {
    let command = placed(command, &partial.directory);
    identify(&adapter.identify, &command).map_err(|error| {
        let program = PathBuf::from(command.last().cloned().unwrap_or_default());
        let reason = install::reason(&program, &error);
        ProvisionError::Unusable { executable: program, reason }
    })
}

/// A release that [`super::provision`] built before releases were written down.
fn adopt(
    adapter: &Adapter,
    version: &str,
    place: &Path,
) -> Result<Option<Release>, ProvisionError> {
    for source in &adapter.releases {
        let Source::Crate { package, bin, .. } = source else { continue };
        let release = Release::of_crate(&adapter.name, package, version, bin);
        let command = placed(&release.command, place);
        if place.join(bin).is_file()
            && identify(&adapter.identify, &command).is_ok_and(|said| said == version)
        {
            return release.write(place).map(|()| Some(release));
        }
    }
    Ok(None)
}

/// Puts a prepared release in its place if it is the one that was asked for.
fn finish(
    release: Release,
    asked: Option<&str>,
    partial: Partial,
    place: &Path,
) -> Result<Installed, ProvisionError> {
    if let Some(version) = asked.filter(|version| **version != release.version) {
        return Err(ProvisionError::Another {
            program: release.program,
            version: version.to_owned(),
            reported: release.version,
            from: release.from,
        });
    }
    release.write(&partial.directory)?;
    partial.put(place)?;
    Ok(release.at(place))
}

/// The release that a program says it is.
///
/// # Errors
/// It does not start, does not end in time, or says something else.
pub fn identify(identity: &Identity, command: &[OsString]) -> Result<String, String> {
    let pattern =
        regex_automata::meta::Regex::new(&identity.pattern).map_err(|error| error.to_string())?;
    let said = version_output(identity, command).map_err(|error| error.to_string())?;
    let mut captures = pattern.create_captures();
    pattern.captures(&said, &mut captures);
    let version = captures.get_group(1).and_then(|span| said.get(span.range())).map(str::to_owned);
    version.ok_or_else(|| {
        let line = said.lines().next().unwrap_or_default();
        format!("it does not say which release it is: `{line}`")
    })
}

/// What a program prints when it is asked what it is. Some say it on standard error, and some with
/// a failure status.
fn version_output(identity: &Identity, command: &[OsString]) -> io::Result<String> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::other("there is no command"));
    };
    let mut output = tempfile::tempfile()?;
    let mut child = Command::new(program)
        .args(arguments)
        .args(&identity.args)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output.try_clone()?)
        .spawn()?;
    let until = Instant::now() + IDENTIFY_TIME;
    while child.try_wait()?.is_none() {
        if Instant::now() >= until {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::other(format!("no end within {} s", IDENTIFY_TIME.as_secs())));
        }
        thread::park_timeout(INTERVAL);
    }
    output.rewind()?;
    let mut bytes = Vec::new();
    output.take(IDENTIFY_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Which release is older: numbers by their value, everything else as text; `1.0-rc1` before `1.0`.
pub fn order(a: &str, b: &str) -> Ordering {
    let (left, right) = (parts(a), parts(b));
    for index in 0..left.len().max(right.len()) {
        let ordering = match (left.get(index), right.get(index)) {
            (Some(one), Some(other)) => one.cmp(other),
            // `1.0.1` is after `1.0`, and `1.0rc1` before it.
            (Some(Part::Number(_)), None) | (None, Some(Part::Text(_))) => Ordering::Greater,
            (Some(Part::Text(_)), None) | (None, Some(Part::Number(_))) => Ordering::Less,
            (None, None) => Ordering::Equal,
        };
        if ordering != Ordering::Equal {
            return ordering;
        }
    }
    a.cmp(b)
}

/// Text sorts before numbers: `1.0.rc1` is before `1.0.1`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'a> {
    Text(&'a str),
    Number(u64),
}

fn parts(version: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    for word in version.split(['.', '-', '_', '+']).filter(|word| !word.is_empty()) {
        let mut rest = word;
        while let Some(first) = rest.bytes().next() {
            let digit = first.is_ascii_digit();
            let end =
                rest.bytes().position(|byte| byte.is_ascii_digit() != digit).unwrap_or(rest.len());
            let (run, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            parts.push(run.parse().ok().filter(|_| digit).map_or(Part::Text(run), Part::Number));
            rest = behind;
        }
    }
    parts
}

#[cfg(test)]
mod tests;
