use forge_search_core::request::Builder;

use super::*;
use crate::config::{Config, Preset};

#[test]
fn a_text_without_a_match_is_omitted_and_each_match_is_a_line() {
    let limits = Config::preset(Preset::Agent).limits();
    let request = Request::builder("needle", &limits).context(1).build().unwrap();
    let pattern = &request.matcher;
    let proposer = NativeProposer::new(pattern).unwrap();
    let mut scanner = LineScanner::new(&request, pattern, proposer);
    for (text, lines) in [("hay\n", 0), ("needle\nhay\nneedle needle\n", 2)] {
        let outcome = scanner.scan(text.as_bytes(), b"f", None, &mut || true);
        let Ok(Outcome::Searched(found)) = outcome else { panic!("{outcome:?}") };
        assert_eq!(LineScanner::lines(&found), lines);
        assert_eq!(LineScanner::is_omitted(&found), lines == 0);
    }
}
