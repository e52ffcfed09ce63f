use std::fs;

use super::*;

/// Loads a file with this content; a line is promising if it holds `needle`.
fn load(content: &[u8], cap: u64) -> Result<(Vec<u8>, bool), Unsearchable> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("f"), content).unwrap();
    let root = Root::open(&dir.path().canonicalize().unwrap()).unwrap();
    let mut may_match = |block: &[u8]| block.windows(6).any(|window| window == b"needle");
    let account = crate::account::MemoryAccount::default();
    let mut reader = Reader::new(account.reservation());
    reader
        .load(&root, b"f", cap, &mut may_match)
        .map(|loaded| (loaded.text.into_owned(), loaded.transcoded))
}

const CAP: u64 = 1 << 22;

#[test]
fn small_files_are_returned_whole_without_their_byte_order_mark() {
    assert_eq!(load(b"abc\n", CAP), Ok((b"abc\n".to_vec(), false)));
    assert_eq!(load(b"", CAP), Ok((Vec::new(), false)));
    assert_eq!(load(b"\xef\xbb\xbfabc", CAP), Ok((b"abc".to_vec(), false)));
    assert_eq!(load(b"\xef\xbb\xbf", CAP), Ok((Vec::new(), false)));
}

#[test]
fn utf16_is_decoded_and_an_odd_byte_or_a_lone_surrogate_becomes_a_replacement() {
    assert_eq!(load(b"\xff\xfeh\0i\0", CAP), Ok((b"hi".to_vec(), true)));
    assert_eq!(load(b"\xfe\xff\0h\0i", CAP), Ok((b"hi".to_vec(), true)));
    assert_eq!(load(b"\xff\xfeh\0\x41", CAP), Ok(("h\u{fffd}".as_bytes().to_vec(), true)));
    assert_eq!(load(b"\xff\xfe\x00\xd8h\0", CAP), Ok(("\u{fffd}h".as_bytes().to_vec(), true)));
    assert_eq!(
        load(b"\xff\xfe\0\0", CAP),
        Err(Unsearchable::Binary),
        "a NUL of the text, not of its encoding"
    );
}

#[test]
fn the_size_cap_is_inclusive() {
    assert!(load(b"12345", 5).is_ok());
    assert_eq!(load(b"123456", 5), Err(Unsearchable::Oversized));
}

#[test]
fn a_large_file_is_read_whole_only_if_a_line_may_match() {
    let mut text = "x\n".repeat(BLOCK_BYTES);
    assert_eq!(load(text.as_bytes(), CAP), Ok((Vec::new(), false)));
    text.push_str("needle");
    assert_eq!(load(text.as_bytes(), CAP), Ok((text.clone().into_bytes(), false)));
}

#[test]
fn a_match_across_read_blocks_is_found() {
    for at in BLOCK_BYTES - 8..BLOCK_BYTES + 2 {
        let mut text = vec![b'x'; 3 * BLOCK_BYTES];
        text[100] = b'\n';
        text[at..at + 6].copy_from_slice(b"needle");
        text[at + 10] = b'\n';
        assert_eq!(load(&text, CAP).unwrap().0.len(), text.len(), "at {at}");
    }
    let mut long_line = vec![b'x'; 2 * BLOCK_BYTES];
    long_line.extend_from_slice(b"needle");
    assert_eq!(load(&long_line, CAP).unwrap().0.len(), long_line.len());
}

#[test]
fn an_early_nul_makes_a_large_file_binary_and_a_late_one_does_not() {
    let mut text = "x\n".repeat(BLOCK_BYTES).into_bytes();
    text.extend_from_slice(b"\0needle");
    assert!(load(&text, CAP).is_ok());
    text[BINARY_WINDOW - 1] = 0;
    assert_eq!(load(&text, CAP), Err(Unsearchable::Binary));
}
