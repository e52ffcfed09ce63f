//! Globs: of requests, of deny patterns, and the lines of ignore files.
//!
//! Responsible for: patterns over names, in every form the two dialects know, made of the very names trees are made
//! of, so that most of them match something.
//! Left to neighbours: where a glob is put ([`super::request`], [`super::config`], [`super::tree`]).
//! Invariants: [`request_glob`] and [`deny`] are valid globs, [`invalid`] ones are not.

use proptest::prelude::*;
use proptest::sample::select;

/// A valid glob of the request dialect (docs/search.md, section 3.3).
pub fn request_glob() -> BoxedStrategy<String> {
    select(VALID).prop_map(str::to_owned).boxed()
}

/// A glob that must be refused.
pub fn invalid() -> BoxedStrategy<String> {
    select(INVALID).prop_map(str::to_owned).boxed()
}

/// A deny pattern. Narrow ones, for a tree that is denied as a whole shows nothing.
pub fn deny() -> BoxedStrategy<String> {
    select(
        &["**/.env", "b.txt", "b", "d/", "/b", "a/b", "*.md", "**/b", "d/**", "[ab]/b.txt", "{b,x}.txt", "sub", "?-b", "/sub/*"][..],
    )
    .prop_map(str::to_owned)
    .boxed()
}

/// The text of an ignore file: some lines, in git's syntax, with its odd cases.
pub fn ignore_file() -> BoxedStrategy<Vec<u8>> {
    let lines = prop::collection::vec(prop_oneof![3 => select(IGNORE_PLAIN), 2 => select(IGNORE_ODD)], 1..4);
    let mark = prop_oneof![12 => Just(""), 1 => Just("\u{feff}")];
    let end = prop_oneof![8 => Just("\n"), 1 => Just("\r\n")];
    (mark, lines, end, prop::bool::weighted(0.9))
        .prop_map(|(mark, lines, end, last)| {
            let mut text = format!("{mark}{}", lines.join(end));
            if last {
                text.push_str(end);
            }
            text.into_bytes()
        })
        .boxed()
}

const VALID: &[&str] = &[
    "*.txt", "*.txt", "*.txt", "*.txt", "*.txt", "*.md", "*", "*", "*", "**", "**", "a*", "a*", "a*", "?*", "**/*", "[a-z]*", "?", "?.txt", "?.txt", "[ab].txt", "[!a].txt", "[^a]*",
    "[a-c].*", "*.{txt,md}", "{a,b}", "{a,b}.txt", "{a,{b,d}}/*", "a{,-b,.txt}", "a/*", "a/**", "a/**", "**/a",
    "**/a.txt", "**/*.txt", "a/**/b", "a/**/b.txt", "/a", "/a.txt", "./a.txt", "./a", "a/", "*/", "sub/", "sub/*.txt",
    "d/", "/d/*", "**/d/**", "**/", "a**", "***", "**a", "a/***", r"\[a\].txt", r"\*", "[*]", "[[]a].txt", "[]a]*",
    "[]]", r"[\]a]*", r"\a.txt", "\u{e9}*", "e?.txt", "[\u{e0}-\u{ef}].txt", "?*", "??.txt", ".*", "**/.hidden",
    ".hid/**", "a-b", "a.b", "A.txt", "a.TXT", "-*", "a b.txt", r"a\\b.txt", "new?line.txt", "*line*", "[-a]*",
    "[a-]*", "[+-.]*", "{,a}.txt", "{}", "{a}", "a,b", "a/b", "a//b", "*/*", "*/*/*", "foo", "/**", "/**/a", "?/?",
    "[!.]*", "a[.]txt", "{*.txt,d/**}", "{sub/,a.txt}", "*[!t]", "#*", r"\!*", "[!!]*",
];

const INVALID: &[&str] = &[
    "!a", "!*.txt", "", "[a", "[", "[]", "[!]", "[^", "{a", "{a,b", "a}", "}", "{a}}", "[z-a]", "[b-a].txt", r"a\", r"\",
    "{a,[}", r"{a,\", "./", "[a/b", "{{a,b}",
];

const IGNORE_PLAIN: &[&str] = &[
    "*.txt", "*.txt", "a.txt", "/a.txt", "a", "a/", "/a/", "b", "b/", "sub", "sub/", "d/", "*", "!a.txt", "!a.txt",
    "!*.txt", "!a/", "!b", "!*/", "!/a.txt", "!sub/", "*.md", "*.tmp", "build/", ".hidden", "!.hidden", "a/b",
    "a/b.txt", "/sub/*", "!/sub/a.txt",
];

const IGNORE_ODD: &[&str] = &[
    "**/b", "**/a.txt", "a/**", "a/**/b", "a/**/b.txt", "**", "/**", "**/", "*/a.txt", "sub/**/", "*/", "# a.txt", "#",
    r"\#hash", r"\!bang", "a.txt ", r"a.txt\ ", "a.txt  ", "a.txt\t", " a.txt", "", " ", "[ab].txt", "[!a]*", "[^a]*",
    "[a-c].txt", "[[:alpha:]].txt", "[[:digit:][:lower:]]", "[[:nonsense:]]", "[a", "[", r"a\", r"\", "?.txt", "?", "??",
    "{a,b}.txt", "\u{e9}.txt", "e\u{301}.txt", "?\u{301}.txt", "-dash", r"\a.txt", r"\*", "[*]", "!", "/", "//", "!/",
    "[]a].txt", "[a-]", r"[\]]", r"[\a].txt", "[z-a]", ".*", "a**", "**a", "a**b", "***", "a***/b", "**/**/a", "/*", "!/*/",
    "/*/*", "a/*", "*.TXT", "A.txt", "[A-Z].txt", ".git", "a.txt/", "!!a.txt", "[[]a].txt", r"\[a\].txt", "[a]", "foo*",
    "*-b", "a?b", "a[/]b", "a[!x]b", "a/b/", "./a.txt", "../a.txt", "a//b", "a.txt\r", "\u{feff}a.txt", "**/sub/*.txt",
    "[!-a].txt", r"[\--b]*", "[a-c-e]*", "d/../a.txt",
];
