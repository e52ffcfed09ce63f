use std::collections::BTreeSet;

use crate::expected::Expected;
use crate::family::Family;
use crate::generate::{Coverage, Generator, Mix};

#[test]
fn cases_are_well_formed_and_the_same_every_time() {
    let generator = Generator::of(Mix::Of(Family::Keyword), 7);
    for number in 0..200 {
        let case = generator.case(number);
        assert_eq!(case.validate(), Ok(()), "{}", case.to_yaml());
        assert_eq!(case.family(), Family::Keyword);
        assert_eq!(generator.case(number), case);
    }
}

/// As many cases as a default run draws, and some more.
#[test]
fn the_traps_come_up() {
    let generator = Generator::of(Mix::Of(Family::Keyword), 11);
    let mut coverage = Coverage::default();
    for number in 0..700 {
        let case = generator.case(number);
        let expected = Expected::of(&case).unwrap();
        coverage.observe(&case, &expected.canonical);
    }
    let rare: BTreeSet<(&str, u64)> = coverage
        .counts
        .iter()
        .filter(|(trap, count)| trap.starts_with("keyword") && **count < 5)
        .map(|(trap, count)| (*trap, *count))
        .collect();
    assert_eq!(rare, BTreeSet::new());
}

#[test]
fn a_clause_is_verified_by_traps_that_are_counted() {
    let generator = Generator::of(Mix::Of(Family::Keyword), 1);
    let mut coverage = Coverage::default();
    for number in 0..20 {
        let case = generator.case(number);
        coverage.observe(&case, &Expected::of(&case).unwrap().canonical);
    }
    for (_, trap) in crate::gate::clauses::by_trap(Family::Keyword) {
        assert!(coverage.counts.contains_key(trap), "{trap}");
    }
}
