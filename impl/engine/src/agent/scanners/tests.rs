use forge_search_core::{agent::Defaults, request::Builder};

use super::*;

const DEFAULTS: Defaults =
    Defaults { max_results: 10, context_lines: 0, reading: crate::requests::Reading::Documents };

#[test]
fn grep_counts_the_lines_with_a_match() {
    let request = grep::Request::builder("needle", &DEFAULTS).build().unwrap();
    let (_, finder) = grep::Collector::new(&request);
    let mut scanner = grep_scanner(finder, &request.pattern).unwrap();
    for (text, lines) in [("hay\n", 0), ("needle\nhay\nneedle needle\n", 2)] {
        scanner.begin();
        let outcome = scanner.scan(text.as_bytes(), b"f", None, &mut || true);
        let Ok(Outcome::Searched(found)) = outcome else { panic!("{outcome:?}") };
        assert_eq!(GrepScanner::lines(&found), lines);
        assert_eq!(GrepScanner::is_omitted(&found), lines == 0);
    }
}
