//! What must hold between runs, whatever the right answer is.
//!
//! Responsible for: three relations that need no model: raising `max_results` only extends an
//! answer; backends agree; the order of creation, the number of threads, the locale and the time
//! zone change nothing. Not here: drawing cases and counting verdicts ([`crate::gate`]).
//! Invariants: each judge compares observations with observations only, so that these relations
//! still hold the subjects to account where model and service err in the same way.

use serde_json::{Value, json};

use crate::case::Case;
use crate::compare::{FieldDiff, between};
use crate::expected::Expected;
use crate::family::Family;
use crate::judge::Judge;
use crate::runner::Runner;
use crate::subject::{Observation, SubjectSpec, Verdict};

/// As many events as a request may ask for.
const ALL_EVENTS: u64 = 100_000;

/// Raising `max_results` only extends an answer (FR-LS-06, NFR-LS-COR-01).
#[derive(Debug)]
pub struct Extension<'a> {
    /// Where the subject runs.
    pub runner: &'a Runner,
    pub subject: SubjectSpec,
}

/// Two subjects give one answer.
#[derive(Debug)]
pub struct Agreement<'a> {
    /// Where the subjects run.
    pub runner: &'a Runner,
    /// The one that is taken as expected.
    pub first: SubjectSpec,
    /// The other one.
    pub second: SubjectSpec,
}

/// Irrelevant circumstances change nothing.
#[derive(Debug)]
pub struct Invariance<'a> {
    /// Where the subject runs.
    pub runner: &'a Runner,
    pub subject: SubjectSpec,
}

/// A circumstance that must not change an answer (CON-LS-03, NFR-LS-COR-02).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Circumstance {
    /// The order in which the entries of the tree were created.
    CreationOrder,
    /// One thread instead of all.
    OneThread,
    TwoThreads,
    /// More threads than files.
    ManyThreads,
    /// A locale with other letters' cases and another collation.
    Locale,
    TimeZone,
}

impl Circumstance {
    pub const ALL: [Self; 6] = [
        Self::CreationOrder,
        Self::OneThread,
        Self::TwoThreads,
        Self::ManyThreads,
        Self::Locale,
        Self::TimeZone,
    ];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Circumstance::CreationOrder => "creation order",
            Circumstance::OneThread => "one thread",
            Circumstance::TwoThreads => "two threads",
            Circumstance::ManyThreads => "many threads",
            Circumstance::Locale => "locale",
            Circumstance::TimeZone => "time zone",
        }
    }

    /// The subject in this circumstance.
    fn applied(self, subject: &SubjectSpec) -> SubjectSpec {
        let subject = subject.clone();
        match self {
            Circumstance::CreationOrder => subject.with_creation_order(1),
            Circumstance::OneThread => subject.with_threads(1),
            Circumstance::TwoThreads => subject.with_threads(2),
            Circumstance::ManyThreads => subject.with_threads(8),
            // Turkish folds `I` to a letter of its own; the C library's tools follow LC_ALL before
            // anything else.
            Circumstance::Locale => {
                subject.with_environment("LC_ALL", "tr_TR.UTF-8").with_environment("LANG", "C")
            }
            Circumstance::TimeZone => subject.with_environment("TZ", "Pacific/Kiritimati"),
        }
    }
}

impl Judge for Extension<'_> {
    fn label(&self) -> String {
        format!("{} extends", self.subject)
    }

    fn judge(&self, case: &Case, _: &Expected) -> Verdict {
        if case.family() != Family::Search {
            return Verdict::Unsupported(
                "answers of this tool are cut by what they count".to_owned(),
            );
        }
        let Some(small) = limits(case) else {
            return Verdict::Unsupported(
                "the request is no object, so it has no limit to raise".to_owned(),
            );
        };
        let run = |limit: u64| self.runner.run(&limited(case, limit), &self.subject);
        let (few, more, all) = match (run(small), run(small + 1), run(ALL_EVENTS)) {
            (Ok(few), Ok(more), Ok(all)) => (few, more, all),
            (Err(broken), ..) | (_, Err(broken), _) | (.., Err(broken)) => {
                return Verdict::Broken(broken.to_string());
            }
        };
        let mut found = extension(&few, &more);
        found.extend(extension(&more, &all));
        verdict(found)
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        vec![&self.subject]
    }
}

impl Judge for Agreement<'_> {
    fn label(&self) -> String {
        format!("{} = {}", self.first, self.second)
    }

    fn judge(&self, case: &Case, _: &Expected) -> Verdict {
        if let Some(reason) = apart(case) {
            return Verdict::Unsupported(reason.to_owned());
        }
        match (self.runner.run(case, &self.first), self.runner.run(case, &self.second)) {
            (Ok(first), Ok(second)) => verdict(between(first.as_ref(), second.as_ref())),
            (Err(broken), _) | (_, Err(broken)) => Verdict::Broken(broken.to_string()),
        }
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        vec![&self.first, &self.second]
    }
}

impl Judge for Invariance<'_> {
    fn label(&self) -> String {
        format!("{} in circumstances", self.subject)
    }

    fn judge(&self, case: &Case, _: &Expected) -> Verdict {
        let ordinary = match self.runner.run(case, &self.subject) {
            Ok(ordinary) => ordinary,
            Err(broken) => return Verdict::Broken(broken.to_string()),
        };
        let mut found = Vec::new();
        for circumstance in Circumstance::ALL {
            let name = circumstance.name();
            match self.runner.run(case, &circumstance.applied(&self.subject)) {
                Err(broken) => return Verdict::Broken(format!("{name}: {broken}")),
                Ok(other) => found.extend(
                    between(ordinary.as_ref(), other.as_ref())
                        .into_iter()
                        .map(|diff| FieldDiff { field: format!("{name}: {}", diff.field), ..diff }),
                ),
            }
        }
        verdict(found)
    }

    fn subjects(&self) -> Vec<&SubjectSpec> {
        vec![&self.subject]
    }
}

/// Why backends may differ (docs/search-files.md, checks 9 and 14).
fn apart(case: &Case) -> Option<&'static str> {
    if case.mode() == Some("fuzzy") {
        Some("`fuzzy`: only the embedded backend has it")
    } else if case.family() == Family::Files && case.config.backend_available == Some(false) {
        Some("the embedded backend is there whatever else is not")
    } else {
        None
    }
}

fn verdict(found: Vec<FieldDiff>) -> Verdict {
    if found.is_empty() { Verdict::Agree } else { Verdict::Diverge(found) }
}

/// The smaller of the limits that are tried: the case's own, or one that varies with the case.
fn limits(case: &Case) -> Option<u64> {
    let fields = case.request.as_object()?;
    let own =
        fields.get("max_results").and_then(Value::as_u64).filter(|own| (1..1_000).contains(own));
    let varied = 1 + xxhash_rust::xxh3::xxh3_64(case.request.to_string().as_bytes()) % 4;
    Some(own.unwrap_or(varied))
}

fn limited(case: &Case, limit: u64) -> Case {
    let mut case = case.clone();
    if let Some(fields) = case.request.as_object_mut() {
        fields.insert("max_results".to_owned(), json!(limit));
    }
    case
}

/// Where `more`, the answer under a higher limit, does not extend `few`.
pub fn extension(few: &Observation, more: &Observation) -> Vec<FieldDiff> {
    let (Ok(few), Ok(more)) = (few, more) else {
        // A request that is refused is refused under any limit that may be asked for, and the other
        // way round.
        return between(few.as_ref(), more.as_ref());
    };
    // Nothing was cut: then a higher limit changes nothing at all.
    if few.get("truncated") == Some(&json!(false)) {
        return between(Ok(few), Ok(more));
    }
    let mut found = Vec::new();
    for list in ["matches", "errors"] {
        let (short, long) = (items(few, list), items(more, list));
        for (index, item) in short.iter().enumerate() {
            if long.get(index) != Some(item) {
                let field = format!("{list}[{index}]");
                found.push(FieldDiff {
                    field,
                    expected: Some(item.clone()),
                    got: long.get(index).cloned(),
                });
            }
        }
    }
    let scanned = |answer: &Value| answer.get("files_scanned").and_then(Value::as_u64);
    if scanned(few) > scanned(more) {
        let field = "files_scanned".to_owned();
        let (expected, got) =
            (few.get("files_scanned").cloned(), more.get("files_scanned").cloned());
        found.push(FieldDiff { field, expected, got });
    }
    found
}

fn items<'a>(answer: &'a Value, list: &str) -> &'a [Value] {
    answer.get(list).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(matches: &[u64], truncated: bool, scanned: u64) -> Value {
        json!({ "matches": matches, "errors": [], "truncated": truncated, "files_scanned": scanned })
    }

    fn found(few: &Value, more: &Value) -> Vec<FieldDiff> {
        extension(&Ok(few.clone()), &Ok(more.clone()))
    }

    #[test]
    fn a_truncated_answer_may_be_extended_under_a_higher_limit() {
        assert_eq!(found(&answer(&[1], true, 1), &answer(&[1, 2], false, 2)), []);
    }

    #[test]
    fn an_event_that_changes_under_a_higher_limit_is_found() {
        let found = found(&answer(&[1], true, 1), &answer(&[2, 1], false, 2));
        assert_eq!(
            found.iter().map(|diff| diff.field.as_str()).collect::<Vec<_>>(),
            ["matches[0]"]
        );
    }

    #[test]
    fn fewer_scanned_files_under_a_higher_limit_are_found() {
        assert_eq!(found(&answer(&[1], true, 3), &answer(&[1, 2], true, 2)).len(), 1);
    }

    #[test]
    fn a_whole_answer_may_not_change_under_a_higher_limit() {
        assert_eq!(found(&answer(&[1], false, 2), &answer(&[1, 2], false, 2)).len(), 1);
        assert_eq!(found(&answer(&[1], false, 2), &answer(&[1], false, 2)), []);
    }

    #[test]
    fn a_refusal_may_change_its_message_but_not_become_an_answer() {
        let refusal = Err(json!({ "class": "BadArgs", "field": "pattern", "message": "one" }));
        let same = Err(json!({ "class": "BadArgs", "field": "pattern", "message": "two" }));
        assert_eq!(extension(&refusal, &same), []);
        assert_eq!(extension(&refusal, &Ok(answer(&[], false, 0))).len(), 1);
    }
}
