//! Section 3: an answer is in one order, whether its files are of the base, of a delta, or not read
//! yet.
//!
//! A new file stands before a file of the base that lives; one that changed stands before its own
//! earlier self, which is dead, so that it is in its place even if it comes one file late. Random
//! lives compare whole answers in order, but they seldom have a new file and its successor in one
//! answer: of forty lives about one does, and fifteen are played with the tests. Here both are in
//! every answer.

use std::fs;

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::{IndexUse, Service, ToolContext};
use serde_json::{Value, json};

use super::home::{Home, called, excluded, literal, paths, settle, state};

/// What an index is made of first, beside many files without the word: without a watcher an index
/// is believed only where it saves more than it costs.
const BASE: [&str; 8] = ["b", "b-hay", "d/f", "d/f-hay", "d.x", "k", "k-hay", "p/q/r"];

/// What is added then, round after round: before all, between two, behind all; several in one
/// place; beside names that only whole paths put in order.
const ADDED: [&[&str]; 6] = [
    &["a"],
    &["z"],
    &["c", "d/g", "d/a", "d-/f"],
    &["l1", "l2-hay", "l3", "p/q/s", "p/q.r"],
    &["ca\u{301}", "c\u{e1}", "zz/z"],
    &["0", "a-hay", "b.", "k/"],
];

fn write(home: &Home, path: &str) {
    let path = path.strip_suffix('/').map_or_else(|| path.to_owned(), |path| format!("{path}0/f"));
    home.write(&path, if path.contains("hay") { "hay\n" } else { "needle here\n" });
}

/// Files of an answer of `search_files`, in its order.
fn listed(service: &Service, extra: &Value) -> Vec<String> {
    let mut request = json!({"query": "needle", "mode": "exact", "path": "."});
    request.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    let answer = service.call_files(&mut ToolContext::default(), &request).unwrap();
    let answer: Value = serde_json::from_str(&answer.text).unwrap();
    let matches = answer["matches"].as_array().unwrap_or_else(|| panic!("{answer}"));
    matches.iter().map(|one| one["path"].as_str().unwrap().to_owned()).collect()
}

/// Everything is in the walker's order, and where the answer is cut, the walker's first files are
/// left. Without a watcher files whose times are too young to prove anything are read, which may be
/// all.
fn in_order(home: &Home, service: &Service, when: &str) {
    let (reason, left_out) = same_order(home, service, when);
    let is_narrowed = reason.is_none() && left_out > 2;
    assert!(is_narrowed || when.contains("index_watch = false"), "{when}: {reason:?}, {left_out}");
}

/// As [`in_order`], of an index that may not have been believed; why, and how many files were left
/// out.
fn same_order(home: &Home, service: &Service, when: &str) -> (Option<String>, u64) {
    let plain = Service::new(home.config("index_mode = \"off\""), home.sandbox()).unwrap();
    let all = paths(&called(&plain, &literal("needle")));
    let seen = home.asked(service, &literal("needle"));
    assert_eq!(paths(&seen), all, "{when}");
    for most in [1, 3, all.len() - 1] {
        let request = json!({"pattern": "needle", "fixed_strings": true, "max_results": most});
        assert_eq!(paths(&home.asked(service, &request)), all[..most], "{when}");
        let request = json!({"pattern": "needle", "fixed_strings": true, "max_files": most});
        home.asked(service, &request);
    }
    for path in ["d", "p"] {
        home.asked(service, &json!({"pattern": "needle", "fixed_strings": true, "path": path}));
    }
    for extra in
        [json!({}), json!({"max_results": 3}), json!({"path": "d"}), json!({"max_depth": 1})]
    {
        assert_eq!(
            listed(service, &extra),
            listed(&plain, &extra),
            "{when}: search_files, {extra}"
        );
    }
    let (reason, left_out) = excluded(&seen);
    (reason.map(str::to_owned), left_out)
}

#[test]
fn later_files_are_ordered_as_by_the_walker_in_every_state() {
    touchstone::verifies!(
        "FR-LSI-ORD-01",
        "FR-LSI-ORD-03",
        "FR-LSI-STABLE-01",
        "FR-LSI-TRUNC-02",
        "FR-LSI-EXE-03",
        "ALG-LSI-E8",
        "T-LSI-DET-01"
    );
    for settings in [
        "",
        "index_watch = false",
        "index_storage = \"memory\"",
        "index_filter_layout = \"packed\"",
    ] {
        // Packed filters are as large as the largest file may be, so that has to be small.
        let settings = format!("{settings}\nindex_max_tokenized_bytes = 65536");
        let settings = settings.trim();
        let home = Home::new(&[]);
        for path in BASE {
            write(&home, path);
        }
        for number in 0..120 {
            write(&home, &format!("m/hay{number}"));
        }
        let mut service = home.settled(settings);
        for (round, added) in ADDED.iter().enumerate() {
            let when = |state: &str| format!("{settings}, round {round}, {state}");
            for path in *added {
                write(&home, path);
            }
            in_order(&home, &service, &when("at once"));
            settle(&service);
            // Without a watcher an index is believed by one call at a time, after that has looked.
            assert_eq!(state(&service).0 == "COMPLETE", !settings.contains("watch"));
            in_order(&home, &service, &when("read"));
            // One that changed, and one that went.
            home.write("d/f", &format!("needle {round}\n"));
            if round == 3 {
                fs::remove_file(home.root.join("k")).unwrap();
            }
            in_order(&home, &service, &when("changed"));
            settle(&service);
            if settings.contains("memory") {
                continue;
            }
            // What is opened may be so young that its times prove nothing; then every file is read.
            same_order(
                &home,
                &home.service(IndexUse::Existing, settings),
                &when("another process"),
            );
            if round % 2 == 1 {
                service.index_shutdown();
                drop(service);
                service = home.service(IndexUse::Stepped, settings);
                same_order(&home, &service, &when("opened again"));
                settle(&service);
                in_order(&home, &service, &when("compared"));
            }
        }
        service.index_rebuild();
        settle(&service);
        in_order(&home, &service, &format!("{settings}, of one base again"));
    }
}
