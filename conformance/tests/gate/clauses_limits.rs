//! Clauses about caps: what they count, where an answer ends, and what it says of that.

use crate::clauses::{
    Fake, Ground, answer, asked_unprivileged, errors, json, lines, numbered, only, over, paths,
};
use forge_search_engine::Config;
use forge_search_engine::json::JsonCalls as _;
use serde_json::{Value, json};
use touchstone::case::Entry;

fn capped(files: &[(&str, &str)], mut fields: Value) -> (Vec<String>, bool, u64) {
    fields["pattern"] = json!("foo");
    let seen = answer(&over(files, fields));
    assert_eq!(seen["timed_out"], false);
    (lines(&seen), seen["truncated"] == true, seen["files_scanned"].as_u64().unwrap())
}

fn of(events: &[&str]) -> Vec<String> {
    events.iter().map(ToString::to_string).collect()
}

#[test]
fn at_most_max_results_events_are_emitted_and_truncated_reports_more() {
    touchstone::verifies!(
        "FR-LS-LIM",
        "FR-LS-06",
        "FR-LS-EXE-05",
        "T-LS-TRUNC-01",
        "FR-LSI-TRUNC-01",
        "FR-LSI-TRUNC-01a"
    );
    let files = [("a", "foo1\nfoo2\n"), ("b", "foo3\n"), ("c", "x\n"), ("d", "foo4\n")];
    assert_eq!(capped(&files, json!({"max_results": 1})), (of(&["a:1:1:foo1"]), true, 1));
    assert_eq!(
        capped(&files, json!({"max_results": 2})),
        (of(&["a:1:1:foo1", "a:2:1:foo2"]), true, 2)
    );
    let three = of(&["a:1:1:foo1", "a:2:1:foo2", "b:1:1:foo3"]);
    assert_eq!(capped(&files, json!({"max_results": 3})), (three, true, 4));
}

#[test]
fn exactly_max_results_events_are_not_truncated() {
    touchstone::verifies!(
        "FR-LS-06",
        "FR-LS-06a",
        "T-LS-TRUNC-02",
        "FR-LSI-TRUNC-01",
        "FR-LSI-TRUNC-01a",
        "T-LSI-TRUNC-03"
    );
    let files = [("a", "foo1\nfoo2\n"), ("b", "foo3\n"), ("c", "x\n")];
    let (events, truncated, scanned) = capped(&files, json!({"max_results": 3}));
    assert_eq!((events.len(), truncated, scanned), (3, false, 3));
    // The look for one more goes through everything that is left, and keeps what it finds to
    // itself.
    let files = [("a", "foo1\nfoo2\n"), ("b", "foo3\n"), ("c", "x\n"), ("z/z", "x\nx\nfoo4\n")];
    let (events, truncated, scanned) = capped(&files, json!({"max_results": 3}));
    assert_eq!((events.len(), truncated, scanned), (3, true, 4));
}

#[test]
fn match_and_context_events_use_one_unit_each() {
    touchstone::verifies!(
        "FR-LS-06b",
        "FR-LS-06",
        "FR-LSI-CTX-02",
        "T-LSI-TRUNC-01",
        "FR-LSI-TRUNC-01"
    );
    let files = [("a", "1\nfoo\n3\n4\nfoo\n6\n")];
    let all = of(&["a-1-1", "a:2:1:foo", "a-3-3", "a-4-4", "a:5:1:foo", "a-6-6"]);
    for max_results in 1..=7 {
        let (events, truncated, _) =
            capped(&files, json!({"context": 1, "max_results": max_results}));
        assert_eq!(events, all[..max_results.min(6)], "{max_results}");
        assert_eq!(truncated, max_results < 6, "{max_results}");
    }
}

#[test]
fn the_walk_ends_after_max_files_files_with_or_without_a_match() {
    touchstone::verifies!("FR-LS-SRC-09", "T-LS-MF-01");
    let files = [("a", "x\n"), ("b/1", "foo\n"), ("b/2", "x\n"), ("c", "foo\n")];
    assert_eq!(capped(&files, json!({"max_files": 1})), (vec![], true, 1));
    assert_eq!(capped(&files, json!({"max_files": 2})), (of(&["b/1:1:1:foo"]), true, 2));
    assert_eq!(capped(&files, json!({"max_files": 3})), (of(&["b/1:1:1:foo"]), true, 3));
    assert_eq!(
        capped(&files, json!({"max_files": 4})),
        (of(&["b/1:1:1:foo", "c:1:1:foo"]), false, 4)
    );
    // Files that no glob lets in are not counted.
    let narrowed = json!({"max_files": 2, "exclude_glob": ["a", "2"]});
    assert_eq!(capped(&files, narrowed), (of(&["b/1:1:1:foo", "c:1:1:foo"]), false, 2));
    // Nothing beyond the last is examined, so problems there are not reported.
    let case = over(&[("a", "x\n"), ("b", "foo\n")], json!({"pattern": "foo", "max_files": 1}))
        .with(Entry::file("c", "foo\n").unreadable());
    let seen = asked_unprivileged(&case).unwrap();
    assert_eq!((errors(&seen), &seen["files_scanned"]), (vec![], &json!(1)));
}

#[test]
fn the_search_of_a_file_ends_after_max_matches_per_file() {
    touchstone::verifies!("FR-LS-SRC-10", "T-LS-MPF-01");
    let files = [("a", "foo1\nx\nfoo2\nfoo3\n"), ("b", "foo4\n"), ("c", "foo5 foo5\nfoo6\n")];
    let one = of(&["a:1:1:foo1", "b:1:1:foo4", "c:1:1:foo5 foo5"]);
    assert_eq!(capped(&files, json!({"max_matches_per_file": 1})), (one, true, 3));
    let two = of(&["a:1:1:foo1", "a:3:1:foo2", "b:1:1:foo4", "c:1:1:foo5 foo5", "c:2:1:foo6"]);
    assert_eq!(capped(&files, json!({"max_matches_per_file": 2})), (two, true, 3));
    assert!(!capped(&files, json!({"max_matches_per_file": 3})).1);
    // Context is not counted; it runs on, but never onto the next matching line.
    let with_context = json!({"max_matches_per_file": 1, "context": 2});
    let expected = of(&["a:1:1:foo1", "a-2-x", "b:1:1:foo4", "c:1:1:foo5 foo5"]);
    assert_eq!(capped(&files, with_context), (expected, true, 3));
}

#[test]
fn files_scanned_counts_eligible_examined_files() {
    touchstone::verifies!("FR-LS-05e");
    let case = over(
        &[
            ("a", "foo\n"),
            ("b.big", "foo and much more\n"),
            ("c.bin", "foo\0\n"),
            ("d", "foo\nfoo\n"),
            ("e", "x\n"),
            ("f.skip", "foo\n"),
            (".hidden", "foo\n"),
            ("ign", "foo\n"),
            (".gitignore", "ign\n"),
        ],
        json!({"pattern": "foo", "exclude_glob": ["*.skip"], "max_file_size_bytes": 8, "max_matches_per_file": 1}),
    )
    .with(Entry::fifo("pipe"))
    .with(Entry::file("g", "foo\n").unreadable());
    let seen = asked_unprivileged(&case).unwrap();
    assert_eq!(
        (paths(&seen), &seen["files_scanned"]),
        (vec!["a".to_owned(), "d".to_owned()], &json!(6))
    );
    // Up to the file with the first event that is not emitted, whatever lies beyond it.
    let files = [("a", "foo\n"), ("b", "x\n"), ("c", "foo\n"), ("d", "foo\n"), ("e", "foo\n")];
    assert_eq!(capped(&files, json!({"max_results": 1})).2, 3);
    assert_eq!(capped(&files, json!({"max_results": 2})).2, 4);
    assert_eq!(capped(&files, json!({"include_glob": ["b"]})).2, 1);
    assert_eq!(capped(&files, json!({"include_glob": ["none"]})).2, 0);
}

#[test]
fn an_answer_that_fills_early_examines_few_files() {
    touchstone::verifies!("NFR-LS-PERF-01", "FR-LS-EXE-05");
    let mut case = numbered(3_000, "foo\n");
    case.request = json!({"pattern": "foo", "max_results": 3});
    let ground = Ground::of(&case);
    let native =
        Config { backend: forge_search_engine::BackendChoice::Native, ..only("".as_ref()) };
    let fake = Fake::ripgrep(
        "for file; do case \"$file\" in ./*) echo \"$file\" >> \"$here/asked\";; esac; done\nexec \"$real\" \"$@\"",
    );
    for config in [native, only(&fake.program)] {
        let seen = json(ground.service(config).call("Search", &case.request));
        assert_eq!(lines(&seen), ["f-0000:1:1:foo", "f-0001:1:1:foo", "f-0002:1:1:foo"]);
        assert_eq!((&seen["files_scanned"], &seen["truncated"]), (&json!(4), &json!(true)));
    }
    let asked = fake.note("asked").lines().count();
    assert!(asked <= 32, "the backend was given {asked} files of 3000 for an answer of 3 events");
}

#[test]
fn values_of_a_request_replace_the_configured_ones() {
    touchstone::verifies!("CFG-LS-03", "CFG-LS-05");
    let text = "foo\n".repeat(5);
    let mut case = over(&[("a", &text), ("b", &text)], json!({"pattern": "foo"}));
    case.config.default_max_results = Some(3);
    assert_eq!(answer(&case)["count"], 3);
    case.request = json!({"pattern": "foo", "max_results": 4});
    assert_eq!(answer(&case)["count"], 4);
    // The configured value holds where the request is silent, not the number in the schema.
    case.config.default_max_results = Some(1_000);
    case.request = json!({"pattern": "foo"});
    assert_eq!(answer(&case)["count"], 10);
    case.config.max_file_size_bytes = Some(19);
    assert_eq!((&answer(&case)["count"], &answer(&case)["truncated"]), (&json!(0), &json!(true)));
    case.config.max_file_size_bytes = None;
    case.config.max_files = Some(1);
    assert_eq!(answer(&case)["count"], 5);
    case.config.max_matches_per_file = Some(2);
    assert_eq!(answer(&case)["count"], 2);
}
