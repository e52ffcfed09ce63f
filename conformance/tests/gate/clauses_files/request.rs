//! Sections 3.1 and 3.2: how the tool is declared, and which requests it refuses.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use forge_search_engine::json::JsonCalls as _;
use forge_search_engine::search_files_definition;
use serde_json::{Value, json};
use touchstone::case::{Case, CasePreset, Entry};
use touchstone::subject::Backend;

use super::asked::{
    answer, asked, asked_over, bad_args, call, configured, in_documents, matches, of, over,
    refusal, table, text,
};
use super::clauses::Ground;

/// The schema as the document prints it.
const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "path": { "type": "string" },
    "query": { "type": "string" },
    "mode": { "type": "string", "enum": ["exact", "regex", "fuzzy"], "default": "exact" },
    "case": { "type": "string", "enum": ["sensitive", "insensitive", "smart"], "default": "smart" },
    "recursive": { "type": "boolean", "default": true },
    "max_depth": { "type": "integer", "minimum": 1 },
    "max_results": { "type": "integer", "minimum": 1 },
    "max_matches_per_file": { "type": "integer", "minimum": 1 },
    "max_file_size_bytes": { "type": "integer", "minimum": 1 },
    "max_files": { "type": "integer", "minimum": 1 },
    "context_lines": { "type": "integer", "minimum": 0, "default": 0 },
    "include_hidden": { "type": "boolean", "default": false },
    "follow_symlinks": { "type": "boolean", "default": false },
    "respect_gitignore": { "type": "boolean", "default": true },
    "include_globs": { "type": "array", "items": { "type": "string" } },
    "exclude_globs": { "type": "array", "items": { "type": "string" } }
  },
  "required": ["path", "query"]
}"#;

/// The four caps that clause 04 names, and depth; with their values in the document.
const CAPS: [(&str, u64); 5] = [
    ("max_results", 200),
    ("max_matches_per_file", 20),
    ("max_file_size_bytes", 2_000_000),
    ("max_files", 5_000),
    ("max_depth", 12),
];

fn with(field: &str, value: Value) -> Case {
    let mut case = over(&[("a.txt", "foo\n")], json!({"query": "foo"}));
    case.request[field] = value;
    case
}

#[test]
fn the_tool_is_declared_as_in_the_document() {
    touchstone::verifies!("FR-SF-DEF-01", "FR-SF-DEF-02", "FR-SF-DEF-03", "FR-SF-DEF-04");
    let declared = serde_json::to_value(search_files_definition()).unwrap();
    assert_eq!(declared["name"], "search_files");
    assert_eq!(declared["description"], "Search file contents");
    assert_eq!(declared["is_side_effecting"], false);
    assert_eq!(declared["requires_approval"], false);
    assert_eq!(declared["risk"], "Low");
}

#[test]
fn a_tool_name_must_match_exactly() {
    touchstone::verifies!("FR-SF-DEF-01");
    let ground = Ground::of(&over(&[("a", "foo\n")], json!({"query": "foo"})));
    let service = ground.service(table(""));
    for name in ["Search_Files", "searchfiles", "search_files "] {
        let error = service.call(name, &json!({"path": ".", "query": "foo"})).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("tool"), "{name}");
    }
}

/// What a tree holds and when it was last changed.
fn state(directory: &Path, into: &mut BTreeMap<PathBuf, (SystemTime, Vec<u8>)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let metadata = path.symlink_metadata().unwrap();
        let held = if metadata.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        into.insert(path.clone(), (metadata.modified().unwrap(), held));
        if metadata.is_dir() {
            state(&path, into);
        }
    }
}

#[test]
fn a_call_changes_nothing_on_the_disk() {
    touchstone::verifies!("FR-SF-DEF-03");
    let case = over(
        &[("a/x", "foo\n"), ("a/b/y", "foo\n"), (".gitignore", "z\n"), ("z", "foo\n")],
        json!({}),
    );
    let ground = Ground::of(&case);
    let service = ground.service(table(""));
    let tree = || {
        let mut seen = BTreeMap::new();
        state(ground.root(), &mut seen);
        seen
    };
    let before = tree();
    for request in [
        json!({"path": ".", "query": "foo", "respect_gitignore": false}),
        json!({"path": "a", "query": "fo+", "mode": "regex"}),
        json!({"path": ".", "query": "fao", "mode": "fuzzy"}),
    ] {
        call(&service, &request);
    }
    assert_eq!(tree(), before);
}

#[test]
fn the_schema_equals_the_document_and_unknown_fields_are_refused() {
    touchstone::verifies!("SCHEMA-SF");
    let mut schema = search_files_definition().input_schema;
    assert_eq!(schema["additionalProperties"], false);
    schema.as_object_mut().unwrap().remove("additionalProperties");
    assert_eq!(schema, serde_json::from_str::<Value>(SCHEMA).unwrap());
    assert!(
        bad_args(&in_documents(with("pattern", json!("foo"))), "pattern")
            .contains("unknown field `pattern`")
    );
}

#[test]
fn every_field_is_checked_for_type_values_and_bounds_of_the_schema() {
    touchstone::verifies!("SCHEMA-SF", "FR-SF-ERR-01", "E-D10");
    let texts = [json!(1), json!(null), json!(["a"]), json!(true)];
    let flags = [json!("true"), json!(0), json!(null)];
    let numbers =
        [json!(0), json!(-1), json!(1.5), json!(0.0), json!("1"), json!(null), json!(true)];
    let lists = [json!("*.c"), json!([1]), json!([null]), json!(null), json!({})];
    let choices = [json!("Exact"), json!(""), json!("any"), json!(1), json!(null)];
    let table: [(&[&str], &[Value]); 5] = [
        (&["path", "query"], &texts),
        (&["mode", "case"], &choices),
        (&["recursive", "include_hidden", "follow_symlinks", "respect_gitignore"], &flags),
        (
            &[
                "max_depth",
                "max_results",
                "max_matches_per_file",
                "max_file_size_bytes",
                "max_files",
            ],
            &numbers,
        ),
        (&["include_globs", "exclude_globs"], &lists),
    ];
    for (fields, values) in table {
        for (field, value) in
            fields.iter().flat_map(|field| values.iter().map(move |value| (field, value)))
        {
            let error =
                asked_over(&in_documents(with(field, value.clone())), Backend::Native).unwrap_err();
            assert_eq!(
                (&error["class"], &error["field"]),
                (&json!("BadArgs"), &json!(field)),
                "{value}"
            );
            assert!(error["message"].as_str().unwrap().contains(&format!("`{field}`")), "{error}");
        }
    }
    for value in [json!(-1), json!(0.5), json!("0"), json!(null)] {
        bad_args(&in_documents(with("context_lines", value)), "context_lines");
    }
    // The schema has no upper bound, the configuration of all tools has (E-D10).
    for value in [json!(1_001), json!(u64::MAX)] {
        assert!(bad_args(&with("context_lines", value), "context_lines").contains("1000"));
    }
    for lines in [0, 1_000] {
        assert_eq!(matches(&answer(&with("context_lines", json!(lines)))), ["a.txt:1:1:foo"]);
    }
    for field in ["path", "query"] {
        let mut case = with("mode", json!("exact"));
        case.request.as_object_mut().unwrap().remove(field);
        assert!(bad_args(&case, field).contains("required"), "{field}");
    }
    for request in [json!([]), json!("foo"), json!(null)] {
        let mut case = with("mode", json!("exact"));
        case.request = request;
        bad_args(&case, "request");
    }
}

#[test]
fn absent_fields_have_the_defaults_of_the_schema() {
    touchstone::verifies!("SCHEMA-SF");
    let files = [
        ("a.txt", "foo Foo f.o\n"),
        ("sub/deep/b", "foo\n"),
        (".hidden", "foo\n"),
        ("ign", "foo\n"),
        (".gitignore", "ign\n"),
    ];
    let mut case = over(&files, json!({"query": "f.o"})).with(Entry::link("link", "a.txt"));
    let silent = text(&case);
    for (field, value) in [
        ("mode", json!("exact")),
        ("case", json!("smart")),
        ("recursive", json!(true)),
        ("context_lines", json!(0)),
        ("include_hidden", json!(false)),
        ("follow_symlinks", json!(false)),
        ("respect_gitignore", json!(true)),
        ("include_globs", json!([])),
        ("exclude_globs", json!([])),
    ] {
        case.request[field] = value;
        assert_eq!(text(&case), silent, "{field}");
    }
    case.request["query"] = json!("foo");
    assert_eq!(matches(&answer(&case)), ["a.txt:1:1:foo", "a.txt:1:5:Foo", "sub/deep/b:1:1:foo"]);
}

#[test]
fn a_blank_path_or_query_is_refused() {
    touchstone::verifies!("FR-SF-VAL-01", "FR-SF-VAL-02", "FR-SF-ERR-01");
    for blank in ["", " ", "\t \r", "\u{3000}\u{2003}"] {
        for field in ["path", "query"] {
            let message = bad_args(&with(field, json!(blank)), field);
            assert!(message.contains("empty or blank"), "{message}");
        }
    }
    // What is not blank is taken as it is, untrimmed.
    let case = over(&[(" d/a", "x foo\nfoo\n")], json!({"path": " d", "query": " foo"}));
    assert_eq!(matches(&answer(&case)), ["a:1:2: foo"]);
    for (field, value) in [("path", "a\0b"), ("query", "a\0b"), ("query", "a\nb")] {
        bad_args(&with(field, json!(value)), field);
    }
}

#[test]
fn without_recursion_max_depth_is_one_or_absent() {
    touchstone::verifies!("FR-SF-VAL-03");
    let files = [("a", "foo\n"), ("d/b", "foo\n"), ("d/e/c", "foo\n")];
    let found = |fields: Value| {
        let mut case = over(&files, fields);
        case.request["query"] = json!("foo");
        case
    };
    for fields in [json!({"recursive": false}), json!({"recursive": false, "max_depth": 1})] {
        assert_eq!(matches(&answer(&found(fields))), ["a:1:1:foo"]);
    }
    for depth in [2, 3, 12, 1_000] {
        let message =
            bad_args(&found(json!({"recursive": false, "max_depth": depth})), "max_depth");
        assert!(message.contains("`recursive` is false"), "{message}");
    }
    assert_eq!(
        matches(&answer(&found(json!({"recursive": true, "max_depth": 2})))),
        ["a:1:1:foo", "d/b:1:1:foo"]
    );
}

#[test]
fn a_request_above_a_hard_cap_is_refused_and_one_at_it_is_not() {
    touchstone::verifies!("FR-SF-VAL-04", "CFG-SF-02", "FR-SF-ERR-01");
    for (field, cap) in CAPS {
        let mut case = with(field, json!(cap));
        case.config.preset = CasePreset::Documents;
        assert_eq!(matches(&answer(&case)), ["a.txt:1:1:foo"], "{field}");
        for above in [cap + 1, cap * 10, u64::MAX] {
            case.request[field] = json!(above);
            let message = bad_args(&case, field);
            assert!(message.contains(&format!("allowed are 1 to {cap}")), "{message}");
        }
        // The configured value is the cap, whatever it is.
        let case = configured(with(field, json!(7)), field, 7);
        assert_eq!(matches(&answer(&case)), ["a.txt:1:1:foo"], "{field}");
        bad_args(&configured(with(field, json!(8)), field, 7), field);
    }
}

#[test]
fn fuzzy_mode_over_a_backend_without_it_is_refused() {
    touchstone::verifies!("FR-SF-VAL-05", "T-SF-10");
    let case = over(&[("a", "say hallo\n")], json!({"query": "hello", "mode": "fuzzy"}));
    for backend in [Backend::Ripgrep, Backend::Ugrep] {
        let error = asked_over(&case, backend).unwrap_err();
        assert_eq!((&error["class"], &error["field"]), (&json!("BadArgs"), &json!("mode")));
        assert!(error["message"].as_str().unwrap().contains("native"), "{error}");
        // Whether it is asked for or configured.
        let mut silent = configured(case.clone(), "mode_default", "fuzzy");
        silent.request.as_object_mut().unwrap().remove("mode");
        assert_eq!(asked_over(&silent, backend).unwrap_err()["field"], "mode");
    }
    assert_eq!(matches(&answer(&case)), ["a:1:5:hallo"]);
}

#[test]
fn an_invalid_expression_is_refused() {
    touchstone::verifies!("FR-SF-SRC-02", "T-SF-02", "FR-SF-ERR-01");
    for query in ["(", "a)", "[z-a]", "*a", "a{2,1}", r"\p{Nope}", r"(?<n>a)(?<n>b)", r"a\nb"] {
        let case = over(&[("a", "foo\n")], json!({"query": query, "mode": "regex"}));
        assert!(!bad_args(&case, "query").is_empty(), "{query}");
        // As text it is as good as any other.
        let case = over(&[("a", &format!("x{query}\n"))], json!({"query": query}));
        assert_eq!(matches(&answer(&case)), [format!("a:1:2:{query}")]);
    }
}

#[test]
fn refusals_have_one_order_and_precede_any_reading() {
    touchstone::verifies!("FR-SF-ERR-01", "FR-SF-ERR-02", "FR-SF-ERR-03");
    let steps: [(Value, &str, &str); 7] = [
        (json!({"zz": 1, "path": " ", "mode": 1}), "BadArgs", "zz"),
        (json!({"path": " ", "query": "(", "mode": 1}), "BadArgs", "mode"),
        (json!({"path": " ", "query": " ", "mode": "regex"}), "BadArgs", "path"),
        (
            json!({"path": "..", "query": " ", "mode": "regex", "include_globs": ["["]}),
            "BadArgs",
            "query",
        ),
        (
            json!({"path": "..", "query": "(", "mode": "regex", "include_globs": ["["]}),
            "BadArgs",
            "include_globs",
        ),
        (json!({"path": "..", "query": "(", "mode": "regex"}), "BadArgs", "query"),
        (json!({"path": "..", "query": "a", "mode": "regex"}), "SandboxViolation", "path"),
    ];
    for (request, class, field) in steps {
        let case = over(&[("a", "foo\n")], request);
        let (found, at, _) = refusal(&case);
        assert_eq!((found.as_str(), at.as_str()), (class, field), "{}", case.request);
    }
    let (class, field, _) = refusal(&over(&[], json!({"path": "nowhere", "query": "a"})));
    assert_eq!(of(&[&class, &field]), ["ExecutionFailed", "path"]);
    assert!(asked(&over(&[], json!({"query": "a"}))).is_ok());
}
