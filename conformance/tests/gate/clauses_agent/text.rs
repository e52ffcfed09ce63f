//! `search_text`.

use serde_json::{Value, json};
use touchstone::case::Entry;

use crate::clauses_agent::asked::{each, over, page, paths, places, refused};

const FILES: &[(&str, &str)] = &[
    (
        "src/UserService.cs",
        "namespace App\n{\npublic class UserService : IUserService\n{\n    // the user\n}\n",
    ),
    ("src/orders/order.cs", "class Order { UserService users; }\n"),
    ("lib/user_service.py", "def user_service(order):\n    pass\n"),
    ("README.md", "The user service.\n"),
];

fn found(request: Value) -> Value {
    page(&over("search_text", FILES, request))
}

#[test]
fn a_word_finds_every_spelling_and_ranks_files_named_after_it_first() {
    touchstone::verifies!(
        "FR-015b-02",
        "FR-015b-03",
        "FR-015b-06",
        "UT-015b-TXT-01",
        "UT-015b-TXT-09",
        "AC-002",
        "SC-015b-01"
    );
    let page = found(json!({"query": "UserService"}));
    assert_eq!(paths(&page), ["src/UserService.cs", "lib/user_service.py", "src/orders/order.cs"]);
    let scores: Vec<f64> =
        each(&page, "score").iter().map(|score| score.as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
}

#[test]
fn files_are_ranked_up_to_max_files_whether_they_match_or_not() {
    touchstone::verifies!("FR-015b-14", "FR-015b-02");
    let files: Vec<(String, &str)> = ["zap\n", "other\n", "a zap\n", "zap zap\n", "", "zap\n"]
        .into_iter()
        .enumerate()
        .map(|(number, text)| (format!("f{number}"), text))
        .collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    for (most, total) in [(1, 1), (2, 1), (3, 2), (4, 3), (5, 3), (6, 4), (7, 4)] {
        let mut case = over("search_text", &files, json!({"query": "zap"}));
        case.config.max_files = Some(most);
        assert_eq!(page(&case)["total"], json!(total), "{most}");
    }
}

#[test]
fn files_of_other_encodings_are_found_beside_those_of_utf_8() {
    touchstone::verifies!("FR-015b-02");
    let wide: Vec<u8> = "\u{feff}zap there".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let case = over("search_text", &[("a", "zap here\n")], json!({"query": "zap"}));
    let case = case
        .with(Entry::file("latin", &b"zap \xe4nderung\n"[..]))
        .with(Entry::file("other", &b"no \xe4nderung\n"[..]))
        .with(Entry::file("short", "za"))
        .with(Entry::file("wide", wide));
    let mut found = paths(&page(&case));
    found.sort_unstable();
    assert_eq!(found, ["a", "latin", "wide"]);
}

#[test]
fn every_query_word_must_occur_in_a_file() {
    touchstone::verifies!("FR-015b-02", "UT-015b-TXT-02");
    let page = found(json!({"query": "order user"}));
    assert_eq!(paths(&page), ["src/orders/order.cs", "lib/user_service.py"]);
    assert_eq!(paths(&found(json!({"query": "order readme"}))), Vec::<String>::new());
}

#[test]
fn a_quoted_phrase_is_matched_literally() {
    touchstone::verifies!("FR-015b-02", "UT-015b-TXT-03");
    assert_eq!(paths(&found(json!({"query": "\"user service\""}))), ["README.md"]);
    assert_eq!(paths(&found(json!({"query": "\"User Service.\""}))), ["README.md"]);
}

#[test]
fn type_and_directory_narrow_a_search() {
    touchstone::verifies!("UT-015b-TXT-04", "UT-015b-TXT-05", "AC-003", "FR-015b-20", "FR-015b-11");
    assert_eq!(
        paths(&found(json!({"query": "UserService", "file_type": ".py"}))),
        ["lib/user_service.py"]
    );
    let page = found(json!({"query": "UserService", "directory": "src/orders"}));
    assert_eq!(paths(&page), ["src/orders/order.cs"]);
}

#[test]
fn at_most_max_results_results_are_returned() {
    touchstone::verifies!("FR-015b-17", "UT-015b-TXT-06", "FR-015b-27", "FM-015b-02");
    let page = found(json!({"query": "UserService", "max_results": 2}));
    assert_eq!(
        (paths(&page).len(), &page["total"], &page["next_offset"]),
        (2, &json!(3), &json!(2))
    );
    let message = page["notices"][0]["message"].as_str().unwrap();
    assert!(message.contains("offset") && message.contains("narrow"), "{message}");
}

#[test]
fn a_search_text_result_has_line_snippet_and_context() {
    touchstone::verifies!(
        "FR-015b-04",
        "FR-015b-05",
        "FR-015b-24",
        "FR-015b-25",
        "SHAPE-015b-01",
        "UT-015b-TXT-07",
        "UT-015b-TXT-08",
        "AC-004",
        "BP-015b-04"
    );
    let page = found(json!({"query": "class UserService", "file_type": "cs", "directory": "src"}));
    let result =
        page["results"].as_array().unwrap().iter().find(|one| one["path"] == "src/UserService.cs");
    let result = result.unwrap();
    assert_eq!(result["line"], json!(3));
    assert_eq!(result["snippet"], json!("public class UserService : IUserService"));
    let context = json!({"before": ["namespace App", "{"], "after": ["{", "    // the user"]});
    assert_eq!((&result["context"], &result["match_lines"]), (&context, &json!([3])));
    let fields: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(
        fields,
        ["context", "line", "match_count", "match_lines", "path", "score", "snippet"]
    );
}

#[test]
fn every_line_with_a_term_is_reported() {
    touchstone::verifies!("FR-015b-04", "FR-015b-24");
    let page =
        page(&over("search_text", &[("a", "foo\nx\nbar foo\nbar\n")], json!({"query": "foo bar"})));
    assert_eq!(places(&page), ["a:3"]);
    assert_eq!(
        (each(&page, "match_lines"), each(&page, "match_count")),
        (vec![json!([1, 3, 4])], vec![json!(3)])
    );
}

#[test]
fn scores_are_from_0_to_1_and_equal_on_every_page() {
    touchstone::verifies!("FR-015b-06", "FR-015b-26", "UT-015b-TXT-09");
    let whole = found(json!({"query": "user"}));
    let scores = each(&whole, "score");
    assert_eq!(scores.len(), 4);
    for (offset, score) in scores.iter().enumerate() {
        let number = score.as_f64().unwrap();
        assert!(number > 0.0 && number <= 1.0, "{number}");
        let page = found(json!({"query": "user", "max_results": 1, "offset": offset}));
        assert_eq!(each(&page, "score"), std::slice::from_ref(score), "offset {offset}");
    }
    // One file with one line: f = 1 and l = L, so that the score is 1 / (1 + k1) of 5.
    let alone = page(&over("search_text", &[("x", "foo")], json!({"query": "foo"})));
    assert_eq!(each(&alone, "score"), [json!(0.0909)]);
}

#[test]
fn a_search_without_matches_has_a_message() {
    touchstone::verifies!("FR-015b-34", "UT-015b-TXT-10", "FM-015b-03", "BP-015b-07");
    let page = found(json!({"query": "nowhere", "file_type": "cs"}));
    assert_eq!(
        (&page["total"], &page["results"], &page["complete"]),
        (&json!(0), &json!([]), &json!(true))
    );
    let message = page["message"].as_str().unwrap();
    assert!(message.contains("2 files") && message.contains("whole identifier"), "{message}");
}

#[test]
fn a_query_without_usable_terms_is_refused() {
    touchstone::verifies!(
        "FR-015b-33",
        "ACODE-SRC-002",
        "UT-015b-TXT-11",
        "UT-015b-TXT-12",
        "UT-015b-VAL-01",
        "FR-015b-02"
    );
    let at_query = ("invalid_query".to_owned(), "query".to_owned());
    for request in [
        json!({}),
        json!({"query": ""}),
        json!({"query": " \t"}),
        json!({"query": "\"open"}),
        json!({"query": "foo \" \""}),
        json!({"query": ["foo"]}),
        json!({"query": "a b c d e f g h i j k l m n o p q"}),
    ] {
        assert_eq!(refused("search_text", request.clone()), at_query, "{request}");
    }
}

#[test]
fn search_text_names_the_field_of_a_wrong_parameter() {
    touchstone::verifies!("UT-015b-TXT-13", "FR-015b-33", "AC-016", "BP-015b-06");
    for (field, value) in [
        ("max_results", json!(0)),
        ("offset", json!("one")),
        ("context_lines", json!(21)),
        ("file_type", json!("*.rs")),
        ("include_path", json!(["["])),
        ("exclude_path", json!(1)),
        ("directory", json!(["a"])),
        ("regex", json!(true)),
    ] {
        let refused = refused("search_text", json!({"query": "foo", field: value}));
        assert_eq!(refused, ("invalid_argument".to_owned(), field.to_owned()), "{value}");
    }
}
