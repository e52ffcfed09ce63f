//! Globs of requests and of ignore files.

use std::{
    fmt::Write,
    sync::atomic::{AtomicUsize, Ordering},
};

use forge_search_core::{
    cancellation::Cancellation,
    glob::{Dialect, Glob, GlobError, any_matches},
};

use crate::soup;

const WORDS: &[&str] = &[
    "*",
    "**",
    "?",
    "/",
    "\\",
    "{",
    "}",
    ",",
    "[",
    "]",
    "!",
    "^",
    "-",
    "a",
    "b",
    ".rs",
    "./",
    "é",
    "[a-z]",
    "[[:alpha:]]",
    "[^/]",
    "{a,b}",
    "{,",
    "[!",
    "[]",
    "\\{",
    "\u{1f600}",
    "**/",
    "[z-a]",
];
const NAMES: &[&str] = &["a", "b", "/", ".rs", ".", "é", "{", "*", "\\", "[", "-", " ", "aaaa"];

/// Steps between two checks of a [`Cancellation`].
const PORTION: usize = 1 << 14;

#[test]
fn a_glob_matches_in_bounded_steps_or_is_refused_for_a_reason_of_its_dialect() {
    let input = (soup::bytes(WORDS, 40), soup::bytes(NAMES, 40));
    bolero::check!().with_iterations(3_000).with_generator(input).for_each(|(glob, path)| {
        for dialect in [Dialect::Request, Dialect::Ignore] {
            let parsed = match Glob::parse(glob, dialect) {
                Ok(parsed) => parsed,
                Err(why) => {
                    assert!(dialect == Dialect::Request || why == GlobError::Empty, "{why}");
                    assert!(why.to_string().split(' ').count() > 3);
                    continue;
                }
            };
            assert!(dialect == Dialect::Ignore || !glob.starts_with(b"!"));
            for is_dir in [false, true] {
                let asked = AtomicUsize::new(0);
                let cancellation = Cancellation::when(|| {
                    asked.fetch_add(1, Ordering::Relaxed);
                    false
                });
                let matches = parsed.matches(path, is_dir, &cancellation);
                let pair = std::slice::from_ref(&parsed);
                assert_eq!(any_matches(pair, path, is_dir, &cancellation), matches);
                // Twice that at most, and never more than each byte of the glob against each of the
                // path.
                let most = 2 * (glob.len() + 1) * (path.len() + 1) / PORTION + 1;
                let asked = asked.load(Ordering::Relaxed);
                assert!(asked <= 4 * most, "asked {asked} times, not {most}");
                assert!(is_dir || !matches || !glob.ends_with(b"/") || glob.ends_with(b"\\/"));
            }
        }
    });
}

#[test]
fn an_escaped_name_is_a_glob_that_matches_exactly_that_name() {
    let names = soup::text(NAMES, 12);
    bolero::check!().with_iterations(1_000).with_generator(names).for_each(|name| {
        let name = name.replace('/', "");
        let mut escaped = String::new();
        for c in name.chars() {
            let _ = write!(escaped, "\\{c}");
        }
        for dialect in [Dialect::Request, Dialect::Ignore] {
            if name.is_empty() {
                continue;
            }
            let glob = Glob::parse(escaped.as_bytes(), dialect).unwrap();
            let matches = |path: &str| glob.matches(path.as_bytes(), false, &Cancellation::never());
            assert!(matches(&name) && matches(&format!("below/{name}")), "{escaped}");
            assert!(!matches(&format!("{name}x")) && !matches(&format!("x{name}")), "{escaped}");
        }
    });
}
