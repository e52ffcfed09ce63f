//! Compares the engines with [`Regex`], in pieces so small that every position of a line is a
//! boundary.

use proptest::prelude::*;

use super::*;
use crate::pattern::{Pattern, PatternOptions};

/// Atoms of expressions.
const ATOMS: [&str; 34] = [
    "a",
    "b",
    "é",
    "aé",
    "ab",
    ".",
    "[ab]",
    "[^a]",
    r"\w",
    r"\W",
    r"\d",
    r"\s",
    "ß",
    "k",
    "(?-u:[a-k])",
    r"\pL",
    "(?:)",
    r"[a&&b]",
    "^",
    "$",
    r"\A",
    r"\z",
    "(?m:^)",
    "(?m:$)",
    "(?Rm:^)",
    "(?Rm:$)",
    r"\b",
    r"\B",
    r"(?-u:\b)",
    r"\b{start}",
    r"\b{end}",
    r"\b{start-half}",
    r"\b{end-half}",
    r"(?-u:\b{start-half})",
];
const REPEATS: [&str; 12] =
    ["*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?", "??", "{2}?", "{0,2}?", "{1,}?"];
/// Atoms of texts: characters and invalid bytes.
const TEXTS: [&[u8]; 14] = [
    b"a",
    b"b",
    b"ab",
    b"x",
    b"k",
    b"1",
    b"_",
    b" ",
    b"\r",
    "é".as_bytes(),
    "É".as_bytes(),
    "\u{212a}".as_bytes(),
    b"\xff",
    b"\xc3",
];

fn expressions() -> impl Strategy<Value = String> {
    let atom = prop::sample::select(&ATOMS[..]).prop_map(str::to_owned);
    atom.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| parts.concat()),
            2 => prop::collection::vec(inner.clone(), 2..4).prop_map(|parts| format!("(?:{})", parts.join("|"))),
            3 => (inner.clone(), prop::sample::select(&REPEATS[..]))
                .prop_map(|(part, repeat)| format!("(?:{part}){repeat}")),
            1 => inner.prop_map(|part| format!("(?i:{part})")),
        ]
    })
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop::sample::select(&TEXTS[..]), 0..14).prop_map(|parts| parts.concat())
}

fn exact(expression: &str, piece: usize) -> Exact {
    let expression = regex_syntax::parse(expression).unwrap();
    let mut exact = Exact::new(expression).unwrap();
    (exact.stride, exact.skip, exact.work) = (piece * STEPS, piece, piece * STEPS);
    exact
}

fn stepped(exact: &Exact, line: &[u8], from: usize) -> Option<(usize, usize)> {
    exact.find_by_steps(line, from, &mut Scratch::default(), &mut || true).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn every_engine_agrees_with_the_uninterruptible_one(
        expression in expressions(),
        text in texts(),
        piece in 1..4_usize,
    ) {
        let exact = exact(&expression, piece);
        let engines = exact.engines();
        let (prefix, automaton) = (engines.prefix.as_ref(), engines.automaton.unwrap());
        let (mut scratch, mut caches) = (Scratch::default(), automaton.caches());
        for from in 0..=text.len() {
            let wanted = exact.regex.find(Input::new(&text).range(from..));
            let wanted = wanted.map(|found| (found.start(), found.end()));
            let go_on = &mut || true;
            prop_assert_eq!(exact.find_by_steps(&text, from, &mut scratch, go_on), Ok(wanted), "from {}", from);
            for prefix in [None, prefix] {
                let simulated = scratch.simulation.find(&exact.nfa, &text, from, prefix, piece, go_on);
                prop_assert_eq!(simulated, Ok(wanted), "simulated from {}", from);
            }
            if let Ok(found) = automaton.find(&text, from, prefix, &mut caches, &mut Poller { stride: piece, go_on }) {
                prop_assert_eq!(found, wanted, "automaton from {}", from);
            }
        }
    }
}

/// Expressions, each with the engine that is slow on it.
const SLOW: [(&str, &str); 5] = [
    ("(?:x+x+)+y", "x"),
    (r"\b\w+é\b", "größe "),
    ("(a|b)*c{50}", "ab"),
    (r"[ab]*a[ab]{40}c", "abba"),
    ("zz+y", "z "),
];

fn line(of: &str, bytes: usize) -> Vec<u8> {
    of.bytes().cycle().take(bytes).collect()
}

#[test]
fn a_search_in_a_line_of_many_megabytes_can_be_cancelled_at_once() {
    for (expression, of) in SLOW {
        let pattern = Pattern::compile(PatternOptions::expression(expression)).unwrap();
        let line = line(of, 32 << 20);
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            false
        };
        assert_eq!(pattern.find_while(&line, &mut go_on), Err(Interrupted), "{expression}");
        assert_eq!(pattern.find_from(&line, 5, &mut go_on), Err(Interrupted), "{expression}");
        assert_eq!(asked, 2, "{expression}");
    }
}

#[test]
fn cancellation_is_checked_throughout_a_long_line() {
    const BYTES: usize = 1 << 18;
    for (expression, of) in SLOW {
        let pattern = Pattern::compile(PatternOptions::expression(expression)).unwrap();
        // More than are permitted between two calls of `go_on`.
        let bytes = pattern.stride() + BYTES;
        let line = line(of, bytes);
        let calls = |most: usize| {
            let mut asked = 0;
            let found = pattern.find_while(&line, &mut || {
                asked += 1;
                asked < most
            });
            (found, asked)
        };
        let (found, all) = calls(usize::MAX);
        assert_eq!(found, Ok(None), "{expression}");
        assert!(all > bytes >> 14, "{expression}: {all} questions in {bytes} bytes");
        for most in [1, 2, all / 2, all].into_iter().filter(|&most| most > 0) {
            assert_eq!(calls(most), (Err(Interrupted), most), "{expression}");
        }
    }
}

#[test]
fn a_large_expression_is_polled_more_often() {
    let stride = |expression: &str| {
        Pattern::compile(PatternOptions::expression(expression)).unwrap().stride()
    };
    assert!(stride("foo") > 1 << 16);
    assert!(stride(r"\w+") > 1 << 16, "of a class one state is visited");
    assert!(stride(r"\w{100}") < 1 << 14);
    assert!(stride("(?:[ab]{0,50}){50}") < 1 << 8);
}

#[test]
fn the_simulation_continues_where_the_automaton_gives_up() {
    let exact = exact(r"\bb\w*\b", 1);
    let line = "é aé bé".as_bytes();
    let automaton = exact.engines().automaton.unwrap();
    let mut poller = Poller { stride: 1, go_on: &mut || true };
    let gave_up = automaton.find(line, 0, None, &mut automaton.caches(), &mut poller);
    assert!(matches!(gave_up, Err(Stop::GaveUp)));
    assert_eq!(stepped(&exact, line, 0), Some((7, 10)));
}
