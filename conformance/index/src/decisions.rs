//! Decisions with time passed in: limits, eviction, thresholds, cooldown, upkeep.
//!
//! Responsible for: all small figures on both sides of every limit; every way in which a few
//! indexes can lie on disk. Not here: the dirty queue and settling, which remember something
//! (`memory`), configured values (`settings`). Invariants: figures are enumerated, nothing is
//! drawn.

use forge_search_core::index::budget::{self, Spent};
use forge_search_core::index::eviction;
use forge_search_core::index::settings::Settings;
use touchstone_model::index::decisions::{self as model, BuildBudget};
use touchstone_model::index::tables::{DecisionTables, Limit};

use super::{Area, AreaReport, Extent, memory, same};

/// Amounts used, and amounts configured.
const USED: [u64; 7] = [0, 1, 2, 3, 7, 8, u64::MAX];
const CONFIGURED: [u64; 5] = [0, 1, 2, 7, u64::MAX];

/// One kind of decisions.
type Part<'t> = &'t dyn Fn(&mut AreaReport) -> Result<(), String>;

/// Holds production's decisions against the model's over these tables.
pub(crate) fn check(
    tables: &DecisionTables<'_>,
    extent: Extent,
    tick: &(dyn Fn(u64) + Sync),
) -> AreaReport {
    let mut checked = AreaReport::of(Area::Decisions);
    let parts: [Part<'_>; 7] = [
        &|checked| limits(tables, checked),
        &|checked| builds(tables, checked),
        &|checked| upkeep(checked),
        &|checked| cooldown(checked),
        &|checked| evictions(tables, checked),
        &|checked| memory::queue(tables, extent, checked),
        &|checked| memory::settling(extent, checked),
    ];
    for part in parts {
        if let Err(told) = part(&mut checked) {
            checked.fault("model and production differ", told);
            return checked;
        }
        tick(checked.cases);
    }
    checked
}

fn limits(tables: &DecisionTables<'_>, checked: &mut AreaReport) -> Result<(), String> {
    let all = [
        Limit::IndexBuildTimeoutMs,
        Limit::IndexBuildMaxFiles,
        Limit::IndexBuildMaxBytes,
        Limit::ReconcileMaxFiles,
        Limit::ReconcileMaxMs,
        Limit::IndexAutoThresholdFiles,
        Limit::IndexAutoThresholdBytes,
        Limit::IndexMaxDbBytes,
        Limit::IndexMaxIndexes,
    ];
    for limit in all {
        for bound in CONFIGURED {
            for used in USED {
                let Some(theirs) = production(limit, used, bound) else { continue };
                checked.cases += 1;
                let question = format!("is {used} too much for {limit:?} of {bound}?");
                same(&question, &model::exceeds(tables, limit, used, bound), &theirs)?;
            }
        }
    }
    checked.fact(format!(
        "{} limits, each with {} amounts",
        all.len(),
        USED.len() * CONFIGURED.len()
    ));
    Ok(())
}

/// What production says of a limit alone; nothing where it has no such figures.
fn production(limit: Limit, used: u64, bound: u64) -> Option<bool> {
    let settings = Settings::documents();
    let ample = Settings {
        index_build_timeout_ms: u64::MAX,
        reconcile_max_files: u64::MAX,
        reconcile_max_ms: u64::MAX,
        index_auto_threshold_files: u64::MAX,
        index_auto_threshold_bytes: u64::MAX,
        ..settings
    };
    let spent = Spent::default();
    Some(match limit {
        Limit::IndexBuildTimeoutMs => budget::build_exceeded(
            &Settings { index_build_timeout_ms: bound, ..ample },
            Spent { elapsed_ms: used, ..spent },
        ),
        Limit::IndexBuildMaxFiles => budget::build_exceeded(
            &Settings { index_build_max_files: bound, ..ample },
            Spent { files: used, ..spent },
        ),
        Limit::IndexBuildMaxBytes => budget::build_exceeded(
            &Settings { index_build_max_bytes: bound, ..ample },
            Spent { bytes: used, ..spent },
        ),
        Limit::ReconcileMaxFiles => budget::reconcile_exceeded(
            &Settings { reconcile_max_files: bound, ..ample },
            Spent { files: used, ..spent },
        ),
        Limit::ReconcileMaxMs => budget::reconcile_exceeded(
            &Settings { reconcile_max_ms: bound, ..ample },
            Spent { elapsed_ms: used, ..spent },
        ),
        Limit::IndexAutoThresholdFiles => budget::above_threshold(
            &Settings { index_auto_threshold_files: bound, ..ample },
            used,
            0,
        ),
        Limit::IndexAutoThresholdBytes => budget::above_threshold(
            &Settings { index_auto_threshold_bytes: bound, ..ample },
            0,
            used,
        ),
        Limit::IndexMaxDbBytes => {
            !eviction::victims(&[stored("a", used, 0, false).1], bound, u64::MAX).is_empty()
        }
        Limit::IndexMaxIndexes => {
            let count = usize::try_from(used).ok().filter(|count| *count < 100)?;
            let indexes = vec![stored("a", 0, 0, false).1; count];
            !eviction::victims(&indexes, u64::MAX, bound).is_empty()
        }
    })
}

/// Limits together, for a build, for a slice of a scan, for a tree.
fn builds(tables: &DecisionTables<'_>, checked: &mut AreaReport) -> Result<(), String> {
    let amounts = [0_u64, 1, 2];
    let triples = || {
        amounts.into_iter().flat_map(move |one| {
            amounts
                .into_iter()
                .flat_map(move |two| amounts.into_iter().map(move |three| (one, two, three)))
        })
    };
    let mut number = 0;
    for (milliseconds, files, bytes) in triples() {
        let configured = BuildBudget { milliseconds, files, bytes };
        let settings = Settings {
            index_build_timeout_ms: milliseconds,
            index_build_max_files: files,
            index_build_max_bytes: bytes,
            reconcile_max_ms: milliseconds,
            reconcile_max_files: files,
            index_auto_threshold_files: files,
            index_auto_threshold_bytes: bytes,
            ..Settings::documents()
        };
        for (worked, seen, read) in triples() {
            let question =
                format!("{worked} ms, {seen} files, {read} bytes, against {configured:?}");
            for slept in [0, 2] {
                let used = BuildBudget { milliseconds: worked + slept, files: seen, bytes: read };
                let ours = !model::build_exceeds(tables, &configured, &used, slept).is_empty();
                let theirs = budget::build_exceeded(
                    &settings,
                    Spent { elapsed_ms: worked, files: seen, bytes: read },
                );
                same(&format!("does a build stop at {question}?"), &ours, &theirs)?;
            }
            let ours =
                !model::reconcile_exceeds(tables, (files, milliseconds), (seen, worked)).is_empty();
            let theirs = budget::reconcile_exceeded(
                &settings,
                Spent { elapsed_ms: worked, files: seen, bytes: read },
            );
            same(&format!("does a slice stop at {question}?"), &ours, &theirs)?;
            let ours = model::is_worth_building(tables, (files, bytes), (seen, read));
            let theirs = budget::above_threshold(&settings, seen, read);
            same(&format!("is a tree worth an index at {question}?"), &ours, &theirs)?;
            number += 4;
        }
    }
    checked.cases += number;
    checked.fact(format!("{number} budgets of builds, slices and trees"));
    Ok(())
}

/// The share of a call, and how often thresholds are looked at.
fn upkeep(checked: &mut AreaReport) -> Result<(), String> {
    for fraction in [0.0, 0.000_001, 0.1, 0.25, 1.0 / 3.0, 0.29, 0.5, 0.57, 0.999_999, 1.0] {
        for timeout_ms in (0..=200).chain([999, 1_000, 20_000, 599_999, 600_000]) {
            let settings =
                Settings { index_maint_budget_fraction: fraction, ..Settings::documents() };
            checked.cases += 1;
            same(
                &format!("{fraction} of {timeout_ms} ms"),
                &model::maintenance_milliseconds(fraction, timeout_ms),
                &budget::maintenance_ms(&settings, timeout_ms),
            )?;
        }
    }
    for every in 1..=7 {
        let settings = Settings { index_auto_reeval_calls: every, ..Settings::documents() };
        let mut since = 0;
        for calls in 1..=40 {
            since += 1;
            let due = budget::reevaluation_due(&settings, since);
            checked.cases += 1;
            same(
                &format!("call {calls}, every {every}"),
                &model::is_reevaluated(calls, every),
                &due,
            )?;
            if due {
                since = 0;
            }
        }
    }
    Ok(())
}

fn cooldown(checked: &mut AreaReport) -> Result<(), String> {
    let times = [0_u64, 1, 5, 6, 7, 10, 11, u64::MAX];
    for cooldown_ms in times {
        let settings = Settings { index_disable_cooldown_ms: cooldown_ms, ..Settings::documents() };
        for began in times {
            let ours = model::disabled_until(began, cooldown_ms);
            same(
                &format!("until when, at {began} for {cooldown_ms} ms?"),
                &ours,
                &budget::cooldown_until(&settings, began),
            )?;
            for now in times {
                let question = format!("at {now}, begun at {began} for {cooldown_ms} ms?");
                // Without a cooldown only a new process helps, so that it holds for ever.
                let ours = ours.is_none_or(|until| model::is_cooling_down(now, until));
                same(
                    &question,
                    &ours,
                    &budget::cooling_down(budget::cooldown_until(&settings, began), now),
                )?;
                checked.cases += 1;
            }
        }
    }
    Ok(())
}

/// One index on disk, for both.
fn stored(
    key_hash: &str,
    size: u64,
    last_access: u64,
    held: bool,
) -> (model::Stored, eviction::Stored) {
    let key_hash = key_hash.to_owned();
    let theirs = eviction::Stored {
        key_hash: key_hash.clone(),
        size_bytes: size,
        last_accessed_ms: last_access,
        in_use: held,
    };
    (model::Stored { key_hash, size, last_access, held }, theirs)
}

/// Up to four indexes of two sizes, used at two times, held or not, in two orders of their hashes.
fn evictions(tables: &DecisionTables<'_>, checked: &mut AreaReport) -> Result<(), String> {
    let mut number = 0_u64;
    for (count, names) in [
        (0, ["a", "b", "c", "d"]),
        (1, ["a", "b", "c", "d"]),
        (2, ["b", "a", "c", "d"]),
        (3, ["b", "a", "c", "d"]),
        (4, ["c", "a", "d", "b"]),
    ] {
        for shape in 0..8_u64.pow(count) {
            let (ours, theirs): (Vec<_>, Vec<_>) = (0..count)
                .zip(names)
                .map(|(place, name)| {
                    let bits = shape >> (3 * place);
                    stored(name, 1 + bits % 2 * 2, 5 + (bits >> 1) % 2, (bits >> 2) % 2 == 1)
                })
                .unzip();
            for max_bytes in [0, 1, 3, 4, 6, 12] {
                for max_indexes in [0, 1, 2, 4] {
                    number += 1;
                    let victims = model::victims(tables, (max_bytes, max_indexes), &ours);
                    let hashes: Vec<String> =
                        victims.into_iter().map(|index| index.key_hash.clone()).collect();
                    let question = || {
                        format!("at most {max_bytes} bytes in {max_indexes} indexes of {ours:?}")
                    };
                    let victims = eviction::victims(&theirs, max_bytes, max_indexes);
                    if hashes != victims {
                        same(&question(), &hashes, &victims)?;
                    }
                }
            }
        }
    }
    checked.cases += number;
    checked.fact(format!("{number} evictions among up to four indexes"));
    Ok(())
}
