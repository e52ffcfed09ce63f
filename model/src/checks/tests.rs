use serde_json::{Value, json};

use crate::generated::search::SEARCH;
use crate::tables::{Check, ErrorCheck, ErrorField, SearchTables};
use crate::tests::{agent, answer, refusal_under, short};
use crate::{Config, World, search};

fn world() -> World {
    World::new()
        .file("a.txt", "needle ſun café\n")
        .unreadable_file("no.txt", "x")
        .fifo("pipe")
        .dir("empty")
}

/// Asserts class and field of the error under the agent preset.
fn refused(request: &Value, class: &str, field: &str) {
    assert_eq!(
        refusal_under(&agent(), &world(), request),
        (class.to_owned(), field.to_owned()),
        "{request}"
    );
}

#[test]
fn each_check_refuses_its_error() {
    let long = "a".repeat(16_385);
    let rows = [
        (json!([1]), "BadArgs", "request"),
        (json!({"pattern": "x", "b": 1, "a": 1}), "BadArgs", "a"),
        (json!({"pattern": "x", "Pattern": 1}), "BadArgs", "Pattern"),
        (json!({}), "BadArgs", "pattern"),
        (json!({"pattern": 7}), "BadArgs", "pattern"),
        (json!({"pattern": null}), "BadArgs", "pattern"),
        (json!({"pattern": "x", "path": null}), "BadArgs", "path"),
        (json!({"pattern": "x", "case": "Smart"}), "BadArgs", "case"),
        (json!({"pattern": "x", "hidden": "yes"}), "BadArgs", "hidden"),
        (json!({"pattern": "x", "glob": "*.rs"}), "BadArgs", "glob"),
        (json!({"pattern": "x", "include_glob": ["a", 1]}), "BadArgs", "include_glob"),
        (json!({"pattern": ""}), "BadArgs", "pattern"),
        (json!({"pattern": " \t\u{3000}\u{a0}"}), "BadArgs", "pattern"),
        (json!({"pattern": "a\nb", "fixed_strings": true}), "BadArgs", "pattern"),
        (json!({"pattern": "a\u{0}b"}), "BadArgs", "pattern"),
        (json!({"pattern": long}), "BadArgs", "pattern"),
        (json!({"pattern": "x", "path": ""}), "BadArgs", "path"),
        (json!({"pattern": "x", "path": "a\u{0}"}), "BadArgs", "path"),
        (json!({"pattern": "x", "include_glob": ["["]}), "BadArgs", "include_glob"),
        (json!({"pattern": "x", "exclude_glob": [""]}), "BadArgs", "exclude_glob"),
        (json!({"pattern": "x", "glob": ["!a"], "include_glob": ["a"]}), "BadArgs", "glob"),
        (json!({"pattern": "x", "glob": vec!["a"; 257]}), "BadArgs", "glob"),
        (json!({"pattern": "x", "glob": ["a".repeat(4_097)]}), "BadArgs", "glob"),
        (json!({"pattern": "abc", "fuzzy": 1}), "BadArgs", "fuzzy"),
        (json!({"pattern": "日本", "fuzzy": 2, "fixed_strings": true}), "BadArgs", "fuzzy"),
        (json!({"pattern": "("}), "BadArgs", "pattern"),
        (json!({"pattern": "need(?=le)"}), "BadArgs", "pattern"),
        (json!({"pattern": "x", "path": "../a"}), "SandboxViolation", "path"),
        (json!({"pattern": "x", "path": "/etc/nope"}), "SandboxViolation", "path"),
        (json!({"pattern": "x", "path": "nope"}), "ExecutionFailed", "path"),
        (json!({"pattern": "x", "path": "no.txt"}), "ExecutionFailed", "path"),
        (json!({"pattern": "x", "path": "pipe"}), "ExecutionFailed", "path"),
        (json!({"pattern": "x", "path": "a.txt/b"}), "ExecutionFailed", "path"),
    ];
    for (request, class, field) in rows {
        refused(&request, class, field);
    }
}

#[test]
fn bounds_are_inclusive() {
    let rows = [
        ("context", 0, 1_000),
        ("max_results", 1, 100_000),
        ("timeout_ms", 1, 600_000),
        ("max_matches_per_file", 1, 9_007_199_254_740_992_u64),
        ("max_files", 1, 1_000_000),
        ("max_file_size_bytes", 1, 33_554_432),
    ];
    for (field, minimum, maximum) in rows {
        for inside in [minimum, maximum] {
            answer(&world(), &json!({"pattern": "x", field: inside}));
        }
        refused(
            &json!({"pattern": "x", field: i128_json(i128::from(minimum) - 1)}),
            "BadArgs",
            field,
        );
        refused(&json!({"pattern": "x", field: maximum + 1}), "BadArgs", field);
    }
    let fuzzy = |level: u64| json!({"pattern": "abcdef", "fixed_strings": true, "fuzzy": level});
    answer(&world(), &fuzzy(1));
    answer(&world(), &fuzzy(4));
    refused(&fuzzy(0), "BadArgs", "fuzzy");
    refused(&fuzzy(5), "BadArgs", "fuzzy");
}

fn i128_json(number: i128) -> Value {
    serde_json::from_str(&number.to_string()).expect("a number")
}

#[test]
fn numbers_are_integers_without_fraction_or_exponent() {
    for number in ["2.5", "-1", "1.5", "18446744073709551616", "\"2\"", "true"] {
        let value: Value = serde_json::from_str(number).expect("valid JSON");
        refused(&json!({"pattern": "x", "max_results": value}), "BadArgs", "max_results");
    }
}

/// E-D10.
#[test]
fn the_largest_number_of_results_is_bounded() {
    refused(&json!({"pattern": "x", "max_results": u64::MAX}), "BadArgs", "max_results");
}

#[test]
fn configured_caps_bound_the_request_and_are_its_defaults() {
    let mut config = agent();
    config.max_matches_per_file = Some(2);
    config.max_files = 3;
    config.max_file_size_bytes = 10;
    for (field, cap) in [("max_matches_per_file", 2), ("max_files", 3), ("max_file_size_bytes", 10)]
    {
        let request = json!({"pattern": "x", field: cap + 1});
        assert_eq!(refusal_under(&config, &world(), &request).1, field);
    }
}

#[test]
fn the_first_failing_check_decides_the_refusal() {
    // Each request breaks the rule of its row and all later rules.
    let rows = [
        (json!({"pattern": "", "zzz": 1, "path": "", "glob": ["["], "fuzzy": 9}), "zzz"),
        (json!({"pattern": "", "path": "", "glob": ["["], "fuzzy": 9}), "fuzzy"),
        (json!({"pattern": "", "path": "", "glob": ["["], "fuzzy": 1}), "pattern"),
        (json!({"pattern": "(", "path": "", "glob": ["["], "fuzzy": 1}), "path"),
        (
            json!({"pattern": "(", "path": "..", "exclude_glob": ["["], "glob": ["["], "fuzzy": 1}),
            "exclude_glob",
        ),
        (json!({"pattern": "(", "path": "..", "glob": ["["], "fuzzy": 1}), "glob"),
        (json!({"pattern": "(", "path": "..", "fuzzy": 1}), "fuzzy"),
        (json!({"pattern": "(", "path": ".."}), "pattern"),
        (json!({"pattern": "x", "path": ".."}), "path"),
    ];
    let mut config = agent();
    config.backend_available = false;
    for (request, field) in rows {
        assert_eq!(refusal_under(&config, &world(), &request).1, field, "{request}");
    }
    let last = refusal_under(&config, &world(), &json!({"pattern": "x"}));
    assert_eq!(last, ("ExecutionFailed".to_owned(), "backend".to_owned()));
}

#[test]
fn tool_name_and_enabled_are_checked_before_the_request() {
    let mut config = agent();
    config.enabled = false;
    let refused = |tool: &str| {
        search(&world(), &config, tool, &json!(1)).canonical().clone().expect_err("refused")
    };
    assert_eq!(refused("grep").field, "tool");
    let disabled = refused("rg");
    assert_eq!((disabled.class.as_str(), disabled.field.as_str()), ("ExecutionFailed", "enabled"));
}

/// E-F03.
#[test]
fn a_pattern_is_trimmed_for_the_blank_test_only() {
    let world = World::new().file("a", "foo\n bar foo\n");
    let found = answer(&world, &json!({"pattern": " foo", "fixed_strings": true}));
    assert_eq!(short(&found), ["a:2:5: foo"]);
}

/// E-F15.
#[test]
fn glob_applies_if_include_glob_is_empty() {
    let world = World::new().file("a.rs", "x\n").file("a.txt", "x\n");
    let matches = |request: Value| short(&answer(&world, &request));
    assert_eq!(
        matches(json!({"pattern": "x", "include_glob": [], "glob": ["*.rs"]})),
        ["a.rs:1:1:x"]
    );
    assert_eq!(matches(json!({"pattern": "x", "glob": ["*.rs"]})), ["a.rs:1:1:x"]);
    assert_eq!(
        matches(json!({"pattern": "x", "include_glob": ["*.txt"], "glob": ["*.rs"]})),
        ["a.txt:1:1:x"]
    );
}

/// E-F09: the error of a path outside the sandbox does not show whether it exists.
#[test]
fn leaving_the_sandbox_is_reported_before_existence() {
    for path in ["/etc/nope", "../nope", "sub/../../nope", "{root}/../x", "{root}x"] {
        refused(&json!({"pattern": "x", "path": path}), "SandboxViolation", "path");
    }
}

/// E-F01, E-F05: no part of a request is an option, nor does `-` mean standard input.
#[test]
fn dashes_are_ordinary_characters() {
    let world = World::new().file("-", "--files -e\n").file("-l", "--pre=sh\n");
    assert_eq!(short(&answer(&world, &json!({"pattern": "--files"}))), ["-:1:1:--files"]);
    assert_eq!(
        short(&answer(&world, &json!({"pattern": "--pre=", "path": "-l"}))),
        ["-l:1:1:--pre="]
    );
    assert_eq!(answer(&world, &json!({"pattern": "-e", "path": "-"})).path, "-");
    refused(&json!({"pattern": "x", "path": "-"}), "ExecutionFailed", "path");
}

/// A table with its rows moved or removed runs as it is.
#[test]
fn the_order_of_checks_follows_the_table() {
    static MOVED: [ErrorCheck; 2] = [
        ErrorCheck {
            check: Check::BackendAvailable,
            class: "Other",
            field: ErrorField::Named("first"),
        },
        ErrorCheck {
            check: Check::ToolKnown,
            class: "BadArgs",
            field: ErrorField::Named("second"),
        },
    ];
    static TABLES: SearchTables = SearchTables { checks: &MOVED, ..SEARCH };
    static UNCHECKED: SearchTables = SearchTables { checks: &[], ..SEARCH };
    let mut config = agent();
    config.tables = &TABLES;
    let refused = |config: &Config, request: &Value| {
        search(&world(), config, "nope", request)
            .canonical()
            .clone()
            .map(drop)
            .expect_err("refused")
            .field
    };
    assert_eq!(refused(&config, &json!({"pattern": "x"})), "second");
    config.backend_available = false;
    assert_eq!(refused(&config, &json!({"pattern": "x"})), "first");

    config.tables = &UNCHECKED;
    assert_eq!(refused(&config, &json!({"pattern": "("})), "tables");
    assert!(search(&world(), &config, "nope", &json!({"pattern": "x"})).canonical().is_ok());
}
