use serde_json::{Value, json};

use crate::World;
use crate::agent::tests::{each, page};
use crate::agent::{FREE_TEXT, find_files};

fn tree() -> World {
    World::new()
        .file("src/Controllers/UserController.cs", "x")
        .file("src/a.cs", "")
        .file("a.cs", "\0")
        .unreadable_file("src/b.cs", "xy")
        .file(".hidden/c.cs", "")
        .file("src/dir/d.txt", "")
}

fn found(request: &Value) -> Vec<Value> {
    each(&page(find_files, &tree(), request), "path")
}

#[test]
fn a_pattern_without_a_slash_matches_the_base_name_at_any_depth() {
    assert_eq!(
        found(&json!({"pattern": "*Controller*.cs", "directory": "src"})),
        ["src/Controllers/UserController.cs"]
    );
    assert_eq!(found(&json!({"pattern": "a.cs"})), ["a.cs", "src/a.cs"]);
    assert_eq!(found(&json!({"pattern": "/a.cs"})), ["a.cs"]);
    assert_eq!(found(&json!({"pattern": "src/*.cs"})), ["src/a.cs", "src/b.cs"]);
}

#[test]
fn a_pattern_has_to_match_the_file_itself() {
    assert_eq!(found(&json!({"pattern": "src"})), Vec::<Value>::new());
    assert_eq!(found(&json!({"pattern": "*", "include_path": "dir/"})), ["src/dir/d.txt"]);
}

#[test]
fn a_named_hidden_directory_is_searched_and_recursion_can_be_disabled() {
    assert_eq!(found(&json!({"pattern": "*", "directory": ".hidden"})), [".hidden/c.cs"]);
    assert_eq!(
        found(&json!({"pattern": "*.cs", "directory": "src", "recursive": false})),
        ["src/a.cs", "src/b.cs"]
    );
}

#[test]
fn an_unreadable_file_is_found_by_its_path() {
    let page = page(find_files, &tree(), &json!({"pattern": "b.cs"}));
    assert_eq!((&page["complete"], each(&page, "size_bytes")), (&json!(true), vec![json!(2)]));
}

#[test]
fn a_pattern_without_wildcards_that_matches_no_file_is_searched_inside_names() {
    let ask = |pattern: &str| page(find_files, &tree(), &json!({"pattern": pattern}));
    let near = |pattern: &str| {
        let page = ask(pattern);
        assert_eq!(page["matched_by"], json!("substring"), "{pattern}");
        assert_eq!(page["notices"], json!([{"notice": "substring", "message": FREE_TEXT}]));
        each(&page, "path")
    };
    assert_eq!(near("CONTROL"), ["src/Controllers/UserController.cs"]);
    assert_eq!(
        near("./.CS"),
        ["a.cs", "src/Controllers/UserController.cs", "src/a.cs", "src/b.cs"]
    );
    assert_eq!(near("dir/"), ["src/dir/d.txt"]);
    assert_eq!(near("/b"), ["src/b.cs"]);
    for pattern in ["a.cs", "src", "*ontrol", "c/a?", "src/c.cs"] {
        assert_eq!(ask(pattern).get("matched_by"), None, "{pattern}");
    }
}
