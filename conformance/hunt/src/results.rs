//! What a run came to: the JSON document that `hunt`, `matrix` and `merge` write and reports are
//! made of.
//!
//! Invariants: adding up the results of all shards gives what one machine would have found (but for
//! costs).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::answer::Answer;
use super::draw::Theme;
use super::outcome::Outcome;
use super::question::{Feature, Question};
use super::tally::{Kind, Share, Sighting};
use super::verdict::{Aspect, Verdict};

/// The shape of the document; another number means another shape.
pub const SCHEMA: u32 = 2;

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
    /// What batches are of.
    #[serde(default)]
    pub theme: Theme,
    /// What the run came to, as every form tells it. It is computed when the document is written,
    /// and what is read is not believed.
    #[serde(default)]
    pub outcome: Outcome,
    /// Who was asked.
    pub subjects: Vec<SubjectInfo>,
    /// What cases came to, by subject and group; in order of both.
    pub cells: Vec<Cell>,
    /// Divergences, one for each bug as far as is known; in order of their ids.
    pub findings: Vec<Finding>,
    /// How many cases had a feature.
    pub features: BTreeMap<String, u64>,
    /// How many answers each relation was tried on, and how many broke it.
    pub relations: BTreeMap<String, Tried>,
    /// Wrong answers that no finding explains, by kind; in order.
    #[serde(default)]
    pub left: Vec<Left>,
    /// Batches that were to be asked and were not.
    #[serde(default)]
    pub owed: Vec<Owed>,
    /// Whether the run was ended before its time.
    #[serde(default)]
    pub interrupted: bool,
    /// Programs of which the run was ended because their adapters cannot read them.
    #[serde(default)]
    pub unreadable: Vec<Unreadable>,
    /// What could not be done, once for each reason.
    #[serde(default)]
    pub troubles: Vec<String>,
    /// Sightings that were not wrong when asked again.
    #[serde(default)]
    pub flakes: Vec<String>,
    /// Entries of baselines that do not fail any more.
    #[serde(default)]
    pub stale: Vec<String>,
    /// What it cost.
    pub cost: Cost,
}

impl Results {
    /// A run that has asked nothing.
    pub fn empty(seed: u64, theme: Theme) -> Self {
        Self {
            schema: SCHEMA,
            seed,
            shards: Vec::new(),
            theme,
            outcome: Outcome::default(),
            subjects: Vec::new(),
            cells: Vec::new(),
            findings: Vec::new(),
            features: BTreeMap::new(),
            relations: BTreeMap::new(),
            left: Vec::new(),
            owed: Vec::new(),
            interrupted: false,
            unreadable: Vec::new(),
            troubles: Vec::new(),
            flakes: Vec::new(),
            stale: Vec::new(),
            cost: Cost::default(),
        }
    }
}

impl Results {
    /// The finding with this id, or whose id alone begins so.
    ///
    /// # Errors
    /// There is none, or there are several.
    pub fn finding(&self, id: &str) -> Result<&Finding, String> {
        if let Some(finding) = self.findings.iter().find(|finding| finding.id == id) {
            return Ok(finding);
        }
        let mut found = self.findings.iter().filter(|finding| finding.id.starts_with(id));
        match (found.next(), found.next()) {
            (Some(finding), None) => Ok(finding),
            (None, _) => Err(format!("there is no finding `{id}`")),
            (Some(_), Some(_)) => Err(format!("`{id}` is the beginning of several ids")),
        }
    }
}

/// One kind of wrong answers that no finding explains.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Left {
    /// The kind.
    pub kind: Kind,
    /// The cases of it, by subject and group.
    pub shares: Vec<Share>,
    /// Sightings that were not made small for want of time, or were not seen again.
    pub sightings: Vec<Sighting>,
    /// Findings that other sightings of it came to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
}

/// Batches that were to be asked: those with the numbers `i * modulus + residue` for every `i` from
/// `from` to `to`, which is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Owed {
    /// Of the shard.
    pub residue: u64,
    /// How many shards there are.
    pub modulus: u64,
    /// The first.
    pub from: u64,
    /// Behind the last.
    pub to: u64,
}

/// A program whose output its adapter cannot read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unreadable {
    /// `NAME@VERSION`.
    pub subject: String,
    /// What was asked for, as in the adapter's `show`.
    pub show: String,
    /// What is wrong with it.
    pub reason: String,
    /// The first line that could not be read, escaped, its beginning.
    pub line: String,
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
    /// An answer that the adapter cannot read.
    #[serde(default)]
    pub unreadable: u64,
    /// Of those wrong, broken or unreadable, how many a new finding explains.
    #[serde(default)]
    pub explained: u64,
    /// Why, once, where something was broken or unreadable; or else unsupported.
    pub reason: Option<String>,
    /// The findings that are in here, by id; the smallest first.
    pub findings: Vec<String>,
}

/// One bug, as far as is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// What is known by its entry or exhibit; else program, group, aspect and a digest of the rest.
    /// The same bug has the same id in every run.
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
    /// The finding that it is with something more, as far as is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant_of: Option<String>,
    /// How often it was met.
    pub met: u64,
    /// Processor time of the run until it was first met, in seconds.
    pub cpu_seconds: f64,
}

impl Finding {
    /// Whether it is neither known nor a variant of another.
    pub fn is_new(&self) -> bool {
        self.known.is_none() && self.variant_of.is_none()
    }
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
