use super::*;
use crate::index::{
    filter::Filter,
    plan,
    tokens::{Parameters, Tokenizer, folded},
};

const TEXTS: [&str; 6] =
    ["fn main() {}\n", "FN MAIN\n", "struct Wörter;\n", "", "aaaaaaa", "let x = main;\n"];

/// A filter so small that grams share bits.
fn crowded() -> FilterParameters {
    FilterParameters { bits: 61, hashes: 3, seed: crate::index::filter::DEFAULT_SEED }
}

fn grams() -> Vec<Vec<Gram>> {
    let mut tokenizer = Tokenizer::new(Parameters { max_bytes: 1 << 20, ngram: 3 });
    TEXTS.iter().map(|text| tokenizer.tokenize(text.as_bytes()).grams).collect()
}

fn postings(grams: &[Vec<Gram>]) -> Postings {
    Postings::build(crowded(), Fold::Ascii, (0..).zip(grams.iter().map(Vec::as_slice)))
}

fn filter(grams: &[Gram], variant: Variant) -> Filter {
    match variant {
        Variant::Sensitive => Filter::build(&crowded(), grams),
        Variant::Insensitive => Filter::build(&crowded(), &folded(grams, Fold::Ascii)),
    }
}

#[test]
fn a_filter_rebuilt_from_postings_equals_the_one_built_from_the_text() {
    let grams = grams();
    let postings = postings(&grams);
    for variant in [Variant::Sensitive, Variant::Insensitive] {
        for (file, grams) in (0..).zip(&grams) {
            assert_eq!(postings.packed(variant, file), filter(grams, variant).as_bytes());
        }
    }
}

#[test]
fn postings_pass_a_gram_exactly_where_the_filter_does() {
    let grams = grams();
    let postings = postings(&grams);
    let mut wrong = 0;
    for variant in [Variant::Sensitive, Variant::Insensitive] {
        for asked in grams.iter().flatten().map(|gram| postings.image(*gram, variant)) {
            let by_filter: Vec<FileId> = (0..)
                .zip(&grams)
                .filter(|(_, grams)| filter(grams, variant).passes(&crowded(), asked))
                .map(|(file, _)| file)
                .collect();
            assert_eq!(postings.passing(variant, asked), by_filter);
            let holds = |grams: &Vec<Gram>| {
                grams.iter().any(|gram| postings.image(*gram, variant) == asked)
            };
            wrong += by_filter.len() - grams.iter().filter(|grams| holds(grams)).count();
        }
    }
    assert!(wrong > 0, "the filters were too roomy to show anything");
}

#[test]
fn postings_find_the_files_whose_filters_meet_a_need() {
    let grams = grams();
    let postings = postings(&grams);
    let need = plan::literal("main", true, Fold::Ascii, 3);
    let met: Vec<FileId> = (0..)
        .zip(&grams)
        .filter(|(_, grams)| {
            need.met(&mut |variant, gram| filter(grams, variant).passes(&crowded(), gram))
        })
        .map(|(file, _)| file)
        .collect();
    assert_eq!(postings.meeting(&need), met);
    for file in [0, 1, 5] {
        assert!(met.contains(&file));
    }
}
