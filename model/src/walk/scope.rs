//! What a search looks at, as far as it is asked for.
//!
//! Responsible for: the part of a request that the walk needs, whichever tool was asked.
//! Left to neighbours: what follows from it (`walk`).
//! Invariants: plain data.

use crate::glob::Glob;
use crate::sandbox::SearchRoot;
use crate::tables::caps::Cap;
use crate::tables::files::Shortfall;

/// What a search looks at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) root: &'a SearchRoot<'a>,
    /// Globs of which one has to let a file through, if there are any.
    pub(crate) include: &'a [Glob],
    /// Globs that remove what they match.
    pub(crate) exclude: &'a [Glob],
    pub(crate) depth: Depth,
    /// Whether names that start with a dot count.
    pub(crate) hidden: bool,
    pub(crate) links: Links,
    /// Whether no ignore file is read.
    pub(crate) no_ignore: bool,
    pub(crate) paths: Paths,
}

/// How far down a walk goes; the children of the search root have depth 1 (E-B27).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// To the bottom.
    All,
    /// To the children of the search root; what lies below was not asked for.
    Children,
    /// As far as a cap with this limit goes; what lies below was asked for, and it is told that it
    /// was not looked at.
    Capped(Cap<Shortfall>, u64),
}

/// What becomes of symbolic links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    /// They are passed over.
    Skipped,
    /// They are followed (E-B19).
    Followed,
    /// They are followed to files; those to directories are passed over (FR-SF-VAL-08).
    FollowedToFiles,
}

/// What paths are shown relative to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paths {
    /// The working directory (E-B26).
    FromWorkingDirectory,
    /// The search root (MATF-SF-path).
    FromSearchRoot,
}
