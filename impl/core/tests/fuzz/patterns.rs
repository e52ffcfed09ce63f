//! Patterns, and the expressions for search programs.

use forge_search_core::{
    ErrorClass,
    pattern::{AUTOMATON_BYTES, CaseMode, Pattern, PatternOptions},
    request::Reading,
};
use regex_automata::{meta::Regex, util::syntax};

use crate::soup;

const WORDS: &[&str] = &[
    "a",
    "B",
    "k",
    "é",
    "ſ",
    "\u{212a}",
    ".",
    "*",
    "+",
    "?",
    "|",
    "(",
    ")",
    "(?:",
    "[",
    "]",
    "^",
    "$",
    "\\",
    "{2}",
    "{0,3}",
    "{1000}",
    "\\b",
    "\\B",
    "\\d",
    "\\w",
    "\\W",
    "\\pL",
    "\\x41",
    "\\x{e9}",
    "(?i)",
    "(?-i)",
    "(?x)",
    "(?s-u:",
    "(?m)",
    "[a-z]",
    "[^a]",
    "[[:alpha:]]",
    "[a-z&&[^b]]",
    "\\A",
    "\\z",
    "\\r",
    "\\b{start}",
    "(?P<n>",
    " ",
    "-",
    "\\n",
    "&&",
    "--",
    "~~",
    "\\n{0}",
    "[^\\n]",
];
const LINE: &[&str] =
    &["a", "A", "b", "k", "\u{212a}", "ſ", "é", " ", "1", "_", "-", "\u{1}", "\r", "ab"];

/// Each repetition of a pattern gets a group of its own in the derived expressions.
const NEST_LIMIT: u32 = 1_000;

/// An expression as search programs compile it: over bytes.
fn program(expression: &str) -> Regex {
    let syntax = syntax::Config::new().utf8(false).unicode(false).nest_limit(NEST_LIMIT);
    Regex::builder().syntax(syntax).build(expression).unwrap()
}

fn sought(pattern: &str, choice: u8) -> PatternOptions<'_> {
    let cases = [CaseMode::Smart, CaseMode::Sensitive, CaseMode::Insensitive];
    let literal = choice & 1 > 0;
    PatternOptions {
        pattern,
        literal,
        case: cases[usize::from(choice >> 1) % 3],
        word: choice & 8 > 0,
        fuzzy: (literal && choice & 16 > 0).then_some(1),
        reading: if choice & 32 > 0 { Reading::Callers } else { Reading::Documents },
    }
}

#[test]
fn a_pattern_is_refused_or_its_expressions_propose_every_matching_line() {
    let input = (soup::text(WORDS, 10), soup::bytes(LINE, 8), bolero::produce::<u8>());
    bolero::check!().with_iterations(2_500).with_generator(input).for_each(
        |(pattern, line, choice)| {
            if pattern.trim().is_empty() {
                // Requests refuse it earlier.
                return;
            }
            let sought = sought(pattern, *choice);
            let compiled = match Pattern::compile(sought) {
                Ok(compiled) => compiled,
                Err(error) => {
                    assert_eq!(
                        (error.class, error.field.as_deref()),
                        (ErrorClass::BadArgs, Some("pattern"))
                    );
                    assert!(error.message.len() < 400, "{}", error.message);
                    return;
                }
            };
            let found = compiled.find(line);
            assert!(
                found.is_none_or(|(start, end)| start <= end && end <= line.len()),
                "{found:?}"
            );
            if sought.fuzzy.is_none() {
                assert_eq!(compiled.find_from(line, 0, &mut || true), Ok(found));
            }
            let (buffer, portable) = (compiled.buffer_expression(), compiled.portable_expression());
            assert!(buffer.len() <= AUTOMATON_BYTES, "{} bytes", buffer.len());
            assert!(portable.is_ascii() && !portable.contains(['\n', '\0']), "{portable:?}");
            assert!(!portable.starts_with('-'), "no program takes it for an option");
            assert!(portable.len() <= 128 * (pattern.len() + 1), "{} bytes", portable.len());
            if found.is_none() {
                return;
            }
            assert!(program(&portable).is_match(line), "{portable} {line:?}");
            if pattern.len() > 30 {
                // Unicode classes take long to compile in a debug build.
                return;
            }
            let syntax = syntax::Config::new().utf8(false).nest_limit(NEST_LIMIT);
            let regex = Regex::builder().syntax(syntax).build(&buffer).unwrap();
            let lines = [b"before\r\n", line.as_slice(), b"\r\nafter\n"].concat();
            assert!(regex.is_match(&lines), "{buffer} {line:?}");
        },
    );
}

#[test]
fn a_literal_matches_itself_after_any_prefix() {
    let input = (soup::text(WORDS, 6), soup::bytes(LINE, 6));
    bolero::check!().with_iterations(1_000).with_generator(input).for_each(|(pattern, before)| {
        if pattern.is_empty() || pattern.contains('\n') {
            return;
        }
        for choice in [1, 3, 5] {
            let compiled = Pattern::compile(sought(pattern, choice)).unwrap();
            let line = [before.as_slice(), pattern.as_bytes()].concat();
            let (start, _) = compiled.find(&line).unwrap();
            assert!(start <= before.len());
        }
    });
}
