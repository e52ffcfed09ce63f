//! Checks of COMPLETE: no row enters it without proof of coverage, and no reason is lost or
//! misplaced.

use std::collections::BTreeSet;

use crate::index::{
    ActionKind, Condition, Effect, Index, Reason, ReasonKind, Row, StateId, Trigger, Way, files,
};
use crate::place::{At, Finding};

pub(super) fn lint(index: &Index, findings: &mut Vec<Finding>) {
    for (trigger, row) in index.transitions.rows() {
        let rules = Rules { index, trigger, row };
        let wrong = rules.complete().into_iter().chain(rules.added()).chain(rules.resolved());
        let wrong = wrong.chain(rules.effects()).chain(rules.conditions()).chain(rules.left());
        for message in wrong {
            let message = format!("a row of `{}` {message}", trigger.id.value);
            findings.push(Finding::at(files::TRANSITIONS, &row.next, message));
        }
    }
}

/// A row with its context. Each rule returns messages that follow "a row of ...".
struct Rules<'a> {
    index: &'a Index,
    trigger: &'a Trigger,
    row: &'a Row,
}

impl Rules<'_> {
    fn way(&self) -> Option<Way> {
        self.trigger.way.as_ref().map(|way| way.value)
    }

    fn next(&self) -> Option<StateId> {
        self.row.next.value.state()
    }

    fn asks(&self, condition: &Condition) -> bool {
        self.row.when.iter().any(|asked| asked.value == *condition)
    }

    /// Whether the row is for other states than these.
    fn is_outside(&self, states: &[StateId]) -> bool {
        self.row.states.iter().any(|state| !states.contains(&state.value))
    }

    /// Only proof of coverage enters COMPLETE, and only from possible states.
    fn complete(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let lends = self.row.has_effect(Effect::Lends);
        let entered =
            self.next() == Some(StateId::Complete) && self.is_outside(&[StateId::Complete]);
        let from: &[StateId] = match self.way() {
            Some(Way::Build) => &[StateId::Complete, StateId::Building],
            Some(way) if way.leads_to_complete() => &[StateId::Complete, StateId::Uncertain],
            _ => &[StateId::Complete],
        };
        if entered && self.is_outside(from) {
            let from: Vec<&str> = from.iter().map(|state| state.name()).collect();
            wrong.push(format!(
                "enters COMPLETE without having shown coverage; its trigger may do so only from {}",
                from.join(", ")
            ));
        }
        if entered && self.way() == Some(Way::Reconcile) && !self.asks(&Condition::ScanRunning) {
            wrong.push(
                "enters COMPLETE by a scan that may have been disturbed; it needs `scan running`"
                    .to_owned(),
            );
        }
        if entered && self.way() == Some(Way::Call) && !lends {
            wrong.push(
                "gives to everybody what only one call has verified; it needs `lends`".to_owned(),
            );
        }
        if lends && (self.next() != Some(StateId::Complete) || self.way() != Some(Way::Call)) {
            wrong.push(
                "lends something other than COMPLETE, or to something other than a call".to_owned(),
            );
        }
        let proves = |id: &At<String>| {
            self.index.action(&id.value).is_some_and(|action| action.kind == ActionKind::Proof)
        };
        let stays = self.next().is_none() && !self.is_outside(&[StateId::Complete]);
        if self.row.actions.iter().any(proves) && self.next() != Some(StateId::Complete) && !stays {
            wrong.push("counts a proof and does not lead to COMPLETE".to_owned());
        }
        wrong
    }

    /// Reasons are added where they can occur, and states that need a reason get one.
    fn added(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let adds: Vec<&Reason> =
            self.row.adds.iter().filter_map(|id| self.index.reason(&id.value)).collect();
        let all_of = |kind| adds.iter().all(|reason| reason.kind == kind);
        match self.next() {
            Some(StateId::Disabled) => {
                if adds.len() != 1 || !all_of(ReasonKind::Disabled) {
                    wrong.push(
                        "enters DISABLED and must add exactly one reason to be disabled".to_owned(),
                    );
                }
                return wrong;
            }
            // A proposal that takes the watcher down may lose, and then the reason must be present.
            Some(StateId::Absent | StateId::Corrupt)
                if !adds.is_empty() && !self.row.has_effect(Effect::WatcherDown) =>
            {
                wrong.push("adds a reason to a state that has none".to_owned());
            }
            Some(StateId::Uncertain)
                if adds.is_empty() && self.is_outside(&[StateId::Uncertain]) =>
            {
                wrong.push("enters UNCERTAIN without a reason".to_owned());
            }
            None if !adds.is_empty() && self.is_outside(&[StateId::Building]) => {
                wrong.push(
                    "adds a reason and proposes nothing, which is for BUILDING alone".to_owned(),
                );
            }
            _ => {}
        }
        let remembers = self.is_outside(&[StateId::Absent, StateId::Corrupt, StateId::Disabled]);
        let says_so = self.row.adds.iter().any(|id| id.value == "WATCHER_DOWN");
        if self.row.has_effect(Effect::WatcherDown) && remembers && !says_so {
            wrong.push("puts the watcher down without adding `WATCHER_DOWN`".to_owned());
        }
        if !all_of(ReasonKind::Uncertain) {
            wrong.push("adds a reason that never stands in UNCERTAIN".to_owned());
        }
        wrong
    }

    /// A reason is resolved by a way that it names.
    fn resolved(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let entered = matches!(self.next(), Some(StateId::Complete | StateId::Building));
        if !self.row.resolves.is_empty() && !entered {
            wrong.push(
                "resolves reasons on its way to a state that forgets all or keeps all".to_owned(),
            );
        }
        for reason in self.row.resolves.iter().filter_map(|id| self.index.reason(&id.value)) {
            if !self.way().is_some_and(|way| reason.recovered_by.contains(&way)) {
                wrong.push(format!(
                    "resolves `{}`, which is not recovered this way",
                    reason.id.value
                ));
            }
        }
        let added: BTreeSet<&str> = self.row.adds.iter().map(|id| &*id.value).collect();
        for both in self.row.resolves.iter().filter(|id| added.contains(&*id.value)) {
            wrong.push(format!("adds and resolves `{}`", both.value));
        }
        wrong
    }

    /// Scans are for states with an index that is not being built.
    fn effects(&self) -> Vec<String> {
        let of_scan = [Effect::ScanBegins, Effect::ScanEnds];
        let scans = of_scan.iter().any(|effect| self.row.has_effect(*effect));
        let outside = self.is_outside(&[StateId::Complete, StateId::Uncertain]);
        let both =
            self.row.has_effect(Effect::WatcherLive) && self.row.has_effect(Effect::WatcherDown);
        [
            (scans && outside, "changes a scan where there is none"),
            (both, "says that the watcher is live and down"),
        ]
        .into_iter()
        .filter(|(wrong, _)| *wrong)
        .map(|(_, message)| message.to_owned())
        .collect()
    }

    /// A condition can hold in the row's states.
    fn conditions(&self) -> Vec<String> {
        let never = self.row.when.iter().filter(|condition| {
            let possible: &[StateId] = match &condition.value {
                Condition::Has(reason) | Condition::Only(reason) => match self.index.reason(reason)
                {
                    Some(reason) => stands_in(reason),
                    None => StateId::ALL,
                },
                Condition::ScanNone | Condition::ScanRunning | Condition::ScanUnderWay => {
                    &[StateId::Complete, StateId::Uncertain]
                }
                Condition::Lent => &[StateId::Complete],
                Condition::Lacks(_) | Condition::WatcherDown => StateId::ALL,
            };
            self.is_outside(possible)
        });
        never
            .map(|condition: &At<Condition>| {
                format!("asks for `{}` where it never holds", condition.value)
            })
            .collect()
    }

    /// DISABLED is left by a way that its reason names.
    fn left(&self) -> Vec<String> {
        let leaves = self.row.is_for(StateId::Disabled)
            && self.next().is_some_and(|state| state != StateId::Disabled);
        let asked: Vec<&Reason> = self
            .row
            .when
            .iter()
            .filter_map(|condition| match &condition.value {
                Condition::Has(reason) | Condition::Only(reason) => self.index.reason(reason),
                _ => None,
            })
            .collect();
        if !leaves || self.way() == Some(Way::NewProcess) {
            return Vec::new();
        }
        if asked.is_empty() {
            return vec!["leaves DISABLED without asking why it was".to_owned()];
        }
        asked
            .iter()
            .filter(|reason| !self.way().is_some_and(|way| reason.recovered_by.contains(&way)))
            .map(|reason| {
                format!("leaves DISABLED by `{}`, which is not recovered this way", reason.id.value)
            })
            .collect()
    }
}

/// The states in which a reason can occur.
fn stands_in(reason: &Reason) -> &'static [StateId] {
    match reason.kind {
        ReasonKind::Uncertain => &[StateId::Building, StateId::Uncertain],
        ReasonKind::Disabled => &[StateId::Disabled],
        ReasonKind::Statistic => &[],
    }
}
