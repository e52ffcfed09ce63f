//! What should have come beside what came, line by line.
//!
//! Responsible for: the rows of that comparison ([`contrast`]), in HTML and as plain text.
//! Not here: which of the differences counts ([`crate::verdict`]); here all are
//! shown.
//! Invariants: what a program does not tell is no difference; runs of equal rows are shortened and
//! counted.

use std::fmt::Write as _;

use maud::{Markup, html};
use touchstone_cases::case::{Text, escape};

use super::written::{beginning, bytes, grouped, joined, whole};
use crate::answer::{Answer, FileAnswer, Line, Status};

/// Most rows of one comparison.
const MAX_ROWS: usize = 80;
/// Equal rows kept on either side of a different one.
const AROUND: usize = 3;

/// Whose row it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Both say so.
    Both,
    /// Expected.
    Want,
    /// It came.
    Got,
}

/// One row.
#[derive(Debug, Clone)]
pub(super) struct Row<'a> {
    pub(super) side: Side,
    what: What<'a>,
}

#[derive(Debug, Clone)]
enum What<'a> {
    File(&'a Text),
    Line { line: &'a Line, differs: Option<(usize, usize)> },
    Count(u64),
    Order(&'a [Text]),
    Status(Status),
    Broken(&'a str),
    Nothing,
    Skipped(usize),
}

/// The rows of both answers; where nothing came, why.
pub(super) fn contrast<'a>(
    expected: Option<&'a Answer>,
    actual: Option<&'a Answer>,
    broken: Option<&'a str>,
) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let mut push = |side, what| rows.push(Row { side, what });
    if let (Some(want), Some(got)) = (expected, actual) {
        let mut paths: Vec<&Text> = want.files.keys().chain(got.files.keys()).collect();
        paths.sort();
        paths.dedup();
        for path in paths {
            match (want.files.get(path), got.files.get(path)) {
                (Some(want), Some(got)) => {
                    push(Side::Both, What::File(path));
                    both_files(want, got, &mut push);
                }
                (Some(want), None) => one_file(path, want, Side::Want, &mut push),
                (None, Some(got)) => one_file(path, got, Side::Got, &mut push),
                (None, None) => {}
            }
        }
        if want.order != got.order && !want.order.is_empty() && !got.order.is_empty() {
            push(Side::Want, What::Order(&want.order));
            push(Side::Got, What::Order(&got.order));
        }
        if want.status == got.status {
            push(Side::Both, What::Status(want.status));
        } else {
            push(Side::Want, What::Status(want.status));
            push(Side::Got, What::Status(got.status));
        }
    } else {
        for (side, answer) in [(Side::Want, expected), (Side::Got, actual)] {
            let Some(answer) = answer else { continue };
            for (path, file) in &answer.files {
                one_file(path, file, side, &mut push);
            }
            push(side, What::Status(answer.status));
        }
        match (actual, broken) {
            (None, Some(why)) => push(Side::Got, What::Broken(why)),
            (None, None) => push(Side::Got, What::Nothing),
            _ => {}
        }
    }
    shortened(rows)
}

fn one_file<'a>(
    path: &'a Text,
    file: &'a FileAnswer,
    side: Side,
    push: &mut impl FnMut(Side, What<'a>),
) {
    push(side, What::File(path));
    for line in &file.lines {
        push(side, What::Line { line, differs: None });
    }
    if let Some(count) = file.count {
        push(side, What::Count(count));
    }
}

/// Lines of both, joined by their numbers.
fn both_files<'a>(
    want: &'a FileAnswer,
    got: &'a FileAnswer,
    push: &mut impl FnMut(Side, What<'a>),
) {
    let (mut wants, mut gots) = (want.lines.iter().peekable(), got.lines.iter().peekable());
    loop {
        match (wants.peek(), gots.peek()) {
            (Some(w), Some(g)) if w.number == g.number => {
                let (w, g) = (*w, *g);
                if same(w, g) {
                    push(Side::Both, What::Line { line: w, differs: None });
                } else {
                    let (in_want, in_got) = differing(w, g);
                    push(Side::Want, What::Line { line: w, differs: in_want });
                    push(Side::Got, What::Line { line: g, differs: in_got });
                }
                wants.next();
                gots.next();
            }
            (Some(w), other) if other.is_none_or(|g| w.number < g.number) => {
                push(Side::Want, What::Line { line: w, differs: None });
                wants.next();
            }
            (_, Some(g)) => {
                push(Side::Got, What::Line { line: g, differs: None });
                gots.next();
            }
            (_, None) => break,
        }
    }
    match (want.count, got.count) {
        (Some(w), Some(g)) if w == g => push(Side::Both, What::Count(w)),
        (w, g) => {
            for (side, count) in [(Side::Want, w), (Side::Got, g)] {
                if let Some(count) = count {
                    push(side, What::Count(count));
                }
            }
        }
    }
}

/// Whether two lines say the same, as far as both say anything.
fn same(want: &Line, got: &Line) -> bool {
    let agrees = |a: Option<&Text>, b: Option<&Text>| a.is_none() || b.is_none() || a == b;
    want.selected == got.selected
        && agrees(want.text.as_ref(), got.text.as_ref())
        && (want.spans.is_none() || got.spans.is_none() || want.spans == got.spans)
}

/// A range of bytes, if there is one.
type Range = Option<(usize, usize)>;

/// Where the texts of two lines differ, in each: what is left without their common beginning and
/// end.
fn differing(want: &Line, got: &Line) -> (Range, Range) {
    let (Some(Text(want)), Some(Text(got))) = (&want.text, &got.text) else { return (None, None) };
    if want == got {
        return (None, None);
    }
    let head = want.iter().zip(got).take_while(|(a, b)| a == b).count();
    let room = want.len().min(got.len()) - head;
    let tail =
        want.iter().rev().zip(got.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    if head + tail == 0 {
        // Nothing in common: marking all of it would tell nothing.
        return (None, None);
    }
    (Some((head, want.len() - tail)), Some((head, got.len() - tail)))
}

/// Long runs of equal rows without their middle, and no more rows than are read.
fn shortened(rows: Vec<Row<'_>>) -> Vec<Row<'_>> {
    let differs: Vec<bool> = rows
        .iter()
        .map(|row| row.side != Side::Both || matches!(row.what, What::File(_)))
        .collect();
    let near = |at: usize| {
        let window = at.saturating_sub(AROUND)..(at + AROUND + 1).min(differs.len());
        differs.get(window).is_some_and(|window| window.contains(&true))
    };
    let mut kept: Vec<Row<'_>> = Vec::new();
    for (at, row) in rows.into_iter().enumerate() {
        let keep = kept.len() < MAX_ROWS && (near(at) || matches!(row.what, What::Status(_)));
        match kept.last_mut() {
            _ if keep => kept.push(row),
            Some(Row { what: What::Skipped(skipped), .. }) => *skipped += 1,
            _ => kept.push(Row { side: Side::Both, what: What::Skipped(1) }),
        }
    }
    kept
}

impl Row<'_> {
    /// The row as HTML.
    pub(super) fn html(&self) -> Markup {
        let (class, word) = match self.side {
            Side::Both => ("same", ""),
            Side::Want => ("want", "want"),
            Side::Got => ("got", "got"),
        };
        html! { div class=(class) { span.g { (word) } span { @match &self.what {
            What::File(path) => strong { (bytes(&path.0, &[], None)) },
            What::Line { line, differs } => (line_html(line, *differs)),
            What::Count(count) => (counted(*count, "selected line")),
            What::Order(paths) => {
                "in this order: "
                (joined(paths.iter().take(40).map(|path| bytes(&path.0, &[], None)), ", "))
            }
            What::Status(status) => { "exit status: " (status_name(*status)) }
            What::Broken(why) => { b.x { "no answer:" } " " (whole(&beginning(why, 600))) }
            What::Nothing => "nothing",
            What::Skipped(rows) => i.o { "⋯ " (grouped(*rows as u64)) " more rows ⋯" },
        } } } "\n" }
    }

    /// The row for a block of Markdown that is read as a diff, or for XML: `-` is expected, `+`
    /// came.
    pub(super) fn plain(&self) -> String {
        let sign = match self.side {
            Side::Both => ' ',
            Side::Want => '-',
            Side::Got => '+',
        };
        let told = match &self.what {
            What::File(path) => short_bytes(&path.0),
            What::Line { line, .. } => line_plain(line),
            What::Count(count) => counted(*count, "selected line"),
            What::Order(paths) => {
                let paths: Vec<String> =
                    paths.iter().take(40).map(|path| short_bytes(&path.0)).collect();
                format!("order: {}", paths.join(", "))
            }
            What::Status(status) => format!("exit status: {}", status_name(*status)),
            What::Broken(why) => format!("no answer: {}", short_bytes(why.as_bytes())),
            What::Nothing => "nothing".to_owned(),
            What::Skipped(rows) => format!("... {rows} more rows"),
        };
        format!("{sign} {told}\n")
    }
}

fn line_html(line: &Line, differs: Range) -> Markup {
    let spans = line.spans.as_deref();
    html! {
        span.n { (line.number) (if line.selected { ':' } else { '-' }) }
        @match &line.text {
            Some(text) => (bytes(&text.0, spans.unwrap_or_default(), differs)),
            None if spans.is_none() => i.o { "text not shown" },
            None => {}
        }
        @if let Some(spans) = spans { " " span.s { (spans_told(spans)) } }
    }
}

fn line_plain(line: &Line) -> String {
    let mut told = format!("{}{}", line.number, if line.selected { ':' } else { '-' });
    if let Some(text) = &line.text {
        told.push_str(&short_bytes(&text.0));
    }
    if let Some(spans) = &line.spans {
        let _ = write!(told, "  {}", spans_told(spans));
    }
    told
}

fn spans_told(spans: &[(u64, u64)]) -> String {
    if spans.is_empty() {
        return "no match told".to_owned();
    }
    let mut told: Vec<String> =
        spans.iter().take(20).map(|(from, to)| format!("{from}..{to}")).collect();
    if spans.len() > told.len() {
        told.push(format!("and {} more", spans.len() - told.len()));
    }
    format!("at {}", told.join(" "))
}

/// What an exit status said.
fn status_name(status: Status) -> &'static str {
    match status {
        Status::Matched => "something selected",
        Status::None => "nothing selected",
        Status::Failed => "failed",
    }
}

/// A number and what it counts.
pub(super) fn counted(number: u64, what: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{} {what}{end}", grouped(number))
}

/// Escaped bytes, of long ones both ends.
fn short_bytes(bytes: &[u8]) -> String {
    if bytes.len() <= 200 {
        return escape(bytes);
    }
    let head = bytes.get(..90).unwrap_or_default();
    let tail = bytes.get(bytes.len() - 90..).unwrap_or_default();
    format!("{} ... {} bytes ... {}", escape(head), bytes.len() - 180, escape(tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(number: u64, text: &str, spans: Option<Vec<(u64, u64)>>) -> Line {
        Line { number, selected: true, text: Some(Text(text.into())), spans }
    }

    fn answer(lines: Vec<Line>) -> Answer {
        let file = FileAnswer { lines, count: None };
        Answer {
            files: [(Text(b"a".to_vec()), file)].into(),
            order: Vec::new(),
            status: Status::Matched,
        }
    }

    fn told(rows: &[Row<'_>]) -> String {
        rows.iter().map(Row::plain).collect()
    }

    #[test]
    fn compared_lines_are_paired_by_number() {
        let want =
            answer(vec![line(1, "x", None), line(2, "y", Some(vec![(0, 1)])), line(4, "z", None)]);
        let got = answer(vec![
            line(2, "y", Some(vec![(0, 0)])),
            line(3, "w", None),
            line(4, "z", Some(vec![])),
        ]);
        let rows = told(&contrast(Some(&want), Some(&got), None));
        assert_eq!(
            rows,
            "  a\n- 1:x\n- 2:y  at 0..1\n+ 2:y  at 0..0\n+ 3:w\n  4:z\n  exit status: something selected\n"
        );
    }

    #[test]
    fn a_missing_answer_is_shown_with_its_reason() {
        let want = answer(vec![line(1, "x", None)]);
        let rows = told(&contrast(Some(&want), None, Some("killed by signal 11")));
        assert!(rows.ends_with("+ no answer: killed by signal 11\n"), "{rows}");
        assert!(rows.starts_with("- a\n- 1:x\n"), "{rows}");
    }

    #[test]
    fn the_differing_part_of_a_line_is_marked() {
        let (want, got) =
            (answer(vec![line(1, "abcd", None)]), answer(vec![line(1, "abXXcd", None)]));
        let rows = contrast(Some(&want), Some(&got), None);
        let rows: String = rows.iter().map(|row| row.html().into_string()).collect();
        assert!(rows.contains("ab<b class=\"x\">XX</b>cd"), "{rows}");
    }

    #[test]
    fn equal_rows_are_counted_and_not_shown() {
        let lines = |last: &str| {
            (1..=5000).map(|n| line(n, if n == 5000 { last } else { "x" }, None)).collect()
        };
        let (want, got) = (answer(lines("x")), answer(lines("y")));
        let rows = told(&contrast(Some(&want), Some(&got), None));
        assert!(rows.lines().count() < 14 && rows.contains("... 4993 more rows"), "{rows}");
        let many = answer(lines("x"));
        assert!(contrast(Some(&many), Some(&Answer::default()), None).len() <= MAX_ROWS + 2);
    }
}
