use super::*;
use crate::index::tests::World;

#[test]
fn rows_are_written_as_soon_as_they_fill_a_transaction() {
    let world = World::new(&[]);
    let index = world.index();
    assert!(index.open(true));
    let store = index.control().storage().writer().unwrap();
    let id = store.new_segment(true).unwrap();
    let mut writer = Writer { index: &index, store: &store, id, waiting: Vec::new(), bytes: 0 };
    let waiting = [(0, TRANSACTION - 1), (1, 1), (2, TRANSACTION), (3, 5)].map(|(row, bytes)| {
        writer.add((BlockKind::Postings, row, vec![0; bytes])).unwrap();
        writer.waiting.len()
    });
    assert_eq!(waiting, [1, 0, 0, 1]);
}
