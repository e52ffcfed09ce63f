//! The index's mathematics, asked of production and of the model alike, and held against a third
//! reading.
//!
//! Responsible for: every number of `golden/index`: what a file is tokenized to, its grams and
//! their bits, its two filters packed, what a literal needs, and which literals exclude which file.
//! The answers were worked out in Python, apart from both readings in Rust. Not here:
//! drawn inputs (the suite `index-model`), what the numbers are good for (`clauses_index_*`).
//! Invariants: an answer that neither side is asked for is an offence, too; all offences are listed
//! at once.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs;
use std::path::PathBuf;

use crate::index_oracle::{Answer, Literal, Packed, Set, TABLES, asked, literals};
use forge_search_core::index::filter::Filter;
use forge_search_core::index::fold::Fold;
use forge_search_core::index::gram::Gram;
use forge_search_core::index::need::{Need, Variant};
use forge_search_core::index::plan;
use forge_search_core::index::postings::Postings;
use forge_search_core::index::tokens::{Parameters, TokenStatus, Tokenizer, folded};
use forge_search_core::pattern::Pattern;
use forge_search_core::request::{Builder as _, CaseMode, Limits, Request};
use touchstone::golden;
use touchstone_model::index::tables::Fold as ModelFold;
use touchstone_model::index::{exclusion, filter, tokens};

const CASES: [&str; 3] = ["sensitive", "insensitive", "smart"];

/// The variants as they are named, with production's and the model's values.
const VARIANTS: [(&str, Variant, exclusion::Variant); 2] = [
    ("SENSITIVE", Variant::Sensitive, exclusion::Variant::Sensitive),
    ("INSENSITIVE", Variant::Insensitive, exclusion::Variant::Insensitive),
];

/// Production's and the model's fold of this name.
fn fold(name: &str) -> (Fold, ModelFold) {
    match name {
        "ASCII" => (Fold::Ascii, ModelFold::Ascii),
        "UNICODE_SIMPLE" => (Fold::UnicodeSimple, ModelFold::UnicodeSimple),
        other => panic!("`{other}` is no fold"),
    }
}

fn gram(text: &str) -> Gram {
    Gram::new(&text.chars().collect::<Vec<_>>()).unwrap_or_else(|| panic!("{text:?} is no gram"))
}

fn spelt(scalars: impl IntoIterator<Item = char>) -> String {
    scalars.into_iter().collect()
}

/// The answers of both sides about one text under one set, where they differ from the oracle's.
struct Held {
    about: String,
    offences: Vec<String>,
}

impl Held {
    /// Notes what production and the model say if either is not what is expected.
    fn both<T: PartialEq + Debug>(&mut self, what: &str, expected: &T, production: &T, model: &T) {
        for (side, says) in [("production", production), ("the model", model)] {
            if says != expected {
                self.offences.push(format!(
                    "{}: {what}: {side} says {} and not {}",
                    self.about,
                    short(says),
                    short(expected)
                ));
            }
        }
    }
}

/// A value, cut to a readable length.
fn short(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    if text.chars().count() <= 300 {
        text
    } else {
        format!("{}...", text.chars().take(300).collect::<String>())
    }
}

/// Holds both sides to the oracle for every text and set; `one` is told the text's bytes and what
/// is expected.
fn hold(mut one: impl FnMut(&mut Held, &[u8], &Answer)) {
    let asked = asked();
    let mut offences = Vec::new();
    let mut answers = 0;
    for text in &asked.texts {
        let (bytes, expected) = (text.bytes(), text.expected());
        assert_eq!(bytes.len(), expected.length, "{}", text.id);
        let sets: BTreeSet<&String> = expected.answers.keys().collect();
        assert_eq!(sets, text.with.iter().collect(), "{} is not answered for its sets", text.id);
        for (set, answer) in &expected.answers {
            assert_eq!(answer.parameters, asked.parameters[set], "{} in {set}", text.id);
            let mut held = Held { about: format!("{} in {set}", text.id), offences: Vec::new() };
            one(&mut held, &bytes, answer);
            offences.append(&mut held.offences);
            answers += 1;
        }
    }
    assert!(offences.is_empty(), "{} offences:\n{}", offences.len(), offences.join("\n"));
    assert!(answers >= 80, "only {answers} answers");
}

/// What each side makes of a text.
struct Tokenized {
    production: forge_search_core::index::tokens::Tokens,
    model: tokens::Tokens,
}

fn tokenized(bytes: &[u8], set: &Set) -> Tokenized {
    let parameters = Parameters { max_bytes: set.max_tokenized_bytes, ngram: set.ngram_k };
    let ours = tokens::Parameters {
        max_tokenized_bytes: set.max_tokenized_bytes,
        ngram: set.ngram_k as u64,
    };
    Tokenized {
        production: Tokenizer::new(parameters).tokenize(bytes),
        model: tokens::tokenize(&TABLES.text, &ours, bytes),
    }
}

impl Tokenized {
    /// The grams of a variant, in order, by both sides.
    fn grams(&self, variant: Variant, set: &Set) -> (Vec<Gram>, tokens::Grams) {
        let (theirs, ours) = fold(&set.fold);
        match variant {
            Variant::Sensitive => (self.production.grams.clone(), self.model.sensitive.clone()),
            Variant::Insensitive => (
                folded(&self.production.grams, theirs),
                tokens::fold(&TABLES.text, ours, &self.model.sensitive),
            ),
        }
    }
}

fn status(model: tokens::TokenStatus) -> &'static str {
    match model {
        tokens::TokenStatus::Full => TokenStatus::Full.name(),
        tokens::TokenStatus::SkippedTooLarge => TokenStatus::SkippedTooLarge.name(),
        tokens::TokenStatus::SkippedEncoding => TokenStatus::SkippedEncoding.name(),
        tokens::TokenStatus::SkippedBinary => TokenStatus::SkippedBinary.name(),
    }
}

#[test]
fn every_text_is_tokenized_as_by_the_oracle() {
    touchstone::verifies!("T-LSI-TOK-01", "FR-LSI-TOK-01", "FR-LSI-TOK-05");
    hold(|held, bytes, answer| {
        let both = tokenized(bytes, &answer.parameters);
        let (theirs, ours) = (&both.production, &both.model);
        let expected = answer.token_status.as_str();
        held.both("token_status", &expected, &theirs.status.name(), &status(ours.status));
        held.both("token_complete", &answer.token_complete, &theirs.complete, &ours.complete);
        held.both(
            "tokenized_bytes",
            &answer.tokenized_bytes,
            &theirs.tokenized_bytes,
            &ours.tokenized_bytes,
        );
        // A set of grams has at most one for each window, and none if there is no window.
        for grams in [theirs.grams.len(), ours.sensitive.len()] {
            assert!(
                grams <= answer.windows && (grams == 0) == (answer.windows == 0),
                "{}",
                held.about
            );
        }
    });
}

#[test]
fn every_text_has_the_grams_of_the_oracle() {
    touchstone::verifies!("T-LSI-TOK-01", "FR-LSI-TOK-05", "FR-LSI-BLOOM-04");
    hold(|held, bytes, answer| {
        let both = tokenized(bytes, &answer.parameters);
        for (name, variant, _) in VARIANTS {
            let (theirs, ours) = both.grams(variant, &answer.parameters);
            let expected: Vec<&String> = answer.grams[name].iter().map(|(gram, _)| gram).collect();
            let theirs: Vec<String> =
                theirs.into_iter().map(|gram| spelt(gram.scalars())).collect();
            let ours: Vec<String> = ours.into_iter().map(spelt).collect();
            held.both(name, &expected, &theirs.iter().collect(), &ours.iter().collect());
        }
    });
}

#[test]
fn texts_declared_equal_have_the_same_grams() {
    touchstone::verifies!("T-LSI-TOK-02", "T-LSI-TOK-03");
    let asked = asked();
    let find = |id: &str| asked.texts.iter().find(|text| text.id == id).unwrap();
    let mut pairs = 0;
    for text in &asked.texts {
        let Some(other) = text.same_grams_as.as_deref().map(find) else { continue };
        for set in text.with.intersection(&other.with).map(|set| &asked.parameters[set]) {
            let (one, other) = (tokenized(&text.bytes(), set), tokenized(&other.bytes(), set));
            assert!(one.production.grams == other.production.grams, "{}", text.id);
            assert!(one.model.sensitive == other.model.sensitive, "{}", text.id);
            pairs += 1;
        }
    }
    assert!(pairs >= 5, "only {pairs} pairs");
}

#[test]
fn filter_sizes_and_probes_equal_those_of_the_oracle() {
    touchstone::verifies!(
        "FR-LSI-BLOOM-01",
        "FR-LSI-BLOOM-01.n",
        "FR-LSI-BLOOM-02",
        "T-LSI-BLOOM-03"
    );
    hold(|held, _, answer| {
        let (theirs, ours) = (answer.parameters.production(), answer.parameters.model());
        assert_eq!(ours.basis, answer.n, "{}: n", held.about);
        held.both("m", &answer.m, &theirs.bits, &ours.bits);
        held.both("k_hashes", &answer.k_hashes, &u64::from(theirs.hashes), &ours.hashes);
        let stored = filter::stored_seed(answer.parameters.seed());
        assert_eq!(stored, answer.hash_seed_stored, "{}: the stored seed", held.about);
        for (text, expected) in answer.grams.values().flatten() {
            let scalars: Vec<char> = text.chars().collect();
            let production: Vec<u64> = theirs.probes(gram(text)).collect();
            held.both(
                &format!("probes of {text:?}"),
                expected,
                &production,
                &ours.probes(&scalars),
            );
        }
    });
}

/// A packed filter as the oracle describes it; `wants_hex` as it says.
fn described(bytes: &[u8], wants_hex: bool) -> Packed {
    let hex = || -> Vec<String> {
        let digits =
            bytes.iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"));
        digits.as_bytes().chunks(96).map(|line| String::from_utf8(line.to_vec()).unwrap()).collect()
    };
    Packed {
        bits_set: bytes.iter().map(|byte| u64::from(byte.count_ones())).sum(),
        bytes: bytes.len(),
        hex: wants_hex.then(hex),
        xxh64: format!("{:016x}", xxhash_rust::xxh64::xxh64(bytes, 0)),
    }
}

#[test]
fn packed_filters_equal_the_oracle_built_whole_or_from_postings() {
    touchstone::verifies!("T-LSI-BLOOM-01", "FR-LSI-BLOOM-03", "FR-LSI-BLOOM-04", "T-LSI-TOK-01");
    hold(|held, bytes, answer| {
        let both = tokenized(bytes, &answer.parameters);
        let (theirs, ours) = (answer.parameters.production(), answer.parameters.model());
        let fold = fold(&answer.parameters.fold).0;
        // Neighbours, of which nothing may get into the file's own filter.
        let mut tokenizer =
            Tokenizer::new(Parameters { max_bytes: 4096, ngram: answer.parameters.ngram_k });
        let [before, after] = [&b"neighbour before"[..], b"One NEIGHBOUR after"]
            .map(|text| tokenizer.tokenize(text).grams);
        let files = [(3, &before[..]), (5, &both.production.grams[..]), (9, &after[..])];
        let postings = Postings::build(theirs, fold, files);
        for (name, variant, _) in VARIANTS {
            let expected = &answer.packed[name];
            let (grams, model) = both.grams(variant, &answer.parameters);
            let whole = Filter::build(&theirs, &grams);
            let describe = |bytes: &[u8]| described(bytes, expected.hex.is_some());
            held.both(name, expected, &describe(whole.as_bytes()), &describe(&ours.packed(&model)));
            let rebuilt = postings.packed(variant, 5);
            held.both(
                &format!("{name} from postings"),
                expected,
                &describe(&rebuilt),
                &describe(&rebuilt),
            );
        }
    });
}

/// The request for a literal; refused if it holds a line feed, or is too short to be fuzzy.
fn compiled(literal: &Literal, case: &str) -> Option<Pattern> {
    let limits = Limits {
        default_timeout_ms: 1_000,
        default_max_results: 1_000,
        max_matches_per_file: None,
        max_files: 1_000,
        max_file_size_bytes: 1 << 20,
        max_output_bytes: 1 << 20,
        reading: forge_search_core::request::Reading::Documents,
    };
    let case = CaseMode::named(case).unwrap();
    let request = Request::builder(&literal.pattern, &limits).fixed_strings(true).case(case);
    let request = if literal.fuzzy { request.fuzzy(1) } else { request };
    Some(request.build().ok()?.matcher)
}

fn is_insensitive(literal: &Literal, case: &str) -> bool {
    literal.variant[case] == "INSENSITIVE"
}

/// A need that is grams of one variant, as the oracle writes it.
fn listed(need: &Need, id: &str) -> Option<(Variant, Vec<String>)> {
    let parts = match need {
        Need::Nothing => return None,
        Need::All(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut variants = BTreeSet::new();
    let grams = parts.iter().map(|part| match part {
        Need::Gram(variant, gram) => {
            variants.insert(*variant);
            spelt(gram.scalars())
        }
        other => panic!("{id}: a literal needs {other:?}"),
    });
    let grams = grams.collect();
    assert_eq!(variants.len(), 1, "{id}");
    variants.first().map(|variant| (*variant, grams))
}

/// What the model needs of a literal.
fn modelled(
    literal: &Literal,
    case: &str,
    fold: ModelFold,
    ngram: usize,
) -> Option<exclusion::Need> {
    let asked = exclusion::Literal {
        pattern: &literal.pattern,
        insensitive: is_insensitive(literal, case),
        fold,
        fuzzy: literal.fuzzy,
    };
    exclusion::needed(&TABLES.exclusion, &TABLES.text, &asked, ngram as u64)
}

/// What production needs of a literal: of the request where there is one, and of the bare pattern,
/// which is the same.
fn planned(literal: &Literal, case: &str, fold: Fold, ngram: usize) -> Need {
    let insensitive = is_insensitive(literal, case);
    let bare = || plan::literal(&literal.pattern, insensitive, fold, ngram);
    match compiled(literal, case) {
        Some(pattern) => {
            let need = pattern.need(fold, ngram);
            assert!(literal.fuzzy || need == bare(), "{} is planned in two ways", literal.id);
            need
        }
        // No search takes a line feed; the planner does.
        None => bare(),
    }
}

#[test]
fn literals_need_the_grams_of_the_oracle() {
    touchstone::verifies!("FR-LSI-BLOOM-Q-01", "FR-LSI-CAND-LIT-05", "FR-LSI-CAND-FZ-01");
    let literals = literals();
    assert!(literals.len() > 40, "only {} patterns", literals.len());
    let mut refused = 0;
    for literal in &literals {
        for case in CASES {
            refused += usize::from(compiled(literal, case).is_none());
            for (name, expected) in &literal.needed[case] {
                let (theirs, ours) = fold(name);
                let id = format!("{}, {case}, {name}", literal.id);
                let variant =
                    VARIANTS.iter().find(|(name, ..)| literal.variant[case] == *name).unwrap();
                let need = listed(&planned(literal, case, theirs, literal.ngram_k), &id);
                assert_eq!(
                    need,
                    expected.clone().map(|grams| (variant.1, grams)),
                    "{id}: production"
                );
                let need = modelled(literal, case, ours, literal.ngram_k)
                    .map(|need| (need.variant, need.grams.into_iter().map(spelt).collect()));
                assert_eq!(
                    need,
                    expected.clone().map(|grams| (variant.2, grams)),
                    "{id}: the model"
                );
            }
        }
    }
    // The empty pattern and two with a line feed, in three cases each.
    assert_eq!(refused, 9, "other patterns are refused than those that should be");
}

#[test]
fn files_are_excluded_by_the_literals_of_the_oracle() {
    touchstone::verifies!(
        "FR-LSI-BLOOM-Q-02",
        "FR-LSI-CAND-LIT-02",
        "FR-LSI-CAND-LIT-03",
        "ALG-LSI-E1"
    );
    let literals = literals();
    let mut pairs = 0;
    hold(|held, bytes, answer| {
        let set = &answer.parameters;
        let both = tokenized(bytes, set);
        let (theirs, ours) = (set.production(), set.model());
        let (their_fold, our_fold) = fold(&set.fold);
        let filters =
            VARIANTS.map(|(_, variant, _)| Filter::build(&theirs, &both.grams(variant, set).0));
        let packed = exclusion::Filters::of(&TABLES.text, &ours, &both.model, our_fold);
        for case in CASES {
            let (mut production, mut model, mut by_grams) =
                (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
            for literal in &literals {
                let id = literal.id.clone();
                let need = planned(literal, case, their_fold, set.ngram_k);
                let mut passes = |variant: Variant, gram: Gram| {
                    filters[usize::from(variant == Variant::Insensitive)].passes(&theirs, gram)
                };
                if both.production.complete && !need.met(&mut passes) {
                    production.insert(id.clone());
                }
                let need = modelled(literal, case, our_fold, set.ngram_k);
                if exclusion::excluded(
                    &TABLES.exclusion,
                    &ours,
                    need.as_ref(),
                    &both.model,
                    &packed,
                ) {
                    model.insert(id.clone());
                }
                let tables = (&TABLES.exclusion, &TABLES.text);
                if exclusion::excluded_by_grams(
                    tables.0,
                    tables.1,
                    &ours,
                    need.as_ref(),
                    &both.model,
                    our_fold,
                ) {
                    by_grams.insert(id);
                }
            }
            held.both(&format!("excluded, {case}"), &answer.excluded[case], &production, &model);
            held.both(
                &format!("excluded by grams, {case}"),
                &answer.excluded[case],
                &by_grams,
                &by_grams,
            );
            pairs += answer.excluded[case].len();
        }
    });
    assert!(pairs > 2_000, "only {pairs} exclusions");
}

#[test]
fn every_answer_file_of_the_oracle_belongs_to_a_text() {
    let texts: BTreeSet<String> =
        asked().texts.into_iter().map(|text| format!("{}.json", text.id)).collect();
    let directory: PathBuf = golden::directory("index").join("expected");
    let files = fs::read_dir(directory).expect("the answers are there");
    let files: BTreeSet<String> =
        files.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(files, texts);
}
