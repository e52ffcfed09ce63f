//! A tree to search, a home without configuration, and the program started in the tree.

use std::{
    fs,
    path::PathBuf,
    process::Command,
    time::{Duration, SystemTime},
};

pub(crate) struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let place = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir_all(place.tree()).unwrap();
        for (path, content) in files {
            let path = place.tree().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        fs::create_dir_all(place.home()).unwrap();
        place
    }

    /// An empty tree, and a home with this configuration.
    pub(crate) fn configured(config: &str) -> Self {
        let place = Self::new(&[]);
        place.configure(config);
        place
    }

    pub(crate) fn tree(&self) -> PathBuf {
        dunce::canonicalize(self.dir.path()).unwrap().join("tree")
    }

    pub(crate) fn home(&self) -> PathBuf {
        dunce::canonicalize(self.dir.path()).unwrap().join("home")
    }

    fn config(&self) -> PathBuf {
        self.home().join("forge-search").join("config.toml")
    }

    pub(crate) fn configure(&self, text: &str) {
        fs::create_dir_all(self.config().parent().unwrap()).unwrap();
        fs::write(self.config(), text).unwrap();
    }

    /// Writes a file that was last changed at the same moment whenever the test runs.
    pub(crate) fn file(&self, path: &str, content: &str) {
        let path = self.tree().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_772_366_400);
        fs::File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
    }

    /// Files that take a while: each so many lines of words.
    pub(crate) fn heavy(&self, directory: &str, files: usize, lines: usize) {
        let words = ["order", "service", "user", "index", "value", "parse", "query", "token"];
        for file in 0..files {
            let mut text = String::new();
            for line in 0..lines {
                for word in 0..10 {
                    text.push_str(words[(line * 7 + word * 3 + file) % words.len()]);
                    text.push(' ');
                }
                text.push('\n');
            }
            self.file(&format!("{directory}/{file}.txt"), &text);
        }
    }

    /// The program in the tree, with a home of its own.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forge-search"));
        command.current_dir(self.tree());
        for name in ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(name, self.home());
        }
        for name in ["NO_COLOR", "COLORTERM"] {
            command.env_remove(name);
        }
        command
    }

    /// The same, told where its configuration is: where that is looked for differs by system.
    pub(crate) fn program(&self) -> Command {
        let mut command = self.command();
        command.arg("--config").arg(self.config());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        outcome(self.command().args(args))
    }
}

/// Exit status, standard output, standard error.
pub(crate) fn outcome(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Paths, of the tree and of the home directory, that are not as before.
pub(crate) fn changes<T>(place: &Place, act: impl FnOnce() -> T) -> Vec<String> {
    let before = state(place.dir.path(), place.dir.path());
    act();
    let after = state(place.dir.path(), place.dir.path());
    let paths: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
    paths.into_iter().filter(|path| before.get(*path) != after.get(*path)).cloned().collect()
}

/// Content, kind and time of the last change of everything below a directory.
fn state(
    top: &std::path::Path,
    dir: &std::path::Path,
) -> std::collections::BTreeMap<String, String> {
    let mut found = std::collections::BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let metadata = path.symlink_metadata().unwrap();
        let content = if metadata.is_dir() {
            found.extend(state(top, &path));
            String::new()
        } else {
            String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned()
        };
        let name = path.strip_prefix(top).unwrap().to_string_lossy().into_owned();
        let changed = metadata.modified().unwrap();
        found.insert(name, format!("{:?} {changed:?} {content}", metadata.permissions()));
    }
    found
}
