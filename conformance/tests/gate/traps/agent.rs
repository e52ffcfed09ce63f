//! Traps of the agent's tools.

use std::collections::BTreeSet;

use touchstone::case::{Case, Entry};
use touchstone::coverage::Coverage;
use touchstone::expected::Expected;
use touchstone::family::Family;
use touchstone::gate::clauses::by_trap;
use touchstone::generate::{Generator, Mix};

/// As many cases as a default run draws, and some more.
#[test]
fn every_trap_occurs_often_enough() {
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
fn every_trap_that_verifies_a_clause_is_counted() {
    let case = Generator::of(Mix::Of(Family::Agent), 1).case(0);
    let mut coverage = Coverage::default();
    coverage.observe(&case, &Expected::of(&case).unwrap().canonical);
    let mut answered = Case::of("a", "a", "grep", serde_json::json!({"pattern": "x"}));
    answered.tree.push(Entry::file("a", "x"));
    coverage.observe(&answered, &Expected::of(&answered).unwrap().canonical);
    for (_, trap) in by_trap(Family::Agent) {
        assert!(coverage.counts.contains_key(trap), "{trap}");
    }
}
