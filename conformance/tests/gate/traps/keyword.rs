//! Traps of `keyword_search`.

use std::collections::BTreeSet;

use touchstone::coverage::Coverage;
use touchstone::expected::Expected;
use touchstone::family::Family;
use touchstone::gate::clauses::by_trap;
use touchstone::generate::{Generator, Mix};

/// As many cases as a default run draws, and some more.
#[test]
fn every_trap_occurs_often_enough() {
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
fn every_trap_that_verifies_a_clause_is_counted() {
    let generator = Generator::of(Mix::Of(Family::Keyword), 1);
    let mut coverage = Coverage::default();
    for number in 0..20 {
        let case = generator.case(number);
        coverage.observe(&case, &Expected::of(&case).unwrap().canonical);
    }
    for (_, trap) in by_trap(Family::Keyword) {
        assert!(coverage.counts.contains_key(trap), "{trap}");
    }
}
