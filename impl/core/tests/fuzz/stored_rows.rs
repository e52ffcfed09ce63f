//! Stored rows of an index, without the checksums that reject damaged ones.

use std::sync::Arc;

use bolero::produce;
use forge_search_core::{
    index::{
        filter::{DEFAULT_SEED, FilterParameters},
        fold::Fold,
        gram::Gram,
        need::{Need, Variant},
        segment::{
            Block, Catalog, Dictionary, Fingerprint, Inverter, RankMap, RankSet, Row, Sketch,
            Source, merge, read_rows, sketches, write_rows,
        },
        tokens::TokenStatus,
    },
    text::TextKind,
};

const FILES: u32 = 20;
const FILTER: FilterParameters = FilterParameters { bits: 509, hashes: 3, seed: DEFAULT_SEED };

/// Changed bytes: offset and difference.
type Damage = Vec<(u16, u8)>;

fn damaged(bytes: &[u8], damage: &Damage) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (place, difference) in damage {
        let length = bytes.len().max(1);
        if let Some(byte) = bytes.get_mut(usize::from(*place) % length) {
            *byte = byte.wrapping_add(*difference);
        }
    }
    bytes
}

fn row(path: &[u8], number: u64) -> Row {
    let [size, device, inode, links] = [0, 16, 32, 48].map(|shift| number.rotate_left(shift));
    let times = [number.cast_signed(), number.swap_bytes().cast_signed()];
    let statuses = [None, Some(TokenStatus::Full), Some(TokenStatus::SkippedBinary)];
    let kinds = [TextKind::Unknown, TextKind::Text, TextKind::EarlyNul, TextKind::Invalid];
    Row {
        path: path.to_vec(),
        fingerprint: Fingerprint {
            size,
            mtime_ns: times[0],
            ctime_ns: times[1],
            device,
            inode,
            links,
        },
        status: statuses[usize::try_from(number % 3).unwrap()],
        kind: kinds[usize::try_from(number / 3 % 3).unwrap()],
        complete: number & 64 > 0,
        racy: number & 128 > 0,
    }
}

fn rows(catalog: &Catalog) -> Vec<Row> {
    (0..catalog.len()).filter_map(|rank| catalog.row(rank)).collect()
}

#[test]
fn a_catalog_is_read_back_as_written() {
    let files = produce::<Vec<(Vec<u8>, u64)>>().with().len(0_usize..12);
    bolero::check!().with_iterations(500).with_generator(files).for_each(|files| {
        let mut catalog = Catalog::default();
        // Sizes are added up; a tree of 16 EiB is out of scope. A path resolves name by name, or it
        // is refused.
        for (path, number) in files {
            let path = [b"d/", &path[..]].concat();
            let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..") && !name.contains(&0);
            let is_path = path.split(|byte| *byte == b'/').all(is_name);
            let mut alone = Catalog::default();
            alone.push(&row(&path, *number >> 8));
            let read = read_rows(&write_rows(&alone, 0, 1), &mut Catalog::default());
            assert_eq!(read.is_ok(), is_path, "{path:?}");
            if is_path {
                catalog.push(&row(&path, *number >> 8));
            }
        }
        let mut again = Catalog::default();
        read_rows(&write_rows(&catalog, 0, catalog.len()), &mut again).unwrap();
        assert_eq!(rows(&again), rows(&catalog));
    });
}

#[test]
fn damaged_catalogs_are_refused_or_read_back_consistently() {
    let input =
        (produce::<Vec<u8>>().with().len(0_usize..200), produce::<Damage>().with().len(0_usize..6));
    bolero::check!().with_iterations(3_000).with_generator(input).for_each(|(noise, damage)| {
        let mut whole = Catalog::default();
        (0..20).for_each(|n| whole.push(&row(format!("src/{n}/a.rs").as_bytes(), n << 7)));
        for bytes in [noise.clone(), damaged(&write_rows(&whole, 0, 20), damage)] {
            let mut catalog = Catalog::default();
            if read_rows(&bytes, &mut catalog).is_ok() {
                assert!(rows(&catalog).iter().all(|row| row.path.len() <= bytes.len()));
                let mut again = Catalog::default();
                read_rows(&write_rows(&catalog, 0, catalog.len()), &mut again).unwrap();
                assert_eq!(rows(&again), rows(&catalog));
                let _ = catalog.find(b"src/3/a.rs");
            }
        }
    });
}

fn gram(letters: [u8; 3]) -> Gram {
    Gram::new(&letters.map(|letter| char::from(b'a' + letter % 8))).unwrap()
}

/// Blocks of a segment, and their dictionary.
fn segment() -> (Vec<Block>, Dictionary) {
    let mut inverter = Inverter::new(3);
    for rank in 0..FILES {
        let number = rank.to_le_bytes()[0];
        let mut grams: Vec<Gram> =
            (0..12).map(|n| gram([n, number, number.wrapping_mul(n)])).collect();
        grams.sort_unstable();
        grams.dedup();
        inverter.add(rank, &grams);
    }
    let blocks = inverter.finish(FILES).unwrap();
    let kept: Vec<Arc<[u8]>> = blocks.iter().map(|block| block.bytes.as_slice().into()).collect();
    let source = Source { blocks: &kept, count: kept.len(), files: FILES, map: RankMap::Offset(0) };
    let merged = merge(&[source], FILES, |_| Ok(())).unwrap();
    let sketches = sketches(&merged.grams, Fold::Ascii, &FILTER);
    (blocks, Dictionary::new(FILTER, Fold::Ascii, FILES, merged.first, sketches))
}

#[test]
fn damaged_postings_are_refused_or_name_existing_files() {
    let damage = produce::<Damage>().with().len(0_usize..6);
    let input = (damage, produce::<[u8; 3]>(), produce::<Vec<u8>>().with().len(0_usize..64));
    let (blocks, _) = segment();
    bolero::check!().with_iterations(2_000).with_generator(input).for_each(
        |(damage, letters, noise)| {
            // The dictionary caches what it reads, so each damage gets a new one.
            let first = blocks.iter().map(|block| block.first).collect::<Vec<_>>();
            let good =
                blocks.iter().map(|block| Arc::from(damaged(&block.bytes, damage))).collect();
            for kept in [good, vec![Arc::from(noise.as_slice())] as Vec<Arc<[u8]>>] {
                let sketch = || Sketch::from_bytes(vec![0xff; 16], 64).unwrap();
                let dictionary = Dictionary::new(
                    FILTER,
                    Fold::Ascii,
                    FILES,
                    first.clone(),
                    [sketch(), sketch()],
                );
                for variant in [Variant::Sensitive, Variant::Insensitive] {
                    let need = Need::Gram(variant, gram(*letters));
                    if let Ok(set) = dictionary.meeting(&kept, &need) {
                        assert!(set.iter().all(|rank| rank < FILES));
                    }
                }
                let _ = dictionary.grams_of(&kept, 3);
                if let Ok(all) = dictionary.grams_of_all(&kept) {
                    assert_eq!(all.len(), FILES as usize);
                }
                let source = Source {
                    blocks: &kept,
                    count: kept.len(),
                    files: FILES,
                    map: RankMap::Offset(0),
                };
                if let Ok(merged) = merge(&[source], FILES, |_| Ok(())) {
                    assert!(merged.grams.windows(2).all(|pair| pair[0] < pair[1]));
                }
            }
        },
    );
}

#[test]
fn undamaged_postings_give_the_expected_files() {
    let (blocks, dictionary) = segment();
    let kept: Vec<Arc<[u8]>> = blocks.iter().map(|block| block.bytes.as_slice().into()).collect();
    let need = Need::Gram(Variant::Sensitive, gram([0, 3, 0]));
    let meeting = dictionary.meeting(&kept, &need).unwrap();
    assert!(meeting.contains(3) && !meeting.contains(4));
}

#[test]
fn sets_and_sketches_are_read_back_with_the_right_length() {
    let input = (produce::<Vec<u8>>().with().len(0_usize..40), produce::<u64>());
    bolero::check!().with_iterations(3_000).with_generator(input).for_each(|(bytes, number)| {
        for files in [u32::try_from(number % 320).unwrap(), u32::try_from(bytes.len() * 8).unwrap()]
        {
            if let Some(set) = RankSet::from_bytes(bytes, files) {
                assert_eq!(set.to_bytes(), *bytes);
                assert!(set.iter().all(|rank| rank < files));
            }
        }
        for cells in [*number, number % 200, u64::MAX] {
            if let Ok(sketch) = Sketch::from_bytes(bytes.clone(), cells) {
                assert_eq!((sketch.as_bytes(), sketch.cells()), (bytes.as_slice(), cells));
                assert_eq!(bytes.len() as u64, cells.div_ceil(4));
            }
        }
    });
}
