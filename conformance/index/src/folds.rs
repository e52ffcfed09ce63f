//! The folds, scalar by scalar.
//!
//! Responsible for: holding the images of every scalar under both folds against each other, and the
//! fold that the index of `Search` uses against what the matcher really holds for equal
//! (FR-LSI-TOK-04). Not here: folded grams (`tokens`). Invariants: ASCII comes first, then scalars
//! with a case, then all others. A scalar that the matcher's Unicode does not assign may fold on
//! one side only: no search can tell.

use std::collections::BTreeMap;

use serde_json::json;
use touchstone_model::index::tables::TextTables;
use touchstone_model::index::tokens::fold_scalar;

use super::tokens::{FOLDS, TheirFold};
use super::{Area, AreaReport, patterns};

/// Holds production's folds and matcher against the model's folds over these tables.
pub(crate) fn check(tables: &TextTables<'_>, tick: &(dyn Fn(u64) + Sync)) -> AreaReport {
    let mut checked = AreaReport::of(Area::Folds);
    images(tables, &mut checked);
    tick(checked.cases);
    if checked.faults.is_empty() {
        matcher(tables, &mut checked);
    }
    checked
}

fn images(tables: &TextTables<'_>, checked: &mut AreaReport) {
    let mut folded = [0_u64; 2];
    let mut newer = 0_u64;
    let unassigned = patterns::compiled(&json!({ "pattern": r"\p{Cn}", "case": "sensitive" }));
    let is_unassigned = |scalar: char| {
        unassigned
            .as_ref()
            .is_some_and(|pattern| pattern.find(scalar.to_string().as_bytes()).is_some())
    };
    let cased =
        |scalar: &char| scalar.is_alphabetic() && TheirFold::UnicodeSimple.char(*scalar) != *scalar;
    let first = ('\u{80}'..=char::MAX).filter(cased);
    let then = ('\u{80}'..=char::MAX).filter(|scalar| !cased(scalar));
    for scalar in ('\0'..='\u{7f}').chain(first).chain(then) {
        for ((fold, other), count) in FOLDS.into_iter().zip(&mut folded) {
            let (ours, theirs) = (fold_scalar(&tables.folds, fold, scalar), other.char(scalar));
            *count += u64::from(theirs != scalar);
            checked.cases += 1;
            // The fold's data may be of a newer Unicode than the matcher's, which the model shares.
            if ours != theirs && ours == scalar && is_unassigned(scalar) {
                newer += 1;
            } else if ours != theirs {
                let told = format!(
                    "scalar      {}\nmodel       {}\nproduction  {}",
                    code(scalar),
                    code(ours),
                    code(theirs)
                );
                checked.fault(&format!("images under {} differ", other.name()), told);
                return;
            }
        }
    }
    let [ascii, simple] = folded;
    checked.fact(format!(
        "every scalar; ASCII changes {ascii}, UNICODE_SIMPLE {simple}, {newer} of which the matcher's Unicode does not know yet"
    ));
}

/// Scalars with case variants: the matcher must treat two as equal exactly when the fold does.
fn matcher(tables: &TextTables<'_>, checked: &mut AreaReport) {
    let mut alike: BTreeMap<char, Vec<char>> = BTreeMap::new();
    for scalar in '\0'..=char::MAX {
        let image = TheirFold::UnicodeSimple.char(scalar);
        if image != scalar {
            alike.entry(image).or_insert_with(|| vec![image]).push(scalar);
        }
    }
    let fold = |scalar: char| fold_scalar(&tables.folds, tables.folds.search, scalar);
    let (mut pairs, mut equal) = (0_u64, 0_u64);
    for scalar in alike.values().flatten() {
        let request =
            json!({ "pattern": scalar.to_string(), "fixed_strings": true, "case": "insensitive" });
        let Some(pattern) = patterns::compiled(&request) else { continue };
        for other in alike.get(&TheirFold::UnicodeSimple.char(*scalar)).into_iter().flatten() {
            let found = pattern.find(other.to_string().as_bytes()).is_some();
            let held = fold(*scalar) == fold(*other);
            pairs += 1;
            equal += u64::from(found);
            if found != held {
                let told = format!(
                    "pattern     {}\ntext        {}\nmatcher     {found}\nfold        {held}",
                    code(*scalar),
                    code(*other)
                );
                checked.fault("the matcher holds others for equal than the fold of `Search`", told);
                return;
            }
        }
    }
    checked.cases += pairs;
    checked.fact(format!("{pairs} pairs that differ in case alone, put to the matcher; it holds {equal} for equal, as the fold does"));
}

fn code(scalar: char) -> String {
    format!("U+{:04X}", u32::from(scalar))
}
