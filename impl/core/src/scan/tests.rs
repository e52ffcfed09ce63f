use super::*;
use crate::pattern::PatternOptions;

/// Proposes every line, so that the pattern alone decides.
struct EveryLine;

impl Proposer for EveryLine {
    fn next(
        &mut self,
        _text: &[u8],
        from: usize,
        _go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<usize>, Interrupted> {
        Ok(Some(from))
    }
}

const LIMITS: ScanLimits =
    ScanLimits { context: 0, max_matches: None, max_events: 1000, max_bytes: 1 << 20 };

fn pattern(pattern: &str) -> Pattern {
    Pattern::compile(PatternOptions::expression(pattern)).unwrap()
}

/// Events as `line:column:text` for matches and `line-text` for context.
fn events(text: &[u8], needle: &str, limits: ScanLimits) -> (Vec<String>, bool) {
    let file = scan(text, &pattern(needle), &mut EveryLine, limits, &mut || true).unwrap();
    let shown = file.events.iter().map(|event| match &event.matched {
        Some((column, _)) => format!("{}:{column}:{}", event.line, event.text),
        None => format!("{}-{}", event.line, event.text),
    });
    (shown.collect(), file.cut)
}

#[test]
fn overlapping_context_windows_merge_without_repeated_lines() {
    let limits = ScanLimits { context: 2, ..LIMITS };
    let (got, _) = events(b"a\nfoo\nb\nfoo\nc\nd\ne\nf\ng\nfoo", "foo", limits);
    assert_eq!(got, ["1-a", "2:1:foo", "3-b", "4:1:foo", "5-c", "6-d", "8-f", "9-g", "10:1:foo"]);
}

#[test]
fn adjacent_context_windows_meet_without_a_gap_or_a_repeat() {
    let limits = ScanLimits { context: 1, ..LIMITS };
    let (got, _) = events(b"foo\na\nb\nfoo\n", "foo", limits);
    assert_eq!(got, ["1:1:foo", "2-a", "3-b", "4:1:foo"]);
}

#[test]
fn after_the_last_permitted_match_context_stops_before_the_next_match() {
    let limits = ScanLimits { context: 2, max_matches: Some(1), ..LIMITS };
    let (got, cut) = events(b"foo1\nx\nfoo2\nx\nx\n", "foo", limits);
    assert_eq!((got, cut), (vec!["1:1:foo1".to_owned(), "2-x".to_owned()], true));
}

#[test]
fn a_cap_that_cuts_nothing_is_not_reported_as_a_cut() {
    let limits = ScanLimits { context: 1, max_matches: Some(1), ..LIMITS };
    let (got, cut) = events(b"foo\nx\ny\n", "foo", limits);
    assert_eq!((got, cut), (vec!["1:1:foo".to_owned(), "2-x".to_owned()], false));
}

#[test]
fn columns_count_bytes_of_the_emitted_text() {
    let (got, _) = events(b"\xffx foo\n\tfoo\n\xc3\xa9\xc3\xa9foo\n", "foo", LIMITS);
    assert_eq!(got, ["1:6:\u{fffd}x foo", "2:2:\tfoo", "3:5:ééfoo"]);
}

#[test]
fn the_end_of_a_line_is_before_its_crlf() {
    let (got, _) = events(b"foo\r\nfoo\r\r\nfoo\r", "foo$", LIMITS);
    assert_eq!(got, ["1:1:foo"]);
}

#[test]
fn blank_lines_match_and_no_line_follows_the_final_line_feed() {
    let (got, _) = events(b"\nx\n\n", "^$", LIMITS);
    assert_eq!(got, ["1:1:", "3:1:"]);
    assert!(events(b"", "^$", LIMITS).0.is_empty());
}

#[test]
fn a_full_answer_ends_the_scan_with_the_event_that_did_not_fit() {
    let (got, _) = events(b"foo\nfoo\nfoo\n", "foo", ScanLimits { max_events: 2, ..LIMITS });
    assert_eq!(got.len(), 2);
    let (got, _) = events(b"foo\nfoofoo\nfoo\n", "foo", ScanLimits { max_bytes: 5, ..LIMITS });
    assert_eq!(got, ["1:1:foo", "2:1:"], "the second is kept as a mark, without its text");
}

#[test]
fn a_cancelled_scan_stops() {
    let mut asked = 0;
    let mut go_on = || {
        asked += 1;
        asked < 3
    };
    let got = scan(b"a\nb\nc\nd\n", &pattern("zz"), &mut EveryLine, LIMITS, &mut go_on);
    assert_eq!(got, Err(Interrupted));
}

#[test]
fn a_file_is_read_until_it_has_more_bytes_or_as_many_events_as_are_wanted() {
    let full = |bytes, events: usize| {
        let event = LineEvent { line: 1, bytes: 1, text: String::new(), matched: None };
        let file = FileEvents { events: vec![event; events], cut: false };
        let limits = ScanLimits { max_events: 3, max_bytes: 10, ..LIMITS };
        Output { text: b"", limits, bytes, last: None, file }.full()
    };
    assert_eq!((full(10, 2), full(11, 2), full(10, 3)), (false, true, true));
}
