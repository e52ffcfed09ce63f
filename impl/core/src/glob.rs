//! Globs: the request dialect (`include_glob`, `exclude_glob`, `glob`, deny patterns; E-B12) and git's dialect of
//! ignore files, compiled to components and matched without backtracking over more than one star.
//!
//! `globset` is not used: it compares `?` and classes byte by byte, so `?.txt` would miss `é.txt` in requests, and
//! it reads braces in ignore files, where git does not. The difference is small in code and visible in answers.

use std::fmt;

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

/// The globs that braces stand for. Escapes and classes pass through unread.
fn expand(text: &[u8]) -> Result<Vec<Vec<u8>>, GlobError> {
    let mut done = Vec::new();
    let mut open = vec![text.to_vec()];
    while let Some(glob) = open.pop() {
        match first_braces(&glob)? {
            None => done.push(glob),
            Some(braces) => {
                let (head, tail) = (
                    glob.get(..braces.open).unwrap_or_default(),
                    glob.get(braces.close + 1..).unwrap_or_default(),
                );
                // Reversed, so that alternatives come off the stack in the order written.
                for (start, end) in braces.branches.iter().rev() {
                    let branch = glob.get(*start..*end).unwrap_or_default();
                    open.push([head, branch, tail].concat());
                }
            }
        }
        if done.len() + open.len() > MAX_EXPANSIONS {
            return Err(GlobError::TooManyAlternatives);
        }
    }
    Ok(done)
}

struct Braces {
    open: usize,
    close: usize,
    branches: Vec<(usize, usize)>,
}

/// The first outermost pair of braces and its branches.
fn first_braces(glob: &[u8]) -> Result<Option<Braces>, GlobError> {
    let (mut at, mut depth, mut open, mut branch, mut branches) = (0, 0_usize, 0, 0, Vec::new());
    while let Some(&byte) = glob.get(at) {
        match byte {
            b'\\' => at += 1,
            b'[' => at = class_end(glob, at, Dialect::Request).ok_or(GlobError::UnclosedClass)?,
            b'{' => {
                if depth == 0 {
                    (open, branch) = (at, at + 1);
                }
                depth += 1;
            }
            b',' if depth == 1 => {
                branches.push((branch, at));
                branch = at + 1;
            }
            b'}' => match depth {
                0 => return Err(GlobError::UnopenedAlternatives),
                1 => {
                    branches.push((branch, at));
                    // What follows is checked when the expansions are looked at in turn.
                    return Ok(Some(Braces { open, close: at, branches }));
                }
                _ => depth -= 1,
            },
            _ => {}
        }
        at += 1;
    }
    if depth > 0 { Err(GlobError::UnclosedAlternatives) } else { Ok(None) }
}

/// The offset of the `]` that closes the class opened at `open`.
fn class_end(glob: &[u8], open: usize, dialect: Dialect) -> Option<usize> {
    let mut at = open + 1;
    if matches!(glob.get(at), Some(b'!' | b'^')) {
        at += 1;
    }
    let first = at;
    loop {
        match glob.get(at)? {
            b'\\' => at += 2,
            b']' if at > first => return Some(at),
            b'[' if dialect == Dialect::Ignore => {
                // The `]` of a POSIX class does not close this one.
                at += posix_length(glob.get(at..)?).unwrap_or(1);
            }
            _ => at += 1,
        }
    }
}

/// The length of a `[:…:]` at the start of `text`, whatever its name. As in git, its end is the next `]`.
fn posix_length(text: &[u8]) -> Option<usize> {
    let name = text.strip_prefix(b"[:")?;
    let end = name.iter().position(|&byte| byte == b']')?;
    name.get(..end)?.ends_with(b":").then_some(end + 3)
}

/// Splits a brace-free glob into components at the slashes outside classes.
fn components(glob: &[u8], dialect: Dialect) -> Result<Vec<Component>, GlobError> {
    let mut components = Vec::new();
    let mut tokens = Vec::new();
    let mut raw_start = 0;
    let mut at = 0;
    loop {
        let byte = glob.get(at).copied();
        match byte {
            None | Some(b'/') => {
                let raw = glob.get(raw_start..at).unwrap_or_default();
                let tokens = std::mem::take(&mut tokens);
                let any = raw.len() > 1 && raw.iter().all(|&byte| byte == b'*');
                components.push(if any { Component::Any } else { Component::Name(tokens) });
                if byte.is_none() {
                    return Ok(components);
                }
                raw_start = at + 1;
            }
            Some(b'*') => {
                if tokens.last() != Some(&Token::Star) {
                    tokens.push(Token::Star);
                }
            }
            Some(b'?') => tokens.push(Token::One),
            Some(b'[') => match class_end(glob, at, dialect) {
                Some(end) => {
                    tokens.push(class(glob.get(at + 1..end).unwrap_or_default(), dialect)?);
                    at = end;
                }
                None if dialect == Dialect::Ignore => tokens.push(Token::Never),
                None => return Err(GlobError::UnclosedClass),
            },
            Some(b'\\') => match glob.get(at + 1) {
                Some(&escaped) => {
                    at += 1;
                    push_literal(&mut tokens, escaped);
                }
                None if dialect == Dialect::Ignore => tokens.push(Token::Never),
                None => return Err(GlobError::DanglingEscape),
            },
            Some(other) => push_literal(&mut tokens, other),
        }
        at += 1;
    }
}

fn push_literal(tokens: &mut Vec<Token>, byte: u8) {
    if let Some(Token::Literal(text)) = tokens.last_mut() {
        text.push(byte);
    } else {
        tokens.push(Token::Literal(vec![byte]));
    }
}

/// A class from the text between its brackets.
fn class(body: &[u8], dialect: Dialect) -> Result<Token, GlobError> {
    let (negated, body) = match body {
        [b'!' | b'^', rest @ ..] => (true, rest),
        _ => (false, body),
    };
    let mut items = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        if let Some(length) = posix_length(rest).filter(|_| dialect == Dialect::Ignore) {
            let Some((ranges, after)) = posix(rest) else { return Ok(Token::Never) };
            debug_assert_eq!(after.len() + length, rest.len(), "a known class ends where its `:]` does");
            items.extend_from_slice(ranges);
            rest = after;
            continue;
        }
        let (start, after) = member(rest, dialect);
        let end = match after {
            [b'-', more @ ..] if !more.is_empty() => {
                let (end, after) = member(more, dialect);
                rest = after;
                end
            }
            _ => {
                rest = after;
                start
            }
        };
        if start > end && dialect == Dialect::Request {
            return Err(GlobError::ReversedRange);
        }
        // git compares the first member before it sees that a range follows, so a reversed range holds its start.
        items.push(if start > end { (start, start) } else { (start, end) });
    }
    Ok(Token::Class { negated, items })
}

/// One member of a class, its escape undone, and what follows.
fn member(text: &[u8], dialect: Dialect) -> (Unit, &[u8]) {
    let text = match text {
        [b'\\', escaped @ ..] if !escaped.is_empty() => escaped,
        _ => text,
    };
    let (unit, length) = first_unit(text, dialect);
    (unit, text.get(length..).unwrap_or_default())
}

/// The ranges of a POSIX class at the start of `text` (`[:alpha:]…`), and what follows it. ASCII, as in git.
fn posix(text: &[u8]) -> Option<(Ranges, &[u8])> {
    const ALL: [(&[u8], Ranges); 12] = [
        (b"[:alnum:]", &[(0x30, 0x39), (0x41, 0x5a), (0x61, 0x7a)]),
        (b"[:alpha:]", &[(0x41, 0x5a), (0x61, 0x7a)]),
        (b"[:blank:]", &[(0x09, 0x09), (0x20, 0x20)]),
        (b"[:cntrl:]", &[(0x00, 0x1f), (0x7f, 0x7f)]),
        (b"[:digit:]", &[(0x30, 0x39)]),
        (b"[:graph:]", &[(0x21, 0x7e)]),
        (b"[:lower:]", &[(0x61, 0x7a)]),
        (b"[:print:]", &[(0x20, 0x7e)]),
        (b"[:punct:]", &[(0x21, 0x2f), (0x3a, 0x40), (0x5b, 0x60), (0x7b, 0x7e)]),
        (b"[:space:]", &[(0x09, 0x0d), (0x20, 0x20)]),
        (b"[:upper:]", &[(0x41, 0x5a)]),
        (b"[:xdigit:]", &[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)]),
    ];
    ALL.iter().find_map(|(name, ranges)| Some((*ranges, text.strip_prefix(*name)?)))
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

/// Matches components against the names of a path; `**` is tried at every length.
fn matches_path(components: &[Component], names: &[&[u8]], dialect: Dialect) -> bool {
    // The last `**` seen and where its tail may start next; one is enough, as for stars in a name.
    let (mut at, mut name, mut retry) = (0, 0, None);
    loop {
        match components.get(at) {
            Some(Component::Any) if at + 1 == components.len() => {
                if name < names.len() {
                    return true;
                }
            }
            Some(Component::Any) => {
                at += 1;
                retry = Some((at, name));
                continue;
            }
            Some(Component::Name(tokens)) => {
                if names.get(name).is_some_and(|text| matches_name(tokens, text, dialect)) {
                    (at, name) = (at + 1, name + 1);
                    continue;
                }
            }
            None => {
                if name == names.len() {
                    return true;
                }
            }
        }
        match retry {
            Some((after, from)) if from < names.len() => {
                retry = Some((after, from + 1));
                (at, name) = (after, from + 1);
            }
            _ => return false,
        }
    }
}

/// Matches one component; on a mismatch the last star takes one unit more.
fn matches_name(tokens: &[Token], name: &[u8], dialect: Dialect) -> bool {
    let (mut at, mut rest) = (0, name);
    let mut retry: Option<(usize, &[u8])> = None;
    loop {
        let advanced = match tokens.get(at) {
            Some(Token::Star) => {
                at += 1;
                retry = Some((at, rest));
                continue;
            }
            Some(Token::Literal(text)) => rest.strip_prefix(text.as_slice()),
            Some(Token::One | Token::Class { .. }) if rest.is_empty() => None,
            Some(Token::One) => rest.get(first_unit(rest, dialect).1..),
            Some(Token::Class { negated, items }) => {
                let (unit, length) = first_unit(rest, dialect);
                let held = items.iter().any(|&(start, end)| start <= unit && unit <= end);
                if held == *negated { None } else { rest.get(length..) }
            }
            Some(Token::Never) => return false,
            None if rest.is_empty() => return true,
            None => None,
        };
        if let Some(after) = advanced {
            (at, rest) = (at + 1, after);
            continue;
        }
        match retry {
            Some((after, from)) if !from.is_empty() => {
                let from = from.get(first_unit(from, dialect).1..).unwrap_or_default();
                retry = Some((after, from));
                (at, rest) = (after, from);
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests;
