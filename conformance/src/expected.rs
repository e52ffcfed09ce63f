//! What the model expects of a case, by the tool it calls and the backend it runs over.
//!
//! Responsible for: [`Expected`], everything a correct searcher may answer to one case, and holding
//! an observation against it. Left to neighbours: the answers themselves (the model), their
//! differences field by field ([`crate::compare`]). Invariants: what is expected depends on the
//! case alone, never on what was observed; `search_files` is the only tool of which backends are
//! expected to differ, and only where docs/search-files.md says so (checks 9 and 14).

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;
use touchstone_model::{Allowed, Outcome, Refusal, agent, search_files};

use crate::case::{Case, ROOT_MARK, Tables};
use crate::compare::{self, Comparison, FieldDiff, Observed, compare, files, outcome_json};
use crate::script::{HOST, MODEL, NAME};
use crate::subject::Backend;

/// Everything a correct searcher may answer to a case.
#[derive(Debug, Clone)]
pub enum Expected {
    /// Of `Search` under any of its names: the same over every backend.
    Search(Allowed),
    /// Of `search_files`.
    Files(Files),
    /// Of one of the agent's tools: the same over every backend.
    Agent(agent::Outcome),
    /// Of `keyword_search`: the same over every backend.
    Keyword(agent::keyword::Outcome),
}

/// Everything that `search_files` may answer to a case.
#[derive(Debug, Clone)]
pub struct Files {
    native: search_files::Allowed,
    process: search_files::Allowed,
    /// The smallest budget that works over the embedded backend, if the budget of the case is too
    /// small.
    smallest: Option<u64>,
}

/// The canonical outcome of a case, as either tool gives it.
#[derive(Debug, Clone, Copy)]
pub enum Canonical<'a> {
    /// Of `Search`.
    Search(&'a Outcome),
    /// Of `search_files` over the embedded backend.
    Files(&'a search_files::Outcome),
    /// Of one of the agent's tools.
    Agent(&'a agent::Outcome),
    /// Of `keyword_search`, if the sandbox root were `{root}`.
    Keyword(&'a agent::keyword::Outcome),
}

impl Expected {
    /// What the model says.
    ///
    /// # Errors
    /// The model's own words when it panics, which is the model's bug.
    pub fn of(case: &Case) -> Result<Self, String> {
        Self::by(case, Tables::CURRENT)
    }

    /// What the model says that goes by these tables.
    ///
    /// # Errors
    /// As [`Expected::of`].
    pub fn by(case: &Case, tables: Tables) -> Result<Self, String> {
        if case.calls_files() {
            Files::by(case, tables).map(Self::Files)
        } else if case.calls_agent() {
            agent(case, tables).map(Self::Agent)
        } else if case.calls_keyword() {
            keyword(case, tables, ROOT_MARK).map(Self::Keyword)
        } else {
            search(case, tables).map(Self::Search)
        }
    }

    /// Holds what a subject over `backend` answered to `case` against it.
    pub fn compare(&self, case: &Case, backend: Backend, observed: Observed<'_>) -> Comparison {
        match self {
            Self::Search(allowed) => compare(allowed, &case.request, observed),
            Self::Files(allowed) => {
                let smallest = allowed.smallest.filter(|_| case.config.working_dir.is_empty());
                files::compare(allowed.over(backend), smallest, observed)
            }
            Self::Agent(outcome) => compare::agent::compare(outcome, case.agent_budget(), observed),
            Self::Keyword(outcome) => {
                let budget = case.agent_budget();
                // Below the sandbox root paths are shown with its name, whose length and letters
                // count.
                let root = compare::keyword::root_of(observed)
                    .filter(|_| !case.config.working_dir.is_empty());
                match root.map(|root| keyword(case, Tables::CURRENT, root)) {
                    None => compare::keyword::compare(outcome, budget, observed),
                    Some(Ok(outcome)) => compare::keyword::compare(&outcome, budget, observed),
                    Some(Err(panic)) => Comparison::Differs(vec![FieldDiff {
                        field: String::new(),
                        expected: Some(Value::String(panic)),
                        got: None,
                    }]),
                }
            }
        }
    }

    /// The outcome of a run that no deadline disturbs, over the embedded backend.
    pub fn canonical(&self) -> Canonical<'_> {
        match self {
            Self::Search(allowed) => Canonical::Search(allowed.canonical()),
            Self::Files(allowed) => Canonical::Files(allowed.native.canonical()),
            Self::Agent(outcome) => Canonical::Agent(outcome),
            Self::Keyword(outcome) => Canonical::Keyword(outcome),
        }
    }

    /// Every outcome as JSON, for people; where backends differ, those of both kinds.
    pub fn shown(&self, case: &Case) -> Vec<Value> {
        match self {
            Self::Search(allowed) => {
                allowed.outcomes().iter().map(|one| outcome_json(one, &case.request)).collect()
            }
            Self::Files(allowed) => {
                let over_process = allowed.process.outcomes().iter();
                let others = over_process.filter(|one| !allowed.native.contains(one));
                allowed.native.outcomes().iter().chain(others).map(files::outcome_json).collect()
            }
            Self::Agent(outcome) => vec![compare::agent::outcome_json(outcome)],
            Self::Keyword(outcome) => vec![compare::keyword::outcome_json(outcome)],
        }
    }
}

impl Files {
    fn by(case: &Case, tables: Tables) -> Result<Self, String> {
        let none = || format!("the specification has no preset `{}`", case.config.preset.name());
        let over = |native: bool| case.files_config(tables, native).ok_or_else(none);
        let (native, process) = (over(true)?, over(false)?);
        let world = case.world();
        guarded(|| {
            let over_native = search_files::search_files(&world, &native, &case.request);
            let too_small =
                over_native.canonical().as_ref().is_err_and(|one| one.field == "max_output_bytes");
            Self {
                smallest: too_small
                    .then(|| search_files::smallest_budget(&world, &native, &case.request))
                    .flatten(),
                process: search_files::search_files(&world, &process, &case.request),
                native: over_native,
            }
        })
    }

    /// What is allowed over a backend.
    pub fn over(&self, backend: Backend) -> &search_files::Allowed {
        match backend {
            Backend::Native => &self.native,
            Backend::Ripgrep | Backend::Ugrep => &self.process,
        }
    }
}

impl<'a> Canonical<'a> {
    /// Whether it is a refusal.
    pub fn is_refused(self) -> bool {
        match self {
            Self::Agent(outcome) => outcome.is_err(),
            Self::Keyword(outcome) => outcome.is_err(),
            Self::Search(_) | Self::Files(_) => self.refusal().is_some(),
        }
    }

    /// The refusal, if it is one of a tool whose errors have classes.
    pub fn refusal(self) -> Option<&'a Refusal> {
        match self {
            Self::Search(outcome) => outcome.as_ref().err(),
            Self::Files(outcome) => outcome.as_ref().err(),
            Self::Agent(_) | Self::Keyword(_) => None,
        }
    }
}

/// Everything that `Search` may answer to a case by these tables.
///
/// # Errors
/// The model's own words when it panics.
pub fn search(case: &Case, tables: Tables) -> Result<Allowed, String> {
    let config = case.config_by(tables);
    guarded(|| touchstone_model::search(&case.world(), &config, &case.tool, &case.request))
}

/// What one of the agent's tools answers to a case by these tables.
///
/// # Errors
/// The model's own words when it panics, or that there is no such preset.
pub fn agent(case: &Case, tables: Tables) -> Result<agent::Outcome, String> {
    let config = case.agent_config(tables);
    let config = config.ok_or_else(|| format!("no preset `{}`", case.config.preset.name()))?;
    let tool = match case.tool.as_str() {
        "grep" => agent::grep,
        "find_files" => agent::find_files,
        _ => agent::search_text,
    };
    guarded(|| tool(&case.world(), &config, &case.request))
}

/// What `keyword_search` answers to a case by these tables, its tree lying at `root`.
///
/// # Errors
/// The model's own words when it panics, or that there is no such preset.
pub fn keyword(case: &Case, tables: Tables, root: &str) -> Result<agent::keyword::Outcome, String> {
    let config = case.keyword_config(tables, root);
    let config = config.ok_or_else(|| format!("no preset `{}`", case.config.preset.name()))?;
    let says = |data: &str| case.model.as_ref().and_then(|script| script.answer(data));
    let model = agent::keyword::Model { name: NAME, model: MODEL, host: HOST, says: &says };
    let model = case.model.as_ref().map(|_| &model);
    guarded(|| agent::keyword::keyword_search(&case.world(), &config, &case.request, model))
}

/// Asks the model. It is a function of its arguments, so there is nothing that a panic could leave
/// half-done.
fn guarded<T>(ask: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(ask)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        format!("the model panicked: {}", text.unwrap_or_else(|| "without a message".to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Entry;
    use serde_json::json;

    fn refused_at(files: &Files, backend: Backend) -> Option<&str> {
        files.over(backend).canonical().as_ref().err().map(|refusal| refusal.field.as_str())
    }

    fn files(case: &Case) -> Files {
        match Expected::of(case).unwrap() {
            Expected::Files(files) => files,
            Expected::Search(_) | Expected::Agent(_) | Expected::Keyword(_) => {
                panic!("a case of the other tool")
            }
        }
    }

    #[test]
    fn backends_differ_only_where_one_alone_can_do_it_or_be_missing() {
        let case = |mode: &str| {
            Case::of_files("a", "a", json!({"path": ".", "query": "foo", "mode": mode}))
                .with(Entry::file("a", "foo\n"))
        };
        let refusals = |case: &Case| {
            let files = files(case);
            Backend::ALL.map(|backend| refused_at(&files, backend).map(str::to_owned))
        };
        assert_eq!(refusals(&case("exact")), [None, None, None]);
        let at_mode = Some("mode".to_owned());
        assert_eq!(refusals(&case("fuzzy")), [None, at_mode.clone(), at_mode]);
        let mut alone = case("exact");
        alone.config.backend_available = Some(false);
        let at_backend = Some("backend".to_owned());
        assert_eq!(refusals(&alone), [None, at_backend.clone(), at_backend]);
        assert_eq!(Expected::of(&case("fuzzy")).unwrap().shown(&case("fuzzy")).len(), 2);
    }

    #[test]
    fn the_smallest_budget_is_known_where_the_budget_refuses() {
        let mut case = Case::of_files("a", "a", json!({"path": ".", "query": "foo"}));
        assert_eq!(files(&case).smallest, None);
        case.context.max_output_bytes = Some(10);
        let smallest = files(&case).smallest.unwrap();
        case.context.max_output_bytes = Some(smallest);
        assert_eq!(refused_at(&files(&case), Backend::Native), None);
        case.context.max_output_bytes = Some(smallest - 1);
        assert_eq!(refused_at(&files(&case), Backend::Native), Some("max_output_bytes"));
    }
}
