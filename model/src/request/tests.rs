use serde_json::{Value, json};

use super::{Case, Request, read, unknown_field};
use crate::Config;
use crate::tests::agent;

fn request(config: &Config, value: &Value) -> Result<Request, String> {
    read(value.as_object().expect("an object"), config)
}

/// E-F13, E-B16: defaults come from the configuration, never from the schema.
#[test]
fn absent_fields_have_the_configured_values() {
    let mut config = agent();
    config.default_max_results = 7;
    config.max_matches_per_file = Some(5);
    config.max_files = 11;
    config.max_file_size_bytes = 13;
    let read = request(&config, &json!({"pattern": " x "})).expect("valid");
    let expected = Request {
        pattern: " x ".to_owned(),
        path: None,
        case: Case::Smart,
        folded: crate::fold::Fold::Ascii,
        fixed_strings: false,
        word_regexp: false,
        include_glob: Vec::new(),
        exclude_glob: Vec::new(),
        glob: Vec::new(),
        recursive: true,
        hidden: false,
        follow: false,
        no_ignore: false,
        context: 0,
        max_results: Some(7),
        max_matches_per_file: Some(5),
        max_files: Some(11),
        max_file_size_bytes: Some(13),
        fuzzy: None,
    };
    assert_eq!(read, expected);
    let unlimited = request(&agent(), &json!({"pattern": "x"})).expect("valid");
    assert_eq!(unlimited.max_matches_per_file, None);
}

#[test]
fn given_fields_override_defaults() {
    let given = json!({
        "pattern": "x", "path": "p", "case": "insensitive", "fixed_strings": true, "word_regexp": true,
        "include_glob": ["i"], "exclude_glob": ["e"], "glob": ["g"], "recursive": false, "hidden": true,
        "follow": true, "no_ignore": true, "context": 1, "max_results": 2, "max_matches_per_file": 3,
        "max_files": 4, "max_file_size_bytes": 5, "timeout_ms": 6, "fuzzy": 4,
    });
    let expected = Request {
        pattern: "x".to_owned(),
        path: Some("p".to_owned()),
        case: Case::Insensitive,
        folded: crate::fold::Fold::Ascii,
        fixed_strings: true,
        word_regexp: true,
        include_glob: vec!["i".to_owned()],
        exclude_glob: vec!["e".to_owned()],
        glob: vec!["g".to_owned()],
        recursive: false,
        hidden: true,
        follow: true,
        no_ignore: true,
        context: 1,
        max_results: Some(2),
        max_matches_per_file: Some(3),
        max_files: Some(4),
        max_file_size_bytes: Some(5),
        fuzzy: Some(4),
    };
    assert_eq!(request(&agent(), &given), Ok(expected));
}

#[test]
fn the_first_invalid_field_in_schema_order_is_reported() {
    let wrong = json!({"fuzzy": 0, "hidden": 1, "pattern": "x", "case": "no"});
    assert_eq!(request(&agent(), &wrong), Err("case".to_owned()));
    assert_eq!(request(&agent(), &json!({"path": 1})), Err("pattern".to_owned()));
}

/// E-F16.
#[test]
fn the_bytewise_smallest_unknown_field_is_reported() {
    let value = json!({"pattern": "x", "é": 1, "globs": 1, "Zed": 1});
    let object = value.as_object().expect("an object");
    assert_eq!(unknown_field(object, &agent()).as_deref(), Some("Zed"));
    assert_eq!(unknown_field(&serde_json::Map::new(), &agent()), None);
}
