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

#[test]
fn every_feature_is_drawn_and_questions_find_something() {
    let mut tally: BTreeMap<Feature, usize> = BTreeMap::new();
    for number in 0..1500 {
        let batch = Batch::draw(3, number, Theme::All);
        let mut features = tree_features(&batch.pack);
        for (path, bytes) in batch.pack.files() {
            features.extend(content_features(path, &bytes));
        }
        features.extend(batch.asks.iter().flat_map(Ask::features));
        for feature in features {
            *tally.entry(feature).or_default() += 1;
        }
    }
    // Globs are not drawn: what they mean beside ignore files differs from program to program.
    let missing: Vec<Feature> = Feature::ALL
        .iter()
        .copied()
        .filter(|feature| !tally.contains_key(feature) && *feature != Feature::Globs)
        .collect();
    assert!(missing.is_empty(), "{missing:?} of {tally:?}");
}
