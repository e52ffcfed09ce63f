//! Adapters of search programs: how a program is called, and how its output is parsed
//! (`backends/*.yaml`, one adapter a file; docs/hunt.md, docs/adapters.md).

mod names;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

pub use names::{Aspect, Difference, Feature, Show};

/// The adapter of a program.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    /// Lower-case letters, digits and hyphens.
    pub name: String,
    /// A description in one sentence.
    pub says: String,
    #[serde(default)]
    pub drive: Drive,
    /// The command, program first. For an installed release, the program is replaced by the
    /// installed one.
    pub command: Vec<String>,
    /// Words before the program when it is asked something: `sh` with a script that prepares what
    /// the program needs, and runs it.
    #[serde(default)]
    pub wrapper: Vec<String>,
    /// How its release is determined.
    pub identify: Identity,
    #[serde(default)]
    pub releases: Vec<Source>,
    /// The command line; absent unless `drive` is `command`.
    #[serde(default)]
    pub ask: Asking,
    /// How each kind of answer is requested and parsed.
    #[serde(default)]
    pub show: BTreeMap<Show, Shown>,
    #[serde(default)]
    pub statuses: Statuses,
    #[serde(default)]
    pub syntax: Syntax,
    /// Features that it lacks, each with the reason.
    #[serde(default)]
    pub unsupported: BTreeMap<Feature, String>,
    /// The first release with a feature, where older ones lack it.
    #[serde(default)]
    pub since: BTreeMap<Feature, String>,
    /// Features that need others: a walk that always finds hidden files is one.
    #[serde(default)]
    pub needs: BTreeMap<Feature, Vec<Feature>>,
    /// Deliberate differences from the documents' meaning.
    #[serde(default)]
    pub dialect: Dialect,
    /// Differences without an exact rule, each with the reason.
    #[serde(default)]
    pub declared: BTreeMap<Difference, String>,
    /// The aspects in which its answers can be compared.
    pub precise: BTreeSet<Aspect>,
    #[serde(skip)]
    pub file: String,
}

/// How a program is driven.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drive {
    /// One process per question, with arguments only.
    #[default]
    Command,
    /// One process, with JSON lines on standard input (docs/protocol.md).
    Protocol,
    /// The service's matcher, in this process.
    Library,
}

/// How a program's release is determined.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The arguments.
    pub args: Vec<String>,
    /// A regular expression for the output; its first group is the release.
    pub pattern: String,
}

/// A source of releases.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "from", rename_all = "lowercase", deny_unknown_fields)]
pub enum Source {
    /// A crate, built from source.
    Crate {
        package: String,
        /// The executable.
        bin: String,
        /// Releases known to build, oldest first.
        versions: Vec<String>,
    },
    /// A wheel with the executable.
    Wheel {
        package: String,
        /// The executable in the unpacked wheel.
        bin: String,
        versions: Vec<String>,
    },
    /// A package of a Debian suite.
    Debian {
        package: String,
        /// The executable in the unpacked package.
        bin: String,
        /// Release and suite; the release as the program prints it.
        versions: BTreeMap<String, String>,
    },
}

/// The command line, in the order: `always`, `show`, options, pattern, then files or `walk`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asking {
    #[serde(default)]
    pub always: Vec<String>,
    /// The whole environment, besides the search path for programs.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Once per pattern; `{pattern}` stands for it.
    #[serde(default)]
    pub pattern: Vec<String>,
    /// Files of a question with listed files; `{files}` as an argument stands for all of them.
    #[serde(default)]
    pub files: Vec<String>,
    /// Replaces `files` in a walk.
    #[serde(default)]
    pub walk: Vec<String>,
    /// Arguments per feature; `{n}` stands for its number, `{glob}` for each glob.
    #[serde(default)]
    pub options: BTreeMap<Feature, Vec<String>>,
}

/// How one kind of answer is requested and parsed.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    #[serde(default)]
    pub args: Vec<String>,
    /// A record of a selected line, a span, a count or a file: literal text and the fields `{path}
    /// {line} {offset} {column} {end} {count} {text}`.
    #[serde(default)]
    pub record: Option<String>,
    /// A record of a context line.
    #[serde(default)]
    pub context: Option<String>,
    /// Records to skip: whole ones (`--`).
    #[serde(default)]
    pub skip: Vec<String>,
    /// The end of a record; a line feed by default.
    #[serde(default = "line_feed")]
    pub end: String,
    /// Whether the last record may lack its end.
    #[serde(default)]
    pub open_end: bool,
    /// Options that mean something else with this kind of answer, each with the reason.
    #[serde(default)]
    pub unsupported: BTreeMap<Feature, String>,
    /// JSON lines instead of records.
    #[serde(default)]
    pub json: Option<JsonLines>,
}

fn line_feed() -> String {
    "\n".to_owned()
}

/// JSON pointers into JSON lines. A text is a string, or an object with `text` or, in base64,
/// `bytes`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonLines {
    /// The record's kind.
    pub kind: String,
    /// The kind of a selected line.
    pub selected: String,
    /// The kind of a context line.
    pub context: String,
    pub path: String,
    pub line: String,
    /// The line's text, with its end.
    pub text: String,
    /// The list of matches, each an object with `start` and `end`.
    pub spans: String,
}

/// Exit statuses.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statuses {
    /// Something was selected.
    pub matched: i32,
    /// Nothing was selected.
    pub none: i32,
    /// The question was not understood. Any other status is a failure too.
    pub failed: i32,
    /// A regular expression. If it matches every line on standard error but remarks, a failing
    /// status is ignored.
    #[serde(default)]
    pub harmless: Option<String>,
    /// A regular expression for lines on standard error that are no reason to fail.
    #[serde(default)]
    pub remarks: Option<String>,
    /// A regular expression. If it matches a line on standard error of a failure, the program says
    /// that it does not have what it was asked.
    #[serde(default)]
    pub refused: Option<String>,
}

impl Default for Statuses {
    fn default() -> Self {
        Self { matched: 0, none: 1, failed: 2, harmless: None, remarks: None, refused: None }
    }
}

/// The syntax into which patterns are translated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Syntax {
    /// Rust's `regex`: not translated.
    #[default]
    Rust,
    /// POSIX extended, with GNU's `\b \w \s`.
    Ere,
    Perl,
    /// RE/flex, which ugrep uses: Perl's escapes, but the longest alternative, and none that is
    /// empty.
    Reflex,
    Literal,
}

/// Deliberate differences of a program (docs/hunt.md, section 2). The default is the documents'
/// meaning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dialect {
    /// Which letters are equal in insensitive searches.
    pub fold: Alphabet<false>,
    /// Which characters make words.
    pub word: Alphabet<true>,
    /// Which characters `\w \d \s` match.
    pub classes: Alphabet<true>,
    pub cr: Cr,
    pub bom: Bom,
    /// Which alternative wins.
    pub spans: Spans,
    pub empty: Empty,
    /// What is shown after the last line that `max_count` allows.
    pub after_max: AfterMax,
}

/// ASCII or Unicode. The parameter says whether Unicode is the documents' meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Alphabet<const UNICODE: bool> {
    Ascii,
    Unicode,
}

impl<const UNICODE: bool> Default for Alphabet<UNICODE> {
    fn default() -> Self {
        if UNICODE { Self::Unicode } else { Self::Ascii }
    }
}

/// The role of a CR before an LF.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cr {
    /// Not part of the line.
    #[default]
    Dropped,
    /// Part of the line.
    Kept,
    /// Part of the line, but the line may also end before it.
    End,
}

/// The treatment of a byte order mark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bom {
    /// UTF-8's is dropped, UTF-16 is decoded.
    #[default]
    Decoded,
    /// UTF-8's is dropped.
    Stripped,
    /// Ordinary bytes.
    Kept,
}

/// Which alternative wins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spans {
    #[default]
    First,
    Longest,
}

/// The role of what matches the empty text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Empty {
    /// An empty match selects a line.
    #[default]
    Shown,
    /// It does not.
    Hidden,
    /// It does, and the empty pattern selects every line, whatever makes a word.
    Everywhere,
}

/// What is shown after the last line that `max_count` allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AfterMax {
    /// Context up to the next selected line.
    #[default]
    Stops,
    /// Full context, with selected lines shown as selected.
    Window,
    /// Full context, all of it shown as context.
    Context,
    None,
}

/// A row of `hunt.yaml`: a feature and its clauses.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub feature: Feature,
    /// What holds for a question with the feature, in one sentence.
    pub says: String,
    /// How many of 1,000 batches have it at least.
    pub floor: usize,
    #[serde(default)]
    pub clauses: Vec<String>,
}

/// `hunt.yaml`; the first matching group counts.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    pub groups: Vec<Group>,
}

impl Adapter {
    /// Parses an adapter.
    ///
    /// # Errors
    /// The line and what is wrong with it.
    pub fn parse(file: &str, text: &str) -> Result<Self, crate::source::LoadError> {
        let mut adapter: Self = crate::source::read(file, text)?;
        file.clone_into(&mut adapter.file);
        Ok(adapter)
    }
}
