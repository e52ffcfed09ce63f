//! Which files below a search root a request is about: what the walker goes by, whichever tool
//! asks.

use std::{fmt, sync::Arc};

use memchr::memmem;

use crate::{
    glob::{self, Glob},
    patience::Patience,
};

/// Which files below a search root are eligible (docs/search.md, section 3).
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Only files matching one of these, unless empty.
    pub include: Vec<Glob>,
    /// No file matching one of these.
    pub exclude: Vec<Glob>,
    /// How far down.
    pub depth: Depth,
    /// Include names that start with a dot.
    pub hidden: bool,
    /// What becomes of symlinks.
    pub links: Links,
    /// Disregard ignore files.
    pub no_ignore: bool,
    /// What files' own paths have to satisfy besides, all of these.
    pub also: Vec<Names>,
    /// What decides before leading dots and ignore files do.
    pub overrides: Option<Overrides>,
}

/// Whether a path below the search root is taken, as ripgrep's `-g` has it: given the path and
/// whether it is a directory, `None` leaves it to leading dots and ignore files.
#[derive(Clone)]
pub struct Overrides(pub Arc<dyn Fn(&[u8], bool) -> Option<bool> + Send + Sync>);

impl fmt::Debug for Overrides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Overrides")
    }
}

/// A condition on a file's own path; directories above it are not asked.
#[derive(Clone, Debug)]
pub enum Names {
    /// One of these globs matches it.
    Matching(Vec<Glob>),
    /// Its base name ends in one of these, and something stands before that.
    Ending(Vec<String>),
    /// Its base name holds this text, or, if the text has a `/`, its path with a `/` ahead of it.
    /// ASCII letters of either case are equal; these are small.
    Holding(Vec<u8>),
    /// It satisfies one of these.
    Any(Vec<Names>),
}

impl Names {
    /// Whether a file's path satisfies it. Void once the patience is over.
    pub fn admit(&self, path: &[u8], patience: &Patience<'_>) -> bool {
        match self {
            Self::Matching(globs) => glob::any_matches(globs, path, false, patience),
            Self::Ending(ends) => {
                let name = glob::base_name(path);
                ends.iter().any(|end| name.len() > end.len() && name.ends_with(end.as_bytes()))
            }
            Self::Holding(text) => {
                let whole = text.contains(&b'/');
                let place =
                    if whole { [b"/", path].concat() } else { glob::base_name(path).to_owned() };
                memmem::find(&place.to_ascii_lowercase(), text).is_some()
            }
            Self::Any(all) => all.iter().any(|names| names.admit(path, patience)),
        }
    }
}

/// How far below the search root a walk goes. The root's children have depth 1 (E-B27).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// The root's children only, because that is what was asked for.
    Children,
    /// To this depth; directories that are not entered for it are told.
    AtMost(u64),
    /// To the end.
    #[default]
    Any,
}

/// What becomes of symlinks. None is ever followed out of the roots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Links {
    /// They are passed over.
    #[default]
    Skip,
    /// Those to files are followed, those to directories passed over (FR-SF-VAL-08).
    ToFiles,
    /// They are followed.
    Follow,
}

impl Scope {
    /// Whether a file's own path satisfies what it has to besides. Void once the patience is over.
    pub fn admits(&self, path: &[u8], patience: &Patience<'_>) -> bool {
        self.also.iter().all(|names| names.admit(path, patience))
    }

    /// Whether a directory below the search root is too deep to be entered.
    pub fn is_too_deep(&self, directory: &[u8]) -> bool {
        let depth = directory.split(|byte| *byte == b'/').count() as u64;
        matches!(self.depth, Depth::AtMost(most) if depth >= most)
    }

    /// Whether directories below the search root are entered at all.
    pub fn recursive(&self) -> bool {
        self.depth != Depth::Children
    }
}
