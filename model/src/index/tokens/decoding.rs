//! Lossy decoding of UTF-8, with one replacement for every maximal subpart of an ill-formed
//! sequence (E-A08).
//!
//! A byte that can begin a sequence is never consumed by the one before it.

pub(super) fn decode(replacement: char, bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut rest = bytes;
    while let Some((scalar, after)) = next(rest) {
        text.push(scalar.unwrap_or(replacement));
        rest = after;
    }
    text
}

/// The first scalar, or `None` in its place, and the rest.
fn next(bytes: &[u8]) -> Option<(Option<char>, &[u8])> {
    let (lead, mut rest) = bytes.split_first()?;
    let Some((mut value, expected)) = begins(*lead) else { return Some((None, rest)) };
    for (low, high) in expected {
        match rest.split_first() {
            Some((byte, after)) if (*low..=*high).contains(byte) => {
                value = value << 6 | u32::from(byte & 0x3f);
                rest = after;
            }
            _ => return Some((None, rest)),
        }
    }
    Some((char::from_u32(value), rest))
}

/// Ranges of continuation bytes.
type Expected = &'static [(u8, u8)];

const ANY: (u8, u8) = (0x80, 0xbf);

/// For a lead byte: its bits, and its continuation bytes (the Unicode Standard, table 3-7).
fn begins(lead: u8) -> Option<(u32, Expected)> {
    let (mask, expected): (u8, Expected) = match lead {
        0x00..=0x7f => (0x7f, &[]),
        0xc2..=0xdf => (0x1f, &[ANY]),
        0xe0 => (0x0f, &[(0xa0, 0xbf), ANY]),
        0xe1..=0xec | 0xee..=0xef => (0x0f, &[ANY, ANY]),
        0xed => (0x0f, &[(0x80, 0x9f), ANY]),
        0xf0 => (0x07, &[(0x90, 0xbf), ANY, ANY]),
        0xf1..=0xf3 => (0x07, &[ANY, ANY, ANY]),
        0xf4 => (0x07, &[(0x80, 0x8f), ANY, ANY]),
        0x80..=0xc1 | 0xf5..=0xff => return None,
    };
    Some((u32::from(lead & mask), expected))
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn every_maximal_subpart_becomes_one_replacement() {
        let rows: [(&[u8], &str); 10] = [
            (b"plain", "plain"),
            ("é日🦀\u{feff}".as_bytes(), "é日🦀\u{feff}"),
            (b"\xf0\x9f\xc3\xa9xy\n", "\u{fffd}éxy\n"),
            (
                b"\xf0\x9f\x98\xf0\x9f\x98\xf0\x9f\x98\xf0\x9f\x98",
                "\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
            ),
            (b"\xe0\x80\x80", "\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xed\xa0\x80", "\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xf4\x90\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xc0\xaf", "\u{fffd}\u{fffd}"),
            (b"a\xe2\x82", "a\u{fffd}"),
            (b"\x80\xff", "\u{fffd}\u{fffd}"),
        ];
        for (bytes, expected) in rows {
            assert_eq!(decode('\u{fffd}', bytes), expected, "{bytes:x?}");
        }
    }

    #[test]
    fn short_byte_sequences_decode_like_the_standard_library() {
        let telling = [
            0x00, b'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1,
            0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
        ];
        for one in telling {
            for two in telling {
                for three in telling {
                    for four in telling {
                        let bytes = [one, two, three, four, b'.'];
                        assert_eq!(
                            decode('\u{fffd}', &bytes),
                            String::from_utf8_lossy(&bytes),
                            "{bytes:x?}"
                        );
                    }
                }
            }
        }
    }
}
