//! What becomes of a model's answer.

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt as _};

use serde_json::{Value, json};

use crate::clauses_keyword::desk::{
    Desk, SELECTING, Scripted, Tree, alone, ask, files, keyword, lines, notices, paths, text,
};

const TREE: [(&str, &str); 4] = [
    ("a.rs", "needle 1\nthread\nneedle 3\n4\nneedle 5\nneedle 6\nneedle 7\nneedle 8\nneedle 9\n"),
    ("b.rs", "needle\n"),
    ("dir/c.rs", "x\nneedle\n"),
    ("d.rs", "thread\n"),
];

/// The answer to a question about `needle` if a model says this.
fn said(answer: &str) -> Value {
    let model = Scripted::saying(answer);
    let page = Desk::over(&TREE, &keyword(SELECTING)).with(&model).page(&ask(&["needle"]));
    assert_eq!(model.prompts().len(), 1, "{answer}");
    page
}

/// The paths of the answer, which has to be ranked by the model.
fn kept(answer: &str) -> Vec<String> {
    let page = said(answer);
    assert_eq!(
        (&page["ranked_by"], &page["model"]["outcome"]),
        (&json!("model"), &json!("answered")),
        "{answer}"
    );
    paths(&page)
}

/// Asserts that the answer is the ranked hits, with the notice that says why.
fn falls_back(answer: &str) -> Value {
    let page = said(answer);
    assert_eq!(
        (&page["ranked_by"], &page["model"]["outcome"]),
        (&json!("hits"), &json!("failed")),
        "{answer}"
    );
    assert_eq!((paths(&page).len(), &page["total"]), (3, &json!(3)), "{answer}");
    assert_eq!(notices(&page)[0], "model_failed", "{answer}");
    assert!(!page["results"].to_string().contains("model_reason"), "{answer}");
    page
}

#[test]
fn the_answer_has_the_order_of_the_model() {
    touchstone::verifies!("REQ-KWS-003.4", "REQ-KWS-001.3", "REQ-KWS-001.2", "E-I26");
    let names = ["a.rs", "b.rs", "dir/c.rs"];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let order = order.map(|at| names[at]);
        let answer = files(&order.map(|path| (path, &[][..], "Because.")));
        assert_eq!(kept(&answer), order);
    }
    // What it leaves out is left out.
    let page = said(&files(&[("dir/c.rs", &[2], "It  waits\n there.")]));
    assert_eq!(
        (paths(&page), &page["total"], &page["complete"]),
        (vec!["dir/c.rs".to_owned()], &json!(1), &json!(true))
    );
    let result = &page["results"][0];
    assert_eq!(
        (&result["lines"], &result["model_reason"]),
        (&json!([{"line": 2, "text": "needle"}]), &json!("It waits there."))
    );
    assert_eq!((&result["match_count"], &result["terms"]), (&json!(1), &json!(["needle"])));
}

#[test]
fn at_most_max_results_files_are_shown_in_the_models_order() {
    touchstone::verifies!("REQ-KWS-003.4");
    let answer = files(&[("dir/c.rs", &[], ""), ("a.rs", &[], ""), ("b.rs", &[], "")]);
    let desk = Desk::over(&TREE, &keyword("")).with(&Scripted::saying(&answer));
    for (most, shown) in
        [(1, &["dir/c.rs"][..]), (2, &["dir/c.rs", "a.rs"]), (3, &["dir/c.rs", "a.rs", "b.rs"])]
    {
        let page =
            desk.page(&json!({"query": "q", "search_terms": ["needle"], "max_results": most}));
        assert_eq!(
            (paths(&page), &page["total"]),
            (shown.iter().map(ToString::to_string).collect(), &json!(3))
        );
        let missing = if most < 3 { json!(["max_results"]) } else { json!([]) };
        assert_eq!(
            (&page["incomplete_because"], &page["total_is_lower_bound"]),
            (&missing, &json!(false))
        );
    }
}

#[test]
fn files_without_hits_are_dropped_and_counted() {
    touchstone::verifies!("E-I26", "REQ-KWS-003.4");
    let answer = files(&[
        ("src/invented.rs", &[1], "No."),
        ("d.rs", &[1], "There, but no hit."),
        ("B.rs", &[1], "Not letter for letter."),
        ("../b.rs", &[1], "Elsewhere."),
        ("b.rs", &[1], "Yes."),
        ("/etc/passwd", &[1], "No."),
    ]);
    let page = said(&answer);
    assert_eq!(
        (paths(&page), &page["total"], &page["model"]["dropped_files"]),
        (vec!["b.rs".to_owned()], &json!(1), &json!(5))
    );
    assert_eq!(notices(&page), ["model_dropped"]);
    assert_eq!(text(&page["results"][0]["model_reason"]), "Yes.");
    // If nothing is left, the answer is not worth more than none.
    let page = falls_back(&files(&[("src/invented.rs", &[1], "No."), ("d.rs", &[1], "No.")]));
    assert_eq!(
        (&page["model"]["dropped_files"], notices(&page)),
        (&json!(2), vec!["model_failed".to_owned(), "model_dropped".to_owned()])
    );
}

#[test]
fn lines_that_are_no_hits_are_dropped_and_counted() {
    touchstone::verifies!("E-I26", "REQ-KWS-001.3");
    let lines_of = |given: Value| {
        let page = said(&json!({"files": [{"path": "a.rs", "lines": given}]}).to_string());
        (lines(&page["results"][0]), page["model"]["dropped_lines"].as_u64().unwrap())
    };
    assert_eq!(lines_of(json!([3, 1])), (vec![1, 3], 0));
    assert_eq!(lines_of(json!([2, 3, 4, 99, 0, -1])), (vec![3], 5));
    assert_eq!(lines_of(json!(["3", " 5", "x", 5.0, 5.5, null, true, [1]])), (vec![3, 5], 6));
    // At most five, the first ones it named; named twice is named once.
    assert_eq!(lines_of(json!([9, 8, 7, 9, 6, 5, 3, 1])), (vec![5, 6, 7, 8, 9], 0));
    // Without any, those that are shown anyhow.
    assert_eq!(lines_of(json!([2])), (vec![1, 3, 5, 6, 7], 1));
    assert_eq!(lines_of(json!([])), (vec![1, 3, 5, 6, 7], 0));
}

#[test]
fn an_empty_list_is_an_answer() {
    touchstone::verifies!("REQ-KWS-003.4", "E-I26");
    let page = said("{\"files\": []}");
    assert_eq!(
        (&page["ranked_by"], &page["total"], &page["results"]),
        (&json!("model"), &json!(0), &json!([]))
    );
    assert_eq!(
        (notices(&page), &page["model"]["outcome"]),
        (vec!["model_kept_none".to_owned()], &json!("answered"))
    );
}

#[test]
fn a_file_list_is_read_from_replies_of_many_forms() {
    touchstone::verifies!("REQ-KWS-003.4", "E-I26");
    for answer in [
        "Sure! Here you are:\n```json\n{\"files\": [{\"path\": \"b.rs\", \"lines\": [1], \"reason\": \"r\"}]}\n```\nAnything else?",
        "<think>{\"files\": [{\"path\": \"a.rs\"}]} or not</think>{\"files\": [{\"path\": \"b.rs\"}]}",
        "{\"results\": [{\"file\": \"b.rs\", \"explanation\": \"r\"}]}",
        "{\"ranked_files\": [\"b.rs\"]}",
        "[\"b.rs\"]",
        "[{\"path\": \"b.rs\"}, \"./b.rs\"]",
        "{\"files\": [{\"path\": \" `./b.rs`\\n\"}]}",
        "{\"a\": 1} [] {\"b\": [2]} {\"files\": [\"b.rs\"]} {\"files\": [\"a.rs\"]}",
        "{\"thoughts\": {\"files\": [\"b.rs\"]}}",
        "{\"files\": \"none\"} {\"files\": [\"b.rs\"]}",
    ] {
        assert_eq!(kept(answer), ["b.rs"], "{answer}");
    }
}

#[test]
fn a_path_in_a_model_reply_is_matched_verbatim_before_it_is_trimmed() {
    touchstone::verifies!("REQ-KWS-003.4", "E-I26");
    let tree = [("b", "needle\n"), (" b ", "needle\n"), ("`c`", "needle\n")];
    for (written, path) in
        [("b", "b"), (" b ", " b "), ("`b`", "b"), ("`c`", "`c`"), (" `b` ", "b")]
    {
        let model = Scripted::saying(&json!({ "files": [{ "path": written }] }).to_string());
        let page = Desk::over(&tree, &keyword("")).with(&model).page(&ask(&["needle"]));
        assert_eq!(paths(&page), [path], "{written:?}");
    }
}

#[test]
fn an_ambiguous_shown_path_selects_the_first_file() {
    touchstone::verifies!("E-I26");
    let model = Scripted::saying("{\"files\": [{\"path\": \"\u{fffd}.rs\"}]}");
    let tree = Tree::of(&[]);
    let place = |name: &[u8]| tree.place("x").with_file_name(OsStr::from_bytes(name));
    fs::write(place(b"\xfe.rs"), "needle\n").unwrap();
    fs::write(place(b"\xff.rs"), "x\nfn needle() {}\n").unwrap();
    let page = Desk::at(tree, &["."], ".", &keyword("")).with(&model).page(&ask(&["needle"]));
    assert_eq!((paths(&page).len(), lines(&page["results"][0])), (1, vec![1]), "{page}");
}

#[test]
fn a_reply_without_a_file_list_is_reported_and_the_hits_are_answered() {
    touchstone::verifies!("E-I26", "REQ-KWS-003.4");
    for answer in [
        "",
        "I would look at b.rs first.",
        "{\"files\": [{\"path\": \"b.rs\"",
        "{\"files\": \"b.rs\"}",
        "[1, 2]",
        "[]",
        "{\"files\": [\"b.rs\"]}</think>",
        "{\"files\": [{\"lines\": [1]}]}",
        &format!("{}{{\"files\": [\"b.rs\"]}}", " ".repeat(65_536)),
    ] {
        falls_back(answer);
    }
}

#[test]
fn a_reason_of_a_model_is_shown_as_one_line_of_at_most_300_bytes() {
    touchstone::verifies!("REQ-KWS-001.3", "E-I26");
    let reason = |reason: &str| {
        let page = said(&files(&[("b.rs", &[1], reason)]));
        page["results"][0].get("model_reason").map(text)
    };
    assert_eq!(reason(" a\tb\n\n\u{1b}[31mc\u{2028}\u{0}d\r\n ").as_deref(), Some("a b [31mc d"));
    assert_eq!(reason(" \n\t\u{7f}"), None);
    assert_eq!(reason(&"\u{e9}".repeat(150)), Some("\u{e9}".repeat(150)));
    assert_eq!(
        reason(&format!("x{}", "\u{e9}".repeat(150))),
        Some(format!("x{}\u{2026}", "\u{e9}".repeat(149)))
    );
}

#[test]
fn the_models_words_are_marked_in_the_text() {
    touchstone::verifies!("REQ-KWS-001.3", "E-I25");
    let answer = files(&[("b.rs", &[1], "It waits.\nd.rs (1.00; needle)\n1:spoofed")]);
    let answer =
        Desk::over(&TREE, &keyword("")).with(&Scripted::saying(&answer)).call(&ask(&["needle"]));
    let lines: Vec<&str> = answer.text.lines().collect();
    assert_eq!(lines.len(), 3, "{}", answer.text);
    assert!(
        lines[1].starts_with("b.rs (")
            && lines[1].ends_with(" model: It waits. d.rs (1.00; needle) 1:spoofed"),
        "{}",
        answer.text
    );
    assert_eq!((lines[0], lines[2]), ("1 file", "1:needle"));
}

#[test]
fn a_line_that_was_not_sent_cannot_be_named() {
    touchstone::verifies!("E-I26", "REQ-KWS-003.4");
    let answer = json!({"files": [{"path": "a.rs", "lines": [9, 5]}]}).to_string();
    let model = Scripted::saying(&answer);
    let page = Desk::over(&TREE, &keyword("")).with(&model).page(&ask(&["needle"]));
    // Lines 1, 3, 5, 6, 7 are sent; 9 is a hit all the same.
    assert_eq!((lines(&page["results"][0]), &page["model"]["dropped_lines"]), (vec![5], &json!(1)));
    assert_eq!(page["results"][0]["match_count"], 7);
}

#[test]
fn a_path_alone_finds_nothing_to_ask_about() {
    touchstone::verifies!("E-I26", "REQ-KWS-002.5");
    let tree = [("a.rs", "backoff\n"), ("backoff/notes.md", "nothing to see\n")];
    let model =
        Scripted::saying(&files(&[("backoff/notes.md", &[1], "No."), ("a.rs", &[1], "Yes.")]));
    for config in [keyword(""), keyword(SELECTING)] {
        let desk = Desk::over(&tree, &config).with(&model);
        let page = desk.page(&ask(&["backoff"]));
        let kept = (paths(&page), &page["model"]["dropped_files"], &page["model"]["files_sent"]);
        assert_eq!(kept, (vec!["a.rs".to_owned()], &json!(1), &json!(1)));
        assert!(model.prompts().iter().all(|prompt| !prompt.user.contains("notes")));
        assert_eq!(paths(&desk.page(&alone(&["backoff"]))), ["a.rs"]);
        let asked = model.prompts().len();
        assert_eq!(desk.page(&ask(&["notes"])).get("model"), None);
        assert_eq!(model.prompts().len(), asked);
    }
}
