use super::*;
use crate::generated::agent::AGENT;

fn cut(line: &str, first_match: usize) -> String {
    shown(line, first_match, &AGENT.limits).text
}

#[test]
fn a_line_of_400_bytes_is_shown_whole() {
    let line = "x".repeat(400);
    assert_eq!(shown(&line, 399, &AGENT.limits), ShownLine { text: line, cut: false });
}

#[test]
fn a_longer_line_is_cut_at_its_end_or_around_a_late_match() {
    let line = "x".repeat(1_000);
    assert_eq!(cut(&line, 300), "x".repeat(400) + MARK);
    assert_eq!(cut(&line, 301), MARK.to_owned() + &"x".repeat(400) + MARK);
    assert_eq!(cut(&line, 900), MARK.to_owned() + &"x".repeat(200));
}

#[test]
fn cuts_keep_characters_whole() {
    let line = "\u{65e5}".repeat(200);
    assert_eq!(cut(&line, 0), "\u{65e5}".repeat(133) + MARK);
    // 100 bytes before byte 501 is byte 401, inside a character that starts at 399.
    assert_eq!(cut(&line, 501), MARK.to_owned() + &"\u{65e5}".repeat(200 - 133));
}

#[test]
fn context_has_as_many_lines_as_exist() {
    let lines: [&[u8]; 3] = [b"a", b"b", b"c"];
    let (context, cut) = around(&lines, 0, 5, &AGENT.limits).unwrap();
    assert_eq!((context, cut), (json!({"before": [], "after": ["b", "c"]}), false));
    assert_eq!(around(&lines, 1, 0, &AGENT.limits), None);
}
