//! Which clauses a run of random cases decides.
//!
//! Responsible for: naming, for each clause that lockstep can decide, what must have occurred among
//! the cases for it to have been decided. Not here: the records ([`crate::records`]). Invariants: a
//! clause is verified only if the trap that would show it broken occurred in enough cases; what
//! needs a fault in a process, a clock or a reader is not here.

mod index_model;

use self::index_model::INDEX_MODEL;
use super::Run;
use crate::family::Family;
use crate::index_model::Area;

/// Fewest cases with a trap that decide its clause.
const ENOUGH: u64 = 3;

/// Clauses, each with the trap that would reveal a violation.
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
    ("FR-LSI-FUZ-02", "fallback: a pass is the answer"),
    ("FR-LSI-FUZ-TH-01", "fallback: a pass is the answer"),
    ("FR-LSI-FUZ-TH-02", "fallback: a looser level"),
    ("FR-LSI-FUZ-G-01", "fallback: pattern too short"),
    ("FR-LSI-FUZ-G-02", "fallback: cut"),
    ("FR-LSI-STAT-02", "stats"),
    ("STAT-stats_version", "stats"),
    ("STAT-fallback_used", "fallback: a pass is the answer"),
    ("STAT-fallback_reason", "fallback: a pass is the answer"),
    ("STAT-fuzzy_levels_tried", "fallback: a looser level"),
    ("FBR-LITERAL_NO_MATCHES", "fallback: a pass is the answer"),
    ("FBR-null", "stats"),
    ("STAT-candidates_total", "stats"),
];

/// Clauses that relations between runs decide, after enough cases.
pub(super) const METAMORPHIC: &[&str] =
    &["CON-LS-03", "FR-LS-EXE-03", "FR-LS-06", "NFR-LS-COR-01", "NFR-LS-COR-02", "T-LS-ORD-01"];

/// The same for document 001, among cases of `search_files`.
const FILES: &[(&str, &str)] = &[
    ("FR-SF-VAL-01", "files refused: path"),
    ("FR-SF-VAL-02", "files refused: query"),
    ("FR-SF-VAL-03", "files refused: max_depth"),
    ("FR-SF-VAL-04", "files refused: max_results"),
    ("FR-SF-VAL-05", "files mode: fuzzy"),
    ("FR-SF-VAL-06", "files refused: SandboxViolation"),
    ("FR-SF-VAL-07", "files refused: ExecutionFailed"),
    ("FR-SF-VAL-08", "files link to a file matched"),
    ("FR-SF-SRC-01", "files several matches on a line"),
    ("FR-SF-SRC-02", "files refused: expression"),
    ("FR-SF-SRC-03", "files partial score"),
    ("FR-SF-SRC-04", "files error: binary file"),
    ("FR-SF-SRC-05", "files include_globs"),
    ("FR-SF-SRC-06", "files no gitignore"),
    ("FR-SF-SRC-07", "files error: larger than max_file_size_bytes"),
    ("FR-SF-SRC-08", "files cut by max_results"),
    ("FR-SF-OUT-01", "files matches in several files"),
    ("FR-SF-OUT-03", "files cut by max_output_bytes"),
    ("FR-SF-OUT-04", "files answered"),
    ("FR-SF-OUT-05", "files cut by max_output_bytes"),
    ("FR-SF-ERR-01", "files refused: BadArgs"),
    ("FR-SF-ERR-02", "files refused: SandboxViolation"),
    ("FR-SF-ERR-03", "files refused: ExecutionFailed"),
    ("FR-SF-ERR-04", "files error: permission denied"),
    ("NFR-SF-SEC-01", "files refused: SandboxViolation"),
    ("NFR-SF-SEC-03", "files follow_symlinks"),
    ("CFG-SF-02", "files config: caps"),
    ("CFG-SF-04", "files score at the threshold"),
    ("T-SF-01", "files with a match"),
    ("T-SF-02", "files refused: expression"),
    ("T-SF-03", "files refused: SandboxViolation"),
    ("T-SF-04", "files refused: ExecutionFailed"),
    ("T-SF-05", "files binary not recorded"),
    ("T-SF-06", "files cut by max_results"),
    ("T-SF-07", "files cut by max_output_bytes"),
    ("T-SF-08", "name: not UTF-8"),
    ("T-SF-09", "rules: .gitignore"),
    ("T-SF-10", "files mode: fuzzy"),
];

/// Clauses that relations between runs of `search_files` decide.
pub(super) const FILES_RELATED: &[&str] = &["FR-SF-OUT-02", "C-03"];

/// Clauses that calls under every budget decide.
pub(super) const FILES_BUDGETS: &[&str] = &["FR-SF-OUT-03", "FR-SF-OUT-05", "NFR-SF-REL-01"];

/// Clauses that comparing windows of lines decides.
pub(super) const FILES_WINDOWS: &[&str] = &["FR-SF-SRC-03", "CFG-SF-04"];

/// The same for document 004, among cases of the agent's tools.
const AGENT: &[(&str, &str)] = &[
    ("FR-015b-03", "agent found by search_text"),
    ("FR-015b-04", "agent several matching lines"),
    ("FR-015b-06", "agent results in several files"),
    ("FR-015b-09", "agent found by find_files"),
    ("FR-015b-10", "agent pattern with slash"),
    ("FR-015b-11", "agent directory"),
    ("FR-015b-14", "agent found by grep"),
    ("FR-015b-15", "agent regex"),
    ("FR-015b-16", "agent case: insensitive"),
    ("FR-015b-17", "agent cut by max_results"),
    ("FR-015b-18", "agent include_path"),
    ("FR-015b-19", "agent exclude_path"),
    ("FR-015b-20", "agent file_type"),
    ("FR-015b-21", "agent context_lines"),
    ("FR-015b-22", "agent answered"),
    ("FR-015b-23", "agent config: working directory"),
    ("FR-015b-24", "agent found by grep"),
    ("FR-015b-25", "agent with context"),
    ("FR-015b-26", "agent found by search_text"),
    ("FR-015b-27", "agent cut by max_results"),
    ("FR-015b-33", "agent refused: invalid_query"),
    ("FR-015b-34", "agent nothing found"),
    ("FR-015b-39", "agent budget: does not fit"),
    ("AC-002", "agent found by search_text"),
    ("AC-003", "agent file_type"),
    ("AC-006", "agent found by find_files"),
    ("AC-007", "agent pattern without slash"),
    ("AC-009", "agent found by grep"),
    ("AC-010", "agent regex"),
    ("AC-016", "agent refused: invalid_argument"),
    ("FM-015b-06", "agent refused: expression"),
    ("SECC-015b-02", "agent refused: path_not_allowed"),
    ("SECC-015b-04", "agent config: deny"),
    ("SHAPE-015b-01", "agent found by search_text"),
    ("SHAPE-015b-02", "agent found by find_files"),
    ("SHAPE-015b-03", "agent found by grep"),
    ("IT-015b-02", "agent answered"),
    ("SC-015b-01", "agent found by search_text"),
    ("SC-015b-02", "agent found by find_files"),
    ("SC-015b-03", "agent regex"),
];

/// Clauses that calls on a tree with an index decide.
pub(super) const AGENT_INDEXED: &[&str] = &["IT-015b-01", "IT-015b-02", "FR-015b-14", "FR-015b-09"];

/// Clauses that relations between runs of the agent's tools decide.
pub(super) const AGENT_RELATED: &[&str] = &["FR-015b-17", "FR-015b-09", "FR-015b-14", "FR-015b-27"];

/// The same for document 002, among cases of `keyword_search`.
const KEYWORD: &[(&str, &str)] = &[
    ("REQ-KWS-001", "keyword ranked by the model"),
    ("REQ-KWS-001.1", "keyword answered"),
    ("REQ-KWS-001.2", "keyword ranked by the model"),
    ("REQ-KWS-001.3", "keyword a reason of the model"),
    ("REQ-KWS-001.4", "keyword term skipped: too_broad"),
    ("REQ-KWS-001.5", "keyword refused: terms_too_broad"),
    ("REQ-KWS-002", "keyword root elsewhere"),
    ("REQ-KWS-002.1", "keyword repository"),
    ("REQ-KWS-002.2", "keyword config: working directory"),
    ("REQ-KWS-002.3", "keyword several files in data"),
    ("REQ-KWS-002.4", "keyword lines left out of data"),
    ("REQ-KWS-002.5", "keyword several files in data"),
    ("REQ-KWS-003", "keyword ranked by the model"),
    ("REQ-KWS-003.4", "keyword ranked by the model"),
    ("REQ-KWS-004.2", "keyword refused: search_terms"),
    ("REQ-KWS-005.5", "keyword refused: no_model"),
];

/// Clauses that calls of `keyword_search` on a tree with an index decide.
pub(super) const KEYWORD_INDEXED: &[&str] = &["REQ-KWS-001.1"];

/// The clauses that an area of the index's model decides.
pub fn index_model(area: Area) -> impl Iterator<Item = &'static str> {
    let of_area = INDEX_MODEL.iter().filter(move |(other, _)| *other == area);
    of_area.flat_map(|(_, clauses)| clauses.iter().copied())
}

/// The clauses that a part of a suite decides.
#[derive(Debug, Clone, Copy)]
pub enum Decides {
    /// Each by a trap among the cases.
    ByTrap(&'static [(&'static str, &'static str)]),
    /// All of them after this many cases.
    After(u64, &'static [&'static str]),
}

impl Decides {
    /// The clauses that a run decided.
    pub fn clauses(self, run: &Run) -> Vec<String> {
        let decided: Vec<&str> = match self {
            Self::ByTrap(table) => {
                let occurred = |trap: &str| run.coverage.count(trap) >= ENOUGH;
                table.iter().filter(|(_, trap)| occurred(trap)).map(|(id, _)| *id).collect()
            }
            Self::After(cases, clauses) if run.cases >= cases => clauses.to_vec(),
            Self::After(..) => Vec::new(),
        };
        decided.into_iter().map(str::to_owned).collect()
    }
}

/// The clauses that cases of a family decide, each by the trap that shows it.
pub fn by_trap(family: Family) -> &'static [(&'static str, &'static str)] {
    match family {
        Family::Search => LOCKSTEP,
        Family::Files => FILES,
        Family::Agent => AGENT,
        Family::Keyword => KEYWORD,
    }
}

/// Every clause named here, to check that the specification has it.
pub fn all() -> impl Iterator<Item = &'static str> {
    let others = [
        METAMORPHIC,
        FILES_RELATED,
        FILES_BUDGETS,
        FILES_WINDOWS,
        AGENT_INDEXED,
        AGENT_RELATED,
        KEYWORD_INDEXED,
    ];
    let others = others.into_iter().flatten().copied();
    let by_trap = Family::ALL.into_iter().flat_map(by_trap).map(|(id, _)| *id);
    by_trap.chain(others).chain(Area::ALL.into_iter().flat_map(index_model))
}
