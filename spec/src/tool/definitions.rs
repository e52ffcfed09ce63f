//! Lines that define names (`tools/definitions.yaml`).

use serde::Deserialize;

use crate::place::At;

/// Shapes by language family, and weights by a file's place.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definitions {
    pub clauses: Vec<At<String>>,
    pub limits: DefinitionLimits,
    /// Places of definitions that are seldom meant.
    pub places: Vec<Place>,
    pub strength: Strength,
    pub families: Vec<Family>,
}

/// Limits of the analysis around a name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefinitionLimits {
    /// Lines after the name.
    pub body_lines: u64,
    /// Lines above the name.
    pub enclosing_lines: u64,
    /// Longest line in bytes.
    pub line_bytes: u64,
}

/// Files with less weight.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Identifiers of the path, or parts of them.
    #[serde(default)]
    pub words: Vec<String>,
    /// File name suffixes.
    #[serde(default)]
    pub endings: Vec<String>,
    /// The weight of the file.
    pub hundredths: u64,
}

/// The weight of a defined identifier, in eighths of its level.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strength {
    /// Spelled as in the query.
    pub exact: u64,
    /// Spelled otherwise.
    pub whole: u64,
    /// The query has a part of it.
    pub part: u64,
}

/// Languages with the same syntax of definitions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    pub name: At<String>,
    /// File extensions.
    pub endings: Vec<At<String>>,
    /// Whole file names.
    #[serde(default)]
    pub names: Vec<At<String>>,
    /// Prefixes of comment lines.
    pub comments: Vec<String>,
    pub shapes: Vec<Shape>,
}

/// A shape of lines, as regular expressions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// Certainty that such a line is a definition, 1 to 3.
    pub level: u64,
    /// For the whole text before the name.
    pub before: String,
    /// For the text after the name.
    pub after: String,
    /// Must not match at the start of the line.
    #[serde(default)]
    pub unless: Option<String>,
    /// Must match in the enclosing line.
    #[serde(default)]
    pub inside: Option<String>,
    /// Whether a block must follow.
    #[serde(default)]
    pub body: bool,
}
