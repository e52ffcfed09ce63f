//! A tree to search, a home without configuration, and the program started in the tree.

use std::{fs, path::PathBuf, process::Command};

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

    pub(crate) fn tree(&self) -> PathBuf {
        dunce::canonicalize(self.dir.path()).unwrap().join("tree")
    }

    pub(crate) fn home(&self) -> PathBuf {
        dunce::canonicalize(self.dir.path()).unwrap().join("home")
    }

    pub(crate) fn configure(&self, text: &str) {
        let dir = self.home().join("forge-search");
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("config.toml"), text).unwrap();
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

    /// Exit status, standard output, standard error.
    pub(crate) fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        let output = self.command().args(args).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    }
}
