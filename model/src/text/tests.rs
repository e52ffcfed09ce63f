use super::{decode, is_binary, lines};
use crate::place;

/// E-E16, E-A03.
#[test]
fn byte_order_marks_are_dropped_and_utf16_is_decoded() {
    let rows: &[(&[u8], &str)] = &[
        (b"foo", "foo"),
        (b"\xef\xbb\xbffoo", "foo"),
        (b"\xef\xbb\xbf\xef\xbb\xbffoo", "\u{feff}foo"),
        (b"f\xef\xbb\xbfoo", "f\u{feff}oo"),
        (b"\xff\xfef\0o\0", "fo"),
        (b"\xfe\xff\0f\0o", "fo"),
        (b"\xff\xfe", ""),
        (b"\xff\xfe\x3d\xd8\x00\xde", "\u{1f600}"),
        (b"\xff\xfe\x3d\xd8a\0", "\u{fffd}a"),
        (b"\xff\xfe\x00\xdea\0", "\u{fffd}a"),
        (b"\xff\xfe\x3d\xd8\x3d\xd8\x00\xde", "\u{fffd}\u{1f600}"),
        (b"\xff\xfef\0o", "f\u{fffd}"),
        (b"\xff\xfe\x3d\xd8o", "\u{fffd}\u{fffd}"),
        (b"\xff\xfe\xff\xfef\0", "\u{feff}f"),
    ];
    for (bytes, expected) in rows {
        assert_eq!(place::lossy(&decode(bytes)), *expected, "{bytes:?}");
    }
    assert_eq!(
        decode(b"\xff\xfff").as_ref(),
        b"\xff\xfff",
        "what is no byte order mark stays as it is"
    );
}

/// Compares with the standard library's decoder.
#[test]
fn utf_16_units_decode_like_the_standard_library() {
    let interesting =
        [0x0041, 0xd7ff, 0xd800, 0xd83d, 0xdbff, 0xdc00, 0xde00, 0xdfff, 0xe000, 0xffff];
    for one in interesting {
        for other in interesting {
            for third in interesting {
                let units: [u16; 3] = [one, other, third];
                let mut bytes = b"\xfe\xff".to_vec();
                bytes.extend(units.iter().flat_map(|unit| unit.to_be_bytes()));
                assert_eq!(
                    place::lossy(&decode(&bytes)),
                    String::from_utf16_lossy(&units),
                    "{units:x?}"
                );
            }
        }
    }
}

/// E-E15.
#[test]
fn a_nul_early_in_the_text_makes_a_file_binary() {
    assert!(is_binary(b"ab\0", 3));
    assert!(!is_binary(b"abc\0", 3));
    assert!(!is_binary(b"", 3));
    assert!(!is_binary(&decode(b"\xff\xfef\0"), 8_192));
    assert!(is_binary(&decode(b"\xff\xfef\0\0\0"), 8_192));
}

/// E-E03.
#[test]
fn a_line_loses_its_lf_and_one_cr_before_it() {
    let rows: &[(&[u8], &[&[u8]])] = &[
        (b"", &[]),
        (b"\n", &[b""]),
        (b"a", &[b"a"]),
        (b"a\n", &[b"a"]),
        (b"a\n\nb", &[b"a", b"", b"b"]),
        (b"a\r\nb\r", &[b"a", b"b\r"]),
        (b"a\r\r\n", &[b"a\r"]),
        (b"a\rb\n", &[b"a\rb"]),
        (b"\r\n\r", &[b"", b"\r"]),
        ("a\u{2028}b\u{85}c".as_bytes(), &["a\u{2028}b\u{85}c".as_bytes()]),
    ];
    for (text, expected) in rows {
        assert_eq!(lines(text), *expected, "{:?}", place::lossy(text));
    }
}
