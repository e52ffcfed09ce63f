//! Globs of requests and deny patterns: which strings are globs, and which paths they match
//! (section 3.3, E-B12).
//!
//! Braces are expanded first: a glob is the union of its expansions. Names are compared as raw
//! bytes, exactly, without normalisation.

use crate::fields::exceeds;
use crate::place::Name;
use crate::tables::Limits;

/// The union of a glob's expansions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Glob {
    expansions: Vec<Expansion>,
}

/// The globs of one field; `None` if they are too many, or one is too long or invalid.
pub(crate) fn parse_all(globs: &[String], limits: &Limits) -> Option<Vec<Glob>> {
    if exceeds(globs.len(), limits.glob_entries) {
        return None;
    }
    globs
        .iter()
        .map(|glob| {
            let too_long = exceeds(glob.len(), limits.glob_bytes);
            (!too_long).then(|| Glob::parse(glob, limits.glob_expansions)).flatten()
        })
        .collect()
}

/// A glob without braces.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Expansion {
    /// Whether it is matched against the whole path rather than base names.
    anchored: bool,
    directories_only: bool,
    components: Vec<Component>,
}

/// A component of a glob.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Component {
    /// `**`: any number of components; at the end at least one.
    AnyNumber,
    Name(Vec<Token>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Literal(char),
    /// `?`: one character.
    AnyOne,
    /// A run of this many `*`.
    Stars(usize),
    /// `[...]`: one character.
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    Slash,
}

/// A scalar value, or a byte of invalid UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Character {
    Scalar(char),
    Byte,
}

impl Glob {
    /// Parses a glob; `None` if it is invalid or has more than `most` expansions.
    pub(crate) fn parse(glob: &str, most: u64) -> Option<Glob> {
        if glob.is_empty() || glob == "./" || glob.starts_with('!') {
            return None;
        }
        let glob: Vec<char> = glob.chars().collect();
        let expansions = expand(&glob, most)?;
        let expansions = expansions
            .iter()
            .map(|expansion| Expansion::parse(expansion))
            .collect::<Option<_>>()?;
        Some(Glob { expansions })
    }

    /// Whether the glob matches the path or a directory above it.
    pub(crate) fn covers(&self, path: &[Name], is_dir: bool) -> bool {
        (1..=path.len())
            .filter_map(|depth| path.get(..depth))
            .any(|prefix| self.matches(prefix, is_dir || prefix.len() < path.len()))
    }

    /// Whether the glob matches the path itself.
    pub(crate) fn matches(&self, path: &[Name], is_dir: bool) -> bool {
        self.expansions.iter().any(|expansion| expansion.matches(path, is_dir))
    }
}

impl Expansion {
    fn parse(text: &[char]) -> Option<Expansion> {
        let mut tokens = tokens(text.strip_prefix(&['.', '/']).unwrap_or(text))?;
        let directories_only = tokens.last() == Some(&Token::Slash);
        if directories_only {
            tokens.pop();
        }
        let slash_in_class = |token: &Token| matches!(token, Token::Class { ranges, .. } if ranges.iter().any(|(from, to)| [from, to].contains(&&'/')));
        let anchored = tokens.iter().any(|token| *token == Token::Slash || slash_in_class(token));
        let from_root = tokens.strip_prefix(&[Token::Slash]).unwrap_or(&tokens);
        let components = from_root.split(|token| *token == Token::Slash).map(component).collect();
        Some(Expansion { anchored, directories_only, components })
    }

    fn matches(&self, path: &[Name], is_dir: bool) -> bool {
        let tested =
            if self.anchored { path } else { path.last().map_or(path, std::slice::from_ref) };
        (is_dir || !self.directories_only) && components_match(&self.components, tested)
    }
}

/// A component of tokens: two stars or more alone, or a name.
fn component(tokens: &[Token]) -> Component {
    if matches!(tokens, [Token::Stars(2..)]) {
        Component::AnyNumber
    } else {
        Component::Name(tokens.to_vec())
    }
}

/// Whether the components match all names of a path. Tracks which numbers of names can be consumed
/// after each component.
fn components_match(components: &[Component], path: &[Name]) -> bool {
    let mut used = vec![0];
    for (index, component) in components.iter().enumerate() {
        let at_end = index + 1 == components.len();
        used = match component {
            Component::AnyNumber => {
                let least =
                    used.iter().min().map_or(path.len() + 1, |least| least + usize::from(at_end));
                (least..=path.len()).collect()
            }
            Component::Name(tokens) => used
                .into_iter()
                .filter(|used| path.get(*used).is_some_and(|name| name_matches(tokens, name)))
                .map(|used| used + 1)
                .collect(),
        };
    }
    used.contains(&path.len())
}

/// Whether the tokens match all characters of a name. Tracks which numbers of characters can be
/// consumed after each token.
fn name_matches(tokens: &[Token], name: &[u8]) -> bool {
    let name = characters(name);
    let mut used = vec![0];
    for token in tokens {
        used = match token {
            Token::Stars(_) => {
                used.iter().min().map_or(Vec::new(), |least| (*least..=name.len()).collect())
            }
            one => used
                .into_iter()
                .filter(|used| {
                    name.get(*used).is_some_and(|character| one_matches(one, *character))
                })
                .map(|used| used + 1)
                .collect(),
        };
    }
    used.contains(&name.len())
}

fn one_matches(token: &Token, character: Character) -> bool {
    match (token, character) {
        (Token::AnyOne, _) => true,
        (Token::Literal(literal), Character::Scalar(scalar)) => *literal == scalar,
        (Token::Class { negated, ranges }, character) => {
            let inside = matches!(character, Character::Scalar(scalar)
                if ranges.iter().any(|(from, to)| (*from..=*to).contains(&scalar)));
            inside != *negated
        }
        (Token::Literal(_) | Token::Stars(_) | Token::Slash, _) => false,
    }
}

fn characters(name: &[u8]) -> Vec<Character> {
    let mut characters = Vec::new();
    for chunk in name.utf8_chunks() {
        characters.extend(chunk.valid().chars().map(Character::Scalar));
        characters.extend(chunk.invalid().iter().map(|_| Character::Byte));
    }
    characters
}

/// The tokens of a glob without braces.
fn tokens(text: &[char]) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        match first {
            '\\' => {
                let (escaped, after) = rest.split_first()?;
                rest = after;
                tokens.push(if *escaped == '/' { Token::Slash } else { Token::Literal(*escaped) });
            }
            '/' => tokens.push(Token::Slash),
            '?' => tokens.push(Token::AnyOne),
            '*' => match tokens.last_mut() {
                Some(Token::Stars(run)) => *run += 1,
                _ => tokens.push(Token::Stars(1)),
            },
            '[' => {
                let (inside, after) = class_text(rest)?;
                rest = after;
                tokens.push(class(inside)?);
            }
            literal => tokens.push(Token::Literal(*literal)),
        }
    }
    Some(tokens)
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

/// The class between its brackets; `None` if a range is reversed.
fn class(text: &[char]) -> Option<Token> {
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
    Some(Token::Class { negated, ranges })
}

/// The first member of a class, unescaped, and the rest.
fn member(text: &[char]) -> Option<(char, &[char])> {
    match text.split_first()? {
        ('\\', after) => after.split_first().map(|(escaped, after)| (*escaped, after)),
        (plain, after) => Some((*plain, after)),
    }
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
