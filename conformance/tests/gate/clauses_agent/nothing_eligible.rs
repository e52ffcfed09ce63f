//! Answers without results that say what left every file out.

use forge_search_core::tool::Profile;
use serde_json::{Value, json};

use crate::clauses_agent::asked::{Desk, notices, over, page, text};

/// A request of each tool that searches files, with further fields.
fn requests(sought: &str, fields: &Value) -> Vec<(&'static str, Value)> {
    let tools = [("search_text", "query"), ("find_files", "pattern"), ("grep", "pattern")];
    let of = |field: &str| {
        let mut request = fields.clone();
        request[field] = json!(sought);
        request
    };
    // What no call of this tool could mean is not counted, so every name is asked for.
    let every = |tool: &str, mut request: Value| {
        if tool == "find_files" && sought == "foo" {
            request["pattern"] = json!("*");
        }
        request
    };
    tools.into_iter().map(|(tool, field)| (tool, every(tool, of(field)))).collect()
}

/// What an answer says of why no file is eligible.
fn why(page: &Value) -> String {
    assert_eq!(notices(page), ["nothing_eligible"], "{page}");
    assert_eq!((&page["complete"], &page["total"]), (&json!(true), &json!(0)));
    text(&page["notices"][0]["message"])
}

#[test]
fn the_notice_names_the_ignore_rule_that_leaves_out_every_file() {
    touchstone::verifies!("E-I32", "FR-015b-34", "FM-015b-03", "BP-015b-07");
    let files = [(".gitignore", "# all\n/*\n"), ("a.txt", "foo\n"), ("src/b.txt", "foo\n")];
    for (tool, request) in requests("foo", &json!({})) {
        let why = why(&page(&over(tool, &files, request)));
        let rule = "no file below `.` is eligible: `.gitignore` line 2 `/*` leaves out 2 entries";
        assert!(why.starts_with(rule) && why.contains("`no_ignore`: true"), "{tool}: {why}");
    }
    // A rule above the directory that is named, and one in it.
    let files = [
        (".gitignore", "src/**/*.o\n"),
        ("src/x/.ignore", "b\n"),
        ("src/x/a.o", ""),
        ("src/x/b", ""),
    ];
    for (tool, request) in requests("foo", &json!({"directory": "src"})) {
        let why = why(&page(&over(tool, &files, request)));
        let rules = "`.gitignore` line 1 `src/**/*.o` leaves out `src/x/a.o`, `src/x/.ignore` line 1 `b` leaves out `src/x/b`";
        let rules = format!("no file below `src` is eligible: {rules}");
        assert!(why.starts_with(&rules), "{tool}: {why}");
    }
}

#[test]
fn the_notice_names_globs_and_types_that_match_no_file() {
    touchstone::verifies!("E-I32", "FR-015b-18", "FR-015b-19", "FR-015b-34");
    let files =
        [("a.rs", "foo\n"), ("src/b.rs", "foo\n"), (".gitignore", "c.rss\n"), ("c.rss", "")];
    for (tool, request) in requests("foo", &json!({"include_path": "*.rss"})) {
        let why = why(&page(&over(tool, &files, request)));
        let globs = "`include_path` `*.rss` matches none of the 2 eligible files";
        let rule = format!("{globs}; `.gitignore` line 1 `c.rss` leaves out `c.rss`");
        assert!(why.starts_with(&rule), "{tool}: {why}");
    }
    for (tool, request) in requests("foo", &json!({"exclude_path": ["*.rs", "lib/"]})) {
        let why = why(&page(&over(tool, &files, request)));
        assert_eq!(
            why, "`exclude_path` `*.rs`, `lib/` leaves out all of the 2 eligible files",
            "{tool}"
        );
    }
    let typed = page(&over("grep", &files, json!({"pattern": "foo", "file_type": "py"})));
    assert_eq!(why(&typed), "`file_type` `.py` is that of none of the 2 eligible files");
}

#[test]
fn the_notice_distinguishes_hidden_names_from_empty_directories() {
    touchstone::verifies!("E-I32", "FR-015b-34");
    for (tool, request) in requests("foo", &json!({})) {
        let hidden =
            why(&page(&over(tool, &[(".env", "foo\n"), (".a/b", "foo\n")], request.clone())));
        let names = "no file below `.` is eligible: 2 hidden names";
        assert!(hidden.starts_with(names) && hidden.contains("`hidden`: true"), "{tool}: {hidden}");
        let nothing = why(&page(&over(tool, &[], request)));
        assert_eq!(nothing, "there is no file below `.` that may be searched", "{tool}");
    }
}

#[test]
fn an_answer_about_eligible_files_has_no_notice_of_eligibility() {
    touchstone::verifies!("E-I32", "FR-015b-34");
    let files = [(".gitignore", "b\n"), ("a", "foo\n"), ("b", "bar\n")];
    for (tool, request) in requests("bar", &json!({})) {
        let page = page(&over(tool, &files, request));
        assert_eq!((notices(&page), &page["total"]), (Vec::new(), &json!(0)), "{tool}");
    }
}

#[test]
fn the_notice_does_not_name_denied_files() {
    touchstone::verifies!("E-I32", "SECC-015b-04");
    let files = [(".gitignore", "/secret*\n"), ("secret.txt", "foo\n"), (".secret", "foo\n")];
    let config = "[sandbox]\ndeny = [\"*secret*\"]\n";
    let desk = Desk::of(&files, config, Profile::All, None);
    for (tool, request) in requests("foo", &json!({})) {
        let why = why(&desk.page(tool, &request));
        assert_eq!(why, "there is no file below `.` that may be searched", "{tool}");
    }
}

#[test]
fn an_index_does_not_change_the_notice_of_no_eligible_files() {
    touchstone::verifies!("E-I32", "FR-015b-34");
    let files =
        [(".gitignore", "*.txt\n"), ("a.txt", "foo\n"), ("src/b.txt", "foo\n"), ("c.rs", "bar\n")];
    let (plain, indexed) = (Desk::over(&files, ""), Desk::with_index(&files));
    indexed.settle();
    assert_eq!(indexed.state(), "COMPLETE");
    for fields in [json!({"directory": "src"}), json!({"include_path": "*.rss"})] {
        for (tool, request) in requests("foo", &fields) {
            let (one, other) = (plain.page(tool, &request), indexed.page(tool, &request));
            assert_eq!(one, other, "{tool}");
            assert!(!why(&one).is_empty());
        }
    }
}

#[test]
fn keyword_search_names_the_rule_that_leaves_out_all_files() {
    touchstone::verifies!("E-I32", "REQ-KWS-001.1");
    let desk = Desk::over(&[(".gitignore", "/*\n"), ("a.txt", "foo\n")], "");
    let request = json!({"query": "q", "search_terms": ["foo"], "use_model": false});
    let answer = desk.call("keyword_search", &request);
    let rule = "`.gitignore` line 1 `/*` leaves out `a.txt`";
    assert!(why(&answer.structured).contains(rule), "{}", answer.structured);
    assert!(answer.text.contains(rule), "{}", answer.text);
}

/// The look that explains ends early, and claims no more than it has seen.
#[test]
fn the_notice_of_an_incomplete_walk_claims_only_what_was_seen() {
    touchstone::verifies!("E-I32", "FR-015b-34");
    let names: Vec<String> = (0..10_001).map(|number| format!("{number}.log")).collect();
    let logs = names.iter().map(|name| (name.as_str(), ""));
    let files: Vec<(&str, &str)> = logs.chain([(".gitignore", "*.log\n")]).collect();
    let desk = Desk::over(&files, "");
    let rule = "no file below `.` is eligible: at least `.gitignore` line 1 `*.log` leaves out 10001 entries";
    assert!(why(&desk.page("grep", &json!({"pattern": "foo"}))).starts_with(rule));
    let named = desk.page("find_files", &json!({"pattern": "foo"}));
    assert_eq!((notices(&named), &named["total"]), (Vec::new(), &json!(0)));
}
