use super::Glob;
use crate::place;

const MOST: u64 = 1_024;

fn glob(text: &str) -> Glob {
    Glob::parse(text, MOST).unwrap_or_else(|| panic!("`{text}` is refused"))
}

/// Whether the glob matches this very path.
fn matches(text: &str, path: &[u8], is_dir: bool) -> bool {
    glob(text).matches(&place::names(path), is_dir)
}

/// E-B12.
#[test]
fn a_glob_matches_whole_names() {
    let rows: &[(&str, &[u8], bool)] = &[
        ("m.rs", b"a/b/m.rs", true),
        ("m.rs", b"xm.rs", false),
        ("M.rs", b"m.rs", false),
        ("?", "é".as_bytes(), true),
        ("?", b"\xff", true),
        ("??", b"\xe2\x82", true),
        ("?", b"\xe2\x82", false),
        ("??", b"\xc3\xa9\xff", true),
        ("*", b"x", true),
        ("a*c", b"ac", true),
        ("a*b*c", b"a-b-b-c-c", true),
        ("a*b*c", b"acb", false),
        ("*\u{e9}", b"\xff\xc3\xa9", true),
        ("src/*.rs", b"src/m.rs", true),
        ("src/*.rs", b"q/src/m.rs", false),
        ("src/*.rs", b"src/a/m.rs", false),
        ("src?m", b"src/m", false),
        ("/m", b"m", true),
        ("/m", b"a/m", false),
        ("./m", b"a/m", true),
        ("./a/m", b"a/m", true),
        ("././m", b"m", false),
        ("a//m", b"a/m", false),
    ];
    for (text, path, expected) in rows {
        assert_eq!(matches(text, path, false), *expected, "`{text}` on {:?}", place::lossy(path));
    }
}

#[test]
fn two_stars_match_any_number_of_names_and_at_the_end_at_least_one() {
    let rows = [
        ("**/m", "m", true),
        ("**/m", "a/b/m", true),
        ("a/**/m", "a/m", true),
        ("a/**/m", "a/b/c/m", true),
        ("a/**/m", "am", false),
        ("a/**", "a", false),
        ("a/**", "a/b", true),
        ("a/**", "a/b/c", true),
        ("**", "a", true),
        ("**/**", "a", true),
        ("a/**/**", "a/b", true),
        ("a/**/**", "a", false),
        ("a**m", "a/m", false),
        ("a**m", "axm", true),
        ("***", "ab", true),
        ("a/***", "a/b/c", true),
        ("**/a/**/b/**", "x/a/y/b/z", true),
        ("**/a/**/b/**", "x/a/y/b", false),
    ];
    for (text, path, expected) in rows {
        assert_eq!(matches(text, path.as_bytes(), false), expected, "`{text}` on `{path}`");
    }
}

#[test]
fn classes_hold_characters_and_ranges_but_never_a_slash() {
    let rows: &[(&str, &[u8], bool)] = &[
        ("[ab]", b"b", true),
        ("[a-c]", b"b", true),
        ("[!a-c]", b"b", false),
        ("[^a-c]", b"d", true),
        ("[!a]", b"\xff", true),
        ("[a\u{ff}]", b"\xff", false),
        ("[à-ü]", "é".as_bytes(), true),
        ("[]]", b"]", true),
        ("[!]]", b"]", false),
        ("[]-a]", b"^", true),
        ("[a-]", b"-", true),
        ("[-a]", b"-", true),
        ("[a-c-e]", b"-", true),
        ("[a-c-e]", b"d", false),
        (r"[\]]", b"]", true),
        (r"[a\-c]", b"b", false),
        (r"[\a-\c]", b"b", true),
        ("x[/]y", b"x/y", false),
        ("x[!a]y", b"x/y", false),
        ("[*]", b"x", false),
        ("[[:alpha:]]", b"a]", true),
        ("[{,}]", b",", true),
    ];
    for (text, path, expected) in rows {
        assert_eq!(matches(text, path, false), *expected, "`{text}` on {:?}", place::lossy(path));
    }
}

#[test]
fn a_backslash_escapes_the_next_character() {
    for (text, path, expected) in [
        (r"\*", "*", true),
        (r"\*", "a", false),
        (r"\{a\}", "{a}", true),
        (r"\!a", "!a", true),
        (r"\a", "a", true),
    ] {
        assert_eq!(matches(text, path.as_bytes(), false), expected, "`{text}` on `{path}`");
    }
}

#[test]
fn braces_equal_the_union_of_their_expansions() {
    let rows = [
        ("*.{rs,toml}", "a.toml", true),
        ("{a,b{c,d}}e", "bde", true),
        ("{a,b{c,d}}e", "be", false),
        ("a{,b}", "a", true),
        ("{}a", "a", true),
        ("{src/,}m", "x/m", true),
        ("{src/,}m", "src/m", true),
        ("{src/,b/}m", "x/src/m", false),
        ("*{*,x}/m", "a/b/m", true),
        (r"{a\,b,c}", "a,b", true),
        ("{[,}],x}", "}", true),
        ("a,b", "a,b", true),
        ("{./a,b}", "a", true),
    ];
    for (text, path, expected) in rows {
        assert_eq!(matches(text, path.as_bytes(), false), expected, "`{text}` on `{path}`");
    }
}

#[test]
fn a_glob_covers_everything_below_a_matched_directory() {
    let rows = [
        ("build", "build/a/b", false, true),
        ("build/", "build", true, true),
        ("build/", "build", false, false),
        ("build/", "x/build/a", false, true),
        ("a/b", "a/b/c", false, true),
        ("a/b", "x/a/b/c", false, false),
        ("{a,b/}", "b", false, false),
        ("{a,b/}", "b/c", false, true),
    ];
    for (text, path, is_dir, expected) in rows {
        let covers = glob(text).covers(&place::names(path.as_bytes()), is_dir);
        assert_eq!(covers, expected, "`{text}` on `{path}`");
    }
    assert!(!glob("*").covers(&[], true), "what is asked for by name has no name below itself");
}

#[test]
fn a_malformed_glob_is_refused() {
    for text in [
        "", "!a", "[", "[a", "[]", "[!]", "[z-a]", "{a", "a}", "{a,{b}", "}{", r"a\", r"[a\",
        "{[}", r"{a\}",
    ] {
        assert_eq!(Glob::parse(text, MOST), None, "`{text}`");
    }
    for text in ["[z]-a", "{!a,b}", "a!", "//", "{,}"] {
        assert!(Glob::parse(text, MOST).is_some(), "`{text}`");
    }
}

#[test]
fn the_number_of_expansions_is_bounded_and_nesting_is_not() {
    let doubled = |times: usize| "{a,b}".repeat(times);
    assert!(Glob::parse(&doubled(10), MOST).is_some());
    assert_eq!(Glob::parse(&doubled(11), MOST), None);
    assert_eq!(Glob::parse(&doubled(800), MOST), None);
    let nested = ["{".repeat(2_000), "a".to_owned(), "}".repeat(2_000)].concat();
    assert!(matches(&nested, b"a", false));
    assert_eq!(Glob::parse(&"{".repeat(4_000), MOST), None);
}
