//! Where this program stands on the machine: its build directory, the directories of its user, the
//! programs beside it and on PATH, and the user it runs as.

use std::env;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use etcetera::BaseStrategy as _;

/// There is no build directory, where one is needed.
#[derive(Debug, thiserror::Error)]
#[error("`{}` is in no build directory, and there is no home directory; set HOME, or CARGO_TARGET_DIR to an absolute path", executable.display())]
pub struct NoBuildDirectory {
    /// The running executable.
    executable: PathBuf,
}

/// An executable of this project: the running one, or, from a test, the one beside it in the same
/// build.
///
/// # Errors
/// Where it was looked for, when it is not there.
pub fn executable_here(name: &str) -> Result<PathBuf, PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    let running = env::current_exe().unwrap_or_default();
    let directory = running.parent().unwrap_or(Path::new(""));
    // Test executables lie in `deps`, with a digest in their name.
    let directory = if directory.ends_with("deps") {
        directory.parent().unwrap_or(directory)
    } else {
        directory
    };
    let path = directory.join(file);
    if path.is_file() { Ok(path) } else { Err(path) }
}

/// The build directory: CARGO_TARGET_DIR if it is absolute, else the directory above the running
/// executable that cargo marks as its own.
pub fn build_directory() -> Result<PathBuf, NoBuildDirectory> {
    let configured =
        env::var_os("CARGO_TARGET_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
    if let Some(directory) = configured {
        return Ok(directory);
    }
    let executable = env::current_exe().unwrap_or_default();
    let marked =
        executable.ancestors().skip(1).find(|directory| directory.join("CACHEDIR.TAG").is_file());
    marked.map(Path::to_owned).ok_or(NoBuildDirectory { executable })
}

/// Where releases, results and hunts are kept: in the build directory, or, for a program that lies
/// in none, in the user's data directory.
///
/// # Errors
/// There is neither.
pub fn home() -> Result<PathBuf, NoBuildDirectory> {
    let place = build_directory().or_else(|error| {
        let user = etcetera::base_strategy::choose_native_strategy();
        user.map(|user| user.data_dir()).map_err(|_| error)
    })?;
    Ok(place.join("touchstone"))
}

/// Cargo, without what it sets for a program that it runs: build scripts that read those variables,
/// as ring's does, would run once more, and all that depends on them would be compiled once more.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_MANIFEST_") || text.starts_with("CARGO_PKG_") {
            command.env_remove(name);
        }
    }
    command
}

/// The first of `names` on PATH.
pub fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let directories: Vec<PathBuf> =
        env::split_paths(&path).filter(|directory| directory.is_absolute()).collect();
    names
        .iter()
        .flat_map(|name| directories.iter().map(move |directory| directory.join(name)))
        .find(|file| {
            fs::metadata(file)
                .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
        })
}

/// The effective user of this process, by the owner of its own entry in the process table.
pub fn own_uid() -> io::Result<u32> {
    std::fs::metadata("/proc/self").map(|entry| entry.uid())
}

/// Lets directories that are made in `parent` lie far from each other, if its file system can: the
/// flag T of ext4. Without a journal, ext4 looks for each new file at all inodes nearby that were
/// deleted in the last minutes, which takes a millisecond where many trees come and go.
pub fn spread(parent: &Path) {
    #[cfg(target_os = "linux")]
    if let Ok(directory) = fs::File::open(parent)
        && let Ok(flags) = rustix::fs::ioctl_getflags(&directory)
    {
        // Without it everything is slower, and the same.
        let _ = rustix::fs::ioctl_setflags(&directory, flags | rustix::fs::IFlags::TOPDIR);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn directories_are_spread_where_the_file_system_can() {
        use rustix::fs::{IFlags, ioctl_getflags, ioctl_setflags};
        let [place, probe] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        spread(place.path());
        let flags = |place: &Path| ioctl_getflags(fs::File::open(place).unwrap());
        let can = flags(probe.path()).and_then(|before| {
            ioctl_setflags(fs::File::open(probe.path()).unwrap(), before | IFlags::TOPDIR)
        });
        if can.is_ok() {
            assert!(flags(place.path()).unwrap().contains(IFlags::TOPDIR));
        }
    }

    #[test]
    fn the_build_directory_contains_the_running_test() {
        let directory = build_directory().unwrap();
        assert!(
            env::current_exe().unwrap().starts_with(fs::canonicalize(&directory).unwrap()),
            "{}",
            directory.display()
        );
    }

    #[test]
    fn cargo_gets_no_variable_of_the_package_that_it_runs() {
        // Cargo and nextest set it for tests.
        assert!(env::var_os("CARGO_PKG_NAME").is_some());
        let cargo = cargo();
        let removed: Vec<&str> = cargo
            .get_envs()
            .filter(|(_, value)| value.is_none())
            .filter_map(|(name, _)| name.to_str())
            .collect();
        for name in ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_MANIFEST_DIR"] {
            assert!(removed.contains(&name), "{name}: {removed:?}");
        }
        assert!(!removed.contains(&"CARGO_HOME"));
    }

    #[test]
    fn a_missing_executable_is_reported_with_its_path() {
        let path = executable_here("no-such-executable").unwrap_err();
        assert!(
            path.ends_with("no-such-executable") && !path.to_string_lossy().contains("deps"),
            "{}",
            path.display()
        );
    }
}
