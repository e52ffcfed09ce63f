//! Contents of files for tokenizer and filter: all short ones of telling bytes, known traps, and drawn ones.
//!
//! Responsible for: bytes that are decoded, normalised, folded or cut in more than one imaginable way.
//! Left to neighbours: what is done with them; contents that a search could stumble over ([`crate::generate::text`]).
//! Invariants: the short ones come first, by length; a drawn one depends on its dice alone.

use super::dice::Dice;

/// Bytes of which every pair is tried: line ends, letters, the edges of every range of UTF-8's leading and following bytes.
const WIDE: [u8; 26] = [
    b'\0', b'\n', b'\r', b'A', b'Z', b'[', b'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbb, 0xbf, 0xc1, 0xc2,
    0xcc, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xfe, 0xff,
];

/// Bytes of which every triple and quadruple is tried.
const NARROW: [u8; 12] = [b'\n', b'\r', b'A', b'e', 0x81, 0xa0, 0xbf, 0xcc, 0xe2, 0xef, 0xf0, 0xff];

/// All strings of up to two wide bytes, then all of three and four narrow ones.
pub(crate) fn short() -> Vec<Vec<u8>> {
    let longer = |strings: &[Vec<u8>], alphabet: &[u8]| -> Vec<Vec<u8>> {
        strings
            .iter()
            .flat_map(|string| alphabet.iter().map(move |byte| [string.as_slice(), &[*byte]].concat()))
            .collect()
    };
    let one = longer(&[Vec::new()], &WIDE);
    let two = longer(&one, &WIDE);
    let three = longer(&longer(&longer(&[Vec::new()], &NARROW), &NARROW), &NARROW);
    let four = longer(&three, &NARROW);
    [vec![Vec::new()], one, two, three, four].concat()
}

/// Texts with a trap each.
const TRAPS: &[&[u8]] = &[
    b"abc",
    b"ab",
    b"ABC abc",
    b"one\r\ntwo\r\nthree\r",
    b"one\ntwo\nthree\r",
    b"\r\r\n\n\r\n\r",
    b"a\rb\r\r\nc",
    // Marks of encodings, whole, cut short, doubled, out of place.
    b"\xef\xbb\xbfabc",
    b"\xef\xbb\xbf\xef\xbb\xbfabc",
    b"\xef\xbbabc",
    b"\xff\xfea\0b\0",
    b"\xfe\xff\0a\0b",
    b"\xff\xfe\0\0a\0\0\0",
    b"\0\0\xfe\xff\0\0\0a",
    b"\0\0\xfeabc",
    b"\0\0\xff\xfeabc",
    b"abc\xff\xfe",
    b"\xfe\xff",
    b"\xff\xfe",
    b"\0\0\xfe\xff",
    b"\xff",
    b"\xfe",
    // At, below and above one half of replacements.
    b"a\xff",
    b"ab\xff\xff",
    b"a\xff\xff",
    b"ab\xff",
    b"abc\xff\xff\xff\xff",
    "a\u{fffd}".as_bytes(),
    "a\u{fffd}\u{fffd}".as_bytes(),
    "\u{fffd}".as_bytes(),
    "ab\u{fffd}\u{fffd}\u{fffd}".as_bytes(),
    b"\xe2\x82\xe2\x82ab",
    b"\xe2\x82\xe2\x82a",
    b"\xf0\x9f\x98\xf0\x9f\x98ab",
    // Normal forms: composed, decomposed, excluded from composition, reordered, blocked, singletons.
    "caf\u{e9}".as_bytes(),
    "cafe\u{301}".as_bytes(),
    "e\u{301}\u{323}x".as_bytes(),
    "e\u{323}\u{301}x".as_bytes(),
    "\u{1eb9}\u{301}x".as_bytes(),
    "a\u{302}\u{301}x".as_bytes(),
    "a\u{315}\u{300}\u{5ae}\u{300}b".as_bytes(),
    "\u{212b}\u{2126}\u{212a}".as_bytes(),
    "\u{958}\u{2adc}\u{fb1d}".as_bytes(),
    "\u{344}\u{340}\u{341}\u{343}".as_bytes(),
    "\u{301}abc".as_bytes(),
    "abc\u{301}".as_bytes(),
    "a\n\u{301}b".as_bytes(),
    "\r\u{338}\n=\u{338}".as_bytes(),
    "\u{1100}\u{1161}\u{11a8}x".as_bytes(),
    "\u{ac00}\u{11a8}x".as_bytes(),
    "\u{ac01}\u{11a8}x".as_bytes(),
    "\u{1100}\u{1161}\u{11a7}".as_bytes(),
    "\u{1fef}\u{2000}\u{37e}".as_bytes(),
    "\u{1d15e}\u{1d1bb}".as_bytes(),
    "\u{11131}\u{11127}".as_bytes(),
    "\u{f900}\u{2f800}".as_bytes(),
    // Folding: more than ASCII, more than one scalar, other scripts, other planes.
    "\u{130}\u{131}iI".as_bytes(),
    "stra\u{df}e STRASSE \u{1e9e}".as_bytes(),
    "\u{3a3}\u{3c3}\u{3c2}".as_bytes(),
    "K\u{212a}ks\u{17f}S".as_bytes(),
    "\u{ab70}\u{13a0}\u{13f8}".as_bytes(),
    "\u{1c5}\u{1c4}\u{1c6}".as_bytes(),
    "\u{1f88}\u{1f80}\u{345}".as_bytes(),
    "\u{10400}\u{10428}x".as_bytes(),
    "\u{1e921}\u{1e943}x".as_bytes(),
    "\u{c9}\u{e9}E\u{301}".as_bytes(),
    "\u{10ffff}\u{0}\u{7f}\u{80}".as_bytes(),
];

/// The traps, and the long texts that only a repetition makes.
pub(crate) fn telling() -> Vec<Vec<u8>> {
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
    0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf8, 0xfc,
    0xfe, 0xff, b'x',
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
            dice.pick(&[b"\xff" as &[u8], b"\xef\xbf\xbd", b"\xe2\x82", b"\xf0\x9f\x98", b"\x80"], b"\xff"),
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
                [bytes.get(..start).unwrap_or_default(), bytes.get(end..).unwrap_or_default()].concat();
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
