//! How times grow, and what is saved, over trees that are made for it: groups that are held against
//! each other. Takes a minute, and no tree of 100,000 files.

use std::{
    fmt::Write as _,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use criterion::{Criterion, SamplingMode};
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{
    BackendChoice, Config, IndexMode, IndexOptions, IndexUse, Preset, Sandbox, Service,
    ToolContext, requests::Builder as _,
};
use serde_json::{Value, json};

use crate::PATIENCE;

/// The fewest calls that criterion accepts.
const CALLS: usize = 10;
/// What every question here is called: groups are compared by question.
const QUESTION: &str = "over a made tree";

/// Times all pairs of groups.
pub(crate) fn measure(criterion: &mut Criterion, ripgrep: &Path, scratch: &Path) {
    streaming(criterion, &tree(scratch, "lines", 4_000, "word and more of it\n"));
    parsing(criterion, ripgrep, scratch);
    one_file(criterion, &tree(scratch, "one", 1, &"a word in a line of text\n".repeat(90_000)));
    for files in [2_000, 16_000] {
        let name = format!("ordered{files}");
        ordering(criterion, &tree(scratch, &name, files, "word word word word\n"), 4 * files);
    }
    indexing(criterion, scratch);
}

/// A directory of files with the same text, made in another order than they are searched in.
fn tree(scratch: &Path, name: &str, files: usize, text: &str) -> PathBuf {
    let root = scratch.join(name);
    for number in 0..files {
        let number = number * 7_919 % files;
        let directory = root.join(format!("d{:02}", number % 20));
        fs::create_dir_all(&directory).expect("a directory");
        fs::write(directory.join(format!("f{number:05}.txt")), text).expect("a file");
    }
    root
}

fn config() -> Config {
    let keys = "[tools.search]\nbackend = \"native\"\n[tools.search_files]\nmax_results = 100000\n";
    Config::from_toml(keys, Preset::Agent).expect("a configuration")
}

fn service(root: &Path, config: Config) -> Service {
    let sandbox = Sandbox::new(&[root.to_owned()], root).expect("a sandbox");
    Service::new(config, sandbox).expect("a service")
}

/// Times one call a sample, as the only question of a group.
fn group(criterion: &mut Criterion, name: &str, mut call: impl FnMut()) {
    let mut group = criterion.benchmark_group(format!("agent {name}"));
    let short = Duration::from_millis(1);
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(CALLS)
        .warm_up_time(short)
        .measurement_time(short);
    group.bench_function(QUESTION, |bencher| bencher.iter(&mut call));
    group.finish();
}

/// To the first line of a search that is handed on as it goes, and to its last.
fn streaming(criterion: &mut Criterion, root: &Path) {
    let service = service(root, config());
    let request = service.search_request("word").max_results(100_000).build().expect("a request");
    for (name, first_only) in [("first line", true), ("all lines", false)] {
        group(criterion, name, || {
            let (over, mut seen) = (AtomicBool::new(false), 0_u32);
            let ended = service.search_each(&request, &over, &mut |_| {
                seen += 1;
                over.store(first_only, Ordering::Relaxed);
            });
            assert!(ended.is_ok() && (first_only || seen == 4_000), "{name}: {seen} lines");
        });
    }
}

/// What a program prints that names lines which are not there, so that none is confirmed.
fn parsing(criterion: &mut Criterion, ripgrep: &Path, scratch: &Path) {
    for records in [100_000, 400_000] {
        let root = tree(scratch, &format!("parsed{records}"), 1, "x\n");
        let place = scratch.join(format!("program{records}"));
        fs::create_dir_all(&place).expect("a directory");
        let mut text = String::new();
        for line in 1..=records {
            // Writing to a string does not fail.
            let _ = writeln!(text, "./d00/f00000.txt\0{line}:{}", "y".repeat(40));
        }
        fs::write(place.join("records"), text).expect("a file");
        let program = place.join("program");
        let (real, here) = (ripgrep.display(), place.display());
        let script = format!(
            "#!/bin/sh\nfor last; do :; done\ncase \"$1\" in --version) exec '{real}' --version;; esac\n\
             case \"$last\" in -) exec '{real}' \"$@\";; esac\nexec cat '{here}/records'\n"
        );
        fs::write(&program, script).expect("a program");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
        let service = service(
            &root,
            Config {
                backend: BackendChoice::Auto,
                binary: program.to_string_lossy().into_owned(),
                fallback_binary: String::new(),
                allow_native: false,
                threads: 1,
                ..config()
            },
        );
        let request = json!({"pattern": "foo"});
        group(criterion, &format!("parsing {records} records"), || {
            let answer = service.call("Search", &request).expect("an answer");
            assert_eq!(answer.count, 0);
        });
    }
}

fn files(service: &Service, request: &Value) -> Value {
    let answer = service.call_files(&mut ToolContext::default(), request).expect("an answer");
    serde_json::from_str(&answer.text).expect("JSON")
}

/// One match of a file that has many, and all of them.
fn one_file(criterion: &mut Criterion, root: &Path) {
    let service = service(root, config());
    for (name, most, returned) in
        [("one match of a file", 1, 1), ("all matches of a file", 100_000, 90_000)]
    {
        let request = json!({
            "path": ".", "query": "word", "max_results": 100_000, "max_matches_per_file": most
        });
        let seen = files(&service, &request);
        assert_eq!(seen["stats"]["matches_total"], returned, "{name}");
        group(criterion, name, || drop(files(&service, &request)));
    }
}

/// So many matches, in order.
fn ordering(criterion: &mut Criterion, root: &Path, matches: usize) {
    let service = service(root, Config { threads: 1, ..config() });
    let request = json!({"path": ".", "query": "word", "max_results": 100_000});
    assert_eq!(files(&service, &request)["stats"]["matches_total"], matches);
    group(criterion, &format!("{matches} matches"), || drop(files(&service, &request)));
}

/// A search that is repeated, with an index and without.
fn indexing(criterion: &mut Criterion, scratch: &Path) {
    let root = tree(scratch, "indexed", 10_000, &"words that say little\n".repeat(40));
    for name in ["d03/needle.txt", "d11/needle.txt"] {
        fs::write(root.join(name), "xylophone\n").expect("a file");
    }
    let mut indexed = config();
    indexed.index.index_mode = IndexMode::On;
    indexed.index.index_path = scratch.join("growth-cache").to_string_lossy().into_owned();
    let options = IndexOptions { using: IndexUse::Background, ..IndexOptions::default() };
    let sandbox = Sandbox::new(std::slice::from_ref(&root), &root).expect("a sandbox");
    let with = Service::with_index(indexed, sandbox, options).expect("a service");
    assert!(with.index_wait(PATIENCE), "the index is built");
    let request = json!({"pattern": "xylophone", "fixed_strings": true});
    for (name, service) in
        [("with an index", &with), ("without an index", &service(&root, config()))]
    {
        group(criterion, name, || {
            assert_eq!(service.call("Search", &request).expect("an answer").count, 2);
        });
    }
    with.index_shutdown();
}
