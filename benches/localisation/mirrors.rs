//! Git directories that lie beside each other: found by the repository's name, fetched on demand.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Of so many commits a repository is fetched whole, instead of each by itself.
const WHOLE: usize = 4;

/// A directory of mirrors.
#[derive(Debug)]
pub(crate) struct Mirrors {
    directory: PathBuf,
    fetch: bool,
}

impl Mirrors {
    /// `fetch`: what is missing is fetched.
    pub(crate) fn new(directory: &Path, fetch: bool) -> Result<Self, String> {
        if fetch {
            fs::create_dir_all(directory)
                .map_err(|error| format!("{}: {error}", directory.display()))?;
        }
        let directory = fs::canonicalize(directory);
        let directory = directory.map_err(|error| format!("directory of mirrors: {error}"))?;
        Ok(Self { directory, fetch })
    }

    /// The git directory of `owner/name` that holds these commits, or as many of them as can be
    /// had. None if there is no such directory.
    pub(crate) fn holding(
        &self,
        repository: &str,
        commits: &[&str],
    ) -> Result<Option<PathBuf>, String> {
        let found = self.found(repository);
        let holds = |directory: &Path| commits.iter().all(|commit| has(directory, commit));
        if !self.fetch || found.as_deref().is_some_and(holds) {
            return Ok(found);
        }
        // A whole clone stays one.
        let shallow = found.as_ref().is_none_or(|found| found.join("shallow").is_file());
        let into = found.unwrap_or_else(|| self.new_place(repository));
        if !into.is_dir() {
            run(Command::new("git").args(["init", "--quiet", "--bare"]).arg(&into))?;
        }
        eprintln!("fetching {repository}");
        let missing = || commits.iter().filter(|commit| !has(&into, commit)).collect::<Vec<_>>();
        let fetch = |what: &[&str]| {
            let mut git = git(&into);
            git.args(["fetch", "--quiet", "--no-tags"]).args(what);
            // What could not be had is said of each task.
            run(&mut git).unwrap_or_else(|error| eprintln!("{error}"));
        };
        let address = address(repository);
        if missing().len() >= WHOLE {
            fetch(&[&address, "+refs/heads/*:refs/mirrored/*"]);
        }
        for commit in missing() {
            let what = [&address, *commit];
            if shallow { fetch(&[&["--depth", "1"], &what[..]].concat()) } else { fetch(&what) }
        }
        Ok(Some(into))
    }

    fn new_place(&self, repository: &str) -> PathBuf {
        self.directory.join(format!("{}.git", repository.replace('/', "+")))
    }

    fn found(&self, repository: &str) -> Option<PathBuf> {
        let repository = repository.to_lowercase();
        let joined = repository.replace('/', "+");
        // The publishers of SWE-bench keep copies of the repositories it asks about.
        let copied = format!("swe-bench/{}", repository.replace('/', "__"));
        let names = [joined, repository, copied.replace('/', "+"), copied];
        let entries = names.iter().flat_map(|name| [name.clone(), format!("{name}.git")]);
        let places = entries.filter_map(|name| below(&self.directory, &name));
        let places =
            places.flat_map(|place| ["", ".git", "repo", "repo/.git"].map(|end| place.join(end)));
        places
            .into_iter()
            .find(|place| place.join("HEAD").is_file() && place.join("objects").is_dir())
    }
}

/// What has this name, in small letters, below a directory.
fn below(directory: &Path, name: &str) -> Option<PathBuf> {
    name.split('/').try_fold(directory.to_owned(), |directory, name| {
        let entries = fs::read_dir(directory).ok()?.flatten();
        let mut entries = entries.map(|entry| entry.path());
        entries.find(|path| {
            path.file_name()
                .and_then(|found| found.to_str())
                .is_some_and(|found| found.to_lowercase() == name)
        })
    })
}

fn address(repository: &str) -> String {
    format!("https://github.com/{repository}.git")
}

/// Git over a mirror: nothing that the tree or the machine's configuration says is run.
pub(crate) fn git(directory: &Path) -> Command {
    let mut git = Command::new("git");
    for setting in [
        "safe.directory=*",
        "core.hooksPath=/dev/null",
        "core.autocrlf=false",
        "filter.lfs.smudge=",
        "filter.lfs.process=",
        "filter.lfs.required=false",
        "advice.detachedHead=false",
    ] {
        git.args(["-c", setting]);
    }
    git.arg("--git-dir").arg(directory).env("GIT_TERMINAL_PROMPT", "0").stdin(Stdio::null());
    git
}

/// Whether a mirror has a commit.
pub(crate) fn has(directory: &Path, commit: &str) -> bool {
    let mut git = git(directory);
    git.args(["cat-file", "-e", &format!("{commit}^{{commit}}")]).stderr(Stdio::null());
    git.status().is_ok_and(|status| status.success())
}

/// What a file held at a commit.
pub(crate) fn file(directory: &Path, commit: &str, path: &str) -> Result<Vec<u8>, String> {
    let shown = git(directory).args(["cat-file", "blob", &format!("{commit}:{path}")]).output();
    let shown = shown.map_err(|error| format!("git: {error}"))?;
    if shown.status.success() {
        Ok(shown.stdout)
    } else {
        Err(format!("{path} at {commit}: {}", String::from_utf8_lossy(&shown.stderr).trim()))
    }
}

/// Runs a command that has to succeed.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let done = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if done.status.success() {
        Ok(())
    } else {
        Err(format!(
            "{command:?}: {}: {}",
            done.status,
            String::from_utf8_lossy(&done.stderr).trim()
        ))
    }
}
