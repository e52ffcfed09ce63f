//! Globs: the request dialect (`include_glob`, `exclude_glob`, `glob`, deny patterns; E-B12) and git's dialect of
//! ignore files, compiled to components and matched without backtracking over more than one star.
//!
//! `globset` is not used: it compares `?` and classes byte by byte, so `?.txt` would miss `é.txt` in requests, and
//! it reads braces in ignore files, where git does not. The difference is small in code and visible in answers.

mod matching;
mod parse;

use std::fmt;

use matching::{matches_name, matches_path};
use parse::{components, expand};

/// Which reading of a glob applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// Characters are UTF-8 scalars; braces are alternatives; malformed globs are errors.
    Request,
    /// Characters are bytes; braces are literal; malformed globs match nothing; POSIX classes exist.
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
    /// Braces that expand to too many globs.
    TooManyAlternatives,
}

/// How many globs the braces of one may expand to.
pub const MAX_EXPANSIONS: usize = 1_024;

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "it is empty; leave it out instead",
            Self::Negated => {
                "a leading `!` is not allowed; put the glob into `exclude_glob`, or escape it as `\\!`"
            }
            Self::UnclosedClass => "`[` has no closing `]`; escape it as `\\[` to match it literally",
            Self::UnclosedAlternatives => "`{` has no closing `}`; escape it as `\\{` to match it literally",
            Self::UnopenedAlternatives => "`}` has no opening `{`; escape it as `\\}` to match it literally",
            Self::ReversedRange => "a range in a class ends before it starts",
            Self::DanglingEscape => "it ends with a lone `\\`",
            Self::TooManyAlternatives => "its braces expand to more than 1024 globs",
        })
    }
}

/// A compiled glob: the union of what its braces expand to.
#[derive(Clone, Debug)]
pub struct Glob(Vec<Expansion>);

/// A glob without braces.
#[derive(Clone, Debug)]
struct Expansion {
    /// Matches directories only (and so what lies below them).
    dir_only: bool,
    /// Tested against whole paths; otherwise against base names at any depth.
    anchored: bool,
    components: Vec<Component>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Component {
    /// `**`, or a longer run, alone: any number of components; at the end of a glob at least one.
    Any,
    /// One path component.
    Name(Vec<Token>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Literal(Vec<u8>),
    /// `?`
    One,
    /// A run of `*`.
    Star,
    Class {
        negated: bool,
        items: Vec<(u32, u32)>,
    },
    /// A malformed class of an ignore rule: the rule matches nothing.
    Never,
}

/// Members of a class, as inclusive ranges.
type Ranges = &'static [(Unit, Unit)];

/// What a name consists of, as a number: a scalar value, or a byte that is not UTF-8 shifted out of their range.
type Unit = u32;
const BEYOND_SCALARS: Unit = 0x11_0000;

impl Glob {
    /// Compiles a glob. In [`Dialect::Ignore`] the caller has removed comment, negation and trailing blanks, and no
    /// error occurs except [`GlobError::Empty`].
    pub fn parse(text: &[u8], dialect: Dialect) -> Result<Self, GlobError> {
        if dialect == Dialect::Ignore {
            return Ok(Self(vec![Expansion::parse(text, dialect)?]));
        }
        if text.starts_with(b"!") {
            return Err(GlobError::Negated);
        }
        if text.strip_prefix(b"./").unwrap_or(text).is_empty() {
            return Err(GlobError::Empty);
        }
        // What a branch of braces leaves empty matches nothing, but the other branches stand.
        let read = |text: &Vec<u8>| match Expansion::parse(text, dialect) {
            Err(GlobError::Empty) => None,
            read => Some(read),
        };
        expand(text)?.iter().filter_map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Whether the glob matches this very path (relative to the glob's base, `/`-separated); nothing is said about
    /// directories above it.
    pub fn matches(&self, path: &[u8], is_dir: bool, dialect: Dialect) -> bool {
        self.0.iter().any(|expansion| expansion.matches(path, is_dir, dialect))
    }

    /// Whether the glob matches directories only.
    pub fn dir_only(&self) -> bool {
        self.0.iter().all(|expansion| expansion.dir_only)
    }

    /// If the glob is plain text, that text, so that the caller can look it up instead of matching it.
    pub fn plain(&self) -> Option<Plain> {
        let [expansion] = self.0.as_slice() else { return None };
        let names: Option<Vec<&[u8]>> = expansion
            .components
            .iter()
            .map(|component| match component {
                Component::Name(tokens) => match tokens.as_slice() {
                    [Token::Literal(name)] => Some(name.as_slice()),
                    _ => None,
                },
                Component::Any => None,
            })
            .collect();
        let text = || names.map(|names| names.join(&b'/'));
        match (expansion.anchored, expansion.components.as_slice()) {
            (true, _) => text().map(Plain::Path),
            (false, [Component::Name(tokens)]) => match tokens.as_slice() {
                [Token::Star, Token::Literal(suffix)] => Some(Plain::Suffix(suffix.clone())),
                _ => text().map(Plain::Name),
            },
            (false, _) => None,
        }
    }
}

/// A glob that needs no matching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plain {
    /// Exactly this path.
    Path(Vec<u8>),
    /// Exactly this base name.
    Name(Vec<u8>),
    /// A base name that ends so.
    Suffix(Vec<u8>),
}

impl Expansion {
    fn parse(text: &[u8], dialect: Dialect) -> Result<Self, GlobError> {
        let text = match dialect {
            Dialect::Request => text.strip_prefix(b"./").unwrap_or(text),
            Dialect::Ignore => text,
        };
        if text.is_empty() {
            return Err(GlobError::Empty);
        }
        let dir_only = text.ends_with(b"/");
        let text = text.strip_suffix(b"/").unwrap_or(text);
        let anchored = text.contains(&b'/');
        let components = components(text.strip_prefix(b"/").unwrap_or(text), dialect)?;
        Ok(Self { dir_only, anchored, components })
    }

    fn matches(&self, path: &[u8], is_dir: bool, dialect: Dialect) -> bool {
        if self.dir_only && !is_dir {
            return false;
        }
        let subject = if self.anchored { path } else { base_name(path) };
        let names = || subject.split(|&byte| byte == b'/');
        // Most globs have no `**`: as many names as components, each matching its own, and nothing to allocate.
        if self.components.contains(&Component::Any) {
            return matches_path(&self.components, &names().collect::<Vec<_>>(), dialect);
        }
        let mut rest = names();
        self.components.iter().all(|component| match (component, rest.next()) {
            (Component::Name(tokens), Some(name)) => matches_name(tokens, name, dialect),
            _ => false,
        }) && rest.next().is_none()
    }
}

/// The last component of a path.
pub fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// Whether one of `globs` matches the path itself.
pub fn any_matches(globs: &[Glob], path: &[u8], is_dir: bool) -> bool {
    globs.iter().any(|glob| glob.matches(path, is_dir, Dialect::Request))
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
mod tests;
