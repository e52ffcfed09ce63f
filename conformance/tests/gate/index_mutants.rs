//! A wrong table would be noticed: a sample of all changes of the index's tables.
//!
//! Not here: all changes, which `touchstone spec mutate` tries in a few minutes.

use touchstone::index_model::mutants::run;
use touchstone::index_model::{Extent, Reading};
use touchstone::mutants::Sample;

#[test]
fn every_sampled_mutant_is_noticed() {
    let extent = Extent { triggers: 2, ..Extent::SAMPLE };
    let sample = Sample { size: Some(150), seed: 0 };
    let outcome = run(&Reading::current().unwrap(), sample, extent, &|_| ()).unwrap();
    assert!(outcome.is_clean(), "{:#?}\n{:#?}", outcome.survivors, outcome.stale);
    assert!(outcome.killed() > 100, "{outcome:?}");
}
