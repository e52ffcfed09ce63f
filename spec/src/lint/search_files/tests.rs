//! Provokes every finding about `search_files` in a copy of the specification.

use crate::fixture::changed;
use crate::lint::lint;
use crate::specification::Spec;

const TOOL: &str = "tools/search_files.yaml";
const CONFIG: &str = "tools/search_files_config.yaml";

/// A change that causes a finding with this message in `place`.
#[track_caller]
fn found(file: &str, old: &str, new: &str, place: &str, message: &str) {
    let (sources, _) = changed(file, old, new);
    let findings = lint(&Spec::parse(sources).unwrap());
    assert!(
        findings.iter().any(|finding| finding.file == place && finding.message.contains(message)),
        "no `{message}` in {findings:#?}"
    );
}

#[test]
fn closed_lists_are_complete() {
    found(TOOL, "  - id: fuzzy_query", "  - id: regex", TOOL, "there is no check `fuzzy_query`");
    found(
        TOOL,
        "{id: query_bytes,",
        "{id: elapsed_width,",
        TOOL,
        "there is no limit `query_bytes`",
    );
    found(
        TOOL,
        "{id: backend_error, when",
        "{id: errors, when",
        TOOL,
        "there is no reason of incomplete_because `backend_error`",
    );
    found(
        CONFIG,
        "  - name: record_binary",
        "  - name: record_all",
        CONFIG,
        "there is no key `record_binary`",
    );
}

#[test]
fn fields_and_keys_fit_their_types() {
    found(
        TOOL,
        "    default: exact\n",
        "    default: nearly\n",
        TOOL,
        "is not a value of this field",
    );
    found(
        TOOL,
        "default_from: mode_default",
        "default_from: max_files",
        TOOL,
        "`max_files` is not a string",
    );
    found(
        TOOL,
        "default_from: include_hidden_default",
        "default_from: mode_default",
        TOOL,
        "is not true or false",
    );
    found(
        TOOL,
        "    default: exact\n",
        "    default: fuzzy\n",
        TOOL,
        "differs from `mode_default`",
    );
    found(
        TOOL,
        "    field: query\n",
        "    field: pattern\n",
        TOOL,
        "names `pattern`, which is no field",
    );
    found(CONFIG, "    documents: 0.8", "    documents: 1.5", CONFIG, "is not a value of this key");
    found(
        CONFIG,
        "    documents: 0.8",
        "    documents: much",
        CONFIG,
        "is not a value of this key",
    );
    found(CONFIG, "    minimum: 0\n", "", CONFIG, "have `minimum` and `maximum`");
}

#[test]
fn references_and_ids_are_checked() {
    found(
        TOOL,
        "maximum_from: max_depth",
        "maximum_from: depth",
        TOOL,
        "is not a configuration key of search_files",
    );
    found(
        TOOL,
        "clauses: [OUTF-SF-query]",
        "clauses: [OUTF-SF-question]",
        TOOL,
        "neither a requirement nor",
    );
    found(TOOL, "clauses: [OUTF-SF-query]", "clauses: []", TOOL, "`query` cites no clause");
    found(TOOL, "document: '001'", "document: '007'", TOOL, "there is no document `007`");
    found(
        TOOL,
        "  - id: files_json",
        "  - id: files_same",
        TOOL,
        "rule `files_same` is given twice",
    );
    found(
        TOOL,
        "  - name: returned",
        "  - name: query",
        TOOL,
        "field of the answer `query` is given twice",
    );
}

#[test]
fn every_requirement_of_the_document_is_cited_by_a_row() {
    let requirements = "requirements/001-search-files.yaml";
    found(
        TOOL,
        "clauses: [OUTF-SF-query]",
        "clauses: [OUTF-SF-mode]",
        requirements,
        "no row of search_files carries out `OUTF-SF-query`",
    );
    found(
        CONFIG,
        "clauses: [CFGKEY-SF-backend, CFG-SF-01",
        "clauses: [CFG-SF-01",
        requirements,
        "no row of search_files carries out `CFGKEY-SF-backend`",
    );
}
