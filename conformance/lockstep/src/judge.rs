//! The trait of what decides about a case.

use touchstone_cases::case::Case;

use crate::expected::Expected;
use crate::subject::{SubjectSpec, Verdict};

/// Judges cases. Shared between threads.
pub trait Judge: Sync {
    /// The label of its verdicts; usually the subject's name.
    fn label(&self) -> String;

    /// Judges a case, given the model's expectation.
    fn judge(&self, case: &Case, expected: &Expected) -> Verdict;

    /// The subjects for replaying a stored case.
    fn subjects(&self) -> Vec<&SubjectSpec>;

    /// Counts beside the verdicts, for the report.
    fn facts(&self) -> Vec<String> {
        Vec::new()
    }
}
