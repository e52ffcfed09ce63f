//! Rows of a store whose checksums are right and whose content is not: what a program with a bug,
//! or somebody who can write the user's cache, may leave there.

use std::{panic::AssertUnwindSafe, path::Path, time::Duration};

use bolero::produce;
use forge_search_core::index::{
    segment::{Inverter, RankSet, Row},
    settings::Settings,
    tokens::TokenStatus,
};

use super::*;
use crate::index::{
    fault::{Faults, NoFaults, Point},
    store::{BorrowedRow, OpenOutcome},
    stored_directories,
};

const FILES: u32 = 5;

fn gram(text: &str) -> Gram {
    Gram::new(&text.chars().collect::<Vec<_>>()).unwrap()
}

fn catalog() -> Catalog {
    let mut catalog = Catalog::default();
    for rank in 0..u64::from(FILES) {
        let fingerprint =
            Fingerprint { size: rank, inode: rank + 1, links: 1, ..Fingerprint::default() };
        catalog.push(&Row {
            path: format!("src/{rank}.rs").into_bytes(),
            fingerprint,
            status: Some(TokenStatus::Full),
            kind: TextKind::Text,
            complete: true,
            racy: false,
        });
    }
    catalog
}

/// The rows of a segment of five files, with those of an empty tree.
fn sound(key: &Key) -> Vec<(BlockKind, u32, Vec<u8>)> {
    let mut inverter = Inverter::new(3);
    for rank in 0..FILES {
        inverter.add(rank, &[gram("abc"), gram(["bcd", "cde"][rank as usize % 2])]);
    }
    let segment = Segment::in_memory(catalog(), inverter.finish(FILES).unwrap());
    let mut rows = segment.rows(key).unwrap();
    rows.extend(stored_directories::rows(&crate::index::catalog::Catalog::default(), true));
    rows
}

/// A row, a place in it, and what becomes of eight bytes there.
type Damage = Vec<(u8, u8, u64)>;

fn damage(rows: &mut [(BlockKind, u32, Vec<u8>)], damage: &Damage) {
    let count = rows.len();
    for (row, place, with) in damage {
        let bytes = &mut rows[usize::from(*row) % count].2;
        let start = usize::from(*place) % bytes.len().max(1);
        let noise = with.to_le_bytes();
        match with % 4 {
            0 => bytes.truncate(start),
            1 => bytes.iter_mut().skip(start).take(1).for_each(|byte| *byte ^= noise[1] | 1),
            // Numbers of the header and the tree take eight bytes each.
            2 => bytes
                .iter_mut()
                .skip(start / 8 * 8)
                .zip(noise)
                .for_each(|(byte, with)| *byte = with),
            _ => bytes.extend(noise),
        }
    }
}

/// What a process finds that reads these rows.
fn read(store: &Arc<Store>, segment: u32, key: &Key) {
    let _ = stored_directories::load(store, segment);
    for base in [true, false] {
        let Ok(loaded) = Segment::load(store, segment, base, key) else { continue };
        assert_eq!(loaded.id(), Some(segment));
        assert!(loaded.linked.iter().all(|rank| *rank < loaded.catalog.len()));
        for variant in [Variant::Sensitive, Variant::Insensitive] {
            if let Ok(set) = loaded.candidates(&Need::Gram(variant, gram("bcd")), key) {
                assert!(set.iter().all(|rank| rank < loaded.catalog.len()));
            }
        }
        let _ = (loaded.all_grams(key), loaded.filters(1, key));
    }
}

fn open(cache: &Path, key: &Key) -> Arc<Store> {
    let faults: Arc<dyn Faults> = Arc::new(NoFaults);
    let (store, found) = Store::open(cache, key, Duration::from_secs(5), true, &faults).unwrap();
    assert_eq!(found, OpenOutcome::New);
    Arc::new(store)
}

fn write(store: &Store, rows: &[(BlockKind, u32, Vec<u8>)]) -> u32 {
    let rows: Vec<BorrowedRow<'_>> =
        rows.iter().map(|(kind, number, bytes)| (*kind, *number, bytes.as_slice())).collect();
    let id = store.new_segment(true).unwrap();
    let points = (Point::OpenStore, Point::OpenStore);
    store.flip(Some((id, &rows)), &[(id, None::<&RankSet>)], &[], points).unwrap();
    id
}

fn key() -> Key {
    Key::new(Path::new("/tree"), &Settings { bloom_target_fp_rate: 0.1, ..Settings::agent() })
}

#[test]
fn a_header_with_impossible_counts_is_refused() {
    let (cache, key) = (tempfile::tempdir().unwrap(), key());
    let store = open(cache.path(), &key);
    let mut rows = sound(&key);
    let header = rows.iter_mut().find(|row| row.0 == BlockKind::Header).unwrap();
    // How many grams the directory has.
    header.2[24..32].fill(0xff);
    let id = write(&store, &rows);
    let segment = Segment::load(&store, id, true, &key).unwrap();
    let asked = segment.candidates(&Need::Gram(Variant::Sensitive, gram("bcd")), &key);
    assert!(matches!(asked, Err(Fault::Malformed("a header"))), "{asked:?}");
}

#[test]
fn inconsistent_rows_are_refused() {
    let (cache, key) = (tempfile::tempdir().unwrap(), key());
    let store = open(cache.path(), &key);
    let rows = sound(&key);
    let id = write(&store, &rows);
    let segment = Segment::load(&store, id, true, &key).unwrap();
    assert_eq!(
        segment.candidates(&Need::Gram(Variant::Sensitive, gram("bcd")), &key).unwrap().len(),
        3
    );
    assert!(stored_directories::load(&store, id).unwrap().is_some());
    // A failed run ends the test, so that nothing is looked at that it left behind.
    let store = AssertUnwindSafe(store);
    let input = produce::<Damage>().with().len(1_usize..4);
    bolero::check!().with_iterations(150).with_generator(input).for_each(|changes| {
        let mut rows = rows.clone();
        damage(&mut rows, changes);
        read(&store, write(&store, &rows), &key);
        while store.delete_inactive(&[]).unwrap() {}
    });
}
