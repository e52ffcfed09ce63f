//! What a run came to, in numbers and in a sentence: the one place that says whether it is green.
//!
//! Responsible for: which cases nothing explains ([`Results::unexplained`]), the sums that every
//! form shows ([`Outcome`]), and the state that decides the exit status ([`Results::state`]).
//! Not here: which finding explains which case (`explain`).
//! Invariants: a wrong, broken or unreadable case is known, explained by a new finding, or
//! unexplained, and nothing else; what is not attributed is unexplained.

use serde::{Deserialize, Serialize};

use super::question::Feature;
use super::results::{Cell, Results, Unreadable};

/// A subject and a group with wrong answers that nothing explains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unexplained<'a> {
    /// `NAME@VERSION`.
    pub subject: &'a str,
    /// The group.
    pub group: Feature,
    /// Who says that they are wrong: `model`, or a relation.
    pub oracle: &'a str,
    /// How many; asks where a relation says so.
    pub cases: u64,
}

/// Whether a run is green.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Nothing is wrong that is not known: exit status 0.
    Fine,
    /// Something is new or unexplained: exit status 1.
    Wrong,
    /// It could not run, and why: exit status 2.
    CouldNot(String),
}

/// The sums of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    /// Findings that nobody has listed yet.
    pub new: usize,
    /// Others that are those with something more, as far as is known.
    #[serde(default)]
    pub variants: usize,
    /// Findings of a baseline or the museum.
    pub known: usize,
    /// Cases that are wrong and explained by no finding, baseline or declaration.
    pub unexplained: u64,
    /// In how many places: a subject and a group.
    pub places: usize,
    /// Programs that their adapters cannot read.
    pub unreadable: Vec<Unreadable>,
    /// `fine`, `wrong`, or why it could not run.
    pub state: String,
    /// All of it, as forms for people say it.
    pub says: String,
}

impl Cell {
    /// Cases that are wrong and not known.
    pub fn wrong(&self) -> u64 {
        self.diverge + self.broken + self.unreadable
    }

    /// Cases that are wrong and that nothing explains.
    pub fn unexplained(&self) -> u64 {
        self.wrong().saturating_sub(self.explained)
    }
}

impl Results {
    /// The places with wrong answers that nothing explains, in order of cells.
    pub fn unexplained(&self) -> Vec<Unexplained<'_>> {
        let cells = self.cells.iter().map(|cell| Unexplained {
            subject: &cell.subject,
            group: cell.group,
            oracle: "model",
            cases: cell.unexplained(),
        });
        // What relations say is in no cell.
        let related = self.left.iter().filter(|left| left.kind.oracle != "model");
        let related = related.filter_map(|left| {
            let first = left.sightings.first()?;
            let met = left.sightings.iter().map(|one| one.met).sum::<u64>().max(1);
            Some(Unexplained {
                subject: &first.subject,
                group: first.group,
                oracle: &left.kind.oracle,
                cases: met,
            })
        });
        cells.chain(related).filter(|one| one.cases > 0).collect()
    }

    /// The sums.
    pub fn outcome(&self) -> Outcome {
        let known = self.findings.iter().filter(|finding| finding.known.is_some()).count();
        let new = self.findings.iter().filter(|finding| finding.is_new()).count();
        let variants = self.findings.len() - known - new;
        let unexplained = self.unexplained();
        let (places, cases) =
            (unexplained.len(), unexplained.iter().map(|one| one.cases).sum::<u64>());
        let with = match variants {
            0 => String::new(),
            1 => " with 1 variant".to_owned(),
            many => format!(" with {many} variants"),
        };
        let mut says = format!(
            "{new} new {}{with}, {known} known; {cases} {} unexplained in {places} {}",
            if new == 1 { "finding" } else { "findings" },
            if cases == 1 { "case" } else { "cases" },
            if places == 1 { "place" } else { "places" },
        );
        if self.interrupted {
            says.push_str("; interrupted");
        }
        let state = match self.state() {
            State::Fine => "fine".to_owned(),
            State::Wrong => "wrong".to_owned(),
            State::CouldNot(why) => why,
        };
        let unreadable = self.unreadable.clone();
        Outcome { new, variants, known, unexplained: cases, places, unreadable, state, says }
    }

    /// Whether the run is green.
    pub fn state(&self) -> State {
        if let Some(one) = self.unreadable.first() {
            return State::CouldNot(format!(
                "the adapter of {} cannot read this program's output for `{}`: {}: {}",
                one.subject, one.show, one.reason, one.line
            ));
        }
        if self.findings.iter().any(|finding| finding.known.is_none()) {
            return State::Wrong;
        }
        let is_idle = |subject: &str| {
            let mine = self.cells.iter().filter(|cell| cell.subject == subject);
            mine.map(|cell| cell.agree + cell.declared + cell.known + cell.diverge).sum::<u64>()
                == 0
        };
        if let Some(idle) = self.subjects.iter().find(|one| is_idle(&one.subject)) {
            let reason = self.cells.iter().find(|cell| cell.subject == idle.subject);
            let reason = reason.and_then(|cell| cell.reason.as_deref());
            return State::CouldNot(format!(
                "not one answer of {} could be judged{}",
                idle.subject,
                reason.map(|reason| format!(": {reason}")).unwrap_or_default()
            ));
        }
        if !self.unexplained().is_empty() || !self.stale.is_empty() || !self.troubles.is_empty() {
            return State::Wrong;
        }
        if self.interrupted {
            return State::CouldNot("it was ended before all was asked".to_owned());
        }
        State::Fine
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn a_wrong_answer_without_a_finding_is_unexplained_and_not_green() {
        let mut results = sample::small();
        results.findings.retain(|finding| finding.known.is_some());
        assert_eq!(results.state(), State::Fine);
        // The cells of the sample, each in turn wrong in one way.
        for (field, says) in [(0, "diverge"), (1, "broken"), (2, "unreadable")] {
            let mut wrong = results.clone();
            let cell = wrong.cells.first_mut().unwrap();
            *[&mut cell.diverge, &mut cell.broken, &mut cell.unreadable][field] += 3;
            assert_eq!(wrong.state(), State::Wrong, "{says}");
            let outcome = wrong.outcome();
            assert_eq!((outcome.unexplained, outcome.places), (3, 1), "{says}");
        }
    }

    #[test]
    fn a_subject_without_any_judged_answer_is_not_green() {
        let mut results = sample::small();
        results.findings.clear();
        results.cells.retain(|cell| cell.subject != "ripgrep@14.1.0");
        assert!(matches!(results.state(), State::CouldNot(why) if why.contains("14.1.0")));
    }
}
