//! `search_files` with an index and without: the same bytes, and fewer files read.

use std::{fs, path::Path, sync::Arc, time::Instant};

use crate::{
    Call, Config, IndexMode, IndexOptions, IndexStorage, IndexUse, Preset, Sandbox, Service,
    ToolContext,
    index::{Clock, SystemClock},
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::json::JsonCalls as _;

/// Large enough for a file whose end no first look sees.
const LARGE: usize = 3 << 19;

/// The system's clock, a second later: where nothing watches, times that are too young prove
/// nothing.
#[derive(Debug)]
struct Later(SystemClock);

impl Clock for Later {
    fn now_ms(&self) -> u64 {
        self.0.now_ms()
    }

    fn stamp_ns(&self) -> i64 {
        self.0.stamp_ns() + 1_000_000_000
    }
}

/// A tree, a service with an index of it, and one without.
struct Pair {
    directory: TempDir,
    indexed: Service,
    plain: Service,
}

impl Pair {
    fn of(files: &[(&str, Vec<u8>)], change: impl Fn(&mut Config)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(directory.path()).unwrap();
        for (path, bytes) in files {
            write(&root, path, bytes);
        }
        let mut config = Config { threads: 2, ..Config::preset(Preset::Agent) };
        config.index.index_storage = IndexStorage::Memory;
        change(&mut config);
        let sandbox = || Sandbox::new(std::slice::from_ref(&root), &root).unwrap();
        let plain = Service::new(config.clone(), sandbox()).unwrap();
        config.index.index_mode = IndexMode::On;
        let clock = Arc::new(Later(SystemClock(Instant::now())));
        let options = IndexOptions { using: IndexUse::Stepped, clock, ..IndexOptions::default() };
        let indexed = Service::with_index(config, sandbox(), options).unwrap();
        let pair = Self { directory, indexed, plain };
        pair.settle();
        pair
    }

    fn settle(&self) {
        assert!((0..10_000).any(|_| !self.indexed.index_turn()), "the indexer comes to rest");
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        write(self.directory.path(), path, bytes);
    }

    /// The answer, which is the same with the index and without, and how many files were read with
    /// it.
    fn asked(&self, request: &Value, budget: u64) -> (Option<Value>, u64) {
        let ask = |service: &Service| {
            let mut context = ToolContext { max_output_bytes: budget, ..ToolContext::default() };
            let call = Call::new();
            let answer = service.call_files_until(&mut context, request, &call);
            let text = answer.map(|fitted| fitted.text).map_err(|error| error.to_string());
            (text.map(|text| timeless(&text)), call.files_seen())
        };
        let (own, seen) = ask(&self.indexed);
        let (plain, _) = ask(&self.plain);
        assert_eq!(own, plain, "{request} in {budget} bytes");
        (own.ok().map(|text| serde_json::from_str(&text).unwrap()), seen)
    }

    /// How many files are read for a whole answer.
    fn seen(&self, request: &Value) -> u64 {
        self.asked(request, 1 << 24).1
    }
}

fn write(root: &Path, path: &str, bytes: &[u8]) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// The answer without the time it took.
fn timeless(text: &str) -> String {
    let (before, after) = text.split_once("\"elapsed_ms\":").unwrap();
    format!("{before}\"elapsed_ms\":0{}", after.get(10..).unwrap())
}

fn late(start: &str, end: &[u8]) -> Vec<u8> {
    [start.as_bytes(), &b"filler line\n".repeat(LARGE / 12), end].concat()
}

/// Every kind of file, among each other: `n…` hold the needle, and of each kind one stands first
/// and one last.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let utf16 = |text: &str| {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(units).collect::<Vec<u8>>()
    };
    vec![
        ("a-nul", b"\0 plain".to_vec()),
        ("b-text", b"some other text\n".to_vec()),
        ("c-nul-late", late("", b"\0")),
        ("d/e/f/n-deep", b"needle below\n".to_vec()),
        ("d/e/f/nul", b"x\0y".to_vec()),
        ("d/e/nul", b"needle\0".to_vec()),
        ("d/n-text", b"a needle\nNEEDLE needle\n".to_vec()),
        ("d/t-text", b"nothing of that kind\n".to_vec()),
        ("e-empty", Vec::new()),
        ("f-broken-late", late("", b"\xff\n")),
        ("g-broken-needle", late("needle\n", b"\xe2\x82")),
        ("h-nul-needle", late("needle\n", b"\0")),
        ("i-short", b"ne".to_vec()),
        ("j-mark", b"\xef\xbb\xbfa needle after a mark\n".to_vec()),
        ("k-replacement", "\u{fffd}\u{fffd}\u{fffd}".repeat(9).into_bytes()),
        ("l-decomposed", "cafe\u{301} and more\n".as_bytes().to_vec()),
        ("m/.hidden/nul", b"\0".to_vec()),
        ("m/l/text", b"plain text\n".to_vec()),
        ("m/n-text", b"needle\n".to_vec()),
        ("o-large-text", late("", b"the end\n")),
        ("p-large-needle", late("", b"the needle's end\n")),
        ("q-utf16", utf16("a needle\n")),
        ("r-utf16", utf16("nothing\n")),
        ("s-utf16-nul", utf16("nothing\0\n")),
        ("t\nu-nul", b"\0".to_vec()),
        ("y-text", b"yet another text\n".to_vec()),
        ("z-nul", b"\0 at the end".to_vec()),
    ]
}

fn query(fields: &Value) -> Value {
    let mut request = json!({"path": ".", "query": "needle"});
    request.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    request
}

#[test]
fn an_index_changes_no_byte_of_an_answer() {
    for record_binary in [true, false] {
        let pair = Pair::of(&files(), |config| config.search_files.record_binary = record_binary);
        for fields in [
            json!({}),
            json!({"query": "nowhere at all"}),
            json!({"query": "text"}),
            json!({"query": "x"}),
            json!({"query": "NEEDLE"}),
            json!({"query": "needle", "case": "insensitive", "context_lines": 2}),
            json!({"query": "needle|another", "mode": "regex"}),
            json!({"query": "^$", "mode": "regex"}),
            json!({"query": "needel", "mode": "fuzzy"}),
            json!({"include_hidden": true}),
            json!({"recursive": false}),
            json!({"follow_symlinks": true}),
            json!({"max_matches_per_file": 1}),
            json!({"max_file_size_bytes": 1_000}),
            json!({"include_globs": ["d/**", "z*"]}),
            json!({"exclude_globs": ["e", "*nul"]}),
            json!({"path": "d"}),
            json!({"path": "d/e", "max_depth": 1}),
        ] {
            for depth in [None, Some(1), Some(2), Some(3), Some(4)] {
                let mut request = query(&fields);
                if let (Some(depth), None, None) =
                    (depth, fields.get("max_depth"), fields.get("recursive"))
                {
                    request["max_depth"] = json!(depth);
                }
                pair.asked(&request, 1 << 24);
            }
        }
        for most in 1..=files().len() as u64 + 1 {
            pair.asked(&query(&json!({"max_files": most})), 1 << 24);
            pair.asked(&query(&json!({"max_files": most, "max_depth": 1})), 1 << 24);
            pair.asked(&query(&json!({"max_results": most})), 1 << 24);
        }
        for budget in (0..4_000).step_by(37) {
            pair.asked(&query(&json!({})), budget);
        }
    }
}

#[test]
fn an_indexed_search_reads_only_candidates_and_files_of_unknown_kind() {
    let pair = Pair::of(&files(), |_| ());
    // Five in UTF-8 hold it. Eight are read in any case: two short ones, one of replacement
    // characters, a decomposed one,
    // three in UTF-16, and one with a line break in its name.
    let (answer, seen) = pair.asked(&query(&json!({})), 1 << 24);
    let stats = &answer.unwrap()["stats"];
    assert_eq!((&stats["files_scanned"], &stats["files_matched"]), (&json!(26), &json!(6)));
    assert_eq!(stats["files_binary"], json!(10));
    assert_eq!(seen, 5 + 8, "files read");
    let without = pair.seen(&query(&json!({"query": "nowhere at all"})));
    assert_eq!(without, 8, "files read for what no file holds");
}

#[test]
fn a_file_that_the_index_did_not_read_whole_is_read_by_every_call() {
    let files: Vec<(String, Vec<u8>)> = (0..20_u8)
        .map(|number| {
            let end: &[u8] = if number % 2 == 0 { b"\0" } else { b"\n" };
            let length = if number < 10 { 100 } else { 8_000 };
            (format!("f{number:02}"), [b"text ".repeat(length / 5).as_slice(), end].concat())
        })
        .collect();
    let files: Vec<(&str, Vec<u8>)> =
        files.iter().map(|(path, bytes)| (path.as_str(), bytes.clone())).collect();
    let pair = Pair::of(&files, |config| config.index.index_max_tokenized_bytes = 4_096);
    assert_eq!(pair.seen(&query(&json!({}))), 10);
}

#[test]
fn answers_stay_correct_when_files_change_between_text_and_binary() {
    let pair = Pair::of(&files(), |_| ());
    let needle = query(&json!({}));
    for settles in [false, true, false] {
        pair.write("b-text", b"text no more\0");
        pair.write("d/t-text", b"needle, and text no more\xff");
        pair.write("a-nul", b"text by now, with a needle\n");
        pair.write("z-nul", b"text by now, without one\n");
        pair.write("new-nul", b"\0");
        pair.write("new-text", b"needle\n");
        if settles {
            pair.settle();
        }
        pair.asked(&needle, 1 << 24);
        for (path, bytes) in files() {
            pair.write(path, &bytes);
        }
        fs::rename(pair.directory.path().join("new-nul"), pair.directory.path().join("b-text"))
            .unwrap();
        pair.asked(&needle, 1 << 24);
        pair.settle();
        pair.asked(&needle, 1 << 24);
    }
    assert!(pair.seen(&needle) < files().len() as u64, "the index is still used");
}

#[test]
fn without_a_watcher_the_known_kind_of_an_unchanged_file_is_reused() {
    let mut files = files();
    files.extend(
        ["u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8"].map(|name| (name, b"text\n".to_vec())),
    );
    let pair = Pair::of(&files, |config| config.index.index_watch = false);
    let needle = query(&json!({}));
    assert_eq!(pair.seen(&needle), 13);
    pair.write("b-text", b"text no more\0");
    pair.write("z-nul", b"text by now, and the needle\n");
    assert_eq!(pair.seen(&needle), 15);
}

#[test]
fn a_read_only_process_excludes_files_by_the_stored_index() {
    let mut files = files();
    files.extend(
        ["u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8"].map(|name| (name, b"text\n".to_vec())),
    );
    let cache = tempfile::tempdir().unwrap();
    let stored = |config: &mut Config| {
        config.index.index_storage = IndexStorage::Sqlite;
        config.index.index_path = cache.path().join("cache").to_str().unwrap().to_owned();
    };
    let pair = Pair::of(&files, stored);
    pair.indexed.index_shutdown();
    let Pair { directory, indexed, plain } = pair;
    let config = indexed.config().clone();
    let root = dunce::canonicalize(directory.path()).unwrap();
    let sandbox = Sandbox::new(std::slice::from_ref(&root), &root).unwrap();
    drop(indexed);
    let options = IndexOptions { using: IndexUse::Existing, ..IndexOptions::default() };
    let indexed = Service::with_index(config, sandbox, options).unwrap();
    let pair = Pair { directory, indexed, plain };
    let needle = query(&json!({}));
    assert_eq!(pair.seen(&needle), 13);
    pair.write("b-text", b"text no more\0");
    assert_eq!(pair.seen(&needle), 14);
}
