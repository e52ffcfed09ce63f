use serde_json::{Value, json};

use crate::World;
use crate::search_files::Config;
use crate::search_files::tests::{agent, answer_under, refusal_under};

fn world() -> World {
    World::new()
        .file("a", "x\n")
        .file("sub/b", "x\n")
        .dir("empty")
        .unreadable_dir("closed")
        .link("out", "../o")
}

/// A request for `x` in the root, with these fields replaced.
fn with(fields: &Value) -> Value {
    let mut request = json!({"path": ".", "query": "x"});
    for (name, value) in fields.as_object().expect("an object") {
        request[name] = value.clone();
    }
    request
}

/// Class and field of the error of such a request.
fn refused_under(config: &Config, fields: &Value) -> (String, String) {
    refusal_under(config, &world(), &with(fields))
}

fn bad_args(fields: &Value) -> String {
    let (class, field) = refused_under(&agent(), fields);
    assert_eq!(class, "BadArgs", "{fields}");
    field
}

fn accepted(config: &Config, fields: &Value) -> Value {
    answer_under(config, &world(), &with(fields))
}

#[test]
fn a_request_that_is_no_object_is_refused() {
    for request in [json!(null), json!([]), json!("x"), json!(1)] {
        let refused = ("BadArgs".to_owned(), "request".to_owned());
        assert_eq!(refusal_under(&agent(), &world(), &request), refused);
    }
}

/// E-I01: fields of the other tools of this name are refused.
#[test]
fn an_unknown_field_is_refused_by_its_name() {
    let refused = |request: &Value| refusal_under(&agent(), &world(), request).1;
    assert_eq!(refused(&json!({"pattern": "x"})), "pattern");
    assert_eq!(refused(&json!({"pattern": "*.rs", "directory": "src"})), "directory");
    assert_eq!(bad_args(&json!({"max_result": 1, "Mode": "exact"})), "Mode");
    assert_eq!(bad_args(&json!({"timeout_ms": 1, "mode": 1})), "timeout_ms");
}

/// SCHEMA-SF: the first in schema order is reported.
#[test]
fn fields_are_checked_in_schema_order() {
    let refused = |request: &Value| refusal_under(&agent(), &world(), request).1;
    assert_eq!(refused(&json!({})), "path");
    assert_eq!(refused(&json!({"path": "."})), "query");
    assert_eq!(refused(&json!({"query": 1})), "path");
    for (field, value) in [
        ("path", json!(null)),
        ("query", json!(["x"])),
        ("mode", json!("Exact")),
        ("case", json!("fuzzy")),
        ("recursive", json!("true")),
        ("max_depth", json!(0)),
        ("max_depth", json!(1.5)),
        ("max_results", json!(-1)),
        ("max_matches_per_file", json!("1")),
        ("max_file_size_bytes", json!(0)),
        ("max_files", json!(null)),
        ("context_lines", json!(1001)),
        ("include_hidden", json!(0)),
        ("follow_symlinks", json!(null)),
        ("respect_gitignore", json!("no")),
        ("include_globs", json!("*")),
        ("exclude_globs", json!([1])),
    ] {
        let mut fields = json!({"exclude_globs": 1});
        fields[field] = value;
        assert_eq!(bad_args(&fields), field);
    }
}

/// FR-SF-VAL-04, CFG-SF-02.
#[test]
fn a_value_above_its_hard_cap_is_refused() {
    let config = Config {
        max_depth: 3,
        max_results: 3,
        max_matches_per_file: Some(3),
        max_file_size_bytes: 3,
        max_files: 3,
        ..agent()
    };
    for field in
        ["max_depth", "max_results", "max_matches_per_file", "max_file_size_bytes", "max_files"]
    {
        let mut fields = json!({});
        fields[field] = json!(3);
        accepted(&config, &fields);
        fields[field] = json!(4);
        assert_eq!(refused_under(&config, &fields), ("BadArgs".to_owned(), field.to_owned()));
    }
    let no_cap = json!({"max_matches_per_file": 9_007_199_254_740_992_u64});
    accepted(&agent(), &no_cap);
    assert_eq!(
        bad_args(&json!({"max_matches_per_file": 9_007_199_254_740_993_u64})),
        "max_matches_per_file"
    );
}

#[test]
fn defaults_come_from_the_configuration() {
    let config = Config {
        mode_default: "regex".to_owned(),
        case_default: "sensitive".to_owned(),
        max_results: 7,
        ..agent()
    };
    let answer = accepted(&config, &json!({"query": "x|y"}));
    assert_eq!((&answer["mode"], &answer["case"]), (&json!("regex"), &json!("sensitive")));
    assert_eq!(answer["max_results"], 7);
    let answer =
        accepted(&config, &json!({"mode": "exact", "case": "insensitive", "max_results": 2}));
    assert_eq!((&answer["mode"], &answer["case"]), (&json!("exact"), &json!("insensitive")));
    assert_eq!(answer["max_results"], 2);
}

/// FR-SF-VAL-01, FR-SF-VAL-02.
#[test]
fn blank_or_invalid_paths_and_queries_are_refused() {
    for blank in ["", " ", "\t\u{a0}\u{2003}", "\u{3000}"] {
        assert_eq!(bad_args(&json!({"path": blank})), "path");
        assert_eq!(bad_args(&json!({"query": blank})), "query");
    }
    assert_eq!(bad_args(&json!({"path": "a\0", "query": ""})), "path");
    for query in ["a\n", "\0a", &"y".repeat(16_385)] {
        assert_eq!(bad_args(&json!({"query": query})), "query");
    }
    let long = "y".repeat(16_384);
    assert_eq!(accepted(&agent(), &json!({"query": long}))["query"], long.as_str());
    assert_eq!(accepted(&agent(), &json!({"query": " x"}))["query"], " x");
}

/// FR-SF-VAL-03.
#[test]
fn without_recursion_max_depth_is_one() {
    accepted(&agent(), &json!({"recursive": false}));
    accepted(&agent(), &json!({"recursive": false, "max_depth": 1}));
    assert_eq!(bad_args(&json!({"recursive": false, "max_depth": 2})), "max_depth");
    // A smaller default depth is no request.
    accepted(&Config { max_depth: 1, ..agent() }, &json!({"recursive": false}));
}

#[test]
fn include_globs_are_checked_before_exclude_globs() {
    assert_eq!(bad_args(&json!({"include_globs": ["["], "exclude_globs": ["["]})), "include_globs");
    assert_eq!(
        bad_args(&json!({"include_globs": ["*"], "exclude_globs": ["!a"]})),
        "exclude_globs"
    );
    let many = |count: usize| json!({"exclude_globs": vec!["q"; count]});
    accepted(&agent(), &many(256));
    assert_eq!(bad_args(&many(257)), "exclude_globs");
    assert_eq!(bad_args(&json!({"include_globs": ["q".repeat(4_097)]})), "include_globs");
}

/// FR-SF-VAL-05, E-G09: the backend is checked before the length.
#[test]
fn approximate_searches_need_the_native_backend_and_a_short_query() {
    let fuzzy = |length: usize| json!({"mode": "fuzzy", "query": "é".repeat(length)});
    accepted(&agent(), &fuzzy(1_024));
    assert_eq!(bad_args(&fuzzy(1_025)), "query");
    let external = Config { backend_is_native: false, ..agent() };
    assert_eq!(refused_under(&external, &fuzzy(1_025)).1, "mode");
    accepted(&external, &json!({"query": "é".repeat(1_025)}));
}

/// FR-SF-SRC-02, T-SF-02.
#[test]
fn an_invalid_expression_is_refused_in_mode_regex_only() {
    for query in ["(", r"a\nb", r"(?-u:\xff)", "x{10000}{10000}"] {
        assert_eq!(bad_args(&json!({"mode": "regex", "query": query})), "query");
        accepted(&agent(), &json!({"query": query}));
    }
}

/// T-SF-03, T-SF-04, FR-SF-VAL-06, FR-SF-VAL-07.
#[test]
fn the_path_must_lead_to_a_directory_inside_the_sandbox() {
    let class = |path: &str| {
        let (class, field) = refused_under(&agent(), &json!({"path": path}));
        assert_eq!(field, "path", "{path}");
        class
    };
    for path in ["..", "../o", "sub/../..", "/etc", "out"] {
        assert_eq!(class(path), "SandboxViolation", "{path}");
    }
    for path in ["nope", "a", "a/b", "closed", "closed/x", " ."] {
        assert_eq!(class(path), "ExecutionFailed", "{path}");
    }
    let mut denying = agent();
    denying.search.deny = vec!["sub".to_owned()];
    assert_eq!(refused_under(&denying, &json!({"path": "sub"})).0, "SandboxViolation");
    for path in ["sub", "sub/", "{root}/sub", "./empty/../sub"] {
        assert_eq!(accepted(&agent(), &json!({"path": path}))["path"], "sub", "{path}");
    }
}

/// CFG-SF-03: checked after the request.
#[test]
fn a_missing_backend_fails_every_valid_call() {
    let config = Config { backend_available: false, ..agent() };
    assert_eq!(
        refused_under(&config, &json!({})),
        ("ExecutionFailed".to_owned(), "backend".to_owned())
    );
    assert_eq!(refused_under(&config, &json!({"path": "nope"})).1, "path");
}
