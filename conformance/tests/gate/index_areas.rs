//! A sample of the suite `index-model`, as much of it as an unoptimised test may take.
//!
//! Responsible for: every area once, with few drawn inputs and single triggers. Not here:
//! the suite itself, which runs everything; longer sequences of ticks (`index_machine`); whether a
//! wrong table would be noticed (`index_mutants`).

use touchstone::index_model::{Area, Extent, Reading, check};

fn conforms(area: Area) {
    let checked =
        check(area, &Reading::current().unwrap(), Extent { seed: 7, ..Extent::SAMPLE }, &|_| ());
    let told: Vec<String> =
        checked.faults.iter().map(|fault| format!("{}\n{}", fault.what, fault.told)).collect();
    assert!(told.is_empty(), "{}", told.join("\n\n"));
    assert!(checked.cases > 0);
}

#[test]
fn the_state_machines_agree_in_every_status() {
    conforms(Area::Machine);
}

#[test]
fn texts_have_the_grams_of_the_model() {
    conforms(Area::Tokens);
}

#[test]
fn scalars_fold_as_in_the_model() {
    conforms(Area::Folds);
}

#[test]
fn filters_agree_with_the_model_bit_for_bit() {
    conforms(Area::Filters);
}

#[test]
fn literals_exclude_the_same_files_as_in_the_model() {
    conforms(Area::Exclusion);
}

#[test]
fn postings_answer_like_filters() {
    conforms(Area::Postings);
}

#[test]
fn files_excluded_by_an_expression_hold_no_match() {
    conforms(Area::Planner);
}

#[test]
fn index_decisions_agree_with_the_model() {
    conforms(Area::Decisions);
}

#[test]
fn configuration_is_as_specified() {
    conforms(Area::Settings);
}
