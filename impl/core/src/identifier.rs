//! Identifiers, their parts, and where a word occurs in one (E-I17; docs/agent-tools.md, section
//! 6).

/// Eighths of an identifier that is spelled as the word is given.
const EXACT: u32 = 8;

/// A part of an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'t> {
    /// Its characters.
    pub text: &'t str,
    /// `_` stands between it and the part before.
    pub apart: bool,
}

/// How much of an identifier an occurrence covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Some of its parts.
    Part,
    /// All of them.
    Whole,
}

/// Whether identifiers have this character.
pub(crate) fn word_character(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The parts of an identifier.
pub fn parts(identifier: &str) -> Parts<'_> {
    Parts { rest: identifier, begun: false }
}

/// The parts of an identifier, one after the other.
#[derive(Clone, Debug)]
pub struct Parts<'t> {
    /// What is left of the identifier.
    rest: &'t str,
    /// Whether there was a part before.
    begun: bool,
}

impl<'t> Iterator for Parts<'t> {
    type Item = Part<'t>;

    fn next(&mut self) -> Option<Part<'t>> {
        let run = self.rest.trim_start_matches('_');
        let apart = self.begun && run.len() < self.rest.len();
        let (text, rest) =
            run.split_at_checked(part_end(run)).filter(|(text, _)| !text.is_empty())?;
        (self.rest, self.begun) = (rest, true);
        Some(Part { text, apart })
    }
}

/// Where the part ends with which a text begins.
fn part_end(text: &str) -> usize {
    // Nearly all identifiers are of ASCII.
    let bytes = text.as_bytes();
    for (at, pair) in (1..).zip(bytes.windows(2)) {
        let [a, b] = pair else { continue };
        let after = bytes.get(at + 1).unwrap_or(&b'_');
        if !(a.is_ascii() && b.is_ascii() && after.is_ascii()) {
            return any_part_end(text);
        }
        let split = *b == b'_'
            || (a.is_ascii_lowercase() && b.is_ascii_uppercase())
            || (a.is_ascii_uppercase() && b.is_ascii_uppercase() && after.is_ascii_lowercase())
            || (a.is_ascii_digit() != b.is_ascii_digit());
        if split {
            return at;
        }
    }
    text.len()
}

/// The same of a text that need not be of ASCII.
fn any_part_end(text: &str) -> usize {
    let mut characters = text.char_indices().peekable();
    while let Some((_, a)) = characters.next() {
        let Some(&(next, b)) = characters.peek() else { break };
        let after = text.get(next + b.len_utf8()..).and_then(|rest| rest.chars().next());
        let split = b == '_'
            || (a.is_lowercase() && b.is_uppercase())
            || (a.is_uppercase() && b.is_uppercase() && after.is_some_and(char::is_lowercase))
            || (a.is_numeric() != b.is_numeric());
        if split {
            return next;
        }
    }
    text.len()
}

/// Whether a word, given as its folded parts, occurs in an identifier, and how much of it that is
/// at most.
pub fn occurs(word: &[String], identifier: &str) -> Option<Extent> {
    let mut best = None;
    let mut rest = parts(identifier);
    loop {
        let here = rest.clone();
        if rest.next().is_none() {
            return best;
        }
        let is_start = !here.begun;
        if let Some(mut behind) = run_from(word, here) {
            if is_start && behind.next().is_none() {
                return Some(Extent::Whole);
            }
            best = Some(Extent::Part);
        }
    }
}

/// Units of an occurrence, and eighths of a level where it is defined.
pub(crate) fn weight(extent: Extent, is_exact: bool) -> (u32, u32) {
    match extent {
        Extent::Whole if is_exact => (2, EXACT),
        Extent::Whole => (2, 2),
        Extent::Part => (1, 1),
    }
}

/// A word of a query.
#[derive(Clone, Copy, Debug)]
pub struct Word<'q> {
    /// Its parts, folded.
    pub parts: &'q [String],
    /// As it is given.
    pub spelled: &'q str,
}

/// Which terms a file has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// Each of them.
    All,
    /// At least one.
    Any,
}

/// Which identifiers are made of words of the query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coverage {
    /// The parts of each word, folded.
    words: Vec<Vec<String>>,
}

impl Coverage {
    /// Those of a query of which a file has to hold each word; of a long question, of which one
    /// word is enough, most names are made by chance.
    pub(crate) fn of<'q>(words: impl Iterator<Item = Word<'q>>, demand: Demand) -> Self {
        match demand {
            Demand::All => Self { words: words.map(|word| word.parts.to_vec()).collect() },
            Demand::Any => Self::default(),
        }
    }

    /// The parts of all words; none where no identifier can be made of two words.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &str> {
        let several = self.words.len() > 1;
        self.words.iter().filter(move |_| several).flatten().map(String::as_str)
    }

    /// Eighths of an identifier all of whose parts are parts of a word, and in which more than one
    /// word occurs.
    pub(crate) fn eighths(&self, identifier: &str) -> Option<u32> {
        if self.words.len() < 2 {
            return None;
        }
        let known = |part: Part<'_>| self.parts().any(|word| part.text.eq_ignore_ascii_case(word));
        if !parts(identifier).all(known) {
            return None;
        }
        let words = self.words.iter().filter(|word| occurs(word, identifier).is_some()).count();
        let words = u32::try_from(words).unwrap_or(u32::MAX);
        (words > 1).then_some(words.saturating_mul(words).saturating_mul(EXACT))
    }
}

/// What is behind the run of parts that starts here and is the word.
fn run_from<'t>(word: &[String], mut parts: Parts<'t>) -> Option<Parts<'t>> {
    let mut wanted = word.iter();
    // What is left of the word's part that has been begun; empty at the part's end.
    let mut left = "";
    while let Some(part) = parts.next() {
        if part.apart && !left.is_empty() {
            return None;
        }
        let mut text = part.text;
        while !text.is_empty() {
            if left.is_empty() {
                left = wanted.next()?.as_str();
            }
            let length = left.len().min(text.len());
            let (Some(a), Some(b)) = (left.get(..length), text.get(..length)) else { return None };
            if !a.eq_ignore_ascii_case(b) {
                return None;
            }
            left = left.get(length..).unwrap_or_default();
            text = text.get(length..).unwrap_or_default();
        }
        if left.is_empty() && wanted.as_slice().is_empty() {
            return Some(parts);
        }
    }
    None
}

/// Whether these bytes begin where a part begins and end where one ends; none if it takes more than
/// ASCII to tell.
pub(crate) fn stands_alone(text: &[u8], start: usize, end: usize) -> Option<bool> {
    Some(is_boundary(text, start)? && is_boundary(text, end)?)
}

/// Whether two neighbouring bytes, the second one here, are not of one part.
fn is_boundary(text: &[u8], at: usize) -> Option<bool> {
    let (Some(a), Some(b)) = (at.checked_sub(1).and_then(|before| text.get(before)), text.get(at))
    else {
        return Some(true);
    };
    if !a.is_ascii() || !b.is_ascii() {
        return None;
    }
    if !a.is_ascii_alphanumeric() || !b.is_ascii_alphanumeric() {
        return Some(true);
    }
    if a.is_ascii_digit() != b.is_ascii_digit()
        || (a.is_ascii_lowercase() && b.is_ascii_uppercase())
    {
        return Some(true);
    }
    if !(a.is_ascii_uppercase() && b.is_ascii_uppercase()) {
        return Some(false);
    }
    match text.get(at + 1) {
        Some(after) if !after.is_ascii() => None,
        after => Some(after.is_some_and(u8::is_ascii_lowercase)),
    }
}

/// The identifier around some bytes of it, in a line of ASCII.
pub(crate) fn ascii_around(line: &[u8], start: usize, end: usize) -> (usize, usize) {
    let word = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
    let before = line.get(..start).unwrap_or_default();
    let behind = line.get(end..).unwrap_or_default();
    let left = before.iter().rposition(|byte| !word(byte)).map_or(0, |at| at + 1);
    let right = behind.iter().position(|byte| !word(byte)).map_or(line.len(), |at| end + at);
    (left, right)
}

/// The identifier around some bytes of it.
pub(crate) fn around(line: &str, start: usize, end: usize) -> (usize, usize) {
    let left = line
        .get(..start)
        .unwrap_or_default()
        .char_indices()
        .rev()
        .take_while(|(_, c)| word_character(*c))
        .last()
        .map_or(start, |(at, _)| at);
    let right = line
        .get(end..)
        .unwrap_or_default()
        .char_indices()
        .find(|(_, c)| !word_character(*c))
        .map_or(line.len(), |(at, _)| end + at);
    (left, right)
}

/// The identifiers of a text.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !word_character(c)).filter(|run| !run.is_empty())
}

/// The same, by where they begin and end.
pub(crate) fn identifier_places(text: &str) -> impl Iterator<Item = (usize, usize)> {
    identifiers(text).map(|name| {
        let left = name.as_ptr().addr() - text.as_ptr().addr();
        (left, left + name.len())
    })
}
