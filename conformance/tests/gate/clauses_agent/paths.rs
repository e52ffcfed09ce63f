//! The path search.

use std::fs::File;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::clauses_agent::asked::{Desk, each, notices, over, page, paths, refused};

const FILES: &[(&str, &str)] = &[
    ("src/Controllers/UserController.cs", "class UserController\n"),
    ("src/Controllers/OrderController.cs", "x"),
    ("src/main.rs", ""),
    ("main.rs", "fn main() {}\n"),
    ("lib/a/b/deep.rs", "\0"),
    (".hidden/h.rs", ""),
];

fn found(request: Value) -> Vec<String> {
    paths(&page(&over("find_files", FILES, request)))
}

#[test]
fn a_name_is_found_at_any_depth() {
    touchstone::verifies!(
        "FR-015b-08",
        "UT-015b-FIL-01",
        "UT-015b-FIL-08",
        "FR-015b-09",
        "AC-006",
        "SC-015b-02"
    );
    assert_eq!(found(json!({"pattern": "main.rs"})), ["main.rs", "src/main.rs"]);
    assert_eq!(found(json!({"pattern": "deep.rs"})), ["lib/a/b/deep.rs"]);
}

#[test]
fn wildcards_have_the_meaning_of_globs() {
    touchstone::verifies!("FR-015b-10", "UT-015b-FIL-02", "UT-015b-FIL-03", "AC-007", "FR-015b-09");
    let controllers = ["src/Controllers/OrderController.cs", "src/Controllers/UserController.cs"];
    assert_eq!(found(json!({"pattern": "*Controller*.cs", "directory": "src"})), controllers);
    assert_eq!(found(json!({"pattern": "*.rs"})), ["lib/a/b/deep.rs", "main.rs", "src/main.rs"]);
    assert_eq!(found(json!({"pattern": "src/*"})), ["src/main.rs"]);
    assert_eq!(found(json!({"pattern": "src/**"})).len(), 3);
    assert_eq!(found(json!({"pattern": "lib/**/deep.??"})), ["lib/a/b/deep.rs"]);
    assert_eq!(found(json!({"pattern": "[l-m]*.{rs,py}"})), ["main.rs", "src/main.rs"]);
}

#[test]
fn a_path_search_begins_at_the_directory() {
    touchstone::verifies!("FR-015b-11", "UT-015b-FIL-04", "FR-015b-23");
    assert_eq!(found(json!({"pattern": "*.rs", "directory": "lib"})), ["lib/a/b/deep.rs"]);
    assert_eq!(found(json!({"pattern": "a/**", "directory": "lib"})), ["lib/a/b/deep.rs"]);
    assert_eq!(found(json!({"pattern": "*", "directory": ".hidden"})), [".hidden/h.rs"]);
}

#[test]
fn recursive_false_leaves_out_subdirectories() {
    touchstone::verifies!("UT-015b-FIL-05", "UT-015b-FIL-06");
    assert_eq!(found(json!({"pattern": "*.rs", "recursive": true})).len(), 3);
    assert_eq!(found(json!({"pattern": "*.rs", "recursive": false})), ["main.rs"]);
}

#[test]
fn paths_can_be_included_and_excluded() {
    touchstone::verifies!("FR-015b-18", "FR-015b-19", "BP-015b-02");
    assert_eq!(found(json!({"pattern": "*.rs", "include_path": "src/"})), ["src/main.rs"]);
    assert_eq!(found(json!({"pattern": "*.rs", "exclude_path": ["src/", "lib/**"]})), ["main.rs"]);
}

#[test]
fn pages_of_paths_together_are_the_whole_answer() {
    touchstone::verifies!("FR-015b-17", "UT-015b-FIL-07", "FR-015b-27", "FR-015b-09");
    let first = page(&over("find_files", FILES, json!({"pattern": "*", "max_results": 3})));
    assert_eq!(
        (paths(&first).len(), &first["total"], &first["next_offset"]),
        (3, &json!(5), &json!(3))
    );
    assert_eq!(notices(&first), ["max_results"]);
    let second =
        page(&over("find_files", FILES, json!({"pattern": "*", "max_results": 3, "offset": 3})));
    assert_eq!([paths(&first), paths(&second)].concat(), found(json!({"pattern": "*"})));
    assert_eq!(second["complete"], json!(true));
}

#[test]
fn a_path_has_type_size_and_modification_time() {
    touchstone::verifies!("SHAPE-015b-02", "UT-015b-FIL-09", "UT-015b-FIL-08", "FR-015b-23");
    let desk = Desk::over(FILES, "");
    // The first second of March 2026, and a bit of the next.
    let moment = SystemTime::UNIX_EPOCH + Duration::from_millis(1_772_323_200_900);
    File::options().write(true).open(desk.place("main.rs")).unwrap().set_modified(moment).unwrap();
    let page = desk.page("find_files", &json!({"pattern": "/main.rs"}));
    let result = json!({"path": "main.rs", "type": "file", "size_bytes": 13, "modified": "2026-03-01T00:00:00Z"});
    assert_eq!(page["results"], json!([result]));
}

#[test]
fn an_answer_without_paths_has_a_message() {
    touchstone::verifies!("FR-015b-34", "UT-015b-FIL-10", "FM-015b-03");
    let page = page(&over("find_files", FILES, json!({"pattern": "*.none"})));
    assert_eq!((&page["total"], each(&page, "path").len()), (&json!(0), 0));
    let message = page["message"].as_str().unwrap();
    assert!(message.contains("hidden") && !message.contains("try"), "{message}");
}

#[test]
fn a_pattern_that_no_name_equals_is_searched_inside_names() {
    touchstone::verifies!("E-I33", "FR-015b-08", "FR-015b-34");
    let ask = |pattern: &str, fields: Value| {
        let mut request = fields;
        request["pattern"] = json!(pattern);
        page(&over("find_files", FILES, request))
    };
    let controllers = ["src/Controllers/OrderController.cs", "src/Controllers/UserController.cs"];
    let near = ask("controller", json!({"max_results": 1}));
    assert_eq!(
        (&near["matched_by"], paths(&near)),
        (&json!("substring"), vec![controllers[0].to_owned()])
    );
    assert_eq!((&near["total"], &near["next_offset"]), (&json!(2), &json!(1)));
    assert_eq!(notices(&near), ["max_results", "substring"]);
    let second = ask("controller", json!({"max_results": 1, "offset": 1}));
    assert_eq!(
        (paths(&second), &second["complete"]),
        (vec![controllers[1].to_owned()], &json!(true))
    );
    assert_eq!(paths(&ask("controllers/USER", json!({}))), [controllers[1]]);
    assert_eq!(paths(&ask("a/b", json!({}))), ["lib/a/b/deep.rs"]);
    // A file of that name is the answer, whatever other names hold it; so is a glob's emptiness.
    for (pattern, found) in
        [("main.rs", 2), ("*controller", 0), ("lib", 0), ("h.rs", 0), ("nowhere", 0)]
    {
        let page = ask(pattern, json!({}));
        assert_eq!((page.get("matched_by"), paths(&page).len()), (None, found), "{pattern}");
    }
    let filtered = ask("controller", json!({"exclude_path": "Order*"}));
    assert_eq!(paths(&filtered), [controllers[1]]);
}

#[test]
fn the_text_marks_names_that_only_contain_the_pattern() {
    touchstone::verifies!("E-I33", "FR-015b-22");
    let files = [("virt/kvm/kvm_main.c", ""), ("virt/kvm/eventfd.c", "")];
    let desk = Desk::over(&files, "");
    let answer = desk.call("find_files", &json!({"pattern": "kvm_main"}));
    assert_eq!(
        answer.text,
        "1 file that holds the pattern in its name\nvirt/kvm/kvm_main.c\n\
         [no file is called `kvm_main`; these are files whose names hold it, in small or capital letters]\n"
    );
    let indexed = Desk::with_index(&files);
    indexed.settle();
    // The two trees need not be made in the same second.
    let timeless = |mut page: Value| {
        for result in page["results"].as_array_mut().unwrap() {
            result.as_object_mut().unwrap().remove("modified");
        }
        page
    };
    let page = indexed.page("find_files", &json!({"pattern": "kvm_main"}));
    assert_eq!(timeless(page), timeless(answer.structured));
}

#[test]
fn find_files_names_the_field_of_a_wrong_parameter() {
    touchstone::verifies!("UT-015b-FIL-11", "FR-015b-08", "FR-015b-33");
    for (request, word, field) in [
        (json!({}), "invalid_query", "pattern"),
        (json!({"pattern": "[a"}), "invalid_query", "pattern"),
        (json!({"pattern": "!a"}), "invalid_query", "pattern"),
        (json!({"pattern": "*", "recursive": "yes"}), "invalid_argument", "recursive"),
        (json!({"pattern": "*", "file_type": "rs"}), "invalid_argument", "file_type"),
        (json!({"pattern": "*", "max_results": 1.5}), "invalid_argument", "max_results"),
        (json!({"pattern": "*", "directory": "no/such"}), "search_failed", "directory"),
    ] {
        assert_eq!(
            refused("find_files", request.clone()),
            (word.to_owned(), field.to_owned()),
            "{request}"
        );
    }
}
