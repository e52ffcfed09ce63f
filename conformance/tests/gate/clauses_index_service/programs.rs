//! Search programs beside an index: which files they are given, and when they are not started at
//! all.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use forge_search_engine::index::NoFaults;
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{BackendChoice, Config, FilesBackend, IndexUse, Service, ToolContext};
use serde_json::{Value, json};
use touchstone::provision::required_backends;
use touchstone::subject::Backend;

use super::home::{Home, called, excluded, literal, paths, settle};

/// A program that writes down how it is started, and goes on as another.
struct Watched {
    program: PathBuf,
    log: PathBuf,
}

impl Watched {
    fn new(home: &Home, name: &str, real: &Path) -> Self {
        let (program, log) = (home.base().join(name), home.base().join(format!("{name}.log")));
        let (real, quoted) = (real.display(), log.display());
        let text = format!(
            "#!/bin/sh\n{{ echo started; printf '%s\\n' \"$@\"; }} >> '{quoted}'\nexec '{real}' \"$@\"\n"
        );
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Self { program, log }
    }

    /// Every argument of every start while something is done, with a word before each start.
    fn arguments(&self, act: impl FnOnce()) -> Vec<String> {
        fs::write(&self.log, "").unwrap();
        act();
        fs::read_to_string(&self.log).unwrap().lines().map(str::to_owned).collect()
    }

    /// Every start while something is done: the names of files given.
    fn starts(&self, act: impl FnOnce()) -> Vec<Vec<String>> {
        fs::write(&self.log, "").unwrap();
        act();
        let log = fs::read_to_string(&self.log).unwrap();
        let starts = log.split("started\n").skip(1);
        starts
            .map(|start| {
                start.lines().filter(|line| line.starts_with("./")).map(str::to_owned).collect()
            })
            .collect()
    }
}

/// The text of `search_files`, without the time.
fn contents(service: &Service, query: &str) -> Value {
    let request = json!({"path": ".", "query": query});
    let answer = service.call_files(&mut ToolContext::default(), &request).unwrap();
    let mut answer: Value = serde_json::from_str(&answer.text).unwrap();
    answer["stats"].as_object_mut().unwrap().remove("elapsed_ms");
    answer
}

#[test]
fn a_program_gets_only_candidates_and_is_not_started_without_any() {
    touchstone::verifies!("FR-LSI-CAND-01", "FR-SF-SRC-04");
    let backends = required_backends().unwrap();
    for (backend, name, files) in
        [(Backend::Ripgrep, "rg", FilesBackend::Rg), (Backend::Ugrep, "ugrep", FilesBackend::Ugrep)]
    {
        let home = Home::of_words(60);
        home.write("d0/binary", "\0 chalk\n");
        let watched = Watched::new(&home, name, backends.executable(backend).unwrap());
        let program = watched.program.to_str().unwrap().to_owned();
        let mut config = Config {
            backend: BackendChoice::Auto,
            binary: program.clone(),
            fallback_binary: String::new(),
            allow_native: false,
            ..home.config("")
        };
        config.search_files.backend = files;
        (config.search_files.rg_binary, config.search_files.ugrep_binary) =
            (program.clone(), program);
        let service = home.configured(IndexUse::Stepped, config, Arc::new(NoFaults));
        settle(&service);
        // The first call of `Search` probes the program.
        called(&service, &literal("chalk"));

        let candidates = ["./d0/f050", "./d1/f026", "./d2/f002", "./d3/f038", "./d4/f014"];
        let mut answer = Value::Null;
        let starts = watched.starts(|| answer = called(&service, &literal("chalk")));
        assert_eq!((excluded(&answer), paths(&answer).len()), ((None, 55), 5), "{name}: {answer}");
        // `Search` tells no binary file, so that it asks for this one too.
        assert_eq!(starts.concat().len(), 6, "{name}: {starts:?}");
        let starts = watched.starts(|| answer = contents(&service, "chalk"));
        assert_eq!(starts, [candidates], "{name}");
        assert_eq!(
            answer,
            contents(&Service::new(home.config(""), home.sandbox()).unwrap(), "chalk")
        );

        let starts = watched.starts(|| {
            answer = called(&service, &literal("nowhere"));
            contents(&service, "nowhere");
        });
        assert_eq!((excluded(&answer), starts.len()), ((None, 61), 0), "{name}: {starts:?}");
    }
}

/// Over one program and nothing else.
fn over(home: &Home, program: &Path, settings: &str) -> Service {
    let config = Config {
        backend: BackendChoice::Auto,
        binary: program.to_str().unwrap().to_owned(),
        fallback_binary: String::new(),
        allow_native: false,
        ..home.config(settings)
    };
    let service = home.configured(IndexUse::Stepped, config, Arc::new(NoFaults));
    settle(&service);
    service
}

/// The programs, with the version each says it is and whether it takes a list of names.
fn programs() -> Vec<(&'static str, PathBuf, &'static str, bool)> {
    let backends = required_backends().unwrap();
    let of = |backend| backends.executable(backend).unwrap().to_owned();
    let (ripgrep, ugrep) = (of(Backend::Ripgrep), of(Backend::Ugrep));
    vec![
        ("rg", ripgrep, "ripgrep 15.2.0", false),
        ("ugrep", ugrep.clone(), "ugrep 3.0.0", false),
        ("ugrep74", ugrep, "ugrep 7.4.0", true),
    ]
}

/// A program that says it is this release, and does as it does: it takes a list of names on its
/// standard input from 7.4 on. It leaves the list beside the tree, and does `first` before it
/// searches files.
fn released(home: &Home, name: &str, real: &Path, banner: &str, first: &str) -> PathBuf {
    let (program, list) = (home.base().join(name), home.base().join("list"));
    let (real, list) = (real.display(), list.display());
    let text = format!(
        "#!/bin/sh\ncase \"$1\" in --version) echo '{banner}'; exit;; esac\n\
         for last; do :; done\ncase \"$last\" in -) exec '{real}' \"$@\";; esac\n{first}\n\
         list=; for one; do shift; case \"$one\" in --from=-) list=1;; \
         *) set -- \"$@\" \"$one\";; esac; done\n\
         [ -z \"$list\" ] && exec '{real}' \"$@\"\ncat > '{list}'\n\
         /usr/bin/xargs -a '{list}' -d '\\n' '{real}' \"$@\" --\n\
         status=$?\n[ $status -eq 123 ] && exit 1\nexit $status\n"
    );
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program
}

#[test]
fn candidates_are_passed_without_a_list_file_on_disk() {
    touchstone::verifies!(
        "FR-LSI-EXE-01",
        "T-LSI-EXE-01",
        "FR-LSI-EXE-02",
        "FR-LSI-CACHE-ROOT-03",
        "FR-LSI-BE-TMP-01",
        "FR-LSI-BE-UG-01",
        "FR-LSI-BE-UG-02",
        "FR-LSI-BE-02",
        "E-B01",
        "E-H08"
    );
    for (name, real, banner, lists) in programs() {
        let home = Home::of_words(60);
        let (root, base) = (home.root.display(), home.base().display());
        // What there is in the places where a list could be, while it runs.
        let seen = home.base().join("seen");
        // What goes while it looks is none of them.
        let look = format!("find '{root}' '{base}/cache' > '{}' 2>/dev/null", seen.display());
        let looks = released(&home, &format!("{name}-looks"), &real, banner, &look);
        let watched = Watched::new(&home, name, &looks);
        // Twice: what a program can do is found out the same way every time.
        for _ in 0..2 {
            let service = over(&home, &watched.program, "");
            called(&service, &literal("lemon"));
            let find = || {
                let mut find = std::process::Command::new("find");
                find.args([&home.root, &home.cache]);
                let listing = String::from_utf8(find.output().unwrap().stdout).unwrap();
                let mut paths: Vec<String> = listing.lines().map(str::to_owned).collect();
                paths.sort();
                paths
            };
            let before = find();
            let _ = fs::remove_file(home.base().join("list"));
            let mut answer = Value::Null;
            let arguments = watched.arguments(|| answer = called(&service, &literal("chalk")));
            assert_eq!((excluded(&answer), paths(&answer).len()), ((None, 55), 5), "{banner}");
            let seen = fs::read_to_string(&seen).unwrap();
            let mut seen: Vec<String> = seen.lines().map(str::to_owned).collect();
            seen.sort();
            assert_eq!(seen, before, "{banner}: what was there while it ran");
            let names: Vec<&String> =
                arguments.iter().filter(|one| one.starts_with("./")).collect();
            // No file is named but the candidates: no list lies anywhere.
            let others = arguments.iter().filter(|one| one.contains('/') && !one.starts_with("./"));
            assert_eq!(others.count(), 0, "{arguments:?}");
            let list = fs::read_to_string(home.base().join("list")).unwrap_or_default();
            let listed: Vec<&str> = list.lines().collect();
            let candidates = ["./d0/f050", "./d1/f026", "./d2/f002", "./d3/f038", "./d4/f014"];
            if lists {
                let listed = listed.iter().map(|one| one.trim_start_matches("./"));
                let bare = candidates.map(|one| one.trim_start_matches("./").to_owned());
                assert_eq!(listed.collect::<Vec<_>>(), bare, "{banner}");
                assert_eq!(names.len(), 0, "{banner}");
            } else {
                assert_eq!(
                    (names, listed.len()),
                    (candidates.map(str::to_owned).iter().collect(), 0)
                );
            }
            service.index_shutdown();
        }
    }
}

#[test]
fn a_program_gets_every_file_if_no_index_excludes_any() {
    touchstone::verifies!("FR-LSI-ELIG-01.3", "FR-LSI-ELIG-01", "E-B03", "E-H02");
    for (name, real, _, _) in programs() {
        let home = Home::of_words(30);
        home.write(".ignore", "f00*\n");
        let watched = Watched::new(&home, name, &real);
        for (settings, request) in [
            ("index_mode = \"off\"", literal("chalk")),
            // Three ways of not excluding: the options, the pattern, and no index yet.
            ("", json!({"pattern": "chalk", "fixed_strings": true, "hidden": true})),
            ("", json!({"pattern": "ch"})),
        ] {
            let service = over(&home, &watched.program, settings);
            called(&service, &literal("lemon"));
            let mut answer = Value::Null;
            let mut named = Vec::new();
            for start in watched.starts(|| answer = called(&service, &request)) {
                named.extend(start);
            }
            assert_eq!(excluded(&answer).1, 0, "{name}: {}", answer["stats"]);
            if name == "ugrep" || name == "ugrep74" {
                // A list on its standard input is not among its arguments.
                assert!(named.is_empty() || named.len() >= 20, "{named:?}");
            } else {
                let hidden = usize::from(request["hidden"] == true);
                assert_eq!(named.len(), 20 + hidden, "{named:?}");
            }
            assert_eq!(
                answer["files_scanned"],
                20 + u64::from(request["hidden"] == true),
                "{name}"
            );
            service.index_shutdown();
        }
    }
}
