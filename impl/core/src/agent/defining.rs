//! Whether a line defines an identifier, judged by the file's language, the surrounding lines and
//! the line's shape (docs/agent-tools.md, section 6).

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    sync::OnceLock,
};

use memchr::{memchr, memchr_iter, memrchr};
use regex_automata::{Anchored, Input, meta::Regex};
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    identifier::identifier_places,
    text::{self, Span},
};

mod before;
mod shapes;

use before::{Before, Worked};
use shapes::{FAMILIES, Family, Shape};

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
    before: Option<Before>,
}

impl Shapes {
    fn new(family: &Family) -> Self {
        let each = family.shapes.iter().filter_map(Compiled::new).collect();
        Self { each, before: Before::new(family) }
    }

    /// Those with these numbers.
    fn of(&self, numbers: &[usize]) -> impl Iterator<Item = &Compiled> {
        numbers.iter().filter_map(|number| self.each.get(*number))
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
    worked: RefCell<Option<Worked>>,
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
        Self { text, family, enclosed: Cell::default(), worked: RefCell::default() }
    }

    /// Hands out how surely identifiers of a decoded line are what is defined there, 0 (not at all)
    /// to 3. They are given by where they begin and end, in order.
    pub(super) fn levels(
        &self,
        line: Span,
        shown: &str,
        places: impl Iterator<Item = (usize, usize)>,
        mut each: impl FnMut((usize, usize), u8),
    ) {
        let mut places = places.peekable();
        if places.peek().is_none() {
            return;
        }
        let judged = self.family.filter(|(family, _)| {
            shown.len() <= LINE_BYTES && !family.is_comment(shown.trim_start().as_bytes())
        });
        let Some((family, shapes)) = judged else {
            places.for_each(|place| each(place, 0));
            return;
        };
        let mut worked = self.worked.borrow_mut();
        let mut reader = shapes
            .before
            .as_ref()
            .and_then(|before| before.reader(worked.get_or_insert_with(|| before.worked())));
        let mut found = Vec::new();
        for (left, right) in places {
            found.clear();
            if let Some(read) = &mut reader
                && read.shapes(shown, left, &mut found).is_none()
            {
                reader = None;
            }
            if reader.is_none() {
                let before = shown.get(..left).unwrap_or_default();
                let fits = |compiled: &Compiled| begins(&compiled.before, before);
                let fitting = (0..).zip(&shapes.each).filter(|(_, compiled)| fits(compiled));
                found = fitting.map(|(at, _)| at).collect();
            }
            each((left, right), self.level(family, line, shown, right, shapes.of(&found)));
        }
    }

    /// The level of an identifier that ends here, by the shapes of what stands before it.
    fn level<'s>(
        &self,
        family: &Family,
        line: Span,
        shown: &str,
        right: usize,
        fitting: impl Iterator<Item = &'s Compiled>,
    ) -> u8 {
        let after = shown.get(right..).unwrap_or_default();
        let mut enclosing: Option<Cow<'_, str>> = None;
        let mut best = 0;
        for Compiled { shape, after: behind, unless, inside, .. } in fitting {
            if shape.level <= best
                || behind.as_ref().is_some_and(|regex| !begins(regex, after))
                || unless.as_ref().is_some_and(|regex| begins(regex, shown))
                || (shape.body && !self.has_body(line, after))
            {
                continue;
            }
            if let Some(inside) = inside {
                let enclosing = enclosing.get_or_insert_with(|| {
                    let columns = indentation(shown.as_bytes());
                    let (from, to) = self.enclosing(family, line.start, columns);
                    String::from_utf8_lossy(self.text.get(from..to).unwrap_or_default())
                });
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

    /// The line of the definition around a line: of those that enclose it, one around the other, the
    /// nearest that defines something.
    pub(super) fn header(&self, line: Span) -> Option<Span> {
        let (family, _) = self.family?;
        let mut left = ENCLOSING_LINES;
        let mut at = line;
        loop {
            let columns = indentation(at.visible(self.text));
            let (from, to) = self.enclosing(family, at.start, columns);
            if from == to {
                return None;
            }
            let between = memchr_iter(b'\n', self.text.get(from..at.start)?);
            left = left.checked_sub(between.count())?;
            at = text::line_at(self.text, from)?;
            let shown = text::decoded(at.visible(self.text), "");
            let mut is_header = false;
            self.levels(at, &shown, identifier_places(&shown), |_, level| {
                is_header |= level > 0;
            });
            if is_header {
                return Some(at);
            }
        }
    }

    /// The nearest line above that is indented less than so many columns and is no comment; empty if
    /// there is none.
    fn enclosing(&self, family: &Family, start: usize, mut own: usize) -> (usize, usize) {
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
        now.by
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
