//! The part of a request that the walk needs, for any tool.

use crate::glob::Glob;
use crate::sandbox::SearchRoot;
use crate::tables::caps::Cap;
use crate::tables::files::Shortfall;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) root: &'a SearchRoot<'a>,
    /// Globs, one of which must match; no restriction if empty.
    pub(crate) include: &'a [Glob],
    /// Globs that exclude what they match.
    pub(crate) exclude: &'a [Glob],
    pub(crate) depth: Depth,
    /// Whether names with a leading dot are included.
    pub(crate) hidden: bool,
    pub(crate) links: Links,
    /// Whether ignore files are disregarded.
    pub(crate) no_ignore: bool,
    pub(crate) paths: Paths,
}

/// The depth of a walk; children of the search root have depth 1 (E-B27).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    All,
    /// The children of the search root only, as requested.
    Children,
    /// Down to the limit of a cap. Directories below it were requested, so they are reported.
    Capped(Cap<Shortfall>, u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Skipped,
    /// Followed (E-B19).
    Followed,
    /// Followed to files; links to directories are skipped (FR-SF-VAL-08).
    FollowedToFiles,
}

/// The base of shown paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paths {
    /// The working directory (E-B26).
    FromWorkingDirectory,
    /// The search root (MATF-SF-path).
    FromSearchRoot,
}
