//! Bit sets of reasons, actions and effects. They are `Copy`, since the machine runs some hundred
//! million times.
//!
//! A member's bit is its position in its enumeration.

use std::fmt;

use crate::index::tables::{Action, ActionKind, Effect, MachineTables, Reason};

/// A set of reasons (E-C12).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Reasons(u32);

impl Reasons {
    pub const fn empty() -> Self {
        Self(0)
    }

    pub fn of(reasons: &[Reason]) -> Self {
        reasons.iter().fold(Self::empty(), |set, reason| set.with(*reason))
    }

    #[must_use]
    pub const fn with(self, reason: Reason) -> Self {
        Self(self.0 | 1 << reason as u32)
    }

    #[must_use]
    pub const fn without(self, reason: Reason) -> Self {
        Self(self.0 & !(1 << reason as u32))
    }

    pub const fn contains(self, reason: Reason) -> bool {
        self.0 & 1 << reason as u32 != 0
    }

    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members in the order of the enumeration, not by rank.
    pub fn iter(self) -> impl Iterator<Item = Reason> {
        Reason::ALL.into_iter().filter(move |reason| self.contains(*reason))
    }
}

impl fmt::Debug for Reasons {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.iter()).finish()
    }
}

/// A set of actions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Actions(u64);

impl Actions {
    pub const fn empty() -> Self {
        Self(0)
    }

    pub fn of(actions: &[Action]) -> Self {
        actions.iter().fold(Self::empty(), |set, action| set.with(*action))
    }

    /// Every action of a kind.
    pub(super) fn of_kind(tables: &MachineTables<'_>, kind: ActionKind) -> Self {
        let rows = tables.actions.iter().filter(|row| row.kind == kind);
        rows.fold(Self::empty(), |set, row| set.with(row.action))
    }

    #[must_use]
    pub const fn with(self, action: Action) -> Self {
        Self(self.0 | 1 << action as u64)
    }

    pub const fn contains(self, action: Action) -> bool {
        self.0 & 1 << action as u64 != 0
    }

    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members in the order of the tables (section 7).
    pub fn iter<'a>(self, tables: &MachineTables<'a>) -> impl Iterator<Item = Action> + use<'a> {
        tables.actions.iter().map(|row| row.action).filter(move |action| self.contains(*action))
    }
}

impl fmt::Debug for Actions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Actions({:#x})", self.0)
    }
}

/// A set of effects.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effects(u32);

impl Effects {
    pub(super) const fn empty() -> Self {
        Self(0)
    }

    pub(super) fn of(effects: &[Effect]) -> Self {
        Self(effects.iter().fold(0, |set, effect| set | 1 << *effect as u32))
    }

    pub(super) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn contains(self, effect: Effect) -> bool {
        self.0 & 1 << effect as u32 != 0
    }
}
