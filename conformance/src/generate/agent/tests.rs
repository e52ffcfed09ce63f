use std::collections::BTreeSet;

use crate::expected::Expected;
use crate::family::Family;
use crate::generate::{Coverage, Generator, Mix};

#[test]
fn cases_are_well_formed_and_the_same_every_time() {
    let generator = Generator::of(Mix::Of(Family::Agent), 7);
    for number in 0..300 {
        let case = generator.case(number);
        assert_eq!(case.validate(), Ok(()), "{}", case.to_yaml());
        assert_eq!(case.family(), Family::Agent);
        assert_eq!(generator.case(number), case);
    }
}

/// As many cases as a default run draws, and some more.
#[test]
fn the_traps_come_up() {
    let generator = Generator::of(Mix::Of(Family::Agent), 11);
    let mut coverage = Coverage::default();
    for number in 0..1_200 {
        let case = generator.case(number);
        let expected = Expected::of(&case).unwrap();
        coverage.observe(&case, &expected.canonical);
    }
    let rare: BTreeSet<&str> = coverage
        .counts
        .iter()
        .filter(|(trap, count)| trap.starts_with("agent") && **count < 5)
        .map(|(trap, _)| *trap)
        .collect();
    assert_eq!(rare, BTreeSet::new());
}

#[test]
fn a_clause_is_verified_by_traps_that_are_counted() {
    let case = Generator::of(Mix::Of(Family::Agent), 1).case(0);
    let mut coverage = Coverage::default();
    coverage.observe(&case, &Expected::of(&case).unwrap().canonical);
    let mut answered = crate::case::Case::of("a", "a", "grep", serde_json::json!({"pattern": "x"}));
    answered.tree.push(crate::case::Entry::file("a", "x"));
    coverage.observe(&answered, &Expected::of(&answered).unwrap().canonical);
    for (_, trap) in crate::gate::clauses::by_trap(Family::Agent) {
        assert!(coverage.counts.contains_key(trap), "{trap}");
    }
}
