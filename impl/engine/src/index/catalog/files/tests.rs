use forge_search_core::{
    index::{
        segment::{Catalog, Row},
        tokens::TokenStatus,
    },
    text::TextKind,
};

use super::*;

fn fingerprint(inode: u64) -> Fingerprint {
    Fingerprint { size: 3, mtime_ns: 5, ctime_ns: 5, device: 1, inode, links: 1 }
}

/// A delta with the n-grams of these files, as they were asked for.
fn delta(wanted: &[UnindexedFile]) -> Arc<Segment> {
    let mut catalog = Catalog::default();
    for file in wanted {
        let (path, fingerprint) = (file.path().to_vec(), file.fingerprint());
        let (status, kind) = (Some(TokenStatus::Full), TextKind::Text);
        catalog.push(&Row { path, fingerprint, status, kind, complete: true, racy: false });
    }
    Arc::new(Segment::in_memory(catalog, Vec::new()))
}

fn order(files: &mut Files) -> Vec<String> {
    let mut paths = Vec::new();
    files
        .view()
        .files()
        .for_each(|(path, _)| paths.push(String::from_utf8_lossy(path).into_owned()));
    paths
}

#[test]
fn n_grams_read_before_a_second_write_are_not_adopted() {
    let mut files = Files::default();
    files.put(b"a", fingerprint(1));
    files.put(b"b", fingerprint(2));
    let wanted: Vec<_> = files.view().pending().collect();
    // Written again within a tick of the clock: nothing of the fingerprint says so, but its event
    // came.
    files.put(b"a", fingerprint(1));
    assert_eq!(files.adopt(&delta(&wanted), &wanted), 1);
    assert_eq!(files.find(b"a").map(|known| known.pending), Some(true));
    assert_eq!(files.find(b"b").map(|known| known.pending), Some(false));
    assert_eq!(files.pending_count(), 1);
}

#[test]
fn files_beside_the_base_are_listed_in_path_order() {
    let mut files = Files::default();
    for (inode, path) in (1..).zip([&b"b"[..], b"a/x", b"a.txt", b"a-b"]) {
        files.put(path, fingerprint(inode));
    }
    let wanted: Vec<_> = files.view().pending().collect();
    files.adopt(&delta(&wanted), &wanted);
    let merged = files.view();
    // What changes while a base is made of the rest stays changed.
    files.put(b"a.txt", fingerprint(9));
    files.remove(b"b");
    files.rebase(&delta(&wanted), &merged);
    files.put(b"a.u", fingerprint(10));
    assert_eq!(order(&mut files), ["a-b", "a.txt", "a.u", "a/x"]);
    assert_eq!(files.find(b"a.txt").map(|known| known.fingerprint.inode), Some(9));
    assert_eq!((files.count(), files.pending_count()), (4, 2));
}

/// What a scan found, in order.
fn scanned(files: &[(&str, Fingerprint)]) -> Catalog {
    let mut catalog = Catalog::default();
    for (path, fingerprint) in files {
        let (path, fingerprint) = (path.as_bytes().to_vec(), *fingerprint);
        let (status, kind) = (None, TextKind::Unknown);
        catalog.push(&Row { path, fingerprint, status, kind, complete: false, racy: false });
    }
    catalog
}

#[test]
fn a_first_scan_keeps_unchanged_files_and_gives_all_names_the_last_fingerprint() {
    let mut files = Files::default();
    for (inode, path) in (1..).zip([&b"gone"[..], b"other", b"same"]) {
        files.put(path, fingerprint(inode));
    }
    let wanted: Vec<_> = files.view().pending().collect();
    files.adopt(&delta(&wanted), &wanted);
    assert!(files.is_new(), "a build that was stopped has no base");
    let (early, late) =
        (Fingerprint { links: 2, ..fingerprint(9) }, Fingerprint { links: 3, ..fingerprint(9) });
    let found = scanned(&[
        ("l1", early),
        ("l2", late),
        ("other", fingerprint(7)),
        ("same", fingerprint(3)),
    ]);
    files.found(found, |known, now| known.fingerprint == now);
    assert!(!files.is_new());
    assert_eq!(order(&mut files), ["l1", "l2", "other", "same"]);
    assert_eq!((files.count(), files.pending_count()), (4, 3));
    assert_eq!(files.find(b"same").map(|known| known.pending), Some(false));
    assert_eq!(files.find(b"l1").map(|known| known.fingerprint), Some(late));
    assert_eq!(files.names((1, 9)).len(), 2);
}

#[test]
fn a_file_unread_or_changed_during_the_first_build_stays_pending() {
    let mut files = Files::default();
    let names = ["changed", "gone", "read", "unread"];
    let all: Vec<_> = names.into_iter().zip((1..).map(fingerprint)).collect();
    files.found(scanned(&all), |_, _| false);
    let view = files.view();
    let wanted: Vec<_> = view.pending().collect();
    let base = delta(wanted.split_last().unwrap().1);
    files.put(b"changed", fingerprint(1));
    files.remove(b"gone");
    files.put(b"new", fingerprint(5));
    files.rebase(&base, &view);
    assert_eq!(order(&mut files), ["changed", "new", "read", "unread"]);
    let pending: Vec<_> = files.view().pending().map(|file| file.path().to_vec()).collect();
    assert_eq!(pending, [&b"changed"[..], b"new", b"unread"]);
    assert_eq!((files.dead_count(), files.pending_count()), (2, 3));
}

#[test]
fn a_stopped_first_build_keeps_the_files_it_read() {
    let mut files = Files::default();
    files.found(scanned(&[("a", fingerprint(1)), ("b", fingerprint(2))]), |_, _| false);
    let wanted: Vec<_> = files.view().pending().collect();
    files.put(b"a", fingerprint(1));
    assert_eq!(files.adopt(&delta(&wanted), &wanted), 1);
    assert_eq!(order(&mut files), ["a", "b"]);
    assert_eq!(files.find(b"b").map(|known| known.pending), Some(false));
    assert_eq!(files.view().unread().map(|unread| unread.catalog.len()), Some(1));
}

#[test]
fn merging_deltas_counts_as_an_edit_to_store() {
    let mut files = Files::default();
    files.put(b"a", fingerprint(1));
    files.put(b"b", fingerprint(2));
    let wanted: Vec<_> = files.view().pending().collect();
    for one in wanted.chunks(1) {
        files.adopt(&delta(one), one);
    }
    let (merged, edits) = (files.view(), files.edits());
    files.compact(&delta(&wanted), &merged);
    assert_eq!((files.deltas().len(), files.pending_count()), (1, 0));
    assert!(files.edits() > edits);
}

#[test]
fn a_new_file_and_a_scan_that_finds_nothing_count_as_edits_to_store() {
    let mut files = Files::default();
    files.put(b"a", fingerprint(1));
    assert_eq!(files.edits(), 1);
    files.found(Catalog::default(), |_, _| true);
    assert_eq!((files.edits(), files.count()), (2, 0));
}

#[test]
fn directories_that_cannot_be_listed_stand_where_their_files_would() {
    let error = |at: &[u8]| WalkError { path: "/r".into(), why: "why", at: at.to_vec() };
    let mut files = Files::default();
    for (inode, path) in (1..).zip([&b"a-b"[..], b"a.txt", b"a0"]) {
        files.put(path, fingerprint(inode));
    }
    files.set_walk_errors(b"", vec![error(b"a"), error(b"")]);
    assert_eq!(files.walk_errors(), [error(b""), error(b"a")]);
    let view = files.view();
    let places = view.extras.iter().map(|extra| match &extra.kind {
        ExtraKind::WalkError(error) => [b"unlisted ", error.at.as_slice()].concat(),
        ExtraKind::Delta(..) | ExtraKind::Pending(_) => view.path(extra).to_vec(),
    });
    let places: Vec<_> = places.collect();
    assert_eq!(places, [&b"unlisted "[..], b"a-b", b"a.txt", b"unlisted a", b"a0"]);
}

#[test]
fn what_is_seen_of_an_object_holds_for_all_its_names() {
    let seen = |size, links| Fingerprint { size, links, ..fingerprint(9) };
    let mut files = Files::default();
    for name in [b"l1", b"l2"] {
        files.put(name, seen(3, 2));
    }
    files.put(b"other", fingerprint(1));
    let of = |files: &Files, name: &[u8]| files.find(name).map(|known| known.fingerprint);
    files.take(b"l1", seen(4, 2));
    assert_eq!([b"l1", b"l2"].map(|name| of(&files, name)), [Some(seen(4, 2)); 2]);
    files.take(b"l1", seen(5, 1));
    assert_eq!(of(&files, b"l1"), Some(seen(5, 1)));
    assert_eq!(of(&files, b"l2"), Some(seen(4, 2)), "it is no link any more");
    assert_eq!(of(&files, b"other"), Some(fingerprint(1)));
}
