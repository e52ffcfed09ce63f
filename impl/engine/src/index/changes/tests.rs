use super::*;

#[test]
fn only_changes_queued_after_a_scan_began_are_newer_than_it() {
    let mut changes = Changes::new(0);
    changes.enqueue(b"before", DirtyKind::File);
    changes.begin_scan();
    assert!(!changes.has_newer());
    changes.enqueue(b"after", DirtyKind::File);
    assert!(changes.has_newer());
    changes.clear_older();
    assert_eq!(changes.queued().iter().map(|entry| &*entry.path).collect::<Vec<_>>(), [b"after"]);
}
