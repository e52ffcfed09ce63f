//! What is found of a term, as a model reads it.

use std::fmt::Write as _;

use serde_json::json;

use crate::clauses_keyword::desk::{Desk, alone, between, keyword, lines, selecting, text};

fn desk(files: &[(&str, &str)]) -> Desk {
    Desk::over(files, &selecting(""))
}

/// So many lines, `x` but for those that are given.
fn numbered(count: usize, special: &[(usize, &str)]) -> String {
    (1..=count)
        .map(|number| special.iter().find(|(at, _)| *at == number).map_or("x", |(_, text)| *text))
        .fold(String::new(), |text, line| text + line + "\n")
}

/// Lines `from..=to` of such a file, as they are sent; those with text are the given ones.
fn sent(from: usize, to: usize, special: &[(usize, &str)]) -> String {
    let mut text = String::new();
    for number in from..=to {
        let given = special.iter().find(|(at, _)| *at == number);
        let (mark, line) = given.map_or(('-', "x"), |(_, line)| (':', *line));
        writeln!(text, "{number}{mark}{line}").unwrap();
    }
    text
}

#[test]
fn a_hit_is_sent_with_ten_lines_above_and_below_and_line_numbers() {
    touchstone::verifies!(
        "REQ-KWS-001.1",
        "REQ-KWS-002.4",
        "REQ-KWS-002.5",
        "REQ-KWS-002",
        "E-I28"
    );
    let desk = desk(&[
        ("src/a.rs", &numbered(30, &[(15, "the Needle")])),
        ("b.rs", "needle\nlast"),
        ("c.rs", "no\n"),
    ]);
    let expected = format!(
        "## term 1: \"needle\"\nb.rs\n1:needle\n2-last\n\nsrc/a.rs\n{}",
        "5-x\n6-x\n7-x\n8-x\n9-x\n10-x\n11-x\n12-x\n13-x\n14-x\n15:the Needle\n16-x\n17-x\n18-x\n19-x\n20-x\n21-x\n22-x\n23-x\n24-x\n25-x\n"
    );
    assert_eq!(desk.data(&["needle"]), expected);
}

#[test]
fn context_ends_with_the_file_and_after_exactly_ten_lines() {
    touchstone::verifies!("REQ-KWS-002.4");
    for at in [1, 2, 10, 11, 12, 20, 21, 29, 30] {
        let special = [(at, "needle")];
        let desk = desk(&[("a", &numbered(30, &special))]);
        let shown = sent(at.saturating_sub(10).max(1), (at + 10).min(30), &special);
        assert_eq!(
            desk.data(&["needle"]),
            format!("## term 1: \"needle\"\na\n{shown}"),
            "line {at}"
        );
    }
}

#[test]
fn adjoining_context_windows_are_joined_and_others_are_separated() {
    touchstone::verifies!("REQ-KWS-002.4", "REQ-KWS-002.5", "E-I28");
    for second in [12, 20, 31, 32, 33, 50] {
        let special = [(11, "needle"), (second, "needle too")];
        let desk = desk(&[("a", &numbered(70, &special))]);
        // 11 reaches down to 21; 32 reaches up to 22.
        let shown = if second <= 32 {
            sent(1, second + 10, &special)
        } else {
            format!("{}--\n{}", sent(1, 21, &special), sent(second - 10, second + 10, &special))
        };
        assert_eq!(
            desk.data(&["needle"]),
            format!("## term 1: \"needle\"\na\n{shown}"),
            "line {second}"
        );
    }
}

#[test]
fn terms_are_sent_in_order_each_with_its_hits() {
    touchstone::verifies!("REQ-KWS-001", "REQ-KWS-002.5", "REQ-KWS-004.2");
    let desk = desk(&[("a", "retry\nbackoff\n"), ("b", "\"quoted\"\n")]);
    let expected = "## term 1: \"backoff\"\na\n1-retry\n2:backoff\n## term 2: \"retry\"\na\n1:retry\n2-backoff\n\
                    ## term 4: \"\\\"Quoted\\\"\"\nb\n1:\"quoted\"\n";
    let prompt = desk.prompt(&["backoff", "retry", "nothing", "\"Quoted\""]);
    assert_eq!(between(&prompt).1, expected);
    // The terms stand in front of it in any case, in their order.
    let places: Vec<usize> = ["\"backoff\"", "\"retry\"", "\"nothing\"", "\"\\\"Quoted\\\"\""]
        .iter()
        .map(|term| prompt.find(term).unwrap())
        .collect();
    assert!(places.is_sorted() && places[3] < prompt.find("\nhits-").unwrap(), "{prompt}");
}

#[test]
fn long_lines_are_cut_and_control_characters_are_escaped() {
    touchstone::verifies!("REQ-KWS-002.5", "E-I25");
    let long = format!("{}needle", "\u{e9}".repeat(300));
    let text = format!("{long}\nneedle\u{1b}[2J\u{7}\tx\rneedle\u{2028}\u{202e}y\r\n\u{feff}z\n");
    let desk = desk(&[("od\u{1b}d\tna\nme", &text)]);
    let data = desk.data(&["needle"]);
    let expected = format!(
        "## term 1: \"needle\"\nod\\u{{1b}}d\\tna\\nme\n1:{}\u{2026}\n2:needle\\u{{1b}}[2J\\u{{7}}\tx\\rneedle\\u{{2028}}\\u{{202e}}y\n3-\\u{{feff}}z\n",
        "\u{e9}".repeat(200)
    );
    assert_eq!(data, expected);
}

#[test]
fn each_term_is_reported_with_files_lines_and_bytes() {
    touchstone::verifies!("REQ-KWS-001.1", "REQ-KWS-001.4", "E-I23");
    let desk = desk(&[("a", "one\nneedle\nneedle needle\n"), ("b", "needle\n")]);
    let page = desk.page(&alone(&["needle", "nothing"]));
    // a LF, 1-one LF, 2:needle LF, 3:needle needle LF, LF, b LF, 1:needle LF
    let bytes = 2 + 6 + 9 + 16 + 1 + 2 + 9;
    assert_eq!(
        page["terms"],
        json!([
            {"term": "needle", "files": 2, "lines": 3, "bytes": bytes},
            {"term": "nothing", "files": 0, "lines": 0, "bytes": 0},
        ])
    );
    assert_eq!(desk.data(&["needle"]).len(), bytes + "## term 1: \"needle\"\n".len());
}

/// Digits of `sha256sum` over the two texts.
#[test]
fn the_boundary_is_derived_from_the_enclosed_data() {
    touchstone::verifies!("E-I25");
    let one = desk(&[("a.rs", "needle\n")]);
    assert_eq!(
        between(&one.prompt(&["needle"])),
        ("hits-22916af5a93cd500".to_owned(), "## term 1: \"needle\"\na.rs\n1:needle\n".to_owned())
    );
    let two = desk(&[("a.rs", "needle \n")]);
    assert_eq!(between(&two.prompt(&["needle"])).0, "hits-f67e1f80769c0035");
}

#[test]
fn a_result_shows_the_lines_with_most_terms() {
    touchstone::verifies!("REQ-KWS-001.3");
    let text_of = numbered(
        60,
        &[
            (3, "red"),
            (5, "red"),
            (7, "red green"),
            (9, "green"),
            (20, "red green blue"),
            (40, "blue red"),
            (50, "red"),
            (60, "red"),
        ],
    );
    for config in [selecting(""), keyword("builtin = false")] {
        let desk = Desk::over(&[("a", &text_of)], &config);
        let page = desk.page(&alone(&["red", "green", "blue"]));
        let result = &page["results"][0];
        assert_eq!(lines(result), [3, 5, 7, 20, 40]);
        assert_eq!(text(&result["lines"][3]["text"]), "red green blue");
        assert_eq!(
            (&result["match_count"], &result["terms"]),
            (&8.into(), &json!(["red", "green", "blue"]))
        );
    }
}

#[test]
fn without_skipping_a_model_reads_the_best_lines_of_the_fifty_best_files() {
    touchstone::verifies!("REQ-KWS-001.1", "REQ-KWS-002.5", "REQ-KWS-003.1");
    let many: Vec<(String, String)> = (0..60)
        .map(|number| (format!("{number:02}.rs"), "x\nneedle thread\nneedles\n".repeat(6)))
        .collect();
    let files: Vec<(&str, &str)> =
        many.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let desk = Desk::over(&files, &keyword("builtin = false"));
    // The word is in no other word, and five lines are shown.
    let block = |number: usize| {
        let lines = [2, 5, 8, 11, 14].map(|line| format!("{line}:needle thread\n"));
        format!("{number:02}.rs\n{}", lines.concat())
    };
    let all: Vec<String> = (0..50).map(block).collect();
    assert_eq!(desk.data(&["needle"]), all.join("\n"));
    let page = desk.page(&alone(&["needle", "nothing"]));
    assert_eq!((&page["total"], &page["results"][0]["match_count"]), (&json!(60), &json!(6)));
    let terms = json!([{"term": "needle", "files": 60}, {"term": "nothing", "files": 0}]);
    assert_eq!(page["terms"], terms);
}

#[test]
fn without_skipping_no_term_is_too_broad() {
    touchstone::verifies!("REQ-KWS-001.1", "REQ-KWS-001.3");
    let broad = "needle\n".repeat(20_000);
    let config = keyword("builtin = false\nterm_bytes = 1024\ntotal_bytes = 1024");
    let desk = Desk::over(&[("a", &broad), ("b", "needle\n")], &config);
    let page = desk.page(&alone(&["needle"]));
    let state = (&page["complete"], &page["total"], &page["terms"]);
    assert_eq!(state, (&json!(true), &json!(2), &json!([{"term": "needle", "files": 2}])));
}
