//! How a search program is asked and read: `backends/*.yaml`, one adapter a file (docs/hunt.md,
//! docs/adapters.md).

mod names;

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

pub use names::{Aspect, Difference, Feature, Show};

/// How one program is asked, how its answers are read, and how far they can be compared.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adapter {
    /// The name it is asked for by: lower-case letters, digits and hyphens.
    pub name: String,
    /// What it is, in a sentence.
    pub says: String,
    /// How it is talked to.
    #[serde(default)]
    pub drive: Drive,
    /// The command, program first; with a release installed, the program is the installed one.
    pub command: Vec<String>,
    /// How its release is found out.
    pub identify: Identity,
    /// Where releases come from.
    #[serde(default)]
    pub releases: Vec<Source>,
    /// What is put on the command line; absent where `drive` is not `command`.
    #[serde(default)]
    pub ask: Asking,
    /// How each kind of answer is asked for and read.
    #[serde(default)]
    pub show: BTreeMap<Show, Shown>,
    /// What exit statuses say.
    #[serde(default)]
    pub statuses: Statuses,
    /// The syntax that patterns are translated into.
    #[serde(default)]
    pub syntax: Syntax,
    /// What it cannot be asked, and why.
    #[serde(default)]
    pub unsupported: BTreeMap<Feature, String>,
    /// The first release that has a feature, where older ones have not.
    #[serde(default)]
    pub since: BTreeMap<Feature, String>,
    /// Features that can only be asked together with all of others: a walk that cannot but find
    /// hidden files is one.
    #[serde(default)]
    pub needs: BTreeMap<Feature, Vec<Feature>>,
    /// Where it means something else.
    #[serde(default)]
    pub dialect: Dialect,
    /// Differences without an exact rule, and why.
    #[serde(default)]
    pub declared: BTreeMap<Difference, String>,
    /// In what its answers can be compared.
    pub precise: BTreeSet<Aspect>,
    /// The file this was read from, relative to the specification's directory.
    #[serde(skip)]
    pub file: String,
}

/// How a program is talked to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Drive {
    /// One process an ask, which is told everything by its arguments.
    #[default]
    Command,
    /// One process, which is told by JSON lines on its standard input (docs/protocol.md).
    Protocol,
    /// The matcher of the service, in this process.
    Library,
}

/// How a program's release is found out.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The arguments to call it with.
    pub args: Vec<String>,
    /// A regular expression for its output; its first group is the release.
    pub pattern: String,
}

/// Where releases of a program come from.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "from", rename_all = "lowercase", deny_unknown_fields)]
pub enum Source {
    /// Built from the crate registry.
    Crate {
        /// The crate.
        package: String,
        /// The executable.
        bin: String,
        /// Releases known to build, oldest first.
        versions: Vec<String>,
    },
    /// A wheel that holds the executable.
    Wheel {
        /// The package.
        package: String,
        /// The executable below the unpacked wheel.
        bin: String,
        /// Releases.
        versions: Vec<String>,
    },
    /// A package of a Debian suite.
    Debian {
        /// The package.
        package: String,
        /// The executable below the unpacked package.
        bin: String,
        /// Release and suite, the release as the program itself names it.
        versions: BTreeMap<String, String>,
    },
}

/// What is put on the command line, in the order: `always`, `show`, options, pattern, then files or
/// `walk`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asking {
    /// Given always.
    #[serde(default)]
    pub always: Vec<String>,
    /// The whole environment, beside the search path for programs.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// Once for each pattern; `{pattern}` stands for it.
    #[serde(default)]
    pub pattern: Vec<String>,
    /// Files of a listed question; `{files}` as an argument of its own stands for all of them.
    #[serde(default)]
    pub files: Vec<String>,
    /// In place of `files` for a walk.
    #[serde(default)]
    pub walk: Vec<String>,
    /// Given where the feature is; `{n}` stands for its number, `{glob}` for each glob.
    #[serde(default)]
    pub options: BTreeMap<Feature, Vec<String>>,
}

/// How one kind of answer is asked for and read.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// What asks for it.
    #[serde(default)]
    pub args: Vec<String>,
    /// A record of output that tells of a selected line, a span, a count or a file: literal text
    /// and the fields `{path} {line} {offset} {column} {end} {count} {text}`.
    #[serde(default)]
    pub record: Option<String>,
    /// A record that tells of a line of context.
    #[serde(default)]
    pub context: Option<String>,
    /// Records to be passed over: whole ones (`--`).
    #[serde(default)]
    pub skip: Vec<String>,
    /// What ends a record, a line feed unless said otherwise.
    #[serde(default = "line_feed")]
    pub end: String,
    /// Whether the very last record may lack its end.
    #[serde(default)]
    pub open_end: bool,
    /// JSON lines instead.
    #[serde(default)]
    pub json: Option<JsonLines>,
}

fn line_feed() -> String {
    "\n".to_owned()
}

/// Where things stand in JSON lines, as JSON pointers. A text is a string, or an object with `text`
/// or, in base64, `bytes`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JsonLines {
    /// What kind of record it is.
    pub kind: String,
    /// The kind of a selected line.
    pub selected: String,
    /// The kind of a line of context.
    pub context: String,
    /// The file's path.
    pub path: String,
    /// The line's number.
    pub line: String,
    /// The line's text, with its end.
    pub text: String,
    /// The list of matches in it, each an object with `start` and `end`.
    pub spans: String,
}

/// What exit statuses say.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statuses {
    /// Something was selected.
    pub matched: i32,
    /// Nothing was.
    pub none: i32,
    /// The ask was not understood; anything else is a failure too.
    pub failed: i32,
    /// A regular expression: a failure of which every line on standard error matches it is none,
    /// and the status says nothing.
    #[serde(default)]
    pub harmless: Option<String>,
}

impl Default for Statuses {
    fn default() -> Self {
        Self { matched: 0, none: 1, failed: 2, harmless: None }
    }
}

/// The syntax that patterns are translated into.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Syntax {
    /// Rust's `regex`: nothing is translated.
    #[default]
    Rust,
    /// POSIX extended, with GNU's `\b \w \s`.
    Ere,
    /// Perl's and PCRE's.
    Perl,
    /// RE/flex's, which is ugrep's: Perl's escapes, but the longest alternative, and none that is
    /// empty.
    Reflex,
    /// Literals only.
    Literal,
}

/// Where a program means something else (docs/hunt.md, section 2). The default is what the
/// documents mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dialect {
    /// Which letters are equal where case does not count.
    pub fold: Alphabet<false>,
    /// Which characters make words.
    pub word: Alphabet<true>,
    /// Which characters `\w \d \s` know.
    pub classes: Alphabet<true>,
    /// What a CR before an LF is.
    pub cr: Cr,
    /// What a byte order mark is.
    pub bom: Bom,
    /// Which alternative wins.
    pub spans: Spans,
    /// Whether an empty match selects a line.
    pub empty: Empty,
    /// What is shown after the last line that `max_count` allows.
    pub after_max: AfterMax,
}

/// ASCII or Unicode; the parameter says whether Unicode is what the documents mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Alphabet<const UNICODE: bool> {
    /// ASCII.
    Ascii,
    /// Unicode.
    Unicode,
}

impl<const UNICODE: bool> Default for Alphabet<UNICODE> {
    fn default() -> Self {
        if UNICODE { Self::Unicode } else { Self::Ascii }
    }
}

/// What a CR before an LF is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cr {
    /// No part of the line.
    #[default]
    Dropped,
    /// A part of the line like any other.
    Kept,
    /// A part of the line, before which it may also end.
    End,
}

/// What a byte order mark is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bom {
    /// UTF-8's is dropped, UTF-16 is decoded.
    #[default]
    Decoded,
    /// UTF-8's is dropped.
    Stripped,
    /// Bytes like others.
    Kept,
}

/// Which alternative wins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spans {
    /// The first.
    #[default]
    First,
    /// The longest.
    Longest,
}

/// Whether an empty match selects a line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Empty {
    /// It does.
    #[default]
    Shown,
    /// It does not.
    Hidden,
}

/// What is shown after the last line that `max_count` allows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AfterMax {
    /// Context, which ends before the next selected line.
    #[default]
    Stops,
    /// Context of full width, selected lines in it shown as such.
    Window,
    /// Context of full width, all of it shown as context.
    Context,
    /// Nothing.
    None,
}

/// A row of `hunt.yaml`: a feature and what it stands on.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The feature.
    pub feature: Feature,
    /// What holds where a question has it, in a sentence.
    pub says: String,
    /// The clauses and errata it stands on.
    #[serde(default)]
    pub clauses: Vec<String>,
}

/// The groups, first match first: `hunt.yaml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Groups {
    /// Every feature once.
    pub groups: Vec<Group>,
}

impl Adapter {
    /// Reads an adapter of one's own.
    ///
    /// # Errors
    /// The line and what is wrong with it.
    pub fn parse(file: &str, text: &str) -> Result<Self, crate::LoadError> {
        let mut adapter: Self = crate::load::read(file, text)?;
        file.clone_into(&mut adapter.file);
        Ok(adapter)
    }
}
