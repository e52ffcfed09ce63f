//! Rules in words, each with an id that vectors and tests cite (`paths.yaml`, `matching.yaml`).

use serde::Deserialize;

use crate::place::At;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Unique over all rules.
    pub id: At<String>,
    pub text: String,
    pub clauses: Vec<At<String>>,
}

/// A rule, or a row of a table that vectors can cite as one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stated<'s> {
    pub(crate) file: &'static str,
    pub(crate) id: &'s str,
    pub(crate) line: u64,
    pub(crate) text: &'s str,
    pub(crate) clauses: &'s [At<String>],
}

impl Rule {
    pub(crate) fn stated(&self, file: &'static str) -> Stated<'_> {
        Stated {
            file,
            id: &self.id.value,
            line: self.id.line,
            text: &self.text,
            clauses: &self.clauses,
        }
    }
}

/// How paths are resolved, shown and ordered, and which files are eligible.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paths {
    /// From the request's path to the search root, in the order of the steps.
    pub resolution: Vec<Rule>,
    /// How paths appear in answers.
    pub shown: Vec<Rule>,
    /// The sort key of files, in the order of the steps.
    pub sort_key: Vec<Rule>,
    /// Which files below a directory are eligible.
    pub walk: Vec<Rule>,
    /// Sources of ignore rules, strongest first.
    pub ignore_sources: Vec<IgnoreSource>,
    /// The dialect of ignore files.
    pub ignore: Vec<Rule>,
    /// The dialect of request globs and deny patterns.
    pub glob: Vec<Rule>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IgnoreSource {
    pub id: At<String>,
    /// The file, if it has a fixed path.
    #[serde(default)]
    pub file: Option<String>,
    pub place: IgnorePlace,
    pub clauses: Vec<At<String>>,
}

/// The location of an ignore file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IgnorePlace {
    /// In each directory from the top down.
    InDirectory,
    /// At a path below the top.
    AtTop,
    /// In the configuration.
    Global,
}

/// Text, lines, and matching.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matching {
    pub text: Vec<Rule>,
    /// Literals, expressions and words.
    pub matching: Vec<Rule>,
    /// Which letters are equal.
    pub case: Vec<Rule>,
    /// Approximate search.
    pub fuzzy: Vec<Rule>,
}

impl Paths {
    pub(crate) fn rules(&self) -> impl Iterator<Item = &Rule> {
        [&self.resolution, &self.shown, &self.sort_key, &self.walk, &self.ignore, &self.glob]
            .into_iter()
            .flatten()
    }
}

impl Matching {
    pub(crate) fn rules(&self) -> impl Iterator<Item = &Rule> {
        [&self.text, &self.matching, &self.case, &self.fuzzy].into_iter().flatten()
    }
}
