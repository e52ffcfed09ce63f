use std::time::Duration;

use super::*;
use crate::index::tests::World;

#[test]
fn a_call_looks_at_few_files_of_new_directories_and_the_background_at_all() {
    let world = World::new(&["a", "b", "c"]);
    let index = world.index();
    let soon = Instant::now() + Duration::from_secs(3_600);
    for (until, looked_at, whole) in [
        (Some(soon), MOST_IN_CALL - 3, true),
        (Some(soon), MOST_IN_CALL - 2, false),
        (Some(soon), MOST_IN_CALL + 1, false),
        (None, MOST_IN_CALL, true),
    ] {
        let mut budget = ApplyBudget { until, looked_at };
        let seen = index.inspect_directory(b"", &mut budget);
        assert_eq!(matches!(seen, PathState::Directory(_)), whole, "{looked_at}");
        assert_eq!(matches!(seen, PathState::OverBudget), !whole, "{looked_at}");
        assert_eq!(budget.looked_at, looked_at + if whole { 3 } else { 0 });
    }
}
