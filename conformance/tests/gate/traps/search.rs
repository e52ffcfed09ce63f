//! Traps of `Search`.

use touchstone::coverage::Coverage;
use touchstone::expected::Expected;
use touchstone::family::Family;
use touchstone::gate::clauses::by_trap;
use touchstone::generate::Generator;

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
    for (_, trap) in by_trap(Family::Search) {
        assert!(coverage.counts.contains_key(trap), "{trap}");
    }
}
