//! Puts every kind of defect into a copy of the specification and expects it at its line.

use std::path::Path;

use crate::fixture::{changed, defects, refused, sources, spec};
use crate::source::LoadError;
use crate::specification::Spec;

/// A change that makes one file unreadable, and a part of the message.
#[track_caller]
fn unreadable(file: &str, old: &str, new: &str, message: &str) {
    let (sources, line) = changed(file, old, new);
    let expected = line + new.lines().count() as u64 - 1;
    match refused(sources) {
        LoadError::Parse { file: named, line, message: said } => {
            assert_eq!((&*named, line), (file, expected), "{said}");
            assert!(said.contains(message), "`{said}` does not speak of `{message}`");
        }
        other => panic!("refused for another reason: {other}"),
    }
}

/// A change that breaks a reference or repeats an id: the only finding, at the line of `new`.
#[track_caller]
fn defective(file: &str, old: &str, new: &str, message: &str) {
    let (sources, line) = changed(file, old, new);
    let expected = line + new.lines().count() as u64 - 1;
    let findings = defects(sources);
    let [finding] = &*findings else { panic!("not one finding: {findings:#?}") };
    assert_eq!((&*finding.file, finding.line), (file, expected), "{finding}");
    assert!(finding.message.contains(message), "`{finding}` does not speak of `{message}`");
}

#[test]
fn the_specification_loads_from_disk_and_from_memory() {
    let from_disk = Spec::load(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
    let from_memory = spec();
    assert_eq!(from_disk.documents.len(), from_memory.documents.len());
    assert_eq!(from_disk.search.request.len(), 19);
    assert_eq!(from_disk.search.checks.len(), 13);
    assert_eq!(from_disk.search_files.request.len(), 16);
    assert_eq!(from_disk.search_files.checks.len(), 15);
}

#[test]
fn there_are_enough_worked_examples() {
    let vectors = spec().vectors;
    assert!(vectors.globs.len() >= 60 && vectors.ignore.len() >= 60 && vectors.sort.len() >= 20);
    assert!(vectors.smart.len() >= 20 && vectors.lines.len() >= 60 && vectors.files.len() >= 20);
}

#[test]
fn an_unknown_key_is_reported_at_its_line() {
    unreadable("errata.yaml", "    severity: S1", "    colour: red", "colour");
    unreadable("tools/search.yaml", "    required: true", "    obligatory: true", "obligatory");
    unreadable(
        "vectors/globs.yaml",
        "glob: a.txt, path: a.txt, match: true",
        "glob: q, path: q, matches: true",
        "matches",
    );
}

#[test]
fn a_value_outside_a_closed_list_is_reported_at_its_line() {
    unreadable("tools/search.yaml", "id: tool_enabled", "id: tool_switched_on", "tool_switched_on");
    unreadable("tools/search.yaml", "    type: boolean", "    type: truth", "truth");
    unreadable("errata.yaml", "    severity: S2", "    severity: S9", "S9");
    unreadable(
        "requirements/000-local-search.yaml",
        "verify: [inspection]",
        "verify: [hearsay]",
        "hearsay",
    );
}

#[test]
fn a_value_of_the_wrong_type_is_reported_at_its_line() {
    unreadable("tools/search.yaml", "    minimum: 0", "    minimum: none", "");
    unreadable("vectors/sort.yaml", "[a, b], rule", "oops, rule", "");
    unreadable("vectors/lines.yaml", r"bytes: 'a\n', ", r"bytes: 'a\q', ", "not an escape");
}

#[test]
fn a_duplicate_key_and_broken_yaml_are_reported() {
    unreadable(
        "config.yaml",
        "    type: boolean",
        "    type: boolean\n    type: integer",
        "uplicate",
    );
    let (sources, _) = changed("nfr.yaml", "budgets:", "budgets: [");
    assert!(matches!(refused(sources), LoadError::Parse { file, .. } if file == "nfr.yaml"));
}

#[test]
fn a_missing_file_is_reported_by_name() {
    for missing in ["errata.yaml", "tools/search.yaml", "vectors/fuzzy.yaml", "exit_classes.yaml"] {
        let sources = sources().into_iter().filter(|(file, _)| file != missing).collect();
        assert!(matches!(refused(sources), LoadError::Missing { file } if file == missing));
    }
    let sources =
        sources().into_iter().filter(|(file, _)| !file.starts_with("requirements/")).collect();
    assert!(
        matches!(refused(sources), LoadError::Missing { file } if file == "requirements/*.yaml")
    );
}

#[test]
fn a_file_at_an_unknown_place_is_reported_by_name() {
    let mut more = sources();
    more.push(("tools/other.yaml".to_owned(), String::new()));
    assert!(matches!(refused(more), LoadError::Unknown { file } if file == "tools/other.yaml"));
}

#[test]
fn a_duplicate_file_is_reported_by_name() {
    let mut more = sources();
    more.push(("errata.yaml".to_owned(), String::new()));
    assert!(matches!(refused(more), LoadError::Parse { file, .. } if file == "errata.yaml"));
}

#[test]
fn a_missing_directory_is_reported() {
    let refused = Spec::load(Path::new("no/such/directory")).expect_err("nothing is there");
    assert!(matches!(refused, LoadError::Read { .. }));
}

#[test]
fn a_duplicate_id_is_reported_at_its_second_place() {
    defective("tools/search.yaml", "aliases: [search,", "aliases: [ug,", "alias `ug`");
    defective("config.yaml", "  - name: threads", "  - name: deny", "key `deny`");
    defective("paths.yaml", "  - id: walk_closed", "  - id: order_root", "rule `order_root`");
    defective(
        "nfr.yaml",
        "  - id: grep_latency",
        "  - id: path_search_latency",
        "budget `path_search_latency`",
    );
    defective(
        "tools/search.yaml",
        "  - name: stats",
        "  - name: content",
        "response field `content`",
    );
}

/// The place is that of the later one, in whichever file that is.
#[test]
fn a_duplicate_requirement_is_found_across_documents() {
    let (sources, line) =
        changed("requirements/001-search-files.yaml", "  - id: ", "  - id: FR-LS-01 # ");
    let finding = defects(sources)
        .into_iter()
        .find(|finding| finding.message.contains("`FR-LS-01`"))
        .unwrap();
    assert_eq!((&*finding.file, finding.line), ("requirements/001-search-files.yaml", line));
}

#[test]
fn a_duplicate_closed_id_is_reported_at_its_second_place() {
    let (sources, line) =
        changed("tools/search.yaml", "  - id: not_found", "  - id: permission_denied");
    let findings = defects(sources);
    let [finding] = &*findings else { panic!("not one finding: {findings:#?}") };
    assert_eq!(finding.line, line);
    assert!(finding.message.contains("problem `permission_denied`"), "{finding}");
}

#[test]
fn a_dangling_reference_is_reported_at_its_line() {
    defective(
        "ordering.yaml",
        "clauses: [FR-LS-ORD-03, E-D02]",
        "clauses: [FR-LS-ORD-99, E-D02]",
        "FR-LS-ORD-99",
    );
    defective(
        "exit_classes.yaml",
        "[FR-LS-EXE-04, FR-LS-EXE-05,",
        "[FR-LS-EXE-44, FR-LS-EXE-05,",
        "FR-LS-EXE-44",
    );
    defective(
        "facts/ugrep.yaml",
        "minimum_clauses: [FR-LS-EXE-01",
        "minimum_clauses: [FR-XX-EXE-01",
        "FR-XX-EXE-01",
    );
    defective(
        "errata.yaml",
        "    clauses: [FR-LS-06b, FR-LS-SRC-07]",
        "    clauses: [E-B02, FR-LS-SRC-07]",
        "not a requirement",
    );
    defective(
        "tools/search.yaml",
        "maximum_from: max_files",
        "maximum_from: max_file",
        "configuration key",
    );
    defective("tools/search.yaml", "document: '000'", "document: '999'", "no document");
    defective(
        "vectors/fuzzy.yaml",
        "column: 1, rule: fuzzy_distance",
        "column: 1, rule: fuzzy_dance",
        "not a rule",
    );
    defective(
        "vectors/events.yaml",
        "    notes: [max_results]",
        "    notes: [max_result]",
        "not a note",
    );
}

#[test]
fn a_configuration_key_of_a_vector_must_exist() {
    let (sources, line) =
        changed("vectors/events.yaml", "config: {max_output_bytes: 8}", "config: {max_output: 8}");
    let findings = defects(sources);
    let [finding] = &*findings else { panic!("not one finding: {findings:#?}") };
    assert!(finding.message.contains("`max_output`"), "{finding}");
    assert!(finding.line > line, "the place is that of the vector's rule");
}

#[test]
fn an_unknown_erratum_in_resolved_by_is_reported_at_its_line() {
    defective(
        "requirements/000-local-search.yaml",
        "resolved_by: [E-B22]",
        "resolved_by: [E-Z22]",
        "not an erratum",
    );
}

#[test]
fn an_unverified_requirement_is_reported_at_its_id() {
    let file = "requirements/000-local-search.yaml";
    let (sources, line) = changed(file, "    verify: [inspection]\n", "");
    let findings = defects(sources);
    let [finding] = &*findings else { panic!("not one finding: {findings:#?}") };
    assert_eq!((&*finding.file, finding.line), (file, line - 3));
    assert!(finding.message.contains("nothing verifies `FR-LS-REQ`"), "{finding}");
}

#[test]
fn all_defects_are_reported_at_once_with_file_and_line() {
    let (mut sources, _) = changed("ordering.yaml", "FR-LS-ORD-03, E-D02", "FR-LS-ORD-99, E-Z02");
    let (other, _) = changed("errata.yaml", "  - id: E-H12", "  - id: E-E14");
    let errata = other.into_iter().find(|(file, _)| file == "errata.yaml").unwrap();
    *sources.iter_mut().find(|(file, _)| file == "errata.yaml").unwrap() = errata;
    let refused = refused(sources);
    let shown = refused.to_string();
    let LoadError::Defective(findings) = refused else { panic!("{shown}") };
    assert!(findings.len() >= 4, "{findings:#?}");
    assert_eq!(shown.lines().count(), findings.len());
    assert!(shown.lines().all(|line| line.contains(".yaml:")), "{shown}");
}
