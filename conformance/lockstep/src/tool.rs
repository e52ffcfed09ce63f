//! The model's answers to cases of every tool, and how observations are compared with them.
//!
//! Responsible for: asking the model for an [`Expected`], and comparing an observation with it;
//! below, for each tool, the answer and how it differs from what was observed. Not here: drawing
//! ([`touchstone_cases::generate`]), the service ([`crate::subjects`]), differences of values
//! ([`crate::compare`]), shrinking ([`crate::shrink`]), counting ([`crate::coverage`],
//! [`crate::report`]). Invariants: an expectation depends only on the case and the path of its
//! tree, never on an observation or a clock.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use crate::compare::{self, Comparison, Observed};
use crate::expected::Expected;
use crate::observation::root_of;
use touchstone_cases::backend::Backend;
use touchstone_cases::case::{Case, ROOT_MARK, Tables};
pub use touchstone_cases::family::Family;

pub mod agent;
pub mod files;
pub mod keyword;
pub mod search;

/// What the model answers to a case by these tables, the sandbox root lying at `root`.
///
/// # Errors
/// That the specification has no such preset.
fn ask_model(case: &Case, tables: Tables, root: &str) -> Result<Expected, String> {
    match case.family() {
        Family::Search => Ok(search::expected(case, tables)),
        Family::Files => files::expected(case, tables),
        Family::Agent => agent::expected(case, tables),
        Family::Keyword => keyword::expected(case, tables, root),
    }
}

impl Expected {
    /// The model's expectation.
    ///
    /// # Errors / The panic message, if the model panics, which is a bug of the model.
    pub fn of(case: &Case) -> Result<Self, String> {
        Self::by(case, Tables::CURRENT)
    }

    /// The model's expectation by these tables.
    ///
    /// # Errors / As [`Expected::of`].
    pub fn by(case: &Case, tables: Tables) -> Result<Self, String> {
        Self::at(case, tables, ROOT_MARK)
    }

    /// The same for a tree at `root`. The model is a pure function, so a panic leaves no broken
    /// state.
    fn at(case: &Case, tables: Tables, root: &str) -> Result<Self, String> {
        let ask = || ask_model(case, tables, root);
        catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            let text = text.unwrap_or_else(|| "without a message".to_owned());
            Err(format!("the model panicked: {text}"))
        })
    }

    /// Compares the answer of a subject over `backend` with the expectation.
    pub fn compare(&self, case: &Case, backend: Backend, observed: Observed<'_>) -> Comparison {
        // Paths below the sandbox root are shown with the root's name, whose length and letters
        // count.
        let root = root_of(observed).filter(|_| !case.config.working_dir.is_empty());
        match root.map(|root| Self::at(case, Tables::CURRENT, root)) {
            None => compare::compare(&self.over(backend), observed),
            Some(Ok(there)) => compare::compare(&there.over(backend), observed),
            Some(Err(panic)) => {
                Comparison::Differs(vec![compare::whole(Value::String(panic), Value::Null)])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use touchstone_cases::case::Entry;

    fn refused_at(case: &Case, backend: Backend) -> Option<String> {
        let expected = Expected::of(case).unwrap();
        let refusal = expected.over(backend)[0].as_ref().err()?;
        Some(refusal.text("field").to_owned())
    }

    #[test]
    fn expected_answers_differ_by_backend_only_for_fuzzy_mode_or_a_missing_backend() {
        let case = |mode: &str| {
            Case::of("a", "a", "search_files", json!({"path": ".", "query": "foo", "mode": mode}))
                .with(Entry::file("a", "foo\n"))
        };
        let refusals = |case: &Case| Backend::ALL.map(|backend| refused_at(case, backend));
        assert_eq!(refusals(&case("exact")), [None, None, None]);
        let at_mode = Some("mode".to_owned());
        assert_eq!(refusals(&case("fuzzy")), [None, at_mode.clone(), at_mode]);
        let mut alone = case("exact");
        alone.config.backend_available = Some(false);
        let at_backend = Some("backend".to_owned());
        assert_eq!(refusals(&alone), [None, at_backend.clone(), at_backend]);
        assert_eq!(Expected::of(&case("fuzzy")).unwrap().shown().len(), 2);
    }

    #[test]
    fn the_expected_refusal_of_a_budget_names_the_smallest_budget() {
        let mut case = Case::of("a", "a", "search_files", json!({"path": ".", "query": "foo"}));
        let smallest = |case: &Case| {
            let expected = Expected::of(case).unwrap();
            expected.canonical.as_ref().err().and_then(|refusal| refusal.names)
        };
        assert_eq!(smallest(&case), None);
        case.context.max_output_bytes = Some(10);
        let named = smallest(&case).unwrap();
        case.context.max_output_bytes = Some(named);
        assert_eq!(refused_at(&case, Backend::Native), None);
        case.context.max_output_bytes = Some(named - 1);
        let at_budget = Some("max_output_bytes".to_owned());
        assert_eq!(refused_at(&case, Backend::Native), at_budget);
    }
}
