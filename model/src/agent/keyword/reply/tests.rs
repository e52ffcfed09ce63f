use super::*;
use crate::agent::keyword::tests::config;

fn paths(said: &str) -> Option<Vec<Option<String>>> {
    list(&config(), said).map(|items| items.into_iter().map(|item| item.path).collect())
}

fn of(paths: &[&str]) -> Vec<Option<String>> {
    paths.iter().map(|path| Some((*path).to_owned())).collect()
}

#[test]
fn the_first_file_list_is_found_at_any_place() {
    assert_eq!(
        paths(r#"Here: {"files": ["a", {"file": " `./b` "}]} and so on"#),
        Some(of(&["a", " `./b` "]))
    );
    assert_eq!(readings(" `./b` "), [" `./b` ", "b"]);
    assert_eq!(paths(r#"{"answer": {"results": [{"path": "a"}]}}"#), Some(of(&["a"])));
    assert_eq!(paths(r#"[1] [] ["a"]"#), Some(of(&["a"])));
    assert_eq!(paths(r#"{"files": "a", "results": ["b"]}"#), Some(of(&["b"])));
    assert_eq!(paths(r#"{"files": []}"#), Some(of(&[])));
    assert_eq!(paths(r#"<think>["x"]</think>["a"]"#), Some(of(&["a"])));
    assert_eq!(paths("no list"), None);
    assert_eq!(paths(r#"["a""#), None);
}

#[test]
fn reasons_are_one_line_of_bounded_length() {
    let reason = |text: &str| reason(&config(), text);
    assert_eq!(reason(" a\n\u{1}b\t"), Some("a b".to_owned()));
    assert_eq!(reason(" \n"), None);
    let long = reason(&"\u{e9}".repeat(200)).unwrap();
    assert_eq!((long.len(), long.ends_with('\u{2026}')), (303, true));
}

#[test]
fn line_numbers_are_numbers_or_digit_strings() {
    let item = item(
        &config(),
        &serde_json::json!({"path": "a", "lines": [1, "2", -3, 1.5, "x", "", 12.0]}),
    );
    assert_eq!(item.lines, [Some(1), Some(2), None, None, None, None, Some(12)]);
}
