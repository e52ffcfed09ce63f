//! Faults: expired deadlines, unreadable files, denied directories.

use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use forge_search_engine::Call;
use forge_search_engine::json::Json;
use serde_json::{Value, json};
use touchstone::case::{Case, Entry};
use touchstone::observation::STRUCTURED;

use crate::clauses_agent::asked::{
    Desk, asked_unprivileged, notices, over, page, paths, refusal, text,
};

const FILES: &[(&str, &str)] = &[("a", "foo\n"), ("b", "foo\n")];

fn timed_out(answer: &Value) {
    assert_eq!(
        (&answer["complete"], &answer["total_is_lower_bound"]),
        (&json!(false), &json!(true)),
        "{answer}"
    );
    assert!(
        answer["incomplete_because"].as_array().unwrap().contains(&json!("timeout")),
        "{answer}"
    );
    let notice = answer["notices"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["notice"] == "timeout")
        .unwrap();
    assert_eq!(notice["code"], json!("ACODE-SRC-004"));
    assert!(!text(&notice["message"]).is_empty());
}

/// Longest that a call of one second may take in a build that is not optimized.
const LATE: Duration = Duration::from_secs(4);

/// The tools that read, with what makes them read every byte of [`Desk::slow`].
fn thorough() -> [(&'static str, Value); 2] {
    [
        ("grep", json!({"pattern": "[a-z]+ ?[0-9]", "regex": true})),
        ("search_text", json!({"query": "klmnop zq9", "context_lines": 0})),
    ]
}

#[test]
fn a_search_over_its_deadline_returns_its_partial_results() {
    touchstone::verifies!(
        "FR-015b-35",
        "ACODE-SRC-004",
        "FM-015b-05",
        "NFR-015b-05",
        "BP-015b-10",
        "BP-015b-11",
        "CFGKEY-015b-timeout_seconds"
    );
    let desk = Desk::slow("timeout_seconds = 1");
    for (tool, request) in thorough() {
        let begun = Instant::now();
        let page = desk.page(tool, &request);
        let took = begun.elapsed();
        timed_out(&page);
        assert!(paths(&page).contains(&"a".to_owned()), "{tool}: {page}");
        assert!(took < LATE, "{tool}: {took:?}");
    }
    // Afterwards everything goes on as before.
    let page = desk.page("find_files", &json!({"pattern": "a"}));
    assert_eq!((paths(&page), &page["complete"]), (vec!["a".to_owned()], &json!(true)));
}

#[test]
fn a_path_search_over_its_deadline_returns_its_partial_results() {
    touchstone::verifies!("FR-015b-35", "ACODE-SRC-004", "FM-015b-05", "NFR-015b-05", "BP-015b-10");
    // Many globs, each of which fails late on each of many long names.
    let slow: Vec<String> =
        (0..256).map(|number| format!("{}{number}z?", "*a".repeat(20))).collect();
    let desk = Desk::over(&[("a", ""), ("b/c", "")], "timeout_seconds = 1");
    for number in 0..5_000 {
        fs::write(desk.place(&format!("b/{}{number:05}", "a".repeat(200))), "").unwrap();
    }
    let begun = Instant::now();
    let page = desk.page("find_files", &json!({"pattern": "*", "exclude_path": slow}));
    let took = begun.elapsed();
    timed_out(&page);
    assert_eq!(paths(&page).first().map(String::as_str), Some("a"));
    assert!(took < LATE, "{took:?}");
}

#[test]
fn the_overlay_file_shortens_the_deadline_of_a_search() {
    touchstone::verifies!("CFGKEY-015b-timeout_seconds", "NFR-015b-05");
    let desk = Desk::slow("timeout_seconds = 60");
    desk.write(".agent/config.yml", "tools:\n  search:\n    timeout_seconds: 1\n");
    let begun = Instant::now();
    let [(tool, request), _] = thorough();
    timed_out(&desk.page(tool, &request));
    assert!(begun.elapsed() < LATE, "{:?}", begun.elapsed());
}

#[test]
fn a_call_cancelled_while_running_returns_its_partial_results() {
    touchstone::verifies!("FR-015b-35", "ACODE-SRC-004", "FM-015b-05", "BP-015b-11");
    let desk = Desk::slow("timeout_seconds = 60");
    for (tool, request) in thorough() {
        let call = Call::new();
        let page = thread::scope(|scope| {
            let asked = scope.spawn(|| {
                desk.toolbox.call(&desk.session, tool, &Json(&request), &call).structured
            });
            // Two threads are at their second file at the latest then, so that `a` is done.
            let hung = Instant::now() + Duration::from_secs(60);
            while call.files_seen() < 3 {
                assert!(Instant::now() < hung && !asked.is_finished(), "{tool}");
                thread::yield_now();
            }
            call.cancel();
            asked.join().unwrap()
        });
        timed_out(&page);
        assert!(paths(&page).contains(&"a".to_owned()), "{tool}: {page}");
    }
}

#[test]
fn a_cancelled_call_ends_at_once_and_reports_it() {
    touchstone::verifies!("FR-015b-35", "BP-015b-10", "BP-015b-11", "ACODE-SRC-004");
    let desk = Desk::over(FILES, "");
    for (tool, request) in [
        ("grep", json!({"pattern": "foo"})),
        ("search_text", json!({"query": "foo"})),
        ("find_files", json!({"pattern": "*"})),
    ] {
        let call = Arc::new(Call::new());
        call.cancel();
        let answer = desk.toolbox.call(&desk.session, tool, &Json(&request), &call);
        assert!(!answer.is_error && !answer.complete, "{tool}");
        timed_out(&answer.structured);
        // The next call is another.
        let page = desk.page(tool, &request);
        assert_eq!((&page["total"], &page["complete"]), (&json!(2), &json!(true)), "{tool}");
    }
}

#[test]
fn an_unreadable_file_is_reported_and_the_rest_is_found() {
    touchstone::verifies!("NFR-015b-06", "AC-016", "FR-015b-14");
    for (tool, field) in [("grep", "pattern"), ("search_text", "query")] {
        let case = over(tool, FILES, json!({field: "foo", "context_lines": 0}));
        let case = case
            .with(Entry::file("c", "foo\n").unreadable())
            .with(Entry::dir("closed").unreadable());
        let page = asked_unprivileged(&case).unwrap()[STRUCTURED].clone();
        assert_eq!(
            (paths(&page), notices(&page)),
            (vec!["a".into(), "b".into()], vec!["errors".to_owned()])
        );
        assert_eq!(page["incomplete_because"], json!(["errors"]));
    }
}

#[test]
fn an_unreadable_file_beyond_max_files_is_not_reported() {
    touchstone::verifies!("FR-015b-14", "NFR-015b-06");
    for (tool, field) in [("grep", "pattern"), ("search_text", "query"), ("find_files", "pattern")]
    {
        let wanted = if tool == "find_files" { "*" } else { "foo" };
        let case = over(tool, FILES, json!({field: wanted}));
        let mut case = case
            .with(Entry::dir("aa").unreadable())
            .with(Entry::dir("bb").unreadable())
            .with(Entry::file("c", "foo\n"));
        case.config.max_files = Some(2);
        let page = asked_unprivileged(&case).unwrap()[STRUCTURED].clone();
        assert_eq!(paths(&page), ["a", "b"], "{tool}");
        let errors =
            page["notices"].as_array().unwrap().iter().find(|one| one["notice"] == "errors");
        let errors = text(&errors.unwrap_or_else(|| panic!("{page}"))["message"]);
        assert!(errors.starts_with("1 places") && errors.contains("`aa`"), "{tool}: {errors}");
    }
}

#[test]
fn files_above_the_size_limit_are_reported() {
    touchstone::verifies!("FM-015b-02", "FR-015b-14");
    let mut case =
        over("grep", &[("a", "foo\n"), ("b", &"foo ".repeat(100))], json!({"pattern": "foo"}));
    case.config.max_file_size_bytes = Some(100);
    let page = page(&case);
    assert_eq!(
        (paths(&page), notices(&page)),
        (vec!["a".to_owned()], vec!["max_file_size_bytes".to_owned()])
    );
    assert_eq!((&page["complete"], &page["total_is_lower_bound"]), (&json!(false), &json!(true)));
}

#[test]
fn a_failed_call_does_not_affect_later_calls() {
    touchstone::verifies!("NFR-015b-06", "AC-016");
    let desk = Desk::over(FILES, "");
    let before = desk.page("grep", &json!({"pattern": "foo"}));
    for (tool, wrong) in [
        ("grep", json!({"pattern": "(", "regex": true})),
        ("grep", json!({"pattern": "foo", "directory": "nowhere"})),
        ("search_text", json!(null)),
        ("find_files", json!({"pattern": ["*"]})),
        ("nothing", json!({})),
    ] {
        let answer = desk.call(tool, &wrong);
        assert!(
            answer.is_error && !text(&answer.structured["message"]).is_empty(),
            "{tool} {wrong}"
        );
        assert_eq!(desk.page("grep", &json!({"pattern": "foo"})), before);
    }
}

fn guarded() -> Case {
    let mut case =
        over("grep", &[("a", "foo\n"), ("secret/key", "foo\n"), ("sub/.env", "foo\n")], json!({}));
    case.tree.push(Entry::file("../outside/o", "foo\n"));
    case.tree.push(Entry::link("out", "../outside"));
    case.tree.push(Entry::link("file", "../outside/o"));
    case.config.deny = vec!["secret/".to_owned(), "**/.env".to_owned()];
    case
}

#[test]
fn files_outside_the_roots_or_denied_are_neither_found_nor_named() {
    touchstone::verifies!("SECC-015b-02", "SECC-015b-04", "FR-015b-23");
    for (tool, request) in [
        ("grep", json!({"pattern": "foo"})),
        ("search_text", json!({"query": "foo"})),
        ("find_files", json!({"pattern": "*"})),
        ("find_files", json!({"pattern": "**", "directory": "sub"})),
    ] {
        let mut case = guarded();
        (case.tool, case.request) = (tool.to_owned(), request.clone());
        let page = page(&case);
        let expected: &[&str] = if request.get("directory").is_some() { &[] } else { &["a"] };
        assert_eq!(paths(&page), expected, "{tool}");
        for word in ["secret", ".env", "outside"] {
            assert!(!page.to_string().contains(word), "{tool}: {word}");
        }
    }
    for directory in ["..", "../outside", "/etc", "out", "secret", "/", "a/../../outside"] {
        let mut case = guarded();
        case.request = json!({"pattern": "foo", "directory": directory});
        let error = refusal(&case);
        let told = (text(&error["error"]), text(&error["code"]));
        assert_eq!(
            told,
            ("path_not_allowed".to_owned(), "ACODE-SRC-006".to_owned()),
            "{directory}"
        );
    }
}

/// An answer does not reveal whether a denied path exists.
#[test]
fn a_forbidden_directory_is_refused_whether_or_not_it_exists() {
    touchstone::verifies!("SECC-015b-02", "SECC-015b-04");
    for directory in ["../nothing", "../outside", "secret", "secret/nothing"] {
        let mut case = guarded();
        case.request = json!({"pattern": "foo", "directory": directory});
        assert_eq!(text(&refusal(&case)["error"]), "path_not_allowed", "{directory}");
    }
}

#[test]
fn a_search_does_not_mark_files_as_read() {
    touchstone::verifies!("SECC-015b-04", "E-I29");
    let desk = Desk::over(FILES, "");
    desk.page("grep", &json!({"pattern": "foo"}));
    desk.page("search_text", &json!({"query": "foo"}));
    let tracker = desk.toolbox.service().read_tracker();
    assert!(!tracker.is_read(&desk.place("a")));
}
