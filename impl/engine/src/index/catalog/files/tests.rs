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
fn delta(wanted: &[Arc<PendingFile>]) -> Arc<Segment> {
    let mut catalog = Catalog::default();
    for file in wanted {
        let (path, fingerprint) = (file.path().to_vec(), file.fingerprint);
        let (status, kind) = (Some(TokenStatus::Full), TextKind::Text);
        catalog.push(&Row { path, fingerprint, status, kind, complete: true, racy: false });
    }
    Arc::new(Segment::in_memory(catalog, Vec::new()))
}

fn order(files: &mut Files) -> Vec<String> {
    let mut paths = Vec::new();
    files.view().each_file(|path, _, _, _| paths.push(String::from_utf8_lossy(path).into_owned()));
    paths
}

#[test]
fn n_grams_read_before_a_second_write_of_the_same_moment_are_not_taken_over() {
    let mut files = Files::default();
    files.put(b"a", fingerprint(1));
    files.put(b"b", fingerprint(2));
    let wanted = files.pending(9);
    // Written again within a tick of the clock: nothing of the fingerprint says so, but its event came.
    files.put(b"a", fingerprint(1));
    assert_eq!(files.adopt(&delta(&wanted), &wanted), 1);
    assert_eq!(files.find(b"a").map(|known| known.pending), Some(true));
    assert_eq!(files.find(b"b").map(|known| known.pending), Some(false));
    assert_eq!(files.pending_count(), 1);
}

#[test]
fn files_beside_the_base_stand_where_their_paths_belong() {
    let mut files = Files::default();
    for (inode, path) in (1..).zip([&b"b"[..], b"a/x", b"a.txt", b"a-b"]) {
        files.put(path, fingerprint(inode));
    }
    let wanted = files.pending(9);
    files.adopt(&delta(&wanted), &wanted);
    let merged = files.view();
    // What changes while a base is made of the rest stays changed.
    files.put(b"a.txt", fingerprint(9));
    files.remove(b"b");
    files.rebase(delta(&wanted), &merged);
    files.put(b"a.u", fingerprint(10));
    assert_eq!(order(&mut files), ["a-b", "a.txt", "a.u", "a/x"]);
    assert_eq!(files.find(b"a.txt").map(|known| known.fingerprint.inode), Some(9));
    assert_eq!((files.count(), files.pending_count()), (4, 2));
}
