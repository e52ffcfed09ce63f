//! Releases from a local path: a binary, or a directory of sources.
//!
//! Responsible for: copying the binary, or building the sources in the known way. Not here: which
//! release it is, and putting it in place ([`super::releases`]). Invariants: the directory of
//! sources is not written to.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use touchstone_cases::materialise;

use super::crates::without_outer_build;
use super::install::{Partial, run};
use super::{Installation, ProvisionError};

impl Installation {
    /// Takes a binary, or builds a directory; the answer is the executable below the partial
    /// directory.
    pub(super) fn take_path(
        &self,
        path: &Path,
        bin: &str,
        partial: &Partial,
    ) -> Result<PathBuf, ProvisionError> {
        let into = Path::new("bin").join(bin);
        let target = partial.directory.join(&into);
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| ProvisionError::Io { path, source }
        };
        fs::create_dir_all(partial.directory.join("bin")).map_err(io(&partial.directory))?;
        let found = if path.is_dir() { self.build(path, bin, partial)? } else { path.to_owned() };
        fs::copy(&found, &target).map_err(io(&found))?;
        materialise::remove(&partial.directory.join("source")).map_err(io(&partial.directory))?;
        Ok(into)
    }

    /// Builds a copy of a directory of sources; the answer is the executable.
    fn build(&self, path: &Path, bin: &str, partial: &Partial) -> Result<PathBuf, ProvisionError> {
        let what = format!("{bin} from `{}`", path.display());
        let way_out = "build it by hand and give the binary by `--path FILE`";
        let source = partial.directory.join("source");
        let mut copy = Command::new("cp");
        copy.args(["-a", "--"]).arg(path).arg(&source);
        run(&mut copy, &what, &partial.directory, way_out)?;
        let (commands, places): (Vec<Command>, &[&str]) = if source.join("Cargo.toml").is_file() {
            let mut cargo = Command::new(&self.cargo);
            cargo.args(["build", "--release", "--target-dir", "target"]);
            without_outer_build(&mut cargo);
            (vec![cargo], &["target/release"])
        } else if source.join("configure").is_file() {
            let mut make = Command::new("make");
            make.arg("-j2");
            (vec![Command::new("./configure"), make], &["src", "bin", "."])
        } else {
            let outcome = "was not run: there is neither `Cargo.toml` nor `configure`".to_owned();
            let (backend, command) = (what, "cargo build or ./configure && make".to_owned());
            return Err(ProvisionError::Install {
                backend,
                command,
                outcome,
                way_out: way_out.to_owned(),
            });
        };
        for mut command in commands {
            run(command.current_dir(&source), &what, &partial.directory, way_out)?;
        }
        let found =
            places.iter().map(|place| source.join(place).join(bin)).find(|file| file.is_file());
        found.ok_or_else(|| ProvisionError::Install {
            backend: what,
            command: "the build".to_owned(),
            outcome: format!("made no `{bin}` in {}", places.join(", ")),
            way_out: way_out.to_owned(),
        })
    }
}
