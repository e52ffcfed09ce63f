use super::*;
use crate::generated::index::INDEX;
use crate::index::filter::Scheme;
use crate::index::tables::FilterTables;
use crate::index::tokens::{Parameters, tokenize};

/// The generated tables, but for smaller files.
const TEXT: TextTables<'static> = TextTables { max_tokenized_bytes: 4096, ..INDEX.text };

const FILTER: FilterTables = INDEX.filter;

const TABLES: ExclusionTables<'static> = INDEX.exclusion;

fn literal(pattern: &str, insensitive: bool) -> Literal<'_> {
    Literal { pattern, insensitive, fold: Fold::Ascii, fuzzy: false }
}

fn need(literal: &Literal<'_>) -> Option<Need> {
    needed(&TABLES, &TEXT, literal, TEXT.ngram)
}

/// Whether a file is excluded; both computations must agree.
fn is_excluded(tables: &ExclusionTables<'_>, bytes: &[u8], literal: &Literal<'_>) -> bool {
    let scheme = Scheme::new(&FILTER, TEXT.max_tokenized_bytes, FILTER.target_fp_rate, FILTER.seed);
    let tokens = tokenize(&TEXT, &Parameters::defaults(&TEXT), bytes);
    let need = needed(tables, &TEXT, literal, TEXT.ngram);
    let filters = Filters::of(&TEXT, &scheme, &tokens, literal.fold);
    let excluded = excluded(tables, &scheme, need.as_ref(), &tokens, &filters);
    let plainly = excluded_by_grams(tables, &TEXT, &scheme, need.as_ref(), &tokens, literal.fold);
    assert_eq!(excluded, plainly, "{bytes:x?} {literal:?}");
    excluded
}

#[test]
fn all_grams_of_a_literal_are_needed_in_the_variant_of_its_case() {
    let found = need(&literal("Néed", true)).unwrap();
    let expected: Grams = ["née", "éed"].iter().map(|gram| gram.chars().collect()).collect();
    assert_eq!(found, Need { variant: Variant::Insensitive, grams: expected });
    assert_eq!(need(&literal("Née", false)).unwrap().variant, Variant::Sensitive);
}

#[test]
fn an_unclear_pattern_excludes_nothing() {
    let nothing = ["", "ab", "a\rb", "ab\u{fffd}cd", "cafe\u{301}", "\u{212a}elvin"];
    for pattern in nothing {
        assert_eq!(need(&literal(pattern, false)), None, "{pattern:?}");
        assert_eq!(need(&literal(pattern, true)), None, "{pattern:?}");
    }
    // Stable as it is, but not when folded: `j` and the caron compose.
    assert!(need(&literal("J\u{30c}abc", false)).is_some());
    assert_eq!(need(&literal("J\u{30c}abc", true)), None);
    assert_eq!(need(&Literal { fuzzy: true, ..literal("needle", false) }), None);
}

#[test]
fn grams_across_a_carriage_return_are_not_needed_and_the_others_are() {
    let found = need(&literal("foo\rbarn", false)).unwrap();
    let expected: Grams = ["foo", "bar", "arn"].iter().map(|gram| gram.chars().collect()).collect();
    assert_eq!(found.grams, expected);
}

#[test]
fn a_file_without_the_grams_is_excluded_and_one_with_them_is_not() {
    let rows: [(&[u8], &str, bool, bool); 8] = [
        (b"a needle here\n", "needle", false, false),
        (b"nothing here\n", "needle", false, true),
        (b"a NEEDLE here\n", "needle", false, true),
        (b"a NEEDLE here\n", "Needle", true, false),
        (b"ab\r\ncd", "foo\r", false, true),
        (b"foo\r\n", "foo\r", false, false),
        ("ÑABC\n".as_bytes(), "Ñabc", true, false),
        ("\u{17f}un here".as_bytes(), "sun", true, true),
    ];
    for (bytes, pattern, insensitive, expected) in rows {
        assert_eq!(
            is_excluded(&TABLES, bytes, &literal(pattern, insensitive)),
            expected,
            "{pattern:?}"
        );
    }
    let unicode = Literal { fold: Fold::UnicodeSimple, ..literal("sun", true) };
    assert!(!is_excluded(&TABLES, "\u{17f}un here".as_bytes(), &unicode));
}

#[test]
fn an_incompletely_tokenized_file_is_always_searched() {
    let unknown: [&[u8]; 6] =
        [b"", b"ab", b"\xff\xfeh\0e\0", &[0xff; 10], "e\u{301} and more".as_bytes(), &[b'a'; 4097]];
    for bytes in unknown {
        assert!(!is_excluded(&TABLES, bytes, &literal("needle", false)), "{bytes:x?}");
    }
}

#[test]
fn other_tables_exclude_other_files() {
    let careless = ExclusionTables { needs_complete: false, ..TABLES };
    assert!(is_excluded(&careless, b"ab", &literal("needle", false)));
    assert!(!is_excluded(&careless, b"\xff\xfeh\0e\0", &literal("needle", false)));
    let careless = ExclusionTables { unstable_bypasses: false, ..TABLES };
    assert!(is_excluded(&careless, b"nothing here", &literal("cafe\u{301}", false)));
    let careless = ExclusionTables { never_needed: &[], ..TABLES };
    assert!(is_excluded(&careless, b"foo\r\nbar\r\n", &literal("oo\r", false)));
    let careless = ExclusionTables { fuzzy_bypasses: false, ..TABLES };
    let fuzzy = Literal { fuzzy: true, ..literal("needle", false) };
    assert!(is_excluded(&careless, b"nothing here", &fuzzy));
}
