//! Provokes every finding in a copy of the specification; the specification itself has none.

use std::path::Path;

use super::{lint, lint_cases};
use crate::fixture::{changed, spec};
use crate::specification::Spec;

/// A change, and the finding expected at its line. The files must stay readable.
#[track_caller]
fn found(file: &str, old: &str, new: &str, message: &str) {
    found_from(file, old, new, message, 0);
}

/// As [`found`], for findings `above` lines before the change.
#[track_caller]
fn found_from(file: &str, old: &str, new: &str, message: &str, above: u64) {
    let (sources, line) = changed(file, old, new);
    let findings = lint(&Spec::parse(sources).unwrap());
    let place = (file, line - above);
    assert!(
        findings
            .iter()
            .any(|finding| (&*finding.file, finding.line) == place
                && finding.message.contains(message)),
        "no `{message}` at {place:?} in {findings:#?}"
    );
}

/// As [`found`], for findings about a whole file.
#[track_caller]
fn found_somewhere(file: &str, old: &str, new: &str, message: &str) {
    let (sources, _) = changed(file, old, new);
    let findings = lint(&Spec::parse(sources).unwrap());
    assert!(
        findings.iter().any(|finding| finding.message.contains(message)),
        "no `{message}` in {findings:#?}"
    );
}

#[test]
fn the_specification_has_no_lint_findings() {
    assert_eq!(lint(&spec()), []);
}

#[test]
fn a_number_that_a_text_quotes_is_that_of_the_data() {
    for (file, old, new, message) in [
        (
            "000-local-search",
            "`max_results` (200), ",
            "`max_results` (100), ",
            "100 of `max_results`",
        ),
        ("000-local-search", "200 for `max_results`", "100 for `max_results`", "and the data 200"),
        ("000-local-search", "a ceiling of 50 matches", "a ceiling of 51 matches", "says 51 of"),
        ("001-search-files", "a ceiling of 12 levels", "a ceiling of 13 levels", "the data 12"),
        ("003-search-indexing", "(default 300000)", "(default 30000)", "the data 300000"),
        ("003-search-indexing", "is 0.25 by default", "is 0.5 by default", "the text says 0.5"),
        (
            "003-search-indexing",
            "is 250 in the example.",
            "is 25 in the example.",
            "the text says 25",
        ),
    ] {
        found_somewhere(&format!("requirements/{file}.yaml"), old, new, message);
    }
}

#[test]
fn defects_of_the_loader_are_reported_by_lint_too() {
    found(
        "errata.yaml",
        "clauses: [FR-LS-ENC-01, FR-LSI-TOK-01, FR-SF-SRC-04]",
        "clauses: [FR-LS-ENC-99, FR-LSI-TOK-01, FR-SF-SRC-04]",
        "not a requirement",
    );
    found(
        "requirements/000-local-search.yaml",
        "resolved_by: [E-B22]",
        "resolved_by: [E-Z22]",
        "not an erratum",
    );
    found_from(
        "requirements/000-local-search.yaml",
        "    verify: [inspection]\n",
        "",
        "nothing verifies `FR-LS-REQ`",
        3,
    );
}

#[test]
fn every_row_cites_a_clause_and_none_twice() {
    found_from(
        "ordering.yaml",
        "clauses: [FR-LS-ORD-03, E-D02]",
        "clauses: []",
        "`order_root` cites no clause",
        3,
    );
    found(
        "ordering.yaml",
        "clauses: [FR-LS-ORD-03, E-D02]",
        "clauses: [E-D02, E-D02]",
        "cited twice",
    );
}

#[test]
fn errata_have_a_case_or_a_reason_for_none() {
    found_from("errata.yaml", "    case: E-A03.yaml\n", "", "needs either `case` or `no_case`", 4);
    found_from(
        "errata.yaml",
        "    case: E-A03.yaml",
        "    no_case: too hard",
        "is S1 and needs a case",
        4,
    );
    found_from("errata.yaml", "    case: E-A03.yaml", "    case: other.yaml", "must be called", 4);
    found_from(
        "errata.yaml",
        "    why: It belongs to the chosen syntax.",
        "    why: ''",
        "`why` of `E-E09`",
        6,
    );
}

#[test]
fn errata_and_their_rows_cite_each_other() {
    found(
        "errata.yaml",
        "clauses: [FR-LS-ENC-01, FR-LSI-TOK-01, FR-SF-SRC-04]",
        "clauses: [FR-LS-ENC-01, FR-LSI-TOK-01, FR-SF-SRC-04, FR-LSI-BASE-01]",
        "`E-A03` concerns `FR-LSI-BASE-01`, whose resolved_by lacks it",
    );
    found(
        "requirements/003-search-indexing.yaml",
        "resolved_by: [E-I01]",
        "resolved_by: [E-I01, E-A03]",
        "`FR-LSI-BASE-03` is resolved by `E-A03`, whose clauses lack it",
    );
}

#[test]
fn every_rule_has_a_vector_and_vectors_ask_one_question() {
    found(
        "paths.yaml",
        "  - id: glob_braces",
        "  - id: glob_curly",
        "no vector shows rule `glob_curly`",
    );
    found(
        "vectors/resolve.yaml",
        "path: sub, shown: sub,",
        "path: sub,",
        "either `shown` or `class`",
    );
    found(
        "vectors/resolve.yaml",
        "class: ExecutionFailed",
        "class: Failed",
        "not a class of errors",
    );
    found_somewhere(
        "vectors/resolve.yaml",
        "{file: a.txt}",
        "{target: a.txt}",
        "neither a file nor a link",
    );
    found("vectors/lines.yaml", "{bytes: '', lines: []", "{lines: []", "either `bytes` or `parts`");
    found(
        "vectors/matching.yaml",
        "line: abc, rule",
        "line: abc, column: 1, rule",
        "a column without a match",
    );
}

#[test]
fn closed_lists_are_complete() {
    let (sources, _) =
        changed("tools/search.yaml", "  - {id: glob_entries,", "  - {id: glob_bytes,");
    let findings = lint(&Spec::parse(sources).unwrap());
    assert!(
        findings.iter().any(|finding| finding.message == "there is no limit `glob_entries`"),
        "{findings:#?}"
    );
    found_somewhere(
        "tools/search.yaml",
        "  - id: not_found",
        "  - id: read_error",
        "there is no problem `not_found`",
    );
    found_somewhere(
        "tools/search.yaml",
        "  - id: timed_out",
        "  - id: errors",
        "there is no note `timed_out`",
    );
    found_somewhere(
        "tools/search.yaml",
        "  - id: sandbox",
        "  - id: regex",
        "there is no check `sandbox`",
    );
}

#[test]
fn fields_have_the_bounds_and_defaults_of_their_type() {
    let file = "tools/search.yaml";
    found_from(file, "    minimum: 0\n", "", "an integer needs", 2);
    found_from(
        file,
        "    maximum: 1000\n",
        "    maximum: 1000\n    maximum_from: max_files\n",
        "an integer needs",
        3,
    );
    found_from(file, "    minimum: 0\n", "    minimum: 2000\n", "above `maximum`", 2);
    found_from(
        file,
        "    required: true\n",
        "    required: true\n    default: x\n",
        "no default",
        2,
    );
    found_from(
        file,
        "    default: smart",
        "    default: clever",
        "is not a value of this field",
        3,
    );
    found_from(file, "    default: 200\n", "    default: 0\n", "is not a value of this field", 4);
    found_from(
        file,
        "    default: 200\n",
        "    default: 300\n",
        "differs from `default_max_results`",
        4,
    );
    found_from(file, "    default: false\n", "", "a boolean needs a default", 2);
    found_from(file, "maximum_from: max_files", "maximum_from: deny", "is not a number", 3);
    found_from(
        file,
        "    type: boolean\n",
        "    type: boolean\n    minimum: 1\n",
        "only integers have bounds",
        1,
    );
    found_from(
        file,
        "    type: boolean\n",
        "    type: boolean\n    values: [a]\n",
        "only strings have `values`",
        1,
    );
}

#[test]
fn checks_notes_and_escapes_are_well_formed() {
    let file = "tools/search.yaml";
    found_from(file, "    field: request\n", "    field: demand\n", "which is no field", 2);
    found_from(file, "[errors: {count}]", "[errors: {total}]", "holds more than", 1);
    found(file, "from: U+007F", "from: 7F", "both ends");
    found(file, "from: U+007F", "from: U+0010", "do not overlap");
    found(file, "from: U+007F, to: U+009F", "from: U+009F, to: U+007F", "ends before it starts");
    found_from(
        file,
        "  - name: data.column\n    type: integer",
        "  - name: data.column\n    type: object",
        "leaf",
        0,
    );
}

#[test]
fn configuration_values_fit_their_keys() {
    let file = "config.yaml";
    found_from(file, "    documents: 20000", "    documents: 0", "is not a value of this key", 4);
    found_from(file, "    documents: false", "    documents: 1", "is not a value of this key", 2);
    found_from(
        file,
        "    documents: auto",
        "    documents: manual",
        "is not a value of this key",
        3,
    );
    found_from(file, "    documents: ugrep\n", "", "needs a value", 2);
    found_from(
        file,
        "    type: integer\n    minimum: 1\n",
        "    type: integer\n",
        "have `minimum` and `maximum`",
        1,
    );
    found(file, "{name: agent,", "{name: robot,", "not a preset");
}

#[test]
fn the_table_of_statuses_has_no_gap() {
    let file = "exit_classes.yaml";
    found(file, "from: 2, to: 2", "from: 1, to: 2", "without gap or overlap");
    found_somewhere(file, "to: 255", "to: 254", "must end at 255");
}

#[test]
fn audited_rows_are_requirements_and_on_one_list() {
    let row = "row: FR-SF-DEF,";
    found_somewhere("audit.yaml", row, "row: FR-SF-DE,", "no requirement has the id");
    found_somewhere("audit.yaml", row, "row: FR-SF-VAL,", "audited row `FR-SF-VAL`");
}

#[test]
fn probes_have_valid_releases_and_an_expectation() {
    found("facts/ugrep.yaml", "    from: 3.2.1", "    from: 9.2.1", "not a range of releases");
    found_somewhere(
        "facts/ugrep.yaml",
        "minimum: 3.0.0",
        "minimum: three",
        "`three` is not a release",
    );
    found_somewhere("facts/ripgrep.yaml", ", stdout_has: Y2Fm6SBmb28K", "", "looks at nothing");
}

#[test]
fn missing_and_stray_cases_are_reported() {
    let spec = spec();
    let named = spec.errata.errata.iter().filter(|erratum| erratum.case.is_some()).count();
    let findings = lint_cases(&spec, Path::new("no/such/directory"));
    assert_eq!(findings.len(), named);
    assert!(findings.iter().all(|finding| finding.file == "errata.yaml" && finding.line > 0));
    let strays = lint_cases(&spec, Path::new(env!("CARGO_MANIFEST_DIR")));
    let stray = strays.iter().find(|finding| finding.message.contains("`config.yaml`")).unwrap();
    assert_eq!(stray.to_string(), "errata.yaml: no erratum names the case `config.yaml`");
}

#[test]
fn groups_cover_every_feature_once_and_cite_clauses() {
    let hunt = "hunt.yaml";
    found_somewhere(
        hunt,
        "feature: max_depth",
        "feature: max_filesize",
        "`max_filesize` is a group twice",
    );
    found_somewhere(hunt, "feature: max_depth", "feature: max_filesize", "`max_depth` is no group");
    found_somewhere(
        hunt,
        "clauses: [FR-LS-SRC-08]",
        "clauses: [FR-LS-SRC-88]",
        "neither a requirement",
    );
    found_somewhere(hunt, "feature: fixed,", "feature: several,", "come last");
}

#[test]
fn adapters_are_named_like_their_files_and_define_how_to_ask() {
    let grep = "backends/grep.yaml";
    for (old, new, message) in [
        ("name: grep\n", "name: grap\n", "belongs into `backends/grap.yaml`"),
        ("name: grep\n", "name: Grep\n", "lower-case"),
        ("name: grep\n", "name: ugrep\n", "is the name of"),
        ("\\(GNU grep\\) (", "\\(GNU grep\\) (?:", "needs one group"),
        ("\\(GNU grep\\) (", "(GNU grep\\) (", "no expression"),
        ("[-e, '{pattern}']", "[-e, pattern]", "holds `{pattern}`"),
        ("[--, '{files}']", "['--files={files}']", "a word of its own"),
        ("    line: [--line-regexp]\n", "", "`line` is neither in `ask` nor"),
        ("  smart: it has", "  word: it has", "`word` is both"),
        ("--max-count={n}", "--max-count=1", "`max_count` lacks `{n}`"),
        ("line: [--line-regexp]", "line: ['--line-regexp={n}']", "has no use for"),
        ("smart: it has no such mode", "smart: no", "is no sentence"),
        ("record: \"{path}\\0{count}\"", "record: \"{path}\\0{lines}\"", "`{lines}` is no field"),
        ("record: \"{path}\\0{count}\"", "record: \"{path}\\0{text}\"", "lacks `{count}`"),
        ("{line}:{offset}:{text}", "{line}:{text}", "lacks `{column}` and `{offset}`"),
        ("needs: {walk: [hidden, no_ignore]}", "needs: {walk: [walk]}", "names nothing else"),
    ] {
        found_somewhere(grep, old, new, message);
    }
    found_somewhere(
        "backends/git-grep.yaml",
        "since: {max_count: 2.38.0}",
        "since: {line: two}",
        "no release",
    );
    found_somewhere(
        "backends/git-grep.yaml",
        "since: {max_count: 2.38.0}",
        "since: {line: 2.0}",
        "not asked for",
    );
}

#[test]
fn the_keyword_search_file_is_complete_and_covers_its_document() {
    let file = "tools/keyword_search.yaml";
    found_somewhere(
        file,
        "ASIA)[A-Z0-9]{16}",
        "ASIA[A-Z0-9]{16}",
        "the pattern of `token_of_a_known_form` is none",
    );
    found_somewhere(
        file,
        "unless: [variable, port]",
        "unless: [harbour]",
        "`harbour` is no harmless value",
    );
    found_somewhere(file, "usual_pairs:\n  [", "usual_pairs:\n  [abc, ", "for each letter");
    found_somewhere(
        file,
        "{id: b, pattern: '",
        "{id: b, pattern: '(",
        "the pattern of `random_token` is none",
    );
    found_somewhere(
        file,
        "id: shown_lines,",
        "id: terms,",
        "limit of keyword_search `terms` is given twice",
    );
    found_somewhere(file, "id: shown_lines,", "id: terms,", "`shown_lines`");
    found_somewhere(
        file,
        "default_from: default_max_results",
        "default_from: nothing",
        "is not a configuration key",
    );
    found_somewhere(file, "    clauses: [REQ-KWS-004]\n", "    clauses: []\n", "cites no clause");
    found_somewhere(file, "{id: over_budget,", "{id: too_broad,", "`too_broad` is given twice");
    let document = "requirements/002-keyword-search.yaml";
    found(
        document,
        "id: REQ-KWS-002.5",
        "id: REQ-KWS-002.6",
        "no row of keyword_search carries out `REQ-KWS-002.6`",
    );
}
