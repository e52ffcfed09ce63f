//! What lines that define names look like, by family of languages (docs/agent-tools.md, section 6).

mod functional;
mod objects;
mod scripts;
mod systems;

/// A shape of lines.
pub(super) struct Shape {
    /// 3 for what a file offers, 2 for a member, 1 for what only may be a definition.
    pub(super) level: u64,
    /// All of the line before the name.
    pub(super) before: &'static str,
    /// The beginning of what stands behind the name.
    pub(super) after: &'static str,
    /// What the line does not begin with.
    pub(super) unless: &'static str,
    /// What the enclosing line holds.
    pub(super) inside: &'static str,
    /// Whether a block follows before any statement ends.
    pub(super) body: bool,
}

/// Languages that define names alike.
pub(super) struct Family {
    /// What names of files end in, without the dot.
    pub(super) endings: &'static [&'static str],
    /// Whole names of files.
    pub(super) names: &'static [&'static str],
    /// What lines begin with that hold no code.
    pub(super) comments: &'static [&'static str],
    pub(super) shapes: &'static [Shape],
}

impl Family {
    /// Whether a line whose code begins so holds none.
    pub(super) fn is_comment(&self, code: &[u8]) -> bool {
        code == b"*" || self.comments.iter().any(|begins| code.starts_with(begins.as_bytes()))
    }
}

/// A shape that needs nothing but what stands around the name.
const fn plain(level: u64, before: &'static str, after: &'static str) -> Shape {
    Shape { level, before, after, unless: "", inside: "", body: false }
}

/// All families.
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
