use forge_search_core::pattern::PatternOptions;

use super::*;

fn proposer(pattern: &str, stride: usize) -> NativeProposer {
    let pattern = Pattern::compile(PatternOptions::expression(pattern)).unwrap();
    NativeProposer { stride, ..NativeProposer::new(&pattern).unwrap() }
}

/// The lines that are proposed, by the offsets at which they start.
fn proposed(pattern: &str, text: &str, stride: usize) -> Vec<usize> {
    let mut proposer = proposer(pattern, stride);
    let (mut lines, mut from) = (Vec::new(), 0);
    while from < text.len() {
        let at = proposer.next(text.as_bytes(), from, &mut || true).unwrap();
        let Some(line) = at.and_then(|at| text::line_at(text.as_bytes(), at)) else { break };
        assert!(line.start >= from, "lines are proposed in order");
        lines.push(line.start);
        from = line.end + 1;
    }
    lines
}

#[test]
fn no_line_is_lost_at_the_seam_of_two_blocks() {
    let text = "foo\nx\n\nfoo bar\r\nxx\nbarfoo\n\nfoo";
    for (pattern, wanted) in [
        ("foo", vec![0, 7, 19, 27]),
        ("^foo", vec![0, 7, 27]),
        ("foo$", vec![0, 19, 27]),
        ("bar$", vec![7]),
        ("^$", vec![6, 26]),
        (r"\bfoo\b", vec![0, 7, 27]),
    ] {
        for stride in 10..=text.len() + 1 {
            let proposed = proposed(pattern, text, stride);
            let lost = wanted.iter().find(|line| !proposed.contains(line));
            assert_eq!(lost, None, "{pattern} in blocks of {stride}: {proposed:?}");
            assert!(!proposed.contains(&4), "{pattern} in blocks of {stride}: {proposed:?}");
        }
    }
}

#[test]
fn a_line_longer_than_a_block_is_proposed_unexamined() {
    let text = "a\nlong line\nb\nanother long line";
    assert_eq!(proposed("b", text, 5), [2, 12, 14]);
    assert_eq!(
        proposed("b", text, 1),
        [0, 2, 12, 14],
        "not even one line feed fits in beside a letter"
    );
    assert_eq!(proposed("zz", &"x".repeat(100), 5), [0]);
}

#[test]
fn a_scan_without_a_match_can_be_cancelled_between_blocks() {
    let text = "x\n".repeat(1000);
    let mut asked = 0;
    let mut go_on = || {
        asked += 1;
        asked < 3
    };
    let got = proposer("foo", 64).next(text.as_bytes(), 0, &mut go_on);
    assert_eq!((got, asked), (Err(Interrupted), 3));
}

#[test]
fn the_most_deeply_nested_patterns_are_proposed() {
    for pattern in [
        format!("[a-z]{}", "+".repeat(247)),
        format!("{}b{}", "(".repeat(120), ")+".repeat(120)),
        format!("(?i){}k{}", "(?:a?".repeat(70), ")*?".repeat(70)),
    ] {
        let compiled = Pattern::compile(PatternOptions::expression(&pattern)).unwrap();
        let mut proposer = NativeProposer::new(&compiled).unwrap();
        assert!(proposer.next(b"-\nbk\n", 0, &mut || true).unwrap().is_some(), "{pattern}");
    }
}
