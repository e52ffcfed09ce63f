//! The shapes of definitions, by language family (docs/agent-tools.md, section 6).

mod functional;
mod objects;
mod scripts;
mod systems;

/// A pattern for lines that define a name.
#[derive(Debug)]
pub(super) struct Shape {
    /// 3: exported by the file; 2: a member; 1: possibly a definition.
    pub(super) level: u8,
    /// Regular expression for the whole text before the name.
    pub(super) before: &'static str,
    /// Regular expression for the text after the name.
    pub(super) after: &'static str,
    /// Regular expression that must not match at the start of the line.
    pub(super) unless: &'static str,
    /// Regular expression that must match in the enclosing line.
    pub(super) inside: &'static str,
    /// Whether a block must follow.
    pub(super) body: bool,
}

/// Languages with the same syntax of definitions.
#[derive(Debug)]
pub(super) struct Family {
    /// File extensions, without the dot.
    pub(super) endings: &'static [&'static str],
    /// Whole file names.
    pub(super) names: &'static [&'static str],
    /// Prefixes of comment lines.
    pub(super) comments: &'static [&'static str],
    pub(super) shapes: &'static [Shape],
}

impl Family {
    /// Whether the line is a comment. `code` is the line without its indentation.
    pub(super) fn is_comment(&self, code: &[u8]) -> bool {
        code == b"*" || self.comments.iter().any(|begins| code.starts_with(begins.as_bytes()))
    }
}

/// A shape without conditions on the surrounding lines.
const fn plain(level: u8, before: &'static str, after: &'static str) -> Shape {
    Shape { level, before, after, unless: "", inside: "", body: false }
}

pub(super) const FAMILIES: [&Family; 20] = [
    &systems::C,
    &systems::RUST,
    &scripts::PYTHON,
    &scripts::JAVASCRIPT,
    &objects::JAVA,
    &objects::CSHARP,
    &objects::KOTLIN,
    &objects::SCALA,
    &objects::SWIFT,
    &systems::GO,
    &scripts::RUBY,
    &scripts::PHP,
    &scripts::LUA,
    &functional::HASKELL,
    &functional::ELIXIR,
    &scripts::SHELL,
    &functional::SQL,
    &systems::ZIG,
    &functional::PROTOBUF,
    &functional::MAKE,
];
