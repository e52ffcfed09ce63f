use crate::{
    Arguments as _, ErrorClass, Limits, ToolError,
    requests::search::{Depth, Links, Request, Scope},
};
use serde_json::{Value, json};

use crate::json::Json;

const LIMITS: Limits = Limits {
    default_timeout_ms: 20_000,
    default_max_results: 200,
    max_matches_per_file: Some(50),
    max_files: 10_000,
    max_file_size_bytes: 2_000_000,
    max_output_bytes: 1 << 24,
    reading: crate::requests::Reading::Documents,
};

fn parse(request: &Value) -> Result<Request, ToolError> {
    Json(request).search(&LIMITS)
}

fn refused(request: &Value) -> (String, String) {
    let error = parse(request).unwrap_err();
    assert_eq!(error.class, ErrorClass::BadArgs, "{request}");
    (error.field.unwrap(), error.message)
}

#[test]
fn every_refusal_names_the_field_the_value_and_the_allowed_values() {
    let cases = [
        (json!([]), "request", "an array"),
        (json!({}), "pattern", "required"),
        (json!({"pattern": ""}), "pattern", "empty or blank"),
        (json!({"pattern": " \t"}), "pattern", "blank"),
        (json!({"pattern": "a\nb"}), "pattern", "line feed at byte 1"),
        (json!({"pattern": "a\u{0}"}), "pattern", "NUL at byte 1"),
        (json!({"pattern": "x".repeat(16_385)}), "pattern", "at most 16384"),
        (json!({"pattern": 1}), "pattern", "a string, got an integer"),
        (json!({"pattern": "a", "path": null}), "path", "got null"),
        (json!({"pattern": "a", "path": ""}), "path", "empty"),
        (json!({"pattern": "a", "case": "upper"}), "case", "smart, sensitive, insensitive"),
        (
            json!({"pattern": "a", "context": -1}),
            "context",
            "`context` is -1; allowed are 0 to 1000",
        ),
        (json!({"pattern": "a", "max_results": 0}), "max_results", "1 to 100000"),
        (json!({"pattern": "a", "max_results": 2.5}), "max_results", "with a fraction"),
        (json!({"pattern": "a", "max_results": 1e300}), "max_results", "1 to 100000"),
        (json!({"pattern": "a", "max_results": 0.0}), "max_results", "is 0; allowed are"),
        (json!({"pattern": "a", "max_results": u64::MAX}), "max_results", "1 to 100000"),
        (json!({"pattern": "a", "timeout_ms": 600_001}), "timeout_ms", "1 to 600000"),
        (json!({"pattern": "a", "max_matches_per_file": 51}), "max_matches_per_file", "1 to 50"),
        (json!({"pattern": "a", "max_files": 10_001}), "max_files", "1 to 10000"),
        (
            json!({"pattern": "a", "max_file_size_bytes": 2_000_001}),
            "max_file_size_bytes",
            "1 to 2000000",
        ),
        (json!({"pattern": "a", "fuzzy": 5}), "fuzzy", "1 to 4"),
        (json!({"pattern": "ab", "fuzzy": 1}), "fuzzy", "fixed_strings"),
        (json!({"pattern": "ab", "fuzzy": 2, "fixed_strings": true}), "fuzzy", "length of 2"),
        (json!({"pattern": "a", "include_glob": ["["]}), "include_glob", "no closing `]`"),
        (json!({"pattern": "a", "exclude_glob": [""]}), "exclude_glob", "empty"),
        (json!({"pattern": "a", "include_glob": ["a"], "glob": ["!b"]}), "glob", "leading `!`"),
        (json!({"pattern": "a", "glob": "*.rs"}), "glob", "an array of strings, got a string"),
        (json!({"pattern": "a", "hidden": "yes"}), "hidden", "true or false"),
    ];
    for (request, field, words) in cases {
        let (got, message) = refused(&request);
        assert_eq!(got, field, "{request}");
        assert!(message.contains(words), "{request}: {message}");
        assert!(message.starts_with(|c: char| c == '`' || c.is_lowercase()), "{message}");
        assert!(!message.ends_with('.'), "{message}");
    }
}

#[test]
fn an_unknown_field_is_refused_first_and_the_smallest_is_named() {
    assert_eq!(refused(&json!({"zz": 1, "aa": 1, "pattern": 7})).0, "aa");
}

#[test]
fn fields_are_checked_in_schema_order() {
    assert_eq!(refused(&json!({"fuzzy": 9, "context": -1, "pattern": "a"})).0, "context");
    assert_eq!(
        refused(&json!({"pattern": " ", "fuzzy": 9})).0,
        "fuzzy",
        "types and bounds come before meaning"
    );
}

#[test]
fn absent_fields_take_the_configured_defaults() {
    let request = parse(&json!({"pattern": "a"})).unwrap();
    assert_eq!((request.max_results, request.timeout_ms), (200, 20_000));
    assert_eq!(request.max_matches_per_file, Some(50));
    assert_eq!((request.max_files, request.max_file_size_bytes), (10_000, 2_000_000));
    let Scope { depth, hidden, links, no_ignore, .. } = request.scope;
    assert_eq!((depth, links, hidden, no_ignore), (Depth::Any, Links::Skip, false, false));
}

#[test]
fn a_whole_number_is_an_integer_however_json_spells_it() {
    for spelling in ["10", "10.0", "1e1", "100E-1", "1.0e+1"] {
        let text = format!(r#"{{"pattern": "a", "max_results": {spelling}, "context": -0.0}}"#);
        let request = parse(&crate::json::parse(&text).unwrap()).unwrap();
        assert_eq!((request.max_results, request.context), (10, 0), "{spelling}");
    }
}

#[test]
fn glob_applies_only_if_include_glob_is_absent_or_empty() {
    let include = |request: Value| parse(&request).unwrap().scope.include.len();
    assert_eq!(include(json!({"pattern": "a", "glob": ["x", "y"]})), 2);
    assert_eq!(include(json!({"pattern": "a", "glob": ["x", "y"], "include_glob": []})), 2);
    assert_eq!(include(json!({"pattern": "a", "glob": ["x", "y"], "include_glob": ["z"]})), 1);
}

#[test]
fn a_control_character_in_a_field_name_does_not_reach_the_message() {
    let (_, message) = refused(&json!({"pattern": "a", "\u{1b}[2J": 1}));
    assert!(!message.contains('\u{1b}'), "{message}");
}

#[test]
fn a_type_error_of_a_request_suggests_the_corrected_value() {
    for (request, mended) in [
        (json!({ "pattern": "a", "context": "2" }), "got a string; write `2`"),
        (json!({ "pattern": "a", "context": null }), "got null; leave it out instead"),
        (json!({ "pattern": "a", "hidden": "true" }), "got a string; write `true`"),
        (json!({ "pattern": "a", "include_glob": "*.rs" }), "got a string; write `[\"*.rs\"]`"),
        (json!({ "pattern": "a", "glob": "\u{7f}\u{202e}" }), "; write `[\"\\u007f\\u202e\"]`"),
        (
            json!({ "pattern": "a", "context": 2.5 }),
            "must be an integer, got a number with a fraction",
        ),
    ] {
        let message = refused(&request).1;
        assert!(message.ends_with(mended), "{message}");
    }
}
