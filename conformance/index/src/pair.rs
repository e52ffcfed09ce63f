//! One tick through the model and through production.
//!
//! Responsible for: running both and deciding whether they say the same: status, shown reason,
//! actions and their order, duty, permission to exclude, winner; and for telling a difference field
//! by field. Not here: which ticks are run (`sweep`), what must hold whatever either says
//! (`invariants`). Invariants: a comparison allocates nothing once the sets that occur are known.

use std::fmt::Write as _;

use forge_search_core::index::machine as production;
use rustc_hash::FxHashMap;
use touchstone_model::index::machine::{Actions, Machine, Outcome, Reasons, Scan, Status};
use touchstone_model::index::tables::{MachineTables, Trigger};

use super::names::{Names, scan, snake};

/// Both machines.
#[derive(Debug)]
pub struct Pair<'a> {
    /// The model's.
    pub machine: Machine<'a>,
    /// What the model reads.
    pub tables: MachineTables<'a>,
    /// The mapping between the two vocabularies.
    pub names: Names,
}

/// One tick: a status, and the triggers that came. The smaller one has fewer triggers, then fewer
/// reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tick {
    /// The status before.
    pub status: Status,
    pub triggers: Vec<Trigger>,
}

impl Tick {
    /// By what ticks are ordered, the smallest first.
    pub fn size(&self) -> (usize, usize, Status, &[Trigger]) {
        (self.triggers.len(), self.status.reasons.iter().count(), self.status, &self.triggers)
    }
}

impl<'a> Pair<'a> {
    /// Both machines, the model's over these tables.
    ///
    /// # Errors
    /// A sentence when the two speak of different things ([`Names::of`]).
    pub fn new(tables: &MachineTables<'a>) -> Result<Self, String> {
        Ok(Self { machine: Machine::new(tables), tables: *tables, names: Names::of(tables)? })
    }

    /// The same with names that are known already.
    pub fn with(tables: &MachineTables<'a>, names: Names) -> Self {
        Self { machine: Machine::new(tables), tables: *tables, names }
    }

    /// Production's set of triggers.
    pub fn triggers(&self, triggers: &[Trigger]) -> production::Triggers {
        triggers.iter().filter_map(|trigger| self.names.trigger(*trigger)).collect()
    }

    /// Production's step for the model's status and triggers.
    pub fn production(&self, status: Status, triggers: &[Trigger]) -> production::Step {
        production::step(self.names.status(status), self.triggers(triggers))
    }

    /// A tick for people, with what both sides say.
    pub fn description(&self, tick: &Tick) -> String {
        let outcome = self.machine.step(tick.status, &tick.triggers);
        let step = self.production(tick.status, &tick.triggers);
        let mut text = format!(
            "before      {}\ntriggers    {}\n",
            self.status(tick.status),
            self.list(&tick.triggers)
        );
        let actions = |actions: Vec<String>| {
            if actions.is_empty() { "none".to_owned() } else { actions.join(", ") }
        };
        let shown =
            |reason: Option<production::Reason>| reason.map_or("null", production::Reason::name);
        let rows = [
            ("status", self.status(outcome.status), theirs(step.status)),
            (
                "shown",
                shown(outcome.shown.and_then(|reason| self.names.reason(reason))).to_owned(),
                shown(step.status.shown_reason()).to_owned(),
            ),
            (
                "actions",
                actions(outcome.actions.iter(&self.tables).map(snake).collect()),
                actions(step.actions.iter().map(|action| action.name().to_owned()).collect()),
            ),
            ("duty", self.names.duty(outcome.duty).name().to_owned(), step.duty.name().to_owned()),
            ("may exclude", outcome.may_exclude.to_string(), step.may_exclude.to_string()),
            (
                "winner",
                outcome.winner.map_or_else(|| "none".to_owned(), snake),
                step.winner.map_or_else(|| "none".to_owned(), |trigger| trigger.name().to_owned()),
            ),
        ];
        for (field, model, production) in rows {
            // Writing to a string cannot fail.
            let _ = if model == production {
                writeln!(text, "{field:<12}{model}")
            } else {
                writeln!(text, "{field:<12}model: {model}\n{:<12}production: {production}", "")
            };
        }
        text
    }

    /// A status for people.
    pub fn status(&self, status: Status) -> String {
        theirs(self.names.status(status))
    }

    /// Triggers for people.
    pub fn list(&self, triggers: &[Trigger]) -> String {
        let names: Vec<&str> = triggers
            .iter()
            .filter_map(|trigger| self.names.trigger(*trigger))
            .map(production::Trigger::name)
            .collect();
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }
}

fn theirs(status: production::Status) -> String {
    let reasons: Vec<&str> = status.reasons.iter().map(production::Reason::name).collect();
    let watcher = if status.watcher_live { "live" } else { "down" };
    let lent = if status.lent { ", lent" } else { "" };
    let scan = match status.scan {
        production::Scan::None => "none",
        production::Scan::Running => "running",
        production::Scan::Disturbed => "disturbed",
    };
    format!("{} {{{}}}, watcher {watcher}, scan {scan}{lent}", status.state, reasons.join(", "))
}

/// Compares outcomes, and remembers what sets it has translated.
#[derive(Debug)]
pub struct Comparing<'p, 'a> {
    pair: &'p Pair<'a>,
    reasons: FxHashMap<Reasons, production::Reasons>,
    /// Production's set, if both sides list it alike.
    actions: FxHashMap<Actions, Option<production::Actions>>,
}

impl<'p, 'a> Comparing<'p, 'a> {
    pub fn new(pair: &'p Pair<'a>) -> Self {
        Self { pair, reasons: FxHashMap::default(), actions: FxHashMap::default() }
    }

    /// Whether both say the same.
    pub fn agree(&mut self, ours: &Outcome, theirs: &production::Step) -> bool {
        let names = &self.pair.names;
        let (after, other) = (ours.status, theirs.status);
        after.watcher_live == other.watcher_live
            && after.lent == other.lent
            && ours.may_exclude == theirs.may_exclude
            && same_scan(after.scan, other.scan)
            && names.state(after.state) == other.state
            && names.duty(ours.duty) == theirs.duty
            && ours.winner.and_then(|trigger| names.trigger(trigger)) == theirs.winner
            && ours.shown.and_then(|reason| names.reason(reason)) == other.shown_reason()
            && self.reasons(after.reasons) == other.reasons
            && self.actions(ours.actions) == Some(theirs.actions)
    }

    fn reasons(&mut self, reasons: Reasons) -> production::Reasons {
        if let Some(known) = self.reasons.get(&reasons) {
            return *known;
        }
        let found = self.pair.names.reasons(reasons);
        self.reasons.insert(reasons, found);
        found
    }

    fn actions(&mut self, actions: Actions) -> Option<production::Actions> {
        if let Some(known) = self.actions.get(&actions) {
            return *known;
        }
        let pairs = self.pair.names.actions();
        let theirs: Vec<production::Action> = actions
            .iter(&self.pair.tables)
            .filter_map(|action| {
                pairs.iter().find(|(ours, _)| *ours == action).map(|(_, theirs)| *theirs)
            })
            .collect();
        let set: production::Actions = theirs.iter().copied().collect();
        let listed_alike = set.iter().eq(theirs);
        let found = listed_alike.then_some(set);
        self.actions.insert(actions, found);
        found
    }
}

fn same_scan(ours: Scan, theirs: production::Scan) -> bool {
    scan(ours) == theirs
}
