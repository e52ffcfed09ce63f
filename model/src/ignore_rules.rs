//! Ignore files as git reads them: the rules of one file, the paths they match, and which of
//! several files decides (section 3.2; FR-LS-SRC-06, E-B04).
//!
//! Everything is bytes, compared exactly. Only the path itself is tested, not the directories above
//! it: the walk does not enter an ignored directory.

use crate::path_pattern::{PathPattern, Token, member, tokens};
use crate::place::Name;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ruling {
    Ignored,
    /// Included, whatever weaker rules say (`!`).
    Included,
}

#[derive(Debug, Clone)]
pub(crate) struct IgnoreFile {
    /// The strength of its kind; 0 is the strongest.
    pub(crate) rank: usize,
    /// The directory of its patterns, as names below the sandbox root.
    pub(crate) base: Vec<Name>,
    rules: Vec<Rule>,
}

#[derive(Debug, Clone)]
struct Rule {
    ruling: Ruling,
    /// Anchored to the file's directory.
    pattern: PathPattern<u8>,
}

/// The verdict of the files in force on a path below the sandbox root. They are listed from the top
/// down; the strongest kind with a verdict decides, in it the nearest directory, in a file the last
/// line.
pub(crate) fn decide(files: &[IgnoreFile], path: &[Name], is_dir: bool) -> Option<Ruling> {
    let mut ranks: Vec<usize> = files.iter().map(|file| file.rank).collect();
    ranks.sort_unstable();
    ranks.into_iter().find_map(|rank| {
        let of_kind = files.iter().filter(|file| file.rank == rank);
        of_kind.rev().find_map(|file| file.decide(path, is_dir))
    })
}

impl IgnoreFile {
    /// Parses an ignore file of the kind with this rank, whose patterns are relative to `base`.
    pub(crate) fn read(rank: usize, base: &[Name], bytes: &[u8]) -> IgnoreFile {
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let rules = text.split(|byte| *byte == b'\n').filter_map(Rule::read).collect();
        IgnoreFile { rank, base: base.to_vec(), rules }
    }

    fn decide(&self, path: &[Name], is_dir: bool) -> Option<Ruling> {
        let below = path.strip_prefix(self.base.as_slice())?;
        self.rules
            .iter()
            .rev()
            .find(|rule| rule.pattern.matches(below, is_dir, bytes))
            .map(|rule| rule.ruling)
    }
}

impl Rule {
    /// Parses a line without its LF; `None` if it has no meaning or cannot match.
    fn read(line: &[u8]) -> Option<Rule> {
        if line.starts_with(b"#") {
            return None;
        }
        // git appends an LF to the last line, so a CR at the end of the file is removed as well.
        let line = without_trailing_spaces(line.strip_suffix(b"\r").unwrap_or(line));
        let (ruling, pattern) = match line.strip_prefix(b"!") {
            Some(pattern) => (Ruling::Included, pattern),
            None => (Ruling::Ignored, line),
        };
        let (directories_only, pattern) = match pattern.strip_suffix(b"/") {
            Some(pattern) => (true, pattern),
            None => (false, pattern),
        };
        if pattern.is_empty() {
            return None;
        }
        let anchored = pattern.contains(&b'/');
        let tokens = tokens(pattern.strip_prefix(b"/").unwrap_or(pattern), class)?;
        Some(Rule { ruling, pattern: PathPattern::new(&tokens, anchored, directories_only) })
    }
}

fn bytes(name: &[u8]) -> Vec<Option<u8>> {
    name.iter().copied().map(Some).collect()
}

/// A line without trailing spaces; an escaped space stays.
fn without_trailing_spaces(line: &[u8]) -> &[u8] {
    let mut length = 0;
    let mut at = 0;
    while let Some(byte) = line.get(at) {
        at += if *byte == b'\\' { 2 } else { 1 };
        if *byte != b' ' {
            length = at;
        }
    }
    line.get(..length).unwrap_or(line)
}

/// The class after a `[`, and the rest. A `]` in first place is a member; so is a `-` in first or
/// last place or after a range. The start of a range is a member by itself, even if the range is
/// reversed.
fn class(text: &[u8]) -> Option<(Token<u8>, &[u8])> {
    let negated = matches!(text.first(), Some(b'!' | b'^'));
    let mut rest = text.get(usize::from(negated)..)?;
    let mut ranges = Vec::new();
    let mut range_start = None;
    let mut first = true;
    loop {
        let (byte, after) = rest.split_first()?;
        if *byte == b']' && !first {
            return Some((Token::Class { negated, ranges }, after));
        }
        first = false;
        let range_end = if *byte == b'-' && !matches!(after.first(), None | Some(b']')) {
            range_start.and_then(|from: u8| Some((from, member(after)?)))
        } else {
            None
        };
        if let Some((from, (to, after))) = range_end {
            ranges.push((from, to));
            range_start = None;
            rest = after;
        } else if let Some((kind, after)) = kind(rest) {
            ranges.extend(kind?.into_iter().map(|byte| (byte, byte)));
            range_start = None;
            rest = after;
        } else {
            let (byte, after) = member(rest)?;
            ranges.push((byte, byte));
            range_start = Some(byte);
            rest = after;
        }
    }
}

/// The bytes of a `[:kind:]` at the start of the text, and the rest; inner `None` if the kind is
/// unknown. The first `]` must be that of the `:]`.
fn kind(text: &[u8]) -> Option<(Option<Vec<u8>>, &[u8])> {
    let text = text.strip_prefix(b"[:")?;
    let end = text.iter().position(|byte| *byte == b']')?;
    let name = text.get(..end)?.strip_suffix(b":")?;
    Some((bytes_of_kind(name), text.get(end + 1..)?))
}

fn bytes_of_kind(name: &[u8]) -> Option<Vec<u8>> {
    let is: fn(&u8) -> bool = match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |byte| matches!(byte, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |byte| byte.is_ascii_graphic() || *byte == b' ',
        b"punct" => u8::is_ascii_punctuation,
        // git's `space` excludes vertical tab and form feed.
        b"space" => |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'),
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    };
    Some((0..=u8::MAX).filter(is).collect())
}

#[cfg(test)]
mod tests;
