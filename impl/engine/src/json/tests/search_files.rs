use crate::{
    Arguments as _, ErrorClass, Mode, ToolError,
    requests::{
        Caps, CaseMode,
        search::{Depth, Links},
        search_files::Request,
    },
};
use serde_json::{Value, json};

use crate::json::Json;

/// A request with these fields beside the two that have to be there.
#[expect(clippy::needless_pass_by_value, reason = "a request is written where it is parsed")]
fn parse(fields: Value) -> Result<Request, ToolError> {
    parse_over(&fields, true)
}

fn parse_over(fields: &Value, can_fuzzy: bool) -> Result<Request, ToolError> {
    let mut request = json!({ "path": ".", "query": "foo" });
    for (name, value) in fields.as_object().unwrap() {
        request[name] = value.clone();
    }
    Json(&request).search_files(&Caps::documents(), can_fuzzy)
}

fn refused(fields: Value) -> (String, String) {
    let error = parse(fields).unwrap_err();
    assert_eq!(error.class, ErrorClass::BadArgs);
    (error.field.unwrap(), error.message)
}

#[test]
fn absent_fields_take_the_configured_defaults() {
    let request = parse(json!({})).unwrap();
    assert_eq!((request.mode, request.case), (Mode::Exact, CaseMode::Smart));
    assert_eq!((request.max_results, request.max_matches_per_file), (200, Some(20)));
    assert_eq!((request.max_file_size_bytes, request.max_files), (2_000_000, 5_000));
    assert_eq!((request.scope.depth, request.scope.links), (Depth::AtMost(12), Links::Skip));
    assert!(!request.scope.hidden && !request.scope.no_ignore);
    assert_eq!(request.context_lines, 0);
}

#[test]
fn a_value_at_its_cap_is_accepted_and_one_above_is_refused() {
    for (field, cap) in [
        ("max_results", 200),
        ("max_matches_per_file", 20),
        ("max_file_size_bytes", 2_000_000),
        ("max_files", 5_000),
        ("max_depth", 12),
        ("context_lines", 1_000),
    ] {
        assert!(parse(json!({ field: cap })).is_ok(), "{field}");
        let (found, message) = refused(json!({ field: cap + 1 }));
        assert_eq!(found, field);
        assert!(
            message.contains(&(cap + 1).to_string()) && message.contains(&format!("to {cap}")),
            "{message}"
        );
    }
    for field in
        ["max_results", "max_matches_per_file", "max_file_size_bytes", "max_files", "max_depth"]
    {
        assert_eq!(refused(json!({ field: 0 })).0, field);
    }
}

#[test]
fn a_non_recursive_search_has_depth_one() {
    assert_eq!(parse(json!({ "recursive": false })).unwrap().scope.depth, Depth::Children);
    assert_eq!(
        parse(json!({ "recursive": false, "max_depth": 1 })).unwrap().scope.depth,
        Depth::Children
    );
    assert_eq!(
        parse(json!({ "recursive": true, "max_depth": 1 })).unwrap().scope.depth,
        Depth::AtMost(1)
    );
    assert_eq!(refused(json!({ "recursive": false, "max_depth": 2 })).0, "max_depth");
}

#[test]
fn blank_texts_and_unknown_fields_are_refused() {
    for blank in ["", " ", "\u{a0}\t"] {
        assert_eq!(refused(json!({ "path": blank })).0, "path");
        assert_eq!(refused(json!({ "query": blank })).0, "query");
    }
    assert_eq!(refused(json!({ "pattern": "x" })).0, "pattern");
    assert_eq!(refused(json!({ "query": "a\nb" })).0, "query");
    assert_eq!(refused(json!({ "max_depth": null })).0, "max_depth");
    assert_eq!(refused(json!({ "mode": "glob" })).0, "mode");
    assert_eq!(refused(json!({ "include_globs": ["[a"] })).0, "include_globs");
}

#[test]
fn fuzzy_mode_needs_a_capable_backend_and_a_query_of_bounded_length() {
    assert!(parse_over(&json!({ "mode": "exact" }), false).is_ok());
    let error = parse_over(&json!({ "mode": "fuzzy" }), false).unwrap_err();
    assert_eq!((error.class, error.field.as_deref()), (ErrorClass::BadArgs, Some("mode")));
    assert!(parse(json!({ "mode": "fuzzy", "query": "é".repeat(1_024) })).is_ok());
    assert_eq!(refused(json!({ "mode": "fuzzy", "query": "x".repeat(1_025) })).0, "query");
}
