use super::{IgnoreFile, Ruling, decide};
use crate::place;

/// The verdict of one ignore file in the sandbox root.
fn ruling(text: &[u8], path: &[u8], is_dir: bool) -> Option<Ruling> {
    let file = IgnoreFile::read(0, &[], text);
    decide(&[file], &place::names(path), is_dir)
}

/// Asserts which files the text ignores. All rows agree with `git check-ignore --no-index`.
fn check(rows: &[(&[u8], &[u8], bool)]) {
    for (text, path, expected) in rows {
        let ignored = ruling(text, path, false) == Some(Ruling::Ignored);
        assert_eq!(ignored, *expected, "{:?} on {:?}", place::lossy(text), place::lossy(path));
    }
}

#[test]
fn lines_are_split_and_trimmed_as_in_git() {
    check(&[
        (b"a\nb", b"b", true),
        (b"\xef\xbb\xbfa", b"a", true),
        (b"x\n\xef\xbb\xbfa", b"a", false),
        (b"a\r\nb\r\n", b"a", true),
        (b"a\r", b"a", true),
        (b"a\r\r\n", b"a", false),
        (b"a\r\r\n", b"a\r", true),
        (b"#a", b"#a", false),
        (b"\\#a", b"#a", true),
        (b" #a", b" #a", true),
        (b"a  ", b"a", true),
        (b"a\\ ", b"a ", true),
        (b"a\\  ", b"a ", true),
        (b"a\\\\ ", b"a\\", true),
        (b"a\t", b"a", false),
        (b" a", b"a", false),
        (b" a", b" a", true),
        (b"", b"a", false),
        (b"\r\n", b"\r", false),
    ]);
}

#[test]
fn slashes_anchor_and_a_trailing_one_restricts_to_directories() {
    check(&[
        (b"a", b"x/a", true),
        (b"/a", b"x/a", false),
        (b"/a", b"a", true),
        (b"x/a", b"y/x/a", false),
        (b"x/a", b"x/a", true),
        (b"a/", b"a", false),
        (b"/", b"a", false),
        (b"//", b"a", false),
        (b"a//", b"a", false),
        (b"[/]a", b"x/a", false),
    ]);
    assert_eq!(ruling(b"a/", b"x/a", true), Some(Ruling::Ignored));
    assert_eq!(ruling(b"x/a/", b"x/a", true), Some(Ruling::Ignored));
    assert_eq!(ruling(b"/a/", b"x/a", true), None);
}

#[test]
fn the_last_matching_line_decides() {
    assert_eq!(ruling(b"*.log\n!keep.log", b"keep.log", false), Some(Ruling::Included));
    assert_eq!(ruling(b"!keep.log\n*.log", b"keep.log", false), Some(Ruling::Ignored));
    assert_eq!(ruling(b"!a", b"b", false), None);
    assert_eq!(ruling(b"\\!a", b"!a", false), Some(Ruling::Ignored));
    assert_eq!(ruling(b"!!a", b"!a", false), Some(Ruling::Included));
}

#[test]
fn wildcards_match_bytes_and_never_a_slash() {
    check(&[
        (b"*.o", b".o", true),
        (b"a*c", b"abbc", true),
        (b"x*y", b"x/y", false),
        (b"/x*y", b"x/y", false),
        (b"a?c", "aéc".as_bytes(), false),
        (b"a??c", "aéc".as_bytes(), true),
        (b"?", b"\xff", true),
        (b"A", b"a", false),
        (b"{a,b}", b"a", false),
        (b"{a,b}", b"{a,b}", true),
    ]);
}

#[test]
fn two_stars_match_as_in_git() {
    check(&[
        (b"**/a", b"a", true),
        (b"**/a", b"x/y/a", true),
        (b"x/**/a", b"x/a", true),
        (b"x/**/a", b"x/y/z/a", true),
        (b"x/**", b"x/y/z", true),
        (b"x/**", b"x", false),
        (b"**", b"x", true),
        (b"/**", b"x", true),
        (b"x/**y", b"x/ay", true),
        (b"x/**y", b"x/a/y", false),
        (b"**/x/**", b"a/x/b", true),
        (b"**/x/**", b"a/x", false),
    ]);
    assert_eq!(ruling(b"x/**/", b"x/y", true), Some(Ruling::Ignored));
    assert_eq!(ruling(b"**/", b"x/y", true), Some(Ruling::Ignored));
}

#[test]
fn classes_are_parsed_as_in_git() {
    check(&[
        (b"[ab]", b"b", true),
        (b"[!ab]", b"b", false),
        (b"[^ab]", b"c", true),
        (b"[]]", b"]", true),
        (b"[!]]", b"]", false),
        (b"[a-c]", b"b", true),
        (b"[a-]", b"-", true),
        (b"[-a]", b"-", true),
        (b"[a-c-e]", b"-", true),
        (b"[a-c-e]", b"d", false),
        (b"[z-a]", b"z", true),
        (b"[z-a]", b"a", false),
        (b"[a\\-c]", b"b", false),
        (b"[\\a-\\c]", b"b", true),
        (b"[\\]]", b"]", true),
        (b"[[:digit:]_]", b"7", true),
        (b"[[:digit:]_]", b"_", true),
        (b"[![:alpha:]]", b"a", false),
        (b"[[:alpha:]]", b"\xc3", false),
        (b"[[:space:]]", b"\t", true),
        (b"[[:space:]]", b"\x0b", false),
        (b"[[:space:]]", b"\x0c", false),
        (b"[[:xdigit:][:punct:]]", b"F", true),
        (b"[[:xdigit:][:punct:]]", b"~", true),
        (b"[[:xdigit:][:punct:]]", b"g", false),
        (b"[[:digit:]-a]", b"-", true),
        (b"[[:digit:]-a]", b"5", true),
        (b"[[:x]", b":", true),
        (b"[[.a.]]", b".]", true),
        (b"a[/]b", b"a/b", false),
        (b"x/a[!b]c", b"x/a/c", false),
    ]);
}

#[test]
fn an_unfinished_pattern_matches_nothing() {
    check(&[
        (b"a[b", b"ab", false),
        (b"a[b", b"a[b", false),
        (b"a\\", b"a\\", false),
        (b"a\\", b"a", false),
        (b"[[:nope:]]", b"n", false),
        (b"[a[:nope:]]", b"a", false),
        (b"a\\/", b"a", false),
    ]);
}

/// E-B04.
#[test]
fn the_strongest_kind_decides_then_the_nearest_directory() {
    let sub = place::names(b"sub");
    let files = [
        IgnoreFile::read(1, &[], b"*.log\n"),
        IgnoreFile::read(0, &[], b"!a.log\n"),
        IgnoreFile::read(1, &sub, b"!b.log\n"),
    ];
    let about = |path: &[u8]| decide(&files, &place::names(path), false);
    assert_eq!(about(b"sub/a.log"), Some(Ruling::Included));
    assert_eq!(about(b"sub/b.log"), Some(Ruling::Included));
    assert_eq!(about(b"b.log"), Some(Ruling::Ignored));
    assert_eq!(about(b"sub/c.log"), Some(Ruling::Ignored));
    assert_eq!(about(b"sub/c"), None);
}

#[test]
fn patterns_are_relative_to_the_directory_of_their_file() {
    let files = [IgnoreFile::read(0, &place::names(b"sub"), b"/a\n")];
    assert_eq!(decide(&files, &place::names(b"sub/a"), false), Some(Ruling::Ignored));
    assert_eq!(decide(&files, &place::names(b"sub/x/a"), false), None);
    assert_eq!(decide(&files, &place::names(b"a"), false), None);
}
