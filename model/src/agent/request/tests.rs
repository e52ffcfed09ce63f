use serde_json::{Value, json};

use crate::World;
use crate::agent::tests::{Tool, refusal};
use crate::agent::{find_files, grep, search_text};
use crate::tables::agent::AgentError::{
    self, InvalidArgument, InvalidQuery, PathNotAllowed, SearchFailed,
};

fn tree() -> World {
    World::new().file("a", "x").unreadable_dir("closed")
}

#[track_caller]
fn refused(tool: Tool, request: &Value, error: AgentError, field: &str) {
    let field = (!field.is_empty()).then(|| field.to_owned());
    assert_eq!(refusal(tool, &tree(), request), (error, field), "{request}");
}

#[test]
fn fields_are_checked_in_their_order() {
    refused(grep, &json!([]), InvalidArgument, "");
    refused(grep, &json!({"query": "x", "b": 1, "a": 1}), InvalidArgument, "a");
    refused(grep, &json!({"max_results": 0}), InvalidQuery, "pattern");
    refused(
        grep,
        &json!({"pattern": "(", "regex": true, "max_results": 0}),
        InvalidArgument,
        "max_results",
    );
    refused(grep, &json!({"pattern": "(", "regex": true}), InvalidQuery, "pattern");
    refused(
        grep,
        &json!({"pattern": "(", "regex": true, "directory": ".."}),
        InvalidQuery,
        "pattern",
    );
}

#[test]
fn values_of_another_type_or_out_of_bounds_are_refused() {
    for (field, value) in [
        ("regex", json!("true")),
        ("case", json!("Smart")),
        ("directory", json!("")),
        ("directory", json!(null)),
        ("include_path", json!("[")),
        ("include_path", json!([1])),
        ("exclude_path", json!([""])),
        ("file_type", json!(".")),
        ("file_type", json!(["rs", "a b"])),
        ("file_type", json!("*.rs")),
        ("file_type", json!("r\0s")),
        ("file_type", json!("r\u{1}s")),
        ("file_type", json!("rs\u{7f}")),
        ("file_type", json!("rs\u{9f}")),
        ("file_type", json!("x".repeat(33))),
        ("file_type", json!(vec!["rs"; 257])),
        ("max_results", json!(201)),
        ("max_results", json!(10.5)),
        ("max_results", json!("10")),
        ("offset", json!(9_007_199_254_740_992_u64)),
        ("offset", json!(-1)),
        ("context_lines", json!(21)),
        ("recursive", json!(true)),
    ] {
        refused(grep, &json!({"pattern": "x", field: value}), InvalidArgument, field);
    }
}

#[test]
fn an_unusable_pattern_or_query_is_refused() {
    for pattern in [json!(" "), json!("a\nb"), json!(1), json!("x".repeat(16_385))] {
        refused(grep, &json!({"pattern": pattern}), InvalidQuery, "pattern");
    }
    refused(find_files, &json!({"pattern": "!a"}), InvalidQuery, "pattern");
    refused(find_files, &json!({"pattern": "x".repeat(4_097)}), InvalidQuery, "pattern");
    refused(search_text, &json!({"query": "\"a"}), InvalidQuery, "query");
    refused(search_text, &json!({"pattern": "a"}), InvalidArgument, "pattern");
}

#[test]
fn the_directory_is_checked_last() {
    for (directory, error) in [
        ("..", PathNotAllowed),
        ("../root/x", PathNotAllowed),
        ("x", SearchFailed),
        ("a", SearchFailed),
        ("closed", SearchFailed),
    ] {
        refused(search_text, &json!({"query": "x", "directory": directory}), error, "directory");
    }
}

#[test]
fn a_file_type_needs_a_name_before_its_dot() {
    let world = World::new()
        .file("a.tar.gz", "x")
        .file("gz", "x")
        .file(".gz", "x")
        .file("b.GZ", "x")
        .file("c.gz/d", "x");
    let paths = |types: Value| {
        let page =
            crate::agent::tests::page(grep, &world, &json!({"pattern": "x", "file_type": types}));
        crate::agent::tests::each(&page, "path")
    };
    assert_eq!(paths(json!("gz")), ["a.tar.gz"]);
    assert_eq!(paths(json!([".tar.gz", "GZ"])), ["a.tar.gz", "b.GZ"]);
    assert_eq!(paths(json!([])).len(), 4);
}
