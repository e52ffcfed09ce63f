use std::{
    fs,
    sync::atomic::{AtomicUsize, Ordering},
};

use super::*;
use crate::index::{
    store::Store,
    tests::{Counting, NOW_MS, World},
};

#[test]
fn reading_pending_files_is_work_and_what_could_not_be_read_is_not_tried_again_at_once() {
    let mut world = World::new(&["a", "gone"]);
    let reads = Arc::new(Counting(Point::ReadFile, AtomicUsize::new(0)));
    world.options.faults = Arc::<Counting>::clone(&reads);
    let read = |index: &RootIndex| (index.tokenize_pending(), reads.1.swap(0, Ordering::Relaxed));
    let index = world.index();
    world.put(&index, "a");
    assert_eq!(read(&index), (true, 1));
    assert_eq!(index.control().catalog().files().pending_count(), 0);
    assert_eq!(read(&index), (false, 0), "there is nothing to read");
    world.put(&index, "gone");
    fs::remove_file(world.root.join("gone")).unwrap();
    assert_eq!(read(&index), (false, 1));
    assert_eq!(read(&index), (false, 0), "it has just been tried");
}

#[test]
fn rows_that_another_process_may_read_are_kept_until_a_later_try() {
    let world = World::new(&[]);
    let index = world.index();
    assert!(index.open(true));
    let (wait, faults) = (Duration::ZERO, &world.options.faults);
    let _other = Store::open(&world.cache(), &index.key, wait, false, faults).unwrap();
    index.control().schedule_mut().add(Task::Tidy);
    assert!(!index.tidy());
    let due = |after| index.control().schedule().is_due(Retry::Tidy, NOW_MS + after);
    assert!(index.control().schedule().has(Task::Tidy));
    assert!(!due(TIDY_RETRY_MS - 1) && due(TIDY_RETRY_MS));
}
