//! `forge-search index …`, and what a search makes of an index that is stored.

use std::{
    fs,
    io::{BufRead, BufReader, Lines},
    process::{Child, ChildStdout, Command, Stdio},
};

use serde_json::Value;

use crate::place::{Place, outcome};

/// A place whose configuration names a cache beside the tree.
struct Indexed(Place);

impl Indexed {
    fn new() -> Self {
        let place = Self(Place::new(&[]));
        for number in 0..20 {
            place.write(&format!("d/{number}.txt"), &format!("common line\nneedle{number}\n"));
        }
        place.configure("");
        place
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.tree().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Small filters, so that exported ones are small.
    fn configure(&self, more: &str) {
        let cache = self.0.home().join("cache").to_str().unwrap().to_owned();
        self.0.configure(&format!(
            "[tools.search]\nbackend = \"native\"\nstats_detail = \"all\"\nindex_path = \"{cache}\"\nindex_max_tokenized_bytes = 4096\n{more}\n"
        ));
    }

    /// Exit status, standard output, standard error.
    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let (exit, text, error) = outcome(self.0.program().args(args));
        (exit.unwrap(), text, error)
    }

    /// The lines found and the stats.
    fn search(&self, pattern: &str) -> (Vec<String>, Value) {
        let (_, text, _) = self.run(&["search", "-F", "--json=response", pattern]);
        let answer: Value = serde_json::from_str(&text).unwrap();
        let events = answer["matches"].as_array().unwrap().iter();
        let lines = events
            .map(|event| event["data"]["lines"]["text"].as_str().unwrap().to_owned())
            .collect();
        (lines, answer["stats"].clone())
    }

    fn stored(&self) -> usize {
        fs::read_dir(self.0.home().join("cache")).map_or(0, |entries| {
            entries
                .filter(|entry| {
                    entry.as_ref().unwrap().file_name().to_str().unwrap().ends_with(".sqlite")
                })
                .count()
        })
    }
}

#[test]
fn without_a_watcher_index_build_builds_and_rebuilds() {
    let place = Indexed::new();
    place.configure("index_watch = false");
    let (exit, text, error) = place.run(&["index", "build"]);
    assert_eq!((exit, place.stored()), (0, 1), "{text}{error}");
    assert!(text.contains("WATCHER_DOWN") && text.contains("20 files"), "{text}");
    assert_eq!(place.run(&["index", "verify"]).0, 0);
    place.write("e.txt", "needle20\n");
    place.write("d/3.txt", "other\n");
    assert_eq!(place.run(&["index", "verify"]).0, 1);
    let (exit, text, error) = place.run(&["index", "build"]);
    assert_eq!(exit, 0, "{text}{error}");
    assert!(text.contains("21 files"), "{text}");
    let (exit, text, _) = place.run(&["index", "verify"]);
    assert_eq!(exit, 0, "{text}");
}

#[test]
fn a_built_index_is_used_by_searches_and_can_be_verified_and_cleared() {
    let place = Indexed::new();
    let (exit, text, error) = place.run(&["index", "build"]);
    assert_eq!((exit, place.stored()), (0, 1), "{text}{error}");
    assert!(text.contains("COMPLETE") && text.contains("20 files"), "{text}");

    // `auto` has no use for so small an index; who wants it says so.
    place.configure("index_mode = \"on\"");
    let (lines, stats) = place.search("needle7");
    assert_eq!(
        (lines, stats["index_exclusion_used"].as_bool()),
        (vec!["needle7".to_owned()], Some(true)),
        "{stats}"
    );
    assert_eq!(stats["storage_mode"], "sqlite");
    // Changed behind the index's back, and seen all the same.
    place.write("d/3.txt", "needle7 moved\n");
    fs::remove_file(place.0.tree().join("d/7.txt")).unwrap();
    place.write("e.txt", "a needle7 more\n");
    assert_eq!(place.search("needle7").0, ["needle7 moved", "a needle7 more"]);

    let (exit, text, error) = place.run(&["index", "status", "--json"]);
    let rows: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((exit, rows.as_array().unwrap().len()), (0, 1), "{text}{error}");
    assert_eq!(
        (rows[0]["storage"].as_str(), rows[0]["files"].as_u64() > Some(0)),
        (Some("sqlite"), true),
        "{text}"
    );
    let (_, table, _) = place.run(&["index", "status"]);
    assert!(table.starts_with("root") && table.lines().count() == 3, "{table}");
    assert!(table.contains("each search compares it with the files first"), "{table}");

    // A search stores nothing, so what is stored is behind until the next build.
    let (exit, text, error) = place.run(&["index", "verify"]);
    assert_eq!((exit, text.contains("e.txt")), (1, true), "{text}{error}");
    let (exit, text, error) = place.run(&["index", "build"]);
    assert_eq!(exit, 0, "{text}{error}");
    let (exit, text, error) = place.run(&["index", "verify"]);
    assert_eq!(exit, 0, "{text}{error}");

    let (exit, text, error) = place.run(&["index", "clear"]);
    assert_eq!((exit, place.stored()), (0, 0), "{text}{error}");
    let (exit, _, error) = place.run(&["index", "verify"]);
    assert_eq!((exit, error.starts_with("forge-search: ")), (2, true), "{error}");
    assert_eq!(place.search("needle7").0.len(), 2);
}

#[test]
fn index_export_writes_the_filter_bit_for_bit_if_the_file_has_one() {
    let place = Indexed::new();
    assert_eq!(place.run(&["index", "build"]).0, 0);
    let out = place.0.home().join("filter");
    let export = |path: &str, variant: &str| {
        place.run(&[
            "index",
            "export",
            path,
            "--variant",
            variant,
            "--output",
            out.to_str().unwrap(),
        ])
    };
    let (exit, text, error) = export("d/5.txt", "sensitive");
    assert_eq!(exit, 0, "{text}{error}");
    let bits = fs::read(&out).unwrap();
    // n = 2048, so m = ceil(2048 ln 100 / (ln 2)^2) = 19631.
    assert_eq!(bits.len(), 2454);
    let set: u32 = bits.iter().map(|byte| byte.count_ones()).sum();
    // "common line\nneedle5\n" has 18 windows, all different, of 7 probes each.
    assert!((100..=126).contains(&set), "{set}");
    fs::remove_file(&out).unwrap();
    let (exit, _, error) = export("nowhere.txt", "insensitive");
    assert_eq!((exit, out.exists()), (2, false), "{error}");
    assert!(error.contains("`nowhere.txt`"), "{error}");
}

#[test]
fn with_index_mode_off_nothing_is_stored_and_the_commands_report_it() {
    let place = Indexed::new();
    place.configure("index_mode = \"off\"");
    let (lines, stats) = place.search("needle7");
    assert_eq!((lines.len(), stats["exclusion_bypass_reason"].as_str()), (1, Some("INDEX_OFF")));
    let (exit, text, _) = place.run(&["index", "status"]);
    assert_eq!(exit, 0, "{text}");
    let (exit, _, error) = place.run(&["index", "verify"]);
    assert_eq!((exit, error.contains("index build")), (2, true), "{error}");
    assert_eq!((place.run(&["index", "clear"]).0, place.stored()), (0, 0));
}

#[cfg(unix)]
#[test]
fn index_watch_prints_states_until_an_interrupt() {
    let place = Indexed::new();
    let mut watch = Watch::begin(&place);
    assert!(watch.line_with("COMPLETE").unwrap().contains("20 files"));
    watch.end();
    assert_eq!(place.stored(), 1);
}

/// `index watch` in another process, until it is told to end; gone with this value in any case.
struct Watch {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Watch {
    fn begin(place: &Indexed) -> Self {
        let mut child =
            place.0.program().args(["index", "watch"]).stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// The next line that holds this.
    fn line_with(&mut self, words: &str) -> Option<String> {
        self.lines.by_ref().map(Result::unwrap).find(|line| line.contains(words))
    }

    fn end(mut self) {
        let told =
            Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(told.success());
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // After `end` there is nobody left to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn index_build_ends_while_another_process_keeps_the_index() {
    let place = Indexed::new();
    let mut watch = Watch::begin(&place);
    assert!(watch.line_with("COMPLETE").is_some());
    for number in 20..24 {
        place.write(&format!("e/{number}.txt"), "one more needle\n");
        let (exit, text, error) = place.run(&["index", "build"]);
        assert_eq!(exit, 0, "{text}{error}");
        assert!(
            text.contains("COMPLETE") && text.contains(&format!("{} files", number + 1)),
            "{text}"
        );
    }
    watch.end();
}

#[test]
fn without_a_watcher_index_build_fails_if_another_process_blocks_storing() {
    let place = Indexed::new();
    place.configure("index_watch = false");
    let mut watch = Watch::begin(&place);
    assert!(watch.line_with("WATCHER_DOWN").unwrap().contains("20 files"));
    place.write("e.txt", "one more needle\n");
    let (exit, text, error) = place.run(&["index", "build"]);
    assert_eq!(exit, 2, "{text}{error}");
    watch.end();
    assert_eq!(place.run(&["index", "build"]).0, 0);
    assert_eq!(place.run(&["index", "verify"]).0, 0);
}
