//! From a glob's text to its expansions and components.

use super::{Component, Dialect, GlobError, MAX_EXPANSIONS, Ranges, Token, Unit, first_unit};

/// The globs that braces stand for. Escapes and classes pass through unread.
pub(super) fn expand(text: &[u8]) -> Result<Vec<Vec<u8>>, GlobError> {
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
pub(super) fn components(glob: &[u8], dialect: Dialect) -> Result<Vec<Component>, GlobError> {
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
