use std::time::Instant;

use forge_search_core::{
    agent::search_text::{Finder, terms},
    index::{
        fold::Fold,
        settings::{Mode, StorageKind},
        words::{Found, Stored as _},
    },
};

use super::*;
use crate::index::{
    Clock, Point, SystemClock,
    store::{BlockKind, FIRST_SHARD},
    tests::{NOW_MS, World},
};

const FILES: [&str; 3] = ["read_line", "line_reader", "other"];

/// Some seconds ahead or behind. Ahead, the times of files just written prove what they hold.
#[derive(Debug)]
struct Shifted(i64);

impl Clock for Shifted {
    fn now_ms(&self) -> u64 {
        NOW_MS
    }

    fn stamp_ns(&self) -> i64 {
        SystemClock(Instant::now()).stamp_ns() + self.0 * 1_000_000_000
    }
}

/// A small tree that is indexed all the same.
fn world(files: &[&str]) -> World {
    let mut world = World::new(files);
    world.settings.index_mode = Mode::On;
    // The clock stands still.
    world.settings.index_watch_debounce_ms = 0;
    world.options.clock = Arc::new(Shifted(10));
    world
}

/// An index with nothing left to do.
fn settled(world: &World) -> RootIndex {
    let index = world.index();
    settle(&index);
    index
}

fn settle(index: &RootIndex) {
    assert!((0..1_000).any(|_| !index.turn()), "there is always more to do");
    assert!(!index.words_are_due());
}

/// Makes a base of all files.
fn rebase(index: &RootIndex) {
    let view = index.control().catalog_mut().files_mut().view();
    let Ok(base) = index.write_base(&view, &[]) else { panic!("no base") };
    index.control().catalog_mut().files_mut().rebase(&base, &view);
}

/// What shards know of the words of a finder.
fn asked(
    index: &RootIndex,
    base: &Arc<Segment>,
    finder: &Finder,
) -> Option<(Arc<WordIndex>, KnownFiles)> {
    let words = finder.words();
    let tell_all = finder.is_told_by_words();
    let query = WordQuery { words: &words, demand: finder.demand(), tell_all, read: &|_, _| None };
    index.known_files(base, &query).unwrap()
}

/// The paths of the files in which shards know all words, and of those that no shard knows.
fn told(index: &RootIndex, query: &str) -> (Vec<String>, Vec<String>) {
    let base = Arc::clone(index.control().catalog().files().base());
    let finder = Finder::all(terms(query).unwrap());
    let path = |rank: u32| String::from_utf8_lossy(base.catalog.path(rank)).into_owned();
    let Some((words, known)) = asked(index, &base, &finder) else {
        return (Vec::new(), (0..base.catalog.len()).map(path).collect());
    };
    let unknown = (0..base.catalog.len()).filter(|rank| !words.covered.contains(*rank));
    (known.files.iter().map(|file| path(file.rank)).collect(), unknown.map(path).collect())
}

fn shards(index: &RootIndex) -> Vec<(u32, bool)> {
    let store = index.control().storage().store().cloned();
    store.unwrap().shards().unwrap()
}

fn lines() -> (Vec<String>, Vec<String>) {
    (vec!["line_reader".to_owned(), "read_line".to_owned()], Vec::new())
}

#[test]
fn the_words_of_a_base_are_known_once_there_is_nothing_to_do_and_again_after_opening() {
    let world = world(&FILES);
    let index = settled(&world);
    assert_eq!(told(&index, "line"), lines());
    assert_eq!(told(&index, "line read").0, ["read_line"]);
    assert_eq!(shards(&index), [(FIRST_SHARD, true)]);
    index.shut_down();
    drop(index);
    let index = settled(&world);
    assert_eq!((told(&index, "line"), shards(&index)), (lines(), vec![(FIRST_SHARD, true)]));
}

#[test]
fn a_small_shard_is_made_anew_with_the_files_of_a_new_base() {
    let world = world(&FILES);
    let index = settled(&world);
    std::fs::write(world.root.join("line"), "line").unwrap();
    world.put(&index, "line");
    settle(&index);
    assert_eq!(told(&index, "line"), lines(), "it is in a delta");
    rebase(&index);
    assert_eq!(told(&index, "line"), (lines().0, vec!["line".to_owned()]));
    settle(&index);
    let all = ["line", "line_reader", "read_line"].map(str::to_owned).to_vec();
    assert_eq!(
        (told(&index, "line"), shards(&index)),
        ((all, Vec::new()), vec![(FIRST_SHARD + 1, true)])
    );
}

#[test]
fn files_whose_times_prove_nothing_or_that_have_other_names_come_into_no_shard() {
    let mut world = world(&FILES);
    std::fs::hard_link(world.root.join("other"), world.root.with_file_name("outside")).unwrap();
    assert_eq!(told(&settled(&world), "line"), (lines().0, vec!["other".to_owned()]));
    std::fs::remove_dir_all(world.cache()).unwrap();
    world.options.clock = Arc::new(Shifted(-10));
    let all = FILES.map(str::to_owned);
    let (known, mut unknown) = told(&settled(&world), "line");
    unknown.sort_by_key(|file| FILES.iter().position(|other| other == file));
    assert_eq!((known, unknown), (Vec::new(), all.to_vec()));
}

#[test]
fn few_files_that_no_shard_knows_are_candidates_whatever_their_n_grams_say() {
    let names: Vec<String> = (0..70).map(|number| format!("name_{number}")).collect();
    for (unknown, size, are_few) in
        [(1, 9, true), (64, 9, true), (65, 9, false), (1, 1 << 20, false)]
    {
        let world = world(&names.iter().map(String::as_str).collect::<Vec<_>>());
        for name in &names[..unknown] {
            // It is not UTF-8.
            let text = [&b"line \xff"[..], &vec![b' '; size]].concat();
            std::fs::write(world.root.join(name), text).unwrap();
        }
        let index = settled(&world);
        let base = Arc::clone(index.control().catalog().files().base());
        let (words, _) = asked(&index, &base, &Finder::all(terms("line").unwrap())).unwrap();
        let few = words.few_unknown(&base);
        assert_eq!(few.is_some(), are_few, "{unknown} files of {size} bytes");
        for (number, name) in names.iter().enumerate().filter(|_| are_few) {
            let rank = base.catalog.find(name.as_bytes()).unwrap();
            assert_eq!(few.as_ref().unwrap().contains(rank), number < unknown, "{name}");
        }
    }
}

/// What is known of a file.
fn known_of(known: &KnownFiles, rank: u32) -> Option<(u64, Vec<u32>)> {
    let place = known.files.iter().position(|file| file.rank == rank)?;
    let (walked, bytes, found) = known.get(place)?;
    assert_eq!(walked, known.base.catalog.path(rank));
    Some((bytes, found.iter().map(|found| found.units).collect()))
}

#[test]
fn mounted_files_and_those_over_the_cap_stay_candidates_of_which_nothing_is_known() {
    let index = settled(&world(&FILES));
    let base = Arc::clone(index.control().catalog().files().base());
    let finder = Finder::all(terms("line").unwrap());
    let rank = |path: &str| base.catalog.find(path.as_bytes()).unwrap();
    let [long, other, short] = ["line_reader", "other", "read_line"].map(rank);
    // As long as the shorter of the files in which the word occurs.
    let cap = base.catalog.fingerprint(short).size;
    for (cap, mounted, candidates, answered) in [
        (u64::MAX, None, [false, false, false], [true, true]),
        (cap, None, [true, false, false], [false, true]),
        (u64::MAX, Some(short), [false, false, true], [true, false]),
        (u64::MAX, Some(other), [false, true, false], [true, true]),
    ] {
        let (words, mut known) = asked(&index, &base, &finder).unwrap();
        let mut left = RankSet::none(base.catalog.len());
        let mounted: Vec<u32> = mounted.into_iter().collect();
        known.narrow(&words, cap, &mounted, None, &mut left);
        assert_eq!([long, other, short].map(|rank| left.contains(rank)), candidates);
        assert_eq!([long, short].map(|rank| known_of(&known, rank).is_some()), answered);
    }
}

#[test]
fn candidates_of_a_phrase_are_those_with_the_words_within_it() {
    let index = settled(&world(&FILES));
    let base = Arc::clone(index.control().catalog().files().base());
    let names = ["line_reader", "other", "read_line"];
    let rank = |path: &str| base.catalog.find(path.as_bytes()).unwrap();
    for (query, before, expected) in [
        ("\" line \"", [true; 3], [true, false, true]),
        ("\" line \"", [true, true, false], [true, false, false]),
        ("\"a line b\" reader", [true; 3], [true, false, false]),
        ("\"line\" reader", [true; 3], [true, false, false]),
    ] {
        let finder = Finder::all(terms(query).unwrap());
        assert!(finder.need_beside_words(Fold::Ascii, 3).is_none(), "{query}");
        let (words, mut known) = asked(&index, &base, &finder).unwrap();
        let mut left = RankSet::none(base.catalog.len());
        names
            .iter()
            .zip(before)
            .filter(|(_, is)| *is)
            .for_each(|(name, _)| left.insert(rank(name)));
        known.narrow(&words, u64::MAX, &[], None, &mut left);
        assert_eq!(names.map(|name| left.contains(rank(name))), expected, "{query}");
        assert_eq!(names.map(|name| known_of(&known, rank(name))), [None, None, None], "{query}");
    }
}

#[test]
fn of_any_words_all_files_are_known_but_those_that_have_to_be_read() {
    let index = settled(&world(&FILES));
    let base = Arc::clone(index.control().catalog().files().base());
    let finder = Finder::any(terms("line reader").unwrap(), true);
    let rank = |path: &str| base.catalog.find(path.as_bytes()).unwrap();
    let (words, mut known) = asked(&index, &base, &finder).unwrap();
    let units = |known: &KnownFiles, path: &str| Some(known_of(known, rank(path))?.1);
    let both = units(&known, "line_reader").unwrap();
    assert!(both.iter().all(|units| *units > 0), "{both:?}");
    assert_eq!(units(&known, "read_line").map(|units| units.get(1).copied()), Some(Some(0)));
    let mut read = RankSet::none(base.catalog.len());
    read.insert(rank("line_reader"));
    let mut left = RankSet::none(base.catalog.len());
    known.narrow(&words, u64::MAX, &[], Some(&read), &mut left);
    assert_eq!(
        ["line_reader", "other", "read_line"].map(|file| left.contains(rank(file))),
        [true, false, false]
    );
    assert_eq!((units(&known, "line_reader"), units(&known, "read_line").is_some()), (None, true));
}

#[test]
fn what_words_have_in_the_files_of_another_shard_is_added_behind() {
    let index = settled(&world(&FILES));
    let base = Arc::clone(index.control().catalog().files().base());
    let mut known = KnownFiles::none(&base, 2, true);
    let mut extend = |rank, units: [u32; 2]| {
        let found = units.map(|units| Found { file: 0, units, identifiers: 1, strength: 0 });
        let files = vec![known::KnownFile { rank, bytes: u64::from(rank), found: 0 }];
        known.extend((files, found.to_vec()));
    };
    extend(0, [1, 2]);
    extend(1, [3, 4]);
    assert_eq!(known_of(&known, 0), Some((0, vec![1, 2])));
    assert_eq!((known_of(&known, 1), known_of(&known, 2)), (Some((1, vec![3, 4])), None));
}

#[test]
fn purging_deletes_the_shards_of_files_that_are_gone() {
    let world = world(&FILES);
    let index = settled(&world);
    index.purge_words().unwrap();
    assert_eq!(shards(&index).len(), 1, "its files are there");
    index.control().catalog_mut().files_mut().remove(b"other");
    rebase(&index);
    index.purge_words().unwrap();
    assert_eq!(shards(&index), []);
    settle(&index);
    assert_eq!(told(&index, "line"), lines());
}

#[test]
fn what_is_unfinished_or_of_another_version_is_made_anew() {
    let world = world(&FILES);
    let index = settled(&world);
    let store = index.control().storage().store().cloned().unwrap();
    store.replace(FIRST_SHARD, BlockKind::Header, &[]).unwrap();
    store.write(FIRST_SHARD + 1, &[(BlockKind::Header, 0, &[0; 16])], Point::WriteWords).unwrap();
    assert_eq!(shards(&index), [(FIRST_SHARD, false), (FIRST_SHARD + 1, true)]);
    index.shut_down();
    drop((index, store));
    let index = settled(&world);
    assert_eq!((told(&index, "line"), shards(&index)), (lines(), vec![(FIRST_SHARD + 1, true)]));
}

#[test]
fn without_room_for_words_files_are_read() {
    let mut world = world(&FILES);
    world.settings.index_storage = StorageKind::Memory;
    // Many names of few n-grams.
    let name = |number: u32| format!("{number:012b} ").replace('0', "a").replace('1', "b");
    std::fs::write(world.root.join("names"), (0..4_000).map(name).collect::<String>()).unwrap();
    let index = settled(&world);
    assert_eq!(told(&index, "line"), lines());
    let all = index.word_state().index.as_ref().unwrap().shards[0].length;
    let base = index.control().catalog().files().base().memory();
    assert!(base < all, "{base} {all}");
    world.settings.index_max_db_bytes = all - 1;
    let index = settled(&world);
    assert_eq!(told(&index, "line").1.len(), FILES.len() + 1);
}

#[test]
fn a_range_of_bytes_may_lie_in_several_rows() {
    let world = world(&[]);
    let index = world.index();
    assert!(index.open(true));
    let store = index.control().storage().store().cloned().unwrap();
    let bytes: Vec<u8> = (0..40_000_u32).map(|at| (at % 251) as u8).collect();
    shard::store_shard(&store, FIRST_SHARD, &[], &bytes).unwrap();
    let rows = shard::Rows { store: Arc::downgrade(&store), id: FIRST_SHARD };
    for (start, end) in [(0, 40_000), (3_999, 4_001), (4_000, 12_000), (7, 7), (39_999, 40_000)] {
        let wanted = bytes.get(start..end).unwrap();
        assert_eq!(rows.bytes(start as u64..end as u64).unwrap(), wanted, "{start} to {end}");
    }
    assert!(rows.bytes(39_999..40_001).is_err());
    drop(store);
    index.shut_down();
    assert!(matches!(rows.bytes(0..1), Err(Fault::Gone)));
}
