//! Many calls at once, and thousands of cancelled ones: every call is answered or cancelled, in
//! time, within bounds, and nothing is left behind, which `/proc` tells.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::client::{Client, PATIENCE};
use crate::place::Place;

/// How long a call that is cancelled may go on.
const AT_ONCE: Duration = Duration::from_millis(100);
/// Cancels in all.
const CANCELS: u64 = 10_000;

const CONFIG: &str =
    "[tools.search]\nindex_mode = \"off\"\n\n[tools.agent]\nsearches_per_minute = 100000\n";

/// A generator of numbers that are the same on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// A program that proposes lines, if there is one here.
fn searcher() -> Option<PathBuf> {
    let found = std::env::split_paths(&std::env::var_os("PATH")?)
        .flat_map(|directory| ["ugrep", "rg"].map(|name| directory.join(name)))
        .find(|path| path.is_file());
    assert!(
        found.is_some() || std::env::var_os("CI").is_none(),
        "there is no searcher here and CI is set"
    );
    found
}

fn open(place: &Place) -> Client {
    let mut client = Client::start(place, &["--profile", "all"]);
    client.initialize();
    client
}

/// The most memory that the server has had, in KiB.
fn peak_memory(client: &Client) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", client.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Processes that look like this one's doing: its children, or whatever else works below the
/// directory.
fn left_behind(pid: u32, below: &Path) -> Vec<String> {
    let below = dunce::canonicalize(below).unwrap();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let (Ok(number), place) = (name.parse::<u32>(), entry.path()) else { continue };
        let Ok(stat) = fs::read_to_string(place.join("stat")) else { continue };
        // Behind the name, which may hold anything but is the last in brackets: state, parent.
        let after: Vec<&str> =
            stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let child = after.get(1).is_some_and(|parent| *parent == pid.to_string());
        let inside = fs::read_link(place.join("cwd")).is_ok_and(|cwd| cwd.starts_with(&below));
        if number != pid && (child || inside) {
            found.push(stat);
        }
    }
    found
}

/// Asks again and again; the questions are its pauses.
fn await_that(what: &str, mut so: impl FnMut() -> bool) -> Duration {
    let since = Instant::now();
    while !so() {
        assert!(since.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::yield_now();
    }
    since.elapsed()
}

#[test]
fn sixty_four_concurrent_calls_and_a_quick_one_after_them_are_answered() {
    let place = Place::configured(
        &format!("{CONFIG}\n").replace("[tools.search]", "[tools.search]\nbackend = \"native\""),
    );
    place.heavy("many", 24, 500);
    let mut client = open(&place);
    let before = peak_memory(&client);
    let mut slow = BTreeSet::new();
    for number in 0..64 {
        let (tool, arguments) = match number % 4 {
            0 => ("search_text", json!({ "query": "order service user", "max_results": 200 })),
            1 => ("grep", json!({ "pattern": "value", "max_results": 200 })),
            2 => ("Search", json!({ "pattern": "query \\w+ index", "context": 5 })),
            _ => ("search_files", json!({ "path": ".", "query": "servce", "mode": "fuzzy" })),
        };
        slow.insert(client.call(tool, &arguments));
    }
    let quick = client.call("find_files", &json!({ "pattern": "0.txt" }));
    let since = Instant::now();
    let answer = client.answer(quick);
    let took = since.elapsed();
    assert_eq!(answer["result"]["structuredContent"]["total"], 1, "{answer}");
    // It waited for those before it, all but the few that ran beside it.
    let answered = client.kept();
    assert!(answered.len() >= 60, "{} of 64 were answered before a later call", answered.len());
    assert!(took < PATIENCE);
    for answer in answered {
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        assert!(slow.remove(&answer["id"].as_u64().unwrap()), "answered twice: {answer}");
    }
    for id in slow {
        assert_eq!(client.answer(id)["result"]["isError"], false);
    }
    let grown = peak_memory(&client) - before;
    assert!(grown < 256 << 10, "{grown} KiB more than before");
    let ended = client.finish();
    assert!(ended.status.success() && ended.rest.is_empty(), "{:?}", ended.rest);
}

#[test]
fn a_cancelled_call_frees_its_threads_at_once() {
    let place = Place::configured(
        &CONFIG.replace("[tools.search]", "[tools.search]\nbackend = \"native\""),
    );
    // Some seconds of work for one call alone.
    place.heavy("many", 80, 10_000);
    place.heavy("few", 1, 3);
    let mut client = open(&place);
    // The first answer waits for what is loaded once.
    let first = client.call("grep", &json!({ "pattern": "order", "directory": "few" }));
    client.answer(first);
    let mut took = Vec::new();
    for (tool, arguments) in [
        ("search_text", json!({ "query": "order service user", "directory": "many" })),
        (
            "grep",
            json!({ "pattern": "(value|token) (nothing|zero)", "regex": true, "directory": "many" }),
        ),
        ("Search", json!({ "pattern": "(value|token) (nothing|zero)", "path": "many" })),
        (
            "search_files",
            json!({ "path": "many", "query": "nothing like it at all", "mode": "fuzzy" }),
        ),
    ] {
        for _ in 0..3 {
            let running: Vec<u64> = (0..4).map(|_| client.call(tool, &arguments)).collect();
            // It waits for one of the four to be really over.
            let waiting = client.call("grep", &json!({ "pattern": "order", "directory": "few" }));
            let sign = client.request("ping", &json!({}));
            client.answer(sign);
            let since = Instant::now();
            for id in running {
                client.cancel(id);
            }
            assert_eq!(client.answer(waiting)["result"]["isError"], false);
            took.push((since.elapsed(), tool));
            let answered = client.kept();
            assert!(answered.is_empty(), "{tool} is too quick to be cancelled: {answered:?}");
        }
    }
    took.sort();
    // The machine may be busy with something else for a moment, but not most of the time.
    assert!(took[took.len() * 3 / 4].0 < AT_ONCE, "{took:?}");
    assert!(client.finish().status.success());
}

#[test]
fn a_cancelled_call_kills_its_processes_at_once() {
    let Some(searcher) = searcher() else { return };
    let place = Place::configured("");
    place.file("a.txt", "needle\n");
    let (program, slow) =
        (place.home().join(searcher.file_name().unwrap()), place.home().join("slow"));
    // Proposes lines as the real one does, and goes on for ever if it is told to, with a child of
    // its own.
    let (real, flag) = (searcher.display(), slow.display());
    fs::write(
        &program,
        format!(
            "#!/bin/sh\n{real} \"$@\"\nstatus=$?\n[ -e {flag} ] && /bin/sleep 1000\nexit $status\n"
        ),
    )
    .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let config = format!(
        "[tools.search]\nindex_mode = \"off\"\nbackend = \"auto\"\nbinary = \"{}\"\nfallback_binary = \"\"\nallow_native = false\n",
        program.display()
    );
    place.configure(&config);
    let mut client = open(&place);
    let first = client.call("Search", &json!({ "pattern": "needle" }));
    let answer = client.answer(first);
    assert_eq!(answer["result"]["structuredContent"]["count"], 1, "{answer}");
    fs::write(&slow, "").unwrap();
    let mut took = Vec::new();
    for _ in 0..12 {
        let id = client.call("Search", &json!({ "pattern": "needle" }));
        let pid = client.pid();
        await_that("a child sleeps", || {
            left_behind(pid, &place.tree()).iter().any(|stat| stat.contains("(sleep)"))
        });
        client.cancel(id);
        took.push(await_that("no child is left", || left_behind(pid, &place.tree()).is_empty()));
    }
    took.sort();
    assert!(took[took.len() * 3 / 4] < AT_ONCE, "{took:?}");
    // The end of the input kills what still runs.
    client.call("Search", &json!({ "pattern": "needle" }));
    let pid = client.pid();
    await_that("a child sleeps", || {
        left_behind(pid, &place.tree()).iter().any(|stat| stat.contains("(sleep)"))
    });
    let ended = client.finish();
    assert!(ended.status.success() && ended.took < Duration::from_secs(2), "{:?}", ended.took);
    assert_eq!(left_behind(pid, &place.tree()), Vec::<String>::new());
}

#[test]
fn a_signal_ends_the_server_and_its_child_processes() {
    let place = Place::configured(CONFIG);
    place.heavy("many", 80, 10_000);
    for signal in ["TERM", "INT"] {
        let mut client = open(&place);
        client.call("search_text", &json!({ "query": "order service user" }));
        let sign = client.request("ping", &json!({}));
        client.answer(sign);
        let pid = client.pid();
        client.signal(signal);
        let ended = client.ended();
        assert!(
            ended.status.success() && ended.took < Duration::from_secs(2),
            "{signal}: {:?}",
            ended.took
        );
        assert_eq!(left_behind(pid, &place.tree()), Vec::<String>::new());
    }
}

#[test]
fn ten_thousand_random_cancels_leave_nothing_behind() {
    let searcher = searcher();
    let backend = searcher.as_ref().map_or("backend = \"native\"".to_owned(), |program| {
        format!("binary = \"{}\"", program.display())
    });
    let place =
        Place::configured(&CONFIG.replace("[tools.search]", &format!("[tools.search]\n{backend}")));
    place.heavy("many", 12, 400);
    let mut client = open(&place);
    let mut dice = Dice(0x5eed_0007);
    let mut cancelled = BTreeSet::new();
    let mut kept = BTreeSet::new();
    let mut answered = BTreeSet::new();
    while cancelled.len() < usize::try_from(CANCELS).unwrap() {
        // A handful of calls, most of them cancelled in any order after so many signs of life.
        let mut batch: Vec<u64> =
            (0..=dice.below(11)).map(|_| some_call(&mut client, &mut dice)).collect();
        for _ in 0..dice.below(4) {
            let sign = client.request("ping", &json!({}));
            client.answer(sign);
        }
        while !batch.is_empty() {
            let id = batch.swap_remove(usize::try_from(dice.below(batch.len() as u64)).unwrap());
            if dice.below(40) == 0 {
                kept.insert(id);
            } else {
                client.cancel(id);
                cancelled.insert(id);
            }
        }
        for answer in client.kept() {
            assert!(answered.insert(answer["id"].as_u64().unwrap()), "answered twice: {answer}");
        }
    }
    // The server still answers, and has answered all that was not cancelled.
    for id in &kept {
        if answered.contains(id) {
            continue;
        }
        assert!(client.answer(*id)["result"]["isError"].is_boolean());
        answered.insert(*id);
    }
    let last = client.call("grep", &json!({ "pattern": "order", "max_results": 1 }));
    assert_eq!(client.answer(last)["result"]["isError"], false);
    for answer in client.kept() {
        assert!(answered.insert(answer["id"].as_u64().unwrap()), "answered twice: {answer}");
    }
    // Some were quicker than their cancelling.
    assert!(answered.iter().all(|id| kept.contains(id) || cancelled.contains(id)));
    assert!(answered.len() < kept.len() + cancelled.len() / 2, "{} answers", answered.len());
    let pid = client.pid();
    await_that("no child is left", || left_behind(pid, &place.tree()).is_empty());
    let memory = peak_memory(&client);
    assert!(memory < 512 << 10, "{memory} KiB");
    let ended = client.finish();
    assert!(ended.status.success() && ended.rest.is_empty(), "{:?}: {}", ended.rest, ended.stderr);
    assert_eq!(left_behind(pid, &place.tree()), Vec::<String>::new());
}

fn some_call(client: &mut Client, dice: &mut Dice) -> u64 {
    let word = ["order", "service", "nowhere", "token"][usize::try_from(dice.below(4)).unwrap()];
    let (tool, arguments): (&str, Value) = match dice.below(4) {
        0 => ("search_text", json!({ "query": format!("{word} user") })),
        1 => ("grep", json!({ "pattern": format!("{word} .*value"), "regex": true })),
        2 => ("search_files", json!({ "path": ".", "query": word })),
        _ => ("Search", json!({ "pattern": format!("{word}\\w*"), "max_results": 50 })),
    };
    client.call(tool, &arguments)
}
