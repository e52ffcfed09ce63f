//! Which clauses a run of random cases decides.
//!
//! Responsible for: naming, for each clause that lockstep can decide, what must have occurred among the cases for it
//! to have been decided.
//! Left to neighbours: the records ([`crate::claims`]).
//! Invariants: a clause is vouched for only if the trap that would show it broken occurred in enough cases; what
//! needs a fault in a process, a clock or a reader is not here.

use crate::generate::Coverage;
use crate::index_model::Area;

/// In how many cases a trap must have occurred.
const ENOUGH: u64 = 3;

/// A clause, and the trap that shows it.
const LOCKSTEP: &[(&str, &str)] = &[
    ("CON-LS-02", "refused: SandboxViolation"),
    ("FR-LS-01", "tool: alias"),
    ("FR-LS-02.compat", "glob instead of include_glob"),
    ("FR-LS-02a", "refused: BadArgs"),
    ("FR-LS-02b", "unknown field"),
    ("FR-LS-VAL-01", "blank pattern"),
    ("FR-LS-VAL-02", "number out of bounds"),
    ("FR-LS-VAL-03", "refused: SandboxViolation"),
    ("FR-LS-VAL-04", "path: a file"),
    ("FR-LS-VAL-05", "refused: ExecutionFailed"),
    ("FR-LS-VAL-06", "invalid glob"),
    ("FR-LS-VAL-08", "number out of bounds"),
    ("FR-LS-VAL-09", "not recursive"),
    ("FR-LS-VAL-10", "include and exclude"),
    ("FR-LS-VAL-11", "glob instead of include_glob"),
    ("FR-LS-SRC-01", "pattern: literal"),
    ("FR-LS-SRC-02", "invalid expression"),
    ("FR-LS-SRC-03", "word_regexp"),
    ("FR-LS-SRC-04", "pattern: folds beyond ASCII"),
    ("FR-LS-SRC-04.sensitive", "case: sensitive"),
    ("FR-LS-SRC-04.insensitive", "case: insensitive"),
    ("FR-LS-SRC-04.smart", "case: smart"),
    ("FR-LS-SRC-05", "include and exclude"),
    ("FR-LS-SRC-06", "hidden"),
    ("FR-LS-SRC-06.hidden", "hidden"),
    ("FR-LS-SRC-06.follow", "error: symlink leaves the sandbox"),
    ("FR-LS-SRC-06.no_ignore", "no_ignore"),
    ("FR-LS-SRC-07", "with context"),
    ("FR-LS-SRC-08", "cut by max_file_size_bytes"),
    ("FR-LS-SRC-09", "cut by max_files"),
    ("FR-LS-SRC-10", "cut by max_matches_per_file"),
    ("FR-LS-SRC-11", "fuzzy"),
    ("FR-LS-EXE-02", "with context"),
    ("FR-LS-EXE-03", "events in several files"),
    ("FR-LS-ORD-01", "events in several files"),
    ("FR-LS-ORD-02", "events in several files"),
    ("FR-LS-ORD-03", "path: absolute"),
    ("FR-LS-06", "cut by max_results"),
    ("FR-LS-06b", "cut by max_results"),
    ("FR-LS-04", "with a match"),
    ("FR-LS-04a", "with a match"),
    ("FR-LS-04b", "with a match"),
    ("FR-LS-04c", "with context"),
    ("FR-LS-05", "answered"),
    ("FR-LS-05a", "answered"),
    ("FR-LS-05b", "path: upwards"),
    ("FR-LS-05c", "truncated"),
    ("FR-LS-05c.view", "truncated"),
    ("FR-LS-05d", "answered"),
    ("FR-LS-05e", "truncated"),
    ("FR-LS-ERR-01", "refused: BadArgs"),
    ("FR-LS-ERR-05", "error: permission denied"),
    ("FR-LS-ERR-06", "error: permission denied"),
    ("FR-LS-ERR-07", "answered"),
    ("NFR-LS-SEC-01", "error: symlink leaves the sandbox"),
    ("CFG-LS-04", "number out of bounds"),
    ("CFG-LS-05", "cut by max_file_size_bytes"),
    ("ALG-LS-A1.2", "refused: SandboxViolation"),
    ("ALG-LS-A2", "name: decomposed"),
    ("ALG-LS-A2.2", "events in several files"),
    ("ALG-LS-A2.3", "name: not UTF-8"),
    ("ALG-LS-A2.4", "name: decomposed"),
    ("ALG-LS-A3", "name: sorts between `a` and `a/b`"),
];

/// What the relations between runs decide, once they were tried on enough cases.
const METAMORPHIC: &[&str] =
    &["CON-LS-03", "FR-LS-EXE-03", "FR-LS-06", "NFR-LS-COR-01", "NFR-LS-COR-02", "T-LS-ORD-01"];

/// What holding the index's model against production decides, by area.
const INDEX_MODEL: &[(Area, &[&str])] = &[(
    Area::Machine,
    &[
        "FR-LSI-SAFE-01",
        "FR-LSI-SAFE-02",
        "FR-LSI-SAFE-03",
        "FR-LSI-SAFE-04",
        "STATE-ABSENT",
        "STATE-BUILDING",
        "STATE-COMPLETE",
        "STATE-UNCERTAIN",
        "STATE-CORRUPT",
        "STATE-DISABLED",
        "PREC-P1",
        "PREC-P2",
        "PREC-P3",
        "PREC-P4",
        "TT-01",
        "TT-02",
    ],
)];

/// The clauses that an area of the index's model decides.
pub fn index_model(area: Area) -> impl Iterator<Item = &'static str> {
    let of_area = INDEX_MODEL.iter().filter(move |(other, _)| *other == area);
    of_area.flat_map(|(_, clauses)| clauses.iter().copied())
}

/// The clauses that a lockstep run with this coverage decided.
pub fn lockstep(coverage: &Coverage) -> Vec<String> {
    LOCKSTEP
        .iter()
        .filter(|(_, trap)| coverage.count(trap) >= ENOUGH)
        .map(|(id, _)| (*id).to_owned())
        .collect()
}

/// The clauses that a metamorphic run of so many cases decided.
pub fn metamorphic(cases: u64) -> Vec<String> {
    let enough = cases >= 20;
    METAMORPHIC.iter().filter(|_| enough).map(|id| (*id).to_owned()).collect()
}

/// Every clause that is named here, for the check that the specification knows it.
pub fn all() -> impl Iterator<Item = &'static str> {
    let enumerated = Area::ALL.into_iter().flat_map(index_model);
    LOCKSTEP.iter().map(|(id, _)| *id).chain(METAMORPHIC.iter().copied()).chain(enumerated)
}

/// Every trap that is named here, for the check that coverage knows it.
pub fn traps() -> impl Iterator<Item = &'static str> {
    LOCKSTEP.iter().map(|(_, trap)| *trap)
}
