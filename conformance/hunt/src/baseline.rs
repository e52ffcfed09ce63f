//! Known bugs of current releases: `golden/baselines/PROGRAM.yaml`, or a file of one's own.
//!
//! Responsible for: the entries, read strictly; what is known of a program, with the museum
//! ([`Baselines::known`]); whether an entry still fails where it says ([`Entry::stale`]).
//! Not here: bugs as such, with who confirmed them ([`super::museum`]); whether something
//! is one of them ([`super::finding`]); asking ([`super::judge`]).
//! Invariants: an entry is about one program and a range of releases; an entry that no longer fails
//! is a failure.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use touchstone_cases::golden;
use touchstone_spec::yaml;

use super::bisect::State;
use super::museum::{self, Exhibit, MODEL, MuseumError};
use super::pack_directory::PackDirectory;
use super::question::{Feature, Question};
use super::results::SubjectInfo;
use super::searcher::Searcher;
use super::verdict::Aspect;
use crate::provision::releases::order;

/// The known bugs of one program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// The adapter's name, and that of the file.
    pub program: String,
    /// The bugs.
    pub entries: Vec<Entry>,
}

/// A known bug.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name.
    pub id: String,
    /// In which releases.
    pub releases: Range,
    /// In what the answer is wrong.
    pub aspect: Aspect,
    /// Who says so: `model`, or a relation.
    #[serde(default = "model")]
    pub oracle: String,
    /// A question that shows it; or else `museum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// The exhibit that shows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub museum: Option<String>,
    /// The exhibit that the question is another shape of; a finding is named after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape_of: Option<String>,
    /// Why it is known and not new.
    pub reason: String,
    /// The address of its report.
    pub link: String,
}

/// A listed bug.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// The entry or the exhibit.
    pub id: &'a str,
    /// Its name: the exhibit that an entry shows in another shape, or else the id.
    pub name: &'a str,
    /// In what the answer is wrong.
    pub aspect: Aspect,
    /// Who says so.
    pub oracle: &'a str,
    /// The question that shows it.
    pub question: &'a Question,
    range: Option<&'a Range>,
    bad: &'a [String],
}

impl Known<'_> {
    /// Whether a release is listed as wrong.
    pub fn holds(&self, release: &str) -> bool {
        self.range.is_some_and(|range| range.holds(release))
            || self.bad.iter().any(|bad| bad == release)
    }
}

/// From one release to another, both included.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// The first; from the beginning if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The last; until today if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

fn model() -> String {
    MODEL.to_owned()
}

impl Range {
    /// Whether a release is in it.
    pub fn holds(&self, version: &str) -> bool {
        self.from.as_deref().is_none_or(|from| order(from, version).is_le())
            && self.to.as_deref().is_none_or(|to| order(version, to).is_le())
    }
}

impl Entry {
    /// The question that shows it, from the entry itself or from the museum.
    pub fn question<'a>(&'a self, exhibits: &'a [Exhibit]) -> Option<&'a Question> {
        let exhibit = || exhibits.iter().find(|exhibit| Some(&exhibit.id) == self.museum.as_ref());
        self.question.as_ref().or_else(|| exhibit().map(|exhibit| &exhibit.question))
    }

    /// Why the entry is not true of a release; nothing if it is. What cannot be asked says nothing
    /// against it.
    pub fn stale(
        &self,
        question: &Question,
        searcher: &mut dyn Searcher,
        packs: &mut PackDirectory,
    ) -> Option<String> {
        let asked = museum::ask(question, Some(self.aspect), &self.oracle, searcher, packs);
        (asked.state != State::Bad).then(|| {
            format!("`{}` is no longer wrong in {}: {}", self.id, searcher.name(), asked.told)
        })
    }
}

impl Baseline {
    /// Reads a file; whether it fits together is not looked at.
    fn read(path: &Path) -> Result<Self, MuseumError> {
        let io = |source| MuseumError::Io { path: path.to_owned(), source };
        let text = fs::read_to_string(path).map_err(io)?;
        yaml::read(&text).map_err(|error| MuseumError::Syntax {
            path: path.to_owned(),
            reason: error.to_string(),
        })
    }

    /// What does not fit together.
    pub fn lint(&self, exhibits: &[Exhibit]) -> Vec<String> {
        let mut defects = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let mut check = |fits: bool, says: &str| {
                if !fits {
                    defects.push(format!("`{}`: {says}", entry.id));
                }
            };
            check(
                entry.question.is_some() != entry.museum.is_some(),
                "either `question` or `museum` shows it",
            );
            let is_there = |id: &str| exhibits.iter().any(|exhibit| exhibit.id == id);
            let names = [&entry.museum, &entry.shape_of].into_iter().flatten();
            check(names.into_iter().all(|id| is_there(id)), "the museum has no such exhibit");
            check(
                entry.shape_of.is_none() || entry.question.is_some(),
                "`shape_of` without a `question`",
            );
            check(entry.reason.len() >= 20, "there is no reason");
            check(!entry.link.is_empty(), "there is no link");
            check(
                !self.entries.iter().take(index).any(|other| other.id == entry.id),
                "the name is there twice",
            );
            let ordered = match (&entry.releases.from, &entry.releases.to) {
                (Some(from), Some(to)) => order(from, to).is_le(),
                _ => true,
            };
            check(ordered, "the last release is before the first");
        }
        defects
    }
}

/// The baselines of all programs, with the museum that they refer to.
#[derive(Debug, Clone, Default)]
pub struct Baselines {
    /// One for each program that has one.
    pub programs: Vec<Baseline>,
    /// The museum.
    pub exhibits: Vec<Exhibit>,
}

impl Baselines {
    /// Those of this repository.
    ///
    /// # Errors
    /// A file that cannot be read or does not fit together.
    pub fn shipped() -> Result<Self, MuseumError> {
        Self::load(&golden::directory("baselines"), museum::all(&museum::directory())?)
    }

    /// Those of a directory.
    ///
    /// # Errors
    /// As [`Baselines::shipped`].
    pub fn load(directory: &Path, exhibits: Vec<Exhibit>) -> Result<Self, MuseumError> {
        let mut programs = Vec::new();
        for path in museum::files(directory)? {
            let baseline = Baseline::read(&path)?;
            let mut defects = baseline.lint(&exhibits);
            if path.file_stem().is_none_or(|stem| *stem != *baseline.program) {
                defects.push("a file is named after its program".to_owned());
            }
            if !defects.is_empty() {
                return Err(MuseumError::Defective { id: baseline.program, defects });
            }
            programs.push(baseline);
        }
        Ok(Self { programs, exhibits })
    }

    /// These, with a file of one's own in place of what they have for its program. The file may
    /// have any name.
    ///
    /// # Errors
    /// As [`Baselines::shipped`].
    pub fn with(mut self, path: &Path) -> Result<Self, MuseumError> {
        let own = Baseline::read(path)?;
        let defects = own.lint(&self.exhibits);
        if !defects.is_empty() {
            return Err(MuseumError::Defective { id: own.program, defects });
        }
        self.programs.retain(|one| one.program != own.program);
        self.programs.push(own);
        Ok(self)
    }

    /// The baseline of a program.
    pub fn of(&self, program: &str) -> Option<&Baseline> {
        self.programs.iter().find(|baseline| baseline.program == program)
    }

    /// What is known of a program: the entries of its baseline, and its other exhibits.
    pub fn known(&self, program: &str) -> Vec<Known<'_>> {
        let entries = self.of(program).map_or(&[][..], |baseline| baseline.entries.as_slice());
        let exhibit = |id: &str| self.exhibits.iter().find(|exhibit| exhibit.id == id);
        let listed = entries.iter().filter_map(|entry| {
            Some(Known {
                id: &entry.id,
                name: entry.shape_of.as_ref().unwrap_or(&entry.id),
                aspect: entry.aspect,
                oracle: &entry.oracle,
                question: entry.question(&self.exhibits)?,
                range: Some(&entry.releases),
                bad: entry.museum.as_deref().and_then(exhibit).map_or(&[], |one| &one.releases.bad),
            })
        });
        let has_entry = |exhibit: &Exhibit| {
            entries.iter().any(|entry| entry.museum.as_ref() == Some(&exhibit.id))
        };
        let shown = self.exhibits.iter().filter(|one| one.program == program && !has_entry(one));
        let shown = shown.map(|exhibit| Known {
            id: &exhibit.id,
            name: &exhibit.id,
            aspect: exhibit.aspect,
            oracle: &exhibit.oracle,
            question: &exhibit.question,
            range: None,
            bad: &exhibit.releases.bad,
        });
        listed.chain(shown).collect()
    }

    /// What asks have that the known bugs of these subjects need; of a single option or piece of
    /// syntax nothing is spared, for too much else has it.
    pub fn spare(&self, subjects: &[SubjectInfo]) -> Vec<BTreeSet<Feature>> {
        let mut spare = Vec::new();
        for info in subjects {
            for known in self.known(&info.program) {
                let mut features = known.question.ask.features();
                features.remove(&Feature::Regex);
                if features.len() > 1
                    && known.question.ask.walk.is_none()
                    && known.holds(&info.version)
                    && !spare.contains(&features)
                {
                    spare.push(features);
                }
            }
        }
        spare
    }

    /// What the entries for a release claim and is not so.
    pub fn stale(
        &self,
        program: &str,
        version: &str,
        searcher: &mut dyn Searcher,
        packs: &mut PackDirectory,
    ) -> Vec<String> {
        let entries =
            self.of(program).map(|baseline| baseline.entries.as_slice()).unwrap_or_default();
        entries
            .iter()
            .filter(|entry| entry.releases.holds(version))
            .filter_map(|entry| entry.stale(entry.question(&self.exhibits)?, searcher, packs))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "program: seek\nentries:\n  - id: seek-a\n    releases: {from: '1.2', to: '1.10'}\n    aspect: lines\n    question: {tree: [{file: h, bytes: \"a\\n\"}], ask: {patterns: [foo|ba]}}\n    \
                       reason: it is mended in 1.11 and not before\n    link: its list of changes\n";

    fn load(text: &str) -> Result<Baselines, MuseumError> {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("seek.yaml"), text).unwrap();
        Baselines::load(home.path(), Vec::new())
    }

    #[test]
    fn a_baseline_entry_applies_only_to_its_program_and_releases() {
        let baselines = load(ONE).unwrap();
        let known = baselines.known("seek");
        let [entry] = known.as_slice() else { panic!("{known:?}") };
        let holds: Vec<&str> =
            ["1.1", "1.2", "1.10", "1.11"].into_iter().filter(|one| entry.holds(one)).collect();
        assert_eq!(holds, ["1.2", "1.10"]);
        assert!(baselines.known("other").is_empty());
    }

    #[test]
    fn another_shape_of_an_exhibit_is_named_after_it() {
        let exhibits = museum::all(&museum::directory()).unwrap();
        let exhibit = exhibits.first().unwrap().id.clone();
        let load = |shape: &str| {
            let home = tempfile::tempdir().unwrap();
            let text = ONE.replace("    reason", &format!("    shape_of: {shape}\n    reason"));
            fs::write(home.path().join("seek.yaml"), text).unwrap();
            Baselines::load(home.path(), exhibits.clone())
        };
        let baselines = load(&exhibit).unwrap();
        let names: Vec<&str> = baselines.known("seek").iter().map(|one| one.name).collect();
        assert_eq!(names, [exhibit]);
        let message = load("nowhere").unwrap_err().to_string();
        assert!(message.contains("no such exhibit"), "{message}");
    }

    #[test]
    fn a_baseline_of_ones_own_replaces_the_shipped_one_of_its_program() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("any-name.yaml");
        fs::write(&file, ONE.replace("id: seek-a", "id: seek-own")).unwrap();
        let baselines = load(ONE).unwrap().with(&file).unwrap();
        let known: Vec<&str> = baselines.known("seek").iter().map(|one| one.name).collect();
        assert_eq!(known, ["seek-own"]);
        fs::write(&file, ONE.replace("it is mended in 1.11 and not before", "yes")).unwrap();
        let message = baselines.with(&file).unwrap_err().to_string();
        assert!(message.contains("no reason"), "{message}");
    }

    #[test]
    fn features_needed_by_a_known_bug_are_spared_in_affected_releases() {
        let text = ONE.replace("patterns: [foo|ba]", "patterns: [foo|ba], word: true");
        let baselines = load(&text).unwrap();
        let info = |version: &str| SubjectInfo {
            subject: format!("seek@{version}"),
            program: "seek".to_owned(),
            version: version.to_owned(),
        };
        let needs = BTreeSet::from([Feature::Word, Feature::Alternation]);
        assert_eq!(baselines.spare(&[info("1.3"), info("1.4")]), [needs]);
        assert!(baselines.spare(&[info("1.11")]).is_empty());
        assert!(load(ONE).unwrap().spare(&[info("1.3")]).is_empty());
    }

    #[test]
    fn an_inconsistent_baseline_is_refused() {
        for (what, says) in [("    museum: seek-b\n", "either"), ("    more: 1\n", "more")] {
            let message = load(&format!("{ONE}{what}")).unwrap_err().to_string();
            assert!(message.contains(says), "{message}");
        }
        for (from, to, says) in [
            ("to: '1.10'", "to: '1.1'", "before the first"),
            ("it is mended in 1.11 and not before", "yes", "no reason"),
            ("program: seek", "program: other", "named after"),
        ] {
            let message = load(&ONE.replace(from, to)).unwrap_err().to_string();
            assert!(message.contains(says), "{message}");
        }
    }
}
