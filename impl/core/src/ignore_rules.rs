//! Parses ignore files line by line as git does (docs/search.md section 3.2, E-B04).
//!
//! A [`RuleFile`] is one parsed file. The walker decides which files apply to a path, and in which
//! order.

use std::{borrow::Cow, collections::HashSet};

use crate::{
    cancellation::Cancellation,
    glob::{Dialect, Plain, Single, Subject},
};

/// The verdict of a rule on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The path is ignored.
    Ignore,
    /// A `!` rule includes the path again.
    Include,
}

/// A line of an ignore file that can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule<'f> {
    /// The verdict on a matching path.
    pub verdict: Verdict,
    /// Line number, 1-based.
    pub line: usize,
    /// The line without its end.
    pub text: &'f [u8],
}

/// A parsed ignore file. The last matching line decides. Memory: twice the text, and 20 bytes for
/// each rule.
#[derive(Clone, Debug, Default)]
pub struct RuleFile {
    /// Without byte order mark.
    text: Box<[u8]>,
    /// The compared texts and globs of the lines.
    keys: Box<[u8]>,
    /// In reverse order: the first match decides.
    lines: Box<[Line]>,
    /// Lines that are a plain base name, sorted by name. Most rules are these or suffixes, and
    /// every entry of a tree is tested against every rule above it.
    names: Box<[u32]>,
    /// Lines that are a plain path, sorted.
    paths: Box<[u32]>,
    suffixes: Box<[u32]>,
    others: Box<[u32]>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// Offset in the text.
    start: u32,
    /// Offset and length in `keys`.
    key: (u32, u32),
    /// Line number, shifted above the flags.
    number: u32,
}

const INCLUDES: u32 = 1;
const DIR_ONLY: u32 = 2;
const ANCHORED: u32 = 4;
const FLAG_BITS: u32 = 3;

impl RuleFile {
    /// Parses a file's content. Skips lines without meaning, as git does, and lines that cannot
    /// decide: malformed globs, and globs that a later line repeats.
    pub fn parse(content: &[u8]) -> Self {
        let content = without_mark(content);
        let (mut keys, mut lines) = (Vec::new(), Vec::new());
        let (mut names, mut paths, mut suffixes, mut others) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        let mut start = content.len();
        let mut number = memchr::memchr_iter(b'\n', content).count() + 1;
        for written in content.rsplit(|&byte| byte == b'\n') {
            start -= written.len();
            if let Some((verdict, glob)) = read(written)
                && seen.insert(glob)
                && let Ok(single) = Single::parse(glob, Dialect::Ignore)
            {
                let (kind, key) = match single.plain() {
                    None => (&mut others, Cow::Borrowed(single.body)),
                    Some(Plain::Suffix(suffix)) => (&mut suffixes, suffix),
                    Some(Plain::Whole(path)) if single.anchored => (&mut paths, path),
                    Some(Plain::Whole(name)) => (&mut names, name),
                };
                let flags = u32::from(verdict == Verdict::Include) * INCLUDES
                    + u32::from(single.dir_only) * DIR_ONLY
                    + u32::from(single.anchored) * ANCHORED;
                kind.push(small(lines.len()));
                lines.push(Line {
                    start: small(start),
                    key: (small(keys.len()), small(key.len())),
                    number: (small(number) << FLAG_BITS) + flags,
                });
                keys.extend_from_slice(&key);
            }
            start = start.saturating_sub(1);
            number -= 1;
        }
        let mut file = Self {
            text: content.into(),
            keys: keys.into(),
            lines: lines.into(),
            suffixes: suffixes.into(),
            others: others.into(),
            ..Self::default()
        };
        for kind in [&mut names, &mut paths] {
            kind.sort_by(|&a, &b| file.key(a).cmp(file.key(b)));
        }
        (file.names, file.paths) = (names.into(), paths.into());
        file
    }

    /// Whether `content` is the parsed content.
    pub fn is_of(&self, content: &[u8]) -> bool {
        *self.text == *without_mark(content)
    }

    /// Memory use in bytes.
    pub fn size(&self) -> usize {
        self.text.len()
    }

    /// The rules in file order.
    pub fn rules(&self) -> impl Iterator<Item = Rule<'_>> {
        self.lines.iter().rev().map(|line| self.rule(line))
    }

    /// The rule that decides about `path`, which is relative to the directory of the rules: the
    /// last one that matches. Void if `cancellation` was triggered.
    pub fn deciding(
        &self,
        path: &[u8],
        is_dir: bool,
        cancellation: &Cancellation<'_>,
    ) -> Option<Rule<'_>> {
        let subject = Subject::new(path, is_dir);
        let applies = |index: u32| is_dir || self.flags(index) & DIR_ONLY == 0;
        let named =
            self.with_key(&self.names, subject.name).chain(self.with_key(&self.paths, path));
        let named = named.filter(|&index| applies(index)).min();
        // Only a later line can still change the verdict.
        let before =
            |bound: Option<u32>| move |index: &u32| bound.is_none_or(|bound| *index < bound);
        cancellation.go_on(self.suffixes.len());
        let suffixed = self.suffixes.iter().copied().take_while(before(named));
        let suffixed = suffixed
            .filter(|&index| subject.name.ends_with(self.key(index)))
            .find(|&index| applies(index))
            .or(named);
        let other = self.others.iter().copied().take_while(before(suffixed)).find(|&index| {
            let flags = self.flags(index);
            let (dir_only, anchored) = (flags & DIR_ONLY > 0, flags & ANCHORED > 0);
            let single = Single { body: self.key(index), dir_only, anchored };
            cancellation.is_cancelled() || single.matches(&subject, Dialect::Ignore, cancellation)
        });
        self.lines.get(other.or(suffixed)? as usize).map(|line| self.rule(line))
    }

    /// The lines with this key, among `lines` sorted by key.
    fn with_key<'f>(&'f self, lines: &'f [u32], key: &'f [u8]) -> impl Iterator<Item = u32> + 'f {
        let first = lines.partition_point(|&index| self.key(index) < key);
        let rest = lines.get(first..).unwrap_or_default();
        rest.iter().copied().take_while(move |&index| self.key(index) == key)
    }

    fn key(&self, index: u32) -> &[u8] {
        let Some(&Line { key: (start, length), .. }) = self.lines.get(index as usize) else {
            return b"";
        };
        let start = start as usize;
        self.keys.get(start..start + length as usize).unwrap_or_default()
    }

    fn flags(&self, index: u32) -> u32 {
        self.lines.get(index as usize).map_or(0, |line| line.number)
    }

    fn rule(&self, line: &Line) -> Rule<'_> {
        let rest = self.text.get(line.start as usize..).unwrap_or_default();
        Rule {
            verdict: if line.number & INCLUDES > 0 { Verdict::Include } else { Verdict::Ignore },
            line: (line.number >> FLAG_BITS) as usize,
            text: without_cr(
                memchr::memchr(b'\n', rest).and_then(|end| rest.get(..end)).unwrap_or(rest),
            ),
        }
    }
}

fn without_mark(content: &[u8]) -> &[u8] {
    content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content)
}

/// An offset in a file. The rules of a file of 4 GiB, which only the configuration can name, are
/// void.
fn small(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// The verdict and glob of a line; `None` if it has none.
fn read(line: &[u8]) -> Option<(Verdict, &[u8])> {
    let line = without_cr(line);
    if line.starts_with(b"#") {
        return None;
    }
    let line = trim_blanks(line);
    Some(match line.strip_prefix(b"!") {
        Some(rest) => (Verdict::Include, rest),
        None => (Verdict::Ignore, line),
    })
}

/// git reads the last line as if an LF followed it, so a CR at the end of the file is removed as
/// well.
fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Removes trailing blanks that no backslash escapes.
fn trim_blanks(line: &[u8]) -> &[u8] {
    let mut keep = 0;
    let mut at = 0;
    while let Some(&byte) = line.get(at) {
        at += if byte == b'\\' && at + 1 < line.len() { 2 } else { 1 };
        if byte != b' ' {
            keep = at;
        }
    }
    line.get(..keep).unwrap_or(line)
}

#[cfg(test)]
mod tests;
