//! Globs as callers write them (D25): a path that equals the text is matched in addition to what
//! the glob matches, and a glob may be absolute.
//!
//! Which files a glob covers does not depend on which names exist.

use super::{Dialect, Form, Glob, GlobError, Subject};
use crate::cancellation::Cancellation;

/// Characters for which a text differs from the path that it spells.
const WILDCARDS: &[u8] = b"*?[]{}\\";
/// What leads to the directory above.
const UP: &[u8] = b"../";
/// First components of absolute paths that trees of source code seldom have themselves.
const FILE_SYSTEM: [&[u8]; 16] = [
    b"Users", b"Volumes", b"boot", b"dev", b"etc", b"home", b"mnt", b"opt", b"private", b"proc",
    b"root", b"run", b"sys", b"tmp", b"usr", b"var",
];

/// What a caller's glob has beside the documents'.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    text: Box<[u8]>,
    /// The search root below the directory that the glob is relative to, with a trailing slash.
    above: Box<[u8]>,
}

/// Where a search takes place, for absolute globs.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    /// Absolute paths of the roots, and their names where all are searched.
    pub roots: &'p [(&'p [u8], &'p [u8])],
    /// Absolute path of the search root, which lies in one of them; `None` if all are searched.
    pub search_root: Option<&'p [u8]>,
}

impl Caller {
    pub(super) fn matches(
        &self,
        glob: &Glob,
        subject: &Subject<'_>,
        cancellation: &Cancellation<'_>,
    ) -> bool {
        if self.above.is_empty() {
            return self.is(subject) || glob.matches_as_glob(subject, cancellation);
        }
        let path = [&*self.above, subject.path].concat();
        let subject = Subject::new(&path, subject.is_dir);
        self.is(&subject) || glob.matches_as_glob(&subject, cancellation)
    }

    /// Whether the text is this path, or this base name if it has no slash.
    fn is(&self, subject: &Subject<'_>) -> bool {
        if !self.text.iter().any(|byte| WILDCARDS.contains(byte)) {
            return false;
        }
        let text = self.text.strip_prefix(b"./").unwrap_or(&self.text);
        let (text, dir_only) = match text.strip_suffix(b"/") {
            Some(text) => (text, true),
            None => (text, false),
        };
        let given = if text.contains(&b'/') { subject.path } else { subject.name };
        text.strip_prefix(b"/").unwrap_or(text) == given && (subject.is_dir || !dir_only)
    }
}

impl Glob {
    /// Parses a caller's glob.
    pub fn of_caller(text: &[u8]) -> Result<Self, GlobError> {
        let caller = Caller { text: text.into(), above: Box::default() };
        Ok(Self { caller: Some(Box::new(caller)), ..Self::parse(text, Dialect::Request)? })
    }

    /// The text of a glob that begins with a slash, or leads above the search root.
    pub(crate) fn absolute(&self) -> Option<&[u8]> {
        let text = self.caller.as_ref().map(|caller| &*caller.text);
        text.filter(|text| text.starts_with(b"/") || text.starts_with(UP))
    }

    /// The glob for a search in `place`, if it is an absolute path in one of the roots; the glob as
    /// it is, if it is only anchored to the search root. `None` if it lies outside.
    pub(crate) fn placed<'p>(&self, place: &Place<'p>) -> Option<Self> {
        let Some(given) = self.absolute() else { return Some(self.clone()) };
        let from_search_root = match place.search_root {
            Some(search_root) if given.starts_with(UP) => Some(joined(search_root, given)),
            _ => None,
        };
        let text = from_search_root.as_deref().unwrap_or(given);
        let cut = |root: &'p [u8]| root.strip_suffix(b"/").unwrap_or(root);
        let mut named = place.roots.iter().map(|(root, name)| (cut(root), name));
        let found = named.find_map(|(root, name)| Some((root, name, below(root, text)?)));
        let Some((root, name, rest)) = found else {
            let mut roots = place.roots.iter().map(|(root, _)| root);
            let first = |path: &[u8]| path.split(|byte| *byte == b'/').nth(1).map(<[u8]>::to_vec);
            let own = first(text).unwrap_or_default();
            let deep = text.iter().skip(1).any(|byte| *byte == b'/');
            let known = FILE_SYSTEM.contains(&&*own)
                || roots.any(|root| first(root).as_deref() == Some(&own));
            let is_outside = given.starts_with(UP) || (deep && known);
            return (!is_outside).then(|| self.clone());
        };
        let nothing = Self { dialect: Dialect::Request, form: Form::Nothing, caller: None };
        let Some(search_root) = place.search_root else {
            return Self::of_caller(&[name, rest].concat()).ok();
        };
        let Some(above) = below(root, search_root) else { return Some(nothing) };
        let everything = || Self::parse(b"**", Dialect::Request).ok();
        let above = above.strip_prefix(b"/").unwrap_or(above);
        if matches!(rest, b"" | b"/") {
            return everything();
        }
        let mut glob = Self::of_caller(rest).ok()?;
        let ends = above.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        let covers = ends.chain([above.len()]).filter(|end| *end > 0).any(|end| {
            let directory = above.get(..end).unwrap_or_default();
            glob.matches(directory, true, &Cancellation::never())
        });
        if covers {
            return everything();
        }
        if let Some(caller) = glob.caller.as_mut().filter(|_| !above.is_empty()) {
            caller.above = [above, b"/"].concat().into();
        }
        Some(glob)
    }
}

/// The absolute path of one that begins with `..`; those of the root are the root.
fn joined(search_root: &[u8], given: &[u8]) -> Vec<u8> {
    let (mut root, mut rest) = (search_root.strip_suffix(b"/").unwrap_or(search_root), given);
    while let Some(behind) = rest.strip_prefix(UP) {
        root = memchr::memrchr(b'/', root).and_then(|at| root.get(..at)).unwrap_or_default();
        rest = behind.strip_prefix(b"./").unwrap_or(behind);
    }
    [root, b"/", rest].concat()
}

/// What follows `root` in a path that lies in it: empty, or beginning with a slash.
fn below<'p>(root: &[u8], path: &'p [u8]) -> Option<&'p [u8]> {
    path.strip_prefix(root).filter(|rest| rest.is_empty() || rest.starts_with(b"/"))
}
