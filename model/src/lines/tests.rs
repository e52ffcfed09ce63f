use super::*;

fn read(query: &Query, dialect: Dialect, text: &[u8]) -> Vec<OutputLine> {
    Reader::new(query, dialect).unwrap().read(text).unwrap()
}

fn query(pattern: &str) -> Query {
    Query { patterns: vec![pattern.to_owned()], ..Query::default() }
}

/// `number:text` of selected lines, `number-text` of context.
fn shown(query: &Query, dialect: Dialect, text: &str) -> Vec<String> {
    let lines = read(query, dialect, text.as_bytes());
    let mark = |line: &OutputLine| if line.selected { ':' } else { '-' };
    lines
        .iter()
        .map(|line| format!("{}{}{}", line.number, mark(line), String::from_utf8_lossy(&line.text)))
        .collect()
}

fn plain(query: &Query, text: &str) -> Vec<String> {
    shown(query, Dialect::default(), text)
}

#[test]
fn a_line_is_selected_by_any_pattern() {
    let either = Query { patterns: vec!["a".into(), "c".into()], ..Query::default() };
    assert_eq!(plain(&either, "a\nb\nc"), ["1:a", "3:c"]);
    assert_eq!(plain(&Query { invert: true, ..either }, "a\nb\nc"), ["2:b"]);
}

#[test]
fn a_text_without_lines_shows_nothing_even_inverted() {
    assert_eq!(plain(&Query { invert: true, ..query("a") }, ""), Vec::<String>::new());
    assert_eq!(plain(&query(""), "\n"), ["1:"]);
}

#[test]
fn word_and_line_mode_try_alternative_matches() {
    let word = Query { word: true, ..query("foo|foobar") };
    assert_eq!(plain(&word, "foobar\nfoo bar\nafoo\n"), ["1:foobar", "2:foo bar"]);
    let line = Query { line: true, ..query("a|ab") };
    assert_eq!(plain(&line, "ab\nabc\n"), ["1:ab"]);
}

#[test]
fn an_empty_pattern_is_a_word_or_matches_everywhere_by_the_dialect() {
    let word = Query { patterns: vec![String::new(), "b".into()], word: true, ..query("") };
    let everywhere = Dialect { empty: Empty::Everywhere, ..Dialect::default() };
    assert_eq!(plain(&word, "ab\n.\nb"), ["2:.", "3:b"]);
    assert_eq!(shown(&word, everywhere, "ab\n.\nb"), ["1:ab", "2:.", "3:b"]);
    let line = Query { line: true, ..query("") };
    assert_eq!(shown(&line, everywhere, "ab\n\n"), ["2:"]);
}

#[test]
fn word_ends_follow_the_dialect() {
    let word = Query { word: true, ..query("foo") };
    assert_eq!(plain(&word, "éfoo"), Vec::<String>::new());
    assert_eq!(
        shown(&word, Dialect { ascii_words: true, ..Dialect::default() }, "éfoo"),
        ["1:éfoo"]
    );
}

#[test]
fn classes_follow_the_dialect() {
    let ascii = Dialect { ascii_classes: true, ..Dialect::default() };
    assert_eq!(plain(&query(r"^\w$"), "é\na"), ["1:é", "2:a"]);
    assert_eq!(shown(&query(r"^\w$"), ascii, "é\na"), ["2:a"]);
    assert_eq!(shown(&query(r"^[\W]$"), ascii, "é\na"), ["1:é"]);
}

#[test]
fn case_folding_follows_the_dialect() {
    let k = Query { case: Case::Insensitive, ..query("k") };
    assert_eq!(plain(&k, "K\n\u{212a}\n"), ["1:K"]);
    assert_eq!(
        shown(&k, Dialect { unicode_fold: true, ..Dialect::default() }, "K\n\u{212a}\n").len(),
        2
    );
    let smart = Query { case: Case::Smart, ..query("K") };
    assert_eq!(plain(&smart, "K\nk\n"), ["1:K"]);
}

#[test]
fn spans_are_all_non_empty_matches() {
    let spans = |pattern: &str, text: &str| {
        let lines = read(&query(pattern), Dialect::default(), text.as_bytes());
        lines.into_iter().flat_map(|line| line.spans).collect::<Vec<_>>()
    };
    assert_eq!(spans("foo|foobar", "foobarfoo"), [(0, 3), (6, 9)]);
    assert_eq!(spans("a*", "baab"), [(1, 3)]);
    assert_eq!(spans("é", "aéé"), [(1, 3), (3, 5)]);
}

#[test]
fn context_surrounds_matches_and_merges() {
    let near = Query { before: 1, after: 1, ..query("x") };
    assert_eq!(plain(&near, "a\nx\nb\nc\nd\nx"), ["1-a", "2:x", "3-b", "5-d", "6:x"]);
}

#[test]
fn context_after_the_last_allowed_line_follows_the_dialect() {
    let two = Query { max_count: Some(1), after: 2, ..query("x") };
    let text = "x\na\nx\nb\n";
    assert_eq!(plain(&two, text), ["1:x", "2-a"]);
    let window = Dialect { after_max: AfterMax::Window, ..Dialect::default() };
    assert_eq!(shown(&two, window, text), ["1:x", "2-a", "3:x"]);
    let context = Dialect { after_max: AfterMax::Context, ..Dialect::default() };
    assert_eq!(shown(&two, context, text), ["1:x", "2-a", "3-x"]);
    let none = Dialect { after_max: AfterMax::None, ..Dialect::default() };
    assert_eq!(shown(&two, none, text), ["1:x"]);
    assert_eq!(shown(&two, none, "a\nx\nb\n"), ["2:x"]);
    assert_eq!(plain(&Query { max_count: Some(0), ..two }, text), Vec::<String>::new());
}

#[test]
fn carriage_returns_follow_the_dialect() {
    let end = query("x$");
    let kept = Dialect { cr: Cr::Kept, ..Dialect::default() };
    assert_eq!(plain(&end, "x\r\n"), ["1:x"]);
    assert_eq!(shown(&end, kept, "x\r\n"), Vec::<String>::new());
    assert_eq!(shown(&Query { crlf: true, ..end.clone() }, kept, "x\r\n"), ["1:x\r"]);
    let ends = Dialect { cr: Cr::End, ..Dialect::default() };
    assert_eq!(shown(&end, ends, "x\r\n"), ["1:x\r"]);
    // No line begins behind it, whether LF follows or not.
    assert_eq!(shown(&query("^$"), ends, "a\r"), Vec::<String>::new());
    assert_eq!(shown(&query("^$"), ends, "a\r\n"), Vec::<String>::new());
    // It is a character of the line all the same.
    assert_eq!(shown(&query("x."), ends, "x\r\n"), ["1:x\r"]);
}

#[test]
fn byte_order_marks_follow_the_dialect() {
    let start = query("^a");
    assert_eq!(plain(&start, "\u{feff}a"), ["1:a"]);
    assert_eq!(
        shown(&start, Dialect { bom: Bom::Kept, ..Dialect::default() }, "\u{feff}a").len(),
        0
    );
    let wide = b"\xff\xfea\0\n\0";
    assert_eq!(read(&start, Dialect::default(), wide).len(), 1);
    assert_eq!(read(&start, Dialect { bom: Bom::Stripped, ..Dialect::default() }, wide).len(), 0);
}

#[test]
fn empty_matches_may_be_hidden_by_the_dialect() {
    let hidden = Dialect { empty: Empty::Hidden, ..Dialect::default() };
    assert_eq!(plain(&query("a*"), "b\na\n").len(), 2);
    assert_eq!(shown(&query("a*"), hidden, "b\na\n"), ["2:a"]);
    assert_eq!(shown(&Query { invert: true, ..query("a*") }, hidden, "b\na\n"), ["1:b"]);
}

#[test]
fn a_long_line_with_too_many_matches_is_refused() {
    let read = |pattern: &str, length: usize| {
        let query = Query { patterns: vec![pattern.to_owned()], ..Query::default() };
        let mut reader = Reader::new(&query, Dialect::default()).unwrap();
        reader.read(&[&b"x".repeat(length), &b"y\n"[..]].concat()).map(|lines| lines.len())
    };
    // Each match of one letter is searched for to the end of the line.
    assert_eq!(read("x*z|x", 1 << 10), Some(1));
    assert_eq!(read("x*z|x", 1 << 18), None);
    assert_eq!(read("y", 1 << 18), Some(1));
}
