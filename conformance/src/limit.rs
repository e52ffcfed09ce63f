//! When enough cases were drawn.

use std::time::Duration;

/// When to stop drawing cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    Cases(u64),
    /// After this time; the current case is finished.
    Time(Duration),
}

impl Limit {
    /// One case in `cases`, or `eighths` of the time.
    pub(crate) fn share(self, cases: u64, eighths: u32) -> Self {
        match self {
            Self::Cases(all) => Self::Cases((all / cases).max(1)),
            Self::Time(all) => Self::Time(all / 8 * eighths),
        }
    }
}
