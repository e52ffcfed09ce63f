//! What comes out of the generators, measured.

use super::expression::escaped;
use super::{Generator, expression};
use crate::case::{Case, Tables};

const SEED: u64 = 20;

fn answer(case: &Case) -> touchstone_model::Allowed {
    let config = case.config_by(Tables::CURRENT);
    touchstone_model::search(&case.world(), &config, &case.tool, &case.request)
}

#[test]
fn the_same_seed_and_number_give_the_same_case_in_any_order() {
    let (forwards, backwards) = (Generator::new(7), Generator::new(7));
    let first: Vec<Case> = (0..60).map(|number| forwards.case(number)).collect();
    let mut second: Vec<Case> = (0..60).rev().map(|number| backwards.case(number)).collect();
    second.reverse();
    assert_eq!(first, second);
}

#[test]
fn another_seed_or_number_gives_another_case() {
    let bodies: std::collections::BTreeSet<String> = [1, 2]
        .into_iter()
        .flat_map(|seed| (0..50).map(move |number| Generator::new(seed).case(number)))
        .map(|case| Case { id: "x".to_owned(), ..case }.to_yaml())
        .collect();
    assert!(bodies.len() > 95, "only {} of 100 differ", bodies.len());
}

#[test]
fn every_generated_case_is_well_formed_and_survives_storing() {
    let generator = Generator::new(SEED);
    for number in 0..600 {
        let case = generator.case(number);
        case.validate().unwrap_or_else(|malformed| panic!("{malformed}\n{}", case.to_yaml()));
        let read = Case::parse(&case.to_yaml(), std::path::Path::new("case.yaml")).unwrap();
        assert_eq!(read.to_yaml(), case.to_yaml());
        assert_eq!(read.world(), case.world());
        assert_eq!(read.request, case.request);
    }
}

#[test]
fn many_cases_of_many_seeds_can_be_drawn() {
    for seed in 0..40 {
        let generator = Generator::new(seed);
        for number in 0..400 {
            let case = generator.case(number);
            assert_eq!(case.validate(), Ok(()), "{}", case.to_yaml());
            assert!(!case.title.starts_with("not drawn"), "{}", case.title);
        }
    }
}

#[test]
fn generated_trees_are_small() {
    let generator = Generator::new(SEED);
    for number in 0..600 {
        let case = generator.case(number);
        let (entries, bytes) = case.size();
        let chain = case.tree.iter().any(|entry| entry.path.starts_with(b"c3"));
        // What lies above the sandbox root comes on top.
        let most = if case.config.root.is_empty() { 10 } else { 16 };
        assert!(entries <= most || chain, "{entries} entries\n{}", case.to_yaml());
        assert!(bytes < 3 << 20, "{bytes} bytes\n{}", case.to_yaml());
    }
}

#[test]
fn every_pattern_of_the_refused_list_is_refused() {
    for pattern in expression::REFUSED {
        let case = Case::new("refused", "refused", serde_json::json!({ "pattern": pattern }));
        let allowed = answer(&case);
        let refusal = allowed.canonical().as_ref().expect_err(pattern);
        assert_eq!(
            (refusal.class.as_str(), refusal.field.as_str()),
            ("BadArgs", "pattern"),
            "{pattern}"
        );
    }
}

#[test]
fn an_escaped_word_matches_itself_as_an_expression() {
    for word in ["a.b", "a*b", "(", "[", "\\", "$", "^", "|", "{", "}", "#", "&", "~", "-", "foo"] {
        let case = Case::new("escaped", "escaped", serde_json::json!({ "pattern": escaped(word) }))
            .with(crate::case::Entry::file("f", format!("x\n{word}\ny\n")));
        let allowed = answer(&case);
        let answer =
            allowed.canonical().as_ref().unwrap_or_else(|refusal| panic!("{word}: {refusal:?}"));
        assert_eq!(answer.events.len(), 1, "{word}");
    }
}
