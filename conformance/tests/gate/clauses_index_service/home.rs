//! A tree, a cache directory beside it, services over them, and what a call observed.
//!
//! Not here: what a clause says; every test states that itself. Invariants:
//! [`Home::asked`] hands out no answer that a service without an index does not give for the tree
//! as it is.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use forge_search_engine::index::{Clock, Faults, Point};
use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{Config, IndexOptions, IndexStatus, IndexUse, Preset, Sandbox, Service};
use serde_json::{Value, json};

use crate::clauses::Scratch;

/// As long as anything here may take.
pub(crate) const LONG: Duration = Duration::from_secs(30);

/// Between two calls of somebody who calls again and again.
pub(crate) const PAUSE: Duration = Duration::from_millis(50);

/// Files that say nothing of what they are asked for, so that grams tell them apart.
pub(crate) const WORDS: [&str; 12] = [
    "apple", "brick", "chalk", "dwarf", "eight", "flint", "grove", "humid", "ivory", "jumpy",
    "knack", "lemon",
];

/// A tree and the place of its index.
pub(crate) struct Home {
    scratch: Scratch,
    /// The sandbox root.
    pub(crate) root: PathBuf,
    /// Where indexes are stored.
    pub(crate) cache: PathBuf,
}

impl Home {
    /// With these files.
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let scratch = Scratch::new();
        let base = scratch.path().canonicalize().unwrap();
        let home = Self { root: base.join("root"), cache: base.join("cache"), scratch };
        fs::create_dir(&home.root).unwrap();
        for (path, text) in files {
            home.write(path, text);
        }
        home
    }

    /// With so many files of different words, `d0/f000`, `d1/f001` and so on.
    pub(crate) fn of_words(count: usize) -> Self {
        let home = Self::new(&[]);
        for number in 0..count {
            let word = WORDS[number % WORDS.len()];
            home.write(
                &format!("d{}/f{number:03}", number % 5),
                &format!("{word} number {number}\n"),
            );
        }
        // Else a machine that writes them all within a tick has nothing that a reader may exclude.
        home.age();
        home
    }

    /// Waits until nothing in the tree is so young that its times prove nothing.
    pub(crate) fn age(&self) {
        let youngest =
            fs::metadata(&self.root).unwrap().modified().unwrap().max(std::time::SystemTime::now());
        let probe = self.base().join("probe");
        eventually("the clock of the file system to move on", || {
            fs::write(&probe, "").unwrap();
            fs::metadata(&probe).unwrap().modified().unwrap()
                >= youngest + Duration::from_millis(40)
        });
        fs::remove_file(&probe).unwrap();
    }

    /// The directory that holds both.
    pub(crate) fn base(&self) -> &Path {
        self.root.parent().unwrap_or(self.scratch.path())
    }

    /// Writes a file below the root, with its directories.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Preset `agent` with these lines in `[tools.search]`, the index on and below [`Home::cache`],
    /// unless they say otherwise.
    pub(crate) fn config(&self, settings: &str) -> Config {
        let mut lines: BTreeMap<&str, String> = BTreeMap::from([
            ("index_mode", "\"on\"".to_owned()),
            ("index_path", format!("{:?}", self.cache.to_str().unwrap())),
            ("backend", "\"native\"".to_owned()),
            ("stats_detail", "\"all\"".to_owned()),
            ("index_build_throttle_ms", "0".to_owned()),
            ("index_build_max_cpu_percent", "100".to_owned()),
        ]);
        for line in settings.lines().filter(|line| !line.trim().is_empty()) {
            let (key, value) = line.split_once('=').unwrap();
            lines.insert(key.trim(), value.trim().to_owned());
        }
        let text: Vec<String> =
            lines.into_iter().map(|(key, value)| format!("{key} = {value}")).collect();
        Config::from_toml(&format!("[tools.search]\n{}\n", text.join("\n")), Preset::Agent).unwrap()
    }

    pub(crate) fn sandbox(&self) -> Sandbox {
        Sandbox::new(std::slice::from_ref(&self.root), &self.root).unwrap()
    }

    /// A service with an index.
    pub(crate) fn service(&self, using: IndexUse, settings: &str) -> Service {
        self.with_faults(using, settings, Arc::new(forge_search_engine::index::NoFaults))
    }

    /// As [`Home::service`], with these faults.
    pub(crate) fn with_faults(
        &self,
        using: IndexUse,
        settings: &str,
        faults: Arc<dyn Faults>,
    ) -> Service {
        self.configured(using, self.config(settings), faults)
    }

    /// As [`Home::service`], with a configuration.
    pub(crate) fn configured(
        &self,
        using: IndexUse,
        config: Config,
        faults: Arc<dyn Faults>,
    ) -> Service {
        let options = IndexOptions { using, faults, trace: true, ..IndexOptions::default() };
        Service::with_index(config, self.sandbox(), options).unwrap()
    }

    /// As [`Home::with_faults`], by a clock that somebody else turns.
    pub(crate) fn by_clock(
        &self,
        using: IndexUse,
        settings: &str,
        faults: Arc<dyn Faults>,
        clock: Arc<dyn Clock>,
    ) -> Service {
        let options = IndexOptions { using, faults, clock, trace: true };
        Service::with_index(self.config(settings), self.sandbox(), options).unwrap()
    }

    /// A service that does one turn at a time, brought to the end of its work.
    pub(crate) fn settled(&self, settings: &str) -> Service {
        let service = self.service(IndexUse::Stepped, settings);
        settle(&service);
        service
    }

    /// What the service answers, which is what one without an index answers.
    pub(crate) fn asked(&self, service: &Service, request: &Value) -> Value {
        let seen = called(service, request);
        let config = Config { emit_stats: false, ..self.config("index_mode = \"off\"") };
        let plain = called(&Service::new(config, self.sandbox()).unwrap(), request);
        let mut without = seen.clone();
        without.as_object_mut().unwrap().remove("stats");
        assert_eq!(without, plain, "{request} with an index and without");
        seen
    }

    /// A search believes the index, and leaves files out by it.
    pub(crate) fn uses_index(&self, service: &Service) {
        let seen = self.asked(service, &literal("chalk"));
        assert_eq!(seen["stats"]["index_safety_state"], "COMPLETE", "{}", seen["stats"]);
        assert!(excluded(&seen).1 > 0, "{}", seen["stats"]);
    }

    /// Names in the cache directory that end so, in order.
    pub(crate) fn stored(&self, end: &str) -> Vec<PathBuf> {
        let Ok(listing) = fs::read_dir(&self.cache) else { return Vec::new() };
        let mut found: Vec<PathBuf> = listing.map(|entry| entry.unwrap().path()).collect();
        found.retain(|path| path.to_string_lossy().ends_with(end));
        found.sort();
        found
    }

    /// Whether these bytes stand in any stored file.
    pub(crate) fn stores(&self, bytes: &[u8]) -> bool {
        self.stored("").iter().filter(|path| path.is_file()).any(|path| {
            let held = fs::read(path).unwrap_or_default();
            held.windows(bytes.len()).any(|window| window == bytes)
        })
    }
}

/// Lets the background do all its turns.
pub(crate) fn settle(service: &Service) {
    for _ in 0..2_000 {
        if !service.index_turn() {
            return;
        }
    }
    panic!("the indexer has always more to do: {:?}", service.index_status());
}

/// Waits until `holds`, for a while.
pub(crate) fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let until = Instant::now() + LONG;
    while !holds() {
        assert!(Instant::now() < until, "waited in vain for {what}");
        thread::park_timeout(Duration::from_millis(5));
    }
}

/// A literal request.
pub(crate) fn literal(pattern: &str) -> Value {
    json!({"pattern": pattern, "fixed_strings": true})
}

/// The whole response.
pub(crate) fn called(service: &Service, request: &Value) -> Value {
    let response =
        service.call("Search", request).unwrap_or_else(|error| panic!("{request}: {error}"));
    serde_json::to_value(response).unwrap()
}

/// How the only index stands.
pub(crate) fn status(service: &Service) -> IndexStatus {
    let mut all = service.index_status();
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

/// State and reason of the only index.
pub(crate) fn state(service: &Service) -> (&'static str, Option<&'static str>) {
    let status = status(service);
    (status.state, status.reason)
}

/// `exclusion_bypass_reason` and the files that were excluded.
pub(crate) fn excluded(answer: &Value) -> (Option<&str>, u64) {
    let stats = &answer["stats"];
    let (reason, used) =
        (stats["exclusion_bypass_reason"].as_str(), stats["index_exclusion_used"].as_bool());
    assert_eq!(reason.is_none(), used.unwrap(), "{stats}");
    (reason, stats["candidates_excluded"].as_u64().unwrap())
}

/// Paths of the events, each once per run.
pub(crate) fn paths(answer: &Value) -> Vec<String> {
    let events = answer["matches"].as_array().unwrap().iter();
    let mut paths: Vec<String> =
        events.map(|event| event["data"]["path"]["text"].as_str().unwrap().to_owned()).collect();
    paths.dedup();
    paths
}

/// What the system allows. Where it does not, the test ends there, but in CI it fails.
pub(crate) fn allowed<T>(act: &str, result: io::Result<T>) -> Option<T> {
    match result {
        Ok(allowed) => Some(allowed),
        Err(err) => {
            assert!(env::var_os("CI").is_none(), "{act}: {err}");
            println!("skipped: the system does not allow {act}: {err}");
            None
        }
    }
}

/// Notes the points that were reached, and holds the thread that reaches one of them until it is
/// let go.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// Points reached, in order.
    pub(crate) seen: Mutex<Vec<Point>>,
    holds: Mutex<Option<Point>>,
    moved: Condvar,
    is_held: AtomicBool,
}

impl Gate {
    /// Only notes.
    pub(crate) fn open() -> Arc<Self> {
        Arc::new(Self::default())
    }

    /// Holds whoever gets to `point`.
    pub(crate) fn at_point(point: Point) -> Arc<Self> {
        let gate = Self::open();
        *gate.holds.lock().unwrap() = Some(point);
        gate
    }

    /// Holds whoever gets to `point` from now on.
    pub(crate) fn hold(&self, point: Point) {
        self.is_held.store(false, Ordering::SeqCst);
        *self.holds.lock().unwrap() = Some(point);
    }

    /// Lets whoever is held go on, and holds whoever gets to another point.
    pub(crate) fn go_on_to(&self, point: Point) {
        self.hold(point);
        self.moved.notify_all();
    }

    /// Lets everybody go on from now on.
    pub(crate) fn release(&self) {
        *self.holds.lock().unwrap() = None;
        self.moved.notify_all();
    }

    /// Waits until somebody is held.
    pub(crate) fn wait(&self) {
        let holds = self.holds.lock().unwrap();
        let (_holds, late) = self
            .moved
            .wait_timeout_while(holds, LONG, |_| !self.is_held.load(Ordering::SeqCst))
            .unwrap();
        assert!(!late.timed_out(), "nobody got there: {:?}", self.seen.lock().unwrap());
    }

    /// How often a point was reached.
    pub(crate) fn count(&self, point: Point) -> usize {
        self.seen.lock().unwrap().iter().filter(|seen| **seen == point).count()
    }
}

impl Faults for Gate {
    fn at(&self, point: Point) -> io::Result<()> {
        self.seen.lock().unwrap().push(point);
        let holds = self.holds.lock().unwrap();
        if *holds == Some(point) {
            self.is_held.store(true, Ordering::SeqCst);
            self.moved.notify_all();
            let held =
                self.moved.wait_timeout_while(holds, LONG, |holds| *holds == Some(point)).unwrap();
            drop(held);
        }
        Ok(())
    }
}
