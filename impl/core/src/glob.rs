//! Globs in two dialects: of requests (`include_glob`, `exclude_glob`, `glob`, deny patterns;
//! E-B12) and of git's ignore files. Memory is linear in the glob's length; a match takes bounded
//! work.
//!
//! `globset` is not used: it compares `?` and classes byte by byte, so `?.txt` would miss `é.txt`,
//! and it expands braces in ignore files, where git does not. `regex-automata` is not used: a `?`
//! is a character, or a byte where the name is not UTF-8, which takes some twenty states of 24
//! bytes, so a glob of 4,096 of them would cost 2 MiB.

mod automaton;
mod braces;
mod caller;
mod class;
mod single;

use std::fmt;

use automaton::Automaton;
use caller::Caller;
pub use caller::Place;
pub(crate) use single::{Plain, Single};

use crate::cancellation::Cancellation;

/// The dialect of a glob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Units are UTF-8 scalar values; braces are alternatives; malformed globs are errors.
    Request,
    /// Units are bytes; braces are literal; malformed globs match nothing; POSIX classes exist.
    Ignore,
}

/// Why a glob is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobError {
    /// The empty glob.
    Empty,
    /// A leading `!`.
    Negated,
    /// `[` without `]`.
    UnclosedClass,
    /// `{` without `}`.
    UnclosedAlternatives,
    /// `}` without `{`.
    UnopenedAlternatives,
    /// A range such as `[z-a]`.
    ReversedRange,
    /// A lone `\` at the end.
    DanglingEscape,
    /// An unknown POSIX class.
    UnknownClass,
    /// Braces with too many expansions.
    TooManyAlternatives,
}

/// Maximum number of expansions of one glob's braces.
pub const MAX_EXPANSIONS: u64 = 1_024;

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "it is empty; leave it out instead",
            Self::Negated => {
                "a leading `!` is not allowed; escape it as `\\!` to match it literally"
            }
            Self::UnclosedClass => {
                "`[` has no closing `]`; escape it as `\\[` to match it literally"
            }
            Self::UnclosedAlternatives => {
                "`{` has no closing `}`; escape it as `\\{` to match it literally"
            }
            Self::UnopenedAlternatives => {
                "`}` has no opening `{`; escape it as `\\}` to match it literally"
            }
            Self::ReversedRange => "a range in a class ends before it starts",
            Self::DanglingEscape => "it ends with a lone `\\`",
            Self::UnknownClass => "a class in a class has no known name",
            Self::TooManyAlternatives => "its braces expand to more than 1024 globs",
        })
    }
}

impl std::error::Error for GlobError {}

/// A parsed glob.
#[derive(Clone, Debug)]
pub struct Glob {
    dialect: Dialect,
    form: Form,
    caller: Option<Box<Caller>>,
}

#[derive(Clone, Debug)]
enum Form {
    /// A glob without braces: its components, and what its ends imply.
    Single { body: Box<[u8]>, dir_only: bool, anchored: bool },
    /// A glob with braces: its expansions, if they are few and simple.
    Few(Box<[Glob]>),
    /// Any other glob with braces.
    Union(Automaton),
    /// A malformed ignore rule.
    Nothing,
}

/// The path that globs are matched against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'p> {
    pub(crate) path: &'p [u8],
    /// The last component.
    pub(crate) name: &'p [u8],
    pub(crate) is_dir: bool,
}

impl<'p> Subject<'p> {
    pub(crate) fn new(path: &'p [u8], is_dir: bool) -> Self {
        Self { path, name: base_name(path), is_dir }
    }
}

/// A unit of a name: a scalar value, or a non-UTF-8 byte shifted beyond all scalar values.
type Unit = u32;
const BEYOND_SCALARS: Unit = 0x11_0000;

impl Glob {
    /// Parses a glob. For [`Dialect::Ignore`] the caller has removed comment, negation and trailing
    /// blanks, and the only error is [`GlobError::Empty`].
    pub fn parse(text: &[u8], dialect: Dialect) -> Result<Self, GlobError> {
        if dialect == Dialect::Request {
            if text.starts_with(b"!") {
                return Err(GlobError::Negated);
            }
            if let Some(union) = braces::read(text)? {
                let form = braces::few(text).map_or(Form::Union(union), Form::Few);
                return Ok(Self { dialect, form, caller: None });
            }
        }
        let form = match Single::parse(text, dialect) {
            Ok(Single { body, dir_only, anchored }) => {
                Form::Single { body: body.into(), dir_only, anchored }
            }
            Err(GlobError::Empty) => return Err(GlobError::Empty),
            Err(_) if dialect == Dialect::Ignore => Form::Nothing,
            Err(why) => return Err(why),
        };
        Ok(Self { dialect, form, caller: None })
    }

    /// Whether the glob matches this path, which is relative to the glob's base and `/`-separated.
    /// Directories above it are not considered. Void if `cancellation` was triggered.
    pub fn matches(&self, path: &[u8], is_dir: bool, cancellation: &Cancellation<'_>) -> bool {
        self.matches_subject(&Subject::new(path, is_dir), cancellation)
    }

    fn matches_subject(&self, subject: &Subject<'_>, cancellation: &Cancellation<'_>) -> bool {
        match &self.caller {
            Some(caller) => caller.matches(self, subject, cancellation),
            None => self.matches_as_glob(subject, cancellation),
        }
    }

    fn matches_as_glob(&self, subject: &Subject<'_>, cancellation: &Cancellation<'_>) -> bool {
        match &self.form {
            Form::Single { body, dir_only, anchored } => {
                let single = Single { body, dir_only: *dir_only, anchored: *anchored };
                single.matches(subject, self.dialect, cancellation)
            }
            Form::Few(globs) => {
                globs.iter().any(|glob| glob.matches_subject(subject, cancellation))
            }
            Form::Union(union) => union.matches(subject, cancellation),
            Form::Nothing => false,
        }
    }
}

/// Globs with components that begin with a dot, which bring the hidden names back that they match
/// (docs/agent-tools.md, section 2).
#[derive(Clone, Debug, Default)]
pub struct DottedGlobs(Vec<Automaton>);

impl DottedGlobs {
    /// Adds a valid request glob if it has such a component.
    pub fn add(&mut self, text: &[u8]) {
        if !text.contains(&b'.') {
            return;
        }
        let automaton =
            braces::operations(text).and_then(|(ops, _)| Automaton::new(text, ops)).ok();
        self.0.extend(automaton.filter(Automaton::has_dotted_name));
    }

    /// Whether no glob has such a component.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the path matches a glob up to a component of the glob that begins with a dot; only a
    /// directory matches one that is not the last. Void if `cancellation` was triggered.
    pub fn name(&self, path: &[u8], is_dir: bool, cancellation: &Cancellation<'_>) -> bool {
        let subject = Subject::new(path, is_dir);
        let mut globs = self.0.iter().take_while(|_| cancellation.go_on(1));
        globs.any(|glob| glob.names_hidden(&subject, cancellation))
    }
}

/// The last component of a path.
pub fn base_name(path: &[u8]) -> &[u8] {
    memchr::memrchr(b'/', path).and_then(|slash| path.get(slash + 1..)).unwrap_or(path)
}

/// Whether any of `globs` matches the path itself. Void if `cancellation` was triggered.
pub fn any_matches(
    globs: &[Glob],
    path: &[u8],
    is_dir: bool,
    cancellation: &Cancellation<'_>,
) -> bool {
    let subject = Subject::new(path, is_dir);
    globs
        .iter()
        .take_while(|_| cancellation.go_on(1))
        .any(|glob| glob.matches_subject(&subject, cancellation))
}

/// The first unit of a name and its length in bytes.
fn first_unit(text: &[u8], dialect: Dialect) -> (Unit, usize) {
    let Some(&byte) = text.first() else { return (0, 0) };
    if dialect == Dialect::Ignore || byte.is_ascii() {
        return (byte.into(), 1);
    }
    let window = text.get(..4).unwrap_or(text);
    match window.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()) {
        Some(c) => (c.into(), c.len_utf8()),
        None => (BEYOND_SCALARS + Unit::from(byte), 1),
    }
}

#[cfg(test)]
mod reference;

#[cfg(test)]
mod tests;
