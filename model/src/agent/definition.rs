//! Definitions of identifiers: their level (section 6, Definitions), and the weight of a file by
//! its place (section 6, Places).
//!
//! Invalid UTF-8 is read as U+FFFD.

use std::ops::Range;
use std::sync::Arc;

use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::{Anchored, Input};

use super::expression::ready;
use super::identifier::{self, identifiers};
use super::occurrence::characters;
use super::query::Term;
use crate::place::{self, Name};
use crate::tables::agent::{DefinitionPlace, Definitions, Family, Shape};

/// Finds definitions in the lines of a file.
pub(super) struct Definer<'a> {
    table: &'a Definitions,
    lines: &'a [&'a [u8]],
    family: Option<(&'a Family, Arc<[Compiled<'a>]>)>,
}

/// A compiled [`Shape`].
struct Compiled<'a> {
    shape: &'a Shape,
    before: Arc<PikeVM>,
    after: Arc<PikeVM>,
    unless: Option<Arc<PikeVM>>,
    inside: Option<Arc<PikeVM>>,
}

impl<'a> Compiled<'a> {
    /// `None` if an expression is invalid; a test checks that none is.
    fn new(shape: &'a Shape) -> Option<Compiled<'a>> {
        let optional = |text: Option<&'static str>| match text {
            None => Some(None),
            Some(text) => ready(text).map(Some),
        };
        Some(Compiled {
            shape,
            before: ready(&format!("^(?:{})$", shape.before))?,
            after: ready(shape.after)?,
            unless: optional(shape.unless)?,
            inside: optional(shape.inside)?,
        })
    }
}

/// What gives the level of the first identifier `name` of a text of this family, for those who draw
/// such texts.
pub fn prober<'t>(
    table: &'t Definitions,
    family: &'t Family,
    name: &'t str,
) -> impl Fn(&str) -> u64 + 't {
    let compiled: Arc<[Compiled<'t>]> = family.shapes.iter().filter_map(Compiled::new).collect();
    move |text| {
        let lines: Vec<&[u8]> = text.split('\n').map(str::as_bytes).collect();
        let family = Some((family, Arc::clone(&compiled)));
        let definer = Definer { table, lines: &lines, family };
        let mut places = text.split('\n').enumerate().flat_map(|(number, line)| {
            let all = characters(line.as_bytes());
            let own = identifiers(&all).into_iter().filter(move |place| {
                all.iter().skip(place.start).take(place.len()).copied().eq(name.chars().map(Some))
            });
            own.map(move |place| (number, place))
        });
        places.next().map_or(0, |(number, place)| definer.level(number, &place))
    }
}

impl<'a> Definer<'a> {
    /// `below_root` is the file's path below the search root.
    pub(super) fn new(
        table: &'a Definitions,
        below_root: &[Name],
        lines: &'a [&'a [u8]],
    ) -> Definer<'a> {
        let family = below_root.last().and_then(|name| family(table, name));
        let compiled = |family: &'a Family| family.shapes.iter().filter_map(Compiled::new);
        let family = family.map(|family| (family, compiled(family).collect()));
        Definer { table, lines, family }
    }

    /// The level of the definition of the identifier at these characters of a line; 0 if it is not
    /// defined there.
    pub(super) fn level(&self, number: usize, identifier: &Range<usize>) -> u64 {
        let Some((family, shapes)) = &self.family else { return 0 };
        let line = shown(self.lines.get(number).copied().unwrap_or_default());
        if is_comment(family, line.trim_start()) || self.is_long(line.len()) {
            return 0;
        }
        let before: String = line.chars().take(identifier.start).collect();
        let after: String = line.chars().skip(identifier.end).collect();
        let met = shapes.iter().filter(|one| {
            begins(&one.before, &before)
                && begins(&one.after, &after)
                && !one.unless.as_ref().is_some_and(|unless| begins(unless, &line))
                && (!one.shape.body || self.has_body(number, &after))
                && one
                    .inside
                    .as_ref()
                    .is_none_or(|inside| holds(inside, &self.enclosing_text(family, number)))
        });
        met.map(|one| one.shape.level).max().unwrap_or_default()
    }

    /// Whether a block begins before a statement ends, in `after` or in the next lines, up to one
    /// that is too long.
    fn has_body(&self, number: usize, after: &str) -> bool {
        let most = usize::try_from(self.table.body_lines).unwrap_or(usize::MAX);
        let below = self
            .lines
            .iter()
            .skip(number + 1)
            .take(most)
            .take_while(|line| !self.is_long(line.len()));
        let bytes = after.bytes().chain(below.flat_map(|line| line.iter().copied()));
        let mut depth = 0_i64;
        for byte in bytes {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'{' | b';' if depth <= 0 => return byte == b'{',
                _ => {}
            }
        }
        false
    }

    /// The header of the definition around a line.
    pub(super) fn header(&self, number: usize) -> Option<usize> {
        let (family, _) = self.family.as_ref()?;
        let lines = usize::try_from(self.table.enclosing_lines).unwrap_or(usize::MAX);
        let around = |inner: &usize| self.enclosing(family, *inner);
        std::iter::successors(around(&number), around)
            .take_while(|outer| number - outer <= lines)
            .find(|outer| self.defines_any(*outer))
    }

    fn defines_any(&self, number: usize) -> bool {
        let line = characters(self.lines.get(number).copied().unwrap_or_default());
        identifiers(&line).iter().any(|place| self.level(number, place) > 0)
    }

    /// The line that encloses this one; empty if none does.
    fn enclosing_text(&self, family: &Family, number: usize) -> String {
        let line = self.enclosing(family, number).and_then(|number| self.lines.get(number));
        line.map(|line| shown(line)).unwrap_or_default()
    }

    /// The number of the line that encloses this one.
    fn enclosing(&self, family: &Family, number: usize) -> Option<usize> {
        let mut own = self.lines.get(number).map(|line| columns(line)).unwrap_or_default();
        let most = usize::try_from(self.table.enclosing_lines).unwrap_or(usize::MAX);
        for (above, line) in self.lines.iter().enumerate().take(number).rev().take(most) {
            let code = line.trim_ascii();
            let says_nothing = code.is_empty()
                || code.starts_with(b"#")
                || is_comment(family, &shown(code))
                || self.is_long(line.len());
            if says_nothing || columns(line) >= own {
                continue;
            }
            if ![&b"{"[..], b"(", b"where"].contains(&code) {
                return Some(above);
            }
            // A brace on a line of its own belongs to the line above.
            own = columns(line) + 1;
        }
        None
    }

    fn is_long(&self, bytes: usize) -> bool {
        u64::try_from(bytes).map_or(true, |bytes| bytes > self.table.line_bytes)
    }
}

/// The family of a file, by its name or its extension.
fn family(table: &Definitions, name: &[u8]) -> Option<&'static Family> {
    let name = place::lossy(name);
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    let is_of = |family: &&Family| {
        family.names.contains(&&*name)
            || ending.as_deref().is_some_and(|ending| family.endings.contains(&ending))
    };
    table.families.iter().find(is_of)
}

/// The weight of a file by its path, in hundredths: the least of all its places, except those that
/// a term names.
pub(super) fn hundredths(table: &Definitions, below_root: &[Name], terms: &[Term]) -> u64 {
    let path = characters(&place::join(below_root));
    let mut words: Vec<String> = Vec::new();
    for identifier in identifiers(&path).into_iter().filter_map(|place| path.get(place)) {
        let letters: Vec<char> = identifier.iter().copied().flatten().collect();
        words.push(letters.iter().collect::<String>().to_ascii_lowercase());
        words.extend(identifier::parts(&letters).into_iter().map(|part| part.text));
    }
    let name =
        below_root.last().map(|name| place::lossy(name).to_ascii_lowercase()).unwrap_or_default();
    let ends_in = |ending: &&str| name.ends_with(&format!(".{ending}"));
    let asks = |word: &str| {
        terms.iter().any(|term| match term {
            Term::Word { text, parts, .. } => {
                text == word || parts.iter().any(|part| part.text == word)
            }
            Term::Literal(_) => false,
        })
    };
    let applies = |place: &&DefinitionPlace| {
        let stands_there = words.iter().any(|word| place.words.contains(&word.as_str()));
        place.endings.iter().any(ends_in)
            || stands_there && !place.words.iter().any(|word| asks(word))
    };
    table.places.iter().filter(applies).map(|place| place.hundredths).min().unwrap_or(100)
}

/// Columns before the first character that is neither space nor tab; a tab advances to the next
/// multiple of eight.
fn columns(line: &[u8]) -> usize {
    let blanks = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blanks.fold(0, |columns, byte| if *byte == b'\t' { columns / 8 * 8 + 8 } else { columns + 1 })
}

fn shown(line: &[u8]) -> String {
    characters(line).into_iter().map(|one| one.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Whether a line without its indentation is a comment.
fn is_comment(family: &Family, code: &str) -> bool {
    code == "*" || family.comments.iter().any(|begins| code.starts_with(begins))
}

fn begins(expression: &PikeVM, text: &str) -> bool {
    expression.is_match(&mut expression.create_cache(), Input::new(text).anchored(Anchored::Yes))
}

fn holds(expression: &PikeVM, text: &str) -> bool {
    expression.is_match(&mut expression.create_cache(), text)
}

#[cfg(test)]
mod tests;
