//! Claims are about clauses that exist, and tests leave the records that the trace is made of.

use std::fs;
use std::path::{Path, PathBuf};

use touchstone::gate::clauses;
use touchstone::records::{CheckKind, Status, read_records, results_directory};
use touchstone::trace::{Citable, Clause, Status as TraceStatus, join};
use touchstone_spec::Spec;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn citable() -> Citable {
    let spec = Spec::load(&workspace().join("spec")).unwrap_or_else(|error| panic!("{error}"));
    Citable::of(&spec)
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The clauses that the macro is given in a source text.
fn claimed(text: &str) -> Vec<String> {
    let opening = concat!("verif", "ies!(");
    let mut clauses = Vec::new();
    for call in text.split(opening).skip(1) {
        let Some((arguments, _)) = call.split_once(')') else { continue };
        let quoted = arguments.split('"').skip(1).step_by(2);
        clauses.extend(quoted.map(str::to_owned));
    }
    clauses
}

#[test]
fn a_test_that_claims_a_clause_verifies_it_in_the_trace() {
    let check = "records::a_test_that_claims_a_clause_verifies_it_in_the_trace::claiming";
    let claiming = || {
        // Records go by the name of the function they stand in; the clause is none of the
        // documents' own, so that the record of this test decides nothing about them.
        let marker = format!("{check}::here");
        touchstone::records::Recorder::of_test(&marker, &["X-EXAMPLE"])
    };
    drop(claiming());
    let records: Vec<_> = read_records(&results_directory())
        .unwrap()
        .into_iter()
        .filter(|record| record.check == check)
        .collect();
    remove_records_of(check);
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].status, records[0].kind), (Status::Pass, CheckKind::Test));
    let clause = Clause {
        id: "X-EXAMPLE".to_owned(),
        document: "000".to_owned(),
        keyword: "MUST",
        text: String::new(),
        measured: false,
        gap: None,
    };
    let known = Citable { clauses: vec![clause], ..Citable::default() };
    let freshness = touchstone::records::Freshness::default();
    let traced = join(&known, &records, |record| freshness.of(record)).unwrap();
    assert_eq!(traced[0].status, TraceStatus::Verified);
}

fn remove_records_of(check: &str) {
    for entry in fs::read_dir(results_directory()).unwrap() {
        let path = entry.unwrap().path();
        if fs::read_to_string(&path).is_ok_and(|text| text.contains(&format!("\"{check}\""))) {
            fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn every_claim_in_the_sources_cites_an_existing_clause() {
    let citable = citable();
    let mut files = Vec::new();
    sources(&workspace().join("conformance"), &mut files);
    let mut unknown = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // Documentation and this machinery's own tests name made-up clauses.
        if file.ends_with("records.rs") || file.ends_with("records/tests.rs") {
            continue;
        }
        for clause in claimed(&text).into_iter().filter(|clause| !citable.knows(clause)) {
            unknown
                .push(format!("{}: `{clause}`", file.strip_prefix(workspace()).unwrap().display()));
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}

#[test]
fn every_suite_verifies_only_existing_clauses() {
    let citable = citable();
    let unknown: Vec<&str> = clauses::all().filter(|clause| !citable.knows(clause)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn every_stored_case_cites_existing_clauses() {
    let citable = citable();
    let mut unknown = Vec::new();
    for directory in ["search", "search_files", "errata", "regressions"] {
        let cases = touchstone::golden::cases(&workspace().join("golden").join(directory)).unwrap();
        for (path, case) in cases {
            for clause in case.clauses.iter().filter(|clause| !citable.knows(clause)) {
                unknown.push(format!("{}: `{clause}`", path.display()));
            }
        }
    }
    assert!(unknown.is_empty(), "{unknown:#?}");
}

#[test]
fn claims_are_read_out_of_a_source() {
    let text = concat!("fn f() {\n    touchstone::verif", "ies!(\"A-1\",\n \"A-2.x\");\n}\n");
    assert_eq!(claimed(text), ["A-1", "A-2.x"]);
}
