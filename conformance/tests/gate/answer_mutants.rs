//! A wrong table would be noticed: a sample of all changes of the tables that answers are made by.
//!
//! Not here: all changes, which `touchstone spec mutate` tries.

use touchstone::case::Tables;
use touchstone::generate::edges::edges;
use touchstone::generate::many::many;
use touchstone::mutants::Sample;
use touchstone::mutants::answers::{Extent, run};
use touchstone::mutants::facts;

use crate::clauses_agent::asked::asked;

#[test]
fn every_sampled_mutant_is_noticed() {
    for table in ["search.orders", "search.caps", "search.notes"] {
        let extent = Extent { drawn: 0, seed: 0, threads: 2, table };
        let outcome = run(Sample { size: Some(12), seed: 0 }, extent, &|_| ()).unwrap();
        assert!(outcome.killed() >= 5, "{outcome:#?}");
        assert!(outcome.is_clean(), "{:#?}\n{:#?}", outcome.survivors, outcome.stale);
    }
}

#[test]
fn the_tables_agree_with_the_constants_of_production() {
    assert_eq!(facts::of_tables(Tables::CURRENT), facts::production());
}

#[test]
fn cases_at_the_edges_of_the_tables_agree_with_the_model() {
    for case in edges() {
        asked(&case).ok();
    }
}

#[test]
fn cases_beyond_the_counting_limits_agree_with_the_model() {
    touchstone::verifies!("FR-015b-06", "E-I17");
    for case in many() {
        asked(&case).unwrap();
    }
}
