//! Findings about keys, fields, limits, the tokenizer and the worked examples.

use super::{findings, found};
use crate::fixture::changed;
use crate::index::files::{CONFIGURATION, DECISIONS, FILTER, STATS, TEXT};

#[test]
fn values_fit_their_keys() {
    let file = CONFIGURATION;
    found(
        file,
        "default: sqlite",
        "default: postgres",
        "`\"postgres\"` is not a value of this key",
    );
    found(file, "default: 2000", "default: -1", "is not a value of this key");
    found(file, "default: 0.25", "default: 1.5", "is not a value of this key");
    found(file, "default: [1, 2, 3]", "default: [1, 2, 5]", "is not a value of this key");
    found(file, "default: [1, 2, 3]", "default: [1, 2, 3, 3, 3]", "is not a value of this key");
    found(file, "default: 0x9E3779B97F4A7C15", "default: 0", "is not a value of this key");
    found(
        file,
        "    documents: 'off'\n    agent: auto\n",
        "    documents: 'off'\n",
        "both `documents` and `agent`",
    );
    found(
        file,
        "    documents: 'off'\n    agent: auto\n",
        "    documents: auto\n    agent: auto\n",
        "the same value",
    );
    found(file, "    minimum: 0\n", "", "numbers, and nothing else");
    found(file, "    maximum_entries: 64\n", "", "lists, and nothing else");
}

#[test]
fn fields_of_stats_are_well_formed() {
    found(
        STATS,
        "    class: best_effort\n    meaning: how long the call",
        "    class: deterministic\n    meaning: how long the call",
        "what takes time",
    );
    found(STATS, "[ABSENT, BUILDING,", "[BUILDING, ABSENT,", "its values are the states");
    found(
        STATS,
        "    values_from: reasons",
        "    values_from: reasons\n    values: [A]",
        "both `values` and",
    );
    found(
        STATS,
        "    type: string\n    values: [memory",
        "    type: integer\n    values: [memory",
        "only strings have",
    );
}

#[test]
fn limits_are_consistent() {
    found(
        DECISIONS,
        "index_max_indexes, inclusive: true, zero_is_none: false",
        "index_max_indexes, inclusive: true, zero_is_none: true",
        "cannot be 0",
    );
    found(
        DECISIONS,
        "{key: index_max_indexes",
        "{key: index_watch",
        "`index_watch` is not a number",
    );
    found(
        DECISIONS,
        "timeout_ms: 7, budget_ms: 1",
        "timeout_ms: 7, budget_ms: 2",
        "the budget is 2 here and 1",
    );
    found(DECISIONS, "now: 1000, active: false", "now: 1000, active: true", "before its end");
}

#[test]
fn the_tokenizer_tables_are_consistent() {
    found(TEXT, "skip: encoding", "skip: binary", "`binary` is tested twice");
    found(TEXT, "skip: encoding", "skip: binary", "`encoding` is never tested");
    found(TEXT, "'FF FE'", "'FF +E'", "not pairs of hexadecimal digits");
    found(TEXT, "'FF FE'", "'EF BB BF'", "the mark of UTF-8");
    found(TEXT, "denominator: 2", "denominator: 0", "between 0 and 1");
    found(TEXT, "last: U+005A", "last: U+0040", "a range of ASCII");
    found(TEXT, r"to: '\n'", r"to: '\xff'", "is not text");
}

#[test]
fn worked_examples_agree_with_the_figures() {
    found(
        FILTER,
        "m: 5025332, hashes: 7",
        "m: 5021884, hashes: 7",
        "5025332, 7, 628167) by the formula",
    );
    found(
        FILTER,
        "hashes: 7, packed_bytes: 628167",
        "hashes: 6, packed_bytes: 628167",
        "by the formula",
    );
    found(FILTER, "packed_bytes: 628167", "packed_bytes: 628166", "by the formula");
    found(
        FILTER,
        "  value: wrapping64",
        "  value: exact",
        "probe 1 is bit 4927950 here and Some(4830570)",
    );
    found(FILTER, "stored: -1,", "stored: 1,", "is stored as -1");
    let (sources, _) = changed(CONFIGURATION, "    default: 0.01", "    default: 0.02");
    let findings = findings(sources);
    assert!(
        findings.iter().any(|finding| finding.message.starts_with("no size is worked out")),
        "{findings:#?}"
    );
}
