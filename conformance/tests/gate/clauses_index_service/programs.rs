//! Search programs beside an index: which files they are given, and when they are not started at
//! all.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use forge_search_cli::json::JsonCalls as _;
use forge_search_engine::index::NoFaults;
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
fn a_program_is_given_candidates_alone_and_without_any_it_is_not_started() {
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
