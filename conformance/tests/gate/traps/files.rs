//! Traps of `search_files`.

use touchstone::coverage::Coverage;
use touchstone::expected::Expected;
use touchstone::family::Family;
use touchstone::gate::clauses::by_trap;
use touchstone::generate::{Generator, Mix};

const SEED: u64 = 20;
const CASES: u64 = 2_500;

/// The traps, and in how many of the cases each must occur: roughly half of what was measured.
const FLOORS: &[(&str, u64)] = &[
    ("files answered", 1045),
    ("files binary not recorded", 11),
    ("files broken far behind the start", 70),
    ("files budget", 259),
    ("files budget: errors cut", 10),
    ("files budget: just enough", 20),
    ("files budget: no match left", 47),
    ("files budget: some matches left", 23),
    ("files budget: used up", 31),
    ("files case: insensitive", 251),
    ("files case: sensitive", 239),
    ("files complete", 753),
    ("files config: caps", 246),
    ("files config: deny", 55),
    ("files config: global ignore", 30),
    ("files config: no backend", 4),
    ("files config: preset documents", 49),
    ("files config: record_binary", 58),
    ("files config: threshold", 241),
    ("files config: working directory", 100),
    ("files cut by max_depth", 53),
    ("files cut by max_file_size_bytes", 34),
    ("files cut by max_files", 33),
    ("files cut by max_matches_per_file", 36),
    ("files cut by max_output_bytes", 76),
    ("files cut by max_results", 36),
    ("files empty match", 94),
    ("files error: binary file", 80),
    ("files error: dangling symlink", 19),
    ("files error: ignore file cannot be read", 15),
    ("files error: larger than max_file_size_bytes", 32),
    ("files error: permission denied", 22),
    ("files error: symlink leaves the sandbox", 11),
    ("files error: symlink loop", 2),
    ("files exact score", 41),
    ("files exactly max_results", 10),
    ("files exclude_globs", 111),
    ("files follow_symlinks", 302),
    ("files include_globs", 118),
    ("files include_hidden", 254),
    ("files incomplete by errors", 62),
    ("files link to a file matched", 8),
    ("files long fuzzy query", 10),
    ("files low score", 14),
    ("files match beyond ASCII", 62),
    ("files matches in several files", 157),
    ("files max_depth", 150),
    ("files mode: by configuration", 13),
    ("files mode: exact", 563),
    ("files mode: fuzzy", 308),
    ("files mode: regex", 376),
    ("files no gitignore", 115),
    ("files not recursive", 84),
    ("files partial score", 71),
    ("files path: absolute", 8),
    ("files path: error above the root", 3),
    ("files refused: BadArgs", 114),
    ("files refused: ExecutionFailed", 78),
    ("files refused: SandboxViolation", 12),
    ("files refused: exclude_globs", 7),
    ("files refused: expression", 13),
    ("files refused: include_globs", 8),
    ("files refused: max_depth", 14),
    ("files refused: max_output_bytes", 58),
    ("files refused: max_results", 7),
    ("files refused: mode", 5),
    ("files refused: path", 39),
    ("files refused: query", 20),
    ("files refused: request", 2),
    ("files refused: unknown field", 14),
    ("files score at the threshold", 16),
    ("files several matches on a line", 222),
    ("files wide character before a match", 117),
    ("files window of another length", 54),
    ("files with a match", 529),
    ("files with context", 84),
];

/// One test for what a sample shows: the sample is what takes the time.
#[test]
fn every_trap_occurs_often_enough_has_a_floor_and_decides_clauses() {
    let generator = Generator::of(Mix::Of(Family::Files), SEED);
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
        .filter(|trap| trap.starts_with("files "))
        .filter(|trap| !FLOORS.iter().any(|(known, _)| known == *trap))
        .collect();
    assert!(unbounded.is_empty(), "{unbounded:#?}");
    for (_, trap) in by_trap(Family::Files) {
        assert!(coverage.counts.contains_key(trap), "{trap}");
    }
}
