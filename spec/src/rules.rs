//! Rules in words, each with an id that vectors and tests name: `paths.yaml`, `matching.yaml`.

use serde::Deserialize;

use crate::place::At;

/// One rule.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its id, unique over all rules.
    pub id: At<String>,
    /// What it says.
    pub text: String,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// A rule, or a row of a table that vectors can name as one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stated<'s> {
    /// The file that states it.
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
            line: self.id.referenced.line(),
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
    /// What files are ordered by, in the order of the steps.
    pub sort_key: Vec<Rule>,
    /// Which files below a directory are eligible.
    pub walk: Vec<Rule>,
    /// Where ignore rules come from, strongest first.
    pub ignore_sources: Vec<IgnoreSource>,
    /// The dialect of ignore files.
    pub ignore: Vec<Rule>,
    /// The dialect of request globs and deny patterns.
    pub glob: Vec<Rule>,
}

/// A source of ignore rules.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IgnoreSource {
    /// Its id.
    pub id: At<String>,
    /// The file, where it has a fixed place.
    #[serde(default)]
    pub file: Option<String>,
    /// Where it is looked for.
    pub place: IgnorePlace,
    /// The requirements and errata it carries out.
    pub clauses: Vec<At<String>>,
}

/// Where an ignore file is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IgnorePlace {
    /// In each directory from the top down.
    InDirectory,
    /// At a path below the top.
    AtTop,
    /// Wherever configuration says.
    Global,
}

/// What is text, what is a line, and which lines match.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matching {
    /// From bytes to lines.
    pub text: Vec<Rule>,
    /// Literals, expressions and words.
    pub matching: Vec<Rule>,
    /// Which letters are equal.
    pub case: Vec<Rule>,
    /// Approximate search.
    pub fuzzy: Vec<Rule>,
}

impl Paths {
    /// Every rule of the file.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &Rule> {
        [&self.resolution, &self.shown, &self.sort_key, &self.walk, &self.ignore, &self.glob]
            .into_iter()
            .flatten()
    }
}

impl Matching {
    /// Every rule of the file.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &Rule> {
        [&self.text, &self.matching, &self.case, &self.fuzzy].into_iter().flatten()
    }
}
