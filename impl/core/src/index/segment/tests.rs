use std::sync::Arc;

use super::*;
use crate::index::{
    filter::{DEFAULT_SEED, FilterParameters},
    fold::Fold,
    gram::{Gram, SIZES},
    need::{Need, Variant},
    postings::Postings,
    tokens::{Parameters, TokenStatus, Tokenizer},
};
use crate::text::TextKind;

/// Texts with a small alphabet, capitals and scalars beyond ASCII among it, so that grams meet.
fn texts(count: usize) -> Vec<String> {
    let alphabet: Vec<char> = "abAB é\n\u{1f600}".chars().collect();
    let mut state = 7_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 40).expect("24 bits")
    };
    (0..count)
        .map(|_| (0..next() % 40).map(|_| alphabet[next() % alphabet.len()]).collect())
        .collect()
}

fn grams(texts: &[String], ngram: usize) -> Vec<Vec<Gram>> {
    let mut tokenizer = Tokenizer::new(Parameters { max_bytes: 1 << 20, ngram });
    texts.iter().map(|text| tokenizer.tokenize(text.as_bytes()).grams).collect()
}

fn invert(files: &[Vec<Gram>], ngram: usize) -> Vec<Block> {
    let mut inverter = Inverter::new(ngram);
    for (rank, grams) in (0..).zip(files) {
        inverter.add(rank, grams);
    }
    inverter.finish(u32::try_from(files.len()).expect("few")).expect("well-formed")
}

#[test]
fn a_batch_is_turned_round_the_same_by_counting_and_by_comparison() {
    let texts = texts(300);
    for ngram in SIZES {
        let files = grams(&texts, ngram);
        let by = |small| {
            let mut inverter = Inverter::new(ngram);
            let mut all = Vec::new();
            for batch in files.chunks(100) {
                for (rank, grams) in (0..).zip(batch) {
                    inverter.add(rank, grams);
                }
                all.extend(stored(&inverter.finish_by(100, small).expect("well-formed")));
            }
            all
        };
        let counted = by(0);
        assert!(counted.len() >= 3, "{} blocks", counted.len());
        assert_eq!(counted, by(usize::MAX));
    }
}

fn stored(blocks: &[Block]) -> Vec<Arc<[u8]>> {
    blocks.iter().map(|block| Arc::from(block.bytes.as_slice())).collect()
}

fn dictionary(
    blocks: &[Block],
    files: u32,
    parameters: FilterParameters,
    fold: Fold,
) -> Dictionary {
    let kept = stored(blocks);
    let source = Source { blocks: &kept, count: kept.len(), files, map: RankMap::Offset(0) };
    let merged = merge(&[source], files, |_| Ok(())).expect("well-formed");
    let sketches = sketches(&merged.grams, fold, &parameters);
    Dictionary::new(parameters, fold, files, merged.first, sketches)
}

#[test]
fn a_segment_answers_like_the_plain_postings_with_false_positives() {
    let mut by_chance = 0;
    for (ngram, fold, bits) in [
        (3, Fold::Ascii, 61),
        (3, Fold::UnicodeSimple, 997),
        (2, Fold::Ascii, 61),
        (3, Fold::Ascii, 5_025_332),
    ] {
        let parameters = FilterParameters { bits, hashes: 3, seed: DEFAULT_SEED };
        let files = grams(&texts(24), ngram);
        let plain = Postings::build(parameters, fold, (0..).zip(files.iter().map(Vec::as_slice)));
        let blocks = invert(&files, ngram);
        let kept = stored(&blocks);
        let dictionary = dictionary(&blocks, 24, parameters, fold);
        let asked: Vec<Gram> =
            files.iter().flatten().copied().chain(Gram::new(&['x'; 3][..ngram])).collect();
        for gram in asked {
            for (variant, gram) in
                [(Variant::Sensitive, gram), (Variant::Insensitive, gram.fold(fold))]
            {
                let want = plain.meeting(&Need::Gram(variant, gram));
                let got =
                    dictionary.meeting(&kept, &Need::Gram(variant, gram)).expect("well-formed");
                assert_eq!(got.iter().collect::<Vec<_>>(), want, "{gram:?} {variant:?} {bits}");
                let holders = files.iter().filter(|grams| grams.contains(&gram)).count();
                by_chance += want.len() - holders.min(want.len());
            }
        }
    }
    assert!(by_chance > 100, "filters this small let grams pass by chance: {by_chance}");
}

#[test]
fn merging_batches_equals_one_batch() {
    let files = grams(&texts(300), 3);
    let whole = invert(&files, 3);
    let parts: Vec<_> =
        files.chunks(77).map(|part| (stored(&invert(part, 3)), part.len())).collect();
    let mut from = 0;
    let sources: Vec<Source<'_>> = parts
        .iter()
        .map(|(blocks, files)| {
            let files = u32::try_from(*files).expect("few");
            let source = Source { blocks, count: blocks.len(), files, map: RankMap::Offset(from) };
            from += files;
            source
        })
        .collect();
    let mut blocks = Vec::new();
    let merged = merge(&sources, 300, |block| {
        blocks.push(block);
        Ok(())
    })
    .expect("well-formed");
    assert_eq!(blocks, whole);
    assert_eq!(merged.first, whole.iter().map(|block| block.first).collect::<Vec<_>>());
}

#[test]
fn dropped_and_interleaved_files_are_merged_correctly() {
    let files = grams(&texts(40), 3);
    let even: Vec<_> = files.iter().step_by(2).cloned().collect();
    let odd: Vec<_> = files.iter().skip(1).step_by(2).cloned().collect();
    let (first, second) = (stored(&invert(&even, 3)), stored(&invert(&odd, 3)));
    // The even files go to their own places but for the first, which is dropped; so all others move
    // up by one.
    let places = |start: u32| (0..20).map(|rank| (rank * 2 + start).wrapping_sub(1)).collect();
    let source =
        |blocks, start| Source { blocks, count: 1, files: 20, map: RankMap::Table(places(start)) };
    let mut blocks = Vec::new();
    merge(&[source(&first, 0), source(&second, 1)], 39, |block| {
        blocks.push(block);
        Ok(())
    })
    .expect("well-formed");
    assert_eq!(blocks, invert(files.get(1..).expect("forty"), 3));
}

#[test]
fn a_catalog_is_read_back_and_its_paths_are_found() {
    let mut catalog = Catalog::default();
    let fingerprint =
        Fingerprint { size: 9, mtime_ns: -5, ctime_ns: 7, device: 1, inode: u64::MAX, links: 2 };
    for (path, status, kind) in [
        ("a", None, TextKind::Unknown),
        ("a/b", Some(TokenStatus::Full), TextKind::Text),
        ("a/cé", Some(TokenStatus::SkippedBinary), TextKind::Invalid),
    ] {
        let (path, complete, racy) = (path.as_bytes().to_vec(), status.is_none(), status.is_some());
        catalog.push(&Row { path, fingerprint, status, kind, complete, racy });
    }
    let mut back = Catalog::default();
    read_rows(&write_rows(&catalog, 0, 2), &mut back).expect("well-formed");
    read_rows(&write_rows(&catalog, 2, 3), &mut back).expect("well-formed");
    for rank in 0..3 {
        assert_eq!(back.row(rank), catalog.row(rank));
        assert_eq!(back.kind(rank), catalog.kind(rank));
        assert_eq!(back.find(catalog.path(rank)), Ok(rank));
    }
    assert_eq!(back.find(b"a.txt"), Err(1));
    assert!(
        read_rows(&[7, 1, b'x'], &mut Catalog::default()).is_err(),
        "it shares more than there is"
    );
}

#[test]
fn a_fingerprint_is_racy_if_it_was_read_too_soon_after_the_change() {
    let at = |mtime_ns, ctime_ns| Fingerprint { mtime_ns, ctime_ns, ..Fingerprint::default() };
    let second = 1_000_000_000;
    assert!(at(second + 5, second + 5).is_racy(second + 10_000_000));
    assert!(!at(second + 5, second + 5).is_racy(second + 30_000_000));
    assert!(at(second, second).is_racy(second * 2), "whole seconds: the clock may be that coarse");
    assert!(!at(second, second).is_racy(second * 4));
    assert!(at(second * 9, second + 5).is_racy(second * 2), "a time in the future proves nothing");
}

#[test]
fn the_next_file_of_a_set_and_how_many_lie_between_two_are_those_that_all_files_tell() {
    for files in [0, 1, 63, 64, 65, 128, 200] {
        let mut set = RankSet::none(files);
        (0..files)
            .filter(|rank| rank % 7 == 3 || rank % 64 == 63)
            .for_each(|rank| set.insert(rank));
        let all: Vec<u32> = set.iter().collect();
        for from in 0..files + 70 {
            let next = all.iter().copied().find(|rank| *rank >= from);
            assert_eq!(set.next(from), next, "{from} of {files}");
            for to in [0, from, from + 1, from + 64, from + 130, files] {
                let between = all.iter().filter(|rank| (from..to).contains(*rank)).count();
                assert_eq!(set.count(from, to) as usize, between, "{from} to {to} of {files}");
            }
        }
    }
}
