//! Clauses about what a file is tokenized to: T-LSI-TOK-02 to 05 and FR-LSI-TOK-01 to 05, with D1's
//! gates around them.
//!
//! The first, T-LSI-TOK-01, is `index_goldens`. Every observation is production's, and the model
//! has made the same.

use std::collections::BTreeSet;

use crate::clauses_index::text::{PAGE, Setting, asked, known, modelled};
use crate::clauses_index::{self, TABLES};
use forge_search_core::index::fold::Fold;
use forge_search_core::index::tokens::{Parameters, Tokenizer};
use serde_json::json;
use touchstone_model::index::tokens::fold_scalar;

const PAIRS: Setting = Setting { ngram: 2, ..PAGE };
const UNICODE: Setting = Setting { fold: Fold::UnicodeSimple, ..PAGE };

/// A search for a literal, case by case.
fn literal(pattern: &str, case: &str) -> clauses_index::text::Asked {
    asked(&json!({"pattern": pattern, "fixed_strings": true, "case": case}))
}

#[test]
fn texts_that_differ_only_in_line_ends_have_the_same_grams() {
    touchstone::verifies!("T-LSI-TOK-02", "FR-LSI-TOK-03");
    for (windows, unix) in [
        ("a\r\nb", "a\nb"),
        ("one\r\ntwo\r\n\r\nthree\r\n", "one\ntwo\n\nthree\n"),
        ("caf\u{e9}\r\nna\u{ef}ve\r\n", "caf\u{e9}\nna\u{ef}ve\n"),
    ] {
        let (one, other) = (known(windows.as_bytes(), PAGE), known(unix.as_bytes(), PAGE));
        assert_eq!(one.sensitive, other.sensitive, "{windows:?}");
        assert_eq!(one.complete, other.complete);
        assert_eq!(one.tokenized_bytes, windows.len() as u64, "what was read is what counts");
    }
    // A CR of its own is a character, and of CR CR LF one CR stays.
    assert_eq!(known(b"a\rb", PAGE).sensitive, ["a\rb"]);
    assert_eq!(known(b"a\r\r\nb", PAGE).sensitive, ["\r\nb", "a\r\n"]);
}

#[test]
fn line_feeds_are_characters_and_grams_reach_across_line_ends() {
    touchstone::verifies!("FR-LSI-TOK-03");
    assert_eq!(known(b"a\nb", PAGE).sensitive, ["a\nb"]);
    assert_eq!(known(b"a\r\nb", PAGE).sensitive, ["a\nb"]);
    assert_eq!(known(b"ab\ncd\n", PAGE).sensitive, ["\ncd", "ab\n", "b\nc", "cd\n"]);
}

#[test]
fn composed_and_decomposed_texts_have_the_same_grams_and_only_the_composed_one_is_complete() {
    // E-A01: with NFC alone a file is excluded that every backend finds something in. The grams are
    // the document's; the gate is D1's.
    touchstone::verifies!("T-LSI-TOK-03", "FR-LSI-TOK-02", "E-A01", "E-A24");
    for (composed, decomposed) in [
        ("caf\u{e9}s", "cafe\u{301}s"),
        ("\u{d55c}\u{ae00}!", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}!"),
        ("foo\u{226e}bar", "foo<\u{338}bar"),
        ("xya\u{323}\u{307}", "xya\u{307}\u{323}"),
    ] {
        let (stable, changed) =
            (known(composed.as_bytes(), PAGE), known(decomposed.as_bytes(), PAGE));
        if composed.starts_with("xya") {
            // Neither is in NFC: the first composes, the second is put in order and composes too.
            assert!(!stable.complete && !changed.complete);
        } else {
            assert!(stable.complete && !changed.complete, "{composed}");
        }
        assert_eq!(stable.sensitive, changed.sensitive, "{composed}");
    }
}

#[test]
fn a_base_letter_with_a_combining_mark_keeps_the_file_a_candidate() {
    touchstone::verifies!("E-A01", "FR-LSI-CAND-01");
    for (file, pattern) in [
        ("cafe\u{301}\n", "cafe"),
        ("foo<\u{338}\n", "foo<"),
        ("e\u{301}bc\n", "\u{301}bc"),
        ("xx\u{1112}\u{1161}\u{11ab}\n", "xx\u{1112}\u{1161}"),
        ("xya\u{307}\u{323}\n", "xya\u{307}"),
    ] {
        let asked = literal(pattern, "sensitive");
        assert!(asked.matches(file.as_bytes()), "{pattern:?}");
        // The letter: the pattern, in NFC, has a gram that the file, in NFC, has not.
        let (of_file, of_pattern) = (known(file.as_bytes(), PAGE), known(pattern.as_bytes(), PAGE));
        let in_file: BTreeSet<&String> = of_file.sensitive.iter().collect();
        assert!(of_pattern.sensitive.iter().any(|gram| !in_file.contains(gram)), "{pattern:?}");
        assert!(!asked.excludes(file.as_bytes(), PAGE), "{pattern:?}");
    }
}

#[test]
fn invalid_utf8_becomes_one_replacement_per_maximal_subpart() {
    touchstone::verifies!("FR-LSI-TOK-01", "E-A08");
    for (bytes, grams) in [
        (&b"\xF0\x9F\xC3\xA9xy"[..], &["\u{e9}xy", "\u{fffd}\u{e9}x"][..]),
        (b"ab\xE9cd", &["ab\u{fffd}", "b\u{fffd}c", "\u{fffd}cd"]),
        (b"abc\xF0\x9F\x98", &["abc", "bc\u{fffd}"]),
        (
            b"ab\xC0\xAFcde",
            &["ab\u{fffd}", "b\u{fffd}\u{fffd}", "cde", "\u{fffd}cd", "\u{fffd}\u{fffd}c"],
        ),
    ] {
        let known = known(bytes, PAGE);
        assert_eq!(known.status, "FULL");
        assert_eq!(known.sensitive, grams);
        assert!(known.complete, "what cannot be decoded cannot be matched by a character either");
    }
}

#[test]
fn a_file_is_binary_if_more_than_half_is_undecodable_and_an_empty_one_is_not() {
    touchstone::verifies!("FR-LSI-TOK-01.3", "FR-LSI-CAND-LIT-02");
    for (bytes, status) in [
        (&b""[..], "FULL"),
        (b"\xFF\xFFab", "FULL"),
        (b"\xFF\xFFa", "SKIPPED_BINARY"),
        (b"\xFF", "SKIPPED_BINARY"),
        // Scalars are counted and not bytes: these are two replacements among four.
        (b"\xF0\x9F\x98a\xF0\x9F\x98b", "FULL"),
        // Genuine ones count as well.
        ("\u{fffd}\u{fffd}a".as_bytes(), "SKIPPED_BINARY"),
        ("\u{fffd}\u{fffd}ab".as_bytes(), "FULL"),
        // A NUL is text to the tokenizer; what is searched is another rule's.
        (b"\0\0\0\0", "FULL"),
    ] {
        let known = known(bytes, PAGE);
        assert_eq!(known.status, status, "{bytes:?}");
        if status != "FULL" {
            assert!(!known.complete && known.sensitive.is_empty() && known.tokenized_bytes == 0);
            assert!(!literal("needle", "sensitive").excludes(bytes, PAGE), "it stays a candidate");
        }
    }
}

#[test]
fn a_file_above_the_limit_is_not_tokenized_and_one_at_the_limit_is() {
    // E-A10: read as a range, the letter excludes a file by the grams of its beginning.
    touchstone::verifies!("FR-LSI-TOK-01.4", "FR-LSI-CAND-LIT-01", "FR-LSI-CAND-LIT-02", "E-A10");
    let limit = usize::try_from(PAGE.max_bytes).unwrap();
    let mut file = b"x".repeat(limit);
    let at_limit = known(&file, PAGE);
    assert_eq!((at_limit.status, at_limit.tokenized_bytes), ("FULL", PAGE.max_bytes));
    assert!(literal("needle", "sensitive").excludes(&file, PAGE));
    file.extend_from_slice(b"needle");
    let above = known(&file, PAGE);
    assert_eq!(
        (above.status, above.tokenized_bytes, above.complete),
        ("SKIPPED_TOO_LARGE", 0, false)
    );
    assert!(above.sensitive.is_empty());
    let asked = literal("needle", "sensitive");
    assert!(asked.matches(&file) && !asked.excludes(&file, PAGE));
    // The size is looked at first, so that a large file has one name whatever is in it.
    let binary = b"\xFF".repeat(limit + 1);
    assert_eq!(known(&binary, PAGE).status, "SKIPPED_TOO_LARGE");
    assert_eq!(known(&binary[..limit], PAGE).status, "SKIPPED_BINARY");
}

#[test]
fn files_in_other_encodings_are_never_excluded() {
    touchstone::verifies!("FR-LSI-TOK-01", "E-A03");
    let wide: Vec<u8> =
        b"\xFF\xFE".iter().copied().chain(b"hello\n".iter().flat_map(|byte| [*byte, 0])).collect();
    for bytes in [wide.as_slice(), b"\xFE\xFF\0h\0i", b"\0\0\xFE\xFF\0\0\0h"] {
        let known = known(bytes, PAGE);
        assert_eq!((known.status, known.complete), ("SKIPPED_ENCODING", false));
        assert!(!literal("hello", "sensitive").excludes(bytes, PAGE));
    }
    // The mark of UTF-8 is text, and costs no gram of what follows it.
    let marked = known(b"\xEF\xBB\xBFhello", PAGE);
    assert!(marked.complete && marked.sensitive.contains(&"hel".to_owned()));
}

#[test]
fn ascii_folding_changes_only_the_ascii_capitals() {
    touchstone::verifies!("FR-LSI-TOK-04.ascii", "T-LSI-TOK-04");
    for scalar in '\0'..=char::MAX {
        let expected = if scalar.is_ascii_uppercase() {
            char::from_u32(u32::from(scalar) + 32).unwrap()
        } else {
            scalar
        };
        assert_eq!(Fold::Ascii.char(scalar), expected);
        assert_eq!(fold_scalar(&TABLES.text.folds, modelled(Fold::Ascii), scalar), expected);
    }
    let (capitals, small) = (known(b"ABC", PAGE), known(b"abc", PAGE));
    assert_eq!(capitals.insensitive, small.insensitive);
    assert_ne!(capitals.sensitive, small.sensitive);
}

#[test]
fn simple_folding_maps_each_scalar_by_the_rows_of_status_c_and_s() {
    touchstone::verifies!("FR-LSI-TOK-04.simple", "T-LSI-TOK-05");
    // From CaseFolding.txt: C rows, S rows, and scalars that have only F or T rows or none.
    let rows = [
        ('A', 'a'),
        ('\u{b5}', '\u{3bc}'),
        ('\u{d1}', '\u{f1}'),
        ('\u{df}', '\u{df}'),
        ('\u{130}', '\u{130}'),
        ('\u{131}', '\u{131}'),
        ('\u{149}', '\u{149}'),
        ('\u{17f}', 's'),
        ('\u{1c4}', '\u{1c6}'),
        ('\u{1c5}', '\u{1c6}'),
        ('\u{345}', '\u{3b9}'),
        ('\u{3a3}', '\u{3c3}'),
        ('\u{3c2}', '\u{3c3}'),
        ('\u{3f4}', '\u{3b8}'),
        ('\u{13a0}', '\u{13a0}'),
        ('\u{13f8}', '\u{13f0}'),
        ('\u{1c80}', '\u{432}'),
        ('\u{1e9e}', '\u{df}'),
        ('\u{1f88}', '\u{1f80}'),
        ('\u{1fbc}', '\u{1fb3}'),
        ('\u{1fd3}', '\u{390}'),
        ('\u{2126}', '\u{3c9}'),
        ('\u{212a}', 'k'),
        ('\u{a64a}', '\u{a64b}'),
        ('\u{ab70}', '\u{13a0}'),
        ('\u{fb05}', '\u{fb06}'),
        ('\u{ff21}', '\u{ff41}'),
        ('\u{10400}', '\u{10428}'),
        ('\u{1e900}', '\u{1e922}'),
    ];
    for (scalar, image) in rows {
        assert_eq!(Fold::UnicodeSimple.char(scalar), image, "{scalar:?}");
    }
    let (mut moved, mut newer) = (0, 0);
    for scalar in '\0'..=char::MAX {
        let image = Fold::UnicodeSimple.char(scalar);
        // Production's data may be of a newer Unicode than the matcher's, which the model reads:
        // then it knows more pairs, and never fewer.
        let by_model = fold_scalar(&TABLES.text.folds, modelled(Fold::UnicodeSimple), scalar);
        assert!(
            by_model == image || by_model == scalar,
            "{scalar:?} is folded to {by_model:?} and {image:?}"
        );
        newer += usize::from(by_model != image);
        assert_eq!(Fold::UnicodeSimple.char(image), image, "{scalar:?} takes two steps");
        moved += usize::from(image != scalar);
    }
    assert!(moved > 1_400 && newer < 100, "{moved} scalars have a row, {newer} of them a new one");
    let (capital, small) = (
        known("\u{d1}and\u{da}".as_bytes(), UNICODE),
        known("\u{f1}and\u{fa}".as_bytes(), UNICODE),
    );
    assert_eq!(capital.insensitive, small.insensitive);
    assert_ne!(capital.sensitive, small.sensitive);
    // Search folds ASCII (E-A21), so that there they stay apart.
    let capital = known("\u{d1}and\u{da}".as_bytes(), PAGE);
    assert_ne!(capital.insensitive, small.insensitive);
}

#[test]
fn folding_other_than_that_of_the_index_excludes_no_match() {
    // E-A04, E-A25: an inline flag folds Unicode over an index that folds ASCII, and what smart
    // resolves to is what counts.
    touchstone::verifies!("FR-LSI-TOK-04.2", "E-A25", "E-A04", "E-A21");
    let regex = |pattern: &str| asked(&json!({"pattern": pattern, "case": "sensitive"}));
    for (pattern, file) in [
        ("(?i)sun", "\u{17f}un\n"),
        ("(?i)kelvin", "\u{212a}ELVIN\n"),
        ("(?i)\u{f1}and\u{fa}", "\u{d1}AND\u{da}\n"),
        ("(?i)stra\u{df}e", "STRA\u{1e9e}E\n"),
        ("(?i)\u{3c3}\u{3c2}\u{3a3}", "\u{3c2}\u{3c2}\u{3c2}\n"),
    ] {
        let asked = regex(pattern);
        assert!(asked.matches(file.as_bytes()), "{pattern}");
        for setting in [PAGE, UNICODE] {
            assert!(!asked.excludes(file.as_bytes(), setting), "{pattern}");
        }
    }
    // Search's own folding is the index's: what one finds equal the other does, and no more is
    // asked of a file.
    let insensitive = literal("sun", "insensitive");
    assert!(
        !insensitive.matches("\u{17f}un".as_bytes())
            && insensitive.excludes("\u{17f}un".as_bytes(), PAGE)
    );
    assert!(insensitive.matches(b"SUN") && !insensitive.excludes(b"SUN", PAGE));
    // With a fold that makes more equal than Search does, files are kept and none is lost.
    assert!(!insensitive.excludes("\u{17f}un".as_bytes(), UNICODE));
    // Smart that resolves to sensitive is sensitive.
    let smart = literal("Needle", "smart");
    assert!(smart.excludes(b"a needle", PAGE) && !smart.excludes(b"a Needle", PAGE));
}

#[test]
fn grams_are_all_windows_of_k_scalars_each_once() {
    // E-A19: a character is a Unicode scalar value, whatever its bytes and whatever it is shown as.
    touchstone::verifies!("FR-LSI-TOK-05", "E-A19");
    assert_eq!(known(b"abcabc", PAGE).sensitive, ["abc", "bca", "cab"]);
    assert_eq!(known(b"abab", PAIRS).sensitive, ["ab", "ba"]);
    assert_eq!(
        known("\u{65e5}\u{672c}\u{8a9e}x".as_bytes(), PAGE).sensitive,
        ["\u{65e5}\u{672c}\u{8a9e}", "\u{672c}\u{8a9e}x"]
    );
    assert!(
        known("\u{65e5}\u{672c}".as_bytes(), PAGE).sensitive.is_empty(),
        "six bytes, but two scalars"
    );
    // A woman with a laptop is one grapheme, and three scalars.
    assert_eq!(known("\u{1f469}\u{200d}\u{1f4bb}".as_bytes(), PAGE).sensitive.len(), 1);
    // With all scalars distinct there are as many grams as windows.
    for length in 0..40_u32 {
        let text: String =
            (0..length).map(|place| char::from_u32(0x4e00 + place).unwrap()).collect();
        for setting in [PAGE, PAIRS] {
            let windows = (length as usize + 1).saturating_sub(setting.ngram);
            assert_eq!(known(text.as_bytes(), setting).sensitive.len(), windows, "{length}");
        }
    }
}

#[test]
fn a_text_that_is_shorter_than_a_gram_has_none_and_is_not_complete() {
    // E-A09: the flag could be true, for such a file holds no pattern that is tested; the letter is
    // sound, so it holds.
    touchstone::verifies!("FR-LSI-TOK-05.2", "E-A09");
    for (bytes, setting) in [
        (&b""[..], PAGE),
        (b"a", PAGE),
        (b"ab", PAGE),
        (b"a\r\n", PAGE),
        ("\u{e9}\u{e9}".as_bytes(), PAGE),
        (b"a", PAIRS),
    ] {
        let known = known(bytes, setting);
        assert_eq!((known.status, known.complete), ("FULL", false), "{bytes:?}");
        assert!(known.sensitive.is_empty() && known.tokenized_bytes == bytes.len() as u64);
        assert!(!literal("needle", "sensitive").excludes(bytes, setting), "{bytes:?}");
    }
    assert!(known(b"abc", PAGE).complete && known(b"ab", PAIRS).complete);
}

#[test]
fn the_tokenizer_carries_nothing_from_one_file_to_the_next() {
    touchstone::verifies!("FR-LSI-TOK-01");
    let files: [&[u8]; 6] = [
        b"one two three",
        "caf\u{e9} \u{1f600}".as_bytes(),
        b"\xFF\xFF\xFF",
        b"",
        b"abc",
        "cafe\u{301}".as_bytes(),
    ];
    let fresh = || Tokenizer::new(Parameters { max_bytes: 64, ngram: 3 });
    let mut used = fresh();
    for file in files.iter().chain(files.iter().rev()) {
        assert_eq!(used.tokenize(file), fresh().tokenize(file), "{file:?}");
    }
}
