use std::collections::BTreeMap;

use super::*;
use crate::features::{content_features, tree_features};
use crate::question::Feature;

#[test]
fn a_batch_depends_on_its_seed_and_number_alone() {
    for number in 0..50 {
        assert_eq!(Batch::draw(1, number, Theme::All), Batch::draw(1, number, Theme::All));
    }
    assert_ne!(Batch::draw(1, 0, Theme::Listed), Batch::draw(2, 0, Theme::Listed));
}

#[test]
fn every_drawn_pattern_parses() {
    for number in 0..300 {
        let batch = Batch::draw(7, number, Theme::Listed);
        for ask in batch.asks {
            for pattern in ask.patterns.iter().filter(|_| !ask.fixed) {
                assert!(
                    regex_syntax::Parser::new().parse(pattern).is_ok(),
                    "`{pattern}` in batch {number}"
                );
            }
        }
    }
}

/// Batches that the floors are held against.
const BATCHES: u64 = 2000;

fn batches() -> impl Iterator<Item = Batch> {
    (0..BATCHES).map(|number| Batch::draw(3, number, Theme::All))
}

#[test]
fn every_feature_is_drawn_as_often_as_its_floor_says() {
    let mut tally: BTreeMap<Feature, usize> = BTreeMap::new();
    for batch in batches() {
        let is_walked = batch.asks.iter().any(|ask| ask.walk.is_some());
        let mut features = tree_features(&batch.pack, is_walked);
        for (path, bytes) in batch.pack.files() {
            features.extend(content_features(path, &bytes));
        }
        features.extend(batch.asks.iter().flat_map(Ask::features));
        for feature in features {
            *tally.entry(feature).or_default() += 1;
        }
    }
    let spec = touchstone_spec::Spec::load(&touchstone_cases::golden::workspace().join("spec"));
    let rare: Vec<String> = spec
        .unwrap()
        .hunt
        .groups
        .iter()
        .map(|group| (group, tally.get(&group.feature).copied().unwrap_or(0) / 2))
        .filter(|(group, drawn)| *drawn < group.floor.max(1))
        .map(|(group, drawn)| format!("{}: {drawn}, not {}", group.feature.name(), group.floor))
        .collect();
    assert!(rare.is_empty(), "{rare:?}");
}

/// What a feature is too coarse for, and how many of 10,000 expressions have it at least.
const SHAPES: &[(&str, &str, usize)] = &[
    ("a star behind a class", r"\][*]", 45),
    ("a star behind a dot", r"(?:^|[^\\])\.[*]", 20),
    ("a star behind a letter", r"[a-z][*]", 50),
    ("a plus behind a class", r"\][+]", 80),
    ("a question mark behind a dot", r"(?:^|[^\\])\.[?]", 25),
    ("a repetition in front", r"^(?:\[[^\]]+\]|\.|\w)[*+?{]", 200),
    ("a repetition alone", r"^(?:\[[^\]]+\]|\.|\w)(?:[*+?]|\{[0-9,]+\})$", 120),
    ("a repetition beside a few letters", r"^(?:\w[*+?]\w{1,3}|\w{1,3}[*+?]\w{1,3})$", 15),
    ("a repetition in bounds", r"\{\d+,\d+\}", 40),
    ("flags without a group", r"\(\?[a-zA-Z-]+\)", 200),
    ("the beginning of the text", r"\\A", 150),
    ("the end of the text", r"\\z", 200),
    ("an edge of words", r"\\b\{", 120),
];

#[test]
fn every_shape_of_expression_is_drawn_as_often_as_its_floor_says() {
    let expressions: Vec<String> = batches()
        .flat_map(|batch| batch.asks)
        .filter(|ask| !ask.fixed && ask.walk.is_none() && ask.patterns.len() < 40)
        .flat_map(|ask| ask.patterns)
        .collect();
    for (what, shape, floor) in SHAPES {
        let shape = regex_automata::meta::Regex::new(shape).unwrap();
        let drawn = expressions.iter().filter(|text| shape.is_match(text.as_str())).count();
        let came = drawn * 10_000 / expressions.len();
        assert!(came >= *floor, "{what}: {came} of 10,000, not {floor}");
    }
}

#[test]
fn large_sets_large_files_and_long_lines_are_drawn() {
    let mut most = 0;
    let (mut largest, mut longest) = (0, 0);
    let mut inverted_context = 0;
    for batch in batches() {
        for ask in &batch.asks {
            most = most.max(ask.patterns.len());
            inverted_context += usize::from(ask.invert && ask.before + ask.after > 0);
        }
        for (_, bytes) in batch.pack.files() {
            let line = bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).max();
            largest = largest.max(bytes.len());
            longest = longest.max(line.unwrap_or(0));
        }
    }
    assert!((150..=203).contains(&most), "{most} patterns");
    assert!((3 << 20..5 << 20).contains(&largest), "a file of {largest} bytes");
    assert!((1 << 20..3 << 20).contains(&longest), "a line of {longest} bytes");
    assert!(inverted_context >= 300, "{inverted_context} inverted asks with context");
}
