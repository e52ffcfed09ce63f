//! Conditions of rows on the status before a tick, and effects beyond state and reasons.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use crate::closed::ids;

/// A condition on a status. Reasons are given by name; `checks` tests that they exist.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// `has R`: the reason is in the set.
    Has(String),
    /// `lacks R`: the reason is not in the set.
    Lacks(String),
    /// `only R`: the set has this reason and no other.
    Only(String),
    /// `watcher down`.
    WatcherDown,
    /// `scan none`.
    ScanNone,
    /// `scan running`: running and undisturbed.
    ScanRunning,
    /// `scan under way`: running, disturbed or not.
    ScanUnderWay,
    /// `lent`: COMPLETE holds for one call only.
    Lent,
}

impl Condition {
    /// The reason that it names.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Has(reason) | Self::Lacks(reason) | Self::Only(reason) => Some(reason),
            _ => None,
        }
    }

    fn read(written: &str) -> Option<Self> {
        let words: Vec<&str> = written.split(' ').collect();
        match *words {
            ["has", reason] => Some(Self::Has(reason.to_owned())),
            ["lacks", reason] => Some(Self::Lacks(reason.to_owned())),
            ["only", reason] => Some(Self::Only(reason.to_owned())),
            ["watcher", "down"] => Some(Self::WatcherDown),
            ["scan", "none"] => Some(Self::ScanNone),
            ["scan", "running"] => Some(Self::ScanRunning),
            ["scan", "under", "way"] => Some(Self::ScanUnderWay),
            ["lent"] => Some(Self::Lent),
            _ => None,
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Has(reason) => write!(f, "has {reason}"),
            Self::Lacks(reason) => write!(f, "lacks {reason}"),
            Self::Only(reason) => write!(f, "only {reason}"),
            Self::WatcherDown => f.write_str("watcher down"),
            Self::ScanNone => f.write_str("scan none"),
            Self::ScanRunning => f.write_str("scan running"),
            Self::ScanUnderWay => f.write_str("scan under way"),
            Self::Lent => f.write_str("lent"),
        }
    }
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = String::deserialize(deserializer)?;
        Self::read(&written)
            .ok_or_else(|| D::Error::custom(format!("`{written}` is not a condition")))
    }
}

ids! {
    /// A change of the status beyond state and reasons.
    Effect {
        WatcherLive = "watcher live",
        WatcherDown = "watcher down",
        /// A scan begins, if nothing won.
        ScanBegins = "scan begins",
        ScanEnds = "scan ends",
        /// COMPLETE holds only for the call that caused this.
        Lends = "lends",
        /// The call of this tick excludes nothing.
        Bypasses = "bypasses",
    }
}
