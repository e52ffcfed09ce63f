//! What comes out of the generator of `search_files`, measured.

use crate::case::Case;
use crate::family::Family;
use crate::generate::{Generator, Mix};

const SEED: u64 = 20;

#[test]
fn the_same_seed_and_number_give_the_same_case_in_any_order() {
    let (forwards, backwards) =
        (Generator::of(Mix::Of(Family::Files), 7), Generator::of(Mix::Of(Family::Files), 7));
    let first: Vec<Case> = (0..60).map(|number| forwards.case(number)).collect();
    let mut second: Vec<Case> = (0..60).rev().map(|number| backwards.case(number)).collect();
    second.reverse();
    assert_eq!(first, second);
}

#[test]
fn every_generated_case_is_well_formed_and_survives_storing() {
    for mix in [Mix::Of(Family::Files), Mix::SmallFiles] {
        let generator = Generator::of(mix, SEED);
        for number in 0..600 {
            let case = generator.case(number);
            case.validate().unwrap_or_else(|malformed| panic!("{malformed}\n{}", case.to_yaml()));
            assert!(!case.title.starts_with("not drawn"), "{}", case.title);
            let read = Case::parse(&case.to_yaml(), std::path::Path::new("case.yaml")).unwrap();
            assert_eq!(read.to_yaml(), case.to_yaml());
            assert_eq!(read.world(), case.world());
            assert_eq!((read.request, read.context), (case.request.clone(), case.context));
        }
    }
}
