//! Globs of requests and deny patterns: which strings are globs, and which paths they match
//! (section 3.3, E-B12).
//!
//! Braces are expanded first: a glob is the union of its expansions. Names are compared as raw
//! bytes, exactly, without normalisation.

use crate::fields::exceeds;
use crate::path_pattern::{PathPattern, Token, member, tokens};
use crate::place::Name;
use crate::tables::Limits;

/// The union of a glob's expansions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Glob {
    expansions: Vec<PathPattern<char>>,
    /// The glob's text, where a path that equals it is matched too (D25).
    path: Option<Vec<u8>>,
}

/// The globs of one field; `None` if they are too many, or one is too long or invalid.
/// With `lenient` each also matches the path that it spells.
pub(crate) fn parse_all(globs: &[String], limits: &Limits, lenient: bool) -> Option<Vec<Glob>> {
    if exceeds(globs.len(), limits.glob_entries) {
        return None;
    }
    globs
        .iter()
        .map(|glob| {
            let too_long = exceeds(glob.len(), limits.glob_bytes);
            let parsed = Glob::parse(glob, limits.glob_expansions).filter(|_| !too_long)?;
            let spelled = glob.strip_prefix("./").unwrap_or(glob);
            let path = lenient.then(|| spelled.as_bytes().to_vec());
            Some(Glob { path, ..parsed })
        })
        .collect()
}

impl Glob {
    /// Parses a glob; `None` if it is invalid or has more than `most` expansions.
    pub(crate) fn parse(glob: &str, most: u64) -> Option<Glob> {
        if glob.is_empty() || glob == "./" || glob.starts_with('!') {
            return None;
        }
        let glob: Vec<char> = glob.chars().collect();
        let expansions = expand(&glob, most)?;
        let expansions =
            expansions.iter().map(|expansion| parse(expansion)).collect::<Option<_>>()?;
        Some(Glob { expansions, path: None })
    }

    /// Whether the glob matches the path or a directory above it.
    pub(crate) fn covers(&self, path: &[Name], is_dir: bool) -> bool {
        (1..=path.len())
            .filter_map(|depth| path.get(..depth))
            .any(|prefix| self.matches(prefix, is_dir || prefix.len() < path.len()))
    }

    /// Whether the glob matches the path itself.
    pub(crate) fn matches(&self, path: &[Name], is_dir: bool) -> bool {
        let equals = self.path.as_ref().is_some_and(|spelled| spells(spelled, path, is_dir));
        equals
            || self.expansions.iter().any(|expansion| expansion.matches(path, is_dir, characters))
    }
}

impl Glob {
    /// Whether the glob brings a hidden name back: the path matches it up to a component that
    /// begins with a dot (agent tools, section 2).
    pub(crate) fn names_hidden(&self, path: &[Name], is_dir: bool) -> bool {
        self.expansions.iter().any(|expansion| expansion.names_hidden(path, is_dir, characters))
    }
}

/// Whether a text is this path, with a slash behind it of a directory; without a slash in it, its
/// base name.
fn spells(text: &[u8], path: &[Name], is_dir: bool) -> bool {
    let (text, only_dir) = match text.strip_suffix(b"/") {
        Some(text) => (text, true),
        None => (text, false),
    };
    let is_it = if text.contains(&b'/') {
        text.strip_prefix(b"/").unwrap_or(text) == path.join(&b'/')
    } else {
        path.last().is_some_and(|name| text == name)
    };
    is_it && (is_dir || !only_dir)
}

/// A glob without braces.
fn parse(text: &[char]) -> Option<PathPattern<char>> {
    let mut tokens = tokens(text.strip_prefix(&['.', '/']).unwrap_or(text), class)?;
    let directories_only = tokens.last() == Some(&Token::Slash);
    if directories_only {
        tokens.pop();
    }
    let slash_in_class = |token: &Token<char>| matches!(token, Token::Class { ranges, .. } if ranges.iter().any(|(from, to)| [from, to].contains(&&'/')));
    let anchored = tokens.iter().any(|token| *token == Token::Slash || slash_in_class(token));
    let from_root = tokens.strip_prefix(&[Token::Slash]).unwrap_or(&tokens);
    Some(PathPattern::new(from_root, anchored, directories_only))
}

/// The scalar values of a name; `None` for each byte of invalid UTF-8.
fn characters(name: &[u8]) -> Vec<Option<char>> {
    let mut characters = Vec::new();
    for chunk in name.utf8_chunks() {
        characters.extend(chunk.valid().chars().map(Some));
        characters.extend(chunk.invalid().iter().map(|_| None));
    }
    characters
}

/// Splits the text after a `[` at its closing `]`, which is never the first character.
fn class_text(text: &[char]) -> Option<(&[char], &[char])> {
    let mut length = usize::from(matches!(text.first(), Some('!' | '^')));
    let first = length;
    loop {
        match text.get(length)? {
            ']' if length > first => return Some((text.get(..length)?, text.get(length + 1..)?)),
            '\\' => {
                text.get(length + 1)?;
                length += 2;
            }
            _ => length += 1,
        }
    }
}

/// The class after a `[`, and the rest; `None` if it is unclosed or a range is reversed.
fn class(text: &[char]) -> Option<(Token<char>, &[char])> {
    let (text, rest) = class_text(text)?;
    let negated = matches!(text.first(), Some('!' | '^'));
    let mut members = text.get(usize::from(negated)..)?;
    let mut ranges = Vec::new();
    while let Some((from, after)) = member(members) {
        members = after;
        let to = match members.split_first() {
            Some(('-', after)) => member(after),
            _ => None,
        };
        match to {
            Some((to, after)) if from <= to => {
                members = after;
                ranges.push((from, to));
            }
            Some(_) => return None,
            None => ranges.push((from, from)),
        }
    }
    Some((Token::Class { negated, ranges }, rest))
}

/// The text read between two braces, or of the whole glob.
struct Level {
    /// Expansions of the alternatives before the last `,`.
    finished: Vec<Vec<char>>,
    /// Expansions of the text since.
    current: Vec<Vec<char>>,
}

impl Level {
    fn new() -> Level {
        Level { finished: Vec::new(), current: vec![Vec::new()] }
    }
}

/// The expansions of a glob's braces; `None` if a brace is unclosed, or there are more than `most`.
fn expand(glob: &[char], most: u64) -> Option<Vec<Vec<char>>> {
    let mut outer = Vec::new();
    let mut level = Level::new();
    let mut rest = glob;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let pieces = match first {
            '{' => {
                outer.push(std::mem::replace(&mut level, Level::new()));
                continue;
            }
            ',' if !outer.is_empty() => {
                level.finished.append(&mut level.current);
                level.current = vec![Vec::new()];
                continue;
            }
            '}' => {
                let inner = std::mem::replace(&mut level, outer.pop()?);
                [inner.finished, inner.current].concat()
            }
            '\\' => {
                let (escaped, after) = rest.split_first()?;
                rest = after;
                vec![vec!['\\', *escaped]]
            }
            '[' => {
                let (inside, after) = class_text(rest)?;
                rest = after;
                vec![[&['['], inside, &[']']].concat()]
            }
            plain => vec![vec![*plain]],
        };
        level.current = combined(&level.current, &pieces);
        if u64::try_from(level.current.len()).unwrap_or(u64::MAX) > most {
            return None;
        }
    }
    outer.is_empty().then_some(level.current)
}

/// Each prefix with each suffix.
fn combined(beginnings: &[Vec<char>], endings: &[Vec<char>]) -> Vec<Vec<char>> {
    beginnings
        .iter()
        .flat_map(|beginning| {
            endings.iter().map(move |ending| [beginning.as_slice(), ending].concat())
        })
        .collect()
}

#[cfg(test)]
mod tests;
