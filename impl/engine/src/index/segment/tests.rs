use std::path::Path;

use forge_search_core::index::{
    segment::{Inverter, Row},
    settings::Settings,
    tokens::TokenStatus,
};

use super::*;

fn catalog(files: u32) -> Catalog {
    let mut catalog = Catalog::default();
    for rank in 0..files {
        catalog.push(&Row {
            path: format!("{rank}").into_bytes(),
            fingerprint: Fingerprint::default(),
            status: Some(TokenStatus::Full),
            kind: TextKind::Text,
            complete: true,
            racy: false,
        });
    }
    catalog
}

#[test]
fn memory_is_a_fixed_size_for_each_file_and_the_bytes_of_postings_or_filters() {
    let block = |bytes: usize| Block { first: gram("abc"), bytes: vec![0; bytes] };
    let filters = vec![[vec![0; 3], vec![0; 4]], [Vec::new(), vec![0; 5]]];
    for (segment, bytes) in [
        (Segment::empty(), 0),
        (Segment::unread(catalog(3)), 3 * 96),
        (Segment::in_memory(catalog(2), vec![block(7), block(11)]), 2 * 96 + 18),
        (Segment::packed(catalog(2), filters), 2 * 96 + 12),
    ] {
        assert_eq!(segment.memory(), bytes, "{segment:?}");
    }
}

fn gram(text: &str) -> Gram {
    Gram::new(&text.chars().collect::<Vec<_>>()).unwrap()
}

#[test]
fn the_grams_of_every_file_are_read_back_from_postings_and_are_not_known_without() {
    let key = Key::new(Path::new("/tree"), &Settings::agent());
    let grams = [vec![gram("abc"), gram("bcd")], vec![], vec![gram("bcd")]];
    let mut inverter = Inverter::new(grams.len());
    for (rank, grams) in (0..).zip(&grams) {
        inverter.add(rank, grams);
    }
    let mut wanted = grams.map(|mut grams| {
        grams.sort();
        grams
    });
    let segment = Segment::in_memory(catalog(3), inverter.finish(3).unwrap());
    let mut found = segment.all_grams(&key).unwrap().unwrap();
    found.iter_mut().chain(&mut wanted).for_each(|grams| grams.sort());
    assert_eq!(found, wanted);
    for without in [Segment::unread(catalog(1)), Segment::packed(catalog(0), Vec::new())] {
        assert_eq!(without.all_grams(&key).unwrap(), None);
    }
}
