use super::*;
use crate::agent::keyword::tests::config;

fn paths(said: &str) -> Option<Vec<Option<String>>> {
    list(&config(), said).map(|items| items.into_iter().map(|item| item.path).collect())
}

fn of(paths: &[&str]) -> Option<Vec<Option<String>>> {
    Some(paths.iter().map(|path| Some((*path).to_owned())).collect())
}

#[test]
fn the_first_list_of_files_is_found_wherever_it_stands() {
    assert_eq!(paths(r#"Here: {"files": ["a", {"file": " `./b` "}]} and so on"#), of(&["a", "b"]));
    assert_eq!(paths(r#"{"answer": {"results": [{"path": "a"}]}}"#), of(&["a"]));
    assert_eq!(paths(r#"[1] [] ["a"]"#), of(&["a"]));
    assert_eq!(paths(r#"{"files": "a", "results": ["b"]}"#), of(&["b"]));
    assert_eq!(paths(r#"{"files": []}"#), of(&[]));
    assert_eq!(paths(r#"<think>["x"]</think>["a"]"#), of(&["a"]));
    assert_eq!(paths("no list"), None);
    assert_eq!(paths(r#"["a""#), None);
}

#[test]
fn reasons_are_one_line_and_not_too_long() {
    let reason = |text: &str| reason(&config(), text);
    assert_eq!(reason(" a\n\u{1}b\t"), Some("a b".to_owned()));
    assert_eq!(reason(" \n"), None);
    let long = reason(&"\u{e9}".repeat(200)).unwrap();
    assert_eq!((long.len(), long.ends_with('\u{2026}')), (303, true));
}

#[test]
fn lines_are_numbers_or_digits() {
    let item = item(&config(), &serde_json::json!({"path": "a", "lines": [1, "2", -3, 1.5, "x", ""]}));
    assert_eq!(item.lines, [Some(1), Some(2), None, None, None, None]);
}
