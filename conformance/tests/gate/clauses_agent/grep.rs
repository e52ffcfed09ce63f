//! `grep`.

use serde_json::{Value, json};

use crate::clauses_agent::asked::{Desk, each, over, page, places, refusal, refused, text};

const FILES: &[(&str, &str)] = &[
    ("src/OrderService.cs", "class OrderService\n{\n    // TODO: Add validation\n    a.b(c);\n}\n"),
    ("src/user.rs", "// FIXME: slow\nfn user() {}\n// todo: later\naXb(c);\n"),
    ("README.md", "TODO: write this\n"),
];

fn found(request: Value) -> Vec<String> {
    places(&page(&over("grep", FILES, request)))
}

#[test]
fn a_grep_pattern_is_literal_by_default() {
    touchstone::verifies!("FR-015b-13", "FR-015b-14", "UT-015b-GRP-01", "AC-009", "SECC-015b-01");
    assert_eq!(found(json!({"pattern": "a.b(c)"})), ["src/OrderService.cs:4"]);
    assert_eq!(found(json!({"pattern": "TODO:"})), ["README.md:1", "src/OrderService.cs:3"]);
    assert_eq!(found(json!({"pattern": "TODO|FIXME"})), Vec::<String>::new());
    assert_eq!(found(json!({"pattern": ".*"})), Vec::<String>::new());
}

#[test]
fn the_flag_regex_makes_the_pattern_an_expression() {
    touchstone::verifies!("FR-015b-15", "UT-015b-GRP-02", "AC-010", "SC-015b-03");
    let page = page(&over(
        "grep",
        FILES,
        json!({"pattern": "TODO:|FIXME:", "regex": true, "include_path": "src/**"}),
    ));
    assert_eq!(places(&page), ["src/OrderService.cs:3", "src/user.rs:1"]);
    assert_eq!(
        each(&page, "match"),
        [json!("    // TODO: Add validation"), json!("// FIXME: slow")]
    );
}

#[test]
fn the_case_mode_can_be_chosen() {
    touchstone::verifies!("FR-015b-16", "UT-015b-GRP-03", "UT-015b-GRP-04");
    assert_eq!(found(json!({"pattern": "todo"})), ["src/user.rs:3"]);
    assert_eq!(found(json!({"pattern": "todo", "case": "sensitive"})), ["src/user.rs:3"]);
    let all = ["README.md:1", "src/OrderService.cs:3", "src/user.rs:3"];
    assert_eq!(found(json!({"pattern": "todo", "case": "insensitive"})), all);
    assert_eq!(found(json!({"pattern": "todo", "case": "smart"})), all);
    assert_eq!(found(json!({"pattern": "Todo", "case": "smart"})), Vec::<String>::new());
}

#[test]
fn file_patterns_and_directories_narrow_a_search() {
    touchstone::verifies!(
        "FR-015b-18",
        "FR-015b-19",
        "FR-015b-20",
        "UT-015b-GRP-05",
        "UT-015b-GRP-06",
        "BP-015b-02"
    );
    assert_eq!(found(json!({"pattern": "TODO", "include_path": ["*.md"]})), ["README.md:1"]);
    assert_eq!(found(json!({"pattern": "TODO", "exclude_path": "src/"})), ["README.md:1"]);
    assert_eq!(
        found(json!({"pattern": "TODO", "file_type": ["cs", ".rs"]})),
        ["src/OrderService.cs:3"]
    );
    assert_eq!(found(json!({"pattern": "TODO", "directory": "src"})), ["src/OrderService.cs:3"]);
}

#[test]
fn a_grep_result_has_its_line_number_and_context() {
    touchstone::verifies!(
        "SHAPE-015b-03",
        "FR-015b-21",
        "FR-015b-24",
        "FR-015b-25",
        "UT-015b-GRP-07",
        "UT-015b-GRP-08",
        "UT-015b-GRP-09",
        "BP-015b-01",
        "BP-015b-04"
    );
    let page = |context: Value| {
        page(&over("grep", FILES, json!({"pattern": "FIXME", "context_lines": context})))
    };
    let line = "// FIXME: slow";
    let bare = json!({"path": "src/user.rs", "line": 1, "match": line});
    assert_eq!(page(json!(0))["results"], json!([bare]));
    let after = ["fn user() {}", "// todo: later", "aXb(c);"];
    for lines in 1..=20_usize {
        let context = json!({"before": [], "after": after[..lines.min(3)]});
        let result = json!({"path": "src/user.rs", "line": 1, "match": line, "context": context});
        assert_eq!(page(json!(lines))["results"], json!([result]), "{lines}");
    }
}

/// More than one batch of files, and more lines than a page: every one of them is there once.
#[test]
fn every_matching_line_is_on_exactly_one_page() {
    touchstone::verifies!("FR-015b-14", "FR-015b-17", "FR-015b-27");
    let files: Vec<(String, String)> = (0..120)
        .map(|number| (format!("f{number:03}"), "foo\nbar\nfoo bar\n".to_owned()))
        .collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let expected: Vec<String> =
        (0..120).flat_map(|number| [1, 3].map(|line| format!("f{number:03}:{line}"))).collect();
    let mut all = Vec::new();
    for offset in [0, 100, 200] {
        let request =
            json!({"pattern": "foo", "max_results": 100, "offset": offset, "context_lines": 0});
        let page = page(&over("grep", &files, request));
        assert_eq!((&page["total"], &page["total_is_lower_bound"]), (&json!(240), &json!(false)));
        all.extend(places(&page));
    }
    assert_eq!(all, expected);
}

#[test]
fn counting_ends_after_a_thousand_lines_and_reports_it() {
    touchstone::verifies!("FR-015b-27", "FM-015b-02", "BP-015b-03", "FR-015b-17");
    let lines = "x\n".repeat(1_500);
    let page = page(&over("grep", &[("a", &lines)], json!({"pattern": "x", "context_lines": 0})));
    assert_eq!((&page["total"], &page["total_is_lower_bound"]), (&json!(1_000), &json!(true)));
    assert_eq!(page["incomplete_because"], json!(["max_results", "counted"]));
    assert_eq!(page["results"].as_array().unwrap().len(), 20);
    let told = page["notices"].as_array().unwrap().iter().map(|notice| text(&notice["message"]));
    assert!(
        told.clone().all(|message| message.contains("narrow")),
        "{:?}",
        told.collect::<Vec<_>>()
    );
}

#[test]
fn matching_files_can_be_listed_instead_of_lines() {
    touchstone::verifies!("FR-015b-14", "FR-015b-17", "FR-015b-27", "E-I31");
    let many = "foo\n".repeat(1_200);
    let files = [("a", "foo\nbar\nfoo foo\n"), ("b", "bar\n"), ("c", many.as_str()), ("d", "foo")];
    let ask = |offset: u64| {
        let request =
            json!({"pattern": "foo", "output": "files", "max_results": 2, "offset": offset});
        page(&over("grep", &files, request))
    };
    let first = ask(0);
    let results = json!([{"path": "a", "match_count": 2}, {"path": "c", "match_count": 1_200}]);
    assert_eq!((&first["results"], &first["next_offset"]), (&results, &json!(2)));
    let second = ask(2);
    assert_eq!(second["results"], json!([{"path": "d", "match_count": 1}]));
    for page in [first, second] {
        assert_eq!((&page["total"], &page["total_is_lower_bound"]), (&json!(3), &json!(false)));
        assert_eq!((&page["matching_lines"], &page["matching_files"]), (&json!(1_203), &json!(3)));
    }
}

#[test]
fn lines_and_files_can_be_counted_without_being_listed() {
    touchstone::verifies!("FR-015b-14", "FR-015b-27", "E-I31");
    let many = "foo\n".repeat(1_200);
    let files = [("a", "foo\nbar\nfoo foo\n"), ("b", "bar\n"), ("c", many.as_str())];
    let request = json!({"pattern": "foo", "output": "count", "max_results": 1, "offset": 9});
    let counted = page(&over("grep", &files, request.clone()));
    assert_eq!((&counted["results"], &counted["complete"]), (&json!([]), &json!(true)));
    let totals = ["total", "matching_lines", "matching_files"].map(|field| counted[field].clone());
    assert_eq!(totals, [json!(1_202), json!(1_202), json!(2)]);
    assert_eq!((counted.get("next_offset"), counted.get("message")), (None, None));
    // What was not read was not counted, and that is said by the fields of every answer.
    let mut case = over("grep", &files, request);
    case.config.max_file_size_bytes = Some(100);
    let partial = page(&case);
    assert_eq!((&partial["total"], &partial["total_is_lower_bound"]), (&json!(2), &json!(true)));
    assert_eq!(partial["incomplete_because"], json!(["max_file_size_bytes"]));
}

#[test]
fn listed_files_and_totals_are_printed_like_shell_output() {
    touchstone::verifies!("FR-015b-22", "E-I31");
    let desk = Desk::over(&[("a b", "foo\nfoo\n"), ("src/c", "foo\n")], "");
    let text = |output: &str, pattern: &str| {
        desk.call("grep", &json!({"pattern": pattern, "output": output})).text
    };
    assert_eq!(text("files", "foo"), "2 matching files, 3 lines\na b:2\nsrc/c:1\n");
    assert_eq!(text("count", "foo"), "3 matching lines in 2 files\n");
    let none = desk.call("grep", &json!({"pattern": "bar", "output": "count"}));
    assert!(none.text.starts_with("0 matching lines in 0 files\n["), "{}", none.text);
    assert!(!none.found && desk.call("grep", &json!({"pattern": "foo", "output": "count"})).found);
}

#[test]
fn a_wrong_output_mode_is_refused_with_the_allowed_ones() {
    touchstone::verifies!("FR-015b-33", "E-I31");
    let error = refusal(&over("grep", FILES, json!({"pattern": "x", "output": "paths"})));
    let message = text(&error["message"]);
    assert!(message.contains("`output` is `paths`; allowed are lines, files, count"), "{message}");
}

#[test]
fn an_answer_without_matching_lines_has_a_message() {
    touchstone::verifies!("FR-015b-34", "UT-015b-GRP-10", "FM-015b-03");
    let page = page(&over("grep", FILES, json!({"pattern": "TODO|FIXME"})));
    assert_eq!((&page["total"], &page["complete"]), (&json!(0), &json!(true)));
    // What looks like an expression and was taken literally is worth a word.
    assert!(text(&page["message"]).contains("regex"), "{}", page["message"]);
}

#[test]
fn an_invalid_expression_is_refused_with_its_place() {
    touchstone::verifies!(
        "FM-015b-06",
        "UT-015b-GRP-11",
        "FR-015b-33",
        "ACODE-SRC-002",
        "SECC-015b-01"
    );
    let error = refusal(&over("grep", FILES, json!({"pattern": "ab(c", "regex": true})));
    assert_eq!(
        (text(&error["error"]), text(&error["code"])),
        ("invalid_query".into(), "ACODE-SRC-002".into())
    );
    let message = text(&error["message"]);
    assert!(message.contains('2'), "the parenthesis opens at byte 2: {message}");
    assert_eq!(refused("grep", json!({"pattern": "\\n", "regex": true})).1, "pattern");
    // An automaton that would be too large is no way to use up memory.
    assert_eq!(refused("grep", json!({"pattern": "(a{999}){999}", "regex": true})).1, "pattern");
}

#[test]
fn grep_names_the_field_of_a_wrong_parameter() {
    touchstone::verifies!("UT-015b-GRP-12", "FR-015b-13", "FR-015b-33");
    for (request, word, field) in [
        (json!({}), "invalid_query", "pattern"),
        (json!({"pattern": ""}), "invalid_query", "pattern"),
        (json!({"pattern": "a\nb"}), "invalid_query", "pattern"),
        (json!({"pattern": "x", "regex": "yes"}), "invalid_argument", "regex"),
        (json!({"pattern": "x", "case": "ignore"}), "invalid_argument", "case"),
        (json!({"pattern": "x", "output": "Files"}), "invalid_argument", "output"),
        (json!({"pattern": "x", "output": true}), "invalid_argument", "output"),
        (json!({"pattern": "x", "recursive": true}), "invalid_argument", "recursive"),
        (json!({"pattern": "x", "quarry": "x"}), "invalid_argument", "quarry"),
        (json!({"pattern": "x", "query": "x"}), "invalid_argument", "query"),
    ] {
        assert_eq!(
            refused("grep", request.clone()),
            (word.to_owned(), field.to_owned()),
            "{request}"
        );
    }
}
