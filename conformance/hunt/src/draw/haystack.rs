//! What is searched.

use touchstone_cases::case::{Contents, Entry, Node, Part, Text};
use touchstone_cases::dice::Dice;

use super::pattern::Piece;
use super::swarm::Swarm;
use crate::question::Pack;

/// The size of buffers that programs read by; haystacks end lines around its multiples.
const BUFFER: usize = 64 << 10;

/// A pack of small files.
pub(super) fn pack(dice: &mut Dice, swarm: &Swarm, patterns: &[Piece], count: usize) -> Pack {
    let mut tree: Vec<Entry> = (0..count)
        .map(|number| file(number, Contents::plain(small(dice, swarm, patterns))))
        .collect();
    if swarm.inaccessible {
        let closed = Contents::plain(small(dice, swarm, patterns));
        let (path, node) = if dice.once_in(2) {
            ("missing", Node::Link { target: b"nowhere".to_vec() })
        } else {
            ("closed", Node::File { contents: closed, readable: false })
        };
        tree.insert(dice.below(count), Entry { path: path.into(), node });
    }
    Pack { tree }
}

/// A pack of files longer than buffers: filler that matches nothing, and something at its end or
/// behind it. A huge one is one file of up to 4 MiB, or 2 MiB in one line.
pub(super) fn long_pack(dice: &mut Dice, swarm: &Swarm, patterns: &[Piece], is_huge: bool) -> Pack {
    let (count, most) = if is_huge { (1, 64) } else { (4, 4) };
    let tree = (0..count).map(|number| {
        let one_line = dice.once_in(2);
        let buffers = 1 + dice.below(if one_line && is_huge { most / 2 } else { most });
        let length = (BUFFER * buffers).saturating_sub(dice.below(12));
        let filler =
            if one_line { b"\x01".to_vec() } else { b"\x01\x01\x01\x01\x01\x01\x01\n".to_vec() };
        let times = u64::try_from(length / filler.len()).unwrap_or(1);
        let mut parts = vec![Part { bytes: Text(filler), times }];
        if one_line && dice.once_in(2) {
            parts.push(Part { bytes: Text(b"\n".to_vec()), times: 1 });
        }
        parts.push(Part { bytes: Text(small(dice, swarm, patterns)), times: 1 });
        file(number, Contents { parts })
    });
    Pack { tree: tree.collect() }
}

fn file(number: usize, contents: Contents) -> Entry {
    Entry {
        path: format!("h{number:02}").into_bytes(),
        node: Node::File { contents, readable: true },
    }
}

/// Some lines of what the patterns match, near misses, and letters.
fn small(dice: &mut Dice, swarm: &Swarm, patterns: &[Piece]) -> Vec<u8> {
    let most = if swarm.many_lines { 8 } else { 3 };
    let count = 1 + dice.below(most);
    let mut bytes = Vec::new();
    for number in 1..=count {
        bytes.extend(line(dice, swarm, patterns));
        if number == count && swarm.unended && dice.once_in(2) {
            break;
        }
        if swarm.crlf && dice.once_in(2) {
            bytes.push(b'\r');
        }
        bytes.push(b'\n');
    }
    if swarm.marks { marked(dice, bytes) } else { bytes }
}

/// Behind a byte order mark, perhaps.
fn marked(dice: &mut Dice, bytes: Vec<u8>) -> Vec<u8> {
    match (dice.below(6), std::str::from_utf8(&bytes)) {
        (0, Ok(text)) => "\u{feff}"
            .encode_utf16()
            .chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect(),
        (1, Ok(text)) => "\u{feff}"
            .encode_utf16()
            .chain(text.encode_utf16())
            .flat_map(u16::to_be_bytes)
            .collect(),
        (2 | 3, _) => ["\u{feff}".as_bytes(), &bytes].concat(),
        _ => bytes,
    }
}

fn line(dice: &mut Dice, swarm: &Swarm, patterns: &[Piece]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..dice.below(4) {
        let text = match dice.below(6) {
            0 => swarm.letter(dice).to_string(),
            1 => swarm.text(dice),
            2 => dice.pick(&[" ", "-", "_", "é", "."], " ").to_owned(),
            kind => {
                let sample = patterns
                    .get(dice.below(patterns.len()))
                    .map_or_else(String::new, |piece| piece.sample(dice, swarm));
                if kind == 3 { miss(dice, swarm, &sample) } else { sample }
            }
        };
        bytes.extend(text.bytes().filter(|byte| *byte != b'\n'));
        if swarm.nul && dice.once_in(6) {
            bytes.push(0);
        }
        if swarm.invalid && dice.once_in(4) {
            bytes.push(dice.pick(&[0xff, 0x80, 0xc3, 0xe2, 0xed], 0xff));
        }
    }
    bytes
}

/// Nearly the same text: a letter more, less, other, or in the other case.
fn miss(dice: &mut Dice, swarm: &Swarm, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let at = dice.below(letters.len());
    match (dice.below(4), letters.get_mut(at)) {
        (0, Some(_)) => {
            letters.remove(at);
        }
        (1, Some(letter)) => *letter = swarm.letter(dice),
        (2, Some(letter)) => {
            let lower = letter.to_lowercase().next();
            let upper = letter.to_uppercase().next();
            *letter = lower.filter(|lower| lower != letter).or(upper).unwrap_or(*letter);
        }
        _ => letters.insert(at, swarm.letter(dice)),
    }
    letters.into_iter().collect()
}
