use std::{fs, path::PathBuf};

use forge_search_core::request::Builder;

use super::*;
use crate::{
    config::{Config, Preset},
    sandbox::Sandbox,
};

const BUDGET: u64 = 5_000;

fn scanner(full: &Arc<AtomicBool>) -> MatchScanner {
    let caps = Config::preset(Preset::Agent).search_files.caps();
    let request = Request::builder(".", "foo", &caps, true).build().unwrap();
    MatchScanner::new(&request, BUDGET, full).unwrap()
}

fn kept(scanner: &mut MatchScanner, text: &[u8]) -> u64 {
    let Ok(Outcome::Searched(found)) = scanner.scan(text, b"f", None, &mut || true) else {
        panic!("not searched")
    };
    scanner.record(&found);
    found.kept.iter().map(|rendered| rendered.len() as u64).sum()
}

#[test]
fn a_batch_of_files_keeps_no_more_than_an_answer_can_hold() {
    let full = Arc::new(AtomicBool::new(false));
    let mut scanner = scanner(&full);
    let text = b"foo\n".repeat(30);
    scanner.begin();
    let batch: Vec<u64> = (0..5).map(|_| kept(&mut scanner, &text)).collect();
    assert!(batch.iter().sum::<u64>() <= BUDGET && batch[0] > 0, "{batch:?}");
    assert_eq!(batch[3..], [0, 0]);
    scanner.begin();
    assert!(kept(&mut scanner, &text) > 0, "another batch may come first in what is left");
    full.store(true, Ordering::Relaxed);
    scanner.begin();
    assert_eq!(kept(&mut scanner, &text), 0);
}

#[test]
fn a_file_with_a_late_nul_or_invalid_utf8_is_binary() {
    let mut scanner = scanner(&Arc::default());
    let late = |end: &[u8]| [b"foo\n".repeat(10_000), end.to_vec()].concat();
    for end in [&b"\0"[..], b"\xff", b"\xe2\x82"] {
        assert_eq!(scanner.scan(&late(end), b"f", None, &mut || true), Ok(Outcome::Binary));
    }
    assert!(matches!(
        scanner.scan(&late("é".as_bytes()), b"f", None, &mut || true),
        Ok(Outcome::Searched(_))
    ));
}

/// A service over a tree of many files, on so many threads.
fn service(root: &PathBuf, threads: usize) -> Service {
    let config = Config { threads, ..Config::preset(Preset::Agent) };
    Service::new(config, Sandbox::new(std::slice::from_ref(root), root).unwrap()).unwrap()
}

#[test]
fn the_number_of_threads_changes_no_answer_and_no_answer_exceeds_the_limit() {
    let directory = tempfile::tempdir().unwrap();
    let root = dunce::canonicalize(directory.path()).unwrap();
    for number in 0..300 {
        let text = if number % 7 == 0 {
            "\0".to_owned()
        } else {
            format!("foo {number}\n").repeat(number % 5)
        };
        fs::write(root.join(format!("f{number:03}")), text).unwrap();
    }
    for (query, limit) in [("foo", u64::MAX), ("foo", 20_000), ("2", 4_000), ("nothing", 100_000)] {
        let answers = [1, 2, 8].map(|threads| {
            let mut context = ToolContext { max_output_bytes: limit, ..ToolContext::default() };
            let service = service(&root, threads);
            let request = service.search_files_request(".", query).build().unwrap();
            let text = service.search_files(&mut context, &request).unwrap().text;
            assert!(!context.allow_truncation && text.len() as u64 <= limit);
            let (before, after) = text.split_once("\"elapsed_ms\":").unwrap();
            format!("{before}{}", after.get(10..).unwrap())
        });
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{query}: {answers:#?}");
    }
}
