//! What the tests of the index's clauses share.
//!
//! Responsible for: one tick by production that the model has to agree with ([`tick`]), statuses to
//! start from, all of them reached and none made up, and one line that says what a tick came to
//! ([`says`]). Not here: what a clause says; every test states that itself. All statuses
//! with all small sets of triggers are run by the suite `index-model`. Invariants: no outcome is
//! handed out that the model does not give.

pub(crate) mod kept;
pub(crate) mod text;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use forge_search_core::index::machine::{
    Action, Duty, Reason, Scan, State, Status, Step, Trigger, Triggers, step,
};
use touchstone_model::generated::index::INDEX;
use touchstone_model::index::machine as model;
use touchstone_model::index::tables::{self, IndexTables, MachineTables};

pub(crate) static TABLES: IndexTables<'static> = INDEX;

static MACHINE: LazyLock<model::Machine<'static>> =
    LazyLock::new(|| model::Machine::new(&TABLES.machine));

/// What one side says of a tick, by names.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    state: &'static str,
    reasons: BTreeSet<&'static str>,
    watcher_live: bool,
    scan: Scan,
    lent: bool,
    shown: Option<&'static str>,
    actions: Vec<&'static str>,
    may_exclude: bool,
    duty: &'static str,
    winner: Option<&'static str>,
}

impl Told {
    fn production(step: &Step) -> Self {
        let status = step.status;
        assert_eq!(step.duty, status.duty(), "a duty is a function of the status");
        Self {
            state: status.state.name(),
            reasons: status.reasons.iter().map(Reason::name).collect(),
            watcher_live: status.watcher_live,
            scan: status.scan,
            lent: status.lent,
            shown: status.shown_reason().map(Reason::name),
            actions: step.actions.iter().map(Action::name).collect(),
            may_exclude: step.may_exclude,
            duty: step.duty.name(),
            winner: step.winner.map(Trigger::name),
        }
    }

    fn model(outcome: &model::Outcome) -> Self {
        let tables: &MachineTables<'static> = &TABLES.machine;
        let reason = |reason| tables.reasons.iter().find(|row| row.reason == reason).unwrap().name;
        let action = |action| tables.actions.iter().find(|row| row.action == action).unwrap().name;
        let trigger =
            |trigger| tables.triggers.iter().find(|row| row.trigger == trigger).unwrap().name;
        let status = outcome.status;
        let duty = match outcome.duty {
            tables::Duty::None => Duty::None,
            tables::Duty::Build => Duty::Build,
            tables::Duty::ResumeBuild => Duty::ResumeBuild,
            tables::Duty::StartWatchers => Duty::StartWatchers,
            tables::Duty::Drain => Duty::Drain,
            tables::Duty::Reconcile => Duty::Reconcile,
        };
        let scan = match status.scan {
            model::Scan::None => Scan::None,
            model::Scan::Running => Scan::Running,
            model::Scan::Disturbed => Scan::Disturbed,
        };
        Self {
            state: State::ALL
                [tables::State::ALL.iter().position(|state| *state == status.state).unwrap()]
            .name(),
            reasons: status.reasons.iter().map(reason).collect(),
            watcher_live: status.watcher_live,
            scan,
            lent: status.lent,
            shown: outcome.shown.map(reason),
            actions: outcome.actions.iter(tables).map(action).collect(),
            may_exclude: outcome.may_exclude,
            duty: duty.name(),
            winner: outcome.winner.map(trigger),
        }
    }
}

/// A status as the model writes it.
fn modelled(status: Status) -> model::Status {
    let reason = |reason: Reason| {
        TABLES.machine.reasons.iter().find(|row| row.name == reason.name()).unwrap().reason
    };
    let reasons: Vec<tables::Reason> = status.reasons.iter().map(reason).collect();
    model::Status {
        state: tables::State::ALL
            [State::ALL.iter().position(|state| *state == status.state).unwrap()],
        reasons: model::Reasons::of(&reasons),
        watcher_live: status.watcher_live,
        scan: match status.scan {
            Scan::None => model::Scan::None,
            Scan::Running => model::Scan::Running,
            Scan::Disturbed => model::Scan::Disturbed,
        },
        lent: status.lent,
    }
}

/// The row of a trigger in the model's tables.
pub(crate) fn tabled(trigger: Trigger) -> &'static tables::TriggerRow<'static> {
    TABLES.machine.triggers.iter().find(|row| row.name == trigger.name()).unwrap()
}

/// What one tick comes to, by both sides.
pub(crate) fn tick(before: Status, triggers: &[Trigger]) -> Step {
    let step = step(before, Triggers::of(triggers));
    let named: Vec<tables::Trigger> =
        triggers.iter().map(|trigger| tabled(*trigger).trigger).collect();
    let outcome = MACHINE.step(modelled(before), &named);
    let (theirs, ours) = (Told::production(&step), Told::model(&outcome));
    assert!(
        theirs == ours,
        "{before:?} with {triggers:?}:\nproduction {theirs:?}\nthe model  {ours:?}"
    );
    step
}

/// Where several ticks lead, one after the other.
pub(crate) fn ticks(before: Status, ticks: &[&[Trigger]]) -> Step {
    let (last, earlier) = ticks.split_last().unwrap();
    tick(earlier.iter().fold(before, |status, triggers| tick(status, triggers).status), last)
}

/// Where single triggers lead from the start.
pub(crate) fn reached(path: &[Trigger]) -> Status {
    path.iter().fold(Status::START, |status, trigger| tick(status, &[*trigger]).status)
}

/// Where single triggers lead from a status.
pub(crate) fn then(before: Status, path: &[Trigger]) -> Status {
    path.iter().fold(before, |status, trigger| tick(status, &[*trigger]).status)
}

pub(crate) fn absent() -> Status {
    Status::START
}

/// Being built, and watched.
pub(crate) fn building() -> Status {
    reached(&[Trigger::WatcherStarted, Trigger::BuildStarted])
}

/// Built, and watched.
pub(crate) fn complete() -> Status {
    then(building(), &[Trigger::BuildCompleted])
}

/// Watched, and in doubt since an ignore file changed.
pub(crate) fn uncertain() -> Status {
    then(complete(), &[Trigger::EligibilityChanged])
}

pub(crate) fn corrupt() -> Status {
    then(complete(), &[Trigger::IntegrityFailed])
}

/// Switched off.
pub(crate) fn disabled() -> Status {
    then(complete(), &[Trigger::ModeOff])
}

/// One status for every state, in the order of states.
pub(crate) fn canonical() -> [Status; 6] {
    [absent(), building(), complete(), uncertain(), corrupt(), disabled()]
}

/// DISABLED, once for every reason there is for it.
pub(crate) fn disabled_by() -> [(Reason, Status); 5] {
    [
        (Reason::ModeOff, disabled()),
        (Reason::PersistenceNotPermitted, reached(&[Trigger::StorageImpossible])),
        (Reason::MemoryBudgetExceeded, then(building(), &[Trigger::MemoryExceeded])),
        (Reason::DiskBudgetExceeded, then(building(), &[Trigger::DiskExceeded])),
        (Reason::BelowThreshold, reached(&[Trigger::BelowThreshold])),
    ]
}

/// UNCERTAIN and watched, once for every reason there is for it.
pub(crate) fn uncertain_by() -> [(Reason, Status); 10] {
    let after = |trigger| then(complete(), &[trigger]);
    [
        (Reason::WatcherOverflow, after(Trigger::WatcherOverflowed)),
        (
            Reason::WatcherOverflowDuringBuild,
            then(building(), &[Trigger::WatcherOverflowedInBuild, Trigger::BuildCompleted]),
        ),
        (
            Reason::WatcherDown,
            then(complete(), &[Trigger::WatcherStopped, Trigger::WatcherStarted]),
        ),
        (Reason::EligibilityChanged, after(Trigger::EligibilityChanged)),
        (Reason::PolicyChanged, after(Trigger::PolicyChanged)),
        (Reason::EnumerationError, after(Trigger::EnumerationFailed)),
        (Reason::RenameUncertain, after(Trigger::RenameAmbiguous)),
        (Reason::OpenRequiresValidation, reached(&[Trigger::WatcherStarted, Trigger::IndexOpened])),
        (Reason::BuildBudgetExceeded, then(building(), &[Trigger::BuildOverBudget])),
        (Reason::DirtyBacklog, after(Trigger::DirtyUpdateFailed)),
    ]
}

/// Every status that single triggers reach from the start.
pub(crate) fn reachable() -> &'static BTreeSet<Status> {
    static REACHABLE: LazyLock<BTreeSet<Status>> = LazyLock::new(|| {
        let mut found = BTreeSet::new();
        let mut waiting = vec![Status::START];
        while let Some(status) = waiting.pop() {
            if found.insert(status) {
                let next = |trigger: &Trigger| step(status, Triggers::of(&[*trigger])).status;
                waiting
                    .extend(Trigger::ALL.iter().map(next).filter(|status| !found.contains(status)));
            }
        }
        found
    });
    &REACHABLE
}

/// What a tick came to: `STATE REASONS | actions | duty`, and whether it permits exclusion.
pub(crate) fn says(step: &Step) -> String {
    let mut text = step.status.state.name().to_owned();
    for reason in step.status.reasons.iter() {
        // Writing to a string cannot fail.
        let _ = write!(text, " {reason}");
    }
    let actions: Vec<&str> = step.actions.iter().map(Action::name).collect();
    let actions = if actions.is_empty() { "-".to_owned() } else { actions.join(" ") };
    let excludes = if step.may_exclude { " | excludes" } else { "" };
    let _ = write!(text, " | {actions} | {}{excludes}", step.duty);
    text
}

/// Holds what single triggers come to in every state against a row of six: `·` stands for what no
/// trigger at all comes to.
pub(crate) fn row(trigger: Trigger, expected: [&str; 6]) {
    for (status, expected) in canonical().into_iter().zip(expected) {
        let step = tick(status, &[trigger]);
        let quiet = step.may_exclude == tick(status, &[]).may_exclude;
        let idle = step.status == status && step.actions.is_empty() && quiet;
        let said = if idle { "·".to_owned() } else { says(&step) };
        assert_eq!(said, expected, "{trigger} in {}", status.state);
    }
}
