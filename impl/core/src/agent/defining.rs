//! Whether a line defines an identifier, judged by the file's language, the surrounding lines and
//! the line's shape (docs/agent-tools.md, section 6).

use std::{borrow::Cow, cell::Cell, sync::OnceLock};

use memchr::{memchr, memrchr};
use regex_automata::{Anchored, Input, hybrid::dfa::DFA, meta::Regex};
use xxhash_rust::xxh3::xxh3_64;

use crate::text::Span;

mod shapes;
mod sweep;

use shapes::{FAMILIES, Family, Shape};
pub(super) use sweep::Sweep;

/// A block must begin within this many lines after the name.
const BODY_LINES: usize = 20;
/// The enclosing line is looked for within this many lines above.
const ENCLOSING_LINES: usize = 1_000;
/// Longer lines, in bytes, are not analysed.
const LINE_BYTES: usize = 2_000;

/// A compiled [`Shape`]. `None` where the shape has no condition.
struct Compiled {
    shape: &'static Shape,
    before: Regex,
    after: Option<Regex>,
    unless: Option<Regex>,
    inside: Option<Regex>,
}

impl Compiled {
    fn new(shape: &'static Shape) -> Option<Self> {
        let asked =
            |expression: &str| (!expression.is_empty()).then(|| Regex::new(expression).ok());
        Some(Self {
            shape,
            before: Regex::new(&format!(r"(?:{})\z", shape.before)).ok()?,
            after: asked(shape.after).flatten(),
            unless: asked(shape.unless).flatten(),
            inside: asked(shape.inside).flatten(),
        })
    }
}

/// The compiled shapes of a family.
struct Shapes {
    each: Vec<Compiled>,
    /// Matches where the `after` of any shape matches. Most names fail this one test, which is
    /// cheaper than one per shape.
    after: Option<Regex>,
    /// What [`Sweep`] reads lines with.
    automaton: OnceLock<Option<DFA>>,
}

impl Shapes {
    fn new(family: &Family) -> Self {
        let asked = family.shapes.iter().map(|shape| shape.after).filter(|after| !after.is_empty());
        let any = asked.map(|after| format!("(?:{after})")).collect::<Vec<_>>().join("|");
        Self {
            each: family.shapes.iter().filter_map(Compiled::new).collect(),
            after: Regex::new(&any).ok(),
            automaton: OnceLock::new(),
        }
    }
}

/// Compiled on first use of the family.
static COMPILED: [OnceLock<Shapes>; FAMILIES.len()] = [const { OnceLock::new() }; FAMILIES.len()];

/// A hash of all shapes and what they are of.
pub(super) fn shapes_hash() -> u64 {
    static HASH: OnceLock<u64> = OnceLock::new();
    *HASH.get_or_init(|| xxh3_64(format!("{FAMILIES:?}").as_bytes()))
}

/// Finds definitions in one text.
pub(super) struct Definer<'t> {
    text: &'t [u8],
    family: Option<(&'static Family, &'static Shapes)>,
    /// The line that was last asked for what encloses it.
    enclosed: Cell<Enclosed>,
}

/// A line, and what encloses it.
#[derive(Clone, Copy, Default)]
struct Enclosed {
    start: usize,
    columns: usize,
    /// How many lines above were looked at.
    lines: usize,
    /// The enclosing line; empty if there is none.
    by: (usize, usize),
}

impl<'t> Definer<'t> {
    pub(super) fn new(path: &[u8], text: &'t [u8]) -> Self {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        let ending = memrchr(b'.', name).and_then(|dot| name.get(dot + 1..)).unwrap_or_default();
        let ending = ending.to_ascii_lowercase();
        let is_of = |family: &&Family| {
            family.names.iter().any(|known| known.as_bytes() == name)
                || family.endings.iter().any(|known| known.as_bytes() == ending)
        };
        let at = FAMILIES.iter().position(is_of);
        let family = at
            .and_then(|at| Some((*FAMILIES.get(at)?, COMPILED.get(at)?)))
            .map(|(family, compiled)| (family, compiled.get_or_init(|| Shapes::new(family))));
        Self { text, family, enclosed: Cell::default() }
    }

    /// The level of an identifier's definition, 0 (none) to 3. `shown` is the decoded line; the
    /// identifier has the bytes `left..right` of it.
    pub(super) fn level(&self, line: Span, shown: &str, left: usize, right: usize) -> u64 {
        let (Some(before), Some(after)) = (shown.get(..left), shown.get(right..)) else { return 0 };
        let any = self.family.and_then(|(_, shapes)| shapes.after.as_ref());
        let mut asked = None;
        let count = self.family.map_or(0, |(_, shapes)| shapes.each.len());
        self.level_by(line, shown, right, 0..count, |shape| {
            let asked = *asked.get_or_insert_with(|| any.is_none_or(|any| begins(any, after)));
            shape.after.as_ref().is_none_or(|regex| asked && begins(regex, after))
                && begins(&shape.before, before)
        })
    }

    /// The same, of some shapes by their numbers, where something else says of each whether it is
    /// that of what stands around the identifier.
    fn level_by(
        &self,
        line: Span,
        shown: &str,
        right: usize,
        numbers: impl Iterator<Item = usize>,
        mut fits: impl FnMut(&Compiled) -> bool,
    ) -> u64 {
        let Some((family, shapes)) = self.family else { return 0 };
        let Some(after) = shown.get(right..) else { return 0 };
        if shown.len() > LINE_BYTES || family.is_comment(shown.trim_start().as_bytes()) {
            return 0;
        }
        let mut enclosing: Option<Cow<'_, str>> = None;
        let mut best = 0;
        for compiled in numbers.filter_map(|number| shapes.each.get(number)) {
            let Compiled { shape, unless, inside, .. } = compiled;
            if shape.level <= best
                || !fits(compiled)
                || unless.as_ref().is_some_and(|regex| begins(regex, shown))
                || (shape.body && !self.has_body(line, after))
            {
                continue;
            }
            if let Some(inside) = inside {
                let enclosing =
                    enclosing.get_or_insert_with(|| self.enclosing(family, line.start, shown));
                if !inside.is_match(enclosing.as_ref()) {
                    continue;
                }
            }
            best = shape.level;
        }
        best
    }

    /// Whether a block begins after the name before a statement ends, outside parentheses.
    fn has_body(&self, line: Span, after: &str) -> bool {
        let mut depth = 0_i64;
        let mut rest = after.as_bytes();
        let mut from = line.end + 1;
        for _ in 0..=BODY_LINES {
            for byte in rest {
                match byte {
                    b'(' => depth += 1,
                    b')' => depth -= 1,
                    b'{' if depth <= 0 => return true,
                    b';' if depth <= 0 => return false,
                    _ => {}
                }
            }
            let Some(below) = self.text.get(from..).filter(|below| !below.is_empty()) else {
                return false;
            };
            let next = below.get(..memchr(b'\n', below).unwrap_or(below.len())).unwrap_or_default();
            from += next.len() + 1;
            rest = next.strip_suffix(b"\r").unwrap_or(next);
            if rest.len() > LINE_BYTES {
                return false;
            }
        }
        false
    }

    /// The nearest line above that is indented less and is no comment; empty if there is none.
    fn enclosing(&self, family: &Family, start: usize, shown: &str) -> Cow<'t, str> {
        let mut own = indentation(shown.as_bytes());
        let known = self.enclosed.get();
        let mut now = Enclosed { start, columns: own, ..Enclosed::default() };
        let mut end = start;
        while now.lines < ENCLOSING_LINES && own > 0 && end > 0 {
            // What is above a line of the same columns has been looked at.
            let lines = now.lines + known.lines;
            if end == known.start && own == known.columns && lines < ENCLOSING_LINES {
                (now.lines, now.by) = (lines, known.by);
                break;
            }
            now.lines += 1;
            let above = self.text.get(..end - 1).unwrap_or_default();
            let begins = memrchr(b'\n', above).map_or(0, |feed| feed + 1);
            let line = above.get(begins..).unwrap_or_default();
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            end = begins;
            if line.len() > LINE_BYTES || indentation(line) >= own {
                continue;
            }
            let code = line.trim_ascii();
            if code.is_empty() || code.starts_with(b"#") || family.is_comment(code) {
                continue;
            }
            if matches!(code, b"{" | b"(" | b"where") {
                own = indentation(line) + 1;
                continue;
            }
            now.by = (begins, begins + line.len());
            break;
        }
        self.enclosed.set(now);
        let (from, to) = now.by;
        String::from_utf8_lossy(self.text.get(from..to).unwrap_or_default())
    }
}

fn begins(regex: &Regex, text: &str) -> bool {
    regex.is_match(Input::new(text).anchored(Anchored::Yes))
}

/// Columns before the first character; a tab advances to the next multiple of eight.
fn indentation(line: &[u8]) -> usize {
    let mut columns = 0;
    for byte in line {
        columns = match byte {
            b' ' => columns + 1,
            b'\t' => (columns / 8 + 1) * 8,
            _ => break,
        };
    }
    columns
}

#[cfg(test)]
mod tests;
