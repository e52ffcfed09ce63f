use serde_json::{Value, json};

use super::*;
use crate::{request::Builder, response::PathError, search_files::Caps};

fn request(max_results: u64) -> Request {
    Request::builder(".", "x", &Caps::documents(), true).max_results(max_results).build().unwrap()
}

fn file(count: u64) -> Item<FileMatches> {
    let kept = (0..count).map(|number| format!("\"match {number}\"")).collect();
    let outcome = Outcome::Searched(FileMatches { kept, count, cut: false, lines: 0 });
    Item::File { path: "f".to_owned(), outcome }
}

fn other(outcome: Outcome<FileMatches>) -> Item<FileMatches> {
    Item::File { path: "f".to_owned(), outcome }
}

fn text(collector: Collector<'_>, ending: SearchEnd) -> Value {
    serde_json::from_str(&collector.finish(".".to_owned(), ending, 0).fit(u64::MAX).unwrap().text)
        .unwrap()
}

#[test]
fn exactly_max_results_matches_are_not_truncated() {
    let request = request(3);
    let mut collector = Collector::new(&request, true, u64::MAX);
    assert!(collector.add(file(2)) && collector.add(file(1)) && collector.add(file(0)));
    let answer = text(collector, SearchEnd::default());
    assert_eq!(
        (&answer["truncated"], &answer["stats"]["matches_total"]),
        (&json!(false), &json!(3))
    );
}

#[test]
fn one_match_beyond_max_results_ends_the_answer_with_its_file() {
    let request = request(3);
    let mut collector = Collector::new(&request, true, u64::MAX);
    assert!(collector.add(file(3)));
    assert!(!collector.add(file(50)));
    let answer = text(collector, SearchEnd { more_files: true, ..SearchEnd::default() });
    assert_eq!(answer["returned"], 3);
    assert_eq!(answer["truncated_reason"], "max_results");
    let stats = &answer["stats"];
    assert_eq!(
        (&stats["matches_total"], &stats["files_scanned"], &stats["files_matched"]),
        (&json!(4), &json!(2), &json!(2))
    );
    assert_eq!(
        stats["incomplete_because"],
        json!(["max_results"]),
        "files beyond were never asked for"
    );
}

#[test]
fn skipped_files_are_recorded_and_only_binary_files_leave_an_answer_complete() {
    let request = request(3);
    let told = |item: Item<FileMatches>, record_binary| {
        let mut collector = Collector::new(&request, record_binary, u64::MAX);
        assert!(collector.add(item));
        let answer = text(collector, SearchEnd::default());
        (
            answer["errors"].clone(),
            answer["truncated"].clone(),
            answer["stats"]["incomplete_because"].clone(),
        )
    };
    let error = |why: &str| json!([{ "path": "f", "error": why }]);
    assert_eq!(told(other(Outcome::Binary), true), (error("binary file"), json!(false), json!([])));
    assert_eq!(told(other(Outcome::Binary), false), (json!([]), json!(false), json!([])));
    let oversized = told(other(Outcome::Oversized), true);
    assert_eq!(
        oversized,
        (error("larger than max_file_size_bytes"), json!(true), json!(["max_file_size_bytes"]))
    );
    let failed = told(other(Outcome::Failed("permission denied")), true);
    assert_eq!(failed, (error("permission denied"), json!(false), json!(["errors"])));
    assert_eq!(told(Item::NotEntered, true), (json!([]), json!(true), json!(["max_depth"])));
    let problem = PathError { path: "f".to_owned(), error: "dangling symlink".to_owned() };
    assert_eq!(
        told(Item::Problem(problem), true),
        (error("dangling symlink"), json!(false), json!(["errors"]))
    );
}

#[test]
fn the_budget_bounds_memory_but_not_counts() {
    let request = request(200);
    let mut collector = Collector::new(&request, true, 100);
    for _ in 0..50 {
        assert!(collector.add(file(2)));
        assert!(collector.add(other(Outcome::Binary)));
    }
    assert!(collector.matches.len() < 15 && collector.errors.len() < 5);
    let answer = collector.finish(".".to_owned(), SearchEnd::default(), 0);
    assert_eq!((answer.stats.matches_total, answer.stats.errors_total), (100, 50));
    assert!(answer.more);
}

#[test]
fn after_a_file_with_dropped_matches_no_further_match_is_kept() {
    let request = request(200);
    let mut collector = Collector::new(&request, true, u64::MAX);
    let outcome =
        Outcome::Searched(FileMatches { kept: Vec::new(), count: 1, cut: false, lines: 1 });
    assert!(collector.add(other(outcome)));
    assert!(collector.add(file(1)));
    let answer = collector.finish(".".to_owned(), SearchEnd::default(), 0);
    assert_eq!((answer.matches.len(), answer.stats.matches_total, answer.more), (0, 2, true));
}
