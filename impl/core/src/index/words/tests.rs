use std::sync::Mutex;

use proptest::prelude::*;

use super::*;
use crate::identifier::{Demand, Word};

const SHAPE: Shape = Shape { names: 3, blocks: 2 };
const PARTS: [&str; 7] = ["read", "Line", "line", "1", "ID", "x", "écrit"];

/// Files with names of few parts, some of them often, at some level.
fn files() -> impl Strategy<Value = Vec<Vec<(String, u8)>>> {
    let part = || prop::sample::select(PARTS.to_vec());
    let name = (prop::collection::vec(part(), 1..4), prop::sample::select(vec!["", "_"]))
        .prop_map(|(parts, between)| parts.join(between));
    let file = prop::collection::vec((name, 0_u8..4), 0..12);
    prop::collection::vec(file, 0..60)
}

fn build(files: &[Vec<(String, u8)>]) -> Vec<u8> {
    let mut builder = Builder::default();
    for (file, names) in (0..).zip(files) {
        for (name, level) in names {
            builder.add(file, name, *level);
        }
    }
    builder.finish(u32::try_from(files.len()).unwrap(), SHAPE).unwrap()
}

fn open(bytes: &[u8]) -> Result<Words, Fault> {
    Words::open(Arc::new(bytes.to_vec()), bytes.len() as u64)
}

fn ask(bytes: &[u8]) -> Result<(), Fault> {
    let words = open(bytes)?;
    words.sizes()?;
    let parts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let all: [Vec<String>; 4] =
        [parts(&["read"]), parts(&["read", "line"]), parts(&["line", "1"]), parts(&["id"])];
    for parts in &all {
        words.find(&[Word { parts, spelled: "id" }], Demand::All)?;
    }
    let query: Vec<Word<'_>> = all.iter().map(|parts| Word { parts, spelled: "read" }).collect();
    words.find(&query, Demand::All).map(drop)
}

/// A store that notes what is read, and may have fewer bytes than it is said to have.
#[derive(Debug)]
struct Noting {
    bytes: Vec<u8>,
    ranges: Mutex<Vec<Range<u64>>>,
}

impl Stored for Noting {
    fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, Fault> {
        self.ranges.lock().unwrap().push(range.clone());
        self.bytes.bytes(range)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_bytes_are_an_error_or_another_answer_and_never_a_panic(
        files in files(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        end in any::<prop::sample::Index>(),
    ) {
        let whole = build(&files);
        prop_assert!(ask(&whole).is_ok());
        let mut flipped = whole.clone();
        for (at, byte) in damage {
            let at = at.index(flipped.len());
            flipped[at] ^= byte;
            let _ = ask(&flipped);
        }
        let _ = ask(&whole[..end.index(whole.len())]);
    }
}

#[test]
fn what_is_at_hand_is_read_once_and_neighbouring_blocks_together() {
    let files: Vec<_> = (0..6).map(|file| vec![(format!("read_{file}"), 0)]).collect();
    let bytes = build(&files);
    let head = u64::from_le_bytes(*bytes.first_chunk().unwrap());
    let length = bytes.len() as u64;
    let stored = Arc::new(Noting { bytes, ranges: Mutex::default() });
    let words = Words::open(Arc::<Noting>::clone(&stored), length).unwrap();
    assert_eq!(*stored.ranges.lock().unwrap(), [0..8, 8..8 + head]);
    stored.ranges.lock().unwrap().clear();
    let parts = ["read".to_owned()];
    let found = words.find(&[Word { parts: &parts, spelled: "read" }], Demand::All).unwrap();
    assert_eq!(found[0].as_ref().map(Vec::len), Some(6));
    let ranges = stored.ranges.lock().unwrap();
    assert!(ranges.iter().all(|range| range.start >= 8 + head && range.end <= length));
    let blocks = 8 + head..8 + head + words.blocks.size();
    let read: Vec<_> = ranges.iter().filter(|range| range.start < blocks.end).collect();
    assert_eq!((words.blocks.len(), read), (2, vec![&blocks]));
    drop(ranges);
    stored.ranges.lock().unwrap().clear();
    let again = words.find(&[Word { parts: &parts, spelled: "read" }], Demand::All).unwrap();
    assert_eq!(again, found);
    let ranges = stored.ranges.lock().unwrap();
    assert!(ranges.iter().all(|range| range.start >= blocks.end), "blocks are kept");
}

#[test]
fn lengths_beyond_what_is_stored_are_refused_before_anything_is_read() {
    let bytes = build(&vec![vec![("read".to_owned(), 3)]; 2]);
    let length = bytes.len() as u64;
    for (wrong, of) in [(u64::MAX, length), (length - 7, length), (0, length), (0, 7)] {
        let mut bytes = bytes.clone();
        bytes[..8].copy_from_slice(&wrong.to_le_bytes());
        let stored = Arc::new(Noting { bytes, ranges: Mutex::default() });
        assert!(Words::open(Arc::<Noting>::clone(&stored), of).is_err(), "{wrong} {of}");
        assert!(stored.ranges.lock().unwrap().iter().all(|range| range.end <= of));
    }
    for of in [length - 1, length + 1] {
        let stored = Noting { bytes: bytes.clone(), ranges: Mutex::default() };
        assert!(Words::open(Arc::new(stored), of).is_err(), "{of}");
    }
}

#[test]
fn each_name_of_a_block_has_its_files_when_it_is_asked_first_and_later() {
    let name = |number: usize| format!("n{number}");
    let has = |number: usize, file: usize| file.is_multiple_of(number % 7 + 1) || file == number;
    let names_of = |file| (0..150).filter(move |number| has(*number, file));
    let files: Vec<Vec<(String, u8)>> =
        (0..90).map(|file| names_of(file).map(|number| (name(number), 1)).collect()).collect();
    let words = open(&build(&files)).unwrap();
    for _ in 0..3 {
        for number in 0..150 {
            let parts = ["n".to_owned(), number.to_string()];
            let word = Word { parts: &parts, spelled: "" };
            let found = words.find(&[word], Demand::All).unwrap().remove(0).unwrap();
            let files: Vec<usize> = found.iter().map(|found| found.file as usize).collect();
            let own: Vec<usize> = (0..90).filter(|file| has(number, *file)).collect();
            assert_eq!(files, own, "{number}");
        }
    }
}

#[test]
fn a_long_list_with_large_counts_is_read_back() {
    let files: Vec<Vec<(String, u8)>> = (0..3_000)
        .map(|file| vec![("read".to_owned(), u8::from(file % 7 == 0)); file % 5 * (file % 40)])
        .collect();
    let bytes = build(&files);
    let parts = ["read".to_owned()];
    let word = Word { parts: &parts, spelled: "READ" };
    let found = open(&bytes).unwrap().find(&[word], Demand::All).unwrap().remove(0).unwrap();
    let whole: Vec<Found> = (0..)
        .zip(&files)
        .filter(|(_, names)| !names.is_empty())
        .map(|(file, names)| {
            let identifiers = u32::try_from(names.len()).unwrap();
            let strength = if file % 7 == 0 { 2 } else { 0 };
            Found { file, units: 2 * identifiers, identifiers, strength }
        })
        .collect();
    assert_eq!(found, whole);
    let parts = vec!["a".to_owned(); 33];
    let word = Word { parts: &parts, spelled: "a" };
    assert_eq!(
        open(&bytes).unwrap().find(&[word], Demand::All).unwrap(),
        [None],
        "has to be read for"
    );
}

#[test]
fn a_run_in_more_blocks_than_the_shape_allows_has_a_list_of_its_files() {
    let name = |number: usize| format!("read_{}", "x".repeat(number + 1));
    let files = |names: usize| (0..names).map(|number| vec![(name(number), 0)]).collect::<Vec<_>>();
    // Three names make a block.
    for (names, listed) in [(6, None), (7, Some(7))] {
        let bytes = build(&files(names));
        let words = open(&bytes).unwrap();
        let list = words.common.list(words.stored.as_ref(), "read", words.files).unwrap();
        assert_eq!(list.map(|list| list.len()), listed, "{names}");
        assert!(words.common.has("read") == listed.is_some() && !words.common.has("line"));
    }
}

#[test]
fn a_builder_holds_its_names_their_pairs_and_what_sorting_takes() {
    let mut builder = Builder::default();
    assert_eq!(builder.held(), 0);
    let mut held = Vec::new();
    for file in 0..3_000 {
        for name in ["read".to_owned(), format!("read_{file}"), "read".to_owned()] {
            builder.add(file, &name, 0);
        }
        held.push(builder.held());
    }
    // Of each file two pairs of 8 bytes twice, and a name of at least 6 bytes with its end, places
    // in a table and 20 bytes to sort it by.
    let least = 3_000 * (2 * 16 + 6 + 4 + 16 + 20);
    assert!(
        held.is_sorted() && (least..2 * least).contains(&held[2_999]),
        "{} {least}",
        held[2_999]
    );
}

#[test]
fn files_that_are_not_ascending_or_too_many_are_refused() {
    for (files, of) in [([0, 1], 1), ([1, 0], 2)] {
        let mut builder = Builder::default();
        for file in files {
            builder.add(file, "read", 0);
        }
        assert!(builder.finish(of, SHAPE).is_err(), "{files:?} {of}");
    }
}
