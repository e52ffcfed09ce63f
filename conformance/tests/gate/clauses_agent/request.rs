//! What all three tools have in common: parameters, filters, what is told of a request that is
//! wrong.

use serde_json::{Value, json};

use crate::clauses_agent::asked::{Desk, over, page, paths, refusal, text};

const FILES: &[(&str, &str)] = &[
    ("src/a.rs", "foo\n"),
    ("src/b.cs", "foo\n"),
    ("src/c.tar.gz", "foo\n"),
    ("test/d.rs", "foo\n"),
    ("e.rs", "foo\n"),
];

/// What is looked for with each tool, so that all files are found.
fn everything() -> [(&'static str, &'static str, Value); 3] {
    [
        ("search_text", "query", json!("foo")),
        ("find_files", "pattern", json!("*")),
        ("grep", "pattern", json!("foo")),
    ]
}

fn with(sought: (&str, &Value), fields: &[(&str, Value)]) -> Value {
    let mut request = json!({ sought.0: sought.1 });
    for (name, value) in fields {
        request[*name] = value.clone();
    }
    request
}

fn found(fields: &[(&str, Value)]) -> [Vec<String>; 3] {
    everything().map(|(tool, field, value)| {
        let mut paths = paths(&page(&over(tool, FILES, with((field, &value), fields))));
        paths.sort();
        paths
    })
}

#[test]
fn every_tool_takes_max_results_and_offset() {
    touchstone::verifies!("FR-015b-17", "BP-015b-03", "FR-015b-27", "UT-015b-VAL-02");
    for (tool, field, value) in everything() {
        let page = page(&over(tool, FILES, with((field, &value), &[("max_results", json!(2))])));
        assert_eq!((paths(&page).len(), &page["total"]), (2, &json!(5)), "{tool}");
        for wrong in [json!(0), json!(201), json!("five"), json!(5.5), json!(-1)] {
            let error = refusal(&over(
                tool,
                FILES,
                with((field, &value), &[("max_results", wrong.clone())]),
            ));
            assert_eq!(text(&error["field"]), "max_results", "{tool}: {wrong}");
            // The message names the allowed values.
            let right = if wrong.as_u64().is_some() || wrong.is_i64() { "200" } else { "integer" };
            assert!(text(&error["message"]).contains(right), "{tool}: {wrong}: {error}");
        }
    }
}

#[test]
fn every_tool_takes_paths_to_include_and_to_exclude() {
    touchstone::verifies!("FR-015b-18", "FR-015b-19", "BP-015b-02", "UT-015b-VAL-04", "AC-003");
    assert_eq!(
        found(&[("include_path", json!("src/**"))]),
        [(); 3].map(|()| ["src/a.rs", "src/b.cs", "src/c.tar.gz"].map(str::to_owned).to_vec())
    );
    let both =
        found(&[("include_path", json!(["src/*", "e.*"])), ("exclude_path", json!(["*.rs"]))]);
    assert_eq!(both, [(); 3].map(|()| ["src/b.cs", "src/c.tar.gz"].map(str::to_owned).to_vec()));
    for (tool, field, value) in everything() {
        for name in ["include_path", "exclude_path"] {
            let error = refusal(&over(tool, FILES, with((field, &value), &[(name, json!("[a"))])));
            assert_eq!(
                (text(&error["error"]), text(&error["field"])),
                ("invalid_argument".into(), name.into())
            );
        }
    }
}

#[test]
fn file_types_may_begin_with_a_dot() {
    touchstone::verifies!("FR-015b-20", "UT-015b-VAL-03", "E-I19");
    for tool in ["search_text", "grep"] {
        let field = if tool == "grep" { "pattern" } else { "query" };
        let found = |types: Value| {
            let mut paths =
                paths(&page(&over(tool, FILES, json!({field: "foo", "file_type": types}))));
            paths.sort();
            paths
        };
        assert_eq!(found(json!("rs")), ["e.rs", "src/a.rs", "test/d.rs"]);
        assert_eq!(found(json!([".cs", "tar.gz"])), ["src/b.cs", "src/c.tar.gz"]);
        for wrong in [json!("*.rs"), json!("src/rs"), json!(["rs", 1]), json!("a b")] {
            let error = refusal(&over(tool, FILES, json!({field: "foo", "file_type": wrong})));
            assert_eq!(text(&error["field"]), "file_type", "{wrong}");
        }
    }
}

#[test]
fn context_has_the_requested_width() {
    touchstone::verifies!("FR-015b-21", "CFGKEY-015b-default_context_lines");
    let lines = "1\n2\n3\n4\nfoo\n6\n7\n8\n9\n";
    for (tool, field) in [("search_text", "query"), ("grep", "pattern")] {
        let context = |request: Value| {
            page(&over(tool, &[("a", lines)], request))["results"][0]["context"].clone()
        };
        assert_eq!(
            context(json!({field: "foo"})),
            json!({"before": ["3", "4"], "after": ["6", "7"]})
        );
        assert_eq!(context(json!({field: "foo", "context_lines": 0})), Value::Null);
        let wide = json!({"before": ["1", "2", "3", "4"], "after": ["6", "7", "8", "9"]});
        assert_eq!(context(json!({field: "foo", "context_lines": 20})), wide);
    }
    let before: Vec<String> = (1..=22).map(|line| format!("before {line}")).collect();
    let after: Vec<String> = (1..=22).map(|line| format!("after {line}")).collect();
    let lines = format!("{}\nfoo\n{}\n", before.join("\n"), after.join("\n"));
    for (tool, field) in [("search_text", "query"), ("grep", "pattern")] {
        for most in [5_usize, 10, 19, 20] {
            let page =
                page(&over(tool, &[("a", &lines)], json!({field: "foo", "context_lines": most})));
            let around = json!({"before": before[22 - most..], "after": after[..most]});
            assert_eq!(page["results"][0]["context"], around, "{tool}: {most}");
        }
    }
}

#[test]
fn a_missing_or_unknown_field_is_named() {
    touchstone::verifies!(
        "UT-015b-VAL-01",
        "FR-015b-02",
        "FR-015b-08",
        "FR-015b-13",
        "ACODE-SRC-002",
        "FR-015b-33"
    );
    for (tool, field, value) in everything() {
        let error = refusal(&over(tool, FILES, json!({})));
        let told = (text(&error["error"]), text(&error["code"]), text(&error["field"]));
        assert_eq!(told, ("invalid_query".into(), "ACODE-SRC-002".into(), field.into()), "{tool}");
        let error = refusal(&over(tool, FILES, with((field, &value), &[("limitt", json!(5))])));
        assert_eq!(
            (text(&error["code"]), text(&error["field"])),
            ("ACODE-SRC-005".into(), "limitt".into())
        );
    }
}

/// Whatever a request holds, it is data: no path, glob, expression or escape gets out of its field.
#[test]
fn a_request_is_treated_as_data() {
    touchstone::verifies!("UT-015b-VAL-05", "SECC-015b-01");
    let odd = "'; rm -rf / #\" && $(x) `x` \u{1b}[2J\u{202e} %n%s -e --pre=sh";
    let files = [("a", format!("{odd}\nnone of it\n"))];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let page = page(&over("grep", &files, json!({"pattern": odd, "context_lines": 0})));
    assert_eq!((&page["total"], &page["results"][0]["match"]), (&json!(1), &json!(odd)));
    // Nothing that a terminal would obey comes back in what people are told.
    let error = refusal(&over("grep", &files, json!({"pattern": "x", "\u{1b}[2J": 1})));
    assert!(!text(&error["message"]).contains('\u{1b}'), "{error}");
}

/// Each message names what is wrong and what would be right.
#[test]
fn error_messages_name_the_correction() {
    touchstone::verifies!("NFR-015b-07", "BP-015b-12", "FR-015b-33");
    let terms = |count: usize| {
        vec!["x"; count].iter().enumerate().map(|(at, x)| format!("{x}{at} ")).collect()
    };
    let [many, long]: [String; 2] = [terms(17), "x".repeat(16_385)];
    for (tool, request, words) in [
        ("search_text", json!({"query": " \t"}), &["query", "blank"][..]),
        ("search_text", json!({"query": "\"open"}), &["query", "quot", "close"]),
        ("search_text", json!({"query": many}), &["query", "17", "16"]),
        ("search_text", json!({"query": long}), &["query", "16385", "16384"]),
        ("search_text", json!({"query": "x", "regex": true}), &["regex", "query", "file_type"]),
        ("find_files", json!({"pattern": "[a"}), &["pattern", "[", "\\"]),
        ("find_files", json!({"pattern": "!a"}), &["pattern", "!", "exclude_path"]),
        ("find_files", json!({"pattern": "*", "recursive": 1}), &["recursive", "true", "false"]),
    ] {
        let error = refusal(&over(tool, FILES, request.clone()));
        let told = format!("{} {}", text(&error["field"]), text(&error["message"]));
        for word in words {
            assert!(told.contains(word), "{tool} {request}: `{word}` is not in: {told}");
        }
    }
    let unknown =
        text(&Desk::over(FILES, "").call("ripgrep_all", &json!({})).structured["message"]);
    for tool in ["search_text", "find_files", "grep"] {
        assert!(unknown.contains(tool), "{unknown}");
    }
    for (request, words) in [
        (json!({"pattern": "x", "max_results": 500}), &["max_results", "1", "200"][..]),
        (json!({"pattern": "x", "max_results": "five"}), &["max_results", "integer"]),
        (json!({"pattern": "x", "case": "ignore"}), &["case", "sensitive", "insensitive", "smart"]),
        (json!({"pattern": "x", "regex": "yes"}), &["regex", "true", "false"]),
        (json!({"pattern": "x", "include_path": "[a"}), &["include_path", "["]),
        (json!({"pattern": "x", "file_type": "*.rs"}), &["file_type", "*", "include_path"]),
        (json!({"pattern": "x", "patth": "src"}), &["patth", "directory"]),
        (json!({"pattern": "x", "directory": "nowhere"}), &["directory", "nowhere"]),
        (json!({"pattern": "(", "regex": true}), &["pattern", "byte 0", "unclosed"]),
        (json!({}), &["pattern"]),
    ] {
        let error = refusal(&over("grep", FILES, request.clone()));
        let told = format!("{} {}", text(&error["field"]), text(&error["message"]));
        for word in words {
            assert!(told.contains(word), "{request}: `{word}` is not in: {told}");
        }
    }
}
