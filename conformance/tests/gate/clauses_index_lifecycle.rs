//! Clauses about how an index comes to be and comes to an end: TT-01 to TT-15, TT-23, TT-24, and
//! what the prose says about builds.
//!
//! Where `docs/claims.md` departs from a row's letter, the test names the erratum and holds both
//! sides to what was chosen. What a row asks the engine to do is observed as an action; doing it is
//! the engine's.

use crate::clauses_index::{
    self, absent, building, complete, corrupt, disabled_by, reachable, reached, row, says, then,
    tick, ticks, uncertain_by,
};
use forge_search_core::index::budget;
use forge_search_core::index::machine::{
    Action, Duty, Reason, Reasons, State, Status, Step, Trigger, Triggers, step,
};
use forge_search_core::index::settings::Settings;
use touchstone_model::index::decisions;

/// What production says in every reachable status; the suite `index-model` asks the model the same.
fn everywhere(trigger: Trigger, holds: impl Fn(Status, &Step)) {
    assert!(reachable().len() > 1_000, "only {} statuses", reachable().len());
    for status in reachable() {
        holds(*status, &step(*status, Triggers::of(&[trigger])));
    }
}

#[test]
fn mode_off_ends_everything_and_only_mode_on_or_a_new_process_undoes_it() {
    touchstone::verifies!("TT-01", "E-C39", "E-C21");
    let off = "DISABLED MODE_OFF | stop_build stop_watchers clear_queue close_store | none";
    row(Trigger::ModeOff, [off, off, off, off, off, "·"]);
    for (reason, status) in disabled_by() {
        let expected = if reason == Reason::ModeOff { "DISABLED MODE_OFF | - | none" } else { off };
        assert_eq!(says(&tick(status, &[Trigger::ModeOff])), expected, "{reason}");
    }
    everywhere(Trigger::ModeOff, |before, step| {
        assert_eq!(
            (step.status.state, step.status.shown_reason()),
            (State::Disabled, Some(Reason::ModeOff))
        );
        assert!(
            !step.status.watcher_live && !step.may_exclude && step.duty == Duty::None,
            "{before:?}"
        );
    });
    let off = then(complete(), &[Trigger::ModeOff]);
    for trigger in Trigger::ALL {
        let left = tick(off, &[*trigger]).status.state != State::Disabled;
        assert_eq!(left, [Trigger::ModeOn, Trigger::ProcessStarted].contains(trigger), "{trigger}");
    }
    assert_eq!(says(&tick(off, &[Trigger::ModeOn])), "ABSENT | clear_cooldown open_index | build");
}

#[test]
fn an_index_without_storage_is_disabled_and_one_that_fits_stays_in_memory() {
    // E-C20: the letter disables an index whenever it cannot be persisted, and elsewhere keeps it
    // in memory.
    touchstone::verifies!("TT-02", "T-LSI-SAFE-07", "E-C20", "D-PERSISTENCE_NOT_PERMITTED");
    let gone = "DISABLED PERSISTENCE_NOT_PERMITTED | stop_build stop_watchers clear_queue close_store | none";
    row(Trigger::StorageImpossible, [gone, gone, gone, gone, gone, "·"]);
    for (reason, status) in disabled_by() {
        let step = tick(status, &[Trigger::StorageImpossible]);
        assert_eq!(step.status.shown_reason(), Some(reason), "the first reason stays");
    }
    let moved = "ABSENT | stop_build clear_queue use_memory | build";
    row(Trigger::StorageFellBack, ["ABSENT | use_memory | build", moved, moved, moved, moved, "·"]);
    let rebuilt = ticks(complete(), &[&[Trigger::StorageFellBack], &[Trigger::BuildStarted]]);
    assert_eq!(rebuilt.status.state, State::Building);
    // Both at once: the graver one.
    let both = tick(complete(), &[Trigger::StorageFellBack, Trigger::StorageImpossible]);
    assert_eq!(says(&both), gone);
}

#[test]
fn during_a_cooldown_nothing_is_done_and_nothing_excluded() {
    touchstone::verifies!("TT-03", "FR-LSI-BUD-04.expire");
    row(Trigger::CooldownActive, ["·"; 6]);
    for (reason, status) in disabled_by() {
        let step = tick(status, &[Trigger::CooldownActive, Trigger::IndexAccessed]);
        assert_eq!(step.status, status, "{reason}");
        assert!(step.actions.is_empty() && !step.may_exclude && step.duty == Duty::None);
    }
    let settings = Settings { index_disable_cooldown_ms: 1_000, ..Settings::documents() };
    let until = budget::cooldown_until(&settings, 500);
    assert_eq!((until, decisions::disabled_until(500, 1_000)), (Some(1_500), Some(1_500)));
    for (now, active) in [(500, true), (1_499, true), (1_500, false), (9_999, false)] {
        assert_eq!(budget::cooling_down(until, now), active);
        assert_eq!(decisions::is_cooling_down(now, 1_500), active);
    }
    // Without a cooldown there is nothing to wait for: only a new process helps.
    assert_eq!(budget::cooldown_until(&Settings::documents(), 500), None);
    assert_eq!(decisions::disabled_until(500, 0), None);
    assert!(budget::cooling_down(None, u64::MAX));
}

#[test]
fn an_expired_cooldown_leads_to_a_cold_start_unless_another_reason_holds() {
    touchstone::verifies!("TT-04", "FR-LSI-BUD-04.expire", "FR-LSI-BUD-04", "E-C21");
    for (reason, status) in disabled_by() {
        let step = tick(status, &[Trigger::CooldownExpired]);
        if [Reason::MemoryBudgetExceeded, Reason::DiskBudgetExceeded].contains(&reason) {
            assert_eq!(says(&step), "ABSENT | clear_cooldown open_index | build");
            let opened = tick(step.status, &[Trigger::IndexOpened]);
            let expected = "UNCERTAIN OPEN_REQUIRES_VALIDATION | - | start_watchers";
            assert_eq!(says(&opened), expected);
            let missing = tick(step.status, &[Trigger::IndexMissing]);
            assert_eq!(says(&missing), "ABSENT | - | build");
        } else {
            assert_eq!(says(&step), format!("DISABLED {reason} | - | none"));
        }
    }
    row(Trigger::CooldownExpired, ["·"; 6]);
}

#[test]
fn every_reason_of_disabled_can_be_left_by_its_trigger() {
    touchstone::verifies!("E-C21");
    let ways = [
        (Reason::ModeOff, Trigger::ModeOn),
        (Reason::MemoryBudgetExceeded, Trigger::CooldownExpired),
        (Reason::DiskBudgetExceeded, Trigger::CooldownExpired),
        (Reason::BelowThreshold, Trigger::ThresholdExceeded),
    ];
    for (reason, status) in disabled_by() {
        for trigger in Trigger::ALL {
            let expected =
                *trigger == Trigger::ProcessStarted || ways.contains(&(reason, *trigger));
            let left = tick(status, &[*trigger]).status.state == State::Absent;
            assert_eq!(left, expected, "{reason} and {trigger}");
        }
    }
}

#[test]
fn a_missing_index_file_means_absent_unless_a_build_runs() {
    // E-C22: before its first commit a build has no file, so that a search which looks for one
    // proves nothing.
    touchstone::verifies!("TT-05", "E-C22");
    let gone = "ABSENT | clear_queue close_store | build";
    row(Trigger::IndexMissing, ["·", "·", gone, gone, gone, "·"]);
    assert_eq!(absent().duty(), Duty::Build);
    // One that is deleted while it is open is another matter.
    let stopped = "ABSENT | stop_build clear_queue close_store | build";
    row(Trigger::IndexDeleted, ["·", stopped, stopped, stopped, stopped, "·"]);
}

#[test]
fn a_tree_below_the_thresholds_gets_no_index_but_keeps_an_existing_one() {
    // E-C36: the thresholds guard the start of a build and nothing else.
    touchstone::verifies!(
        "TT-06",
        "E-C36",
        "E-C35",
        "D-BELOW_THRESHOLD",
        "FR-LSI-BG-05.2",
        "FR-LSI-BG-05.3"
    );
    let small =
        "DISABLED BELOW_THRESHOLD | stop_build stop_watchers clear_queue close_store | none";
    row(Trigger::BelowThreshold, [small, "·", "·", "·", "·", "·"]);
    // P1: an attempt to build in the same tick is for nothing.
    assert_eq!(says(&tick(absent(), &[Trigger::BelowThreshold, Trigger::BuildStarted])), small);
    let settings = Settings::documents();
    for (files, bytes, expected) in [
        (0, 0, false),
        (2_000, 500_000_000, false),
        (2_001, 0, true),
        (0, 500_000_001, true),
        (2_001, 500_000_001, true),
    ] {
        assert_eq!(budget::above_threshold(&settings, files, bytes), expected, "{files} {bytes}");
        let thresholds = (settings.index_auto_threshold_files, settings.index_auto_threshold_bytes);
        let worth = decisions::is_worth_building(
            &clauses_index::TABLES.decisions,
            thresholds,
            (files, bytes),
        );
        assert_eq!(worth, expected, "{files} {bytes}");
    }
}

#[test]
fn a_tree_that_outgrows_the_threshold_is_indexed() {
    touchstone::verifies!("T-LSI-SAFE-06", "FR-LSI-BG-06.4");
    let below = reached(&[Trigger::BelowThreshold]);
    let grown = tick(below, &[Trigger::ThresholdExceeded]);
    assert_eq!(says(&grown), "ABSENT | open_index | build");
    assert_eq!(
        says(&tick(grown.status, &[Trigger::BuildStarted])),
        "BUILDING WATCHER_DOWN | - | none"
    );
    for (reason, status) in disabled_by() {
        let moved = tick(status, &[Trigger::ThresholdExceeded]).status != status;
        assert_eq!(moved, reason == Reason::BelowThreshold, "{reason}");
    }
    row(Trigger::ThresholdExceeded, ["·"; 6]);
}

#[test]
fn a_lock_timeout_disables_exclusion_for_one_call_only() {
    touchstone::verifies!("TT-07");
    for status in reachable().iter().filter(|status| status.state != State::Disabled) {
        let step = step(*status, Triggers::of(&[Trigger::LockTimedOut]));
        assert_eq!(step.status.state, status.state);
        assert_eq!(step.status.reasons, status.reasons);
        assert!(!step.may_exclude);
        assert!(step.actions.is_empty());
    }
    let during = tick(complete(), &[Trigger::LockTimedOut]);
    assert_eq!(says(&during), "COMPLETE | - | none");
    let after = tick(during.status, &[Trigger::IndexAccessed]);
    assert_eq!(says(&after), "COMPLETE | touch_access | none | excludes");
    assert_eq!(
        says(&tick(clauses_index::disabled(), &[Trigger::LockTimedOut])),
        "DISABLED MODE_OFF | - | none"
    );
}

#[test]
fn an_index_with_another_key_is_removed_and_rebuilt() {
    // E-C23: the letter enters BUILDING, where nobody builds. From ABSENT the usual rules decide
    // whether somebody does.
    touchstone::verifies!("TT-08", "E-C23", "E-C47");
    let away = "ABSENT | stop_build remove_index clear_queue | build";
    row(Trigger::IndexMismatched, ["·", away, away, away, away, "·"]);
    let rebuilt = ticks(complete(), &[&[Trigger::IndexMismatched], &[Trigger::BuildStarted]]);
    assert_eq!(says(&rebuilt), "BUILDING | - | none");
    let small = ticks(complete(), &[&[Trigger::IndexMismatched], &[Trigger::BelowThreshold]]);
    assert_eq!(small.status.state, State::Disabled, "a tree that is too small is not rebuilt");
    // Another key is another index: the old one is closed, and stays where it is.
    let other = "ABSENT | stop_build stop_watchers clear_queue close_store | build";
    row(Trigger::KeyChanged, [other, other, other, other, other, "·"]);
}

#[test]
fn corrupt_data_is_never_used_again() {
    // E-C24: what was put away is not opened again.
    touchstone::verifies!("TT-09", "STATE-CORRUPT", "E-C24");
    let damaged = "CORRUPT | stop_build remove_index clear_queue | build";
    row(Trigger::IntegrityFailed, [damaged, damaged, damaged, damaged, "·", "·"]);
    everywhere(Trigger::IntegrityFailed, |_, step| {
        assert!(
            !step.may_exclude && [State::Corrupt, State::Disabled].contains(&step.status.state)
        );
    });
    for trigger in Trigger::ALL {
        let step = tick(corrupt(), &[*trigger]);
        let state = step.status.state;
        assert!(
            !step.may_exclude && ![State::Complete, State::Uncertain].contains(&state),
            "{trigger}"
        );
        if state == State::Building {
            assert_eq!(step.status, building(), "{trigger} builds from nothing");
        }
    }
    // A garbled file is both of another schema and damaged: P1 says damaged.
    assert_eq!(
        says(&tick(complete(), &[Trigger::IndexMismatched, Trigger::IntegrityFailed])),
        damaged
    );
}

#[test]
fn a_build_begins_in_absent_and_elsewhere_only_on_request() {
    // E-C19: on launch a stored index is opened and compared, not built again. M1: one builder for
    // a key.
    touchstone::verifies!("TT-10", "STATE-BUILDING", "E-C19");
    let unwatched = "BUILDING WATCHER_DOWN | - | none";
    let watched = "BUILDING | - | none";
    row(Trigger::BuildStarted, [unwatched, "·", "·", "·", watched, "·"]);
    row(Trigger::RebuildRequested, [unwatched, "·", watched, watched, watched, "·"]);
    let opened = ticks(absent(), &[&[Trigger::IndexOpened, Trigger::BuildStarted]]);
    assert_eq!(says(&opened), "UNCERTAIN OPEN_REQUIRES_VALIDATION | - | start_watchers");
    let cold = tick(absent(), &[Trigger::IndexMissing, Trigger::BuildStarted]);
    assert_eq!(says(&cold), unwatched);
    for status in reachable().iter().filter(|status| status.state == State::Building) {
        assert!(!step(*status, Triggers::NONE).may_exclude, "{status:?}");
    }
}

#[test]
fn a_build_begun_before_the_watcher_does_not_end_complete() {
    // E-C07: the letter starts watchers after the enumeration has begun, and changes in between are
    // lost.
    touchstone::verifies!("E-C07");
    let late = reached(&[Trigger::BuildStarted, Trigger::WatcherStarted, Trigger::BuildCompleted]);
    assert_eq!((late.state, late.shown_reason()), (State::Uncertain, Some(Reason::WatcherDown)));
    assert_eq!(late.duty(), Duty::Reconcile);
    let early = reached(&[Trigger::WatcherStarted, Trigger::BuildStarted, Trigger::BuildCompleted]);
    assert_eq!(early.state, State::Complete);
}

#[test]
fn an_undisturbed_build_ends_complete_and_permits_exclusion() {
    touchstone::verifies!("TT-11", "FR-LSI-BG-20.4", "D-CLEAR");
    row(
        Trigger::BuildCompleted,
        ["·", "COMPLETE | clear_older_entries bump_epoch | none | excludes", "·", "·", "·", "·"],
    );
    assert_eq!(complete().reasons, Reasons::NONE);
}

#[test]
fn changes_during_a_build_outlive_its_end() {
    // E-C02: the letter clears the whole queue at a build's end, and with it what was queued
    // meanwhile.
    touchstone::verifies!("E-C02", "FR-LSI-BG-61", "TT-11");
    let queued = tick(building(), &[Trigger::ChangesQueued]);
    assert_eq!(says(&queued), "BUILDING | - | none");
    let ended = tick(queued.status, &[Trigger::BuildCompletedWithChanges]);
    assert_eq!(says(&ended), "UNCERTAIN DIRTY_BACKLOG | clear_older_entries | drain");
    let drained = tick(ended.status, &[Trigger::QueueDrained]);
    assert_eq!(says(&drained), "COMPLETE | - | none | excludes");
    // No way out of BUILDING into a state that goes on clears what is newer.
    for trigger in Trigger::ALL {
        let step = tick(building(), &[*trigger]);
        if [State::Complete, State::Uncertain].contains(&step.status.state) {
            assert!(!step.actions.contains(Action::ClearQueue), "{trigger}");
        }
    }
}

#[test]
fn a_build_that_reaches_a_limit_is_kept_without_exclusion_and_can_be_resumed() {
    touchstone::verifies!(
        "TT-12",
        "T-LSI-SAFE-05",
        "FR-LSI-BUD-INIT-02",
        "D-BUILD_BUDGET_EXCEEDED"
    );
    let stopped = "UNCERTAIN BUILD_BUDGET_EXCEEDED | - | resume_build";
    row(Trigger::BuildOverBudget, ["·", stopped, "·", "·", "·", "·"]);
    let partial = then(building(), &[Trigger::BuildOverBudget]);
    assert_eq!(says(&tick(partial, &[Trigger::BuildResumed])), "BUILDING | - | none");
    // What else was wrong is not forgotten by resuming.
    let also = then(partial, &[Trigger::PolicyChanged, Trigger::BuildResumed]);
    assert_eq!(
        (also.state, also.reasons),
        (State::Building, Reasons::of(&[Reason::PolicyChanged]))
    );
    assert_eq!(then(also, &[Trigger::BuildCompleted]).shown_reason(), Some(Reason::PolicyChanged));
}

#[test]
fn a_partial_index_becomes_complete_only_by_a_finished_build() {
    // E-C41: the letter lets any reconcile promote it, once the reason has been overwritten.
    touchstone::verifies!("E-C41", "FR-LSI-SAFE-COMPLETE-01");
    for status in
        reachable().iter().filter(|status| status.reasons.contains(Reason::BuildBudgetExceeded))
    {
        for trigger in Trigger::ALL {
            let step = step(*status, Triggers::of(&[*trigger]));
            assert!(
                step.status.state != State::Complete && !step.may_exclude,
                "{status:?} {trigger}"
            );
            let kept = step.status.reasons.contains(Reason::BuildBudgetExceeded);
            let left = step.status.state != State::Uncertain;
            assert!(kept || left, "{trigger} forgets that files are missing");
        }
    }
}

#[test]
fn an_index_build_may_reach_but_not_exceed_its_limits() {
    touchstone::verifies!("FR-LSI-BUD-INIT-01", "E-C26", "E-C40");
    let defaults = Settings::documents();
    assert_eq!((defaults.index_build_timeout_ms, defaults.index_build_max_files), (300_000, 0));
    let limited = Settings {
        index_build_max_files: 100,
        index_build_max_bytes: 5_000,
        ..Settings::documents()
    };
    for (settings, elapsed_ms, files, bytes, exceeded) in [
        (&defaults, 300_000, u64::MAX, u64::MAX, false),
        (&defaults, 300_001, 0, 0, true),
        (&limited, 0, 100, 5_000, false),
        (&limited, 0, 101, 0, true),
        (&limited, 0, 0, 5_001, true),
    ] {
        let spent = budget::Spent { elapsed_ms, files, bytes };
        assert_eq!(budget::build_exceeded(settings, spent), exceeded, "{spent:?}");
        let allowed = decisions::BuildBudget {
            milliseconds: settings.index_build_timeout_ms,
            files: settings.index_build_max_files,
            bytes: settings.index_build_max_bytes,
        };
        for slept in [0, 7_000] {
            // What throttling slept is no work (E-C40).
            let used = decisions::BuildBudget { milliseconds: elapsed_ms + slept, files, bytes };
            let over =
                decisions::build_exceeds(&clauses_index::TABLES.decisions, &allowed, &used, slept);
            assert_eq!(!over.is_empty(), exceeded, "{spent:?}");
        }
    }
    // On the very last file: both may be said, and the graver counts.
    let step = tick(building(), &[Trigger::BuildCompleted, Trigger::BuildOverBudget]);
    assert_eq!(says(&step), "UNCERTAIN BUILD_BUDGET_EXCEEDED | - | resume_build");
}

#[test]
fn a_build_that_fails_before_its_first_write_leaves_nothing() {
    touchstone::verifies!("TT-13", "FR-LSI-BG-42");
    row(
        Trigger::BuildFailedClean,
        ["·", "ABSENT | remove_index clear_queue | build", "·", "·", "·", "·"],
    );
    // A shutdown in the middle of a build leaves no index behind, damaged or not, but perhaps a
    // checkpoint.
    assert_eq!(says(&tick(building(), &[Trigger::Shutdown])), "ABSENT | stop_build | build");
}

#[test]
fn an_inconsistent_store_after_a_build_or_update_is_corrupt() {
    touchstone::verifies!("TT-14");
    let damaged = "CORRUPT | stop_build remove_index clear_queue | build";
    row(Trigger::BuildFailedInconsistent, ["·", damaged, damaged, damaged, "·", "·"]);
    // A write that was rolled back left what was there.
    let backlog = tick(complete(), &[Trigger::WriteRolledBack]);
    assert_eq!(says(&backlog), "UNCERTAIN DIRTY_BACKLOG | - | drain");
}

#[test]
fn an_opened_index_is_uncertain_in_every_case() {
    touchstone::verifies!("TT-15", "FR-LSI-SAFE-04", "D-OPEN_REQUIRES_VALIDATION");
    let opened = |duty: &str| format!("UNCERTAIN OPEN_REQUIRES_VALIDATION | - | {duty}");
    let also = "UNCERTAIN ELIGIBILITY_CHANGED OPEN_REQUIRES_VALIDATION | - | reconcile";
    let (unwatched, watched) = (opened("start_watchers"), opened("reconcile"));
    row(Trigger::IndexOpened, [&unwatched, "·", &watched, also, "·", "·"]);
    // From there only a reconcile leads on, or the one call that compares everything itself.
    let mut status = reached(&[Trigger::IndexOpened]);
    for trigger in [Trigger::WatcherStarted, Trigger::QueueDrained, Trigger::DirtyUpdateApplied] {
        let step = tick(status, &[trigger]);
        assert!(!step.may_exclude && step.status.reasons.contains(Reason::OpenRequiresValidation));
        status = step.status;
    }
    let compared = ticks(status, &[&[Trigger::ReconcileStarted], &[Trigger::ReconcileCompleted]]);
    assert_eq!(says(&compared), "COMPLETE | clear_older_entries bump_epoch | none | excludes");
    // A process begins with nothing, whatever the last one knew.
    for status in reachable() {
        assert!(
            step(*status, Triggers::of(&[Trigger::ProcessStarted])).status == Status::START,
            "{status:?}"
        );
    }
}

#[test]
fn eviction_makes_an_index_absent() {
    // TT-23 with TT-24: memory that is short evicts or disables; disabling is graver (P1).
    touchstone::verifies!("TT-23");
    let away = "ABSENT | stop_build remove_index clear_queue | build";
    row(Trigger::Evicted, ["·", away, away, away, away, "·"]);
    let both = tick(complete(), &[Trigger::Evicted, Trigger::MemoryExceeded]);
    assert_eq!(both.status.shown_reason(), Some(Reason::MemoryBudgetExceeded));
    assert!(!both.actions.contains(Action::RemoveIndex), "what lost is not done");
}

#[test]
fn an_index_beyond_its_memory_or_disk_limit_is_disabled_until_a_cooldown_ends() {
    // E-C37: the letter evicts the only index, and builds it again, and evicts it again.
    touchstone::verifies!("TT-24", "D-MEMORY_BUDGET_EXCEEDED", "E-C37");
    let closed = "stop_build stop_watchers clear_queue close_store set_cooldown | none";
    let memory = format!("DISABLED MEMORY_BUDGET_EXCEEDED | {closed}");
    row(Trigger::MemoryExceeded, [&memory, &memory, &memory, &memory, &memory, "·"]);
    let disk = format!("DISABLED DISK_BUDGET_EXCEEDED | {closed}");
    row(Trigger::DiskExceeded, ["·", &disk, &disk, &disk, "·", "·"]);
    // Where it is too large for the cap, evicting it does not win.
    assert_eq!(says(&tick(complete(), &[Trigger::Evicted, Trigger::DiskExceeded])), disk);
    for (_, status) in uncertain_by() {
        assert_eq!(says(&tick(status, &[Trigger::MemoryExceeded])), memory);
    }
}
