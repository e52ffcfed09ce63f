//! Confirmed bugs of programs: `golden/museum/*.yaml`.
//!
//! Responsible for: an [`Exhibit`] as a file, read strictly and written in one form; what does not
//! fit together in it
//! ([`Exhibit::lint`]); whether a release still is as it says ([`Exhibit::ask`], [`replay`]).
//! Not here: asking and judging ([`super::judge`], [`super::relations`]); known bugs of
//! current releases
//! ([`super::baseline`]).
//! Invariants: a file is named after its exhibit; what is stored was confirmed by somebody who is
//! named.

pub mod replay;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use touchstone_cases::golden;
use touchstone_spec::yaml;

use super::answer::Answer;
use super::bisect::State;
use super::judge::{Judged, judge};
use super::pack_directory::PackDirectory;
use super::question::{Feature, Question};
use super::relations::Relation;
use super::results::Finding;
use super::searcher::Searcher;
use super::verdict::{Aspect, NoAnswer, Verdict};
use crate::provision::releases::order;

/// The oracle that needs no name.
pub const MODEL: &str = "model";

/// A confirmed bug.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exhibit {
    /// Its name, and that of its file: lower-case letters, digits and hyphens.
    pub id: String,
    /// What is wrong, in a sentence.
    pub title: String,
    /// The adapter's name.
    pub program: String,
    /// The group.
    pub group: Feature,
    /// In what the answer is wrong; `status` also where none comes.
    pub aspect: Aspect,
    /// Clauses of the documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<String>,
    /// Who says that it is wrong: `model`, or a relation.
    #[serde(default = "model", skip_serializing_if = "is_model")]
    pub oracle: String,
    /// Which releases are wrong, and which are right.
    pub releases: Releases,
    /// Who says that this is a bug.
    pub confirmed: Confirmed,
    /// How it was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
    /// One shell command that shows it, from an empty directory.
    pub command: String,
    /// The question.
    pub question: Question,
    /// What is right, as the program means it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<Answer>,
    /// What the first of the bad releases answers; nothing if it breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<Answer>,
}

/// Which releases are wrong, and which are right; each list oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Releases {
    /// Wrong.
    pub bad: Vec<String>,
    /// Right.
    #[serde(default)]
    pub good: Vec<String>,
}

/// Who says that something is a bug.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Confirmed {
    /// What kind of document.
    pub by: Witness,
    /// What it says, and where.
    pub says: String,
}

/// What confirms a bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Witness {
    /// The program's list of changes names it as mended.
    Changelog,
    /// The program's manual says otherwise.
    Manual,
    /// The program's own list of issues has it.
    Issue,
    /// A standard that the program follows says otherwise.
    Standard,
    /// The program contradicts itself.
    Itself,
}

/// How something was found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    /// The seed of the run.
    pub seed: u64,
    /// Processor time of the run until it was met.
    pub cpu_seconds: f64,
}

fn model() -> String {
    MODEL.to_owned()
}

fn is_model(oracle: &str) -> bool {
    oracle == MODEL
}

/// A museum that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MuseumError {
    /// A file or the directory cannot be read or written.
    #[error("cannot use `{}`: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that is no exhibit.
    #[error("`{}` is no case: {reason}", path.display())]
    Syntax {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// An exhibit that does not fit together.
    #[error("`{id}` does not fit together: {}", defects.join("; "))]
    Defective {
        /// Its name.
        id: String,
        /// What is wrong.
        defects: Vec<String>,
    },
}

/// What a release said to an exhibit's question.
#[derive(Debug)]
pub struct Asked {
    /// Whether it is as bad as the exhibit says.
    pub state: State,
    /// The model's verdict, where the model was asked.
    pub judged: Option<Judged>,
    /// In words.
    pub told: String,
}

impl Exhibit {
    /// Reads an exhibit, or a question alone, which may be wrong in any aspect.
    ///
    /// # Errors
    /// The file cannot be read, or is neither.
    pub fn read(path: &Path) -> Result<Self, MuseumError> {
        let io = |source| MuseumError::Io { path: path.to_owned(), source };
        Self::parse(path, &fs::read_to_string(path).map_err(io)?)
    }

    /// Reads an exhibit from its text; the path is for complaints.
    ///
    /// # Errors
    /// It is none.
    pub fn parse(path: &Path, text: &str) -> Result<Self, MuseumError> {
        yaml::read(text).map_err(|error| MuseumError::Syntax {
            path: path.to_owned(),
            reason: error.to_string(),
        })
    }

    /// The text of its file.
    ///
    /// # Errors
    /// It cannot be written as YAML.
    pub fn to_yaml(&self) -> Result<String, MuseumError> {
        serde_yaml::to_string(self).map_err(|error| MuseumError::Syntax {
            path: self.id.clone().into(),
            reason: error.to_string(),
        })
    }

    /// What a finding becomes when somebody has confirmed it.
    pub fn of(finding: &Finding, seed: u64, id: &str, title: &str, confirmed: Confirmed) -> Self {
        let mut releases = Releases::default();
        for one in &finding.releases {
            match state(&one.verdict, finding.aspect) {
                State::Bad => releases.bad.push(one.version.clone()),
                State::Good => releases.good.push(one.version.clone()),
                State::Unknown => {}
            }
        }
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            program: finding.program.clone(),
            group: finding.group,
            aspect: finding.aspect,
            clauses: finding.clauses.clone(),
            oracle: finding.oracle.clone(),
            releases,
            confirmed,
            found: Some(Found { seed, cpu_seconds: (finding.cpu_seconds * 10.0).round() / 10.0 }),
            command: finding.command.clone(),
            question: finding.question.clone(),
            expected: finding.expected.clone(),
            // Of the subject it was found with, which need not be the first bad one.
            actual: None,
        }
    }

    /// What does not fit together in it.
    pub fn lint(&self) -> Vec<String> {
        let mut defects = Vec::new();
        let mut check = |fits: bool, says: &str| {
            if !fits {
                defects.push(says.to_owned());
            }
        };
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        check(
            !self.id.is_empty() && self.id.bytes().all(plain),
            "an id is lower-case letters, digits and hyphens",
        );
        check(self.id.starts_with(&self.program), "an id begins with the program's name");
        check(
            !self.title.is_empty() && !self.title.ends_with('.'),
            "a title is a sentence without full stop",
        );
        check(!self.releases.bad.is_empty(), "no release is wrong");
        let sorted = |list: &[String]| list.is_sorted_by(|a, b| order(a, b).is_lt());
        let lists = sorted(&self.releases.bad) && sorted(&self.releases.good);
        check(lists, "releases come oldest first, each once");
        let bad: BTreeSet<&String> = self.releases.bad.iter().collect();
        check(
            !self.releases.good.iter().any(|one| bad.contains(one)),
            "a release is wrong and right",
        );
        check(self.confirmed.says.len() >= 20, "nobody says that it is a bug");
        check(!self.command.is_empty(), "no command shows it");
        check(
            is_model(&self.oracle) || Relation::by_name(&self.oracle).is_some(),
            "no such oracle",
        );
        check(!is_model(&self.oracle) || self.expected.is_some(), "what is right is missing");
        defects
    }

    /// Asks a release.
    pub fn ask(&self, searcher: &mut dyn Searcher, packs: &mut PackDirectory) -> Asked {
        ask(&self.question, Some(self.aspect), &self.oracle, searcher, packs)
    }
}

/// Asks a release a question; without an aspect, any will do.
pub fn ask(
    question: &Question,
    aspect: Option<Aspect>,
    oracle: &str,
    searcher: &mut dyn Searcher,
    packs: &mut PackDirectory,
) -> Asked {
    let unknown = |told: String| Asked { state: State::Unknown, judged: None, told };
    if let Some(relation) = Relation::by_name(oracle) {
        if !relation.applies(&question.ask) {
            return unknown(format!("the relation `{oracle}` does not apply"));
        }
        return match relation.broken(searcher, packs, question) {
            Ok(broken) if broken.is_empty() => {
                Asked { state: State::Good, judged: None, told: format!("`{oracle}` holds") }
            }
            Ok(_) => {
                Asked { state: State::Bad, judged: None, told: format!("`{oracle}` is broken") }
            }
            Err(error) => unknown(format!("not tried: {error:?}")),
        };
    }
    match judge(searcher, packs, question) {
        Err(error) => unknown(error.to_string()),
        Ok(judged) => {
            let state = match (aspect, &judged.no_answer) {
                // A program that is not there is no bug of it.
                (_, Some(NoAnswer::Unstartable(_))) => State::Unknown,
                (Some(aspect), _) => state(&judged.verdict, aspect),
                (None, _) => any(&judged.verdict),
            };
            let told = match &judged.verdict {
                Verdict::Agree => "agrees".to_owned(),
                Verdict::Declared(what) => format!("differs as declared: {what}"),
                Verdict::Known(what) => format!("known: {what}"),
                Verdict::Diverge(aspect) => format!("diverges in {}", aspect.name()),
                Verdict::Unsupported(why) => format!("cannot be asked: {why}"),
                Verdict::Broken(how) | Verdict::Unreadable(how) => format!("broken: {how}"),
            };
            Asked { state, judged: Some(judged), told }
        }
    }
}

/// Whether a verdict is the bug that is looked for. Another bug is neither it nor its absence.
fn state(verdict: &Verdict, aspect: Aspect) -> State {
    match verdict {
        Verdict::Agree | Verdict::Declared(_) => State::Good,
        wrong if wrong.is_wrong(aspect) => State::Bad,
        _ => State::Unknown,
    }
}

fn any(verdict: &Verdict) -> State {
    match verdict {
        Verdict::Agree | Verdict::Declared(_) => State::Good,
        Verdict::Unsupported(_) => State::Unknown,
        _ => State::Bad,
    }
}

/// Where exhibits lie.
pub fn directory() -> PathBuf {
    golden::directory("museum")
}

/// All exhibits of a directory, by name.
///
/// # Errors
/// The first file that is none, or does not fit together.
pub fn all(directory: &Path) -> Result<Vec<Exhibit>, MuseumError> {
    let mut exhibits = Vec::new();
    for path in files(directory)? {
        let exhibit = Exhibit::read(&path)?;
        let mut defects = exhibit.lint();
        if path.file_stem().is_none_or(|stem| *stem != *exhibit.id) {
            defects.push("a file is named after its exhibit".to_owned());
        }
        if !defects.is_empty() {
            return Err(MuseumError::Defective { id: exhibit.id, defects });
        }
        exhibits.push(exhibit);
    }
    Ok(exhibits)
}

/// The YAML files of a directory, in order; none if it is not there.
pub(super) fn files(directory: &Path) -> Result<Vec<PathBuf>, MuseumError> {
    let io = |source| MuseumError::Io { path: directory.to_owned(), source };
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(io)?,
    };
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(io)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
    paths.sort();
    Ok(paths)
}

/// Stores an exhibit; the answer is its file.
///
/// # Errors
/// It does not fit together, cannot be written, or reads back as something else.
pub fn store(exhibit: &Exhibit, directory: &Path) -> Result<PathBuf, MuseumError> {
    let path = directory.join(format!("{}.yaml", exhibit.id));
    let mut defects = exhibit.lint();
    let text = exhibit.to_yaml()?;
    if Exhibit::parse(&path, &text).ok().as_ref() != Some(exhibit) {
        defects.push("it does not survive being written down".to_owned());
    }
    if !defects.is_empty() {
        return Err(MuseumError::Defective { id: exhibit.id.clone(), defects });
    }
    let io = |source| MuseumError::Io { path: path.clone(), source };
    fs::create_dir_all(directory).and_then(|()| fs::write(&path, text)).map_err(io)?;
    Ok(path)
}

#[cfg(test)]
mod tests;
