//! Globs without braces, matched on their text.
//!
//! Matching does not recurse: one remembered star suffices in a name, one `**` in a path. It takes
//! at most (length of the path)² and at most (length of the glob) × (length of the path) steps.

use std::borrow::Cow;

use super::{Dialect, GlobError, Subject, class, first_unit};
use crate::cancellation::Cancellation;

/// Steps within one name between two checks of the cancellation; classes may be long.
const STEPS: usize = 1 << 14;

/// A glob without braces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Single<'t> {
    /// The components, with the slashes between them.
    pub(crate) body: &'t [u8],
    /// Whether it matches directories only.
    pub(crate) dir_only: bool,
    /// Whether it is matched against whole paths, otherwise against base names at any depth.
    pub(crate) anchored: bool,
}

/// A glob that is equivalent to a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Plain<'t> {
    /// Exactly this path, or this base name if it is not anchored.
    Whole(Cow<'t, [u8]>),
    /// Base names with this suffix.
    Suffix(Cow<'t, [u8]>),
}

impl<'t> Single<'t> {
    pub(crate) fn parse(text: &'t [u8], dialect: Dialect) -> Result<Self, GlobError> {
        let text = match dialect {
            Dialect::Request => text.strip_prefix(b"./").unwrap_or(text),
            Dialect::Ignore => text,
        };
        if text.is_empty() {
            return Err(GlobError::Empty);
        }
        let dir_only = text.ends_with(b"/");
        let text = text.strip_suffix(b"/").unwrap_or(text);
        let anchored = text.contains(&b'/');
        let body = text.strip_prefix(b"/").unwrap_or(text);
        check(body, dialect)?;
        Ok(Self { body, dir_only, anchored })
    }

    /// The equivalent text, so that the caller can look it up instead of matching.
    pub(crate) fn plain(&self) -> Option<Plain<'t>> {
        let stars = self.body.iter().take_while(|&&byte| byte == b'*').count();
        let text = literal(self.body.get(stars..)?)?;
        match stars {
            0 => Some(Plain::Whole(text)),
            _ if self.anchored || text.is_empty() => None,
            _ => Some(Plain::Suffix(text)),
        }
    }

    /// Before and behind the last special byte. Every name that matches ends with what is behind,
    /// and most names do not.
    fn split_tail(&self) -> (&'t [u8], &'t [u8]) {
        let special = |byte: &u8| matches!(byte, b'*' | b'?' | b']' | b'\\' | b'/');
        self.body.split_at(self.body.iter().rposition(special).map_or(0, |at| at + 1))
    }

    /// Whether it matches this path. Void if `cancellation` was triggered.
    pub(crate) fn matches(
        &self,
        subject: &Subject<'_>,
        dialect: Dialect,
        cancellation: &Cancellation<'_>,
    ) -> bool {
        if self.dir_only && !subject.is_dir {
            return false;
        }
        let (head, tail) = self.split_tail();
        let ends = subject.name.ends_with(tail);
        let only_stars = !head.is_empty() && head.iter().all(|&byte| byte == b'*');
        if !ends || (only_stars && !self.anchored) {
            cancellation.go_on(1);
            return ends;
        }
        let walk = Walk { body: self.body, dialect, cancellation, steps: 0 };
        if self.anchored { walk.path(subject.path) } else { walk.path(subject.name) }
    }
}

/// Validates the classes and escapes of a glob.
fn check(body: &[u8], dialect: Dialect) -> Result<(), GlobError> {
    let mut at = 0;
    while let Some(&byte) = body.get(at) {
        match byte {
            b'\\' if at + 1 == body.len() => return Err(GlobError::DanglingEscape),
            b'\\' => at += 1,
            b'[' => {
                let end = class::class_end(body, at, dialect).ok_or(GlobError::UnclosedClass)?;
                class::check(body.get(at + 1..end).unwrap_or_default(), dialect)?;
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

/// The only text that a piece of a glob matches, if there is one.
fn literal(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !text.iter().any(|byte| matches!(byte, b'\\' | b'*' | b'?' | b'[')) {
        return Some(Cow::Borrowed(text));
    }
    let mut plain = Vec::with_capacity(text.len());
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'*' | b'?' | b'[' => return None,
            b'\\' => plain.extend(bytes.next()),
            byte => plain.push(byte),
        }
    }
    Some(Cow::Owned(plain))
}

/// One match against a path.
struct Walk<'w> {
    body: &'w [u8],
    dialect: Dialect,
    cancellation: &'w Cancellation<'w>,
    steps: usize,
}

impl Walk<'_> {
    /// Whether the components match the names of a path; `**` is tried at every length.
    fn path(mut self, path: &[u8]) -> bool {
        // The next component, and the next name unless all are matched.
        let (mut at, mut name) = (0, Some(0));
        // What follows the last `**`, and the next name to try it at. One suffices, as for stars in
        // a name.
        let mut retry: Option<(usize, Option<usize>)> = None;
        let matched = loop {
            match self.double_star(at) {
                Some(end) if end == self.body.len() && name.is_some() => break true,
                Some(end) if end < self.body.len() => {
                    at = end + 1;
                    retry = Some((at, name));
                    continue;
                }
                Some(_) => {}
                None => {
                    if let Some(start) = name
                        && let Some(end) = self.name(at, name_at(path, start))
                    {
                        name = next_name(path, start);
                        if end < self.body.len() {
                            at = end + 1;
                            continue;
                        }
                        if name.is_none() {
                            break true;
                        }
                    }
                }
            }
            match retry {
                Some((after, Some(from))) => {
                    name = next_name(path, from);
                    at = after;
                    retry = Some((after, name));
                }
                _ => break false,
            }
        };
        self.cancellation.go_on(self.steps + 1);
        matched
    }

    /// The end of a component that consists of two or more stars.
    fn double_star(&self, start: usize) -> Option<usize> {
        let rest = self.body.get(start..)?.strip_prefix(b"**")?;
        let more = rest.iter().take_while(|&&byte| byte == b'*').count();
        matches!(rest.get(more), None | Some(b'/')).then_some(start + 2 + more)
    }

    /// The end of the component at `at`, if it matches the name; on a mismatch the last star takes
    /// one unit more.
    fn name(&mut self, mut at: usize, name: &[u8]) -> Option<usize> {
        let mut rest = name;
        let mut retry: Option<(usize, &[u8])> = None;
        loop {
            self.steps += 1;
            let after = match self.body.get(at) {
                None | Some(b'/') if rest.is_empty() => return Some(at),
                None | Some(b'/') => None,
                Some(b'*') => {
                    at += 1;
                    retry = Some((at, rest));
                    continue;
                }
                Some(_) if rest.is_empty() => return None,
                Some(b'?') => {
                    rest.get(first_unit(rest, self.dialect).1..).map(|rest| (at + 1, rest))
                }
                Some(b'[') => self.class(at, rest),
                Some(b'\\') => self.literal(at + 1, rest),
                Some(_) => self.literal(at, rest),
            };
            (at, rest) = match (after, retry) {
                (Some(after), _) => after,
                (None, Some((star, from))) => {
                    if self.steps > STEPS
                        && !self.cancellation.go_on(std::mem::take(&mut self.steps))
                    {
                        return None;
                    }
                    let from = from.get(first_unit(from, self.dialect).1..).unwrap_or_default();
                    retry = Some((star, from));
                    (star, from)
                }
                (None, None) => return None,
            };
        }
    }

    fn literal<'n>(&self, at: usize, rest: &'n [u8]) -> Option<(usize, &'n [u8])> {
        let (first, rest) = rest.split_first()?;
        (self.body.get(at) == Some(first)).then_some((at + 1, rest))
    }

    fn class<'n>(&mut self, at: usize, rest: &'n [u8]) -> Option<(usize, &'n [u8])> {
        let end = class::class_end(self.body, at, self.dialect)?;
        self.steps += end - at;
        let (unit, length) = first_unit(rest, self.dialect);
        let held = class::holds(self.body.get(at + 1..end)?, unit, self.dialect);
        if held { Some((end + 1, rest.get(length..)?)) } else { None }
    }
}

fn name_at(path: &[u8], start: usize) -> &[u8] {
    let rest = path.get(start..).unwrap_or_default();
    memchr::memchr(b'/', rest).and_then(|end| rest.get(..end)).unwrap_or(rest)
}

fn next_name(path: &[u8], start: usize) -> Option<usize> {
    let rest = path.get(start..)?;
    memchr::memchr(b'/', rest).map(|end| start + end + 1)
}
