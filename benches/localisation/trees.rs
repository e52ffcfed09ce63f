//! Trees of commits: one a repository, turned from commit to commit; what differs is written.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::mirrors::{git, has, run};

/// Where trees of this process lie; gone when it ends.
#[derive(Debug)]
pub(crate) struct Trees {
    directory: PathBuf,
}

impl Trees {
    /// A place of its own below the build directory. What runs that were killed have left goes.
    pub(crate) fn new() -> Result<Self, String> {
        let build = touchstone::place::build_directory().map_err(|error| error.to_string())?;
        let all = build.join("localisation");
        for left in fs::read_dir(&all).into_iter().flatten().flatten() {
            if !Path::new("/proc").join(left.file_name()).exists() {
                // What stays is in nobody's way.
                let _ = fs::remove_dir_all(left.path());
            }
        }
        let directory = all.join(std::process::id().to_string());
        fs::create_dir_all(&directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?;
        Ok(Self { directory })
    }

    /// The tree of a repository, empty at first.
    pub(crate) fn of(&self, repository: &str, mirror: PathBuf) -> Result<Tree, String> {
        let name = repository.replace('/', "+");
        let (root, index) =
            (self.directory.join(&name), self.directory.join(format!("{name}.index")));
        // A repository of its own: rules of the one around it do not concern it, and it is the
        // root of searches.
        fs::create_dir_all(root.join(".git"))
            .map_err(|error| format!("{}: {error}", root.display()))?;
        Ok(Tree { root, index, mirror })
    }
}

impl Drop for Trees {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// One repository's tree.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) root: PathBuf,
    index: PathBuf,
    mirror: PathBuf,
}

impl Tree {
    /// Makes it the tree of a commit. None if the mirror does not have that.
    pub(crate) fn turn(&self, commit: &str) -> Result<Option<()>, String> {
        if !has(&self.mirror, commit) {
            return Ok(None);
        }
        if run(self.git().args(["read-tree", "--reset", "-u", commit])).is_ok() {
            return Ok(Some(()));
        }
        // A mirror may lack a large file or two; the others are written.
        for entry in fs::read_dir(&self.root).into_iter().flatten().flatten() {
            let path = entry.path();
            let kind = entry.file_type().map_err(|error| format!("{}: {error}", path.display()))?;
            let removed = match kind.is_dir() {
                true if entry.file_name() == ".git" => Ok(()),
                true => fs::remove_dir_all(&path),
                false => fs::remove_file(&path),
            };
            removed.map_err(|error| format!("{}: {error}", path.display()))?;
        }
        run(self.git().args(["read-tree", "--reset", commit]))?;
        if let Err(error) = run(self.git().args(["checkout-index", "--all", "--force", "-u"])) {
            let lacking = error.matches("unable to read").count();
            eprintln!(
                "{}: {lacking} files of {commit} are not in the mirror",
                self.mirror.display()
            );
        }
        Ok(Some(()))
    }

    fn git(&self) -> Command {
        let mut git = git(&self.mirror);
        git.env("GIT_INDEX_FILE", &self.index).arg("--work-tree").arg(&self.root);
        git.current_dir(&self.root);
        git
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
        let _ = fs::remove_file(&self.index);
    }
}
