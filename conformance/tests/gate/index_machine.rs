//! Random lives of an index: the model is the reference, production the system under test.
//!
//! Responsible for: sequences of up to sixty ticks of up to six triggers each, biased to what
//! happens in the life of an index; after each tick both sides have to agree, and neither may claim
//! COMPLETE when something may have been missed. Not here: small sets of triggers in
//! every status, which the suite `index-model` runs through. Invariants: the seed is fixed; a
//! failing life is shrunk to few ticks.

use std::sync::LazyLock;

use forge_search_core::index::machine as production;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use touchstone::index_model::{Lockstep, LockstepState};
use touchstone_model::generated::index::INDEX;
use touchstone_model::index::machine::{Outcome, Status};
use touchstone_model::index::tables::{State, Trigger};

static BOTH: LazyLock<Lockstep<'static>> =
    LazyLock::new(|| Lockstep::new(&INDEX.machine).expect("both sides speak of the same"));

/// The model's side of a life.
#[derive(Debug, Clone)]
struct Life {
    now: LockstepState,
    /// The last tick: the status before, and the outcome or the false claim.
    last: Option<Result<(Status, Outcome), String>>,
}

struct Model;

impl ReferenceStateMachine for Model {
    type State = Life;
    type Transition = Vec<Trigger>;

    fn init_state() -> BoxedStrategy<Life> {
        Just(Life { now: LockstepState::start(), last: None }).boxed()
    }

    fn transitions(life: &Life) -> BoxedStrategy<Vec<Trigger>> {
        let likely = select(likely(life.now.status.state));
        let any = select(INDEX.machine.triggers.iter().map(|row| row.trigger).collect::<Vec<_>>());
        let trigger = prop_oneof![4 => likely.clone(), 1 => any];
        prop_oneof![
            5 => likely.prop_map(|trigger| vec![trigger]),
            4 => prop::collection::vec(trigger, 0..=6),
        ]
        .boxed()
    }

    fn apply(life: Life, triggers: &Vec<Trigger>) -> Life {
        let before = life.now.status;
        // A false claim is reported at production's step, since only there lives are shortened.
        match BOTH.follow(life.now, triggers) {
            Ok((now, outcome)) => Life { now, last: Some(Ok((before, outcome))) },
            Err(told) => Life { now: life.now, last: Some(Err(told)) },
        }
    }
}

/// What mostly happens in a state.
fn likely(state: State) -> &'static [Trigger] {
    use Trigger as T;
    match state {
        State::Absent => &[
            T::WatcherStarted,
            T::BuildStarted,
            T::BuildStarted,
            T::IndexOpened,
            T::CheckpointFound,
            T::BelowThreshold,
            T::WatcherStopped,
        ],
        State::Building => &[
            T::BuildCompleted,
            T::BuildCompletedWithChanges,
            T::BuildOverBudget,
            T::WatcherStarted,
            T::WatcherOverflowedInBuild,
            T::EligibilityChanged,
            T::WatcherStopped,
            T::EnumerationFailed,
            T::Shutdown,
        ],
        State::Complete => &[
            T::ChangesQueued,
            T::DirtyUpdateApplied,
            T::DirtyUpdateFailed,
            T::ReconcileStarted,
            T::ReconcileCompleted,
            T::WatcherOverflowed,
            T::WatcherStopped,
            T::PolicyChanged,
            T::CallVerified,
            T::CallEnded,
            T::IndexAccessed,
            T::RebuildRequested,
        ],
        State::Uncertain => &[
            T::WatcherStarted,
            T::WatcherStarted,
            T::ReconcileStarted,
            T::ReconcileStarted,
            T::ReconcileCompleted,
            T::ReconcileCompletedWithChanges,
            T::ReconcileOverBudget,
            T::QueueDrained,
            T::BuildResumed,
            T::CallVerified,
            T::WatcherStopped,
            T::RenameAmbiguous,
        ],
        State::Corrupt => {
            &[T::BuildStarted, T::RebuildRequested, T::WatcherStarted, T::IndexMissing]
        }
        State::Disabled => {
            &[T::ModeOn, T::CooldownExpired, T::ThresholdExceeded, T::ProcessStarted, T::ModeOff]
        }
    }
}

struct Production;

impl StateMachineTest for Production {
    type SystemUnderTest = production::Status;
    type Reference = Model;

    fn init_test(_: &Life) -> production::Status {
        production::Status::START
    }

    fn apply(own: production::Status, life: &Life, triggers: Vec<Trigger>) -> production::Status {
        let last = life.last.clone().expect("a tick has been made");
        let after =
            last.and_then(|(before, outcome)| BOTH.production(before, own, &triggers, &outcome));
        after.unwrap_or_else(|told| panic!("{told}"))
    }
}

prop_state_machine! {
    #![proptest_config(Config {
        cases: 4_000,
        rng_seed: RngSeed::Fixed(0x11fe),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn production_and_model_agree_on_every_index_life(sequential 1..60 => Production);
}

#[test]
fn random_lives_reach_every_state_and_exclusion() {
    let mut runner =
        TestRunner::new(Config { rng_seed: RngSeed::Fixed(0x11fe), ..Config::default() });
    let lives = Model::sequential_strategy(1..60);
    let mut reached = [0_u32; State::ALL.len()];
    let (mut excluding, mut lent) = (0, 0);
    for _ in 0..600 {
        let (mut life, ticks, _) = lives.new_tree(&mut runner).expect("a life is drawn").current();
        for triggers in ticks {
            life = Model::apply(life, &triggers);
            let (_, outcome) =
                life.last.clone().expect("a tick has been made").expect("it claims the truth");
            for (count, state) in reached.iter_mut().zip(State::ALL) {
                *count += u32::from(outcome.status.state == state);
            }
            excluding += u32::from(outcome.may_exclude);
            lent += u32::from(outcome.status.lent);
        }
    }
    assert!(reached.iter().all(|count| *count > 100), "{reached:?}");
    assert!(excluding > 100 && lent > 20, "{excluding} {lent}");
}
