//! Budgets at and around the sizes at which an answer changes.
//!
//! Responsible for: plans of budgets, made concrete from the answer that the model gives without
//! one. Not here: cutting ([`crate::raw`]); calls under every budget
//! (`touchstone_lockstep::budget`). Invariants: a case whose answer shows where the sandbox is,
//! which is no case's to know, gets no budget.

use proptest::prelude::*;
use proptest::sample::select;
use touchstone_model::search_files::search_files;

use crate::case::{Case, ROOT_MARK, Tables};
use crate::raw::{RawObject, shortened};

/// A budget under construction.
#[derive(Debug, Clone, Copy)]
pub(super) struct BudgetPlan {
    at: Place,
    /// What is added to it.
    by: i64,
    limit: Limit,
}

/// Where an answer changes.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// At no bytes at all.
    Nothing,
    /// Where all of it fits.
    Whole,
    /// Where so many matches fit, by remainder.
    Matches(usize),
    /// Where no match and so many errors fit, by remainder.
    Errors(usize),
    /// Where the smallest answer fits.
    Smallest,
}

/// Which of the context's limits it is.
#[derive(Debug, Clone, Copy)]
enum Limit {
    Output,
    Capacity,
    /// Both; the other one is larger.
    Both,
}

pub(super) fn plan() -> BoxedStrategy<BudgetPlan> {
    let at = prop_oneof![
        1 => Just(Place::Nothing),
        3 => Just(Place::Whole),
        5 => any::<usize>().prop_map(Place::Matches),
        3 => any::<usize>().prop_map(Place::Errors),
        2 => Just(Place::Smallest),
    ];
    let by = prop_oneof![3 => Just(0_i64), 3 => Just(-1), 2 => Just(1), 1 => -60..60_i64];
    let limit = select(&[Limit::Output, Limit::Output, Limit::Capacity, Limit::Both][..]);
    (at, by, limit).prop_map(|(at, by, limit)| BudgetPlan { at, by, limit }).boxed()
}

impl BudgetPlan {
    /// Gives the case this budget.
    pub(super) fn put_into(self, case: &mut Case) {
        let Some(budget) = self.concrete(case) else { return };
        match self.limit {
            Limit::Output => case.context.max_output_bytes = Some(budget),
            Limit::Capacity => case.context.available_capacity_bytes = Some(budget),
            Limit::Both => {
                case.context.max_output_bytes = Some(budget.saturating_add(7));
                case.context.available_capacity_bytes = Some(budget);
            }
        }
    }

    fn concrete(self, case: &Case) -> Option<u64> {
        let config = case.files_config(Tables::CURRENT, true)?;
        let at = match search_files(&case.world(), &config, &case.request).canonical() {
            // A refusal comes before any budget.
            Err(_) => 100,
            Ok(text) => {
                let whole = RawObject::read(text)?;
                if whole.get("path")?.contains(ROOT_MARK) {
                    return None;
                }
                self.at.length(text, &whole)?
            }
        };
        u64::try_from(i64::try_from(at).ok()?.saturating_add(self.by).max(0)).ok()
    }
}

impl Place {
    fn length(self, text: &str, whole: &RawObject) -> Option<usize> {
        let (matches, errors) = (whole.items("matches")?.len(), whole.items("errors")?.len());
        let with = |matches: usize, errors: usize| {
            Some(shortened(whole, matches, errors)?.to_text().len())
        };
        match self {
            Place::Nothing => Some(0),
            Place::Whole => Some(text.len()),
            Place::Matches(kept) => with(kept % matches.max(1), errors),
            Place::Errors(kept) => with(0, kept % errors.max(1)),
            Place::Smallest => with(0, 0),
        }
    }
}
