//! What a run came to: the JSON document that `hunt`, `matrix` and `merge` write and reports are
//! made of.
//!
//! Invariants: adding up the results of all shards gives what one machine would have found (but for
//! costs).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::question::{Feature, Question};
use super::verdict::{Aspect, Verdict};

/// The shape of the document; another number means another shape.
pub const SCHEMA: u32 = 1;

/// One run, or several added up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// [`SCHEMA`].
    pub schema: u32,
    /// What batches were drawn from.
    pub seed: u64,
    /// `k/n` of each shard that is in here.
    pub shards: Vec<String>,
    /// Who was asked.
    pub subjects: Vec<SubjectInfo>,
    /// What cases came to, by subject and group; in order of both.
    pub cells: Vec<Cell>,
    /// Divergences, one for each bug as far as can be told; in order of their ids.
    pub findings: Vec<Finding>,
    /// How many cases had a feature.
    pub features: BTreeMap<String, u64>,
    /// How many answers each relation was tried on, and how many broke it.
    pub relations: BTreeMap<String, Tried>,
    /// What it cost.
    pub cost: Cost,
}

/// Who was asked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubjectInfo {
    /// `NAME@VERSION`.
    pub subject: String,
    /// The adapter's name.
    pub program: String,
    /// The release, as the program itself says.
    pub version: String,
}

/// What the cases of one group came to with one subject.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// `NAME@VERSION`.
    pub subject: String,
    /// The group.
    pub group: Feature,
    /// Cases by verdict.
    pub agree: u64,
    /// As the adapter declares.
    pub declared: u64,
    /// Listed in the baseline.
    pub known: u64,
    /// Wrong.
    pub diverge: u64,
    /// Not to be asked.
    pub unsupported: u64,
    /// No answer.
    pub broken: u64,
    /// Why, once, where something was unsupported or broken.
    pub reason: Option<String>,
    /// The findings that are in here, by id; the smallest first.
    pub findings: Vec<String>,
}

/// One bug, as far as can be told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Program, group, aspect and a digest of the rest: the same bug has the same id in every run.
    pub id: String,
    /// What is wrong, in a sentence.
    pub title: String,
    /// The adapter's name.
    pub program: String,
    /// The group of the shrunk case.
    pub group: Feature,
    /// In what the answers differ.
    pub aspect: Aspect,
    /// The clauses of the documents.
    pub clauses: Vec<String>,
    /// What the shrunk case is made of.
    pub shape: String,
    /// Who said so: `model`, `git`, or the name of a relation.
    pub oracle: String,
    /// The shrunk case.
    pub question: Question,
    /// What should have come, as this program means it.
    pub expected: Option<Answer>,
    /// What came from the subject it was found with; nothing if it broke.
    pub actual: Option<Answer>,
    /// Why nothing came.
    pub broken: Option<String>,
    /// One shell command that shows it with the program alone, from an empty directory.
    pub command: String,
    /// The subject it was found with.
    pub subject: String,
    /// What each installed release answers, in order of releases.
    pub releases: Vec<Sweep>,
    /// The entry of the baseline or the museum that it is.
    pub known: Option<String>,
    /// How often it was met.
    pub met: u64,
    /// Processor time of the run until it was first met, in seconds.
    pub cpu_seconds: f64,
}

/// One release of a sweep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// The release.
    pub version: String,
    /// What it came to there.
    pub verdict: Verdict,
}

/// How a relation fared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tried {
    /// Cases.
    pub tried: u64,
    /// Of which broken.
    pub broken: u64,
}

/// What a run cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// One pattern with its options on one haystack, with one subject.
    pub cases: u64,
    /// Asks, each about a pack.
    pub asks: u64,
    /// By the clock.
    pub seconds: f64,
    /// Processor time of this process and its children.
    pub cpu_seconds: f64,
}
