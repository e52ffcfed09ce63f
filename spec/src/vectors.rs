//! Worked examples of the rules: `vectors/*.yaml`. Tests run them against the model and the service
//! alike.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::escaped::Escaped;
use crate::place::At;

/// All vectors.
#[derive(Debug, Clone)]
pub struct Vectors {
    /// Valid request globs.
    pub globs: Vec<GlobVector>,
    /// Request globs that are refused.
    pub invalid_globs: Vec<InvalidGlob>,
    /// Lines of one ignore file.
    pub ignore: Vec<IgnoreVector>,
    /// Ignore files of a whole tree.
    pub ignore_trees: Vec<IgnoreTree>,
    /// Orders of files.
    pub sort: Vec<SortVector>,
    /// The tree in which every row of `resolve` is asked.
    pub resolve_tree: Vec<TreeEntry>,
    /// What request paths resolve to.
    pub resolve: Vec<ResolveVector>,
    /// What smart case makes of patterns.
    pub smart: Vec<SmartVector>,
    /// A pattern and a line.
    pub lines: Vec<LineVector>,
    /// Accepted and refused expressions.
    pub regexes: Vec<RegexVector>,
    /// Approximate search.
    pub fuzzy: Vec<FuzzyVector>,
    /// From bytes to lines.
    pub files: Vec<FileVector>,
    /// Lossy decoding.
    pub decoding: Vec<DecodingVector>,
    /// How `content` writes texts.
    pub content: Vec<ContentVector>,
    /// Whole answers over small trees.
    pub events: Vec<EventVector>,
}

/// `vectors/globs.yaml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GlobsFile {
    pub(crate) globs: Vec<GlobVector>,
    pub(crate) invalid: Vec<InvalidGlob>,
}

/// `vectors/ignore.yaml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct IgnoreFile {
    pub(crate) ignore: Vec<IgnoreVector>,
    pub(crate) trees: Vec<IgnoreTree>,
}

/// `vectors/sort.yaml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SortFile {
    pub(crate) orders: Vec<SortVector>,
}

/// `vectors/resolve.yaml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResolveFile {
    pub(crate) tree: Vec<TreeEntry>,
    pub(crate) resolve: Vec<ResolveVector>,
}

/// `vectors/case.yaml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaseFile {
    pub(crate) smart: Vec<SmartVector>,
}

/// `vectors/matching.yaml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchingFile {
    pub(crate) lines: Vec<LineVector>,
    pub(crate) regexes: Vec<RegexVector>,
}

/// `vectors/fuzzy.yaml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FuzzyFile {
    pub(crate) fuzzy: Vec<FuzzyVector>,
}

/// `vectors/lines.yaml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LinesFile {
    pub(crate) lines: Vec<FileVector>,
    pub(crate) decoding: Vec<DecodingVector>,
    pub(crate) content: Vec<ContentVector>,
}

/// `vectors/events.yaml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventsFile {
    pub(crate) events: Vec<EventVector>,
}

/// Whether a request glob selects a path: matches it, or a directory above it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GlobVector {
    /// The glob, as in a request.
    pub glob: String,
    /// The path, relative to the search root.
    pub path: Escaped,
    /// Whether it is a directory; an ordinary file in it then has the same answer.
    #[serde(default)]
    pub dir: bool,
    /// The answer.
    #[serde(rename = "match")]
    pub matches: bool,
    /// The rule it shows.
    pub rule: At<String>,
}

/// A request glob that is refused.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvalidGlob {
    /// The glob.
    pub glob: String,
    /// The rule it shows.
    pub rule: At<String>,
}

/// Whether a `.gitignore` at the root of the tree excludes a path, or a directory above it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IgnoreVector {
    /// The file's lines, without LF.
    pub lines: Vec<Escaped>,
    /// The path, relative to the file's directory.
    pub path: Escaped,
    /// Whether it is a directory; an ordinary file in it then has the same answer.
    #[serde(default)]
    pub dir: bool,
    /// The answer.
    pub ignored: bool,
    /// The rule it shows.
    pub rule: At<String>,
}

/// Which files the ignore files of a tree exclude.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IgnoreTree {
    /// What it shows.
    pub title: String,
    /// The ignore files and other files that matter; the files of `paths` exist besides.
    pub files: BTreeMap<String, Escaped>,
    /// The search root, if not the tree's.
    #[serde(default)]
    pub root: Option<String>,
    /// Contents of the configured global ignore files, strongest first.
    #[serde(default)]
    pub global: Vec<Escaped>,
    /// Files and whether they are ignored.
    pub paths: BTreeMap<String, bool>,
    /// The rule it shows.
    pub rule: At<String>,
}

/// Paths in the order of their keys.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SortVector {
    /// The paths, relative to the search root, in order.
    pub paths: Vec<Escaped>,
    /// What to note about it.
    #[serde(default)]
    pub note: Option<String>,
    /// The rule it shows.
    pub rule: At<String>,
}

/// An entry of the tree for paths: a file, or a link with its target.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeEntry {
    /// The file's path; outside the sandbox if it begins with two dots.
    #[serde(default)]
    pub file: Option<String>,
    /// The link's path.
    #[serde(default)]
    pub link: Option<String>,
    /// The link's target; `{root}` stands for the sandbox root.
    #[serde(default)]
    pub target: Option<String>,
}

/// What a request's `path` comes to.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolveVector {
    /// The request's `path`; `{root}` stands for the sandbox root.
    pub path: String,
    /// The working directory, relative to the sandbox root.
    #[serde(default)]
    pub working_dir: String,
    /// Deny patterns.
    #[serde(default)]
    pub deny: Vec<String>,
    /// The response's `path`.
    #[serde(default)]
    pub shown: Option<String>,
    /// The class of the error, if it is refused.
    #[serde(default)]
    pub class: Option<String>,
    /// The rule it shows.
    pub rule: At<String>,
}

/// What smart case makes of a pattern.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmartVector {
    /// The pattern.
    pub pattern: String,
    /// Whether it is a literal.
    #[serde(default)]
    pub fixed: bool,
    /// The effective case.
    pub smart: Effective,
    /// The rule it shows.
    pub rule: At<String>,
}

/// An effective case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effective {
    /// Characters are compared exactly.
    Sensitive,
    /// ASCII letters equal their other case.
    Insensitive,
}

/// The values of the request field `case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseMode {
    /// Decided by the pattern.
    Smart,
    /// Characters are compared exactly.
    #[default]
    Sensitive,
    /// ASCII letters equal their other case.
    Insensitive,
}

impl CaseMode {
    /// How a request writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Smart => "smart",
            Self::Sensitive => "sensitive",
            Self::Insensitive => "insensitive",
        }
    }
}

/// The leftmost match of a pattern in a line.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineVector {
    /// The pattern.
    pub pattern: String,
    /// Whether it is a literal.
    #[serde(default)]
    pub fixed: bool,
    /// Whether word boundaries are asked for.
    #[serde(default)]
    pub word: bool,
    /// The case.
    #[serde(default)]
    pub case: CaseMode,
    /// The line.
    pub line: Escaped,
    /// The emitted text of the match; absent if the line does not match.
    #[serde(default, rename = "match")]
    pub matched: Option<String>,
    /// Its column, bytes of the emitted line from 1.
    #[serde(default)]
    pub column: Option<u64>,
    /// The rule it shows.
    pub rule: At<String>,
}

/// Whether a regular expression is accepted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegexVector {
    /// The expression.
    pub pattern: String,
    /// The answer.
    pub accepted: bool,
    /// The rule it shows.
    pub rule: At<String>,
}

/// The match of a fuzzy search in a line.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FuzzyVector {
    /// The literal.
    pub pattern: String,
    /// The level.
    pub level: u64,
    /// The line.
    pub line: Escaped,
    /// The case.
    #[serde(default)]
    pub case: CaseMode,
    /// Whether word boundaries are asked for.
    #[serde(default)]
    pub word: bool,
    /// The emitted text of the match; absent if the line does not match.
    #[serde(default, rename = "match")]
    pub matched: Option<String>,
    /// Its column, bytes of the emitted line from 1.
    #[serde(default)]
    pub column: Option<u64>,
    /// The rule it shows.
    pub rule: At<String>,
}

/// A stretch of bytes, repeated.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The bytes.
    pub bytes: Escaped,
    /// How often; once unless said.
    #[serde(default = "once")]
    pub times: usize,
}

fn once() -> usize {
    1
}

impl Part {
    /// The bytes, repeated.
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.bytes.repeat(self.times)
    }
}

/// A file's verdict on binary and its lines as emitted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileVector {
    /// The file's bytes.
    #[serde(default)]
    pub bytes: Option<Escaped>,
    /// The file's bytes, one part after the other.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// Its lines as emitted; absent where only the verdict matters.
    #[serde(default)]
    pub lines: Option<Vec<String>>,
    /// Whether it is binary.
    #[serde(default)]
    pub binary: bool,
    /// The rule it shows.
    pub rule: At<String>,
}

impl FileVector {
    /// The file's bytes.
    pub fn contents(&self) -> Vec<u8> {
        let mut contents =
            self.bytes.as_ref().map(|escaped| escaped.bytes.clone()).unwrap_or_default();
        contents.extend(self.parts.iter().flat_map(Part::bytes));
        contents
    }
}

/// Bytes and what they are decoded to.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecodingVector {
    /// The bytes.
    pub bytes: Escaped,
    /// The text.
    pub text: String,
    /// The rule it shows.
    pub rule: At<String>,
}

/// A text and how `content` writes it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentVector {
    /// The text.
    pub text: At<String>,
    /// Whether it is a path; a line if not.
    #[serde(default)]
    pub path: bool,
    /// How it is written.
    pub content: String,
}

/// A whole answer over a small tree.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventVector {
    /// What it shows.
    pub title: String,
    /// The files.
    pub files: BTreeMap<String, Escaped>,
    /// The request.
    pub request: serde_json::Value,
    /// Configuration over preset `agent`.
    #[serde(default)]
    pub config: BTreeMap<String, serde_json::Value>,
    /// The lines of `content` for the events.
    pub events: Vec<String>,
    /// `truncated`.
    pub truncated: bool,
    /// `files_scanned`.
    pub files_scanned: u64,
    /// `errors`, each as its path, a colon, a space, and its message.
    #[serde(default)]
    pub errors: Vec<String>,
    /// The ids of the notes after the events.
    #[serde(default)]
    pub notes: Vec<At<String>>,
    /// The rule it shows.
    pub rule: At<String>,
}

impl Vectors {
    /// The rule of each vector, with the file it stands in.
    pub(crate) fn rules(&self) -> impl Iterator<Item = (&'static str, &At<String>)> {
        let globs = self.globs.iter().map(|vector| &vector.rule);
        let globs = globs.chain(self.invalid_globs.iter().map(|vector| &vector.rule));
        let ignore = self.ignore.iter().map(|vector| &vector.rule);
        let ignore = ignore.chain(self.ignore_trees.iter().map(|vector| &vector.rule));
        let matching = self.lines.iter().map(|vector| &vector.rule);
        let matching = matching.chain(self.regexes.iter().map(|vector| &vector.rule));
        let lines = self.files.iter().map(|vector| &vector.rule);
        let lines = lines.chain(self.decoding.iter().map(|vector| &vector.rule));
        globs
            .map(|rule| ("vectors/globs.yaml", rule))
            .chain(ignore.map(|rule| ("vectors/ignore.yaml", rule)))
            .chain(self.sort.iter().map(|vector| ("vectors/sort.yaml", &vector.rule)))
            .chain(self.resolve.iter().map(|vector| ("vectors/resolve.yaml", &vector.rule)))
            .chain(self.smart.iter().map(|vector| ("vectors/case.yaml", &vector.rule)))
            .chain(matching.map(|rule| ("vectors/matching.yaml", rule)))
            .chain(self.fuzzy.iter().map(|vector| ("vectors/fuzzy.yaml", &vector.rule)))
            .chain(lines.map(|rule| ("vectors/lines.yaml", rule)))
            .chain(self.events.iter().map(|vector| ("vectors/events.yaml", &vector.rule)))
    }
}
