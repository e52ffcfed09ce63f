use forge_search_core::index::settings::FilterLayout;

use super::*;
use crate::index::{IndexUse, tests::World};

#[test]
fn a_build_takes_as_many_threads_as_its_share_of_the_cores_permits() {
    let mut world = World::new(&[]);
    world.options.using = IndexUse::Background;
    let cores = std::thread::available_parallelism().unwrap().get();
    for percent in [1, 50, 99, 100] {
        world.settings.index_build_max_cpu_percent = percent;
        let threads = world.index().pace(&AtomicU64::new(0)).threads;
        let share = cores * usize::try_from(percent).unwrap();
        assert!(threads * 100 >= share && (threads - 1) * 100 < share, "{percent}");
    }
    world.options.using = IndexUse::Stepped;
    assert_eq!(world.index().pace(&AtomicU64::new(0)).threads, 1);
}

#[test]
fn filters_of_all_files_may_take_just_what_an_index_may_take() {
    let mut world = World::new(&["a", "b", "c"]);
    world.settings.index_filter_layout = FilterLayout::Packed;
    let filters = 3 * 2 * world.index().key.filter.bytes() as u64;
    for (most, layout, outgrows) in [
        (filters, FilterLayout::Packed, false),
        (filters - 1, FilterLayout::Packed, true),
        (0, FilterLayout::Factored, false),
    ] {
        world.settings.index_max_db_bytes = most;
        world.settings.index_filter_layout = layout;
        let index = world.index();
        for file in ["a", "b", "c"] {
            world.put(&index, file);
        }
        let view = index.control().catalog_mut().files_mut().view();
        assert_eq!(index.filters_outgrow_limit(&view), outgrows, "{most}");
    }
}
