//! Clauses about the request: names, fields, bounds, refusals and their messages.

use std::collections::BTreeSet;

use crate::clauses::{
    answer, asked, asked_of, bad_args, in_documents, lines, over, paths, refusal,
};
use serde_json::{Value, json};
use touchstone::case::{Case, CasePreset};
use touchstone::subject::Backend;

const SCHEMA: &str = include_str!("../../src/generated/search.request.schema.json");

/// Every field but `pattern`, with a value that an ordinary request may have.
fn optional() -> Vec<(&'static str, Value)> {
    vec![
        ("path", json!(".")),
        ("case", json!("smart")),
        ("fixed_strings", json!(true)),
        ("word_regexp", json!(false)),
        ("include_glob", json!(["*"])),
        ("exclude_glob", json!(["*.o"])),
        ("recursive", json!(true)),
        ("hidden", json!(false)),
        ("follow", json!(false)),
        ("no_ignore", json!(false)),
        ("context", json!(0)),
        ("max_results", json!(200)),
        ("max_matches_per_file", json!(50)),
        ("max_files", json!(10_000)),
        ("max_file_size_bytes", json!(2_000_000)),
        ("timeout_ms", json!(20_000)),
        ("fuzzy", json!(1)),
    ]
}

fn with(field: &str, value: Value) -> Case {
    let mut request = json!({"pattern": "foo"});
    request[field] = value;
    over(&[("a.txt", "foo\n")], request)
}

#[test]
fn a_request_finds_the_planted_matches() {
    touchstone::verifies!("FR-LS-REQ", "IT-LS-E2E-01");
    let files = [
        ("README", "no such thing\n"),
        ("src/main.rs", "fn main() {\n    let needle = 1;\n}\n"),
        ("src/deep/er/lib.rs", "// needle, twice: needle\n"),
        ("test/x.py", "x = 'Needle'\n"),
    ];
    let found = answer(&over(&files, json!({"pattern": "needle"})));
    assert_eq!(
        lines(&found),
        [
            "src/deep/er/lib.rs:1:4:// needle, twice: needle",
            "src/main.rs:2:9:    let needle = 1;",
            "test/x.py:1:6:x = 'Needle'"
        ]
    );
    let found = answer(&over(&files, json!({"pattern": r"N\w+dle", "path": "test"})));
    assert_eq!(lines(&found), ["test/x.py:1:6:x = 'Needle'"]);
}

#[test]
fn the_tool_has_exactly_six_names() {
    touchstone::verifies!("FR-LS-01", "FR-LSI-BASE-01", "FR-LSI-BASE-02", "FR-LSI-BASE-03");
    let called = |name: &str| {
        let mut case = in_documents(with("context", json!(0)));
        name.clone_into(&mut case.tool);
        asked(&case)
    };
    let expected = called("Search").unwrap();
    for name in ["search", "rg", "ripgrep", "ugrep", "ug"] {
        assert_eq!(called(name).as_ref(), Ok(&expected), "{name}");
    }
    for name in ["SEARCH", "Rg", "UG", "egrep", "", "Search ", "search_file"] {
        let error = called(name).unwrap_err();
        assert_eq!(
            (&error["class"], &error["field"]),
            (&json!("BadArgs"), &json!("tool")),
            "{name}"
        );
    }
    // Another tool, with fields of its own, and no strict alias (E-I01).
    assert_eq!(called("search_files").unwrap_err()["field"], "context");
}

#[test]
fn a_request_has_one_required_and_seventeen_optional_fields() {
    touchstone::verifies!("FR-LS-02");
    bad_args(&over(&[], json!({"path": "."})), "pattern");
    let optional = optional();
    assert_eq!(optional.len(), 17);
    let mut all = json!({"pattern": "foo"});
    for (field, value) in optional {
        all[field] = value.clone();
        let mut alone = with(field, value);
        alone.request["fixed_strings"] = json!(true);
        assert_eq!(lines(&answer(&alone)), ["a.txt:1:1:foo"], "{field}");
    }
    assert_eq!(lines(&answer(&over(&[("a.txt", "foo\n")], all))), ["a.txt:1:1:foo"]);
}

#[test]
fn absent_fields_have_the_documented_defaults() {
    touchstone::verifies!("FR-LS-02", "FR-LS-02a");
    // `path` is the working directory, `recursive` is true, `max_results` is 200, everything else
    // is off.
    let many = "foo\n".repeat(201);
    let mut case = over(
        &[
            ("out.txt", "foo\n"),
            ("w/a/b.txt", &many),
            ("w/.h", "foo\n"),
            ("w/a/F.txt", "FOO f.o\n"),
        ],
        json!({"pattern": "f.o"}),
    );
    "w".clone_into(&mut case.config.working_dir);
    case.config.preset = CasePreset::Documents;
    case.config.enabled = Some(true);
    case.config.max_matches_per_file = Some(1000);
    let found = answer(&case);
    let events = lines(&found);
    assert_eq!(events.len(), 200);
    assert_eq!(found["truncated"], true);
    assert_eq!(
        events[0], "a/F.txt:1:1:FOO f.o",
        "smart case of a small pattern, a regular expression"
    );
    assert!(
        events[1..].iter().all(|event| event.starts_with("a/b.txt:") && event.ends_with(":1:foo"))
    );
    let documents = forge_search_engine::Config::preset(forge_search_engine::Preset::Documents);
    assert_eq!((documents.default_max_results, documents.default_timeout_ms), (200, 20_000));
}

#[test]
fn glob_is_an_alias_of_include_glob_and_yields_to_it() {
    touchstone::verifies!("FR-LS-02.compat", "FR-LS-VAL-11");
    let files = [("a.rs", "foo\n"), ("b.py", "foo\n"), ("c.c", "foo\n")];
    let found = |request: Value| paths(&answer(&over(&files, request)));
    assert_eq!(found(json!({"pattern": "foo", "glob": ["*.py"]})), ["b.py"]);
    assert_eq!(
        found(json!({"pattern": "foo", "glob": ["*.py"], "include_glob": ["*.rs"]})),
        ["a.rs"]
    );
    assert_eq!(found(json!({"pattern": "foo", "glob": ["*.py"], "include_glob": []})), ["b.py"]);
    assert_eq!(found(json!({"pattern": "foo", "glob": ["*.py"], "exclude_glob": ["b*"]})), [""; 0]);
    let both = json!({"pattern": "foo", "glob": ["["], "include_glob": ["*.rs"]});
    bad_args(&over(&files, both), "glob");
}

/// A schema without descriptions.
fn bare(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(fields) => {
            fields.retain(|name, value| {
                !(name.starts_with('$') || name == "title" || name == "description")
                    || value.is_object()
            });
            fields.values_mut().for_each(|value| *value = bare(value.take()));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = bare(item.take())),
        _ => {}
    }
    schema
}

#[test]
fn the_published_input_schema_is_the_documents_and_no_index_adds_a_field() {
    touchstone::verifies!("FR-LSI-SCHEMA-REQ-01", "FR-LS-02a");
    let declared = forge_search_engine::search_definition().input_schema;
    assert_eq!(bare(declared), bare(serde_json::from_str(SCHEMA).unwrap()));
    let mut named: BTreeSet<&str> = optional().into_iter().map(|(name, _)| name).collect();
    named.extend(["pattern", "glob"]);
    for field in ["index", "index_mode", "use_index", "fuzzy_fallback", "stats", "emit_stats"] {
        assert!(!named.contains(field));
        let message = bad_args(&with(field, json!(true)), field);
        assert!(message.contains("unknown field"), "{message}");
    }
}

#[test]
fn the_schema_has_nineteen_properties_as_documented() {
    touchstone::verifies!("FR-LS-02a", "FR-LSI-SCHEMA-REQ-01");
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    assert_eq!(
        (&schema["type"], &schema["additionalProperties"]),
        (&json!("object"), &json!(false))
    );
    assert_eq!(schema["required"], json!(["pattern"]));
    let properties = schema["properties"].as_object().unwrap();
    let mut names: BTreeSet<&str> = optional().into_iter().map(|(name, _)| name).collect();
    names.extend(["pattern", "glob"]);
    assert_eq!(names.len(), 19);
    assert_eq!(properties.keys().map(String::as_str).collect::<BTreeSet<_>>(), names);
    for (name, property) in properties {
        let expected = match name.as_str() {
            "pattern" | "path" | "case" => "string",
            "include_glob" | "exclude_glob" | "glob" => "array",
            "fixed_strings" | "word_regexp" | "recursive" | "hidden" | "follow" | "no_ignore" => {
                "boolean"
            }
            _ => "integer",
        };
        assert_eq!(property["type"], expected, "{name}");
        if expected == "array" {
            assert_eq!(property["items"]["type"], "string", "{name}");
        }
        if expected == "integer" {
            let least = i32::from(name != "context");
            assert_eq!(property["minimum"], least, "{name}");
        }
        let preset = match name.as_str() {
            "case" => json!("smart"),
            "recursive" => json!(true),
            "context" => json!(0),
            "max_results" => json!(200),
            "timeout_ms" => json!(20_000),
            _ if expected == "boolean" => json!(false),
            _ => Value::Null,
        };
        assert_eq!(property["default"], preset, "{name}");
    }
    assert_eq!(properties["pattern"]["minLength"], 1);
    assert_eq!(properties["fuzzy"]["maximum"], 4);
    assert_eq!(properties["case"]["enum"], json!(["smart", "sensitive", "insensitive"]));
}

#[test]
fn a_value_of_wrong_type_or_out_of_bounds_is_refused_at_its_field() {
    touchstone::verifies!("FR-LS-02a", "FR-LS-VAL-02");
    bad_args(&over(&[], json!({"pattern": 1})), "pattern");
    bad_args(&over(&[], json!({"pattern": null})), "pattern");
    bad_args(&over(&[], json!({"pattern": ""})), "pattern");
    let strict = |field: &str, value: Value| in_documents(with(field, value));
    let others =
        [json!(null), json!("x"), json!(true), json!(1.5), json!(-2.0), json!({}), json!([1])];
    for (field, value) in optional().into_iter().chain([("glob", json!(["*"]))]) {
        let strings = value.is_string();
        for other in &others {
            let fits = (strings && other.is_string()) || (value.is_boolean() && other.is_boolean());
            if !fits {
                bad_args(&strict(field, other.clone()), field);
            }
        }
    }
    for wrong in ["Smart", "", "none", "SENSITIVE"] {
        bad_args(&strict("case", json!(wrong)), "case");
    }
    for (field, least, most) in [
        ("context", 0, Some(1_000)),
        ("max_results", 1, Some(100_000)),
        ("timeout_ms", 1, Some(600_000)),
    ] {
        bad_args(&strict(field, json!(least - 1)), field);
        bad_args(&strict(field, json!(-7)), field);
        bad_args(&strict(field, json!(most.map(|most: i64| most + 1))), field);
    }
    for (field, value) in
        [("context", 0), ("context", 1_000), ("max_results", 1), ("timeout_ms", 600_000)]
    {
        assert_eq!(
            lines(&answer(&with(field, json!(value)))),
            ["a.txt:1:1:foo"],
            "{field} {value}"
        );
    }
    // Whatever there was time for is an answer.
    let mut hurried = with("timeout_ms", json!(1));
    hurried.config.deadline_may_strike = true;
    assert!(asked_of(&hurried, &[Backend::Native]).is_ok(), "the least value");
    for level in [-1, 0, 5, 1_000] {
        let mut case = with("fuzzy", json!(level));
        case.request["fixed_strings"] = json!(true);
        case.request["pattern"] = json!("long enough");
        bad_args(&case, "fuzzy");
    }
    for level in 1..=4 {
        let request = json!({"pattern": "foobar", "fixed_strings": true, "fuzzy": level});
        assert_eq!(lines(&answer(&over(&[("a", "foobar\n")], request))), ["a:1:1:foobar"]);
    }
    for field in ["max_matches_per_file", "max_files", "max_file_size_bytes"] {
        bad_args(&strict(field, json!(0)), field);
    }
}

#[test]
fn an_unknown_field_is_refused_and_the_smallest_is_named() {
    touchstone::verifies!("FR-LS-02b");
    for unknown in ["zzz", "Pattern", "max_result", "context ", "stats", ""] {
        let message = bad_args(&with(unknown, json!(1)), unknown);
        assert!(message.contains(unknown), "{message}");
    }
    let mut several = with("zebra", json!(1));
    several.request["Apple"] = json!(1);
    several.request["\u{e9}"] = json!(1);
    several.request["context"] = json!(-1);
    bad_args(&several, "Apple");
}

#[test]
fn a_blank_pattern_is_refused_and_surrounding_white_space_is_searched() {
    touchstone::verifies!("FR-LS-VAL-01");
    for blank in ["", " ", "\t\t", " \u{a0}\u{2003}\u{3000}", "\u{85}\r"] {
        for fixed in [false, true] {
            let request = json!({"pattern": blank, "fixed_strings": fixed});
            bad_args(&over(&[("a", " \n")], request), "pattern");
        }
    }
    let found = answer(&over(&[("a", "xfoo\n foo \n")], json!({"pattern": " foo "})));
    assert_eq!(lines(&found), ["a:2:1: foo "]);
    // Invisible, but no white space.
    let found = answer(&over(&[("a", "x\u{200b}\n")], json!({"pattern": "\u{200b}"})));
    assert_eq!(lines(&found), ["a:1:2:x\u{200b}"]);
}

#[test]
fn an_empty_or_malformed_glob_is_refused_at_its_field() {
    touchstone::verifies!("FR-LS-VAL-06");
    for field in ["include_glob", "exclude_glob", "glob"] {
        for bad in ["", "[", "a[b", "{a,b", "a}", "[z-a]", "a\\", "!a"] {
            let message = bad_args(&with(field, json!(["*.txt", bad])), field);
            assert!(!message.is_empty());
        }
        bad_args(&with(field, json!(["x".repeat(4_097)])), field);
        bad_args(&with(field, json!(vec!["*"; 257])), field);
        // One that is only unusual.
        assert!(asked(&with(field, json!(["[]a]", "**", "a\\[", "{a,{b,c}}"]))).is_ok());
    }
}

#[test]
fn fuzzy_is_refused_if_no_backend_supports_it() {
    touchstone::verifies!("FR-LS-VAL-07", "E-G05");
    // Regular expressions cannot be searched approximately by any backend, nor can a level that
    // would let a pattern vanish (E-G02). Literals can, over ripgrep too, since the embedded
    // matcher is permitted to (E-G05).
    let request = |fixed: bool, level: u64| json!({"pattern": "hello", "fixed_strings": fixed, "fuzzy": level});
    let files = [("a", "hallo\n")];
    let message = bad_args(&over(&files, request(false, 1)), "fuzzy");
    assert!(message.contains("fixed_strings"), "{message}");
    assert_eq!(lines(&answer(&over(&files, request(true, 1)))), ["a:1:1:hallo"]);
    let short = json!({"pattern": "\u{e9}e", "fixed_strings": true, "fuzzy": 2});
    bad_args(&over(&files, short), "fuzzy");
    let enough = json!({"pattern": "\u{e9}el", "fixed_strings": true, "fuzzy": 2});
    assert!(asked(&over(&files, enough)).is_ok());
}

#[test]
fn a_value_above_its_hard_cap_is_refused_with_the_cap() {
    touchstone::verifies!("FR-LS-VAL-08");
    for (field, cap) in
        [("max_matches_per_file", 50), ("max_files", 10_000), ("max_file_size_bytes", 2_000_000)]
    {
        let asked_for = |value: u64| {
            let mut case = with(field, json!(value));
            case.config.preset = CasePreset::Documents;
            case.config.enabled = Some(true);
            case
        };
        let message = bad_args(&asked_for(cap + 1), field);
        assert!(message.contains(&cap.to_string()), "{message}");
        assert_eq!(lines(&answer(&asked_for(cap))), ["a.txt:1:1:foo"]);
    }
}

#[test]
fn an_invalid_expression_is_refused_before_any_search() {
    touchstone::verifies!("FR-LS-SRC-02");
    for bad in [
        "(",
        ")",
        "a{2,1}",
        "[z-a]",
        "*",
        "a**(",
        r"\p{Nope}",
        r"(a)\1",
        "(?=a)",
        r"a\n",
        "(?P<n>a",
    ] {
        let mut case = over(&[("a", "x\n")], json!({"pattern": bad}));
        bad_args(&case, "pattern");
        // Nothing was looked at: not even that there is no such path.
        case.request["path"] = json!("nowhere");
        bad_args(&case, "pattern");
        case.request = json!({"pattern": bad, "fixed_strings": true});
        assert!(asked(&case).is_ok(), "as a literal `{bad}` is fine");
    }
}

#[test]
fn an_argument_error_has_a_plain_message() {
    touchstone::verifies!("FR-LS-ERR-01");
    let table = [
        (json!({"pattern": "foo", "max_results": 0}), "max_results", vec!["0", "1", "100000"]),
        (json!({"pattern": "foo", "context": 1001}), "context", vec!["1001", "1000"]),
        (json!({"pattern": "foo", "timeout_ms": "soon"}), "timeout_ms", vec!["integer"]),
        (json!({"pattern": "foo", "hidden": "yes"}), "hidden", vec!["true", "false"]),
        (json!({"pattern": "foo", "case": "loud"}), "case", vec!["loud", "smart", "sensitive"]),
        (json!({"pattern": "foo", "include_glob": ["[q"]}), "include_glob", vec!["[q"]),
        (json!({"pattern": "foo", "colour": 1}), "colour", vec!["colour", "pattern"]),
        (json!({"pattern": "a(b"}), "pattern", vec!["1"]),
        (json!({}), "pattern", vec!["pattern"]),
    ];
    for (request, field, words) in table {
        let (class, at, message) = refusal(&over(&[], request.clone()));
        assert_eq!((class.as_str(), at.as_str()), ("BadArgs", field), "{request}");
        let plain = message.replace(['_', ','], "");
        for word in words {
            let there = message.contains(word) || plain.contains(word);
            assert!(there, "{request}: `{message}` does not say `{word}`");
        }
        assert!(!message.contains('\n') && message.len() < 1_000, "{message}");
    }
}
