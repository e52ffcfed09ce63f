use super::*;

fn tokens_of(bytes: &[u8], ngram: usize) -> Tokens {
    Tokenizer::new(Parameters { max_bytes: 64, ngram }).tokenize(bytes)
}

fn shown(tokens: &Tokens) -> Vec<String> {
    tokens.grams.iter().map(|gram| gram.scalars().collect()).collect()
}

#[test]
fn every_window_of_characters_is_a_gram_including_line_feeds() {
    assert_eq!(shown(&tokens_of(b"abcab\n", 3)), ["ab\n", "abc", "bca", "cab"]);
    assert_eq!(shown(&tokens_of(b"aba", 2)), ["ab", "ba"]);
}

#[test]
fn line_ends_are_normalised_and_other_carriage_returns_stay() {
    assert_eq!(tokens_of(b"a\r\nb\r\n", 3).grams, tokens_of(b"a\nb\n", 3).grams);
    assert_eq!(shown(&tokens_of(b"a\r\r\nb", 3)), ["\r\nb", "a\r\n"]);
    assert_eq!(shown(&tokens_of("é\r\nb\rc".as_bytes(), 3)), ["\nb\r", "b\rc", "é\nb"]);
}

#[test]
fn a_text_changed_by_normalisation_is_not_complete() {
    let composed = tokens_of("café!".as_bytes(), 3);
    let decomposed = tokens_of("cafe\u{301}!".as_bytes(), 3);
    assert!(composed.complete);
    assert!(!decomposed.complete);
    assert_eq!(composed.grams, decomposed.grams);
}

#[test]
fn each_maximal_invalid_subpart_becomes_one_replacement() {
    assert_eq!(shown(&tokens_of(b"\xF0\x9F\xC3\xA9xy", 3)), ["éxy", "\u{fffd}éx"]);
    assert_eq!(tokens_of(b"\xFFa", 3).status, TokenStatus::Full);
    assert_eq!(tokens_of(b"\xFF\xFFa", 3).status, TokenStatus::SkippedBinary);
    assert_eq!(tokens_of(b"", 3).status, TokenStatus::Full);
}

#[test]
fn other_encodings_and_long_files_are_not_tokenized() {
    for bytes in [&b"\xFF\xFEa\0"[..], b"\xFE\xFF\0a", b"\0\0\xFE\xFF\0\0\0a"] {
        assert_eq!(tokens_of(bytes, 3).status, TokenStatus::SkippedEncoding);
    }
    assert_eq!(tokens_of(&[b'a'; 64], 3).status, TokenStatus::Full);
    let long = tokens_of(&[b'a'; 65], 3);
    assert_eq!((long.status, long.tokenized_bytes), (TokenStatus::SkippedTooLarge, 0));
    assert!(tokens_of("\u{feff}ab".as_bytes(), 3).complete);
}

#[test]
fn a_text_shorter_than_a_gram_is_not_complete() {
    for bytes in [&b""[..], b"ab", b"a\r\n"] {
        let tokens = tokens_of(bytes, 3);
        assert!(tokens.grams.is_empty() && !tokens.complete, "{bytes:?}");
    }
}

#[test]
fn the_tokenizer_keeps_nothing_of_the_previous_text() {
    let mut tokenizer = Tokenizer::new(Parameters { max_bytes: 64, ngram: 3 });
    tokenizer.tokenize("abc äöü".as_bytes());
    tokenizer.tokenize(b"\xFF\xFF");
    assert_eq!(shown(&tokenizer.tokenize(b"xyz")), ["xyz"]);
    assert_eq!(shown(&tokenizer.tokenize("äöü".as_bytes())), ["äöü"]);
}
