//! Drawn repositories, held against git: what the service finds from inside a directory, a linked
//! worktree or a submodule is what `git ls-files` has there, less tracked files that a rule matches
//! (D23).
//!
//! `TOUCHSTONE_REPOSITORIES=2000` draws as many; the gate draws few.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Config, IndexMode, Preset, Sandbox, Service};
use serde_json::json;
use touchstone_cases::dice::Dice;

const DRAWN: u64 = 120;

const FILES: [&str; 9] = ["a", "b", "c.log", "d.txt", ".h", "a b", "!x", "ab", "x.log.txt"];
const DIRECTORIES: [&str; 6] = ["d", "e", ".k", "target", "d.log", "e f"];

/// Rules, in which `F` stands for a file's name and `D` for a directory's.
const RULES: [&str; 30] = [
    "F", "/F", "D/", "D", "/D/", "D/F", "D/*", "D/**", "**/F", "**/D/**", "D/**/F", "*.log", "*",
    "!F", "!*.txt", "!D/", "!*/", "/*", "!/D", "[ab]", "a*", "*b", "\\!x", "F ", "a\\ b", "D/D/F",
    "/D/D", "!D/F", "!/F", "D/*/F",
];

/// A file of each directory, so that git has something to say about it.
const PROBE: &str = "probe";

/// A drawn place with a repository `main`, perhaps a worktree of it and a submodule in it.
struct Drawn {
    place: tempfile::TempDir,
    /// The name of its ignore files: git reads any one, and the service both.
    ignore: &'static str,
    /// The tops below the place.
    tops: Vec<&'static str>,
}

fn git(directory: &Path, args: &[&str]) -> Vec<u8> {
    let mut command = Command::new("git");
    command.args(["-c", "core.excludesFile=", "-c", "user.name=a", "-c", "user.email=a@b"]);
    command.args(["-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"]);
    command.args(args).env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
    command.env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", directory);
    let output = command.current_dir(directory).stdin(Stdio::null()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {args:?} in {}: {told}", directory.display());
    output.stdout
}

fn put(path: &Path, text: &str) {
    // A directory or a file of that name may have been drawn already.
    let _ = fs::create_dir_all(path.parent().unwrap());
    let _ = fs::write(path, text);
}

fn rules(dice: &mut Dice) -> String {
    let lines = (0..=dice.below(4)).map(|_| {
        let rule = dice.pick(&RULES, "F");
        rule.replace('F', dice.pick(&FILES, "a")).replace('D', dice.pick(&DIRECTORIES, "d")) + "\n"
    });
    lines.collect()
}

/// Directories, files and ignore files below a top. The files.
fn fill(dice: &mut Dice, top: &Path, ignore: &str) -> Vec<PathBuf> {
    let mut directories = vec![top.to_owned()];
    for _ in 0..2 + dice.below(4) {
        let parent = &directories[dice.below(directories.len())];
        directories.push(parent.join(dice.pick(&DIRECTORIES, "d")));
    }
    for directory in &directories {
        put(&directory.join(PROBE), "x\n");
        if dice.once_in(2) {
            put(&directory.join(ignore), &rules(dice));
        }
    }
    let mut files = Vec::new();
    for _ in 0..4 + dice.below(10) {
        let directory = &directories[dice.below(directories.len())];
        files.push(directory.join(dice.pick(&FILES, "a")));
        put(&files[files.len() - 1], "x\n");
    }
    files.retain(|path| path.is_file());
    files
}

impl Drawn {
    fn draw(dice: &mut Dice) -> Self {
        let place = tempfile::tempdir().unwrap();
        let main = place.path().join("main");
        let ignore = if dice.once_in(4) { ".ignore" } else { ".gitignore" };
        let mut tops = vec!["main"];
        fs::create_dir(&main).unwrap();
        git(&main, &["init", "-q"]);
        let mut exclude = main.join(".git/info/exclude");
        if dice.once_in(2) {
            put(&exclude, &rules(dice));
        }
        if dice.once_in(3) {
            git(&main, &["commit", "-q", "--allow-empty", "-m", "m"]);
            git(&main, &["worktree", "add", "-q", "../tree"]);
            fill(dice, &place.path().join("tree"), ignore);
            tops.push("tree");
        }
        if dice.once_in(4) {
            let sub = main.join("sub");
            fs::create_dir(&sub).unwrap();
            git(&sub, &["init", "-q"]);
            git(&sub, &["commit", "-q", "--allow-empty", "-m", "m"]);
            put(&main.join(".gitmodules"), "[submodule \"sub\"]\n\tpath = sub\n\turl = ./sub\n");
            git(&main, &["add", "-f", "sub"]);
            git(&main, &["submodule", "absorbgitdirs", "sub"]);
            exclude = main.join(".git/modules/sub/info/exclude");
            if dice.once_in(2) {
                put(&exclude, &rules(dice));
            }
            fill(dice, &sub, ignore);
            tops.push("main/sub");
        }
        let files = fill(dice, &main, ignore);
        if dice.once_in(3) {
            // Some files are tracked, whatever the rules say.
            for path in files.iter().filter(|_| dice.once_in(3)) {
                git(&main, &["add", "-f", "--", path.to_str().unwrap()]);
            }
        }
        Self { place, ignore, tops }
    }

    /// What git has below a directory, less tracked files that a rule matches.
    fn by_git(&self, directory: &Path) -> BTreeSet<String> {
        let list = |kinds: &[&str]| {
            let mut args = vec!["ls-files", "-z"];
            args.extend(kinds);
            let exclude = git(directory, &["rev-parse", "--git-path", "info/exclude"]);
            let exclude = directory.join(String::from_utf8(exclude).unwrap().trim_end());
            let (per, from) = (
                format!("--exclude-per-directory={}", self.ignore),
                format!("--exclude-from={}", exclude.display()),
            );
            if self.ignore == ".gitignore" {
                args.push("--exclude-standard");
            } else {
                args.push(&per);
                if exclude.exists() {
                    args.push(&from);
                }
            }
            let told = String::from_utf8(git(directory, &args)).unwrap();
            told.split_terminator('\0').map(str::to_owned).collect::<BTreeSet<_>>()
        };
        let ignored = list(&["-c", "-i"]);
        let all = list(&["-c", "-o"]).into_iter();
        let is_file = |path: &String| directory.join(path).is_file();
        all.filter(|path| !ignored.contains(path) && is_file(path)).collect()
    }

    /// Directories to ask from: tops, and those below that hold files.
    fn directories(&self) -> Vec<PathBuf> {
        let mut all = Vec::new();
        let mut left: Vec<PathBuf> =
            self.tops.iter().map(|top| self.place.path().join(top)).collect();
        while let Some(directory) = left.pop() {
            for entry in fs::read_dir(&directory).unwrap() {
                let path = entry.unwrap().path();
                let is_top = path.join(".git").exists();
                if path.is_dir() && !path.ends_with(".git") && !is_top {
                    left.push(path);
                }
            }
            all.push(directory);
        }
        all.sort();
        all
    }
}

/// What the service finds below a root, without git's own and without other repositories.
fn by_service(root: &Path) -> BTreeSet<String> {
    let config = || {
        let mut config = Config::preset(Preset::Agent);
        config.index.index_mode = IndexMode::Off;
        config
    };
    let sandbox = Sandbox::new(&[root.to_owned()], root).unwrap();
    let service = Service::new(config(), sandbox).unwrap();
    let asked =
        json!({"pattern": "$", "hidden": true, "exclude_glob": [".git"], "max_results": 100_000});
    let answer = service.call("Search", &asked).unwrap();
    let answer = serde_json::to_value(answer).unwrap();
    let events = answer["matches"].as_array().unwrap();
    let paths = events.iter().map(|event| event["data"]["path"]["text"].as_str().unwrap());
    let is_of_another = |path: &&str| {
        let mut above = Path::new(path).ancestors().skip(1).filter(|path| *path != Path::new(""));
        *path == ".git"
            || path.starts_with(".git/")
            || above.any(|path| root.join(path).join(".git").exists())
    };
    paths.filter(|path| !is_of_another(path)).map(str::to_owned).collect()
}

#[test]
fn what_is_found_from_inside_a_repository_is_what_git_has_there() {
    touchstone::verifies!("E-B28", "E-B04");
    let drawn = std::env::var("TOUCHSTONE_REPOSITORIES").ok();
    let drawn = drawn.and_then(|number| number.parse().ok()).unwrap_or(DRAWN);
    let (mut asked, mut differences) = (0_u64, Vec::new());
    for number in 0..drawn {
        let mut dice = Dice::new(23, number);
        let drawn = Drawn::draw(&mut dice);
        for directory in drawn.directories() {
            let wanted = drawn.by_git(&directory);
            // An ignored directory that is asked for by name is searched; git has nothing there.
            if wanted.is_empty() {
                continue;
            }
            asked += 1;
            let found = by_service(&directory);
            if found != wanted {
                let below = directory.strip_prefix(drawn.place.path()).unwrap().display();
                differences.push(format!(
                    "repository {number}, from {below}: git alone {:?}, service alone {:?}",
                    wanted.difference(&found).collect::<Vec<_>>(),
                    found.difference(&wanted).collect::<Vec<_>>(),
                ));
            }
        }
    }
    println!("{drawn} repositories, {asked} directories, {} differences", differences.len());
    assert!(asked > drawn * 2, "git had something to say about {asked} directories only");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
