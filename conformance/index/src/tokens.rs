//! The tokenizer: the model's and production's, text by text.
//!
//! Responsible for: holding status, completeness, length and grams of both variants against each
//! other for every text, size of grams and limit. Not here: the texts (`texts`), folds of single
//! scalars (`folds`), bits (`filters`). Invariants: one tokenizer of production is used for all
//! texts of a size of grams, so that what it keeps between files would be seen.

pub(crate) use forge_search_core::index::fold::Fold as TheirFold;
use forge_search_core::index::gram::Gram;
use forge_search_core::index::tokens as production;
use touchstone_cases::case::escape;
use touchstone_cases::dice::Dice;
use touchstone_model::index::tables::{Fold, TextTables};
use touchstone_model::index::tokens::{self as model, Grams, TokenStatus};

use super::{Area, AreaReport, Extent, texts};

/// The sizes of grams there are.
pub(crate) const SIZES: [u64; 2] = [2, 3];

/// The folds of both.
pub(crate) const FOLDS: [(Fold, TheirFold); 2] =
    [(Fold::Ascii, TheirFold::Ascii), (Fold::UnicodeSimple, TheirFold::UnicodeSimple)];

/// A limit that no text here reaches.
const AMPLE: u64 = 1 << 20;

/// Holds production's tokenizer against the model's over these tables.
pub(crate) fn check(
    tables: &TextTables<'_>,
    extent: Extent,
    tick: &(dyn Fn(u64) + Sync),
) -> AreaReport {
    let mut checked = AreaReport::of(Area::Tokens);
    let mut tokenizers = SIZES.map(tokenizer);
    let drawn = (0..u64::from(extent.drawn))
        .map(|number| texts::drawn(&mut Dice::new(extent.seed, number)));
    let texts = texts::short(if extent.is_whole() { 4 } else { 3 })
        .into_iter()
        .chain(texts::trap_texts())
        .chain(drawn);
    let mut statuses = [0_u64; 4];
    let (mut complete, mut number) = (0_u64, 0_u64);
    for text in texts {
        let found = text_differs(tables, &mut tokenizers, &text, &mut |tokens| {
            if let Some(count) = statuses.get_mut(tokens.status as usize) {
                *count += 1;
            }
            complete += u64::from(tokens.complete);
        });
        number += 1;
        checked.cases += 3 * SIZES.len() as u64;
        if found.is_some() {
            let differs =
                |text: &[u8]| text_differs(tables, &mut SIZES.map(tokenizer), text, &mut |_| ());
            let small = texts::shrunk(text, &|text| differs(text).is_some());
            let told = differs(&small).or(found).unwrap_or_default();
            checked.fault(
                "model and production differ",
                format!("text        `{}`\n{told}", escape(&small)),
            );
            break;
        }
        if number.is_multiple_of(1_000) {
            tick(6_000);
        }
    }
    let [full, large, encoding, binary] = statuses;
    checked.fact(format!(
        "{number} texts; {full} times FULL ({complete} complete), {large} too large, {encoding} of another encoding, {binary} binary"
    ));
    checked
}

fn tokenizer(ngram: u64) -> production::Tokenizer {
    let ngram = usize::try_from(ngram).unwrap_or(3);
    production::Tokenizer::new(production::Parameters { max_bytes: AMPLE, ngram })
}

/// How the two differ about a text, for every size of grams, without a limit and with one that the
/// text just meets or just misses.
fn text_differs(
    tables: &TextTables<'_>,
    tokenizers: &mut [production::Tokenizer; 2],
    text: &[u8],
    seen: &mut dyn FnMut(&model::Tokens),
) -> Option<String> {
    let length = text.len() as u64;
    for (ngram, tokenizer) in SIZES.into_iter().zip(tokenizers) {
        for limit in [AMPLE, length, length.saturating_sub(1)] {
            let ours = model::tokenize(
                tables,
                &model::Parameters { max_tokenized_bytes: limit, ngram },
                text,
            );
            let theirs = if limit == AMPLE {
                tokenizer.tokenize(text)
            } else {
                let ngram = usize::try_from(ngram).unwrap_or(3);
                production::Tokenizer::new(production::Parameters { max_bytes: limit, ngram })
                    .tokenize(text)
            };
            seen(&ours);
            if let Some(told) = differs(tables, &ours, &theirs) {
                return Some(format!("parameters  k = {ngram}, at most {limit} bytes\n{told}"));
            }
        }
    }
    None
}

/// How the two differ about one text.
fn differs(
    tables: &TextTables<'_>,
    ours: &model::Tokens,
    theirs: &production::Tokens,
) -> Option<String> {
    let told = |field: &str, model: String, production: String| {
        (model != production)
            .then(|| format!("{field:<12}model: {model}\n{:<12}production: {production}\n", ""))
    };
    told("status", status(ours.status).to_owned(), theirs.status.name().to_owned())
        .or_else(|| told("complete", ours.complete.to_string(), theirs.complete.to_string()))
        .or_else(|| {
            told("bytes", ours.tokenized_bytes.to_string(), theirs.tokenized_bytes.to_string())
        })
        .or_else(|| {
            same(&ours.sensitive, &theirs.grams).err().map(|told| format!("SENSITIVE   {told}"))
        })
        .or_else(|| {
            FOLDS.into_iter().find_map(|(fold, other)| {
                let ours = model::fold(tables, fold, &ours.sensitive);
                let theirs = production::folded(&theirs.grams, other);
                same(&ours, &theirs).err().map(|told| format!("INSENSITIVE by {fold:?}: {told}"))
            })
        })
}

fn status(status: TokenStatus) -> &'static str {
    match status {
        TokenStatus::Full => "FULL",
        TokenStatus::SkippedTooLarge => "SKIPPED_TOO_LARGE",
        TokenStatus::SkippedEncoding => "SKIPPED_ENCODING",
        TokenStatus::SkippedBinary => "SKIPPED_BINARY",
    }
}

/// Whether two lists of grams are the same, in the same order.
fn same(ours: &Grams, theirs: &[Gram]) -> Result<(), String> {
    let alike = ours.len() == theirs.len()
        && ours.iter().zip(theirs).all(|(one, other)| one.iter().copied().eq(other.scalars()));
    if alike {
        return Ok(());
    }
    let theirs: Vec<Vec<char>> = theirs.iter().map(|gram| gram.scalars().collect()).collect();
    Err(format!("grams\n{:<12}model: {ours:?}\n{:<12}production: {theirs:?}\n", "", ""))
}
