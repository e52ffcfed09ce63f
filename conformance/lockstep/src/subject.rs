//! What can be held against the model, and what holding it there can end in.
//!
//! Responsible for: the names of subjects ([`SubjectSpec`]), what a run gives back
//! ([`Observation`], [`Broken`]) and what is made of it ([`Verdict`]). Not here: running
//! (`touchstone::runner`), the subjects themselves ([`crate::subjects`]), and comparing
//! ([`crate::compare`]). Invariants: broken is not wrong, and unsupported is a value with a reason:
//! neither is ever "no match".

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::compare::FieldDiff;
pub use crate::observation::{Broken, Observation};
use crate::subjects::sabotage::Sabotage;
pub use touchstone_cases::backend::Backend;

/// The verdict of a comparison with the model.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// The model's canonical answer.
    Agree,
    /// Another answer that the documents permit.
    Allowed,
    /// None of the allowed answers; the differences from the nearest.
    Diverge(Vec<FieldDiff>),
    /// The subject does not support the case; the reason.
    Unsupported(String),
    /// There was no answer; the reason.
    Broken(String),
}

impl Verdict {
    /// Whether the verdict passes.
    pub fn is_fine(&self) -> bool {
        matches!(self, Self::Agree | Self::Allowed | Self::Unsupported(_))
    }
}

/// A subject by name, and its environment.
///
/// Every subject of the gate is the service over a backend; the `touchstone_hunt` runs
/// programs on their own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubjectSpec {
    /// The backend the service uses.
    pub backend: Backend,
    /// The simulated bug, if any.
    pub sabotage: Option<Sabotage>,
    /// Environment of the worker process, on top of an otherwise clean one.
    pub environment: BTreeMap<String, String>,
    /// Threads of the service; 0 for as many as there are processors.
    pub threads: usize,
    /// Whether the tree has an index that is ready.
    #[serde(default)]
    pub indexed: bool,
    /// Seed of the order in which directory entries are created; `None` for the case's own.
    pub creation_order: Option<u64>,
}

impl SubjectSpec {
    /// The service over one backend, in ordinary circumstances.
    pub fn forge(backend: Backend) -> Self {
        Self {
            backend,
            sabotage: None,
            environment: BTreeMap::new(),
            threads: 0,
            indexed: false,
            creation_order: None,
        }
    }

    /// The same subject with a simulated bug.
    #[must_use]
    pub fn with_sabotage(self, sabotage: Sabotage) -> Self {
        Self { sabotage: Some(sabotage), ..self }
    }

    /// The same subject with an environment variable set.
    #[must_use]
    pub fn with_environment(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The same subject with an index of the tree.
    #[must_use]
    pub fn with_index(self) -> Self {
        Self { indexed: true, ..self }
    }

    /// The same subject with so many threads.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The same subject in a tree whose entries are created in another order.
    #[must_use]
    pub fn with_creation_order(self, seed: u64) -> Self {
        Self { creation_order: Some(seed), ..self }
    }
}

impl fmt::Display for SubjectSpec {
    /// The name on the command line, without the environment.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "forge:{}", self.backend.name())?;
        self.sabotage.map_or(Ok(()), |sabotage| write!(formatter, "+{}", sabotage.name()))
    }
}

/// An unknown name of a subject.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown subject `{name}`; known are {known}, each optionally with one of {bugs}")]
pub struct UnknownSubject {
    name: String,
    known: String,
    bugs: String,
}

impl FromStr for SubjectSpec {
    type Err = UnknownSubject;

    fn from_str(name: &str) -> Result<Self, UnknownSubject> {
        let parsed = || {
            let (base, bug) =
                name.split_once('+').map_or((name, None), |(base, bug)| (base, Some(bug)));
            let wanted = base.strip_prefix("forge:")?;
            let backend = Backend::ALL.into_iter().find(|backend| backend.name() == wanted)?;
            let spec = Self::forge(backend);
            match bug {
                None => Some(spec),
                Some(bug) => Sabotage::ALL
                    .iter()
                    .find(|one| one.name() == bug)
                    .map(|one| spec.with_sabotage(*one)),
            }
        };
        parsed().ok_or_else(|| UnknownSubject {
            name: name.to_owned(),
            known: Backend::ALL.map(|backend| format!("`forge:{}`", backend.name())).join(", "),
            bugs: Sabotage::ALL
                .iter()
                .map(|bug| format!("`+{}`", bug.name()))
                .collect::<Vec<_>>()
                .join(", "),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subject_is_parsed_from_its_name() {
        for backend in Backend::ALL {
            let plain = SubjectSpec::forge(backend);
            assert_eq!(plain.to_string().parse(), Ok(plain.clone()));
            for bug in Sabotage::ALL {
                let sabotaged = plain.clone().with_sabotage(*bug);
                assert_eq!(sabotaged.to_string().parse(), Ok(sabotaged));
            }
        }
    }

    #[test]
    fn an_unknown_subject_is_refused_with_the_known_ones() {
        for name in ["forge:grep", "native", "forge:native+nothing", ""] {
            let message = SubjectSpec::from_str(name).unwrap_err().to_string();
            assert!(
                message.contains(&format!("`{name}`")) && message.contains("`forge:native`"),
                "{message}"
            );
        }
    }
}
