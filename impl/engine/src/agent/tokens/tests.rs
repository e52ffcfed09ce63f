use proptest::prelude::*;

use super::{
    TokenCounter, Tokenizer,
    encoding::{LONGEST, STRIDE, seam, within},
};

const BOTH: [Tokenizer; 2] = [Tokenizer::O200kBase, Tokenizer::Bytes];

#[test]
fn token_counts_equal_those_of_another_implementation() {
    // From `tiktoken-rs`, which has the encoding's definition as it was published.
    let known = [
        ("", 0),
        ("hello world", 2),
        ("antidisestablishmentarianism", 6),
        ("2 + 2 = 4", 7),
        ("<|endoftext|>", 7),
        ("naïve don't HTTPServer2_old", 8),
        ("お誕生日おめでとう", 8),
        ("fn main() {\n    println!(\"{}\", 1);\n}\n", 11),
    ];
    for (text, count) in known {
        assert_eq!(Tokenizer::O200kBase.count(text), count, "{text:?}");
    }
}

#[test]
fn without_an_encoding_a_token_is_three_bytes_rounded_up() {
    let counts = ["", "a", "abc", "abcd", "ä€"].map(|text| Tokenizer::Bytes.count(text));
    assert_eq!(counts, [0, 1, 1, 2, 2]);
}

#[test]
fn the_longest_token_has_the_length_of_the_bound() {
    let encoding = tiktoken::get_encoding("o200k_base").unwrap();
    let lengths = (0..u32::try_from(encoding.vocab_size()).unwrap())
        .map(|token| encoding.decode(&[token]).len());
    assert_eq!(lengths.max().unwrap() as u64, LONGEST);
}

#[test]
fn a_text_fits_its_token_count_and_not_one_less() {
    let source = include_str!("../tokens.rs").repeat(20);
    for tokenizer in BOTH {
        let count = tokenizer.count(&source);
        assert!(tokenizer.fits(&source, count) && !tokenizer.fits(&source, count - 1));
        assert!(tokenizer.fits("", 0) && !tokenizer.fits("a", 0));
    }
}

#[test]
fn a_text_of_the_longest_tokens_fits_its_count() {
    let indented = " ".repeat(128 * 1_000);
    assert_eq!(Tokenizer::O200kBase.count(&indented), 1_000);
    assert!(Tokenizer::O200kBase.fits(&indented, 1_000));
}

#[test]
fn a_far_too_long_text_is_not_read_to_its_end() {
    let encoding = tiktoken::get_encoding("o200k_base").unwrap();
    let large = "word ".repeat(1 << 20);
    assert_eq!(within(encoding, &large, 4_000), (false, 0), "its length says enough");
    let (fits, seen) = within(encoding, &large, 100_000);
    assert!(!fits && seen < 500_000 + 2 * STRIDE, "{seen} bytes looked at");
    assert_eq!(within(encoding, "short", 5), (true, 0), "no more bytes than tokens are allowed");
}

#[test]
fn a_seam_is_never_inside_a_word_a_number_or_a_contraction() {
    let after = |text: &str| {
        let text = format!("{}{text}", " ".repeat(STRIDE));
        text.get(seam(&text)..).unwrap().to_owned()
    };
    assert_eq!(after("don't_go"), "_go");
    assert_eq!(after("1234567.5"), ".5");
    assert_eq!(after("naïve, yes"), ", yes");
    assert_eq!(after("e\u{301} x"), "", "a mark that combines with a letter belongs to it");
}

/// Pieces of which texts are made that are hard to cut.
fn piece() -> impl Strategy<Value = String> {
    const HARD: [&str; 25] = [
        "word",
        "HTTPServer",
        "don't",
        "'S",
        "'ſ",
        "  ",
        "\n",
        "\r\n\n",
        "\t",
        "123",
        "4567890",
        "\u{301}",
        "é",
        "日本",
        "—",
        "\u{a0}",
        "==",
        "//",
        "{\"path\":\"",
        "\",",
        "_",
        "ǅ",
        "½",
        "\u{0}",
        "🦀",
    ];
    prop_oneof![
        prop::sample::select(&HARD[..]).prop_map(str::to_owned),
        any::<char>().prop_map(String::from)
    ]
}

proptest! {
    #[test]
    fn a_text_split_at_a_seam_has_the_same_token_count(head in prop::collection::vec(piece(), 1..40), tail in prop::collection::vec(piece(), 0..40)) {
        let text = format!("{}{}{}", " ".repeat(STRIDE - 100), head.concat(), tail.concat());
        let (first, behind) = text.split_at(seam(&text));
        let tokenizer = Tokenizer::O200kBase;
        prop_assert_eq!(tokenizer.count(first) + tokenizer.count(behind), tokenizer.count(&text));
    }

    #[test]
    fn a_text_fits_exactly_if_its_count_is_within_the_limit(
        pieces in prop::collection::vec(piece(), 0..200), times in 1_usize..60, off in -2_i64..3,
    ) {
        let text = pieces.concat().repeat(times);
        for tokenizer in BOTH {
            let count = tokenizer.count(&text);
            let limit = count.saturating_add_signed(off);
            prop_assert_eq!(tokenizer.fits(&text, limit), count <= limit);
        }
    }
}
