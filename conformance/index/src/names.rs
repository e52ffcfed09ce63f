//! The two vocabularies of the state machine, side by side.
//!
//! Responsible for: which value of the model is which of production's, going by the names that the
//! contract gives both; and whether the orders, classes and kinds that stand beside the names are
//! the contract's own. Not here: what either side does with them (`pair`). Invariants: a `Names`
//! is a bijection in every vocabulary, or it does not come about.

use std::fmt::Debug;

use forge_search_core::index::machine as production;
use touchstone_model::index::machine::{Reasons, Scan, Status};
use touchstone_model::index::tables::{Action, Duty, MachineTables, Reason, State, Trigger};

/// The mapping between the two vocabularies.
#[derive(Debug, Clone)]
pub struct Names {
    states: Vocabulary<State, production::State>,
    reasons: Vocabulary<Reason, production::Reason>,
    triggers: Vocabulary<Trigger, production::Trigger>,
    actions: Vocabulary<Action, production::Action>,
    duties: Vocabulary<Duty, production::Duty>,
}

/// One vocabulary: pairs in the model's order, and production's values by the place of the model's
/// in its enumeration.
#[derive(Debug, Clone)]
struct Vocabulary<M, P> {
    pairs: Vec<(M, P)>,
    images: Vec<Option<P>>,
}

impl<M: Copy, P: Copy> Vocabulary<M, P> {
    fn at(&self, place: usize) -> Option<P> {
        self.images.get(place).copied().flatten()
    }
}

/// Every duty of the model; its tables list only those that something gives rise to.
pub(crate) const DUTIES: [Duty; 6] =
    [Duty::None, Duty::Build, Duty::ResumeBuild, Duty::StartWatchers, Duty::Drain, Duty::Reconcile];

impl Names {
    /// Maps by the names in the tables; states and duties, which have none there, by those of the
    /// model.
    ///
    /// # Errors / A message when a name exists on one side only, or twice.
    pub fn of(tables: &MachineTables<'_>) -> Result<Self, String> {
        let states = State::ALL.map(|state| (state, snake(state).to_uppercase()));
        let duties = DUTIES.map(|duty| (duty, snake(duty)));
        Ok(Self {
            states: paired(
                "state",
                states,
                |state| state as usize,
                production::State::ALL,
                forge_search_core::index::machine::State::name,
            )?,
            reasons: paired(
                "reason",
                tables.reasons.iter().map(|row| (row.reason, row.name.to_owned())),
                |reason| reason as usize,
                production::Reason::ALL,
                forge_search_core::index::machine::Reason::name,
            )?,
            triggers: paired(
                "trigger",
                tables.triggers.iter().map(|row| (row.trigger, row.name.to_owned())),
                |trigger| trigger as usize,
                production::Trigger::ALL,
                forge_search_core::index::machine::Trigger::name,
            )?,
            actions: paired(
                "action",
                tables.actions.iter().map(|row| (row.action, row.name.to_owned())),
                |action| action as usize,
                production::Action::ALL,
                forge_search_core::index::machine::Action::name,
            )?,
            duties: paired(
                "duty",
                duties,
                |duty| duty as usize,
                production::Duty::ALL,
                forge_search_core::index::machine::Duty::name,
            )?,
        })
    }

    /// The triggers of both, in the tables' order.
    pub fn triggers(&self) -> &[(Trigger, production::Trigger)] {
        &self.triggers.pairs
    }

    /// The actions of both, in the tables' order.
    pub fn actions(&self) -> &[(Action, production::Action)] {
        &self.actions.pairs
    }

    /// Production's state.
    pub fn state(&self, state: State) -> production::State {
        // A bijection has an image of everything; the fallback is never taken.
        self.states.at(state as usize).unwrap_or(production::State::Disabled)
    }

    /// Production's duty.
    pub fn duty(&self, duty: Duty) -> production::Duty {
        self.duties.at(duty as usize).unwrap_or(production::Duty::None)
    }

    /// Production's reason.
    pub fn reason(&self, reason: Reason) -> Option<production::Reason> {
        self.reasons.at(reason as usize)
    }

    /// Production's trigger.
    pub fn trigger(&self, trigger: Trigger) -> Option<production::Trigger> {
        self.triggers.at(trigger as usize)
    }

    /// Production's set of reasons.
    pub fn reasons(&self, reasons: Reasons) -> production::Reasons {
        self.reasons
            .pairs
            .iter()
            .filter(|(ours, _)| reasons.contains(*ours))
            .map(|(_, theirs)| *theirs)
            .collect()
    }

    /// Production's status.
    pub fn status(&self, status: Status) -> production::Status {
        production::Status {
            state: self.state(status.state),
            reasons: self.reasons(status.reasons),
            watcher_live: status.watcher_live,
            scan: scan(status.scan),
            lent: status.lent,
        }
    }
}

/// Production's scan.
pub(crate) fn scan(scan: Scan) -> production::Scan {
    match scan {
        Scan::None => production::Scan::None,
        Scan::Running => production::Scan::Running,
        Scan::Disturbed => production::Scan::Disturbed,
    }
}

/// Pairs the model's values with production's of the same name.
fn paired<M: Copy + Debug + PartialEq, P: Copy>(
    what: &str,
    ours: impl IntoIterator<Item = (M, String)>,
    place: impl Fn(M) -> usize,
    theirs: &[P],
    name: impl Fn(P) -> &'static str,
) -> Result<Vocabulary<M, P>, String> {
    let mut pairs: Vec<(M, P)> = Vec::new();
    let mut taken: Vec<String> = Vec::new();
    for (value, called) in ours {
        if taken.contains(&called) || pairs.iter().any(|(other, _)| *other == value) {
            return Err(format!("the model lists the {what} `{called}` twice"));
        }
        let Some(found) = theirs.iter().copied().find(|other| name(*other) == called) else {
            return Err(format!("production has no {what} `{called}`"));
        };
        taken.push(called);
        pairs.push((value, found));
    }
    if let Some(missing) = theirs
        .iter()
        .map(|other| name(*other))
        .find(|called| !taken.iter().any(|own| own == called))
    {
        Err(format!("the model has no {what} `{missing}`"))
    } else {
        let mut images = Vec::new();
        for (ours, theirs) in &pairs {
            images.resize(images.len().max(place(*ours) + 1), None);
            if let Some(image) = images.get_mut(place(*ours)) {
                *image = Some(*theirs);
            }
        }
        Ok(Vocabulary { pairs, images })
    }
}

/// `ResumeBuild` as `resume_build`.
pub fn snake(value: impl Debug) -> String {
    let mut text = String::new();
    for character in format!("{value:?}").chars() {
        if character.is_ascii_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(character.to_ascii_lowercase());
    }
    text
}
