//! What comes out of the generators, measured.

use super::expression::escaped;
use super::{Coverage, Generator, expression};
use crate::case::{Case, Tables};
use crate::expected::Expected;
use crate::tool::{Family, search};

const SEED: u64 = 20;
const CASES: u64 = 3_000;

/// The traps, and in how many of the cases each must occur. Roughly half of what was measured: a
/// generator that stops producing a trap fails, one that shifts a little does not.
const FLOORS: &[(&str, u64)] = &[
    ("with a match", CASES / 2),
    ("with context", 180),
    ("truncated", 180),
    ("with errors", 70),
    ("refused: BadArgs", 100),
    ("refused: SandboxViolation", 35),
    ("refused: ExecutionFailed", 20),
    ("events in several files", 250),
    ("empty match", 40),
    ("cut by max_results", 40),
    ("cut by max_output_bytes", 15),
    ("cut by max_files", 50),
    ("cut by max_matches_per_file", 30),
    ("cut by max_file_size_bytes", 40),
    ("error: permission denied", 15),
    ("error: symlink leaves the sandbox", 8),
    ("error: dangling symlink", 35),
    ("error: symlink loop", 8),
    ("error: ignore file cannot be read", 4),
    ("error: binary file", 3),
    ("error: larger than max_file_size_bytes", 3),
    ("name: not UTF-8", 80),
    ("name: decomposed", 50),
    ("name: line feed", 15),
    ("name: leading dash", 60),
    ("name: leading dot", 400),
    ("name: glob characters", 100),
    ("name: sorts between `a` and `a/b`", 1_000),
    ("text: CRLF", 700),
    ("text: lone CR", 80),
    ("text: UTF-8 mark", 70),
    ("text: UTF-16 LE", 35),
    ("text: UTF-16 BE", 35),
    ("text: invalid UTF-8", 200),
    ("text: NUL", 100),
    ("text: empty file", 200),
    ("text: no final line feed", 600),
    ("text: long line", 60),
    ("rules: .gitignore", 150),
    ("rules: .ignore", 120),
    ("rules: exclude", 50),
    ("rules: re-include", 90),
    ("rules: nested repository", 110),
    ("link", 250),
    ("link out of the root", 35),
    ("pipe", 40),
    ("unreadable file", 18),
    ("unreadable directory", 14),
    ("pattern: literal", 900),
    ("pattern: leading dash", 110),
    ("pattern: alternation", 60),
    ("pattern: anchor", 60),
    ("pattern: class", 80),
    ("pattern: boundary", 25),
    ("pattern: inline flag", 100),
    ("pattern: beyond ASCII", 100),
    ("pattern: folds beyond ASCII", 30),
    ("fuzzy", 100),
    ("stats", 400),
    ("fallback: a pass is the answer", 25),
    ("fallback: passes found nothing", 8),
    ("fallback: a looser level", 6),
    ("fallback: pattern too short", 25),
    ("fallback: cut", 1),
    ("word_regexp", 140),
    ("case: insensitive", 280),
    ("case: sensitive", 280),
    ("follow", 380),
    ("hidden", 300),
    ("no_ignore", 160),
    ("not recursive", 110),
    ("include and exclude", 8),
    ("glob instead of include_glob", 30),
    ("glob: stars across directories", 50),
    ("glob: braces", 35),
    ("glob: class", 50),
    ("glob: anchored", 70),
    ("glob: directories only", 15),
    ("path: a file", 130),
    ("path: absolute", 40),
    ("path: upwards", 70),
    ("tool: alias", 20),
    ("tool: unknown", 3),
    ("unknown field", 12),
    ("blank pattern", 6),
    ("invalid expression", 10),
    ("invalid glob", 15),
    ("number out of bounds", 30),
    ("fuzzy beyond the pattern", 1),
    ("config: deny", 80),
    ("config: global ignore", 45),
    ("config: working directory", 120),
    ("config: max_output_bytes", 40),
    ("config: disabled", 1),
    ("config: no backend", 1),
];

/// One test for what a sample shows: the sample is what takes the time.
#[test]
fn every_trap_occurs_often_enough_has_a_floor_and_decides_clauses() {
    let generator = Generator::new(SEED);
    let mut coverage = Coverage::default();
    for number in 0..CASES {
        let case = generator.case(number);
        let expected =
            Expected::of(&case).unwrap_or_else(|panic| panic!("{panic}\n{}", case.to_yaml()));
        coverage.observe(&case, &expected.canonical);
    }
    let scarce: Vec<String> = FLOORS
        .iter()
        .filter(|(trap, floor)| coverage.count(trap) < *floor)
        .map(|(trap, floor)| format!("{trap}: {} of {floor}", coverage.count(trap)))
        .collect();
    assert!(scarce.is_empty(), "{scarce:#?}\n{coverage:#?}");
    let unbounded: Vec<&&str> = coverage
        .counts
        .keys()
        .filter(|trap| !["cases", "answered", "case: smart"].contains(*trap))
        .filter(|trap| !FLOORS.iter().any(|(known, _)| known == *trap))
        .collect();
    assert!(unbounded.is_empty(), "{unbounded:#?}");
    for (_, trap) in crate::gate::clauses::by_trap(Family::Search) {
        assert!(coverage.counts.contains_key(trap), "{trap}");
    }
}

#[test]
fn the_same_seed_and_number_give_the_same_case_in_any_order() {
    let (forwards, backwards) = (Generator::new(7), Generator::new(7));
    let first: Vec<Case> = (0..60).map(|number| forwards.case(number)).collect();
    let mut second: Vec<Case> = (0..60).rev().map(|number| backwards.case(number)).collect();
    second.reverse();
    assert_eq!(first, second);
}

#[test]
fn another_seed_or_another_number_gives_another_case() {
    let bodies: std::collections::BTreeSet<String> = [1, 2]
        .into_iter()
        .flat_map(|seed| (0..50).map(move |number| Generator::new(seed).case(number)))
        .map(|case| Case { id: "x".to_owned(), ..case }.to_yaml())
        .collect();
    assert!(bodies.len() > 95, "only {} of 100 differ", bodies.len());
}

#[test]
fn every_case_is_well_formed_and_survives_being_written_down() {
    let generator = Generator::new(SEED);
    for number in 0..600 {
        let case = generator.case(number);
        case.validate().unwrap_or_else(|malformed| panic!("{malformed}\n{}", case.to_yaml()));
        let read = Case::parse(&case.to_yaml(), std::path::Path::new("case.yaml")).unwrap();
        assert_eq!(read.to_yaml(), case.to_yaml());
        assert_eq!(read.world(), case.world());
        assert_eq!(read.request, case.request);
    }
}

#[test]
fn many_cases_of_many_seeds_can_be_drawn() {
    for seed in 0..40 {
        let generator = Generator::new(seed);
        for number in 0..400 {
            let case = generator.case(number);
            assert_eq!(case.validate(), Ok(()), "{}", case.to_yaml());
            assert!(!case.title.starts_with("not drawn"), "{}", case.title);
        }
    }
}

#[test]
fn trees_are_small() {
    let generator = Generator::new(SEED);
    for number in 0..600 {
        let case = generator.case(number);
        let (entries, bytes) = case.size();
        let chain = case.tree.iter().any(|entry| entry.path.starts_with(b"c3"));
        assert!(entries <= 10 || chain, "{entries} entries\n{}", case.to_yaml());
        assert!(bytes < 3 << 20, "{bytes} bytes\n{}", case.to_yaml());
    }
}

#[test]
fn what_must_be_refused_is_refused() {
    for pattern in expression::REFUSED {
        let case = Case::new("refused", "refused", serde_json::json!({ "pattern": pattern }));
        let allowed = search::model(&case, Tables::CURRENT);
        let refusal = allowed.canonical().as_ref().expect_err(pattern);
        assert_eq!(
            (refusal.class.as_str(), refusal.field.as_str()),
            ("BadArgs", "pattern"),
            "{pattern}"
        );
    }
}

#[test]
fn an_escaped_word_is_the_word_itself_as_an_expression() {
    for word in ["a.b", "a*b", "(", "[", "\\", "$", "^", "|", "{", "}", "#", "&", "~", "-", "foo"] {
        let case = Case::new("escaped", "escaped", serde_json::json!({ "pattern": escaped(word) }))
            .with(crate::case::Entry::file("f", format!("x\n{word}\ny\n")));
        let allowed = search::model(&case, Tables::CURRENT);
        let answer =
            allowed.canonical().as_ref().unwrap_or_else(|refusal| panic!("{word}: {refusal:?}"));
        assert_eq!(answer.events.len(), 1, "{word}");
    }
}
