//! The scope of a request, for the walker.

use std::{fmt, sync::Arc};

use memchr::memmem;

use crate::{
    cancellation::Cancellation,
    glob::{self, DottedGlobs, Glob, Place},
};

/// Which files below a search root are eligible (docs/search.md, section 3).
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Globs, one of which must match; no restriction if empty.
    pub include: Vec<Glob>,
    /// Globs that exclude files.
    pub exclude: Vec<Glob>,
    /// The depth of the walk.
    pub depth: Depth,
    /// Include names that start with a dot.
    pub hidden: bool,
    /// The treatment of symlinks.
    pub links: Links,
    /// Ignore no file for its ignore rules.
    pub no_ignore: bool,
    /// Further conditions on file paths; all must hold.
    pub conditions: Vec<PathCondition>,
    /// What is taken whatever leading dots and ignore files say, as ripgrep's `-g`.
    pub overrides: Option<PathTest>,
    /// What is left out unless an ignore file decides about it, as ripgrep's `--ignore-file`.
    pub ignored: Option<PathTest>,
    /// Ignore files that do not count.
    pub disregarded: Disregarded,
    /// Order a directory's entries by name, as ripgrep's `--sort path`: `a/b` before `a.b`.
    pub by_name: bool,
    /// Names with a leading dot that are included although `hidden` is not set.
    pub brought_back: BroughtBack,
}

/// Hidden names that a request brings back by naming them (docs/agent-tools.md, section 2).
#[derive(Clone, Debug, Default)]
pub struct BroughtBack {
    /// By globs.
    pub globs: DottedGlobs,
    /// By beginnings of names, in lower case; ASCII letters are compared in lower case.
    pub beginnings: Vec<Vec<u8>>,
}

impl BroughtBack {
    /// Whether nothing is brought back.
    pub fn is_empty(&self) -> bool {
        self.globs.is_empty() && self.beginnings.is_empty()
    }

    /// Whether this hidden path is included, if the directories above it are. Void if
    /// `cancellation` was triggered.
    pub fn admits(&self, path: &[u8], is_dir: bool, cancellation: &Cancellation<'_>) -> bool {
        let name = glob::base_name(path);
        let begins = |text: &Vec<u8>| {
            name.get(..text.len()).is_some_and(|name| name.eq_ignore_ascii_case(text))
        };
        self.beginnings.iter().any(begins) || self.globs.name(path, is_dir, cancellation)
    }
}

/// Given a path below the search root and whether it is a directory.
type Test = dyn Fn(&[u8], bool) -> bool + Send + Sync;

/// A condition on the path of a file or directory.
#[derive(Clone)]
pub struct PathTest(pub Arc<Test>);

impl fmt::Debug for PathTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PathTest")
    }
}

/// Kinds of ignore files that do not count, each as ripgrep's `--no-ignore-NAME`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct Disregarded {
    /// `.ignore`.
    pub dot: bool,
    /// `.gitignore`; implies `exclude` and `global`.
    pub vcs: bool,
    /// `.git/info/exclude`.
    pub exclude: bool,
    /// The configured global files.
    pub global: bool,
    /// The files of directories above the search root.
    pub parents: bool,
}

/// A condition on a file's path. It does not apply to directories.
#[derive(Clone, Debug)]
pub enum PathCondition {
    /// A glob matches the path.
    Glob(Vec<Glob>),
    /// The base name has one of these suffixes, and is longer than it.
    Suffix(Vec<String>),
    /// The base name contains this text or, if the text has a `/`, the path with a leading `/`
    /// does. ASCII letters are compared in lower case; the text is in lower case.
    Containing(Vec<u8>),
    /// One of these conditions holds.
    Any(Vec<PathCondition>),
}

impl PathCondition {
    /// Whether the path satisfies the condition. Void if `cancellation` was triggered.
    pub fn admits(&self, path: &[u8], cancellation: &Cancellation<'_>) -> bool {
        match self {
            Self::Glob(globs) => glob::any_matches(globs, path, false, cancellation),
            Self::Suffix(ends) => {
                let name = glob::base_name(path);
                ends.iter().any(|end| name.len() > end.len() && name.ends_with(end.as_bytes()))
            }
            Self::Containing(text) => {
                let whole = text.contains(&b'/');
                let place =
                    if whole { [b"/", path].concat() } else { glob::base_name(path).to_owned() };
                memmem::find(&place.to_ascii_lowercase(), text).is_some()
            }
            Self::Any(all) => all.iter().any(|names| names.admits(path, cancellation)),
        }
    }
}

/// The depth of a walk. Children of the search root have depth 1 (E-B27).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// The root's children only, as the request asked.
    Children,
    /// Down to this depth. Directories below it are reported as not entered.
    AtMost(u64),
    /// Without limit.
    #[default]
    Any,
}

/// The treatment of symlinks. None is followed out of the roots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Links {
    /// Symlinks are skipped.
    #[default]
    Skip,
    /// Links to files are followed, links to directories skipped (FR-SF-VAL-08).
    ToFiles,
    /// Symlinks are followed.
    Follow,
}

/// An absolute glob that lies outside the roots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideGlob {
    /// Whether it is one of those that exclude files.
    pub excludes: bool,
    /// As given.
    pub text: String,
}

impl PathCondition {
    pub(crate) fn place(&mut self, place: &Place<'_>) -> Result<(), OutsideGlob> {
        match self {
            Self::Glob(globs) => place_all(globs, place, false),
            Self::Any(all) => all.iter_mut().try_for_each(|one| one.place(place)),
            Self::Suffix(_) | Self::Containing(_) => Ok(()),
        }
    }
}

fn place_all(globs: &mut [Glob], place: &Place<'_>, excludes: bool) -> Result<(), OutsideGlob> {
    for glob in globs {
        let text = || String::from_utf8_lossy(glob.absolute().unwrap_or_default()).into_owned();
        *glob = glob.placed(place).ok_or_else(|| OutsideGlob { excludes, text: text() })?;
    }
    Ok(())
}

impl Scope {
    /// Makes absolute globs relative to the search root (D25).
    pub fn place(&mut self, place: &Place<'_>) -> Result<(), OutsideGlob> {
        place_all(&mut self.include, place, false)?;
        place_all(&mut self.exclude, place, true)?;
        self.conditions.iter_mut().try_for_each(|one| one.place(place))
    }

    /// Whether the path satisfies all `conditions`. Void if `cancellation` was triggered.
    pub fn admits(&self, path: &[u8], cancellation: &Cancellation<'_>) -> bool {
        self.conditions.iter().all(|names| names.admits(path, cancellation))
    }

    /// Whether a directory lies too deep to be entered.
    pub fn is_too_deep(&self, directory: &[u8]) -> bool {
        let depth = directory.split(|byte| *byte == b'/').count() as u64;
        matches!(self.depth, Depth::AtMost(most) if depth >= most)
    }

    /// Whether the files and their order are such as an index can hold.
    pub fn is_indexable(&self) -> bool {
        self.overrides.is_none()
            && self.brought_back.is_empty()
            && self.ignored.is_none()
            && self.disregarded == Disregarded::default()
            && !self.by_name
    }

    /// Whether directories below the search root are entered at all.
    pub fn recursive(&self) -> bool {
        self.depth != Depth::Children
    }
}
