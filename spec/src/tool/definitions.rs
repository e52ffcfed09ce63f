//! What lines that define names look like: `tools/definitions.yaml`.

use serde::Deserialize;

use crate::place::At;

/// Shapes by family of languages, and what is read off where a file stands.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definitions {
    /// The requirements and errata that it carries out.
    pub clauses: Vec<At<String>>,
    /// How far is looked.
    pub limits: DefinitionLimits,
    /// Where definitions stand that are seldom meant.
    pub places: Vec<Place>,
    /// What a defined identifier counts.
    pub strength: Strength,
    /// The families.
    pub families: Vec<Family>,
}

/// How far is looked around a name.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefinitionLimits {
    /// Lines behind a name's own.
    pub body_lines: u64,
    /// Lines above a name's own.
    pub enclosing_lines: u64,
    /// Bytes of a line.
    pub line_bytes: u64,
}

/// Files that count less.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Identifiers of the path, or parts of them.
    #[serde(default)]
    pub words: Vec<String>,
    /// What names end in.
    #[serde(default)]
    pub endings: Vec<String>,
    /// What the file counts.
    pub hundredths: u64,
}

/// What a defined identifier counts, in eighths of its level.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strength {
    /// Written as in the query.
    pub exact: u64,
    /// Whole, and written otherwise.
    pub whole: u64,
    /// Of which a part is sought.
    pub part: u64,
}

/// Languages that define names alike.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// Its name.
    pub name: At<String>,
    /// What names of files end in.
    pub endings: Vec<At<String>>,
    /// Whole names of files.
    #[serde(default)]
    pub names: Vec<At<String>>,
    /// What lines begin with that hold no code.
    pub comments: Vec<String>,
    /// The shapes.
    pub shapes: Vec<Shape>,
}

/// A shape of lines, as expressions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// How surely a line of this shape is a definition, 1 to 3.
    pub level: u64,
    /// All of the line before the name.
    pub before: String,
    /// The beginning of what stands behind it.
    pub after: String,
    /// What the line does not begin with.
    #[serde(default)]
    pub unless: Option<String>,
    /// What the enclosing line holds.
    #[serde(default)]
    pub inside: Option<String>,
    /// Whether a block follows.
    #[serde(default)]
    pub body: bool,
}
