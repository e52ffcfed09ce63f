use proptest::prelude::*;

use super::*;
use crate::{identifier::Word, index::segment::RankMap};

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

fn ask(bytes: &[u8]) -> Result<(), Fault> {
    let words = Words::new(bytes)?;
    words.sizes()?;
    let parts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let all: [Vec<String>; 4] =
        [parts(&["read"]), parts(&["read", "line"]), parts(&["line", "1"]), parts(&["id"])];
    for parts in &all {
        words.find(&[Word { parts, spelled: "id" }])?;
    }
    let query: Vec<Word<'_>> = all.iter().map(|parts| Word { parts, spelled: "read" }).collect();
    words.find(&query)?;
    let files = words.files();
    merge(&[Source { words, map: RankMap::Offset(0) }], files, SHAPE).map(drop)
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

    #[test]
    fn a_merge_of_interleaved_parts_equals_one_batch_of_the_files_that_are_left(
        files in files(),
        dropped in any::<prop::sample::Index>(),
    ) {
        let gone = if files.is_empty() { 0 } else { dropped.index(files.len()) };
        let left = |at: usize| at != gone;
        let (mut parts, mut kept) = ([Vec::new(), Vec::new()], Vec::new());
        let mut places = [Vec::new(), Vec::new()];
        for (at, file) in files.iter().enumerate() {
            let part = usize::from(at % 3 == 0);
            places[part].push(if left(at) { u32::try_from(kept.len()).unwrap() } else { u32::MAX });
            parts[part].push(file.clone());
            if left(at) {
                kept.push(file.clone());
            }
        }
        let stored = parts.map(|files| build(&files));
        let sources: Vec<Source<'_>> = stored
            .iter()
            .zip(places)
            .map(|(bytes, places)| Source { words: Words::new(bytes).unwrap(), map: RankMap::Table(places) })
            .collect();
        let merged = merge(&sources, u32::try_from(kept.len()).unwrap(), SHAPE).unwrap();
        prop_assert_eq!(merged, build(&kept));
    }
}

#[test]
fn files_that_are_not_ascending_or_too_many_are_refused() {
    let stored = build(&vec![vec![("read".to_owned(), 3)]; 2]);
    let source = |map| Source { words: Words::new(&stored).unwrap(), map };
    assert!(merge(&[source(RankMap::Offset(0))], 1, SHAPE).is_err());
    assert!(merge(&[source(RankMap::Table(vec![0, 0]))], 2, SHAPE).is_err());
    assert!(merge(&[source(RankMap::Offset(0)), source(RankMap::Offset(1))], 3, SHAPE).is_err());
    assert!(merge(&[source(RankMap::Offset(0)), source(RankMap::Offset(2))], 4, SHAPE).is_ok());
}

#[test]
fn a_long_list_with_large_counts_is_read_back() {
    let files: Vec<Vec<(String, u8)>> = (0..3_000)
        .map(|file| vec![("read".to_owned(), u8::from(file % 7 == 0)); file % 5 * (file % 40)])
        .collect();
    let bytes = build(&files);
    let parts = ["read".to_owned()];
    let word = Word { parts: &parts, spelled: "READ" };
    let found = Words::new(&bytes).unwrap().find(&[word]).unwrap().remove(0).unwrap();
    let whole: Vec<Found> = (0..)
        .zip(&files)
        .filter(|(_, names)| !names.is_empty())
        .map(|(file, names)| {
            let identifiers = names.len() as u64;
            let strength = if file % 7 == 0 { 2 } else { 0 };
            Found { file, units: 2 * identifiers, identifiers, strength }
        })
        .collect();
    assert_eq!(found, whole);
    let parts = vec!["a".to_owned(); 33];
    let word = Word { parts: &parts, spelled: "a" };
    assert_eq!(Words::new(&bytes).unwrap().find(&[word]).unwrap(), [None], "has to be read for");
}

#[test]
fn a_run_in_more_blocks_than_the_shape_allows_has_a_list_of_its_files() {
    let name = |number: usize| format!("read_{}", "x".repeat(number + 1));
    let files = |names: usize| (0..names).map(|number| vec![(name(number), 0)]).collect::<Vec<_>>();
    // Three names make a block.
    for (names, listed) in [(6, None), (7, Some(7))] {
        let bytes = build(&files(names));
        let words = Words::new(&bytes).unwrap();
        let list = words.common.list("read").unwrap();
        let pairs = list.map(|list| list.pairs(words.files()).unwrap().len());
        assert_eq!(pairs, listed, "{names}");
        assert!(words.common.list("line").unwrap().is_none());
    }
}

#[test]
fn a_builder_holds_its_names_and_their_pairs() {
    let mut builder = Builder::default();
    assert_eq!(builder.held(), 0);
    for (file, name) in [(0, "read"), (0, "line"), (0, "read"), (1, "read")] {
        builder.add(file, name, 0);
    }
    // The table has 1,024 places at first.
    assert_eq!(builder.held(), 8 + 2 * 16 + 1_024 * 4 + 3 * 32);
}
