//! Worked examples of the rules (`vectors/*.yaml`). Tests run them against the model and the
//! service.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::escaped::Escaped;
use crate::place::At;

#[derive(Debug, Clone)]
pub struct Vectors {
    /// Valid request globs.
    pub globs: Vec<GlobVector>,
    /// Invalid request globs.
    pub invalid_globs: Vec<InvalidGlob>,
    /// Lines of one ignore file.
    pub ignore: Vec<IgnoreVector>,
    /// Ignore files of a whole tree.
    pub ignore_trees: Vec<IgnoreTree>,
    /// Orders of files.
    pub sort: Vec<SortVector>,
    /// The tree of the rows of `resolve`.
    pub resolve_tree: Vec<TreeEntry>,
    /// Targets of request paths.
    pub resolve: Vec<ResolveVector>,
    /// Smart case of patterns.
    pub smart: Vec<SmartVector>,
    /// A pattern and a line.
    pub lines: Vec<LineVector>,
    /// Acceptable and refused expressions.
    pub regexes: Vec<RegexVector>,
    pub fuzzy: Vec<FuzzyVector>,
    /// From bytes to lines.
    pub files: Vec<FileVector>,
    /// Lossy decoding.
    pub decoding: Vec<DecodingVector>,
    /// Escaping in `content`.
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

/// Whether a request glob matches a path or a directory above it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GlobVector {
    pub glob: String,
    /// Relative to the search root.
    pub path: Escaped,
    /// Whether it is a directory. An ordinary file in it then has the same answer.
    #[serde(default)]
    pub dir: bool,
    #[serde(rename = "match")]
    pub matches: bool,
    pub rule: At<String>,
}

/// An invalid request glob.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvalidGlob {
    pub glob: String,
    pub rule: At<String>,
}

/// Whether a `.gitignore` at the root of the tree excludes a path, or a directory above it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IgnoreVector {
    /// Without LF.
    pub lines: Vec<Escaped>,
    /// Relative to the file's directory.
    pub path: Escaped,
    /// Whether it is a directory. An ordinary file in it then has the same answer.
    #[serde(default)]
    pub dir: bool,
    pub ignored: bool,
    pub rule: At<String>,
}

/// Which files the ignore files of a tree exclude.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IgnoreTree {
    pub title: String,
    /// The ignore files and other relevant files; the files of `paths` exist in addition.
    pub files: BTreeMap<String, Escaped>,
    /// The search root, if not the tree's.
    #[serde(default)]
    pub root: Option<String>,
    /// Contents of the configured global ignore files, strongest first.
    #[serde(default)]
    pub global: Vec<Escaped>,
    /// Files, and whether they are ignored.
    pub paths: BTreeMap<String, bool>,
    pub rule: At<String>,
}

/// Paths in the order of their keys.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SortVector {
    /// Relative to the search root, in order.
    pub paths: Vec<Escaped>,
    #[serde(default)]
    pub note: Option<String>,
    pub rule: At<String>,
}

/// An entry of the tree for paths: a file, or a link with its target.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeEntry {
    /// The file's path; outside the sandbox if it begins with `..`.
    #[serde(default)]
    pub file: Option<String>,
    #[serde(default)]
    pub link: Option<String>,
    /// `{root}` stands for the sandbox root.
    #[serde(default)]
    pub target: Option<String>,
}

/// The target of a request's `path`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolveVector {
    /// `{root}` stands for the sandbox root.
    pub path: String,
    /// Relative to the sandbox root.
    #[serde(default)]
    pub working_dir: String,
    /// Deny patterns.
    #[serde(default)]
    pub deny: Vec<String>,
    /// The response's `path`.
    #[serde(default)]
    pub shown: Option<String>,
    /// The class of the error.
    #[serde(default)]
    pub class: Option<String>,
    pub rule: At<String>,
}

/// The effective case of a pattern in smart case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmartVector {
    pub pattern: String,
    #[serde(default)]
    pub fixed: bool,
    pub smart: Effective,
    pub rule: At<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effective {
    /// Characters compare exactly.
    Sensitive,
    /// ASCII letters equal their other case.
    Insensitive,
}

/// The values of the request field `case`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseMode {
    Smart,
    /// Characters compare exactly.
    #[default]
    Sensitive,
    /// ASCII letters equal their other case.
    Insensitive,
}

impl CaseMode {
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
    pub pattern: String,
    #[serde(default)]
    pub fixed: bool,
    #[serde(default)]
    pub word: bool,
    #[serde(default)]
    pub case: CaseMode,
    pub line: Escaped,
    /// The emitted text of the match; absent if the line does not match.
    #[serde(default, rename = "match")]
    pub matched: Option<String>,
    /// Bytes of the emitted line, from 1.
    #[serde(default)]
    pub column: Option<u64>,
    pub rule: At<String>,
}

/// Whether a regular expression is acceptable.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegexVector {
    pub pattern: String,
    pub accepted: bool,
    pub rule: At<String>,
}

/// The match of a fuzzy search in a line.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FuzzyVector {
    pub pattern: String,
    pub level: u64,
    pub line: Escaped,
    #[serde(default)]
    pub case: CaseMode,
    #[serde(default)]
    pub word: bool,
    /// The emitted text of the match; absent if the line does not match.
    #[serde(default, rename = "match")]
    pub matched: Option<String>,
    /// Bytes of the emitted line, from 1.
    #[serde(default)]
    pub column: Option<u64>,
    pub rule: At<String>,
}

/// Repeated bytes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub bytes: Escaped,
    /// Number of repetitions; 1 by default.
    #[serde(default = "once")]
    pub times: usize,
}

fn once() -> usize {
    1
}

impl Part {
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.bytes.repeat(self.times)
    }
}

/// Whether a file is binary, and its lines as emitted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileVector {
    #[serde(default)]
    pub bytes: Option<Escaped>,
    /// The file's bytes as concatenated parts.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// Its lines as emitted; absent if only `binary` matters.
    #[serde(default)]
    pub lines: Option<Vec<String>>,
    #[serde(default)]
    pub binary: bool,
    pub rule: At<String>,
}

impl FileVector {
    pub fn contents(&self) -> Vec<u8> {
        let mut contents =
            self.bytes.as_ref().map(|escaped| escaped.bytes.clone()).unwrap_or_default();
        contents.extend(self.parts.iter().flat_map(Part::bytes));
        contents
    }
}

/// Lossy decoding of bytes.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecodingVector {
    pub bytes: Escaped,
    pub text: String,
    pub rule: At<String>,
}

/// A text as `content` escapes it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentVector {
    pub text: At<String>,
    /// A path, or a line.
    #[serde(default)]
    pub path: bool,
    pub content: String,
}

/// A whole answer over a small tree.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventVector {
    pub title: String,
    pub files: BTreeMap<String, Escaped>,
    pub request: serde_json::Value,
    /// Changes to preset `agent`.
    #[serde(default)]
    pub config: BTreeMap<String, serde_json::Value>,
    /// The lines of `content` for the events.
    pub events: Vec<String>,
    pub truncated: bool,
    pub files_scanned: u64,
    /// As `path: message`.
    #[serde(default)]
    pub errors: Vec<String>,
    /// The ids of the notes after the events.
    #[serde(default)]
    pub notes: Vec<At<String>>,
    pub rule: At<String>,
}

impl Vectors {
    /// The rule of each vector, with its file.
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
