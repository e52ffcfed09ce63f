//! Text records made into an answer.
//!
//! Responsible for: templates of records as an adapter writes them ([`Template`]), reading output
//! by them ([`read`]), and what all
//! readers have in common: an answer that grows line by line ([`Reading`]).
//! Not here: JSON ([`super::json_lines`]).
//! Invariants: output is read to its last byte or not at all; lines of a file come in order, each
//! once.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::answer::{Answer, FileAnswer, Line};
use crate::question::Pack;
use crate::verdict::NoAnswer;
use touchstone_cases::case::{Node, Text, escape};
use touchstone_spec::adapter::{Bom, Show, Shown};

/// Longest path that is looked for.
const MAX_PATH_BYTES: usize = 4096;
/// How much of an unreadable record is shown.
const SHOWN_BYTES: usize = 200;

/// Why output cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Garble {
    reason: String,
    record: String,
}

impl Garble {
    pub(super) fn new(reason: impl Into<String>, record: &[u8]) -> Self {
        let beginning = record.get(..record.len().min(SHOWN_BYTES)).unwrap_or_default();
        Self { reason: reason.into(), record: escape(beginning) }
    }
}

impl From<Garble> for NoAnswer {
    fn from(garble: Garble) -> Self {
        Self::Garbled { reason: garble.reason, record: garble.record }
    }
}

/// The record of one line.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) number: u64,
    pub(super) selected: bool,
    pub(super) text: Option<Vec<u8>>,
    pub(super) spans: Option<Vec<(u64, u64)>>,
}

/// An answer that is being read.
#[derive(Debug)]
pub struct Reading<'a> {
    pack: &'a Pack,
    bom: Bom,
    known: HashSet<&'a [u8]>,
    starts: HashMap<Vec<u8>, Vec<u64>>,
    files: BTreeMap<Text, FileAnswer>,
    order: Vec<Text>,
}

impl<'a> Reading<'a> {
    /// Nothing read so far, about a pack, by a program that treats byte order marks so.
    pub fn of(pack: &'a Pack, bom: Bom) -> Self {
        let known = pack.tree.iter().map(|entry| entry.path.as_slice()).collect();
        Self { pack, bom, known, starts: HashMap::new(), files: BTreeMap::new(), order: Vec::new() }
    }

    /// What was read; with the order of files if that means something.
    pub fn answer(self, ordered: bool) -> Answer {
        let order = if ordered { self.order } else { Vec::new() };
        Answer { files: self.files, order, ..Answer::default() }
    }

    fn file(&mut self, path: &[u8]) -> &mut FileAnswer {
        let path = Text(path.strip_prefix(b"./").unwrap_or(path).to_vec());
        if !self.files.contains_key(&path) {
            self.order.push(path.clone());
        }
        self.files.entry(path).or_default()
    }

    /// Adds a line; further matches of the line before are added to it.
    pub(super) fn line(&mut self, path: &[u8], told: Told) -> Result<(), String> {
        let lines = &mut self.file(path).lines;
        if let Some(last) = lines.last_mut() {
            if told.number == last.number {
                return match (&mut last.spans, told.spans) {
                    (Some(spans), Some(more)) if told.text.is_none() => {
                        spans.extend(more);
                        Ok(())
                    }
                    _ => Err(format!("line {} comes twice", told.number)),
                };
            }
            if told.number <= last.number {
                return Err(format!("line {} comes behind line {}", told.number, last.number));
            }
        }
        lines.push(Line {
            number: told.number,
            selected: told.selected,
            text: told.text.map(Text),
            spans: told.spans,
        });
        Ok(())
    }

    /// Where a line of a file begins, in bytes of the text that the program sees.
    fn start(&mut self, path: &[u8], number: u64) -> Option<u64> {
        let path = path.strip_prefix(b"./").unwrap_or(path);
        if !self.starts.contains_key(path) {
            let entry = self.pack.tree.iter().find(|entry| entry.path == path)?;
            let Node::File { contents, .. } = &entry.node else { return None };
            let bytes = decoded(contents.bytes(), self.bom);
            let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
            let starts = std::iter::once(0).chain(ends.map(|(at, _)| at as u64 + 1)).collect();
            self.starts.insert(path.to_vec(), starts);
        }
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.starts.get(path)?.get(index).copied()
    }
}

/// A file's bytes as text.
pub(crate) fn decoded(bytes: Vec<u8>, bom: Bom) -> Vec<u8> {
    let wide = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let (pairs, odd) = rest.as_chunks::<2>();
        let units = pairs.iter().map(|pair| unit(*pair));
        let mut text: String = char::decode_utf16(units)
            .map(|one| one.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        if !odd.is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        text.into_bytes()
    };
    match (bytes.as_slice(), bom) {
        ([0xef, 0xbb, 0xbf, rest @ ..], Bom::Decoded | Bom::Stripped) => rest.to_vec(),
        ([0xff, 0xfe, rest @ ..], Bom::Decoded) => wide(rest, u16::from_le_bytes),
        ([0xfe, 0xff, rest @ ..], Bom::Decoded) => wide(rest, u16::from_be_bytes),
        _ => bytes,
    }
}

/// A field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Path,
    Line,
    Offset,
    Column,
    End,
    Count,
    Text,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Literal(Vec<u8>),
    Field(Field),
}

/// A record as an adapter writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<Piece>);

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// A field that there is not, or a brace too few.
    pub fn parse(written: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = written;
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, after) =
                behind.split_once('}').ok_or_else(|| format!("no `}}` behind `{before}{{`"))?;
            if !before.is_empty() {
                pieces.push(Piece::Literal(before.into()));
            }
            pieces.push(Piece::Field(match name {
                "path" => Field::Path,
                "line" => Field::Line,
                "offset" => Field::Offset,
                "column" => Field::Column,
                "end" => Field::End,
                "count" => Field::Count,
                "text" => Field::Text,
                other => return Err(format!("`{{{other}}}` is no field of a record")),
            }));
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Literal(rest.into()));
        }
        Ok(Self(pieces))
    }
}

/// How one kind of answer is read.
#[derive(Debug, Clone)]
pub struct Reader {
    record: Template,
    context: Option<Template>,
    skip: Vec<Vec<u8>>,
    end: Vec<u8>,
    open_end: bool,
    show: Show,
}

impl Reader {
    /// The reader for one kind of answer.
    ///
    /// # Errors
    /// What is wrong with its templates.
    pub fn new(show: Show, shown: &Shown) -> Result<Self, String> {
        let record =
            shown.record.as_deref().ok_or_else(|| format!("`{}` has no record", show.name()))?;
        Ok(Self {
            record: Template::parse(record)?,
            context: shown.context.as_deref().map(Template::parse).transpose()?,
            skip: shown.skip.iter().map(|record| record.clone().into_bytes()).collect(),
            end: shown.end.clone().into_bytes(),
            open_end: shown.open_end,
            show,
        })
    }
}

/// What stands in one record.
#[derive(Debug, Clone, Copy, Default)]
struct Found<'o> {
    path: &'o [u8],
    line: Option<u64>,
    offset: Option<u64>,
    column: Option<u64>,
    end: Option<u64>,
    count: Option<u64>,
    text: Option<&'o [u8]>,
}

/// Reads the output of a program.
///
/// # Errors
/// The first record that cannot be understood.
pub fn read(reader: &Reader, output: &[u8], reading: &mut Reading<'_>) -> Result<(), Garble> {
    let closed;
    let mut rest = output;
    if reader.open_end && !output.is_empty() && !output.ends_with(&reader.end) {
        closed = [output, &reader.end].concat();
        rest = &closed;
    }
    while !rest.is_empty() {
        // First, since a path may hold anything, `--` and a line feed too.
        let skipped = reader.skip.iter().find_map(|skipped| {
            rest.strip_prefix(skipped.as_slice())?.strip_prefix(reader.end.as_slice())
        });
        if let Some(after) = skipped {
            rest = after;
            continue;
        }
        // A path may hold what stands behind it, so one that is known is believed before any other.
        let found = [Paths::Known(&reading.known), Paths::Other].into_iter().find_map(|paths| {
            let matched =
                |template: &Template| take(&template.0, rest, &reader.end, paths, Found::default());
            let selected = matched(&reader.record).map(|(found, after)| (found, true, after));
            selected.or_else(|| {
                matched(reader.context.as_ref()?).map(|(found, after)| (found, false, after))
            })
        });
        let Some((found, selected, after)) = found else {
            return Err(Garble::new("no record of this adapter", rest));
        };
        add(reader.show, found, selected, reading).map_err(|reason| Garble::new(reason, rest))?;
        rest = after;
    }
    Ok(())
}

fn add(
    show: Show,
    found: Found<'_>,
    selected: bool,
    reading: &mut Reading<'_>,
) -> Result<(), String> {
    match show {
        Show::Files | Show::FilesWithout => {
            reading.file(found.path);
            Ok(())
        }
        Show::Count => {
            let count = found.count.ok_or("no count")?;
            // A file without a selected line is one of which nothing is said: some programs say so,
            // some do not.
            if count > 0 {
                reading.file(found.path).count = Some(count);
            }
            Ok(())
        }
        Show::Lines => {
            let number = found.line.ok_or("no line number")?;
            let text = found.text.map(<[u8]>::to_vec);
            reading.line(found.path, Told { number, selected, text, spans: None })
        }
        Show::Spans => {
            let number = found.line.ok_or("no line number")?;
            let length = found.text.map(|text| text.len() as u64);
            let (start, end) = match (found.column, found.offset) {
                (Some(column), _) => {
                    let start = column.checked_sub(1).ok_or("columns begin at 1")?;
                    (start, found.end.or(length.map(|length| start + length)))
                }
                (None, Some(offset)) => {
                    let line =
                        reading.start(found.path, number).ok_or("no such line in the file")?;
                    let from_line =
                        |place: u64| place.checked_sub(line).ok_or("an offset before its line");
                    let start = from_line(offset)?;
                    let end = found.end.map(from_line).transpose()?;
                    (start, end.or(length.map(|length| start + length)))
                }
                (None, None) => return Err("no column and no offset".to_owned()),
            };
            let end = end.filter(|end| *end >= start).ok_or("a match without an end")?;
            reading.line(
                found.path,
                Told { number, selected, text: None, spans: Some(vec![(start, end)]) },
            )
        }
    }
}

/// Which paths a record may have.
#[derive(Debug, Clone, Copy)]
enum Paths<'a, 'p> {
    /// Those of the pack.
    Known(&'a HashSet<&'p [u8]>),
    /// Any on one line.
    Other,
}

impl Paths<'_, '_> {
    fn allow(self, path: &[u8]) -> bool {
        match self {
            Self::Known(known) => known.contains(path.strip_prefix(b"./").unwrap_or(path)),
            Self::Other => !path.contains(&b'\n'),
        }
    }
}

/// Matches a template at the beginning of `input`; what it found, and what is left.
fn take<'o>(
    pieces: &[Piece],
    input: &'o [u8],
    end: &[u8],
    paths: Paths<'_, '_>,
    mut found: Found<'o>,
) -> Option<(Found<'o>, &'o [u8])> {
    let Some((piece, pieces)) = pieces.split_first() else {
        // Asked for CR LF, some programs end their own records so.
        let with_cr = || input.strip_prefix(b"\r").and_then(|rest| rest.strip_prefix(end));
        return Some((found, input.strip_prefix(end).or_else(with_cr)?));
    };
    let field = match piece {
        Piece::Literal(literal) => {
            return take(pieces, input.strip_prefix(literal.as_slice())?, end, paths, found);
        }
        Piece::Field(field) => *field,
    };
    let stop = match pieces.first() {
        Some(Piece::Literal(literal)) => literal.as_slice(),
        _ => end,
    };
    match field {
        Field::Path => {
            let reach = input.get(..input.len().min(MAX_PATH_BYTES + stop.len()))?;
            places(reach, stop).find_map(|at| {
                let (path, rest) = input.split_at_checked(at)?;
                paths
                    .allow(path)
                    .then(|| take(pieces, rest, end, paths, Found { path, ..found }))
                    .flatten()
            })
        }
        Field::Text => {
            let at = places(input, stop).next()?;
            found.text = input.get(..at);
            take(pieces, input.get(at..)?, end, paths, found)
        }
        Field::Line | Field::Offset | Field::Column | Field::End | Field::Count => {
            let digits = input.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = std::str::from_utf8(input.get(..digits)?).ok()?.parse().ok();
            number?;
            match field {
                Field::Line => found.line = number,
                Field::Offset => found.offset = number,
                Field::Column => found.column = number,
                Field::End => found.end = number,
                _ => found.count = number,
            }
            take(pieces, input.get(digits..)?, end, paths, found)
        }
    }
}

/// Where `needle` stands in `input`.
fn places<'i>(input: &'i [u8], needle: &'i [u8]) -> impl Iterator<Item = usize> + 'i {
    let first = needle.first().copied();
    input
        .iter()
        .enumerate()
        .filter(move |(at, byte)| {
            Some(**byte) == first && input.get(*at..).is_some_and(|rest| rest.starts_with(needle))
        })
        .map(|(at, _)| at)
}

#[cfg(test)]
mod tests;
