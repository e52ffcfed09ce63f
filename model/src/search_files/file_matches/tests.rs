use serde_json::{Value, json};

use crate::World;
use crate::search_files::Config;
use crate::search_files::tests::{agent, answer, answer_under, errors, short};

fn one(bytes: impl AsRef<[u8]>) -> World {
    World::new().file("f", bytes)
}

fn asking(fields: &Value) -> Value {
    let mut request = json!({"path": ".", "query": "x"});
    for (name, value) in fields.as_object().expect("an object") {
        request[name] = value.clone();
    }
    request
}

/// MATF-SF-column, E-I07.
#[test]
fn columns_are_bytes_of_the_line() {
    let found = answer(&one("éx\u{301}x\n  x"), &asking(&json!({})));
    assert_eq!(short(&found), ["f:1:3:x", "f:1:6:x", "f:2:3:x"]);
}

/// The byte order mark is not part of the line.
#[test]
fn files_are_decoded_before_matching() {
    let little = b"\xff\xfex\0\n\0\xe9\0x\0";
    let found = answer(&one(little), &asking(&json!({})));
    assert_eq!(short(&found), ["f:1:1:x", "f:2:3:x"]);
    assert_eq!(found["matches"][1]["line_text"], "éx");
    assert_eq!(short(&answer(&one(b"\xef\xbb\xbfx\n"), &asking(&json!({})))), ["f:1:1:x"]);
    // Invalid UTF-16 becomes U+FFFD, and the file is text all the same.
    let odd = answer(&one(b"\xfe\xff\0x\xd8\0\0"), &asking(&json!({})));
    assert_eq!(odd["matches"][0]["line_text"], "x\u{fffd}\u{fffd}");
}

#[test]
fn a_line_loses_its_end_and_one_return_before_it() {
    let found = answer(&one("x\r\r\nx\r"), &asking(&json!({"query": "x", "mode": "exact"})));
    assert_eq!(found["matches"][0]["line_text"], "x\r");
    assert_eq!(found["matches"][1]["line_text"], "x\r");
    assert_eq!(
        short(&answer(&one("x\n\n"), &asking(&json!({"query": "^$", "mode": "regex"})))),
        ["f:2:1:"]
    );
}

/// MATF-SF-before, MATF-SF-after, E-I28.
#[test]
fn every_match_has_separate_context() {
    let world = one("a\nx x\nb\nx\n");
    let found = answer(&world, &asking(&json!({"context_lines": 2})));
    let around: Vec<(Value, Value)> = found["matches"]
        .as_array()
        .expect("an array")
        .iter()
        .map(|of| (of["before"].clone(), of["after"].clone()))
        .collect();
    let first = (json!(["a"]), json!(["b", "x"]));
    assert_eq!(around, [first.clone(), first, (json!(["x x", "b"]), json!([]))]);
    assert_eq!(found["stats"]["matches_total"], 3);
    let none = answer(&world, &asking(&json!({})));
    assert_eq!(
        (&none["matches"][0]["before"], &none["matches"][0]["after"]),
        (&json!([]), &json!([]))
    );
}

/// FR-SF-SRC-04, FR-SF-SRC-07, T-SF-05, E-I03.
#[test]
fn too_large_and_binary_files_have_separate_errors() {
    let world = World::new()
        .file("fits", "x\n3456789")
        .file("large", "x\n34567890")
        .file("nul", "x\n\0")
        .file("bytes", b"x\n\xff")
        .file("late", [b"x".repeat(8), b"\xc3".to_vec()].concat());
    let request = asking(&json!({"max_file_size_bytes": 9}));
    let found = answer(&world, &request);
    assert_eq!(short(&found), ["fits:1:1:x"]);
    let large = "large: larger than max_file_size_bytes";
    let told = ["bytes: binary file", large, "late: binary file", "nul: binary file"];
    assert_eq!(errors(&found), told);
    let stats = &found["stats"];
    assert_eq!((&stats["files_binary"], &stats["files_oversized"]), (&json!(3), &json!(1)));
    assert_eq!((&stats["files_scanned"], &stats["files_matched"]), (&json!(5), &json!(1)));
    assert_eq!(stats["incomplete_because"], json!(["max_file_size_bytes"]));
    assert_eq!((&found["truncated"], &found["truncated_reason"]), (&json!(true), &json!(null)));

    let silent = answer_under(&Config { record_binary: false, ..agent() }, &world, &request);
    assert_eq!(errors(&silent), [large]);
    assert_eq!(
        (&silent["stats"]["files_binary"], &silent["stats"]["errors_total"]),
        (&json!(3), &json!(1))
    );
}

/// Binary files are not searched, so they make nothing incomplete.
#[test]
fn a_binary_file_does_not_make_an_answer_incomplete() {
    let found = answer(&one(b"x\0"), &asking(&json!({})));
    assert_eq!(errors(&found), ["f: binary file"]);
    assert_eq!((&found["truncated"], &found["stats"]["complete"]), (&json!(false), &json!(true)));
}

/// FR-SF-ERR-04: an unreadable file is an error, but cuts nothing.
#[test]
fn an_unreadable_file_is_an_error_and_makes_the_answer_incomplete() {
    let world = World::new().file("a", "x\n").unreadable_file("b", "x\n");
    let found = answer(&world, &asking(&json!({})));
    assert_eq!(errors(&found), ["b: permission denied"]);
    assert_eq!((&found["truncated"], &found["truncated_reason"]), (&json!(false), &json!(null)));
    assert_eq!(
        (&found["stats"]["complete"], &found["stats"]["files_scanned"]),
        (&json!(false), &json!(2))
    );
    assert_eq!(found["stats"]["incomplete_because"], json!(["errors"]));
    // Its size is known without opening it.
    let large = World::new().unreadable_file("b", "x\n34567890");
    let found = answer(&large, &asking(&json!({"max_file_size_bytes": 9})));
    assert_eq!(errors(&found), ["b: larger than max_file_size_bytes"]);
}

/// Matches are counted, not lines.
#[test]
fn only_the_first_matches_of_each_file_count() {
    let world = World::new().file("a", "x x\nx\n").file("b", "x\nx\n");
    let found = answer(&world, &asking(&json!({"max_matches_per_file": 2})));
    assert_eq!(short(&found), ["a:1:1:x", "a:1:3:x", "b:1:1:x", "b:2:1:x"]);
    let stats = &found["stats"];
    assert_eq!((&stats["files_cut"], &stats["matches_total"]), (&json!(1), &json!(4)));
    assert_eq!(stats["incomplete_because"], json!(["max_matches_per_file"]));
    assert_eq!((&found["truncated"], &found["truncated_reason"]), (&json!(true), &json!(null)));
}

/// MATF-SF-score.
#[test]
fn approximate_matches_have_a_score_and_the_text_of_the_window() {
    let found = answer(
        &one("say helllo!\nhallo\nno\n"),
        &asking(&json!({"query": "hello", "mode": "fuzzy"})),
    );
    assert_eq!(short(&found), ["f:1:5:helllo", "f:2:1:hallo"]);
    assert_eq!(found["matches"][0]["score"], json!(5.0 / 6.0));
    assert_eq!(found["matches"][1]["score"], json!(0.8));
}
