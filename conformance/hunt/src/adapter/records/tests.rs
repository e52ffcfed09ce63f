//! Output of every form, whole and torn.

use super::*;
use crate::answer::Status;

fn reader(show: Show, record: &str, context: Option<&str>) -> Reader {
    Reader {
        record: Template::parse(record).unwrap(),
        context: context.map(|written| Template::parse(written).unwrap()),
        skip: vec![b"--".to_vec()],
        end: b"\n".to_vec(),
        open_end: false,
        show,
    }
}

fn answer(reader: &Reader, pack: &Pack, output: &[u8]) -> Result<Answer, Garble> {
    let mut reading = Reading::of(pack, Bom::Decoded);
    read(reader, output, &mut reading)?;
    Ok(reading.answer(true))
}

fn told(answer: &Answer) -> Vec<String> {
    let mut told = Vec::new();
    for (path, file) in &answer.files {
        for line in &file.lines {
            let mark = if line.selected { ':' } else { '-' };
            let text = line.text.as_ref().map(|text| escape(&text.0)).unwrap_or_default();
            let spans = line
                .spans
                .iter()
                .flatten()
                .map(|(start, end)| format!("{start}..{end}"))
                .collect::<Vec<_>>();
            told.push(format!(
                "{} {}{mark}{text}{}",
                escape(&path.0),
                line.number,
                spans.join(",")
            ));
        }
        if let Some(count) = file.count {
            told.push(format!("{} {count}", escape(&path.0)));
        }
    }
    told
}

#[test]
fn matching_lines_and_context_are_distinguished_by_their_separators() {
    let reader = reader(Show::Lines, "{path}\0{line}:{text}", Some("{path}\0{line}-{text}"));
    let output = b"./a\x001-x:y\na\x002:2-z\n--\nn\nl\x007:\xff\r\n";
    let answer = answer(&reader, &Pack::of(&[("a", ""), ("n\nl", "")]), output).unwrap();
    assert_eq!(told(&answer), ["a 1-x:y", "a 2:2-z", "n\\nl 7:\\xff\\r"]);
    assert_eq!(answer.order, [Text(b"a".to_vec()), Text(b"n\nl".to_vec())]);
    assert_eq!(answer.status, Status::None);
}

#[test]
fn a_known_path_is_preferred_to_an_unknown_one() {
    let reader = reader(Show::Lines, "{path}:{line}:{text}", None);
    let answer = answer(&reader, &Pack::of(&[("a:3", "")]), b"a:3:4:5:x\nb:1:y\n").unwrap();
    assert_eq!(told(&answer), ["a:3 4:5:x", "b 1:y"]);
}

#[test]
fn spans_are_counted_from_the_beginning_of_their_line() {
    let pack = Pack::of(&[("a", "one\ntwo two\n")]);
    let by_offset = reader(Show::Spans, "{path}\0{line}:{offset}:{text}", None);
    let read_once = answer(&by_offset, &pack, b"a\x002:4:two\na\x002:8:two\n").unwrap();
    assert_eq!(told(&read_once), ["a 2:0..3,4..7"]);
    let by_column = reader(Show::Spans, "{path}:{line}:{column}:{end}", None);
    let read_once = answer(&by_column, &pack, b"a:2:1:3\na:2:5:7\n").unwrap();
    assert_eq!(told(&read_once), ["a 2:0..3,4..7"]);
    assert!(answer(&by_offset, &pack, b"a\x009:4:two\n").is_err());
}

#[test]
fn zero_counts_are_not_reported() {
    let reader = reader(Show::Count, "{path}\0{count}", None);
    assert_eq!(told(&answer(&reader, &Pack::default(), b"a\x000\nb\x002\r\n").unwrap()), ["b 2"]);
}

#[test]
fn torn_or_unordered_output_is_refused_and_shown() {
    let reader = reader(Show::Lines, "{path}\0{line}:{text}", None);
    for (output, reason) in [
        (&b"a\x001:x"[..], "no record"),
        (b"a\x00x:x\n", "no record"),
        (b"warning\n", "no record"),
        (b"a\x002:x\na\x001:x\n", "behind line 2"),
        (b"a\x002:x\na\x002:x\n", "twice"),
        (b"a\x0099999999999999999999:x\n", "no record"),
    ] {
        let garble = answer(&reader, &Pack::default(), output).unwrap_err();
        assert!(garble.reason.contains(reason), "{garble:?}");
    }
}

#[test]
fn templates_accept_only_known_fields() {
    assert!(Template::parse("{path}{nowhere}").unwrap_err().contains("{nowhere}"));
    assert!(Template::parse("{path").is_err());
}

#[test]
fn offsets_refer_to_the_decoded_text() {
    let by_offset = reader(Show::Spans, "{path}:{line}:{offset}:{end}", None);
    let wide = Pack {
        tree: vec![touchstone_cases::case::Entry::file("a", b"\xff\xfem\0\n\0x\0m\0\n\0".to_vec())],
    };
    assert_eq!(
        told(&answer(&by_offset, &wide, b"a:1:0:1\na:2:3:4\n").unwrap()),
        ["a 1:0..1", "a 2:1..2"]
    );
    let marked = Pack::of(&[("a", "\u{feff}m\nm\n")]);
    assert_eq!(told(&answer(&by_offset, &marked, b"a:2:2:3\n").unwrap()), ["a 2:0..1"]);
}

#[test]
fn the_last_record_may_lack_its_end_only_if_the_adapter_permits_it() {
    let mut reader = reader(Show::Lines, "{path}:{line}:{text}", None);
    assert!(answer(&reader, &Pack::default(), b"a:1:x\na:2:y").is_err());
    reader.open_end = true;
    assert_eq!(
        told(&answer(&reader, &Pack::default(), b"a:1:x\na:2:y").unwrap()),
        ["a 1:x", "a 2:y"]
    );
}
