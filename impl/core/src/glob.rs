//! Globs: the request dialect (`include_glob`, `exclude_glob`, `glob`, deny patterns; E-B12) and
//! git's dialect of ignore files. A glob costs a small multiple of its text, and a match a bounded
//! number of steps.
//!
//! `globset` is not used: it compares `?` and classes byte by byte, so `?.txt` would miss `é.txt`
//! in requests, and it reads braces in ignore files, where git does not. Nor is `regex-automata`: a
//! `?` is a character, or a byte where the name is not UTF-8, which takes it some twenty states of
//! 24 bytes, so that a glob of 4,096 of them would cost 2 MiB.

mod automaton;
mod braces;
mod class;
mod single;

use std::fmt;

use automaton::Automaton;
pub(crate) use single::{Plain, Single};

use crate::cancellation::Cancellation;

/// Which reading of a glob applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Characters are UTF-8 scalars; braces are alternatives; malformed globs are errors.
    Request,
    /// Characters are bytes; braces are literal; malformed globs match nothing; POSIX classes
    /// exist.
    Ignore,
}

/// Why a glob is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobError {
    /// Nothing to match.
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
    /// A POSIX class that there is not.
    UnknownClass,
    /// Braces that expand to too many globs.
    TooManyAlternatives,
}

/// How many globs the braces of one may expand to.
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

/// A glob, checked.
#[derive(Clone, Debug)]
pub struct Glob {
    dialect: Dialect,
    form: Form,
}

#[derive(Clone, Debug)]
enum Form {
    /// Without braces: its components, and what its ends said.
    Single { body: Box<[u8]>, dir_only: bool, anchored: bool },
    /// With braces.
    Union(Automaton),
    /// A malformed ignore rule.
    Nothing,
}

/// What globs are held against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'p> {
    pub(crate) path: &'p [u8],
    /// Its last component.
    pub(crate) name: &'p [u8],
    pub(crate) is_dir: bool,
}

impl<'p> Subject<'p> {
    pub(crate) fn new(path: &'p [u8], is_dir: bool) -> Self {
        Self { path, name: base_name(path), is_dir }
    }
}

/// What a name consists of, as a number: a scalar value, or a byte that is not UTF-8 shifted out of
/// their range.
type Unit = u32;
const BEYOND_SCALARS: Unit = 0x11_0000;

impl Glob {
    /// Reads a glob. In [`Dialect::Ignore`] the caller has removed comment, negation and trailing
    /// blanks, and no error occurs except [`GlobError::Empty`].
    pub fn parse(text: &[u8], dialect: Dialect) -> Result<Self, GlobError> {
        if dialect == Dialect::Request {
            if text.starts_with(b"!") {
                return Err(GlobError::Negated);
            }
            if let Some(union) = braces::read(text)? {
                return Ok(Self { dialect, form: Form::Union(union) });
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
        Ok(Self { dialect, form })
    }

    /// Whether the glob matches this very path (relative to the glob's base, `/`-separated);
    /// nothing is said about directories above it. Void once the cancellation is over.
    pub fn matches(&self, path: &[u8], is_dir: bool, cancellation: &Cancellation<'_>) -> bool {
        self.matches_subject(&Subject::new(path, is_dir), cancellation)
    }

    fn matches_subject(&self, subject: &Subject<'_>, cancellation: &Cancellation<'_>) -> bool {
        match &self.form {
            Form::Single { body, dir_only, anchored } => {
                let single = Single { body, dir_only: *dir_only, anchored: *anchored };
                single.matches(subject, self.dialect, cancellation)
            }
            Form::Union(union) => union.matches(subject, cancellation),
            Form::Nothing => false,
        }
    }
}

/// The last component of a path.
pub fn base_name(path: &[u8]) -> &[u8] {
    memchr::memrchr(b'/', path).and_then(|slash| path.get(slash + 1..)).unwrap_or(path)
}

/// Whether one of `globs` matches the path itself. Void once the cancellation is over.
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
