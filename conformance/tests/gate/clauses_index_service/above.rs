//! D23: what lies above a root is an input of its index.

use std::fs;
use std::os::unix::fs::{chown, symlink};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use forge_search_engine::{Config, Sandbox, Service};

use super::changes::{WATCHED, finds};
use super::home::{Home, allowed, called, literal, paths, settle};

/// A change above the root, and where `xylophone` is found after it.
type Step = (&'static str, fn(&Path), &'static [&'static str]);

/// `base/p/root` is the sandbox root.
const STEPS: &[Step] = &[
    ("nothing above", |_| {}, &["a", "b", "d/a"]),
    (
        "a rule without a repository",
        |base| put(base, "p/.gitignore", "/root/a\n"),
        &["a", "b", "d/a"],
    ),
    ("git init", |base| put(base, ".git/HEAD", "ref: x\n"), &["b", "d/a"]),
    ("a rule edited", |base| put(base, "p/.gitignore", "a\n"), &["b"]),
    ("a rule higher up", |base| put(base, ".gitignore", "b\n"), &[]),
    (".ignore", |base| put(base, "p/.ignore", "!/root/d/a\n"), &["d/a"]),
    (
        "a rule file removed",
        |base| fs::remove_file(base.join("p/.gitignore")).unwrap(),
        &["a", "d/a"],
    ),
    ("info/exclude", |base| put(base, ".git/info/exclude", "a\n"), &["d/a"]),
    ("a nearer repository", |base| put(base, "p/.git/HEAD", "ref: x\n"), &["a", "b", "d/a"]),
    ("it is gone", |base| fs::remove_dir_all(base.join("p/.git")).unwrap(), &["d/a"]),
    ("a worktree", worktree, &["a", "d/a"]),
    ("its exclude", |base| put(base, "main/.git/info/exclude", "d\n"), &["a"]),
    (
        "not named back",
        |base| put(base, "main/.git/worktrees/w/gitdir", "/else/.git\n"),
        &["a", "d/a"],
    ),
    ("moved", moved, &["a", "b"]),
    (
        "a repository in the root",
        |base| put(base, "p/root/.git/HEAD", "ref: x\n"),
        &["a", "b", "d/a"],
    ),
];

fn put(base: &Path, path: &str, text: &str) {
    let path = base.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// `base` becomes a linked worktree of `base/main`, with one rule.
fn worktree(base: &Path) {
    fs::remove_dir_all(base.join(".git")).unwrap();
    fs::remove_file(base.join("p/.ignore")).unwrap();
    put(base, "main/.git/HEAD", "ref: x\n");
    put(base, "main/.git/worktrees/w/HEAD", "ref: x\n");
    put(base, "main/.git/worktrees/w/commondir", "../..\n");
    put(base, "main/.git/worktrees/w/gitdir", "../../../../.git\n");
    put(base, ".git", "gitdir: main/.git/worktrees/w\n");
}

/// The same root, by the same path, in another repository.
fn moved(base: &Path) {
    let [p, kept, root] = ["p", "kept", "p/root"].map(|name| base.join(name));
    fs::rename(&root, &kept).unwrap();
    fs::remove_dir_all(&p).unwrap();
    put(base, "p/.git/HEAD", "ref: x\n");
    put(base, "p/.gitignore", "d/\n");
    fs::rename(&kept, &root).unwrap();
}

/// A home whose root lies two directories below a place of its own.
fn nested() -> (Home, std::path::PathBuf) {
    let mut home = Home::new(&[]);
    let base = home.base().join("above");
    home.root = base.join("p/root");
    for number in 0..40 {
        home.write(&format!("w/f{number}"), "chalk\n");
    }
    for path in ["a", "b", "d/a"] {
        home.write(path, "xylophone\n");
    }
    home.age();
    (home, base)
}

#[test]
fn changes_above_the_root_are_seen_by_the_next_call() {
    touchstone::verifies!("NFR-LSI-COR-01", "FR-LSI-ELIG-02", "E-B28");
    for settings in WATCHED {
        let (home, base) = nested();
        let service = home.settled(settings);
        for (what, change, found) in STEPS {
            change(&base);
            assert_eq!(finds(&home, &service, "xylophone"), *found, "{what}, {settings}");
            settle(&service);
            assert_eq!(finds(&home, &service, "xylophone"), *found, "{what}, settled, {settings}");
            if settings.is_empty() {
                let seen = home.asked(&service, &literal("xylophone"));
                let state = &seen["stats"]["index_safety_state"];
                assert_eq!(state, "COMPLETE", "{what}: {}", seen["stats"]);
            }
        }
    }
}

#[test]
fn a_directory_of_another_user_above_ends_the_search_for_a_repository() {
    touchstone::verifies!("E-B28");
    let foreign = |path: &Path| chown(path, Some(12_345), None);
    for (of, found) in [(".git", 3), ("p", 3), ("", 3), (".gitignore", 2)] {
        let (home, base) = nested();
        put(&base, ".git/HEAD", "ref: x\n");
        put(&base, ".gitignore", "b\n");
        let service = home.settled("");
        assert_eq!(finds(&home, &service, "xylophone").len(), 2);
        if allowed("giving a file away", foreign(&base.join(of))).is_none() {
            return;
        }
        // Who owns a rule file does not matter, as for git.
        assert_eq!(finds(&home, &service, "xylophone").len(), found, "{of}");
    }
}

#[test]
fn a_directory_above_that_is_replaced_meanwhile_leaves_one_repository_or_the_other() {
    touchstone::verifies!("E-B28");
    let home = Home::new(&[]);
    let base = home.base().to_owned();
    for (name, rule) in [("one", "a\n"), ("other", "b\n")] {
        put(&base, &format!("{name}/.git/HEAD"), "ref: x\n");
        put(&base, &format!("{name}/.gitignore"), rule);
        for file in ["a", "b"] {
            put(&base, &format!("{name}/root/{file}"), "xylophone\n");
        }
    }
    let at = |name: &str| base.join(name);
    fs::rename(at("one"), at("p")).unwrap();
    let sandbox = || Sandbox::new(&[at("p/root")], &at("p/root")).unwrap();
    let config = Config { emit_stats: false, ..home.config("index_mode = \"off\"") };
    let service = Service::new(config, sandbox()).unwrap();
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                for (out, into) in [("one", "other"), ("other", "one")] {
                    fs::rename(at("p"), at(out)).unwrap();
                    symlink(at(out), at("p")).unwrap();
                    fs::remove_file(at("p")).unwrap();
                    fs::rename(at(into), at("p")).unwrap();
                }
            }
        });
        let answers = (0..300).filter_map(|_| {
            use forge_search_engine::json::JsonCalls as _;
            let answer = service.call("Search", &literal("xylophone")).ok()?;
            Some(paths(&serde_json::to_value(answer).unwrap()))
        });
        let of_none = answers.max_by_key(Vec::len);
        ended.store(true, Ordering::Relaxed);
        assert!(of_none.iter().all(|found| found.len() <= 1), "{of_none:?} are of no repository");
    });
    assert_eq!(paths(&called(&service, &literal("xylophone"))).len(), 1);
}
