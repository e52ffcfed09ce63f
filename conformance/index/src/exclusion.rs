//! Literals: what they need, and which files that excludes.
//!
//! Responsible for: holding the needed grams of patterns, and the files that these exclude, against
//! each other; for patterns out of the texts and near them, both variants, both folds, both sizes
//! of grams, filters from a few bits to the default size; and whether a request's own way to its
//! need (`case`, `word_regexp`, `fuzzy`) leads to the same. Not here: expressions, which only
//! production plans, and whether an exclusion is right (`planner`). Invariants: known traps come
//! first.

use std::collections::BTreeSet;

use forge_search_core::index::filter::{Filter, FilterParameters};
use forge_search_core::index::need::{Need, Variant as TheirVariant};
use forge_search_core::index::plan;
use forge_search_core::index::tokens as production;
use serde_json::json;
use touchstone_cases::case::escape;
use touchstone_cases::dice::Dice;
use touchstone_model::index::exclusion::{self as model, Filters, Literal, Variant};
use touchstone_model::index::tables::{Fold, IndexTables};
use touchstone_model::index::tokens::{self as model_tokens, Grams};

use super::filters::scheme;
use super::tokens::{FOLDS, SIZES, TheirFold};
use super::{Area, AreaReport, Extent, patterns, texts};

/// Patterns with a trap, and a text for each.
const TRAPS: &[(&str, &str)] = &[
    ("abc", "xabcx"),
    ("abc", "xabx"),
    ("ab", "ab"),
    ("a", "b"),
    ("", "abc"),
    ("ABC", "abc"),
    ("abc", "ABC"),
    ("caf\u{e9}", "caf\u{e9}"),
    ("cafe\u{301}", "cafe\u{301}"),
    ("cafe\u{301}", "caf\u{e9}"),
    ("\u{301}abc", "abc"),
    // Folding makes the second one composable.
    ("\u{212a}\u{327}x", "k\u{327}x"),
    ("I\u{307}xyz", "i\u{307}xyz"),
    ("abc\r", "abc\r\n"),
    ("abc\rdef", "abc\rdef"),
    ("a\rb", "a\rb"),
    ("ab\rcd", "xyz"),
    ("abc\ndef", "abc\ndef"),
    ("ab\ncd", "xyz"),
    ("a\nb", "xyz"),
    ("abc\u{fffd}def", "abc\u{fffd}def"),
    ("ab\u{fffd}cd", "xyz"),
    ("\u{fffd}\u{fffd}\u{fffd}", "xyz"),
    ("k\u{17f}\u{212a}", "KSK"),
    ("\u{feff}abc", "\u{feff}abc"),
    ("\u{1100}\u{1161}x", "\u{ac00}x"),
    ("\u{3c3}\u{3c2}\u{3a3}", "\u{3a3}\u{3a3}\u{3a3}"),
];

/// One question: a text, a pattern, and how it is asked.
#[derive(Debug, Clone)]
struct Question {
    text: Vec<u8>,
    pattern: String,
    insensitive: bool,
    fold: (Fold, TheirFold),
    ngram: u64,
    parameters: FilterParameters,
}

/// Holds production's exclusion against the model's over these tables.
pub(crate) fn check(
    tables: &IndexTables<'_>,
    extent: Extent,
    tick: &(dyn Fn(u64) + Sync),
) -> AreaReport {
    let mut checked = AreaReport::of(Area::Exclusion);
    let mut excluded = 0_u64;
    let traps =
        TRAPS.iter().map(|(pattern, text)| ((*pattern).to_owned(), text.as_bytes().to_vec()));
    let drawn = (0..u64::from(extent.drawn)).map(|number| {
        let mut dice = Dice::new(!extent.seed, number);
        let text = texts::drawn(&mut dice);
        // Now and then out of another text, so that most of its grams are not in this one.
        let other = if dice.once_in(3) { texts::drawn(&mut dice) } else { text.clone() };
        (pattern(&mut dice, &other), text)
    });
    for (number, (pattern, text)) in (0_u64..).zip(traps.chain(drawn)) {
        let mut dice = Dice::new(extent.seed.rotate_left(7), number);
        for (insensitive, fold) in [(false, FOLDS[0]), (true, FOLDS[0]), (true, FOLDS[1])] {
            for ngram in SIZES {
                let parameters = parameters(&mut dice);
                let (pattern, text) = (pattern.clone(), text.clone());
                let question = Question { text, pattern, insensitive, fold, ngram, parameters };
                checked.cases += 1;
                if let Ok(outcome) = compared(tables, &question) {
                    excluded += u64::from(outcome);
                } else {
                    let question = smallest(tables, question);
                    let told = compared(tables, &question).err().unwrap_or_default();
                    checked.fault(
                        "model and production differ",
                        format!("{}\n{told}", asked(&question)),
                    );
                    return checked;
                }
            }
        }
        if let Err(told) = requested(tables, &pattern) {
            checked.fault("a request's need is another", told);
            return checked;
        }
        if number % 500 == 0 {
            tick(3_000);
        }
    }
    checked.fact(format!("{} questions, {excluded} of them exclude the file", checked.cases));
    checked
}

/// A small filter as a rule, so that grams pass that are not there; now and then a large one.
fn parameters(dice: &mut Dice) -> FilterParameters {
    let bits = dice.pick(&[13, 61, 61, 509, 1_021, 65_536], 61);
    let hashes = dice.pick(&[1, 2, 3, 7], 3);
    FilterParameters { bits, hashes, seed: dice.pick(&super::filters::SEEDS, 1) }
}

/// A run of the text, as it is or changed a little, or characters from elsewhere.
fn pattern(dice: &mut Dice, text: &[u8]) -> String {
    let characters: Vec<char> = String::from_utf8_lossy(text).chars().collect();
    let start = dice.below(characters.len());
    let mut cut: Vec<char> = characters.into_iter().skip(start).take(1 + dice.below(8)).collect();
    match dice.below(6) {
        0 | 1 => {}
        2 => cut = cut.into_iter().flat_map(char::to_uppercase).collect(),
        3 => cut = cut.into_iter().flat_map(char::to_lowercase).collect(),
        4 => {
            let place = dice.below(cut.len() + 1);
            cut.insert(place, dice.pick(&['q', '\u{301}', '\r', '\u{fffd}', 'K', '\u{212a}'], 'q'));
        }
        _ => {
            let place = dice.below(cut.len());
            if place < cut.len() {
                cut.remove(place);
            }
        }
    }
    cut.into_iter().collect()
}

/// Whether the file is excluded, if both say the same about everything on the way there.
fn compared(tables: &IndexTables<'_>, question: &Question) -> Result<bool, String> {
    let Question { text, pattern, insensitive, fold: (fold, other_fold), ngram, parameters } =
        question;
    let size = usize::try_from(*ngram).unwrap_or(3);
    let literal = Literal { pattern, insensitive: *insensitive, fold: *fold, fuzzy: false };
    let ours = model::needed(&tables.exclusion, &tables.text, &literal, *ngram);
    let theirs = plan::literal(pattern, *insensitive, *other_fold, size);
    same_need(ours.as_ref(), &theirs)?;

    let max_tokenized_bytes = 1 << 20;
    let parameters_of_ours = model_tokens::Parameters { max_tokenized_bytes, ngram: *ngram };
    let our_tokens = model_tokens::tokenize(&tables.text, &parameters_of_ours, text);
    let scheme = scheme(&tables.filter, *parameters);
    let filters = Filters::of(&tables.text, &scheme, &our_tokens, *fold);
    let by_bits = model::excluded(&tables.exclusion, &scheme, ours.as_ref(), &our_tokens, &filters);
    let by_grams = model::excluded_by_grams(
        &tables.exclusion,
        &tables.text,
        &scheme,
        ours.as_ref(),
        &our_tokens,
        *fold,
    );

    let mut tokenizer = production::Tokenizer::new(production::Parameters {
        max_bytes: max_tokenized_bytes,
        ngram: size,
    });
    let their_tokens = tokenizer.tokenize(text);
    let sensitive = Filter::build(parameters, &their_tokens.grams);
    let insensitive =
        Filter::build(parameters, &production::folded(&their_tokens.grams, *other_fold));
    let met = theirs.met(&mut |variant, gram| match variant {
        TheirVariant::Sensitive => sensitive.passes(parameters, gram),
        TheirVariant::Insensitive => insensitive.passes(parameters, gram),
    });
    let known = their_tokens.status == production::TokenStatus::Full && their_tokens.complete;
    let by_production = known && !met;
    if by_bits == by_grams && by_bits == by_production {
        return Ok(by_bits);
    }
    Err(format!(
        "excluded    model: {by_bits} by bits, {by_grams} by grams\n{:<12}production: {by_production}",
        ""
    ))
}

/// Whether two needs are the same.
fn same_need(ours: Option<&model::Need>, theirs: &Need) -> Result<(), String> {
    let model = ours.map(|need| (need.variant, need.grams.clone()));
    let production = flat(theirs);
    if production.as_ref() == Ok(&model) {
        return Ok(());
    }
    Err(format!("needs       model: {model:?}\n{:<12}production: {production:?}", ""))
}

/// Production's need as a set of grams of one variant.
fn flat(need: &Need) -> Result<Option<(Variant, Grams)>, String> {
    let parts: &[Need] = match need {
        Need::Nothing => return Ok(None),
        Need::Gram(..) => std::slice::from_ref(need),
        Need::All(parts) => parts,
        Need::OneOf(_) => return Err("one of several".to_owned()),
    };
    let mut variants = BTreeSet::new();
    let mut grams = Grams::new();
    for part in parts {
        let Need::Gram(variant, gram) = part else { return Err("no plain gram".to_owned()) };
        variants.insert(*variant);
        grams.insert(gram.scalars().collect());
    }
    match variants.into_iter().collect::<Vec<_>>().as_slice() {
        [TheirVariant::Sensitive] => Ok(Some((Variant::Sensitive, grams))),
        [TheirVariant::Insensitive] => Ok(Some((Variant::Insensitive, grams))),
        _ => Err("grams of two variants".to_owned()),
    }
}

/// Whether a request for the pattern needs what the model says, however it asks. What production
/// refuses is no matter here.
fn requested(tables: &IndexTables<'_>, pattern: &str) -> Result<(), String> {
    let capital = pattern.chars().any(|scalar| scalar.is_ascii_uppercase());
    for (case, insensitive) in [("sensitive", false), ("insensitive", true), ("smart", !capital)] {
        for (word, fuzzy) in [(false, None), (true, None), (false, Some(1))] {
            let mut request = json!({ "pattern": pattern, "fixed_strings": true, "case": case, "word_regexp": word });
            if let (Some(level), Some(fields)) = (fuzzy, request.as_object_mut()) {
                fields.insert("fuzzy".to_owned(), json!(level));
            }
            let Some(compiled) = patterns::compiled(&request) else { continue };
            let (fold, other) = search_fold(tables);
            let literal = Literal { pattern, insensitive, fold, fuzzy: fuzzy.is_some() };
            for ngram in SIZES {
                let ours = model::needed(&tables.exclusion, &tables.text, &literal, ngram);
                let theirs = compiled.need(other, usize::try_from(ngram).unwrap_or(3));
                same_need(ours.as_ref(), &theirs).map_err(|told| {
                    format!("request     {request}\nparameters  k = {ngram}\n{told}")
                })?;
            }
        }
    }
    Ok(())
}

/// The fold that `Search` uses.
fn search_fold(tables: &IndexTables<'_>) -> (Fold, TheirFold) {
    let search = tables.text.folds.search;
    FOLDS.into_iter().find(|(fold, _)| *fold == search).unwrap_or(FOLDS[0])
}

/// The question with as little text and as short a pattern as still shows the fault.
fn smallest(tables: &IndexTables<'_>, question: Question) -> Question {
    let fails = |question: &Question| compared(tables, question).is_err();
    let pattern = texts::shrunk(question.pattern.clone().into_bytes(), &|bytes| {
        let pattern = String::from_utf8(bytes.to_vec());
        pattern.is_ok_and(|pattern| fails(&Question { pattern, ..question.clone() }))
    });
    let pattern = String::from_utf8(pattern).unwrap_or_else(|_| question.pattern.clone());
    let question = Question { pattern, ..question };
    let text = texts::shrunk(question.text.clone(), &|text| {
        fails(&Question { text: text.to_vec(), ..question.clone() })
    });
    Question { text, ..question }
}

fn asked(question: &Question) -> String {
    let Question { text, pattern, insensitive, fold, ngram, parameters } = question;
    format!(
        "text        `{}`\npattern     `{}`, {}, by {:?}\nparameters  k = {ngram}, m = {}, k_hashes = {}, seed {:#x}",
        escape(text),
        escape(pattern.as_bytes()),
        if *insensitive { "insensitive" } else { "sensitive" },
        fold.0,
        parameters.bits,
        parameters.hashes,
        parameters.seed
    )
}
