use super::*;
use crate::generated::index::INDEX;

/// The generated tables, but for smaller files.
const TABLES: TextTables<'static> = TextTables { max_tokenized_bytes: 64, ..INDEX.text };

fn tokens(bytes: &[u8]) -> Tokens {
    tokenize(&TABLES, &Parameters::defaults(&TABLES), bytes)
}

fn set(grams: &[&str]) -> Grams {
    grams.iter().map(|gram| gram.chars().collect()).collect()
}

#[test]
fn a_gram_is_a_run_of_scalars_line_feeds_included() {
    let found = tokens("日本語a\r\nb".as_bytes());
    assert_eq!(found.sensitive, set(&["日本語", "本語a", "語a\n", "a\nb"]));
    assert_eq!(
        (found.status, found.complete, found.tokenized_bytes),
        (TokenStatus::Full, true, 13)
    );
    assert_eq!(tokens(b"aaaaa").sensitive, set(&["aaa"]));
    assert_eq!(tokens(b"a\r\rb\r\n\r\n").sensitive, set(&["a\r\r", "\r\rb", "\rb\n", "b\n\n"]));
}

#[test]
fn a_utf_8_byte_order_mark_is_an_ordinary_scalar() {
    assert_eq!(tokens(b"\xef\xbb\xbfab").sensitive, set(&["\u{feff}ab"]));
}

#[test]
fn the_first_applicable_condition_gives_the_status() {
    let rows: [(&[u8], TokenStatus); 12] = [
        (&[b'a'; 64], TokenStatus::Full),
        (&[b'a'; 65], TokenStatus::SkippedTooLarge),
        (&[0xff; 65], TokenStatus::SkippedTooLarge),
        (b"\xff\xfeh\0", TokenStatus::SkippedEncoding),
        (b"\xfe\xff\0h", TokenStatus::SkippedEncoding),
        (b"\xff\xfe", TokenStatus::SkippedEncoding),
        (b"\0\0\xfe\xff", TokenStatus::SkippedEncoding),
        (b"\0\0\xfe", TokenStatus::Full),
        (b"", TokenStatus::Full),
        (b"ab\xff\xff", TokenStatus::Full),
        (b"ab\xff\xff\xff", TokenStatus::SkippedBinary),
        ("a\u{fffd}\u{fffd}".as_bytes(), TokenStatus::SkippedBinary),
    ];
    for (bytes, expected) in rows {
        let found = tokens(bytes);
        assert_eq!(found.status, expected, "{bytes:x?}");
        if expected != TokenStatus::Full {
            assert_eq!(
                (found.complete, found.tokenized_bytes, found.sensitive.len()),
                (false, 0, 0)
            );
        }
    }
    let other = TextTables { order: &[Skip::Binary, Skip::Encoding, Skip::TooLarge], ..TABLES };
    assert_eq!(
        tokenize(&other, &Parameters::defaults(&other), &[0xff; 65]).status,
        TokenStatus::SkippedBinary
    );
}

#[test]
fn a_file_is_complete_if_its_text_is_normalised_and_not_too_short() {
    let rows: [(&str, bool); 8] = [
        ("café", true),
        ("cafe\u{301}", false),
        ("\u{212a}elvin", false),
        ("ab\r\n", true),
        ("a\r\n", false),
        ("ab", false),
        ("", false),
        ("abc", true),
    ];
    for (text, complete) in rows {
        let found = tokens(text.as_bytes());
        assert_eq!((found.status, found.complete), (TokenStatus::Full, complete), "{text:?}");
        assert_eq!(found.tokenized_bytes, text.len() as u64);
    }
    assert_eq!(tokens("cafe\u{301}".as_bytes()).sensitive, set(&["caf", "afé"]));
    let other = TextTables { short_is_complete: true, ..TABLES };
    assert!(tokenize(&other, &Parameters::defaults(&other), b"").complete);
}

#[test]
fn grams_are_as_long_as_configured() {
    let pairs =
        tokenize(&TABLES, &Parameters { ngram: 2, ..Parameters::defaults(&TABLES) }, b"abab");
    assert_eq!(pairs.sensitive, set(&["ab", "ba"]));
}

#[test]
fn insensitive_grams_are_images_and_are_not_normalised_again() {
    let found = tokens("J\u{30c}Ǆ ABC abc".as_bytes());
    let ascii = fold(&TABLES, Fold::Ascii, &found.sensitive);
    assert!(ascii.contains(&vec!['j', '\u{30c}', 'Ǆ']));
    assert!(ascii.contains(&vec!['a', 'b', 'c']) && !ascii.contains(&vec!['A', 'B', 'C']));
    let simple = fold(&TABLES, Fold::UnicodeSimple, &found.sensitive);
    assert!(simple.contains(&vec!['j', '\u{30c}', 'ǆ']));
}

#[test]
fn other_tables_make_other_grams() {
    let none = TextTables { normal_form: NormalForm::None, newline: ("\n", ""), ..TABLES };
    let found = tokenize(&none, &Parameters::defaults(&none), "e\u{301}\r\nx".as_bytes());
    assert_eq!(found.sensitive, set(&["e\u{301}\r", "\u{301}\rx"]));
    assert!(found.complete);
    let nfd = TextTables { normal_form: NormalForm::Nfd, ..TABLES };
    let found = tokenize(&nfd, &Parameters::defaults(&nfd), "éx".as_bytes());
    assert_eq!(found.sensitive, set(&["e\u{301}x"]));
    let strict = TextTables { binary_numerator: 0, ..TABLES };
    assert_eq!(
        tokenize(&strict, &Parameters::defaults(&strict), b"abc\xff").status,
        TokenStatus::SkippedBinary
    );
}
