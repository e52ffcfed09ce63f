//! Releases from the suites of Debian, on whatever Debian runs here.
//!
//! Responsible for: fetching a package of another suite with the libraries it needs, unpacking
//! them, and the command that runs the program with these libraries and their own loader. Not here:
//! whether it is what was asked for, and putting it in place ([`super::releases`]). Invariants: the
//! system's own package state is read for the address of its mirror and not written; no script of a
//! package is run.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::install::{Partial, run, run_for_output};
use super::release::HERE;
use super::{Installation, ProvisionError};

/// Paths of the archive's keys; without one, apt's own are used.
const KEYRINGS: [&str; 2] = [
    "/usr/share/keyrings/debian-archive-keyring.pgp",
    "/usr/share/keyrings/debian-archive-keyring.gpg",
];

/// How long a suite's package lists stay fresh.
const FRESH: Duration = Duration::from_secs(60 * 60);

/// The remedy for a missing package.
const WAY_OUT: &str =
    "give a binary by `--path FILE`, or see whether the mirror still has that suite";

impl Installation {
    /// Unpacks a package of a suite and its libraries; the answer is the command, in which [`HERE`]
    /// stands for the directory.
    pub(super) fn fetch_debian(
        &self,
        package: &str,
        suite: &str,
        bin: &str,
        partial: &Partial,
    ) -> Result<Vec<String>, ProvisionError> {
        let what = format!("{package} of {suite}");
        let directory = partial.directory.as_path();
        let io = |path: &Path, source| ProvisionError::Io { path: path.to_owned(), source };
        let apt = Apt {
            installation: self,
            what: &what,
            state: self.directory.join("suites").join(suite),
        };
        apt.prepare(suite, directory)?;
        let planned = run_for_output(
            apt.command().args(["--simulate", "install", package]),
            &what,
            directory,
            WAY_OUT,
        )?;
        let archives = directory.join("archives");
        fs::create_dir_all(&archives).map_err(|error| io(&archives, error))?;
        let mut download = apt.command();
        download.arg("download").args(wanted(&planned, package)).current_dir(&archives);
        run(&mut download, &what, directory, WAY_OUT)?;
        for file in listed(&archives).map_err(|error| io(&archives, error))? {
            if file.extension() == Some(OsStr::new("deb")) {
                let mut unpack = Command::new(&self.dpkg_deb);
                unpack.arg("-x").arg(&file).arg(directory);
                run(&mut unpack, &what, directory, WAY_OUT)?;
            }
        }
        fs::remove_dir_all(&archives).map_err(|error| io(&archives, error))?;
        command(directory, bin).map_err(|error| io(directory, error))
    }
}

/// `apt-get` with a state of its own, for one suite.
struct Apt<'a> {
    installation: &'a Installation,
    what: &'a str,
    state: PathBuf,
}

impl Apt<'_> {
    /// Writes the state and fetches the suite's package lists, unless they are fresh.
    fn prepare(&self, suite: &str, directory: &Path) -> Result<(), ProvisionError> {
        let mirror = self.mirror(directory)?;
        let keys = KEYRINGS.into_iter().find(|file| Path::new(file).is_file());
        let keys = keys.map(|file| format!("[signed-by={file}] ")).unwrap_or_default();
        let write = |path: PathBuf, text: &str| {
            fs::write(&path, text).map_err(|source| ProvisionError::Io { path, source })
        };
        for part in ["lists/partial", "cache/archives/partial"] {
            let path = self.state.join(part);
            fs::create_dir_all(&path).map_err(|source| ProvisionError::Io { path, source })?;
        }
        write(self.state.join("status"), "")?;
        let line = format!("deb {keys}{mirror} {suite} main\n");
        let sources = self.state.join("sources.list");
        let updated = self.state.join("updated");
        let age = fs::metadata(&updated)
            .and_then(|file| file.modified())
            .ok()
            .and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age < FRESH)
            && fs::read_to_string(&sources).is_ok_and(|text| text == line)
        {
            return Ok(());
        }
        write(sources, &line)?;
        // Without it a suite that is gone is a warning, and the package a riddle.
        let mut update = self.command();
        update.args(["-o", "APT::Update::Error-Mode=any", "update"]);
        run(&mut update, self.what, directory, WAY_OUT)?;
        write(updated, "")
    }

    /// The address of the Debian mirror that this machine uses.
    fn mirror(&self, directory: &Path) -> Result<String, ProvisionError> {
        let mut targets = Command::new(&self.installation.apt_get);
        targets.args(["indextargets", "--format", "$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)"]);
        let listed = run_for_output(&mut targets, self.what, directory, WAY_OUT)?;
        let found = listed.lines().find_map(|line| line.strip_prefix("Debian|Debian|main|"));
        found.map(str::to_owned).ok_or_else(|| ProvisionError::Install {
            backend: self.what.to_owned(),
            command: "apt-get indextargets".to_owned(),
            outcome: "names no mirror of Debian".to_owned(),
            way_out: "run `apt-get update` on a Debian, or give a binary by `--path FILE`"
                .to_owned(),
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.installation.apt_get);
        let path = |key: &str, path: &Path| format!("{key}={}", path.display());
        let options = [
            path("Dir::State", &self.state),
            path("Dir::State::lists", &self.state.join("lists")),
            path("Dir::State::status", &self.state.join("status")),
            path("Dir::Cache", &self.state.join("cache")),
            path("Dir::Etc::sourcelist", &self.state.join("sources.list")),
            path("Dir::Etc::sourceparts", &self.state.join("none")),
            "Acquire::Languages=none".to_owned(),
            "APT::Install-Recommends=false".to_owned(),
            // All of it lies in directories of the caller's.
            "APT::Sandbox::User=".to_owned(),
            // What every system has is not wanted beside a program that is only unpacked.
            "pkgCacheGen::ForceEssential=none".to_owned(),
        ];
        for option in options {
            command.args(["-o", &option]);
        }
        command.env("LC_ALL", "C");
        command
    }
}

/// Of what an installation would install, as `NAME=VERSION`: the package, and libraries. Debian
/// names them `lib…`, but for zlib.
fn wanted(planned: &str, package: &str) -> Vec<String> {
    let mut wanted = Vec::new();
    for line in planned.lines() {
        let mut words = line.split_whitespace();
        let (Some("Inst"), Some(name), Some(version)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        if name == package || name.starts_with("lib") || name == "zlib1g" {
            wanted.push(format!("{name}={}", version.trim_start_matches('(')));
        }
    }
    wanted
}

fn listed(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> = fs::read_dir(directory)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    found.sort();
    Ok(found)
}

/// The command that runs `bin` of an unpacked suite: a script by its interpreter, anything else by
/// the suite's loader.
fn command(directory: &Path, bin: &str) -> io::Result<Vec<String>> {
    let bin = bin.trim_start_matches('/');
    let merged = [bin.to_owned(), bin.trim_start_matches("usr/").to_owned(), format!("usr/{bin}")];
    let bin = merged
        .into_iter()
        .find(|bin| directory.join(bin).is_file())
        .ok_or_else(|| io::Error::other(format!("the package holds no `{bin}`")))?;
    let program = format!("{HERE}/{bin}");
    if let Some(interpreter) = interpreter(&directory.join(&bin))? {
        let mut command = vec![interpreter];
        if directory.join("usr/share/perl5").is_dir() {
            command.push(format!("-I{HERE}/usr/share/perl5"));
        }
        command.push(program);
        return Ok(command);
    }
    let mut libraries = Vec::new();
    let mut loader = None;
    for part in ["lib", "usr/lib"] {
        let place = directory.join(part);
        for path in if place.is_dir() { listed(&place)? } else { Vec::new() } {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && name.contains("-linux-") {
                libraries.push(format!("{HERE}/{part}/{name}"));
                let files = listed(&path)?;
                let found = files.iter().find(|file| is_loader(file));
                let found = found.and_then(|file| file.file_name());
                loader =
                    loader.or(found.map(|file| format!("{HERE}/{part}/{name}/{}", file.display())));
            }
        }
    }
    // Without a loader it needs no libraries either.
    let Some(loader) = loader else { return Ok(vec![program]) };
    Ok(vec![loader, "--library-path".to_owned(), libraries.join(":"), program])
}

fn is_loader(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("ld-linux") && name.contains(".so.")
}

/// The interpreter that a script names.
fn interpreter(file: &Path) -> io::Result<Option<String>> {
    let mut start = Vec::new();
    fs::File::open(file)?.take(200).read_to_end(&mut start)?;
    let text = String::from_utf8_lossy(&start);
    let first = text.lines().next().and_then(|line| line.strip_prefix("#!"));
    Ok(first.and_then(|line| line.split_whitespace().next()).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_and_its_libraries_are_fetched_in_the_planned_releases() {
        let plan = "Inst libc6 (2.41-12 Debian:13.7/stable [amd64])\nInst zlib1g (1:1.3-1 Debian [amd64])\n\
                    Inst gcc-14-base (14.2 Debian [amd64])\nInst grep (3.11-4 Debian [amd64])\nConf grep (3.11-4 Debian)\n";
        assert_eq!(wanted(plan, "grep"), ["libc6=2.41-12", "zlib1g=1:1.3-1", "grep=3.11-4"]);
    }

    #[test]
    fn a_packaged_program_is_run_by_its_loader_in_any_layout() {
        for (libraries, place, asked) in [
            ("lib/x86_64-linux-gnu", "bin", "usr/bin/grep"),
            ("usr/lib/x86_64-linux-gnu", "usr/bin", "bin/grep"),
        ] {
            let home = tempfile::tempdir().unwrap();
            fs::create_dir_all(home.path().join(libraries)).unwrap();
            fs::create_dir_all(home.path().join(place)).unwrap();
            fs::write(home.path().join(libraries).join("ld-linux-x86-64.so.2"), "").unwrap();
            fs::write(home.path().join(place).join("grep"), "\x7fELF").unwrap();
            let expected = [
                format!("{HERE}/{libraries}/ld-linux-x86-64.so.2"),
                "--library-path".to_owned(),
                format!("{HERE}/{libraries}"),
                format!("{HERE}/{place}/grep"),
            ];
            assert_eq!(command(home.path(), asked).unwrap(), expected);
        }
    }

    #[test]
    fn a_packaged_script_is_run_by_its_interpreter_with_its_modules() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("usr/share/perl5")).unwrap();
        fs::create_dir_all(home.path().join("usr/bin")).unwrap();
        fs::write(home.path().join("usr/bin/ack"), "#!/usr/bin/perl -w\n").unwrap();
        let modules = format!("-I{HERE}/usr/share/perl5");
        let expected = ["/usr/bin/perl".to_owned(), modules, format!("{HERE}/usr/bin/ack")];
        assert_eq!(command(home.path(), "usr/bin/ack").unwrap(), expected);
        assert!(
            command(home.path(), "usr/bin/other")
                .unwrap_err()
                .to_string()
                .contains("usr/bin/other")
        );
    }
}
