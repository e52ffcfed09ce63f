//! Records, written, read and judged.

use std::fs;
use std::path::Path;

use super::{CheckKind, Freshness, Record, RecordError, Recorder, Status, read_records};

fn begin(results: &Path, check: &str) -> Recorder {
    Recorder::begin(results, check, CheckKind::Test, ["FR-LS-01".to_owned()])
}

#[test]
fn a_passing_check_leaves_a_fresh_passing_record() {
    let results = tempfile::tempdir().unwrap();
    drop(begin(results.path(), "some::test"));
    let records = read_records(results.path()).unwrap();
    assert_eq!(records.len(), 1);
    assert_eq!((records[0].check.as_str(), records[0].status), ("some::test", Status::Pass));
    assert_eq!(records[0].clauses, ["FR-LS-01"]);
    assert!(Freshness::default().of(&records[0]));
}

#[test]
fn a_check_that_panics_leaves_a_failing_record() {
    let results = tempfile::tempdir().unwrap();
    let path = results.path().to_owned();
    let outcome = std::panic::catch_unwind(move || {
        let _claim = begin(&path, "some::test");
        panic!("on purpose");
    });
    assert!(outcome.is_err());
    assert_eq!(read_records(results.path()).unwrap()[0].status, Status::Fail);
}

#[test]
fn a_check_that_fails_without_panicking_leaves_a_failing_record() {
    let results = tempfile::tempdir().unwrap();
    begin(results.path(), "some::test").fail();
    assert_eq!(read_records(results.path()).unwrap()[0].status, Status::Fail);
}

#[test]
fn a_check_in_progress_verifies_nothing() {
    let results = tempfile::tempdir().unwrap();
    drop(begin(results.path(), "some::test"));
    let running = begin(results.path(), "some::test");
    assert_eq!(read_records(results.path()).unwrap(), []);
    drop(running);
    assert_eq!(read_records(results.path()).unwrap().len(), 1);
}

#[test]
fn a_record_is_stale_after_its_executable_changes_or_vanishes() {
    let results = tempfile::tempdir().unwrap();
    let executable = results.path().join("executable");
    fs::write(&executable, "one").unwrap();
    let record = Record {
        check: "some::test".to_owned(),
        clauses: Vec::new(),
        status: Status::Pass,
        executable: executable.clone(),
        stamp: super::stamp_of(&executable).unwrap(),
        kind: CheckKind::Test,
    };
    assert!(Freshness::default().of(&record));
    fs::write(&executable, "another").unwrap();
    assert!(!Freshness::default().of(&record));
    // One of the same length has another time.
    fs::write(&executable, "two").unwrap();
    let another_time = std::time::UNIX_EPOCH + std::time::Duration::from_nanos(1);
    fs::File::options().write(true).open(&executable).unwrap().set_modified(another_time).unwrap();
    assert!(!Freshness::default().of(&record));
    fs::remove_file(&executable).unwrap();
    assert!(!Freshness::default().of(&record));
}

#[test]
fn checks_with_similar_names_have_separate_files() {
    let results = tempfile::tempdir().unwrap();
    for check in ["a::b", "a.b", "a b", "a:b"] {
        drop(begin(results.path(), check));
    }
    assert_eq!(read_records(results.path()).unwrap().len(), 4);
}

#[test]
fn a_garbled_record_is_an_error_and_a_missing_directory_holds_none() {
    let results = tempfile::tempdir().unwrap();
    assert_eq!(read_records(&results.path().join("missing")).unwrap(), []);
    fs::write(results.path().join("x.json"), "{").unwrap();
    assert!(matches!(read_records(results.path()), Err(RecordError::Garbled { .. })));
}

#[test]
fn a_test_is_named_by_its_path() {
    fn here() {}
    let claim = Recorder::of_test(std::any::type_name_of_val(&here), &["FR-LS-01"]);
    assert_eq!(claim.check, "touchstone::records::tests::a_test_is_named_by_its_path");
    // Not to leave a record of this: the check above decides nothing about the clause.
    let file = claim.file();
    drop(claim);
    fs::remove_file(file).unwrap();
}
