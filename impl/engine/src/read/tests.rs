use std::{fs, sync::Arc};

use super::*;
use crate::account::{MOST_BYTES, MemoryAccount, MemoryPool};

/// Loads a file with this content; a line is promising if it holds `needle`.
fn load(content: &[u8], cap: u64) -> Result<(Vec<u8>, bool), Unsearchable> {
    load_charged(&MemoryAccount::default(), content, cap)
}

/// The same, within an account.
fn load_charged(
    account: &MemoryAccount,
    content: &[u8],
    cap: u64,
) -> Result<(Vec<u8>, bool), Unsearchable> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("f"), content).unwrap();
    let root = Root::open(&dunce::canonicalize(dir.path()).unwrap()).unwrap();
    let mut may_match = |block: &[u8]| block.windows(6).any(|window| window == b"needle");
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
    let block = &text.as_bytes()[..BLOCK_BYTES];
    assert_eq!(load(block, CAP), Ok((block.to_vec(), false)), "a block is not large");
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
    for before in [&b""[..], b"a\n"] {
        let long_line = [before, &vec![b'x'; 2 * BLOCK_BYTES], b"needle"].concat();
        assert_eq!(load(&long_line, CAP).unwrap().0.len(), long_line.len());
    }
}

#[test]
fn an_early_nul_makes_a_large_file_binary_and_a_late_one_does_not() {
    let mut text = "x\n".repeat(BLOCK_BYTES).into_bytes();
    text.extend_from_slice(b"\0needle");
    assert!(load(&text, CAP).is_ok());
    text[BINARY_WINDOW - 1] = 0;
    assert_eq!(load(&text, CAP), Err(Unsearchable::Binary));
}

#[test]
fn a_file_that_grows_while_it_is_read_may_grow_to_the_cap() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("f"), b"12345").unwrap();
    let account = MemoryAccount::default();
    for (cap, end) in [(4, Err(Unsearchable::Oversized)), (5, Ok(())), (6, Ok(()))] {
        let mut reader = Reader::new(account.reservation());
        let file = File::open(dir.path().join("f")).unwrap();
        assert_eq!(reader.fill(file, 3, cap), end, "{cap}");
    }
}

#[test]
fn utf16_is_charged_with_two_copies_of_its_bytes_and_of_its_text() {
    // Four bytes are read into five, and one unit may become three bytes, as if the mark were one.
    const CHARGED: u64 = (5 + 6) * 2;
    for (room, fits) in [(CHARGED, true), (CHARGED - 1, false)] {
        let (pool, other, own) = <(Arc<MemoryPool>, MemoryAccount, MemoryAccount)>::default();
        assert!(own.join(&pool, 0) && other.join(&pool, MOST_BYTES - room));
        let outcome = load_charged(&own, b"\xff\xfeh\0", CAP);
        let refused = Err(Unsearchable::Failed(problem::READ));
        assert_eq!(outcome, if fits { Ok((b"h".to_vec(), true)) } else { refused });
        assert_eq!(own.is_over(), !fits);
    }
}
