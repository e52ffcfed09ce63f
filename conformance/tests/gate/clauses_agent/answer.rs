//! The answer: its shape, its length, what it says of what is missing.

use serde_json::{Value, json};

use forge_search_core::budget::TokenCounter;
use forge_search_engine::Tokenizer;

use crate::clauses_agent::asked::{Desk, configured, each, notices, over, page, paths, text};

#[test]
fn answers_of_all_tools_have_one_form() {
    touchstone::verifies!(
        "FR-015b-22",
        "FR-015b-23",
        "FR-015b-27",
        "NFR-015b-12",
        "UT-015b-FMT-01",
        "UT-015b-FMT-02",
        "UT-015b-FMT-03",
        "UT-015b-FMT-04",
        "UT-015b-FMT-05",
        "BP-015b-01"
    );
    let files = [("sub/a.rs", "foo\n"), ("sub/b.rs", "foo\n")];
    for (tool, field) in [("search_text", "query"), ("find_files", "pattern"), ("grep", "pattern")]
    {
        let sought = if tool == "find_files" { "*.rs" } else { "foo" };
        for most in [1, 2] {
            let page = page(&over(tool, &files, json!({field: sought, "max_results": most})));
            let shown: Vec<&str> = ["sub/a.rs", "sub/b.rs"].into_iter().take(most).collect();
            assert_eq!(paths(&page), shown, "{tool}");
            for name in
                ["total", "total_is_lower_bound", "complete", "incomplete_because", "notices"]
            {
                assert!(page.get(name).is_some(), "{tool}: {name}");
            }
            if tool != "find_files" {
                assert_eq!(each(&page, "line"), vec![json!(1); most]);
                let snippet = if tool == "grep" { "match" } else { "snippet" };
                assert_eq!(each(&page, snippet), vec![json!("foo"); most]);
            }
        }
    }
}

#[test]
fn an_answer_without_results_has_a_message() {
    touchstone::verifies!("UT-015b-FMT-07", "FR-015b-34", "FM-015b-03", "BP-015b-07");
    for (tool, field) in [("search_text", "query"), ("find_files", "pattern"), ("grep", "pattern")]
    {
        let files = [("a", "x\n"), (".hidden", "x\n")];
        let page = page(&over(tool, &files, json!({field: "nowhere"})));
        assert_eq!(
            (&page["results"], &page["total"], &page["complete"]),
            (&json!([]), &json!(0), &json!(true))
        );
        let message = text(&page["message"]);
        // What was searched, and what was not.
        assert!(
            message.contains("below `.`") && (tool == "find_files" || message.contains("hidden")),
            "{tool}: {message}"
        );
    }
}

#[test]
fn long_lines_are_cut_and_a_notice_reports_it() {
    touchstone::verifies!("UT-015b-FMT-06", "FR-015b-25", "NFR-015b-08");
    let line = format!("{}needle{}", "\u{e9}".repeat(400), "x".repeat(5_000));
    for (tool, field, shown) in [("grep", "pattern", "match"), ("search_text", "query", "snippet")]
    {
        let sought = if tool == "grep" { "needle" } else { "\"needle\"" };
        let page = page(&over(tool, &[("a", &line)], json!({field: sought})));
        let snippet = text(&page["results"][0][shown]);
        assert!(
            snippet.contains("needle") && snippet.len() <= 400 + 2 * '\u{2026}'.len_utf8(),
            "{snippet}"
        );
        assert!(snippet.starts_with('\u{2026}') && snippet.ends_with('\u{2026}'), "{snippet}");
        assert_eq!(
            (each(&page, "cut"), notices(&page)),
            (vec![json!(true)], vec!["lines_cut".to_owned()])
        );
    }
}

#[test]
fn results_beyond_the_budget_are_cut_from_the_end_and_form_the_next_page() {
    touchstone::verifies!("FR-015b-39", "NFR-015b-08", "FR-015b-27");
    let text = "foo bar baz\n".repeat(150);
    let ask = |offset: u64, budget: u64| {
        let request =
            json!({"pattern": "foo", "max_results": 200, "offset": offset, "context_lines": 0});
        page(&configured(over("grep", &[("a", &text)], request), "max_answer_tokens", budget))
    };
    let mut before = 0;
    for budget in [300, 500, 1_000, 2_000] {
        let page = ask(0, budget);
        let shown = page["results"].as_array().unwrap().len();
        assert!(page.to_string().len() <= usize::try_from(budget * 3).unwrap(), "{budget}");
        assert!(shown > before && shown < 150, "{budget}: {shown}");
        assert_eq!((&page["total"], &page["next_offset"]), (&json!(150), &json!(shown)));
        assert_eq!(
            (page["incomplete_because"].clone(), notices(&page)),
            (json!(["budget"]), vec!["budget".to_owned()])
        );
        before = shown;
    }
    let mut lines: Vec<Value> = Vec::new();
    while lines.len() < 150 {
        let more = each(&ask(u64::try_from(lines.len()).unwrap(), 700), "line");
        assert!(!more.is_empty());
        lines.extend(more);
    }
    assert_eq!(lines, (1..=150).map(|line| json!(line)).collect::<Vec<_>>());
}

#[test]
fn the_lowest_ranked_results_are_left_out_first() {
    touchstone::verifies!("FR-015b-39");
    let long = format!("foo {}\n", "x ".repeat(150)).repeat(3);
    let files: Vec<(String, String)> =
        (0..9).map(|number| (format!("{number}"), "foo\n".repeat(number) + &long)).collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let request = json!({"query": "foo"});
    let whole =
        configured(over("search_text", &files, request.clone()), "max_answer_tokens", 100_000);
    let whole = page(&configured(whole, "max_answer_bytes", 1_000_000));
    let cut = page(&configured(over("search_text", &files, request), "max_answer_tokens", 500));
    assert!(paths(&cut).len() < paths(&whole).len(), "{cut}");
    assert_eq!(paths(&cut), paths(&whole)[..paths(&cut).len()]);
}

/// The default budget is far below what agents are given for one answer, whatever is found.
#[test]
fn default_answers_are_short_in_real_tokens() {
    touchstone::verifies!("NFR-015b-08", "FR-015b-39");
    let line = "fn \u{65e5}\u{672c} some_identifier(argument: &str) -> Option<Vec<u8>> { None } // 0123456789 \u{1f600}\n";
    let files: Vec<(String, String)> =
        (0..60).map(|number| (format!("dir/{number}.rs"), line.repeat(30))).collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let desk = Desk::over(&files, "");
    for (tool, request) in [
        ("grep", json!({"pattern": "identifier", "max_results": 200, "context_lines": 20})),
        ("search_text", json!({"query": "identifier", "max_results": 200, "context_lines": 20})),
        ("find_files", json!({"pattern": "*", "max_results": 200})),
    ] {
        let answer = desk.call(tool, &request);
        let tokens = |text: &str| Tokenizer::O200kBase.count(text);
        let (structured, text) = (tokens(&answer.structured.to_string()), tokens(&answer.text));
        assert!(structured <= 4_000 && text <= 4_000, "{tool}: {structured} and {text} tokens");
        // As much as there is room for.
        assert!(tool == "find_files" || structured > 3_000, "{tool}: only {structured} tokens");
    }
}
