use forge_search_core::index::segment::Fingerprint;

use super::*;
use crate::index::catalog::Files;

#[test]
fn batches_are_cut_by_files_and_by_bytes_and_hold_at_least_one_file() {
    const ALL: u64 = BATCH_BYTES;
    for (sizes, cut) in [
        (vec![], vec![]),
        (vec![ALL / 2, ALL / 2], vec![2]),
        (vec![ALL / 2, ALL / 2 + 1], vec![1, 1]),
        (vec![1, 2 * ALL, 1, ALL - 1, 1], vec![1, 1, 2, 1]),
        (vec![0; 2 * BATCH_FILES + 1], vec![BATCH_FILES, BATCH_FILES, 1]),
    ] {
        let mut files = Files::default();
        for (number, size) in sizes.iter().enumerate() {
            let fingerprint = Fingerprint { size: *size, ..Fingerprint::default() };
            files.put(format!("{number:04}").as_bytes(), fingerprint);
        }
        let pending: Vec<_> = files.view().pending().collect();
        let batches: Vec<_> = batches(&pending).iter().map(|batch| batch.len()).collect();
        assert_eq!(batches, cut, "{:?}", sizes.first());
    }
}
