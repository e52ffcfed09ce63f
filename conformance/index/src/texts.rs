//! Contents of files for tokenizer and filter: all short ones of telling bytes, known traps, and
//! drawn ones.
//!
//! Responsible for: bytes that are decoded, normalised, folded or cut in more than one imaginable
//! way. Not here: what is done with them; contents that a search could stumble over
//! ([`touchstone_cases::generate::text`]). Invariants: the short ones come first, by length; a
//! drawn one depends on its dice alone.

use touchstone_cases::dice::Dice;

mod traps;

use traps::TRAPS;

/// Bytes of which every pair is tried: line ends, letters, the edges of every range of UTF-8's
/// leading and following bytes.
const WIDE: [u8; 26] = [
    b'\0', b'\n', b'\r', b'A', b'Z', b'[', b'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbb, 0xbf,
    0xc1, 0xc2, 0xcc, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xfe, 0xff,
];

/// Bytes of which every triple and quadruple is tried.
const NARROW: [u8; 12] = [b'\n', b'\r', b'A', b'e', 0x81, 0xa0, 0xbf, 0xcc, 0xe2, 0xef, 0xf0, 0xff];

/// All strings of up to two wide bytes, then all of narrow ones from three up to `longest`.
pub(crate) fn short(longest: usize) -> Vec<Vec<u8>> {
    let longer = |strings: &[Vec<u8>], alphabet: &[u8]| -> Vec<Vec<u8>> {
        let behind = |string: &Vec<u8>| {
            let string = string.clone();
            alphabet
                .iter()
                .map(move |byte| [string.as_slice(), &[*byte]].concat())
                .collect::<Vec<_>>()
        };
        strings.iter().flat_map(behind).collect()
    };
    let one = longer(&[Vec::new()], &WIDE);
    let two = longer(&one, &WIDE);
    let mut all = [vec![Vec::new()], one, two].concat();
    let mut last = longer(&longer(&[Vec::new()], &NARROW), &NARROW);
    for _ in 3..=longest {
        last = longer(&last, &NARROW);
        all.extend(last.iter().cloned());
    }
    all
}

/// The traps, and the long texts that only a repetition makes.
pub(crate) fn trap_texts() -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = TRAPS.iter().map(|trap| trap.to_vec()).collect();
    for length in [4_095, 4_096, 4_097] {
        texts.push(b"abcd\n".iter().copied().cycle().take(length).collect());
        texts.push("a\u{e9}\n".bytes().cycle().take(length).collect());
        texts.push("e\u{301}x".bytes().cycle().take(length).collect());
    }
    texts
}

/// Styles of drawn texts.
const STYLES: usize = 9;

/// Words of the drawn text that looks like source.
const SOURCE: &[&str] = &[
    "fn ",
    "let ",
    "return",
    "self.",
    "(",
    ")",
    "{",
    "}",
    ";",
    "\n",
    "\n",
    "    ",
    "Foo",
    "foo",
    "FOO",
    "_",
    "0x1F",
    "//",
    "\"",
    "\r\n",
    "\t",
    "->",
    "::",
    "caf\u{e9}",
    "\u{65e5}\u{672c}",
    "\u{1f600}",
];
const ENDS: &[&str] = &["\r", "\n", "\r\n", "\n\r", "\r\r\n", "a", "B", "", "\u{85}", "\u{2028}"];
const LEADS: [u8; 20] = [
    0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8,
    0xfc, 0xfe, 0xff, b'x',
];
const FOLLOWS: [u8; 10] = [0x80, 0x81, 0x8f, 0x90, 0x9f, 0xa0, 0xbb, 0xbe, 0xbf, b'y'];
const MARKS: &[char] = &[
    '\u{300}',
    '\u{301}',
    '\u{302}',
    '\u{308}',
    '\u{30a}',
    '\u{315}',
    '\u{323}',
    '\u{327}',
    '\u{328}',
    '\u{338}',
    '\u{345}',
    '\u{5ae}',
    '\u{5b0}',
    '\u{591}',
    '\u{93c}',
    '\u{3099}',
    '\u{309a}',
    '\u{1d165}',
    '\u{200d}',
    '\u{34f}',
];
const BASES: &[char] = &[
    'a',
    'e',
    'A',
    'o',
    'u',
    's',
    '\u{b7}',
    '=',
    '<',
    '\u{3b1}',
    '\u{3b9}',
    '\u{3c9}',
    '\u{e9}',
    '\u{1eb9}',
    '\u{915}',
    '\u{30ab}',
    '\u{30cf}',
    '\u{212b}',
    '\u{958}',
    '\u{1d157}',
    '\n',
    '\r',
];
const FOLDING: &[char] = &[
    'k',
    'K',
    '\u{212a}',
    's',
    'S',
    '\u{17f}',
    'i',
    'I',
    '\u{130}',
    '\u{131}',
    '\u{df}',
    '\u{1e9e}',
    '\u{3a3}',
    '\u{3c3}',
    '\u{3c2}',
    '\u{c5}',
    '\u{e5}',
    '\u{212b}',
    '\u{3a9}',
    '\u{2126}',
    '\u{13a0}',
    '\u{ab70}',
    '\u{1c4}',
    '\u{1c5}',
    '\u{1c6}',
    '\u{390}',
    '\u{1fd3}',
    '\u{fb05}',
    '\u{fb06}',
    '\u{345}',
    '\u{3b9}',
    '\u{10400}',
    '\u{10428}',
    '\u{1c90}',
    '\u{10d0}',
    'a',
    'B',
    '@',
    '[',
    '`',
    '{',
];

/// A text of one style, or two of them one behind the other; at most some hundred bytes.
pub(crate) fn drawn(dice: &mut Dice) -> Vec<u8> {
    let mut text = styled(dice);
    if dice.once_in(5) {
        text.extend(styled(dice));
    }
    text
}

fn styled(dice: &mut Dice) -> Vec<u8> {
    let pieces = 1 + dice.below(40);
    match dice.below(STYLES) {
        0 => (0..pieces).flat_map(|_| dice.pick(SOURCE, "").bytes()).collect(),
        1 => (0..pieces).flat_map(|_| dice.pick(ENDS, "").bytes()).collect(),
        2 => (0..pieces).flat_map(|_| broken(dice)).collect(),
        3 => characters(dice, pieces, |dice| {
            if dice.once_in(2) { dice.pick(BASES, 'a') } else { dice.pick(MARKS, 'a') }
        }),
        4 => characters(dice, pieces, hangul),
        5 => characters(dice, pieces, |dice| dice.pick(FOLDING, 'a')),
        6 => {
            let mark: &[u8] = dice.pick(
                &[
                    b"\xef\xbb\xbf" as &[u8],
                    b"\xff\xfe",
                    b"\xfe\xff",
                    b"\0\0\xfe\xff",
                    b"\xff\xfe\0\0",
                    b"\xef\xbb",
                ],
                b"",
            );
            [mark, &styled(dice)].concat()
        }
        7 => around_the_ratio(dice),
        _ => characters(dice, pieces, |dice| {
            char::from_u32((dice.word() % 0x11_0000) as u32).unwrap_or('\u{fffd}')
        }),
    }
}

fn characters(dice: &mut Dice, pieces: usize, next: impl Fn(&mut Dice) -> char) -> Vec<u8> {
    let text: String = (0..pieces).map(|_| next(dice)).collect();
    text.into_bytes()
}

/// A sequence that is UTF-8 or nearly so, with text around it.
fn broken(dice: &mut Dice) -> Vec<u8> {
    let mut bytes = vec![dice.pick(&LEADS, b'x')];
    for _ in 0..dice.below(4) {
        bytes.push(dice.pick(&FOLLOWS, b'y'));
    }
    if dice.once_in(2) {
        bytes.push(dice.pick(b"aeZ\r\n ", b' '));
    }
    bytes
}

/// Syllables, and what they are made of.
fn hangul(dice: &mut Dice) -> char {
    let ranges = [(0x1100_u32, 20_usize), (0x1161, 22), (0x11a7, 29), (0xac00, 60), (0x0061, 2)];
    let (first, length) = dice.pick(&ranges, (0x61, 1));
    let place = u32::try_from(dice.below(length)).unwrap_or(0);
    char::from_u32(first + place).unwrap_or('a')
}

/// As many replacements as other scalars, give or take one, in any order.
fn around_the_ratio(dice: &mut Dice) -> Vec<u8> {
    let half = 1 + dice.below(12);
    let replaced = (half + dice.below(3)).saturating_sub(1);
    let mut pieces: Vec<&[u8]> = vec![b"a"; half];
    for _ in 0..replaced {
        let place = dice.below(pieces.len() + 1);
        pieces.insert(
            place,
            dice.pick(
                &[b"\xff" as &[u8], b"\xef\xbf\xbd", b"\xe2\x82", b"\xf0\x9f\x98", b"\x80"],
                b"\xff",
            ),
        );
    }
    pieces.concat()
}

/// What is left of `bytes` when everything is taken away without which `fails` still holds.
pub(crate) fn shrunk(bytes: Vec<u8>, fails: &dyn Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut bytes = bytes;
    let mut length = bytes.len().div_ceil(2);
    while length > 0 {
        let mut start = 0;
        while start < bytes.len() {
            let end = (start + length).min(bytes.len());
            let without =
                [bytes.get(..start).unwrap_or_default(), bytes.get(end..).unwrap_or_default()]
                    .concat();
            if fails(&without) {
                bytes = without;
            } else {
                start = end;
            }
        }
        length /= 2;
    }
    bytes
}
