//! Contents of files: few words, so that patterns meet them often, in every disguise a file can
//! wear.
//!
//! Responsible for: words, lines and whole contents, from plain text to UTF-16, from the empty file
//! to one whose NUL stands just inside or just beyond the part that is looked at. Not here:
//! patterns, which draw from the same [`word`]s ([`super::pattern`]). Invariants: contents are a
//! list of pieces, each with a count, so that a long file stays short as a case.

use proptest::prelude::*;
use proptest::sample::select;

/// A piece of a file and how often it stands there in a row.
pub type Piece = (Vec<u8>, u64);

/// The kind of contents of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// Valid UTF-8 in short lines.
    Plain,
    /// The same with invalid bytes, control characters and odd line ends.
    Rough,
    /// Byte order marks, UTF-16, NULs at the limit of the probe.
    Encoded,
    /// Many lines, long lines.
    Large,
}

/// The words that both files and patterns are made of. The first ones are the frequent ones.
const COMMON: &[&str] = &["foo", "foo", "foo", "bar", "bar", "x", "Foo", "foobar", "fo", "o"];

/// Words with a trap in them: folding beyond ASCII, normal forms, pattern syntax, word boundaries.
const TRAPS: &[&str] = &[
    "FOO",
    "k",
    "K",
    "\u{212a}",
    "s",
    "S",
    "\u{17f}",
    "i",
    "I",
    "\u{130}",
    "\u{131}",
    "\u{df}",
    "\u{1e9e}",
    "\u{e9}",
    "e\u{301}",
    "\u{c9}",
    "\u{212b}",
    "caf\u{e9}",
    "cafe\u{301}",
    "-",
    "--",
    "---x",
    "-e",
    "a.b",
    "a*b",
    "(",
    "[",
    "\\",
    "$",
    "^",
    "|",
    "1",
    "12",
    "_",
    "foo_bar",
    "\u{65e5}\u{672c}",
    "\u{1f600}",
    "\t",
    "\u{3c3}",
    "\u{3c2}",
    "\u{3a3}",
    "{",
    "}",
    "a",
    "ab",
    "#",
    "'",
];

/// Bytes that are no text, and characters that a terminal or a line splitter might stumble over.
const ROUGH: &[&[u8]] = &[
    b"\xff",
    b"\xc3",
    b"\xe2\x82",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x98",
    b"\xc0\xaf",
    b"\xf8",
    b"\x1b[31m",
    "\u{2028}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{85}".as_bytes(),
    b"\x0b",
    b"\x0c",
    b"\r",
    b"\r\r",
    b"\x7f",
    "\u{feff}".as_bytes(),
    b"\x07",
    b"\x85",
];

/// UTF-8's byte-order mark, doubled and cut, and a cut mark of UTF-16.
const MARKS: &[&[u8]] =
    &[b"\xef\xbb\xbf", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf", b"\xef\xbb", b"\xff"];

/// A word of the shared vocabulary.
pub fn word() -> BoxedStrategy<&'static str> {
    prop_oneof![7 => select(COMMON), 2 => select(TRAPS)].boxed()
}

/// The contents of one file.
pub fn contents(flavour: Flavour) -> BoxedStrategy<Vec<Piece>> {
    match flavour {
        Flavour::Plain => prop_oneof![24 => plain(), 1 => Just(Vec::new())].boxed(),
        Flavour::Rough => prop_oneof![6 => rough(), 3 => plain(), 1 => Just(Vec::new())].boxed(),
        Flavour::Encoded => {
            prop_oneof![3 => plain(), 1 => rough(), 3 => marked(), 4 => utf16(), 3 => probed()]
                .boxed()
        }
        Flavour::Large => {
            prop_oneof![2 => plain(), 2 => many_lines(), 1 => long_line(), 1 => probed()].boxed()
        }
    }
}

/// How the lines of a file end.
#[derive(Debug, Clone, Copy)]
enum Ends {
    Lf,
    CrLf,
    Mixed,
}

fn ends() -> impl Strategy<Value = Ends> {
    prop_oneof![8 => Just(Ends::Lf), 2 => Just(Ends::CrLf), 1 => Just(Ends::Mixed)]
}

fn separator() -> impl Strategy<Value = &'static str> {
    select(&["", "", " ", " ", "-", "_", "."][..])
}

/// One line as text, without its end; one in seven is empty.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just(String::new()),
        6 => prop::collection::vec((word(), separator()), 1..4)
            .prop_map(|words| words.into_iter().flat_map(|(word, separator)| [word, separator]).collect()),
    ]
}

fn rough_line() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop_oneof![
        3 => word().prop_map(|word| word.as_bytes().to_vec()),
        2 => select(ROUGH).prop_map(<[u8]>::to_vec),
    ];
    prop::collection::vec(fragment, 0..5).prop_map(|fragments| fragments.concat())
}

/// Lines put together; `last` says whether the last one has its end.
fn join(lines: &[Vec<u8>], ends: Ends, last: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        bytes.extend_from_slice(line);
        if index + 1 == lines.len() && !last {
            break;
        }
        if matches!(ends, Ends::CrLf) || (matches!(ends, Ends::Mixed) && index % 2 == 0) {
            bytes.push(b'\r');
        }
        bytes.push(b'\n');
    }
    bytes
}

fn one(bytes: Vec<u8>) -> Vec<Piece> {
    if bytes.is_empty() { Vec::new() } else { vec![(bytes, 1)] }
}

fn plain_bytes() -> impl Strategy<Value = Vec<u8>> {
    (
        prop::collection::vec(line().prop_map(String::into_bytes), 1..7),
        ends(),
        prop::bool::weighted(0.8),
    )
        .prop_map(|(lines, ends, last)| join(&lines, ends, last))
}

fn plain() -> impl Strategy<Value = Vec<Piece>> {
    plain_bytes().prop_map(one)
}

fn rough() -> impl Strategy<Value = Vec<Piece>> {
    (prop::collection::vec(rough_line(), 1..6), ends(), prop::bool::weighted(0.6))
        .prop_map(|(lines, ends, last)| one(join(&lines, ends, last)))
}

/// UTF-8 behind its byte order mark, and what only looks like it.
fn marked() -> impl Strategy<Value = Vec<Piece>> {
    (select(MARKS), plain_bytes()).prop_map(|(mark, text)| one([mark, &text].concat()))
}

/// UTF-16 of both byte orders, at times damaged, at times without a mark.
fn utf16() -> impl Strategy<Value = Vec<Piece>> {
    let damage = prop_oneof![4 => Just(None), 1 => select(&[0xd800_u16, 0xdc00, 0x0000, 0xfeff][..]).prop_map(Some)];
    let text = (prop::collection::vec(line(), 1..4), ends(), prop::bool::weighted(0.7)).prop_map(
        |(lines, ends, last)| {
            let lines: Vec<Vec<u8>> = lines.into_iter().map(String::into_bytes).collect();
            String::from_utf8_lossy(&join(&lines, ends, last)).into_owned()
        },
    );
    (text, any::<bool>(), prop::bool::weighted(0.9), damage, prop::bool::weighted(0.1)).prop_map(
        |(text, little, marked, damage, odd)| {
            let mut units: Vec<u16> = if marked { vec![0xfeff] } else { Vec::new() };
            units.extend(text.encode_utf16());
            if let Some(unit) = damage {
                units.insert(units.len().div_ceil(2), unit);
            }
            let mut bytes: Vec<u8> = units
                .iter()
                .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
                .collect();
            if odd {
                bytes.push(b'f');
            }
            one(bytes)
        },
    )
}

/// A NUL early, just inside the first 8,192 bytes of text, just beyond them, and far away (E-E15).
fn probed() -> impl Strategy<Value = Vec<Piece>> {
    let mark = prop_oneof![4 => Just(&b""[..]), 1 => Just(&b"\xef\xbb\xbf"[..])];
    let at = select(&[4_u64, 100, 8_190, 8_191, 8_191, 8_192, 8_192, 8_193, 8_195, 20_000][..]);
    (mark, at, line()).prop_map(|(mark, at, tail)| {
        let head = [mark, b"foo\n"].concat();
        let pad = at.saturating_sub(4);
        let mut pieces = vec![(head, 1)];
        if pad > 0 {
            pieces.push((b"x".to_vec(), pad));
        }
        pieces.push((b"\0".to_vec(), 1));
        pieces.push(([b"\n", tail.as_bytes(), b"\n"].concat(), 1));
        pieces
    })
}

fn many_lines() -> impl Strategy<Value = Vec<Piece>> {
    (plain_bytes(), select(&[3_u64, 20, 60, 120][..]), plain_bytes())
        .prop_map(
            |(body, times, tail)| {
                if body.is_empty() { one(tail) } else { vec![(body, times), (tail, 1)] }
            },
        )
        .prop_map(|pieces| pieces.into_iter().filter(|(bytes, _)| !bytes.is_empty()).collect())
}

/// A line longer than the buffers of some tools; the longest stands for those that lose its
/// beginning.
fn long_line() -> impl Strategy<Value = Vec<Piece>> {
    (line(), select(&[200_u64, 5_000, 5_000, 70_000, 300_000][..]), line()).prop_map(
        |(head, times, tail)| {
            let pieces = [
                (head.into_bytes(), 1),
                (b"y".to_vec(), times),
                (format!("{tail}\nfoo\n").into_bytes(), 1),
            ];
            pieces.into_iter().filter(|(bytes, _)| !bytes.is_empty()).collect()
        },
    )
}
