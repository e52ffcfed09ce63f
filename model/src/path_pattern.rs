//! Patterns of paths, as globs and lines of ignore files have them in common: stars, `**`, classes,
//! escapes, anchors (sections 3.2 and 3.3).
//!
//! A unit is a character of a glob or a byte of an ignore file. Not here: what each dialect reads
//! as a pattern, and its classes ([`crate::glob`], [`crate::ignore_rules`]).

use crate::place::Name;

/// A pattern without braces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathPattern<U> {
    /// Whether it is matched against the whole path rather than base names.
    pub(crate) anchored: bool,
    pub(crate) directories_only: bool,
    components: Vec<Component<U>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Component<U> {
    /// `**`: any number of components; at the end at least one.
    AnyNumber,
    Name(Vec<Token<U>>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token<U> {
    Literal(U),
    /// `?`: one unit.
    AnyOne,
    /// A run of this many `*`.
    Stars(usize),
    /// `[...]`: one unit.
    Class {
        negated: bool,
        ranges: Vec<(U, U)>,
    },
    Slash,
}

/// The class after a `[`, and the rest; `None` if it is invalid.
pub(crate) type ReadClass<U> = fn(&[U]) -> Option<(Token<U>, &[U])>;

impl<U: Copy + Ord + From<u8>> PathPattern<U> {
    /// The pattern of tokens without a slash in front or at the end.
    pub(crate) fn new(tokens: &[Token<U>], anchored: bool, directories_only: bool) -> Self {
        let components = tokens.split(|token| *token == Token::Slash).map(component).collect();
        Self { anchored, directories_only, components }
    }

    /// Whether it matches the path itself. A unit of a name is `None` if no literal equals it.
    pub(crate) fn matches(
        &self,
        path: &[Name],
        is_dir: bool,
        units: fn(&[u8]) -> Vec<Option<U>>,
    ) -> bool {
        let tested =
            if self.anchored { path } else { path.last().map_or(path, std::slice::from_ref) };
        (is_dir || !self.directories_only) && components_match(&self.components, tested, units)
    }
}

impl PathPattern<char> {
    /// Whether the path matches the components up to one that begins with a dot. What matches any
    /// but the last is a directory.
    pub(crate) fn names_hidden(
        &self,
        path: &[Name],
        is_dir: bool,
        units: fn(&[u8]) -> Vec<Option<char>>,
    ) -> bool {
        (1..=self.components.len()).filter_map(|end| self.components.get(..end)).any(|components| {
            let dotted = matches!(components.last(), Some(Component::Name(tokens)) if tokens.first() == Some(&Token::Literal('.')));
            let last = components.len() == self.components.len();
            let beginning = PathPattern {
                anchored: self.anchored,
                directories_only: self.directories_only || !last,
                components: components.to_vec(),
            };
            dotted && beginning.matches(path, is_dir, units)
        })
    }
}

/// A component of tokens: two stars or more alone, or a name.
fn component<U: Clone>(tokens: &[Token<U>]) -> Component<U> {
    if matches!(tokens, [Token::Stars(2..)]) {
        Component::AnyNumber
    } else {
        Component::Name(tokens.to_vec())
    }
}

/// Whether the components match all names of a path. Tracks which numbers of names can be consumed
/// after each component.
fn components_match<U: Copy + Ord>(
    components: &[Component<U>],
    path: &[Name],
    units: fn(&[u8]) -> Vec<Option<U>>,
) -> bool {
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
                .filter(|used| {
                    path.get(*used).is_some_and(|name| name_matches(tokens, &units(name)))
                })
                .map(|used| used + 1)
                .collect(),
        };
    }
    used.contains(&path.len())
}

/// Whether the tokens match all units of a name. Tracks which numbers of units can be consumed
/// after each token.
fn name_matches<U: Copy + Ord>(tokens: &[Token<U>], name: &[Option<U>]) -> bool {
    let mut used = vec![0];
    for token in tokens {
        used = match token {
            Token::Stars(_) => {
                used.iter().min().map_or(Vec::new(), |least| (*least..=name.len()).collect())
            }
            one => used
                .into_iter()
                .filter(|used| name.get(*used).is_some_and(|unit| one_matches(one, *unit)))
                .map(|used| used + 1)
                .collect(),
        };
    }
    used.contains(&name.len())
}

fn one_matches<U: Copy + Ord>(token: &Token<U>, unit: Option<U>) -> bool {
    match token {
        Token::AnyOne => true,
        Token::Literal(literal) => unit == Some(*literal),
        Token::Class { negated, ranges } => {
            let inside = unit
                .is_some_and(|unit| ranges.iter().any(|(from, to)| (*from..=*to).contains(&unit)));
            inside != *negated
        }
        Token::Stars(_) | Token::Slash => false,
    }
}

/// The tokens of a pattern; `None` for an invalid class or a trailing backslash.
pub(crate) fn tokens<U: Copy + Ord + From<u8>>(
    text: &[U],
    class: ReadClass<U>,
) -> Option<Vec<Token<U>>> {
    let is = |unit: &U, byte: u8| *unit == U::from(byte);
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if is(first, b'\\') {
            let (escaped, after) = rest.split_first()?;
            rest = after;
            let slash = is(escaped, b'/');
            tokens.push(if slash { Token::Slash } else { Token::Literal(*escaped) });
        } else if is(first, b'/') {
            tokens.push(Token::Slash);
        } else if is(first, b'?') {
            tokens.push(Token::AnyOne);
        } else if is(first, b'*') {
            match tokens.last_mut() {
                Some(Token::Stars(run)) => *run += 1,
                _ => tokens.push(Token::Stars(1)),
            }
        } else if is(first, b'[') {
            let (token, after) = class(rest)?;
            rest = after;
            tokens.push(token);
        } else {
            tokens.push(Token::Literal(*first));
        }
    }
    Some(tokens)
}

/// The first member of a class, unescaped, and the rest.
pub(crate) fn member<U: Copy + PartialEq + From<u8>>(text: &[U]) -> Option<(U, &[U])> {
    let (first, after) = text.split_first()?;
    let (member, after) =
        if *first == U::from(b'\\') { after.split_first()? } else { (first, after) };
    Some((*member, after))
}
