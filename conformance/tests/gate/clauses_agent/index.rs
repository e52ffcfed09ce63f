//! The tools and the index: not there yet, there, changed, large.

use std::fs;
use std::sync::Arc;
use std::thread;

use forge_search_core::tool::Profile;
use forge_search_engine::index::Point;
use forge_search_engine::json::Json;
use forge_search_engine::{Call, IndexUse, Service, Toolbox};
use serde_json::{Value, json};

use crate::clauses_agent::asked::{Desk, notices, paths, places, text};
use crate::clauses_index_service::home::{
    Gate, Home, called, eventually, excluded, literal, settle, state, status,
};

const FILES: &[(&str, &str)] = &[
    ("src/user.rs", "pub struct User;\nfn needle() {}\n"),
    ("src/order.rs", "pub struct Order;\n"),
    ("README.md", "needle in a haystack\n"),
];

fn calls() -> [(&'static str, Value); 3] {
    [
        ("grep", json!({"pattern": "needle"})),
        ("find_files", json!({"pattern": "*.rs"})),
        ("search_text", json!({"query": "needle"})),
    ]
}

#[test]
fn an_index_that_is_not_ready_is_a_notice_and_changes_no_answer() {
    touchstone::verifies!(
        "FR-015b-32",
        "ACODE-SRC-001",
        "FM-015b-01",
        "NFR-015b-04",
        "BP-015b-09",
        "E-I11",
        "E-I12"
    );
    let without = Desk::over(FILES, "");
    let desk = Desk::with_index(FILES);
    assert_ne!(desk.state(), "COMPLETE");
    for (tool, request) in calls() {
        let (plain, page) = (without.page(tool, &request), desk.page(tool, &request));
        assert_eq!(paths(&page), paths(&plain), "{tool}");
        assert_eq!((&page["total"], &page["complete"]), (&plain["total"], &json!(true)), "{tool}");
        let notice = page["notices"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["notice"] == "index_not_ready");
        let notice = notice.unwrap_or_else(|| panic!("{tool}: {page}"));
        assert_eq!(notice["code"], json!("ACODE-SRC-001"));
        // What can be done about it, and what goes on without that.
        let message = text(&notice["message"]);
        for words in ["forge-search index build", "built in the background", "takes longer"] {
            assert!(message.contains(words), "{message}");
        }
    }
    desk.settle();
    assert_eq!(desk.state(), "COMPLETE");
    for (tool, request) in calls() {
        assert_eq!(notices(&desk.page(tool, &request)), Vec::<String>::new(), "{tool}");
    }
}

#[test]
fn an_index_under_construction_is_a_notice_and_the_answer_is_complete() {
    touchstone::verifies!("FR-015b-32", "ACODE-SRC-001", "FM-015b-01", "E-I11");
    let low =
        "index_mode = \"auto\"\nindex_auto_threshold_files = 1\nindex_auto_threshold_bytes = 1";
    for settings in ["index_mode = \"on\"", low] {
        let home = Home::of_words(24);
        let gate = Gate::at_point(Point::ReadFile);
        let service = Arc::new(home.with_faults(IndexUse::Background, settings, gate.clone()));
        gate.wait();
        assert_eq!(state(&service).0, "BUILDING", "{settings}");
        for (tool, page) in assert_same(&home, &service, settings) {
            assert_eq!(notices(&page), ["index_not_ready"], "{settings}: {tool}");
            assert_eq!(page["notices"][0]["code"], json!("ACODE-SRC-001"), "{settings}: {tool}");
        }
        gate.release();
    }
}

/// The answers of all three tools by a service with an index, which have the results of one
/// without.
fn assert_same(home: &Home, service: &Arc<Service>, how: &str) -> Vec<(&'static str, Value)> {
    let requests = [
        ("grep", json!({"pattern": "chalk"})),
        ("find_files", json!({"pattern": "f00*"})),
        ("search_text", json!({"query": "chalk"})),
    ];
    assert_same_for(&requests, home, service, how)
}

fn assert_same_for(
    requests: &[(&'static str, Value); 3],
    home: &Home,
    service: &Arc<Service>,
    how: &str,
) -> Vec<(&'static str, Value)> {
    let plain = Service::new(home.config("index_mode = \"off\""), home.sandbox()).unwrap();
    let [plain, indexed] = [&Arc::new(plain), service].map(|service| {
        let toolbox = Toolbox::new(Arc::clone(service), Profile::All);
        let session = toolbox.session();
        requests.clone().map(|(tool, request)| {
            let answer = toolbox.call(&session, tool, &Json(&request), &Call::new());
            let page = &answer.structured;
            assert!(!answer.is_error && answer.complete, "{how}, {tool}: {page}");
            assert!(page["total"].as_u64() > Some(1), "{how}, {tool}: {page}");
            (tool, answer.structured)
        })
    });
    for ((tool, one), (_, other)) in plain.iter().zip(&indexed) {
        assert_eq!(
            (&one["results"], &one["total"]),
            (&other["results"], &other["total"]),
            "{how}: {tool}"
        );
    }
    indexed.into()
}

#[test]
fn a_damaged_locked_or_missing_index_changes_no_answer() {
    touchstone::verifies!("NFR-015b-04", "BP-015b-09", "IT-015b-01");
    let home = Home::of_words(24);
    home.settled("").index_shutdown();
    let stored = home.stored(".sqlite").remove(0);
    let sound = fs::read(&stored).unwrap();
    for at in (100..sound.len()).step_by((sound.len() / 150).max(1)) {
        let mut flipped = sound.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&stored, &flipped).unwrap();
        for end in ["-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{end}", stored.display()));
        }
        assert_same(&home, &Arc::new(home.service(IndexUse::Existing, "")), &format!("byte {at}"));
    }
    fs::write(&stored, &sound).unwrap();
    let held = Arc::new(home.settled(""));
    assert_same(&home, &Arc::new(home.service(IndexUse::Existing, "")), "another service has it");
    // It is taken away under the one that has it.
    fs::remove_dir_all(&home.cache).unwrap();
    assert_same(&home, &held, "removed");
    // A file stands where the directory would have to be.
    fs::write(&home.cache, "").unwrap();
    assert_same(&home, &Arc::new(home.settled("")), "no place for it");
}

#[test]
fn a_tree_that_needs_no_index_gets_no_notice_of_one() {
    touchstone::verifies!("FR-015b-32", "ACODE-SRC-001", "E-I11");
    let config = "[tools.search]\nindex_mode = \"auto\"\nindex_storage = \"memory\"\n";
    let desk = Desk::of(FILES, config, Profile::All, Some(IndexUse::Stepped));
    for state in ["ABSENT", "DISABLED"] {
        assert_eq!(desk.state(), state);
        for (tool, request) in calls() {
            assert_eq!(
                notices(&desk.page(tool, &request)),
                Vec::<String>::new(),
                "{tool}, {state}"
            );
        }
        desk.settle();
    }
}

#[test]
fn an_index_changes_no_result_of_the_tools() {
    touchstone::verifies!("IT-015b-01", "IT-015b-02", "FR-015b-09", "FR-015b-14");
    let (without, desk) = (Desk::over(FILES, ""), Desk::with_index(FILES));
    desk.settle();
    for (tool, request) in calls() {
        let (mut plain, mut indexed) = (without.page(tool, &request), desk.page(tool, &request));
        // The trees were written at different moments.
        for page in [&mut plain, &mut indexed] {
            for result in page["results"].as_array_mut().unwrap() {
                result.as_object_mut().unwrap().remove("modified");
            }
        }
        assert_eq!(plain, indexed, "{tool}");
    }
}

#[test]
fn answers_follow_changes_of_the_tree() {
    touchstone::verifies!("IT-015b-05", "E-I12");
    let desk = Desk::with_index(FILES);
    desk.settle();
    let found = |tool: &str, request: &Value| paths(&desk.page(tool, request));
    let [grep, files, words] = calls();
    // Neither with nor without a turn of the indexer is anything missed.
    for (number, settles) in [(1, false), (2, true), (3, false)] {
        desk.write(&format!("src/new{number}.rs"), "fn needle() {}\n");
        desk.write("src/order.rs", &format!("// {number}\nneedle();\n"));
        if settles {
            desk.settle();
        }
        let new = format!("src/new{number}.rs");
        assert!(
            found(grep.0, &grep.1).contains(&new) && found(words.0, &words.1).contains(&new),
            "{number}"
        );
        assert!(found(files.0, &files.1).contains(&new), "{number}");
        assert!(
            places(&desk.page(grep.0, &grep.1)).contains(&"src/order.rs:2".to_owned()),
            "{number}"
        );
    }
    std::fs::remove_file(desk.place("README.md")).unwrap();
    assert!(!found(grep.0, &grep.1).contains(&"README.md".to_owned()));
    assert!(!found(words.0, &words.1).contains(&"README.md".to_owned()));
}

fn large() -> Vec<(String, String)> {
    (0..4_100)
        .map(|number| {
            let name = format!("d{:02}/m{:02}/file{number}.rs", number % 40, number % 30);
            (name, format!("fn function{number}() {{ call_{}(); }}\n", number % 700))
        })
        .collect()
}

#[test]
fn a_path_shows_the_current_size_after_a_write_by_another_name() {
    touchstone::verifies!("FR-015b-09");
    let home = Home::of_words(60);
    let outside = home.base().join("outside");
    fs::hard_link(home.root.join("d1/f001"), &outside).unwrap();
    let service = Arc::new(home.settled(""));
    fs::write(&outside, "quartz\n").unwrap();
    let toolbox = Toolbox::new(service, Profile::All);
    let asked = Json(&json!({"pattern": "d1/f001"}));
    let page = toolbox.call(&toolbox.session(), "find_files", &asked, &Call::new()).structured;
    assert_eq!(page["results"][0]["size_bytes"], json!(7), "{page}");
}

#[test]
fn a_large_tree_is_answered_in_full() {
    touchstone::verifies!("IT-015b-03");
    let files = large();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let desk = Desk::with_index(&files);
    desk.settle();
    let one = desk.page("search_text", &json!({"query": "function2717"}));
    assert_eq!(paths(&one), ["d37/m17/file2717.rs"]);
    let calls = desk.page("grep", &json!({"pattern": "call_17()", "context_lines": 0}));
    assert_eq!((&calls["total"], &calls["complete"]), (&json!(6), &json!(true)));
    let names = desk.page("find_files", &json!({"pattern": "file29*.rs", "max_results": 200}));
    assert_eq!(names["total"], json!(111));
    let all = desk.page("search_text", &json!({"query": "fn"}));
    assert_eq!((&all["total"], &all["total_is_lower_bound"]), (&json!(4_100), &json!(false)));
    assert_eq!(all["incomplete_because"], json!(["max_results"]));
}

#[test]
fn a_large_stored_index_of_many_segments_changes_no_answer() {
    const ROUNDS: u64 = 6;
    touchstone::verifies!("IT-015b-03");
    let home = Home::of_words(12_000);
    let settings = "index_watch_debounce_ms = 0";
    let writer = home.settled(settings);
    // What changes in a round is stored as a segment of its own, or as two.
    for round in 0..ROUNDS {
        for number in 0..20 {
            home.write(&format!("late/r{round}-{number}"), &format!("late round {round}\n"));
        }
        home.write(&format!("d{}/f{round:03}", round % 5), "late and changed\n");
        fs::remove_file(home.root.join(format!("d{}/f{}", round % 5, 10_000 + round))).unwrap();
        called(&writer, &literal("late round"));
        eventually("a segment of what changed", || {
            settle(&writer);
            status(&writer).pending == 0
        });
    }
    writer.index_shutdown();
    drop(writer);
    let opened = Arc::new(home.settled(settings));
    let held = status(&opened);
    assert_eq!((held.state, held.storage), ("COMPLETE", "sqlite"));
    assert_eq!(held.files, 12_000 - ROUNDS + 20 * ROUNDS);
    assert!(held.segments > ROUNDS, "{}", held.segments);
    for (word, names, matches) in [
        ("number 1177", "f1177*", 11),
        ("late round 5", "r5-*", 20),
        ("late and changed", "f00*", 6),
    ] {
        let requests = [
            ("grep", json!({"pattern": word})),
            ("find_files", json!({"pattern": names})),
            ("search_text", json!({"query": "changed"})),
        ];
        let answers = assert_same_for(&requests, &home, &opened, word);
        assert_eq!(answers[0].1["total"], json!(matches), "{word}");
        let seen = home.asked(&opened, &literal(word));
        assert!(excluded(&seen).1 > 11_000, "{word}: {}", seen["stats"]);
    }
    let gone = home.asked(&opened, &literal("number 10003"));
    assert_eq!(gone["matches"], json!([]), "it was removed");
}

#[test]
fn concurrent_searches_do_not_disturb_each_other() {
    touchstone::verifies!("IT-015b-04", "NFR-015b-06");
    let desk = Desk::with_index(FILES);
    desk.settle();
    let expected: Vec<Vec<String>> =
        calls().iter().map(|(tool, request)| paths(&desk.page(tool, request))).collect();
    thread::scope(|scope| {
        for worker in 0..6 {
            let (desk, expected) = (&desk, &expected);
            scope.spawn(move || {
                let session = desk.toolbox.session();
                for round in 0..12 {
                    let number = (worker + round) % 3;
                    let (tool, request) = &calls()[number];
                    // Every fourth call is one that fails.
                    let wrong = desk.toolbox.call(
                        &session,
                        tool,
                        &Json(&json!({"x": round})),
                        &Call::new(),
                    );
                    assert!(wrong.is_error);
                    let answer = desk.toolbox.call(&session, tool, &Json(request), &Call::new());
                    assert_eq!(paths(&answer.structured), expected[number], "{tool}");
                }
            });
        }
    });
}
